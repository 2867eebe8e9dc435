package channels_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
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
			r, s := puppetRig(t)
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

// Where the file with a long answer is refused, the chat has all of its text; where another file is, it has
// the summary and the file.
func TestLongAnswerWhoseFileIsRefused(t *testing.T) {
	long := "# Findings" + strings.Repeat("\n\nA line about the matter.", 400)
	for _, tt := range []struct {
		refused int // the part: 0 is the summary, 1 the answer as a file, 2 another file
		whole   bool
	}{{1, true}, {2, false}} {
		r, s := puppetRig(t)
		r.opts.LongAnswer = map[string]int{"telegram": 1000}
		var fail error = akitad.Errorf(akitad.Overloaded, "busy")
		s.final = func(d akitad.Delivery) error {
			if d.Reply.Text == long { // at first it fails
				err := fail
				fail = nil
				return err
			}
			for i := d.From; d.Before != nil && i <= len(d.Reply.Files); i++ {
				if err := d.Before(t.Context(), i); err != nil {
					return err
				}
				if i == tt.refused {
					return akitad.Errorf(akitad.InvalidRequest, "no such files here")
				}
			}
			return nil
		}
		hash, err := r.bus.PutArtifact(t.Context(), []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		r.start()
		id := s.say(anna, 1, nil)
		r.append(id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: long, Artifacts: []akitad.File{{Name: "a.png", Artifact: hash, Size: 1}}}})
		r.delivered(id)
		if got := s.said(long)(); got != tt.whole {
			t.Errorf("part %d refused: the whole text was sent: %v; %d texts", tt.refused, got, len(s.texts()))
		}
	}
}

// packing is a chat service that sends all files of an answer but the first together.
type packing struct{ *puppet }

func (packing) FileParts(files []akitad.File) int { return min(len(files), 2) }

// Where files go together, the file with the answer is found among the parts all the same.
func TestLongAnswerBesideAnAlbum(t *testing.T) {
	long := "# Findings" + strings.Repeat("\n\nA line about the matter.", 400)
	for refused, whole := range map[int]bool{1: true, 2: false} { // the answer as a file; the album
		r, s := puppetRig(t)
		r.wrap = func(channels.Channel) channels.Channel { return packing{s} }
		r.opts.LongAnswer = map[string]int{"telegram": 1000}
		s.final = func(d akitad.Delivery) error {
			for i := d.From; d.Before != nil && i <= 2; i++ {
				if err := d.Before(t.Context(), i); err != nil {
					return err
				}
				if i == refused {
					return akitad.Errorf(akitad.InvalidRequest, "no such files here")
				}
			}
			return nil
		}
		hash, err := r.bus.PutArtifact(t.Context(), []byte("x"))
		if err != nil {
			t.Fatal(err)
		}
		r.start()
		id := s.say(anna, 1, nil)
		r.append(id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: long, Artifacts: []akitad.File{
			{Name: "a.png", Artifact: hash, Size: 1}, {Name: "b.png", Artifact: hash, Size: 1}, {Name: "c.png", Artifact: hash, Size: 1},
		}}})
		r.delivered(id)
		if got := s.said(long)(); got != whole {
			t.Errorf("part %d refused: the whole text was sent: %v", refused, got)
		}
	}
}
