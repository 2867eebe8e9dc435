package orchestrator

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
)

const (
	collectEvery = 24 * time.Hour // it reads all journals
	keptUnnamed  = 48 * time.Hour // minimum: an artifact that is about to be referred to was stored within the last day
)

// Collect removes the artifacts that no journal and no recorded step refers to and that were stored before
// the retention time of settled tasks (at least two days). It returns their number.
func (o *Orchestrator) Collect(ctx context.Context, now time.Time) (removed int, err error) {
	var old []bus.StoredArtifact
	err = o.Bus.Artifacts(ctx, func(a bus.StoredArtifact) error {
		if now.Sub(a.At) > max(o.opts.Retention, keptUnnamed) {
			old = append(old, a)
		}
		return nil
	})
	if err != nil || len(old) == 0 {
		return 0, err
	}
	named := journal.Hashes{}
	if err := errors.Join(o.Journal.Named(ctx, named), o.namedBySteps(ctx, named)); err != nil {
		return 0, err
	}
	for _, a := range old {
		if named.Has(a.Hash) {
			continue
		}
		gone, err := o.Bus.DropArtifact(ctx, a)
		if err != nil {
			return removed, err
		}
		if gone {
			removed++
		}
	}
	return removed, nil
}

// namedBySteps adds the recorded results of steps with an idempotency key, and the artifacts to which these
// results refer.
func (o *Orchestrator) namedBySteps(ctx context.Context, named journal.Hashes) error {
	kv, err := o.Bus.KV(ctx, "steps")
	if err != nil {
		return err
	}
	keys, err := kv.Keys(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		record, _, err := kv.Get(ctx, key)
		if akitad.KindOf(err) == akitad.NotFound {
			continue // it has just expired
		}
		if err != nil {
			return err
		}
		results := journal.Hashes{}
		results.Find(record)
		for sum := range results {
			named[sum] = struct{}{}
			body, err := o.Bus.GetArtifact(ctx, sum.String())
			if err != nil && akitad.KindOf(err) != akitad.NotFound {
				return err
			}
			named.Find(body)
		}
	}
	return nil
}

// collectDaily calls Collect once a day, the first time an hour after the start.
func (o *Orchestrator) collectDaily(ctx context.Context) error {
	next := time.NewTimer(time.Hour)
	defer next.Stop()
	for {
		select {
		case <-next.C:
			removed, err := o.Collect(ctx, time.Now())
			if removed > 0 || err != nil && ctx.Err() == nil {
				o.Log.Info("artifacts that nobody names are removed", zap.Int("artifacts", removed), zap.Error(err))
			}
			next.Reset(collectEvery)
		case <-ctx.Done():
			return nil
		}
	}
}
