package window_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

// A counter counts like none, whatever it and others have counted before.
func TestCountersCountTheSame(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		texts := rapid.SliceOfN(rapid.Map(rapid.StringMatching(`[a-z0-9 .中文\n]{0,40}`), func(s string) string { return strings.Repeat(s, 20) }), 1, 5)
		loads := &window.Loads{}
		for range 4 {
			in := window.Input{System: rapid.SampledFrom(texts.Draw(rt, "system")).Draw(rt, "one"), Words: "go", Counter: &window.Counter{Shared: loads}}
			for i, text := range texts.Draw(rt, "tools") {
				in.Tools = append(in.Tools, llm.Tool{Name: fmt.Sprint("tool", i), Description: text, Schema: []byte(`{"about":"` + text + `"}`)})
			}
			for range 2 {
				_, got, err := window.Build(in)
				if err != nil {
					rt.Fatal(err)
				}
				bare := in
				bare.Counter = nil
				if _, want, err := window.Build(bare); err != nil || got.Load != want.Load {
					rt.Fatalf("%v with a counter, %v without (%v)", got.Load, want.Load, err)
				}
			}
		}
	})
}

// Many conversations share their loads, of more texts than are kept.
func TestLoadsAreShared(t *testing.T) {
	loads := &window.Loads{}
	var wg sync.WaitGroup
	for who := range 4 {
		wg.Go(func() {
			for i := range 1500 {
				text := strings.Repeat(fmt.Sprint("line ", i%1200, " of ", who%2, "; "), 20)
				_, got, err := window.Build(window.Input{System: text, Words: "go", Counter: &window.Counter{Shared: loads}})
				if err != nil {
					t.Error(err)
				} else if _, want, _ := window.Build(window.Input{System: text, Words: "go"}); got.Load != want.Load {
					t.Errorf("text %d of %d: %v, want %v", i, who, got.Load, want.Load)
				}
			}
		})
	}
	wg.Wait()
}
