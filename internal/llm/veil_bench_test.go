package llm_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// BenchmarkVeil measures texts in which something may begin everywhere: twice the text must take twice the time.
func BenchmarkVeil(b *testing.B) {
	for name, unit := range map[string]string{
		"blanks": " ", "lines": "\n", "brackets": "[", "stars": "*", "ticks": "`", "tags": "<", "labels": "**Action", "ends": "<|im_end|>", "words behind blanks": "",
		"blanks between": strings.Repeat(" ", 900) + "<", "objects": "{", "quoted": "`<tool_call>` ",
	} {
		for _, size := range []int{64 << 10, 256 << 10} {
			text := strings.Repeat(unit, size/max(1, len(unit)))
			if unit == "" {
				text = strings.Repeat(" ", size/2) + strings.Repeat("a<b ", size/8)
			}
			b.Run(name+" "+map[int]string{64 << 10: "64 KB", 256 << 10: "256 KB"}[size], func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					veil(text)
				}
			})
		}
	}
}

// veil streams a text in small pieces.
func veil(text string) {
	v := llm.NewVeil(func(string) {}, llm.Names{"read_file": "read_file"})
	for ; len(text) > 16; text = text[16:] {
		v.Write(text[:16])
	}
	v.Write(text)
	v.Flush()
}
