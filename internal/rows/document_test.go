package rows_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/rows"
)

// documentRows gives the rows of a text as "line key=value ...".
func documentRows(t interface{ Fatal(...any) }, name, text string) ([]string, rows.Stats) {
	var out []string
	stats, err := rows.Read(strings.NewReader(text), name, rows.Options{}, func(r *rows.Row) error {
		s := fmt.Sprint(r.Line)
		for _, f := range r.Fields {
			s += " " + f.Name + "=" + f.Value
		}
		out = append(out, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out, stats
}

func TestDocuments(t *testing.T) {
	for _, tt := range []struct {
		name, text, want string
		malformed        int
	}{
		{"a.json", "{\n\"page\": 2,\n\"data\": [\n {\"n\": 1},\n {\"n\": 2}\n]}", "4 n=1|5 n=2", 0},
		{"a.json", `{"result": {"items": [{"n": 1}], "next": null}}`, "1 n=1", 0},
		{"a.json", "\ufeff{\"d\": [{\"n\": 1}],\n\"e\": [{\"n\": 2}]}", "1 n=1", 1},
		{"a.json", "{\n\"port\": 8080,\n\"db\": {\"host\": \"x\",\n \"tags\": [\"a\", 2]},\n\"on\": true, \"off\": null\n}", "2 key=port value=8080|3 key=db.host value=x|4 key=db.tags value=a|4 key=db.tags value=2|5 key=on value=true|5 key=off value=", 0},
		{"a.json", "{\"n\": 1, \"m\": 2, \"k\": 3}\n{\"n\": 4, \"m\": 5, \"k\": 6}\n", "1 n=1 m=2 k=3|2 n=4 m=5 k=6", 0},
		{"a.json", `{}`, "", 0},
		{"a.json", "{\"a\": 1,\n oops", "1 key=a value=1", 1},
	} {
		got, stats := documentRows(t, tt.name, tt.text)
		if strings.Join(got, "|") != tt.want || stats.Malformed != tt.malformed {
			t.Errorf("%q: %q with %d malformed, not %q with %d", tt.text, got, stats.Malformed, tt.want, tt.malformed)
		}
	}
}

// However it is laid out, each object of a list is a row, at the line where it begins.
func TestDocumentsHaveTheirRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "objects")
		var list []map[string]int
		for i := range n {
			list = append(list, map[string]int{"n": i})
		}
		doc := map[string]any{"a": 1, "b": map[string]any{"c": "x"}, "list": list}
		indent := strings.Repeat(" ", rapid.IntRange(0, 3).Draw(t, "indent"))
		raw, err := json.MarshalIndent(doc, "", indent)
		if rapid.Bool().Draw(t, "one line") {
			raw, err = json.Marshal(doc)
		}
		if err != nil {
			t.Fatal(err)
		}
		got, stats := documentRows(t, "x.json", string(raw))
		if len(got) != n || stats.Rows != n || stats.Malformed != 0 {
			t.Fatalf("%d rows of %d in %s", len(got), n, raw)
		}
		lines := strings.Split(string(raw), "\n")
		for i, r := range got {
			var line int
			if _, err := fmt.Sscanf(r, "%d", &line); err != nil || !strings.Contains(lines[line-1], "{") || !strings.HasSuffix(r, fmt.Sprintf(" n=%d", i)) {
				t.Fatalf("row %d is %q in %s", i, r, raw)
			}
		}
	})
}
