package app_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

var maskedPage = regexp.MustCompile(`the result of read_file .* All of it is artifact ([0-9a-f]{64}): read_artifact`)

// What was masked is read back by the name that stands in its place.
func TestAMaskedResultIsReadBack(t *testing.T) {
	readBack := func(req llm.Request) (llm.Reply, error) {
		for _, m := range req.Messages {
			for _, o := range m.Results {
				found := maskedPage.FindStringSubmatch(o.Text)
				if found == nil || lastPage(req) == 0 {
					continue
				}
				args, err := json.Marshal(map[string]any{"hash": found[1], "limit": 200})
				call := akitad.Call{ID: "back", Tool: "read_artifact", Args: args}
				return llm.Reply{Calls: []akitad.Call{call}, Finish: llm.FinishCalls}, err
			}
		}
		if len(req.Messages) > 0 && lastPage(req) == 0 && len(req.Messages) > 4 {
			return llm.Reply{Text: "read", Finish: llm.FinishStop}, nil
		}
		return reading(20)(req)
	}
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(readBack))
	a := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Context.MaxTokens, c.Context.MaskRounds, c.Context.Strategy = 20_000, 2, "mask"
	})
	task := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "read the book", Files: book()}))
	last := task.Rounds[len(task.Rounds)-1].Results[0]
	if task.State != akitad.Completed || last.Tool != "read_artifact" && last.Tool != "call_tool" || !strings.Contains(last.Text, "00001 a line of the book") {
		t.Errorf("%s after %d rounds: %+v", task.State, len(task.Rounds), last)
	}
}
