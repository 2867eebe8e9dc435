package tool_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/tool"
)

// The work of a repair, counted in bytes that it asks memory for, grows with the size and no faster:
// 4 times the size may cost 6 times as much, since slices grow in leaps; it would be 16 times if each part
// were copied once for each other one. The smaller size is past what is left to the library.
func TestRepairIsLinear(t *testing.T) {
	const n, more = 17_000, 4
	for name, shape := range map[string]func(n int) string{
		"commas":      func(n int) string { return `{"a":[` + strings.Repeat("[1,],", n) + `],}` },
		"quotes":      func(n int) string { return `{"a":"` + strings.Repeat(`x "y" `, n) + `",}` },
		"spaces":      func(n int) string { return `{"a":"` + strings.Repeat(`" `, n) + strings.Repeat(" ", n) + `x",}` },
		"open":        func(n int) string { return strings.Repeat(`{"a":`, n) },
		"backslashes": func(n int) string { return `{"a":"` + strings.Repeat(`\\\`, n) + `",}` },
		"names":       func(n int) string { return `{` + strings.Repeat(`a `, n) + `}` },
	} {
		small, large := shape(n), shape(n*more)
		one, many := repairWork(t, small), repairWork(t, large)
		t.Logf("%s: %d bytes of input take %d, %d take %d (%.1f times)", name, len(small), one, len(large), many, float64(many)/float64(one))
		if many > one*more*3/2 {
			t.Errorf("%s: %d bytes of input take %d bytes of memory, %d take %d", name, len(small), one, len(large), many)
		}
	}
}

// repairWork gives the bytes that reading broken arguments asks memory for.
func repairWork(t *testing.T, raw string) uint64 {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got, err := tool.Prepare(tool.Info{Name: "x"}, json.RawMessage(raw))
	runtime.ReadMemStats(&after)
	if err == nil && len(got)*2 < len(raw) {
		t.Errorf("%d bytes became %d", len(raw), len(got))
	}
	return after.TotalAlloc - before.TotalAlloc
}
