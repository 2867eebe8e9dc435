package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What a task wrote before it failed or was cancelled is told, listed, and gone from both once it is undone.
func TestWhatWasWrittenSoFarIsTold(t *testing.T) {
	write := llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "draft.md", "content": "half"}))
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		lang  string
		stop  bool
		says  string
	}{
		{"failed", []llmtest.Turn{write, refused()}, "en", false, "What was written so far: draft.md."},
		{"failed, in Chinese", []llmtest.Turn{write, refused()}, "zh", false, "目前已写入：draft.md。"},
		{"failed after words", []llmtest.Turn{write.Saying("I begin."), refused()}, "en", false, "I begin.\n\nWhat was written so far: draft.md."},
		{"cancelled", []llmtest.Turn{write, llmtest.Text("late").Held(llmtest.NewHold())}, "en", true, "What was written so far: draft.md."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, llmtest.New(t, tt.turns...))
			id := h.say(1, "write it", func(m *akitad.Message) { m.Origin.Lang = tt.lang })
			if tt.stop {
				h.until(id, func(t *journal.Task) bool { return t.DoneRounds() == 1 })
				if err := h.Orchestrator.Cancel(t.Context(), id, ""); err != nil {
					t.Fatal(err)
				}
			}
			got := h.ended(id)
			v := got.View()
			if got.State == akitad.Completed || v.Result == nil || v.Result.Text != tt.says || !v.Result.Partial || len(v.Result.Artifacts) != 1 || v.Result.Artifacts[0].Name != "draft.md" {
				t.Fatalf("%s %+v %+v", got.State, got.Error, v.Result)
			}
			h.rollback(id, []string{}, []string{"draft.md"})
			if after := h.load(id); after.Result != nil && strings.Contains(after.Result.Text, "draft.md") {
				t.Errorf("after it was undone: %+v", after.Result)
			}
		})
	}
}
