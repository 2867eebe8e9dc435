package tracing

import (
	"cmp"
	"encoding/json"
	"maps"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Merge makes one span of all records with the same trace and span id, whatever their order, and
// gives the spans ordered by start, then id. An end wins over an open; among ends the earliest
// wins, because a later one is a repeat made after a crash or a redelivery. What the winner lacks
// (name, kind, parent, start, attributes) comes from the others.
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

// mergeOne folds the records of one span; the best record comes first.
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

// precedence orders records from the one to believe to the one to believe least. It is a total
// order over contents, so that readers agree however the records reached them.
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
	text, _ := json.Marshal(s) // a value JSON cannot hold only loses its place in a tie
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
