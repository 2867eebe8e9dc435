package tracing

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Merge merges all records with the same trace and span id, in any order, to one span, and returns the spans
// ordered by start, then id. A record of an ended span wins over one of an open span. Of several ends the
// earliest wins, because a later one is a repetition after a crash or a redelivery. Fields that the winner
// lacks (name, kind, parent, start, attributes) come from the others.
func Merge(records []akitad.Span) []akitad.Span {
	type key struct{ trace, span string }
	groups := map[key][]akitad.Span{}
	for _, r := range records {
		k := key{r.TraceID, r.SpanID}
		groups[k] = append(groups[k], r)
	}
	out := make([]akitad.Span, 0, len(groups))
	for _, g := range groups {
		out = append(out, mergeOne(g))
	}
	sorting.By(out, byStart)
	return out
}

func byStart(a, b akitad.Span) int {
	return cmp.Or(a.Start.Compare(b.Start), strings.Compare(a.SpanID, b.SpanID), strings.Compare(a.TraceID, b.TraceID))
}

// mergeOne merges the records of one span, which are sorted by precedence.
func mergeOne(g []akitad.Span) akitad.Span {
	sorting.By(g, precedence)
	out := g[0]
	out.Attributes = maps.Clone(out.Attributes)
	for _, r := range g[1:] {
		fill(&out, r)
	}
	if out.End != nil && out.DurationMS == 0 {
		out.DurationMS = milliseconds(out.End.Sub(out.Start))
	}
	return out
}

// precedence orders the records of a span, the winner first. It is a total order over their contents, so that
// the result does not depend on the order in which the records arrived.
func precedence(a, b akitad.Span) int {
	switch {
	case a.End != nil && b.End == nil:
		return -1
	case a.End == nil && b.End != nil:
		return 1
	case a.End != nil && !a.End.Equal(*b.End):
		return a.End.Compare(*b.End)
	case !a.Start.Equal(b.Start):
		return a.Start.Compare(b.Start)
	}
	return strings.Compare(contents(a), contents(b))
}

func contents(s akitad.Span) string {
	text, _ := json.Marshal(s) // for a value that JSON cannot represent, only ties are affected
	return string(text)
}

func fill(out *akitad.Span, r akitad.Span) {
	out.Name = cmp.Or(out.Name, r.Name)
	out.Kind = cmp.Or(out.Kind, r.Kind)
	out.ParentID = cmp.Or(out.ParentID, r.ParentID)
	if out.Start.IsZero() {
		out.Start = r.Start
	}
	for k, v := range r.Attributes {
		if _, ok := out.Attributes[k]; ok {
			continue
		}
		if out.Attributes == nil {
			out.Attributes = map[string]any{}
		}
		out.Attributes[k] = v
	}
}
