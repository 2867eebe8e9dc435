// Package sdk counts texts with the vocabularies of two vendors' models, which are too large for the
// program, and holds the estimate against them.
package sdk

import (
	"os"
	"path/filepath"
	"testing"
	"unicode"

	"github.com/tiktoken-go/tokenizer"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

// texts are what the estimate was fitted to, and this repository: code, documents in two languages, rules,
// logs, tables. TEXTS may name more, as a pattern of files.
func texts(t *testing.T) map[string]string {
	out := map[string]string{}
	for _, pattern := range []string{
		"../testdata/tokens/*", "../*.go", "../../../*.md", "../../../docs/*.md", "../../../docs/adr/003*.md", "../../../Makefile", "../../../go.sum",
		"../../../examples/*/*", "../../../examples/*/*/*", "../../admin/web/*", os.Getenv("TEXTS"),
	} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if text, err := os.ReadFile(f); err == nil && len(text) > 1_000 {
				out[f] = string(text[:min(len(text), 40_000)])
			}
		}
	}
	return out
}

const allowed = 0.15 // of error

func off(got, want int) float64 { return float64(got)/float64(want) - 1 }

func wide(text string) (n int) {
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			n++
		}
	}
	return n
}

func load(text string) window.Load { return new(window.Counter).Request(llm.Request{System: text}) }

// Texts in Latin letters are estimated well without any report, and any text is after reports on others.
func TestTheEstimate(t *testing.T) {
	all := texts(t)
	for name, encoding := range map[string]tokenizer.Encoding{"o200k": tokenizer.O200kBase, "cl100k": tokenizer.Cl100kBase} {
		codec, err := tokenizer.Get(encoding)
		if err != nil {
			t.Fatal(err)
		}
		counts := map[string]int{}
		var c window.Corrector
		for f, text := range all {
			if counts[f], err = codec.Count(text); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 {
			for f, text := range all {
				if filepath.Dir(f) == "../testdata/tokens" {
					c.Learn(name, load(text), counts[f])
				}
			}
		}
		bad := 0
		for f, text := range all {
			first, learned := off(window.Tokens(text), counts[f]), off(c.Weights(name).Tokens(load(text)), counts[f])
			switch latin := wide(text)*100 < len(text); {
			case latin && (first > allowed || first < -allowed):
				bad++
				t.Logf("%s, %s: off by %+.1f %% without a report", name, f, 100*first)
			case learned > allowed || learned < -allowed:
				bad++
				t.Logf("%s, %s: off by %+.1f %% after reports", name, f, 100*learned)
			}
		}
		t.Logf("%s: %d of %d texts are off by more than %.0f %%; weights %+v", name, bad, len(all), 100*allowed, c.Weights(name))
		if bad*20 > len(all) {
			t.Errorf("%s: more than one in twenty", name)
		}
	}
}
