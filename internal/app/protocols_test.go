package app_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// withEndpoints makes a house that asks these endpoints in order, and nobody else.
func withEndpoints(t *testing.T, endpoints ...config.Endpoint) *app.App {
	return startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		var names []string
		for i := range endpoints {
			endpoints[i].APIKey, endpoints[i].Model = config.NewSecret("sk-test-0123456789abcdef"), "m"
			names = append(names, endpoints[i].Name)
		}
		c.Endpoints = endpoints
		c.Roles = config.Roles{Main: names, Compiler: names, Planner: names, Summarizer: names, Judge: names}
	})
}

var logFile = []akitad.InputFile{{Name: "a.log", Content: []byte("INFO a\nERROR b\nERROR c\n")}}

// A task with tools and a delegated part is done by a model behind each protocol; the servers refuse
// whatever the vendor's service refuses.
func TestEachProtocolFromWordsToAnswer(t *testing.T) {
	for _, protocol := range []string{"openai", "anthropic", "gemini"} {
		t.Run(protocol, func(t *testing.T) {
			grep := llmtest.Calls(llmtest.Call("grep", map[string]any{"pattern": "ERROR", "mode": "count"}))
			script := llmtest.New(t).
				Rounds(llmtest.Begins("how many"), grep.Saying("I count."), llmtest.Calls(delegate("analyst", "look at the infos")), llmtest.Text("2 errors, 1 info.")).
				Rounds(llmtest.Begins("look at the infos"), grep, submitResult("1 info"))
			server := llmtest.NewServer(t, script, llmtest.Options{}).Always(llmtest.KeepAlive(": ping"), llmtest.Reasoning("hm"))
			a := withEndpoints(t, config.Endpoint{Name: "a", Protocol: protocol, BaseURL: server.URL()})
			got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "how many errors are in a.log?", Files: logFile}))
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "2 errors, 1 info.") || len(got.Result.Degraded) > 0 {
				t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			if obs := got.Rounds[0].Results[0]; !strings.Contains(obs.Text, "total: 2") {
				t.Errorf("the tool did not see the file: %q", obs.Text)
			}
			if len(got.Children) != 1 || got.Usage.Input == 0 || got.Usage.Output == 0 {
				t.Errorf("children %v, usage %+v", got.Children, got.Usage)
			}
		})
	}
}

// In the middle of a task its endpoint fails, another one of another protocol goes on, and the first
// one comes back: each takes what the other one's model has said and called.
func TestFailoverBetweenProtocolsAndBack(t *testing.T) {
	for _, order := range [][]string{{"anthropic", "openai"}, {"openai", "anthropic"}, {"gemini", "openai"}, {"anthropic", "gemini"}} {
		t.Run(order[0]+" first", func(t *testing.T) {
			list := func(pattern string) llmtest.Turn {
				return llmtest.Calls(llmtest.Call("grep", map[string]any{"pattern": pattern}), llmtest.Call("grep", map[string]any{"pattern": pattern, "mode": "count"})).Saying("Now " + pattern)
			}
			script := llmtest.New(t).Rounds(llmtest.Begins("how many"), list("ERROR"), list("INFO"), list("WARN"), llmtest.Text("2 errors."))
			first := llmtest.NewServer(t, script, llmtest.Options{})
			second := llmtest.NewServer(t, script, llmtest.Options{})
			first.Next(llmtest.Reasoning("hm"), llmtest.Status(401, ""), llmtest.SameIDs())
			a := withEndpoints(t,
				config.Endpoint{Name: "a", Protocol: order[0], BaseURL: first.URL()},
				config.Endpoint{Name: "b", Protocol: order[1], BaseURL: second.URL()})
			got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "how many errors are in a.log?", Files: logFile}))
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "2 errors.") || len(got.Rounds) != 3 {
				t.Fatalf("%s %+v %+v after %d rounds", got.State, got.Result, got.Error, len(got.Rounds))
			}
			if one, two := len(first.Seen()), len(second.Seen()); one != 4 || two != 1 {
				t.Errorf("%s was asked %d times, %s %d times; want 4 and 1", order[0], one, order[1], two)
			}
		})
	}
}
