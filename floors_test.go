package akitad_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/akitad/akitad"

// floors says on which floor each package stands: imports point down only. docs/ARCHITECTURE.md
// draws the same table; change both together, with a decision record.
var floors = map[string]int{
	"cmd/akitad":     10,
	"internal/app":   9,
	"internal/admin": 8, "internal/commands": 8,
	"orchestrator": 7, "channels": 7,
	"pool":           6,
	"internal/agent": 5, "internal/tool/builtin": 5, "internal/tool/extract": 5, "internal/tool/data": 5, "internal/tool/memtool": 5, "internal/tool/knowtool": 5,
	"internal/tool": 4, "internal/window": 4, "internal/claim": 4, "memory": 4, "internal/journal/projection": 4,
	"internal/journal": 3, "internal/llm/openai": 3, "internal/llm/anthropic": 3, "internal/llm/gemini": 3, "internal/llm/wire": 3, "internal/llm/offline": 3, "internal/llm/offline/question": 3, "internal/compiler": 3, "internal/flow": 3, "internal/knowledge": 3, "internal/knowledge/quote": 3, "internal/controls": 3, "internal/access": 3,
	"internal/bus": 2, "internal/llm": 2, "internal/plan": 2, "internal/sandbox": 2, "internal/client": 2, "workspace": 2, "channels/telegram": 2, "channels/feishu": 2, "internal/filter": 2, "internal/tool/catalogue": 4,
	"channels/onebot": 2, "channels/wecom": 2, "channels/dingtalk": 2, "internal/chathook": 1, "internal/chatsend": 1, "internal/policy": 2,
	"tracing": 1, "fallback": 1, "internal/egress": 1, "internal/disk": 1, "internal/sqlite": 1, "internal/redact": 1, "internal/text": 1, "internal/config": 1,
	"internal/lane": 1, "internal/transcribe": 1, "internal/loose": 1, "internal/rows": 1, "channels/markdown": 1, "internal/guard": 1, "internal/llm/schema": 1, "internal/pace": 1, "internal/chatfile": 1, "internal/pdf": 1,
	"": 0, "internal/sorting": 0, "internal/sleep": 0, "internal/pattern": 0, "internal/typo": 0,
}

// level holds imports between packages of one floor that are allowed; everything else on the same
// floor must not import each other.
var level = map[string][]string{
	"internal/llm/offline":    {"internal/llm/offline/question", "internal/compiler", "internal/knowledge/quote"},
	"internal/llm/openai":     {"internal/llm/wire"},
	"internal/llm/anthropic":  {"internal/llm/wire"},
	"internal/llm/gemini":     {"internal/llm/wire"},
	"internal/knowledge":      {"internal/knowledge/quote"},
	"internal/chatsend":       {"internal/chathook", "internal/pace"},
	"internal/tool/catalogue": {"internal/tool"},
}

// strangers never import each other, in either direction.
var strangers = [][2]string{{"orchestrator", "pool"}, {"orchestrator", "channels"}, {"internal/agent", "internal/bus"}}

// owners says which packages alone may import a vendor's library.
var owners = map[string][]string{
	"github.com/nats-io/":                           {"internal/bus"},
	"github.com/go-telegram/bot":                    {"channels/telegram"},
	"github.com/coder/websocket":                    {"channels/feishu", "channels/onebot"},
	"google.golang.org/protobuf/encoding/protowire": {"channels/feishu"},
	"github.com/yuin/goldmark":                      {"channels/markdown"},
	"modernc.org/sqlite":                            {"internal/sqlite", "internal/tool/data"},
	"go.opentelemetry.io/":                          {"tracing"},
	"github.com/danielgtaylor/huma":                 {"internal/admin"},
	"github.com/spf13/cobra":                        {"cmd/akitad"},
	"github.com/sony/gobreaker":                     {"internal/tool"},
	"github.com/kaptinlin/jsonrepair":               {"internal/tool"},
}

// house gives the imports of every package that is not a test, by its path below the module.
func house(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	walk(t, func(file string, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(file))
		if dir == "." {
			dir = ""
		}
		if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(f.Name.Name, "test") || outside(dir) {
			return
		}
		for _, imp := range f.Imports {
			path, err := strconv.Unquote(imp.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out[dir] = append(out[dir], path)
		}
		if _, ok := out[dir]; !ok {
			out[dir] = nil
		}
	})
	return out
}

// outside reports folders that are not part of the house: examples, scripts, and the commands that serve a
// fake of a chat service.
func outside(dir string) bool {
	return strings.HasPrefix(dir, "examples/") || strings.HasPrefix(dir, "scripts/") || strings.HasSuffix(dir, "test/cmd")
}

func walk(t *testing.T, visit func(file string, f *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && path != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "bin") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		visit(path, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestFloors(t *testing.T) {
	seen := map[string]bool{}
	for pkg, imports := range house(t) {
		seen[pkg] = true
		floor, ok := floors[pkg]
		if !ok {
			t.Errorf("package %s has no floor: give it one in floors and in docs/ARCHITECTURE.md", pkg)
			continue
		}
		for _, imp := range imports {
			below, ours := strings.CutPrefix(imp, module)
			if !ours {
				continue
			}
			below = strings.TrimPrefix(below, "/")
			switch other, known := floors[below]; {
			case !known:
				t.Errorf("%s imports %s, which has no floor", pkg, below)
			case other > floor, other == floor && !slices.Contains(level[pkg], below):
				t.Errorf("%s (floor %d) imports %s (floor %d): imports point down only", pkg, floor, below, other)
			}
		}
	}
	for pkg := range floors {
		if !seen[pkg] {
			t.Errorf("floors names %q, which does not exist", pkg)
		}
	}
}

func TestFloorsStrangers(t *testing.T) {
	all := house(t)
	for _, pair := range strangers {
		for _, p := range [][2]string{pair, {pair[1], pair[0]}} {
			if slices.Contains(all[p[0]], module+"/"+p[1]) {
				t.Errorf("%s imports %s: they never import each other", p[0], p[1])
			}
		}
	}
}

func TestOwners(t *testing.T) {
	for pkg, imports := range house(t) {
		for _, imp := range imports {
			for vendor, may := range owners {
				if strings.HasPrefix(imp, vendor) && !slices.Contains(may, pkg) {
					t.Errorf("%s imports %s, which belongs to %v", pkg, imp, may)
				}
			}
		}
	}
}

// The root package holds nouns: the standard library only.
func TestOwnersRootIsStandardLibrary(t *testing.T) {
	for _, imp := range house(t)[""] {
		if strings.Contains(strings.Split(imp, "/")[0], ".") {
			t.Errorf("the root package imports %s", imp)
		}
	}
}

// Every package says in its doc comment what it is, and every exported name has a comment.
func TestDocs(t *testing.T) {
	documented := map[string]bool{}
	walk(t, func(file string, f *ast.File) {
		dir := filepath.ToSlash(filepath.Dir(file))
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		documented[dir] = documented[dir] || f.Doc != nil
		if f.Name.Name == "main" || outside(dir) {
			return
		}
		for _, d := range f.Decls {
			undocumented(t, file, d)
		}
	})
	for dir, ok := range documented {
		if !ok {
			t.Errorf("package %s has no doc comment", dir)
		}
	}
}

func undocumented(t *testing.T, file string, d ast.Decl) {
	t.Helper()
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
			t.Errorf("%s: %s has no doc comment", file, d.Name.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			if ts, ok := s.(*ast.TypeSpec); ok && ts.Name.IsExported() && d.Doc == nil && ts.Doc == nil {
				t.Errorf("%s: type %s has no doc comment", file, ts.Name.Name)
			}
		}
	}
}

// exportedReceiver leaves out methods of unexported types, which only fill somebody else's port.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil {
		return true
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	id, ok := typ.(*ast.Ident)
	return !ok || id.IsExported()
}
