package sandbox_test

import (
	"testing"

	"github.com/akitad/akitad/internal/sandbox"
)

// BenchmarkRun is the cost of the smallest program on each rung; one that is refused costs nothing.
func BenchmarkRun(b *testing.B) {
	for _, rung := range []string{sandbox.Bubblewrap, sandbox.Namespaces} {
		b.Run(rung, func(b *testing.B) {
			box, dir := sandbox.New(sandbox.Options{Rungs: []string{rung}}), b.TempDir()
			box.Level()
			for b.Loop() {
				_, _ = box.Run(b.Context(), sandbox.Command{Argv: []string{"true"}, Dir: dir})
			}
		})
	}
}
