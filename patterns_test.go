package akitad_test

import (
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Patterns are compiled when they are first used, so a mistake in one would show late. Those whose
// text is a constant are compiled here; the others are put together from lists, and the tests of their
// packages use them.
func TestPatterns(t *testing.T) {
	fset, uses, files := token.NewFileSet(), map[string]bool{}, map[string][]*ast.File{}
	walk(t, func(file string, f *ast.File) {
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		placed, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := filepath.Dir(file)
		files[dir] = append(files[dir], placed)
		for _, imp := range f.Imports {
			uses[dir] = uses[dir] || imp.Path.Value == `"`+module+`/internal/pattern"`
		}
	})
	found := 0
	for dir, used := range uses {
		if !used {
			continue
		}
		all := files[dir]
		// Imports stay unknown: constants need none.
		known := types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		_, _ = (&types.Config{Error: func(error) {}}).Check(dir, fset, all, &known)
		for _, f := range all {
			ast.Inspect(f, func(n ast.Node) bool {
				if text, ok := patternText(n, known); ok {
					found++
					if _, err := regexp.Compile(text); err != nil {
						t.Errorf("%s: %v", dir, err)
					}
				}
				return true
			})
		}
	}
	if found < 100 {
		t.Errorf("only %d patterns were found", found)
	}
}

// patternText gives the text of a call of pattern.New, if it is a constant.
func patternText(n ast.Node, known types.Info) (string, bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 1 {
		return "", false
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); !ok || types.ExprString(sel) != "pattern.New" {
		return "", false
	}
	v := known.Types[call.Args[0]].Value
	if v == nil || v.Kind() != constant.String {
		return "", false
	}
	return constant.StringVal(v), true
}
