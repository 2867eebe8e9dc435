package main

import (
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
)

// standard is the row of what comes with Go itself.
const standard = "Go runtime and standard library"

// owners are the modules of a program.
type owners struct {
	main string   // of its main package
	all  []string // the longest path first
}

func newOwners(info *debug.BuildInfo) owners {
	o := owners{main: info.Main.Path, all: []string{info.Main.Path}}
	for _, m := range info.Deps {
		o.all = append(o.all, m.Path)
	}
	slices.SortFunc(o.all, func(a, b string) int { return len(b) - len(a) })
	return o
}

// of names the module that a symbol comes from, "" for one that marks a place and is no thing. What
// the compiler makes for a type counts as the type's module's.
func (o owners) of(symbol string) string {
	if strings.HasPrefix(symbol, "runtime.") && marks[symbol] {
		return ""
	}
	path := symbol
	for _, prefix := range []string{"type:.eq.", "type:.hash.", "type:", "go:itab.", "go:struct.", "*"} {
		path = strings.TrimPrefix(path, prefix)
	}
	path, _, _ = strings.Cut(path, "[")
	path, _, _ = strings.Cut(path, ",")
	path = strings.TrimPrefix(path, "*")
	if plain, err := url.PathUnescape(path); err == nil {
		path = plain
	}
	if path == "main" || strings.HasPrefix(path, "main.") {
		return o.main
	}
	for _, module := range o.all {
		if rest, ok := strings.CutPrefix(path, module); ok && (rest == "" || rest[0] == '/' || rest[0] == '.') {
			return module
		}
	}
	return standard
}

// marks are symbols that cover others: their bytes are counted there or by section.
var marks = map[string]bool{
	"runtime.text": true, "runtime.etext": true, "runtime.rodata": true, "runtime.erodata": true, "runtime.types": true, "runtime.etypes": true,
	"runtime.pclntab": true, "runtime.epclntab": true, "runtime.gcdata": true, "runtime.gcbss": true, "runtime.noptrdata": true,
	"runtime.enoptrdata": true, "runtime.data": true, "runtime.edata": true, "runtime.findfunctab": true, "runtime.symtab": true, "runtime.esymtab": true,
}
