package orchestrator_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// looker looks for another name each time, or reads another file that is not there, until calls are forbidden.
type looker struct {
	n       atomic.Int64
	missing bool
}

func (l *looker) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	n := l.n.Add(1)
	if req.Choice == llm.ChoiceNone {
		return llm.Reply{Text: "as far as I came", Finish: llm.FinishStop, Usage: akitad.Usage{Calls: 1}}, nil
	}
	c := llmtest.Call("glob", map[string]any{"pattern": fmt.Sprintf("*.%d", n)})
	if l.missing {
		c = llmtest.Call("read_file", map[string]any{"path": fmt.Sprintf("%d.txt", n)})
	}
	c.ID = fmt.Sprint("c", n)
	return llm.Reply{Calls: []akitad.Call{c}, Finish: llm.FinishCalls, Usage: akitad.Usage{Calls: 1}}, nil
}

// A person in a chat is asked when the budget of their task is used up; with a yes it goes on, with
// anything else it ends with what there is. A restart in between changes nothing.
func TestTheBudgetIsAskedForInChat(t *testing.T) {
	home, model := t.TempDir(), &looker{}
	budget := func(c *config.Config) { c.Budgets.Calls, c.Rounds.Chat = 4, 60 }
	h := startParts(t, home, model, whole, budget)
	id := h.say(1, "go through all of my files and tell me about each", nil)
	asked := func(task *journal.Task) bool {
		return task.State == akitad.Waiting && task.Question() != "" || task.Final()
	}
	first := h.until(id, asked)
	if !strings.Contains(first.Question(), "model calls") || first.WaitNote != first.Question() || first.Until == nil {
		t.Fatalf("%s (%s): %q, told %q, until %v", first.State, first.Reason, first.Question(), first.WaitNote, first.Until)
	}
	h.stop()
	h = startParts(t, home, model, whole, budget)
	h.say(2, "continue", nil)
	second := h.until(id, func(task *journal.Task) bool { return asked(task) && len(task.Rounds) > len(first.Rounds) })
	if got := len(second.Rounds) - len(first.Rounds); got != 4 || second.Granted() != 1 {
		t.Fatalf("%d more rounds, granted %d times", got, second.Granted())
	}
	h.say(3, "no", nil)
	got := h.ended(id)
	if got.State != akitad.Completed || !got.Result.Partial || !strings.Contains(got.Result.Text, "as far as I came") || len(got.Rounds) != len(second.Rounds) {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
}
