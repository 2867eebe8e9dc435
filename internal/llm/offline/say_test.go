package offline_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

var (
	verbs     = regexp.MustCompile(`%(?:\[\d+\])?[a-z%]`)
	english   = regexp.MustCompile(`[A-Za-z]{2,}(?: [A-Za-z]{2,}){2,}`)
	codeSpan  = regexp.MustCompile("`[^`]*`")
	ownCalls  = map[string]bool{"of": true, "f": true}
	noMessage = map[string]bool{"New": true, "set": true, "Errorf": true, "MustCompile": true, "rules": true, "Replace": true}
)

// said are the texts for people that the engine's source holds: pairs of English and Chinese, and all
// others that have English words in a row.
func said(t *testing.T) (pairs [][2]string, alone []string) {
	t.Helper()
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range files {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CallExpr:
				name := calledName(n)
				if ownCalls[name] && len(n.Args) > 1 {
					if en, zh, ok := texts(n.Args); ok {
						pairs = append(pairs, [2]string{en, zh})
						return false
					}
				}
				return !noMessage[name]
			case *ast.BasicLit:
				if s := literal(n); english.MatchString(s) {
					alone = append(alone, e.Name()+": "+s)
				}
			}
			return true
		})
	}
	return pairs, alone
}

func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

func texts(args []ast.Expr) (en, zh string, ok bool) {
	a, ok1 := args[0].(*ast.BasicLit)
	b, ok2 := args[1].(*ast.BasicLit)
	if !ok1 || !ok2 {
		return "", "", false
	}
	return literal(a), literal(b), true
}

func literal(l *ast.BasicLit) string {
	if l.Kind != token.STRING {
		return ""
	}
	s, _ := strconv.Unquote(l.Value)
	return s
}

func hasHanRune(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}

// elsewhere are texts whose Chinese stands elsewhere in the source, or that nobody is told.
var elsewhere = []string{
	"I could not find this out", "I could not write", // said in Chinese by the kind of failure
	"Look only at", "Join what the earlier", // goals of a plan, with theirs beside them
	"You are welcome", "I am akitad", "What would you like", "Noted. Send", // courtesies, in pairs
	"number of different values", "first and last", // names in a table of pairs, and a key
	"any not contains", "images cannot be seen", "a call is not answered yet", "the tool is not at hand",
	"^order (.+)", "incomplete", "skipped=", // what the tool says, with its Chinese
}

// TestBothLanguages looks at every message of the engine: it is there in both languages, each in its own
// words, with the same values to fill in.
func TestBothLanguages(t *testing.T) {
	pairs, alone := said(t)
	if len(pairs) < 150 {
		t.Fatalf("only %d messages were found", len(pairs))
	}
	for _, p := range pairs {
		en, zh := p[0], p[1]
		if hasHanRune(en) {
			t.Errorf("Chinese in an English message: %q", en)
		}
		if english.MatchString(codeSpan.ReplaceAllString(zh, "")) {
			t.Errorf("English in a Chinese message: %q", zh)
		}
		if regexp.MustCompile(`[a-z]{3}`).MatchString(verbs.ReplaceAllString(en, "")) && !hasHanRune(zh) && en != zh && strings.Trim(zh, "%s（）") != "" {
			t.Errorf("%q is not said in Chinese: %q", en, zh)
		}
		if a, b := len(verbs.FindAllString(en, -1)), len(verbs.FindAllString(zh, -1)); a != b {
			t.Errorf("%q has %d values, %q has %d", en, a, zh, b)
		}
	}
	for _, s := range alone {
		if !slices.ContainsFunc(elsewhere, func(known string) bool { return strings.Contains(s, known) }) {
			t.Errorf("a text of one language: %s", s)
		}
	}
}
