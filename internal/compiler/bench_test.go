package compiler_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/compiler"
)

// BenchmarkTwin compiles a message of each language by the rules, and one of as many names, and of joints, as are read, of
// which each must cost the same.
func BenchmarkTwin(b *testing.B) {
	for name, text := range map[string]string{
		"en":     "Read orders.csv and the deploy note, tell me which services failed after 14:00 and how often, in at most five lines; write it to report.md.",
		"zh":     "读一下 orders.csv 和发布说明，告诉我 14 点以后哪些服务出错、各多少次，最多五行，写到 report.md。",
		"names":  strings.Repeat("a.csv, ", 2400),
		"joints": strings.Repeat("但不", 1300),
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				compiler.Twin(compiler.Input{Text: text})
			}
		})
	}
}
