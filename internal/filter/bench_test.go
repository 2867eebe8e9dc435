package filter_test

import (
	"fmt"
	"strings"
	"testing"
)

// repeated gives at least n bytes of a text, over and over.
func repeated(text string, n int) string { return strings.Repeat(text, n/len(text)+1)[:n] }

// large gives outputs of n bytes each that are hard on a filter.
func large(n int) map[string]string {
	f := map[string]string{}
	for _, x := range corpus() {
		f[x.name] = x.text
	}
	var rows strings.Builder
	rows.WriteString("[")
	for i := 0; rows.Len() < n; i++ {
		if i > 0 {
			rows.WriteString(",")
		}
		fmt.Fprintf(&rows, `{"id":%d,"name":"unit %x","state":%q,"nested":{"ok":true,"tags":["a","b"]},"note":"refund of order %d was late"}`, i, i*7919, []string{"open", "shut"}[i%2], i)
	}
	return map[string]string{
		"json":     rows.String() + "]",
		"one-line": repeated("The refund of the last order came late; nobody knows why. 退款 ", n),
		"no-space": repeated("x9", n),
		"log":      repeated(f["Java log"], n),
		"access":   repeated(f["access log"], n),
		"table":    repeated(f["orders table"], n),
		"tree":     repeated(f["page snapshot"], n),
		"markdown": repeated(f["API documentation"], n),
		"page":     repeated(f["web page"], n),
		"test":     repeated(f["test output"], n),
		"deep":     repeated(`{"a":[`, n),
		"blank":    repeated("\n", n),
		"wide":     strings.Repeat(`{"name":"of some length","a":`, 150) + "[" + repeated(`{"refund":"late","order":1},`, n) + "{}",
		"long-key": `{"` + repeated("key ", n/4) + `":[` + repeated(`{"refund":"late"},`, n/2) + "{}",
		"columns":  repeated(strings.Repeat("refund order,", 200)+"late\n", n),
	}
}

// TestLargeOutputs holds that no output takes so long that the test would run out of time, or is answered
// with more than a reply may hold.
func TestLargeOutputs(t *testing.T) {
	f := newFilter()
	for name, text := range large(2 << 20) {
		t.Run(name, func(t *testing.T) { sound(t, text, f.Reply(text, "which refund of an order was late", ref)) })
	}
}

func BenchmarkFilterLarge(b *testing.B) {
	f := newFilter()
	all := large(5 << 20)
	for _, name := range []string{"one-line", "json", "log"} {
		text := all[name]
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				f.Reply(text, "which refund of an order was late", ref)
			}
		})
	}
}

// BenchmarkFilter says how much of the outputs is kept out, and what of the questions is answered all the same.
func BenchmarkFilter(b *testing.B) {
	f := newFilter()
	var seen, held score
	for b.Loop() {
		seen, held = askAll(f, func(fixture, score) {}, func(fixture, question, string, bool) {})
	}
	all := seen
	all.add(held)
	b.ReportMetric(all.kept(), "%out")
	b.ReportMetric(all.alone(), "%answered")
	b.ReportMetric(all.found(), "%searched")
	b.ReportMetric(held.kept(), "%out-unseen")
	b.ReportMetric(held.alone(), "%answered-unseen")
}

func BenchmarkFilterSession(b *testing.B) {
	f := newFilter()
	var s score
	for b.Loop() {
		s = session(f)
	}
	b.ReportMetric(s.kept(), "%out")
}
