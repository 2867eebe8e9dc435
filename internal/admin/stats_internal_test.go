package admin

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// What a reduction took out counts as summarised if a note stands for it, else as masked.
func TestShareOfReductions(t *testing.T) {
	s := shareOf(&journal.Task{
		Reduced: []journal.ReducedData{{Before: 900, After: 600}, {Before: 800, After: 700}, {Before: 950, After: 200, Note: "so far"}, {Before: 10, After: 12}},
		Rounds:  []journal.RoundState{{Results: []akitad.Observation{{Text: "short", Bytes: 500}, {Text: "all of it", Error: &akitad.Failure{}}}}},
	})
	if s.Masked != 400 || s.Summarised != 750 || s.Produced != 509 || s.Shown != 14 || s.Calls != 2 || s.Failed != 1 {
		t.Errorf("%+v", s)
	}
}
