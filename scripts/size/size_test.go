package main

import (
	"bytes"
	"runtime/debug"
	"strings"
	"testing"
)

func TestOwnerOfASymbol(t *testing.T) {
	own := newOwners(&debug.BuildInfo{Main: debug.Module{Path: "github.com/a/b"}, Deps: []*debug.Module{
		{Path: "github.com/x/nats.go"}, {Path: "github.com/x/nats"}, {Path: "example.org/sdk/v3"},
	}})
	for symbol, want := range map[string]string{
		"main.run":           "github.com/a/b",
		"github.com/a/b.New": "github.com/a/b",
		"github.com/a/b/internal/c.(*T).Do.func1":   "github.com/a/b",
		"github.com/a/bc.New":                       standard,
		"github.com/x/nats%2ego.(*Conn).readLoop":   "github.com/x/nats.go",
		"github.com/x/nats/server.(*S).run":         "github.com/x/nats",
		"type:.eq.example.org/sdk/v3.T":             "example.org/sdk/v3",
		"example.org/sdk/v3/p.F[github.com/a/b.T]":  "example.org/sdk/v3",
		"slices.SortFunc[go.shape.*uint8]":          standard,
		"go:itab.*example.org/sdk/v3.T,io.Reader":   "example.org/sdk/v3",
		"runtime.mallocgc":                          standard,
		"vendor/golang.org/x/net/http2/hpack.Write": standard,
		"runtime.etext":                             "",
	} {
		if got := own.of(symbol); got != want {
			t.Errorf("%s belongs to %q, want %q", symbol, got, want)
		}
	}
}

func TestRowsAddUpToTheFile(t *testing.T) {
	sections := map[string]int64{".text": 100, ".rodata": 50, ".gopclntab": 40, ".note": 5}
	all := rows(200, sections, map[string]map[string]int64{"m": {".text": 60, ".rodata": 10}, "n": {".text": 30}})
	var out bytes.Buffer
	if err := report(&out, "p", 200, all); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if first := all[0]; first.name != "m" || first.total != 70 || first.code != 60 {
		t.Errorf("the largest row is %+v", first)
	}
	for _, wrong := range []error{report(&out, "p", 201, all), report(&out, "p", 200, append(all, row{"x", -1, 0}))} {
		if wrong == nil || !strings.Contains(wrong.Error(), " bytes") {
			t.Errorf("rows that do not add up give %v", wrong)
		}
	}
}
