package tracing

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Node is a span with its children. Its JSON is that of the span with the additional keys orphan and children.
type Node struct {
	akitad.Span
	Orphan   bool    `json:"orphan,omitempty"` // its parent is missing
	Children []*Node `json:"children,omitempty"`
}

// Tree merges the records and arranges them as trees: children under their parents, ordered by start, then id.
// The root of a trace is a span without a parent. Spans whose parent is missing, or that are each other's
// parents, are placed under the root and marked as orphans. If a trace has no root, its orphans are at the top.
func Tree(records []akitad.Span) []*Node {
	spans := Merge(records)
	byID := make(map[string]*Node, len(spans))
	for _, s := range spans {
		byID[s.TraceID+s.SpanID] = &Node{Span: s}
	}
	var tops, orphans []*Node
	for _, s := range spans { // in order, so that children are ordered as well
		n := byID[s.TraceID+s.SpanID]
		parent := byID[s.TraceID+s.ParentID]
		switch {
		case s.ParentID == "":
			tops = append(tops, n)
		case parent == nil || inCycle(n, byID):
			n.Orphan = true
			orphans = append(orphans, n)
		default:
			parent.Children = append(parent.Children, n)
		}
	}
	return adopt(tops, orphans)
}

// inCycle reports whether n is the earliest span of a cycle of parents, at which the cycle is cut.
func inCycle(n *Node, byID map[string]*Node) bool {
	seen := map[*Node]bool{}
	for at := n; at != nil && !seen[at]; at = byID[at.TraceID+at.ParentID] {
		seen[at] = true
		next := byID[at.TraceID+at.ParentID]
		if next == n {
			return true
		}
		if next != nil && byStart(next.Span, n.Span) < 0 {
			return false
		}
	}
	return false
}

// adopt places orphans under the root of their trace, in the order of their start.
func adopt(tops, orphans []*Node) []*Node {
	for _, o := range orphans {
		if root := rootOf(tops, o.TraceID); root != nil {
			root.Children = append(root.Children, o)
			sorting.By(root.Children, func(a, b *Node) int { return byStart(a.Span, b.Span) })
		} else {
			tops = append(tops, o)
		}
	}
	sorting.By(tops, func(a, b *Node) int { return byStart(a.Span, b.Span) })
	return tops
}

// rootOf returns the trace's first span without a parent; a TASK span is preferred.
func rootOf(tops []*Node, trace string) (root *Node) {
	for _, t := range tops {
		if t.TraceID != trace || t.Orphan {
			continue
		}
		if t.Kind == akitad.SpanTask {
			return t
		}
		if root == nil {
			root = t
		}
	}
	return root
}
