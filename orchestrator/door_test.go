package orchestrator_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A request that is too large to travel, or whose files can have no such names, is refused where it comes in, in words
// that its sender can do something about.
func TestWhatIsTooMuchIsRefusedAtTheDoor(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, nil)
	schema, err := json.Marshal(map[string]string{"type": "object", "description": strings.Repeat("y", 1_500_000)})
	ok(t, err)
	const plan = "params: {p: {type: string}}\nsteps:\n- {id: a, tool: time}\n"
	file := func(name string) akitad.TaskRequest {
		return akitad.TaskRequest{Text: "go", Files: []akitad.InputFile{{Name: name, Content: []byte("x")}}}
	}
	long := strings.Repeat("n", 250)
	for name, tt := range map[string]struct {
		req  akitad.TaskRequest
		want string // in the error; "" if it is taken
	}{
		"a schema":               {akitad.TaskRequest{Text: "go", OutputSchema: schema}, "into a file"},
		"parameters":             {akitad.TaskRequest{Text: "go", Plan: plan, Params: map[string]any{"p": strings.Repeat("z", 2_000_000)}}, "into a file"},
		"much, but not too much": {akitad.TaskRequest{Text: "go", Plan: plan, Params: map[string]any{"p": strings.Repeat("z", 800_000)}}, ""},
		"a long name":            {file(strings.Repeat("n", 256)), "255 bytes"},
		"a long way":             {file(strings.Repeat(long+"/", 4) + long), "255 bytes"},
		"a long part":            {file("a/" + strings.Repeat("名", 86) + ".txt"), "255 bytes"},
		"a name with a zero":     {file("a\x00.txt"), "255 bytes"},
		"as long as may be":      {file(long + "/" + strings.Repeat("名", 85)), ""},
	} {
		_, err := h.Orchestrator.Submit(t.Context(), "http", tt.req)
		f := akitad.FailureOf(err)
		switch {
		case tt.want == "" && err != nil:
			t.Errorf("%s: %s", name, f.Message)
		case tt.want == "":
		case err == nil || f.Kind != akitad.InvalidRequest || !strings.Contains(f.Hint, tt.want) || len(f.Message) > 500:
			t.Errorf("%s: %+v", name, f)
		}
	}
}
