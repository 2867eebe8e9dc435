package app_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A request that continues a conversation has the rounds of one from a chat, and its last twenty turns;
// any other over HTTP has the rounds of a task, and none.
func TestARequestWithItsConversation(t *testing.T) {
	var calls, earlier atomic.Int64
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		n := int64(0)
		for _, m := range r.Messages {
			if m.Speaker == llm.User && strings.HasPrefix(m.Text, "turn ") {
				n++
			}
		}
		earlier.Store(n)
		if r.Choice == llm.ChoiceNone {
			return llm.Reply{Text: "as far as I came", Finish: llm.FinishStop}, nil
		}
		return llm.Reply{Finish: llm.FinishCalls, Calls: []akitad.Call{
			llmtest.Call("grep", map[string]any{"pattern": fmt.Sprint("x", calls.Add(1))}),
		}}, nil
	}))
	a := start(t, script, func(c *config.Config) { c.Rounds = config.Rounds{Chat: 2, Task: 4} })
	talk := &akitad.Chat{Sender: "ann"}
	for i := range 35 { // of which ten have left
		talk.Earlier = append(talk.Earlier, akitad.Turn{Said: fmt.Sprint("turn ", i), Answered: "ok"})
	}
	for _, tt := range []struct {
		chat          *akitad.Chat
		rounds, turns int
	}{{talk, 2, 25}, {nil, 4, 0}} {
		got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "look for it", Chat: tt.chat}))
		if len(got.Rounds) != tt.rounds || int(earlier.Load()) != tt.turns || got.Result == nil || !got.Result.Partial {
			t.Errorf("%d rounds after %d turns, want %d and %d: %+v", len(got.Rounds), earlier.Load(), tt.rounds, tt.turns, got.Result)
		}
	}
}
