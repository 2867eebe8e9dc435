package guard_test

import (
	"fmt"
	"testing"

	"github.com/akitad/akitad/internal/guard"
)

// BenchmarkRound is one more round of 8 calls after 60 of them; BenchmarkWhole the 60 rounds anew, as
// after a restart.
func BenchmarkRound(b *testing.B) {
	rounds := history(60, 8)
	w := &guard.Watch{}
	for n := 0; b.Loop(); n++ {
		if n%60 == 0 {
			w = &guard.Watch{}
		}
		for _, c := range rounds[n%60].Calls {
			w.Refuse(c.Key, false)
		}
		w.Add(rounds[n%60])
		w.Verdict()
	}
}

func BenchmarkWhole(b *testing.B) {
	rounds := history(60, 8)
	for b.Loop() {
		var w guard.Watch
		for _, r := range rounds {
			w.Add(r)
		}
		w.Verdict()
	}
}

func history(rounds, calls int) []guard.Round {
	var out []guard.Round
	for i := range rounds {
		r := guard.Round{Input: 1000 * i}
		for j := range calls {
			id := fmt.Sprint(i, "-", j)
			r.Calls = append(r.Calls, guard.Call{ID: id, Tool: "read", Key: guard.Key("read", []byte(`{"n":`+fmt.Sprint(i*8+j)+`}`)), Result: id})
		}
		out = append(out, r)
	}
	return out
}
