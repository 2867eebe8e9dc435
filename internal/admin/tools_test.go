package admin_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestTools(t *testing.T) {
	d := start(t, llmtest.New(t))
	listed := func(query string) map[string]client.Tool {
		var page client.Page[client.Tool]
		if got := d.ask("GET", "/v1/tools"+query, "", nil); got.Status != http.StatusOK || json.Unmarshal(got.Body, &page) != nil {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		out := map[string]client.Tool{}
		for _, tl := range page.Items {
			out[tl.Name] = tl
		}
		return out
	}
	all := listed("")
	if g := all["glob"]; g.Category != "files" || !g.Readonly || !g.Idempotent || !g.ParallelSafe || g.InBlock || len(g.Schema) == 0 {
		t.Errorf("glob is %+v", g)
	}
	if !all["read_file"].InBlock || !all["call_tool"].InBlock || all["run_shell"].Readonly {
		t.Error("the assistant's prompt has other tools than the core")
	}
	if few := listed("?profile=writer"); !few["extract"].InBlock || few["run_shell"].Name != "" || few["call_tool"].Name != "" {
		t.Error("the writer has other tools than it names, or not all in its prompt")
	}
	if got := d.ask("GET", "/v1/tools?profile=nobody", "", nil); got.Status != http.StatusNotFound {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestCallTool(t *testing.T) {
	d := start(t, llmtest.New(t))
	for _, tt := range []struct {
		path, body string
		status     int
		words      string
	}{
		{"write_file?session=s", `{"path":"a.txt","content":"one <two>\n"}`, 200, `"changed":["a.txt"]`},
		{"read_file?session=s", `{"path":"a.txt"}`, 200, `"text":"    1\tone`},
		{"read_file?session=s", `{path: 'a.txt', limit: "1",}`, 200, `"tool":"read_file"`},
		{"read_file", `{"path":"a.txt"}`, 404, "a.txt"},
		{"time", ``, 200, "weekday"},
		{"call_tool", `{"tool":"time"}`, 200, "weekday"},
		{"run_flow", `{"name":"none"}`, 404, "none"},
		{"submit_result", `{"text":"x"}`, 422, "within a task only"},
		{"read_file", `{"pth":"a.txt"}`, 422, "did you mean path"},
		{"read_file", `[1]`, 422, "not a JSON object"},
		{"raed_file", `{}`, 404, "did you mean read_file"},
	} {
		got := d.ask("POST", "/v1/tools/"+tt.path, tt.body, nil)
		if got.Status != tt.status || !strings.Contains(string(got.Body), tt.words) {
			t.Errorf("%s %s gives %d %s, want %d with %s", tt.path, tt.body, got.Status, got.Body, tt.status, tt.words)
		}
	}
}
