package journal

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// Kinds gives every kind of event that the fold knows, in alphabetical order.
func Kinds() []akitad.EventKind { return slices.Sorted(maps.Keys(folds)) }

// Kept tells how many folds are kept, and how many bytes of payload they stand for.
func Kept(j *Journal) (folds, bytes int) { return j.kept.order.Len(), j.kept.bytes }

// WarmFrom is Warm from a sequence on, however little work there is.
func (j *Journal) WarmFrom(ctx context.Context, seq uint64) (int, error) { return j.warmFrom(ctx, seq) }

// SetClock has the journal's clock run by itself, and differ from that by what set gives.
func (j *Journal) SetClock(set func() time.Duration) {
	real := j.clock
	j.clock = func() (time.Time, time.Duration) {
		now, ran := real()
		return now.Add(set()), ran
	}
}

// SetBegan has the journal's process have begun then.
func SetBegan(j *Journal, began time.Time) { j.began = began }
