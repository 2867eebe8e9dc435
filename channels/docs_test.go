package channels_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"
)

// What docs/CHANNELS.md says of the port, the suite and the formatter names all that there is, and
// nothing that there is not.
func TestDocumentKnowsThePort(t *testing.T) {
	data, err := os.ReadFile("../docs/CHANNELS.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := string(data)
	for _, name := range append(interfaces(t, "channel.go"), fields(t, "channeltest/service.go", "Setup")...) {
		if !strings.Contains(doc, "`"+name+"`") && !strings.Contains(doc, "`"+name+"(") {
			t.Errorf("%s is not in the document", name)
		}
	}
	for _, line := range strings.Split(doc, "\n") {
		for i, word := range strings.Split(line, "`") {
			if i%2 == 0 || !strings.Contains(word, "/") || strings.ContainsAny(word, " {(") || strings.Contains(word, "NAME") || strings.Contains(word, "...") {
				continue
			}
			if _, err := os.Stat("../" + word); err != nil {
				t.Errorf("%s is not there", word)
			}
		}
	}
}

// interfaces are the names of a file's interfaces, and of Channel's methods.
func interfaces(t *testing.T, file string) (names []string) {
	t.Helper()
	each(t, file, func(name string, typ ast.Expr) {
		i, ok := typ.(*ast.InterfaceType)
		if !ok {
			return
		}
		names = append(names, name)
		for _, m := range i.Methods.List {
			if name == "Channel" {
				names = append(names, m.Names[0].Name)
			}
		}
	})
	return names
}

// fields are the names of a struct's fields.
func fields(t *testing.T, file, of string) (names []string) {
	t.Helper()
	each(t, file, func(name string, typ ast.Expr) {
		s, ok := typ.(*ast.StructType)
		if !ok || name != of {
			return
		}
		for _, f := range s.Fields.List {
			for _, n := range f.Names {
				names = append(names, n.Name)
			}
		}
	})
	if len(names) == 0 {
		t.Fatalf("%s has no %s", file, of)
	}
	return names
}

func each(t *testing.T, file string, do func(name string, typ ast.Expr)) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok {
			do(spec.Name.Name, spec.Type)
		}
		return true
	})
}
