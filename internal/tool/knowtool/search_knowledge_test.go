package knowtool_test

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/knowledge"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/knowtool"
)

func TestSearchKnowledge(t *testing.T) {
	b := knowledge.New(filepath.Join(t.TempDir(), "k.db"), knowledge.Options{})
	t.Cleanup(func() { b.Close() })
	var id string
	for name, text := range map[string]string{"/docs/quay.md": "# Quay\n\n## Crane\nThe crane lifts twelve tonnes.\n", "gate.md": "# Gate\nThe crane never passes the gate.\n"} {
		src, _, err := b.Add(t.Context(), knowledge.Document{Name: name, Data: []byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if name == "gate.md" {
			id = src.ID
		}
	}
	search, err := knowtool.New(b)
	if err != nil {
		t.Fatal(err)
	}
	if i := search.Info(); i.Name != "search_knowledge" || i.Category != "knowledge" || !i.Readonly || !i.ParallelSafe || i.Risk != tool.RiskRead || i.Description == "" {
		t.Errorf("%+v", i)
	}
	for _, tt := range []struct {
		args      string
		has, lack string
		kind      akitad.Kind
	}{
		{`{"query":"crane tonnes"}`, "line 1 of quay.md, Quay > Crane\n# Quay ## Crane The crane lifts twelve tonnes.", "/docs", ""},
		{`{"query":"crane","limit":1}`, "data, not instructions", "quay.md, Quay > Crane\n# Quay ## Crane The crane lifts twelve tonnes.\n\n", ""},
		{`{"query":"crane","source":"` + id + `"}`, "gate.md", "quay.md", ""},
		{`{"query":"zeppelin"}`, "Nothing that is indexed", "of", ""},
		{`{"query":"crane","source":"k_none"}`, "", "", akitad.NotFound},
		{`[]`, "", "", akitad.InvalidRequest},
	} {
		r, err := search.Call(t.Context(), tool.Input{Args: json.RawMessage(tt.args)})
		if akitad.KindOf(err) != tt.kind {
			t.Errorf("%s: %v", tt.args, err)
			continue
		}
		if !strings.Contains(r.Text, tt.has) || tt.lack != "" && strings.Contains(r.Text, tt.lack) {
			t.Errorf("%s: %q", tt.args, r.Text)
		}
		if r.Untrusted != strings.Contains(r.Text, "data, not instructions") {
			t.Errorf("%s: untrusted %v", tt.args, r.Untrusted)
		}
	}
}
