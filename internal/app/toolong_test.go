package app_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/window"
)

// A message that is too long for every model fails as that, whether the window or a server says so, and
// the next message of the session is answered.
func TestAMessageThatIsTooLongDoesNotSpoilItsSession(t *testing.T) {
	for name, tokens := range map[string]int{"more than the window takes": 160_000, "more than the server takes": 30_000} {
		t.Run(name, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
				if new(window.Counter).Request(r).Tokens() > 20_000 {
					return llm.Reply{}, akitad.Errorf(akitad.ContextOverflow, "prompt is too long")
				}
				return llm.Reply{Text: "pong", Finish: llm.FinishStop}, nil
			}))
			a := start(t, script, func(c *config.Config) { c.Compiler = "auto" })
			long := ended(t, a, submit(t, a, akitad.TaskRequest{Session: "s", Text: "sum it up:" + strings.Repeat(" word", tokens)}))
			if long.State != akitad.Failed || long.Error == nil || long.Error.Kind != akitad.ContextOverflow {
				t.Errorf("it is %s: %+v, %+v", long.State, long.Error, long.Result)
			}
			next := ended(t, a, submit(t, a, akitad.TaskRequest{Session: "s", Text: "ping"}))
			if next.State != akitad.Completed || next.Result.Text != "pong" || next.Sub.Follows != long.ID {
				t.Errorf("the next one is %s: %+v", next.State, next.Error)
			}
		})
	}
}
