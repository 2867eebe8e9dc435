package llm_test

import (
	"encoding/json"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

func TestThrough(t *testing.T) {
	inner := akitad.Call{ID: "1", Tool: "grep", Args: json.RawMessage(`{"pattern":"\u003cx\u003e"}`), Via: llm.CallTool}
	made := llm.AsMade(inner)
	if want := `{"args":{"pattern":"\u003cx\u003e"},"tool":"grep"}`; made.Tool != "call_tool" || made.ID != "1" || made.Via != "" || string(made.Args) != want {
		t.Errorf("%+v %s", made, made.Args)
	}
	if back := llm.Meant(made); back.Tool != "grep" || back.Via != llm.CallTool || string(back.Args) != string(inner.Args) {
		t.Errorf("%+v %s", back, back.Args)
	}
	for _, same := range []akitad.Call{{ID: "2", Tool: "grep", Args: json.RawMessage(`{"tool":"x"}`)}, {Tool: "call_tool", Args: json.RawMessage(`{"args":{}}`)}, {Tool: "call_tool", Args: json.RawMessage(`"x"`)}} {
		if got := llm.Meant(same); got.Tool != same.Tool || got.Via != "" {
			t.Errorf("%+v became %+v", same, got)
		}
		if got := llm.AsMade(same); got.Tool != same.Tool {
			t.Errorf("%+v became %+v", same, got)
		}
	}
	if got := llm.AsMade(akitad.Call{Tool: "x", Args: json.RawMessage(`{`), Via: llm.CallTool}); got.Tool != "x" {
		t.Errorf("broken arguments: %+v", got)
	}
}
