package journal

import (
	"context"
	"time"
)

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
