package channels_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// An answer that is too long goes as a file, before the answer's own files, with a summary in the chat.
func TestLongAnswers(t *testing.T) {
	long := "# Findings" + strings.Repeat("\n\nA line about the matter.", 400)
	for _, tt := range []struct {
		name  string
		limit int
		text  string
		file  bool
	}{{"short", 9000, "short", false}, {"at the limit", len(long), long, false}, {"over it", len(long) - 1, long, true}, {"without a limit", 0, long, false}} {
		t.Run(tt.name, func(t *testing.T) {
			r, s := stubRig(t)
			r.opts.LongAnswer = map[string]int{"telegram": tt.limit}
			hash, err := r.bus.PutArtifact(t.Context(), []byte("x"))
			if err != nil {
				t.Fatal(err)
			}
			r.start()
			id := s.say(anna, 1, nil)
			r.append(id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: tt.text, Artifacts: []akitad.File{{Name: "answer.md", Artifact: hash, Size: 1}}}})
			r.delivered(id)
			s.mu.Lock()
			defer s.mu.Unlock()
			got := s.sent[len(s.sent)-1].Reply
			if !tt.file {
				if got.Text != strings.TrimSpace(tt.text) || len(got.Files) != 1 {
					t.Errorf("%d bytes, files %+v", len(got.Text), got.Files)
				}
				return
			}
			if !strings.HasSuffix(got.Text, text.En.AnswerInFile("answer-2.md")) || !strings.HasPrefix(got.Text, "# Findings") || len(got.Text) > 3000 {
				t.Errorf("the chat shows %d bytes: %.200q", len(got.Text), got.Text)
			}
			if len(got.Files) != 2 || got.Files[0].Name != "answer-2.md" || r.bytes(got.Files[0].Artifact) != strings.TrimSpace(long) {
				t.Errorf("files %+v", got.Files)
			}
		})
	}
}
