package tracing

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Node is a span and what happened inside it. Its JSON is the span's with orphan and children.
type Node struct {
	akitad.Span
	Orphan   bool    `json:"orphan,omitempty"` // its parent is not among the spans
	Children []*Node `json:"children,omitempty"`
}

// Tree merges the records and arranges them: children under their parents, ordered by start, then
// id. A trace has one root where one span has no parent; spans whose parent is missing (or that
// claim each other as parents) stand under that root, marked as orphans. Without a root the
// orphans themselves are the tops.
func Tree(records []akitad.Span) []*Node {
	spans := Merge(records)
	byID := make(map[string]*Node, len(spans))
	for _, s := range spans {
		byID[s.TraceID+s.SpanID] = &Node{Span: s}
	}
	var tops, orphans []*Node
	for _, s := range spans { // in order, so that children come out ordered
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

// inCycle reports whether following parents from n leads back to n, and n is the earliest of that
// circle: there the circle is cut.
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

// adopt puts orphans under the root of their trace, keeping the order by start.
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

// rootOf gives the trace's first span without a parent, a TASK before any other.
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

// Walk calls fn for every node, parents first, with its depth (0 for the tops).
func Walk(nodes []*Node, fn func(n *Node, depth int)) { walk(nodes, 0, fn) }

func walk(nodes []*Node, depth int, fn func(*Node, int)) {
	for _, n := range nodes {
		fn(n, depth)
		walk(n.Children, depth+1, fn)
	}
}
