package extract_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/tool/extract"
)

// Several questions of one call have the answers that each would have by itself.
func TestPartsAnswerAsAlone(t *testing.T) {
	const text = "time=2026-04-01T05:00:00Z level=info who=a n=1\ntime=2026-04-01T05:01:00Z level=error who=b n=5\nbad line\ntime=2026-04-01T05:02:00Z level=error who=a n=3\n"
	dir := folder(t, map[string]string{"x.log": text})
	parts := []extract.Part{
		{Where: "level = error", Aggregate: "count"},
		{GroupBy: "who", Aggregate: "sum(n),count"},
		{Where: "nothing = 1"},
		{Order: "n desc", Limit: 1},
		{Describe: true, LookFor: "a"},
		{Where: "n ~ ("},
		{Since: "05:01", Columns: "who"},
	}
	whole, err := extract.Run(t.Context(), dir, extract.Args{Path: "x.log", Limit: 2, More: parts})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(whole, "\n# part ")
	if len(got) != len(parts)+1 {
		t.Fatalf("%d answers:\n%s", len(got), whole)
	}
	for i, p := range parts {
		alone, err := extract.Run(t.Context(), dir, extract.Args{Path: "x.log", Columns: p.Columns, Where: p.Where, Since: p.Since, GroupBy: p.GroupBy, Aggregate: p.Aggregate, Order: p.Order, Limit: p.Limit, Describe: p.Describe, LookFor: p.LookFor})
		_, answer, _ := strings.Cut(got[i+1], "\n")
		switch {
		case err != nil && !strings.HasPrefix(answer, "# error: "):
			t.Errorf("part %d: no error beside %v:\n%s", i+2, err, answer)
		case err == nil && answer != alone:
			t.Errorf("part %d:\n%s\nalone:\n%s", i+2, answer, alone)
		}
	}
	if _, err := extract.Run(t.Context(), dir, extract.Args{Path: "x.log", As: "json", More: parts[:1]}); err == nil {
		t.Error("as json goes with more")
	}
	if _, err := extract.Run(t.Context(), dir, extract.Args{Path: "x.log", More: make([]extract.Part, 40)}); err == nil {
		t.Error("any number of questions is one call")
	}
}
