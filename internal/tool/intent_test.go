package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/tool"
)

// echo answers with the arguments that it was given.
type echo struct{ info tool.Info }

func (e echo) Info() tool.Info { return e.info }

func (e echo) Call(_ context.Context, in tool.Input) (tool.Result, error) {
	return tool.Result{Text: string(in.Args)}, nil
}

func TestWithIntent(t *testing.T) {
	for _, tt := range []struct {
		name, schema string
		unbounded    bool
		offered      bool   // the schema has an intent
		sees         string // what the tool sees of {"intent":"x","path":"p"}
		intent       string
	}{
		{"bounded", `{"type":"object","properties":{"path":{"type":"string"}}}`, false, false, `{"intent":"x","path":"p"}`, ""},
		{"unbounded", `{"type":"object","properties":{"path":{"type":"string"}},"additionalProperties":false}`, true, true, `{"path":"p"}`, "x"},
		{"without arguments", `{"type":"object","properties":{}}`, true, true, `{"path":"p"}`, "x"},
		{"with one of its own", `{"type":"object","properties":{"intent":{"type":"string"},"path":{}}}`, true, true, `{"intent":"x","path":"p"}`, "x"},
		{"that takes anything", `{"type":"object"}`, true, false, `{"intent":"x","path":"p"}`, "x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := tool.WithIntent(echo{tool.Info{Name: "echo", Schema: json.RawMessage(tt.schema), Unbounded: tt.unbounded}})
			if offered := strings.Contains(string(got.Info().Schema), `"intent"`); offered != tt.offered {
				t.Errorf("the schema is %s", got.Info().Schema)
			}
			if _, err := tool.NewArguments(got.Info()); err != nil {
				t.Errorf("the schema is none: %v", err)
			}
			args := json.RawMessage(`{"intent":"x","path":"p"}`)
			r, err := got.Call(t.Context(), tool.Input{Args: args})
			if err != nil || r.Text != tt.sees {
				t.Errorf("the tool saw %s, %v", r.Text, err)
			}
			if intent := tool.Intent(got.Info(), args); intent != tt.intent {
				t.Errorf("the intent is %q", intent)
			}
		})
	}
}
