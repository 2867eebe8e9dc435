package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func file(name, content string) []akitad.InputFile {
	return []akitad.InputFile{{Name: name, Content: []byte(content)}}
}

// A key means one task: the same request finds it again, one that asks for something else is refused
// and names it.
func TestAKeyMeansOneTask(t *testing.T) {
	const plan = "params: {n: {type: integer, default: 1}}\nsteps: [{id: a, tool: time}]\n"
	long := strings.Repeat("long ", 5000)
	for _, tt := range []struct {
		name          string
		first, second akitad.TaskRequest
		other         string // what is another; "" if it is the same task
	}{
		{"the same", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one"}, ""},
		{"the same, long", akitad.TaskRequest{Text: long}, akitad.TaskRequest{Text: long}, ""},
		{"another wait and priority", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Wait: "1s", Priority: akitad.High}, ""},
		{"the default by name", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Profile: "assistant"}, ""},
		{"other words", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "two"}, "text"},
		{"other words, long", akitad.TaskRequest{Text: long}, akitad.TaskRequest{Text: long + "more"}, "text"},
		{"another agent", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Profile: "analyst"}, "profile"},
		{"another session", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Session: "s"}, "session"},
		{"the same session", akitad.TaskRequest{Text: "one", Session: "s"}, akitad.TaskRequest{Text: "one", Session: "s"}, ""},
		{"other files", akitad.TaskRequest{Text: "one", Files: file("a", "1")}, akitad.TaskRequest{Text: "one", Files: file("a", "2")}, "files"},
		{"the same files", akitad.TaskRequest{Text: "one", Files: file("a", "1")}, akitad.TaskRequest{Text: "one", Files: file("a", "1")}, ""},
		{"another schema", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", OutputSchema: akitad.RawJSON(`{"type":"object"}`)}, "output_schema"},
		{"the same schema", akitad.TaskRequest{Text: "one", OutputSchema: akitad.RawJSON(`{"type": "object"}`)}, akitad.TaskRequest{Text: "one", OutputSchema: akitad.RawJSON(`{"type":"object"}`)}, ""},
		{"another flow", akitad.TaskRequest{Flow: "clock"}, akitad.TaskRequest{Flow: "bell"}, "flow"},
		{"the same flow", akitad.TaskRequest{Flow: "clock", Params: map[string]any{"n": 2}}, akitad.TaskRequest{Flow: "clock", Params: map[string]any{"n": 2.0}}, ""},
		{"other parameters", akitad.TaskRequest{Flow: "clock", Params: map[string]any{"n": 2}}, akitad.TaskRequest{Flow: "clock", Params: map[string]any{"n": 3}}, "params"},
		{"a plan", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Plan: plan}, "plan"},
		{"a plan to be shown", akitad.TaskRequest{Text: "one"}, akitad.TaskRequest{Text: "one", Plan: "ask"}, "plan"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
			h.flow("clock", plan)
			h.flow("bell", plan)
			tt.first.IdempotencyKey, tt.second.IdempotencyKey = "k", "k"
			id := h.submit(tt.first)
			got, err := h.Orchestrator.Submit(t.Context(), "http", tt.second)
			switch {
			case tt.other == "" && (err != nil || got != id):
				t.Errorf("the same again gives %s, %v; want %s", got, err, id)
			case tt.other != "":
				wantConflict(t, tt.name, err, string(id))
				wantConflict(t, tt.name, err, "another "+tt.other)
			}
		})
	}
}
