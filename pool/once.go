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

// stepRecord is what is known of a step's idempotency key in one session's folder. It is made before
// the step runs, so that two runs never do the same beside each other, and completed with the result
// before the step's end is journalled.
type stepRecord struct {
	Task   akitad.TaskID `json:"task"`
	Result string        `json:"result,omitempty"` // artifact; empty until the step has ended well
	Taint  bool          `json:"tainted,omitempty"`
	At     time.Time     `json:"at"`
}

// later puts a task to sleep for a while: another one does the same at the moment.
type later struct {
	until  time.Time
	holder akitad.TaskID // of the key, if it is known
}

func (l later) Error() string { return "another run does this step at the moment" }

// A step that waits for another run of the same key looks again after busyWait, then after twice as
// long each time, up to busyMost.
const (
	busyWait = 2 * time.Second
	busyMost = 5 * time.Minute
)

// stepKey gives the bucket's key for the step's idempotency key, "" if the step has none.
func stepKey(t *journal.Task) string {
	if t.Sub.Step == nil || t.Sub.Step.IdempotencyKey == "" {
		return ""
	}
	return akitad.Digest(t.Sub.Folder, t.Sub.Step.IdempotencyKey)
}

// recall gives the recorded end of the step's key, without a result if the step is to run: then the key is this
// task's from now on. A key that another task holds is waited for, unless that task has ended without
// a result.
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
		case rec.Task == t.ID:
			return out, nil
		}
		if err := w.awaits(ctx, t, rec.Task); err != nil {
			return out, err
		}
	}
	return out, w.reserve(ctx, kv, key, t, rev)
}

// reserve makes the key the task's own, if it is still as it was at rev.
func (w *Worker) reserve(ctx context.Context, kv *bus.KV, key string, t *journal.Task, rev uint64) error {
	body, err := json.Marshal(stepRecord{Task: t.ID, At: time.Now().UTC()})
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

// awaits is nil if the task that has the key has ended without a result, so that the key is free; else it
// says that the task is to wait for that one, or why it cannot.
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

// recorded gives the end that a record tells of. Its files are not this task's: they are in the folder
// already, and may have changed since.
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

// remember records a result under the step's key. One that is not all, or that asks for more work, is
// none: the step may run again.
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
	if body, err = json.Marshal(stepRecord{Task: t.ID, Result: hash, Taint: t.Tainted, At: time.Now().UTC()}); err != nil {
		return err
	}
	kv, err := w.Bus.KV(ctx, "steps")
	if err != nil {
		return err
	}
	_, err = kv.Put(ctx, key, body)
	return err
}

// forgetSteps drops what is recorded of the steps of a task and of all below it: what they did is undone,
// so they are to be done again.
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
	body, _, err := kv.Get(ctx, key)
	if rec, ok := readRecord(body); err != nil || !ok || rec.Task != t.ID {
		return err
	}
	return kv.Delete(ctx, key)
}

// waitTurn puts the task to sleep until the key may be free. It holds no instance meanwhile.
func (w *Worker) waitTurn(ctx context.Context, c *claim.Claim, i *Instance, l later) error {
	d := journal.WaitingData{Reason: akitad.ReasonRetry, Until: &l.until, Any: true, Holder: l.holder}
	if l.holder != "" {
		d.Cause = "the same step is being done by " + string(l.holder)
	}
	return w.wait(ctx, c, i, d, func(*journal.Task) bool { return true })
}
