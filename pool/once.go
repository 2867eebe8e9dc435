package pool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
)

// stepRecord is the record of a step's idempotency key in one session's folder. It is stored before the step
// runs, so that two runs never do the same at the same time, and gets the result before the step's end is
// journalled.
type stepRecord struct {
	Task   akitad.TaskID `json:"task"`
	Epoch  uint64        `json:"epoch,omitempty"`  // the task's claim that runs the step; an earlier one records nothing
	Result string        `json:"result,omitempty"` // artifact with the result; empty until the step has completed
	Taint  bool          `json:"tainted,omitempty"`
	At     time.Time     `json:"at"`
}

// later is the error that lets a task wait because another task is doing the same step.
type later struct {
	until  time.Time
	holder akitad.TaskID // the task that holds the key, if known
}

func (l later) Error() string { return "another run does this step at the moment" }

// A step that waits for another run with the same key checks again after busyWait, then after twice as long
// each time, up to busyMost.
const (
	busyWait = 2 * time.Second
	busyMost = 5 * time.Minute
)

// stepKey returns the bucket's key for the step's idempotency key, "" if the step has none.
func stepKey(t *journal.Task) string {
	if t.Sub.Step == nil || t.Sub.Step.IdempotencyKey == "" {
		return ""
	}
	return akitad.Digest(t.Sub.Folder, t.Sub.Step.IdempotencyKey)
}

// recall returns the recorded outcome for the step's key. An outcome without a result means that the step is
// to run; the key is then reserved for this task. If another task holds the key and has not ended, the
// error is a later.
func (w *Worker) recall(ctx context.Context, t *journal.Task) (out agent.Outcome, err error) {
	key := stepKey(t)
	if key == "" {
		return out, nil
	}
	kv, err := w.Bus.KV(ctx, "steps")
	var body []byte
	var rev uint64
	if err == nil {
		body, rev, err = kv.Get(ctx, key)
	}
	if err != nil {
		return out, fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	if rec, ok := readRecord(body); ok {
		switch {
		case rec.Result != "":
			return w.recorded(ctx, rec)
		case rec.Task == t.ID && rec.Epoch == t.Epoch:
			return out, nil
		case rec.Task == t.ID && rec.Epoch > t.Epoch:
			return out, claim.ErrLost
		case rec.Task != t.ID:
			if err := w.awaits(ctx, t, rec.Task); err != nil {
				return out, err
			}
		}
	}
	return out, w.reserve(ctx, kv, key, t, rev)
}

// reserve records the task and its claim as the holder of the key, if the record is still at revision rev.
func (w *Worker) reserve(ctx context.Context, kv *bus.KV, key string, t *journal.Task, rev uint64) error {
	body, err := json.Marshal(stepRecord{Task: t.ID, Epoch: t.Epoch, At: time.Now().UTC()})
	if err != nil {
		return err
	}
	_, err = kv.Update(ctx, key, body, rev)
	switch {
	case errors.Is(err, bus.ErrConflict):
		return soon(t)
	case err != nil:
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	return nil
}

// soon says when the task looks at its key again: the oftener it has waited, the later.
func soon(t *journal.Task) later {
	wait := busyMost
	if n := t.Turns; n < 8 {
		wait = min(busyWait<<n, busyMost)
	}
	return later{until: time.Now().Add(wait)}
}

func readRecord(body []byte) (rec stepRecord, ok bool) {
	return rec, len(body) > 0 && json.Unmarshal(body, &rec) == nil
}

// awaits returns nil if the task that holds the key has ended without a result, so that the key is free.
// Otherwise the error is a later, or says why the task cannot wait.
func (w *Worker) awaits(ctx context.Context, t *journal.Task, id akitad.TaskID) error {
	holder, err := w.Journal.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	if !holder.Exists() || holder.Final() {
		return nil
	}
	if err := w.mayWait(ctx, t, holder); err != nil {
		return err
	}
	wait := soon(t)
	wait.holder = id
	return wait
}

// recorded returns the outcome of a record. Its files do not count as this task's: they are in the folder
// already and may have changed since.
func (w *Worker) recorded(ctx context.Context, rec stepRecord) (agent.Outcome, error) {
	out := agent.Outcome{Recorded: true, Tainted: rec.Taint, Steers: math.MaxInt}
	body, err := w.Bus.GetArtifact(ctx, rec.Result)
	if err != nil {
		return out, fmt.Errorf("%w: result of %s: %w", agent.ErrStore, rec.Task, err)
	}
	out.Result = &akitad.Result{}
	if err := json.Unmarshal(body, out.Result); err != nil {
		return out, fmt.Errorf("result of %s: %w", rec.Task, err)
	}
	return out, nil
}

// remember records a result under the step's key, unless it is partial or asks for more work: then the step
// may run again.
func (w *Worker) remember(ctx context.Context, t *journal.Task, out *agent.Outcome) error {
	key := stepKey(t)
	if key == "" || out.Result == nil || out.Recorded || out.Result.Partial || out.Result.Next != nil {
		return nil
	}
	if err := w.record(ctx, t, key, out.Result); err != nil {
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	return nil
}

func (w *Worker) record(ctx context.Context, t *journal.Task, key string, r *akitad.Result) error {
	body, err := json.Marshal(r)
	if err != nil {
		return err
	}
	hash, err := w.Bus.PutArtifact(ctx, body)
	if err != nil {
		return err
	}
	mine := stepRecord{Task: t.ID, Epoch: t.Epoch, Result: hash, Taint: t.Tainted, At: time.Now().UTC()}
	if body, err = json.Marshal(mine); err != nil {
		return err
	}
	kv, err := w.Bus.KV(ctx, "steps")
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		had, rev, err := kv.Get(ctx, key)
		if err != nil {
			return err
		}
		if rec, ok := readRecord(had); !ok || mine.stale(rec) {
			return claim.ErrLost
		}
		if _, err = kv.Update(ctx, key, body, rev); err == nil || try == recordTries || ctx.Err() != nil {
			return err
		}
	}
}

// recordTries is how often a result is offered: each time the record is read anew, which waits for the store.
const recordTries = 5

// stale reports whether another holds the key by now, as had tells: a later claim of the task, or another task, which
// was let in because this one has ended. What a worker that was stopped meanwhile has to say comes too late, also where
// there is no record any more: the step was undone.
func (r stepRecord) stale(had stepRecord) bool { return had.Task != r.Task || had.Epoch > r.Epoch }

// forgetSteps deletes the records of the steps of the given tasks and of all tasks below them. It is called
// when their files were undone, so that the steps can be done again.
func (w *Worker) forgetSteps(ctx context.Context, ids ...akitad.TaskID) error {
	for _, id := range ids {
		t, err := w.Journal.Load(ctx, id)
		if err != nil {
			return fmt.Errorf("%w: %w", agent.ErrStore, err)
		}
		if err := w.forget(ctx, t); err != nil {
			return fmt.Errorf("%w: %w", agent.ErrStore, err)
		}
		below := slices.Clone(t.Cut)
		for _, c := range t.Children {
			below = append(below, c.ID)
		}
		if err := w.forgetSteps(ctx, below...); err != nil {
			return err
		}
	}
	return nil
}

func (w *Worker) forget(ctx context.Context, t *journal.Task) error {
	key := stepKey(t)
	if key == "" {
		return nil
	}
	kv, err := w.Bus.KV(ctx, "steps")
	if err != nil {
		return err
	}
	body, rev, err := kv.Get(ctx, key)
	if rec, ok := readRecord(body); err != nil || !ok || rec.Task != t.ID {
		return err
	}
	if err = kv.Delete(ctx, key, rev); errors.Is(err, bus.ErrConflict) {
		return nil // another has taken the key meanwhile
	}
	return err
}

// waitTurn lets the task wait until the key may be free. It holds no instance meanwhile.
func (w *Worker) waitTurn(ctx context.Context, c *claim.Claim, i *Instance, l later) error {
	d := journal.WaitingData{Reason: akitad.ReasonRetry, Until: &l.until, Any: true, Holder: l.holder}
	if l.holder != "" {
		d.Cause = "the same step is being done by " + string(l.holder)
	}
	return w.wait(ctx, c, i, d, func(*journal.Task) bool { return true })
}
