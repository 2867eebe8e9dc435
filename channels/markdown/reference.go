package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// usedReferences are the labels of the definitions that a link or an image refers to; nil if the
// document defines none.
func usedReferences(doc ast.Node) map[string]bool {
	if !defines(doc) {
		return nil
	}
	used := map[string]bool{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		var ref *ast.ReferenceLink
		switch n := n.(type) {
		case *ast.Link:
			ref = n.Reference
		case *ast.Image:
			ref = n.Reference
		}
		if entering && ref != nil {
			used[util.ToLinkReference(ref.Value)] = true
		}
		return ast.WalkContinue, nil
	})
	return used
}

// defines reports whether a document has definitions.
func defines(n ast.Node) bool {
	if n.Kind() == ast.KindLinkReferenceDefinition {
		return true
	}
	for c := n.FirstChild(); c != nil && n.Type() != ast.TypeInline; c = c.NextSibling() {
		if defines(c) {
			return true
		}
	}
	return false
}

// definition shows where a link leads that nothing refers to: a list of sources is written like this.
func (w *walker) definition(n *ast.LinkReferenceDefinition, gap int) {
	if w.used[util.ToLinkReference(n.Label)] {
		return
	}
	if last := n.PreviousSibling(); last != nil && last.Kind() == ast.KindLinkReferenceDefinition {
		gap = 1
	}
	w.begin(gap)
	w.write("[" + resolve(n.Label) + "]: ")
	w.linkTo(n.Destination, func() { w.write(string(n.Destination)) })
	if len(n.Title) > 0 {
		w.write(" " + resolve(n.Title))
	}
}
