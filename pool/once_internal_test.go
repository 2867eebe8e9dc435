package pool

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
)

// A step waits for its key for a day in all; then it says for whom it waited.
func TestAKeyIsWaitedForADay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waiting := &journal.Task{ID: "t_mine", Sub: journal.SubmittedData{Step: &akitad.Step{ID: "pay", IdempotencyKey: "order-7"}}, Started: time.Now()}
		holder := &journal.Task{ID: "t_theirs", State: akitad.Running}
		w := NewWorker(Deps{}, WorkerOptions{})
		time.Sleep(24 * time.Hour)
		if err := w.mayWait(t.Context(), waiting, holder); err != nil {
			t.Errorf("after a day: %v", err)
		}
		time.Sleep(time.Second)
		err := w.mayWait(t.Context(), waiting, holder)
		if akitad.KindOf(err) != akitad.Timeout || !strings.Contains(err.Error(), "order-7") || !strings.Contains(akitad.FailureOf(err).Hint, "t_theirs") {
			t.Errorf("after a day and a second: %v", err)
		}
	})
}

// While no endpoint answers a task waits for an hour in all, a little longer each time.
func TestAHoldLastsAnHour(t *testing.T) {
	total, last := time.Duration(0), time.Duration(0)
	for i, pause := range NewWorker(Deps{}, WorkerOptions{}).opts.Hold {
		if total += pause; pause < last && total != time.Hour || pause > 5*time.Minute || i == 0 && pause != 30*time.Second {
			t.Errorf("pause %d is %v", i, pause)
		}
		last = pause
	}
	if total != time.Hour {
		t.Errorf("it waits %v in all", total)
	}
}

// Each look costs events of the journal: a key that stays busy is looked at less and less often.
func TestABusyKeyIsLookedAtLessAndLess(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			turns int
			want  time.Duration
		}{{0, 2 * time.Second}, {1, 4 * time.Second}, {4, 32 * time.Second}, {7, 256 * time.Second}, {8, 5 * time.Minute}, {1000, 5 * time.Minute}} {
			if got := time.Until(soon(&journal.Task{Turns: tt.turns, Claims: 1 + 3*tt.turns}).until); got != tt.want {
				t.Errorf("after %d waits it waits %v, want %v", tt.turns, got, tt.want)
			}
		}
	})
}

// A worker that was stopped while others went on wakes up with a result: it comes too late to be recorded.
func TestALateResultIsNotRecorded(t *testing.T) {
	step := &akitad.Step{ID: "pay", IdempotencyKey: "order-7"}
	of := func(id akitad.TaskID, epoch uint64) *journal.Task {
		return &journal.Task{ID: id, Epoch: epoch, Sub: journal.SubmittedData{Step: step, Folder: "f"}}
	}
	for _, tt := range []struct {
		name  string
		after []*journal.Task // who took the key after the worker
		undo  bool            // the step is undone
		lost  bool
	}{
		{name: "nobody came"},
		{name: "a later claim", after: []*journal.Task{of("t_mine", 9)}, lost: true},
		{name: "the step was undone", undo: true, lost: true},
		{name: "another task", after: []*journal.Task{of("t_theirs", 9)}, lost: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bustest.New(t)
			w := NewWorker(Deps{Bus: b, Journal: journal.New(b, "test")}, WorkerOptions{})
			mine := of("t_mine", 5)
			for _, holder := range append([]*journal.Task{mine}, tt.after...) {
				if out, err := w.recall(t.Context(), holder); err != nil || out.Recorded {
					t.Fatalf("%+v, %v", out, err)
				}
			}
			if tt.undo {
				if err := w.forget(t.Context(), mine); err != nil {
					t.Fatal(err)
				}
			}
			err := w.remember(t.Context(), mine, &agent.Outcome{Result: &akitad.Result{Text: "late"}})
			if errors.Is(err, claim.ErrLost) != tt.lost || !tt.lost && err != nil {
				t.Errorf("recording says %v", err)
			}
			next := of("t_next", 20)
			if len(tt.after) > 0 && tt.lost {
				next = tt.after[0]
			}
			kept, err := w.recall(t.Context(), next)
			if err != nil || kept.Recorded == tt.lost || kept.Recorded && kept.Result.Text != "late" {
				t.Errorf("kept is %+v, %v", kept, err)
			}
		})
	}
}

// A worker whose claim was taken over before it looked begins nothing.
func TestALateWorkerDoesNotBegin(t *testing.T) {
	b := bustest.New(t)
	w := NewWorker(Deps{Bus: b, Journal: journal.New(b, "test")}, WorkerOptions{})
	for _, tt := range []struct {
		epoch uint64
		want  error
	}{{9, nil}, {5, claim.ErrLost}, {9, nil}, {12, nil}} {
		task := &journal.Task{ID: "t_mine", Epoch: tt.epoch, Sub: journal.SubmittedData{Step: &akitad.Step{ID: "pay", IdempotencyKey: "order-7"}}}
		if _, err := w.recall(t.Context(), task); !errors.Is(err, tt.want) {
			t.Errorf("claim %d: %v", tt.epoch, err)
		}
	}
}

// A worker that was stopped, and has read the journal since, knows that its claim is lost. Its result must not be
// recorded under the step's key either: the fold then has the epoch of the other claim.
func TestAWorkerThatKnowsItIsLate(t *testing.T) {
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), ClaimTTL: time.Hour})
	j := journal.New(b, "test")
	w := NewWorker(Deps{Bus: b, Journal: j}, WorkerOptions{})
	id := akitad.DeriveTaskID(t.Name())
	task, _, err := j.Create(t.Context(), id, journal.SubmittedData{
		Root: id, Profile: "assistant", Text: "go", Folder: "f", Step: &akitad.Step{ID: "pay", IdempotencyKey: "order-7"},
	})
	if err != nil {
		t.Fatal(err)
	}
	body := strconv.FormatUint(task.Activation, 10)
	if err := b.PublishWork(t.Context(), "assistant", "normal", string(id), string(id)+"-"+body, []byte(body), ""); err != nil {
		t.Fatal(err)
	}
	q, err := b.OpenWork(t.Context(), "assistant")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	d, err := q.Next(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	served := false
	claim.NewHolder(b, j, claim.Options{Node: "a", Incarnation: "a", Renew: time.Hour}).Serve(t.Context(), d, func(ctx context.Context, c *claim.Claim) error {
		served = true
		if out, err := w.recall(ctx, c.Snapshot()); err != nil || out.Recorded {
			t.Errorf("the first worker: %+v, %v", out, err)
		}
		// It is stopped; another one takes over and begins.
		others := journal.New(b, "other")
		theirs, err := others.Load(ctx, id)
		if err == nil {
			err = others.Append(ctx, theirs, 0, journal.Claimed, journal.ClaimedData{Node: "b", Incarnation: "b", Activation: task.Activation, Nonce: "other"})
		}
		if err != nil {
			t.Error(err)
			return err
		}
		if out, err := w.recall(t.Context(), theirs); err != nil || out.Recorded {
			t.Errorf("the second worker: %+v, %v", out, err)
		}
		// It wakes up, its beat reads the journal, and the call that was in progress has ended well.
		if err := c.Refresh(context.WithoutCancel(ctx)); err != nil || c.Snapshot().Epoch != theirs.Epoch {
			t.Errorf("it reads epoch %d (%v), want %d", c.Snapshot().Epoch, err, theirs.Epoch)
		}
		if _, err := c.Mine(); !errors.Is(err, claim.ErrLost) {
			t.Errorf("the first worker may begin: %v", err)
		}
		out := agent.Outcome{Result: &akitad.Result{Text: "late"}}
		if err := w.finish(ctx, c, nil, &out); !errors.Is(err, claim.ErrLost) {
			t.Errorf("recording the late result says %v", err)
		}
		if kept, err := w.recall(t.Context(), theirs); err != nil || kept.Recorded {
			t.Errorf("under the second worker's key stands %+v, %v", kept.Result, err)
		}
		return claim.ErrLost
	})
	if !served {
		t.Fatal("no claim")
	}
}
