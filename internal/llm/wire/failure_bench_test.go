package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/llm/wire"
)

// BenchmarkErrorIn measures the error of 1 MB that a 200 holds.
func BenchmarkErrorIn(b *testing.B) {
	s := wire.New("m", wire.Options{})
	for name, unit := range map[string]string{"words": "try again in a moment, ", "letters": "a1", "keys": "token=abc123def456ghi789; ", "lines": "error at line 12\n"} {
		body, err := json.Marshal(map[string]any{"error": map[string]any{"code": 500, "message": strings.Repeat(unit, (1<<20)/len(unit))}})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(body)))
			for b.Loop() {
				if s.ErrorIn(body) == nil {
					b.Fatal("no error")
				}
			}
		})
	}
}
