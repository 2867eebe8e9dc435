package claim_test

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

// rig is a bus with a task on it whose work item is in the queue.
type rig struct {
	t    *testing.T
	bus  *bus.Bus
	j    *journal.Journal
	id   akitad.TaskID
	work *bus.Work
}

// patience is how long a test waits for what takes milliseconds. Nothing that it waits for may come by
// the clock alone: claims that are not renewed in time are given an hour, and renewals too.
const patience = time.Minute

func newRig(t *testing.T, ttl time.Duration) *rig {
	t.Helper()
	b := bustest.Open(t, bus.Options{Dir: t.TempDir(), ClaimTTL: ttl})
	r := &rig{t: t, bus: b, j: journal.New(b, "n1"), id: akitad.DeriveTaskID(t.Name())}
	task, _, err := r.j.Create(t.Context(), r.id, journal.SubmittedData{Root: r.id, Profile: "assistant", Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	r.put(task.Activation)
	r.work = r.open()
	return r
}

func (r *rig) open() *bus.Work {
	r.t.Helper()
	w, err := r.bus.OpenWork(r.t.Context(), "assistant")
	if err != nil {
		r.t.Fatal(err)
	}
	r.t.Cleanup(w.Close)
	return w
}

func (r *rig) put(activation uint64) {
	r.t.Helper()
	body := strconv.FormatUint(activation, 10)
	if err := r.bus.PublishWork(r.t.Context(), "assistant", "normal", string(r.id), string(r.id)+"-"+body, []byte(body), ""); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) next(w *bus.Work) *bus.Delivery {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	defer cancel()
	d, err := w.Next(ctx)
	if err != nil {
		r.t.Fatal(err)
	}
	return d
}

// none fails if an item comes within the time.
func (r *rig) none(w *bus.Work, within time.Duration) {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), within)
	defer cancel()
	if d, err := w.Next(ctx); err == nil {
		r.t.Fatalf("an item came: %s, delivery %d", d.Subject(), d.Delivered())
	}
}

func (r *rig) has() bool {
	r.t.Helper()
	has, err := r.bus.HasWork(r.t.Context(), string(r.id))
	if err != nil {
		r.t.Fatal(err)
	}
	return has
}

func (r *rig) load() *journal.Task {
	r.t.Helper()
	task, err := r.j.Load(r.t.Context(), r.id)
	if err != nil {
		r.t.Fatal(err)
	}
	return task
}

// append adds an event as somebody without a claim does.
func (r *rig) append(kind akitad.EventKind, data any) {
	r.t.Helper()
	err := r.j.Decide(r.t.Context(), r.load(), func(*journal.Task) *journal.Decision {
		return &journal.Decision{Kind: kind, Data: data}
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) holder(node string, opts claim.Options) *claim.Holder {
	opts.Node, opts.Incarnation = node, "i-"+node
	return claim.NewHolder(r.bus, r.j, opts)
}

func complete(ctx context.Context, c *claim.Claim) error {
	return c.Append(ctx, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
}

func TestAClaimIsTakenAndTheItemAcknowledged(t *testing.T) {
	r := newRig(t, 0)
	var epoch uint64
	r.holder("a", claim.Options{}).Serve(t.Context(), r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
		if epoch = c.Epoch(); c.ID() != r.id {
			t.Errorf("the claim is of %s", c.ID())
		}
		c.See(func(task *journal.Task) {
			if task.State != akitad.Running || task.Claim.Node != "a" || task.Epoch != epoch {
				t.Errorf("%s, %+v, epoch %d", task.State, task.Claim, task.Epoch)
			}
		})
		return complete(ctx, c)
	})
	got := r.load()
	if got.State != akitad.Completed || got.Claims != 1 || epoch == 0 || r.has() {
		t.Errorf("%s after %d claims, epoch %d, item left: %v", got.State, got.Claims, epoch, r.has())
	}
}

// A claim that is renewed stays; one that is not goes to the next holder, and who lost it writes nothing
// and leaves the item alone.
func TestALostClaimIsNotAcknowledged(t *testing.T) {
	t.Parallel() // it waits for the end of a claim
	const ttl = 2 * time.Second
	r := newRig(t, ttl)
	first, second := make(chan struct{}), make(chan struct{})
	lost := make(chan error, 1)
	item := r.next(r.work)
	go func() {
		defer close(first)
		r.holder("a", claim.Options{Renew: time.Hour}).Serve(t.Context(), item, func(ctx context.Context, c *claim.Claim) error {
			<-ctx.Done()
			lost <- errors.Join(context.Cause(ctx), c.Append(context.WithoutCancel(ctx), journal.Failed, journal.EndData{}))
			return errors.New("something else went wrong") // the verdict of the journal counts, not this
		})
	}()
	other := r.open()
	d := r.next(other) // once the ttl is over
	go func() {
		defer close(second)
		r.holder("b", claim.Options{Renew: ttl / 10}).Serve(t.Context(), d, func(ctx context.Context, c *claim.Claim) error {
			<-first
			if !r.has() {
				t.Error("the loser has acknowledged the winner's item")
			}
			r.none(r.work, 3*ttl/2) // it is renewed, and the loser has not given it back (which would take a second)
			return complete(ctx, c)
		})
	}()
	<-second
	if err := <-lost; !errors.Is(err, claim.ErrLost) {
		t.Errorf("the loser was told %v", err)
	}
	if got := r.load(); got.State != akitad.Completed || got.Claim.Node != "b" || got.Claims != 2 || got.Voided != 0 || r.has() {
		t.Errorf("%s by %s after %d claims, %d void, item left: %v", got.State, got.Claim.Node, got.Claims, got.Voided, r.has())
	}
}

// The item comes again to the holder that works on it, as it does when the clock is set forward or the machine
// slept: its work goes on under its claim, and ends the item.
func TestAnItemThatComesAgainWhileItIsInHand(t *testing.T) {
	t.Parallel() // it waits for the end of a loan
	r := newRig(t, 2*time.Second)
	h := r.holder("a", claim.Options{Renew: time.Hour})
	h.Serve(t.Context(), r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
		again := r.open()
		for range 2 {
			h.Serve(t.Context(), r.next(again), func(context.Context, *claim.Claim) error {
				t.Error("it was claimed again")
				return nil
			})
		}
		return complete(ctx, c)
	})
	if got := r.load(); got.State != akitad.Completed || got.Claims != 1 || r.has() {
		t.Errorf("%s after %d claims, item left: %v", got.State, got.Claims, r.has())
	}
}

// late gives a journal whose first append finds that somebody else has claimed the task in between.
func (r *rig) late(claimed journal.ClaimedData) *journal.Journal {
	j, first := journal.New(r.bus, "late"), true
	j.Around = func(akitad.Event, bool) {
		if first {
			first = false
			claimed.Activation = r.load().Activation
			r.append(journal.Claimed, claimed)
		}
	}
	return j
}

// Two have the same item, one of them late, since its loan has ended: whoever claims second, seeing the
// task as it was before, leaves it to the first.
func TestALateClaimTakesNothing(t *testing.T) {
	r := newRig(t, 0)
	item := r.next(r.work)
	late := r.late(journal.ClaimedData{Node: "b"})
	claim.NewHolder(r.bus, late, claim.Options{Node: "a"}).Serve(t.Context(), item, func(context.Context, *claim.Claim) error {
		t.Error("it took the task from who was at work")
		return nil
	})
	if got := r.load(); got.Claim.Node != "b" || got.Claims != 1 || !r.has() {
		t.Errorf("claimed by %s, %d claims, item left: %v", got.Claim.Node, got.Claims, r.has())
	}
}

// A claim that is seen late is no reason to leave an item if whoever holds it has ended: this node's run before.
func TestAClaimOfTheRunBefore(t *testing.T) {
	r := newRig(t, 0)
	item := r.next(r.work)
	late := r.late(journal.ClaimedData{Node: "a", Incarnation: "before"})
	began := false
	claim.NewHolder(r.bus, late, claim.Options{Node: "a", Incarnation: "now"}).Serve(t.Context(), item, func(ctx context.Context, c *claim.Claim) error {
		began = true
		return c.Append(ctx, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "done"}})
	})
	if got := r.load(); !began || got.State != akitad.Completed || got.Claims != 2 || r.has() {
		t.Errorf("%v, %s after %d claims, item left: %v", began, got.State, got.Claims, r.has())
	}
}

func TestCancelReachesTheWork(t *testing.T) {
	for _, when := range []string{"while it runs", "before it was claimed"} {
		t.Run(when, func(t *testing.T) {
			r := newRig(t, 0)
			if when == "before it was claimed" {
				r.append(journal.CancelAsk, journal.AskData{})
			}
			soon, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			r.holder("a", claim.Options{Renew: time.Hour}).Serve(soon, r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
				if when == "while it runs" {
					r.append(journal.CancelAsk, journal.AskData{})
				}
				<-ctx.Done()
				if cause := context.Cause(ctx); !errors.Is(cause, claim.ErrCancelAsked) {
					t.Errorf("the work ends by %v", cause)
				}
				return c.Append(context.WithoutCancel(ctx), journal.Cancelled, journal.EndData{})
			})
			if got := r.load(); got.State != akitad.WasCancelled || r.has() {
				t.Errorf("%s, item left: %v", got.State, r.has())
			}
		})
	}
}

// A process that stops gives the task back at once, and another one takes it up.
func TestShutdownGivesBackAtOnce(t *testing.T) {
	r := newRig(t, 0)
	r.holder("a", claim.Options{}).Serve(t.Context(), r.next(r.work), func(context.Context, *claim.Claim) error { return claim.ErrShutdown })
	r.holder("b", claim.Options{}).Serve(t.Context(), r.next(r.work), complete)
	if got := r.load(); got.State != akitad.Completed || got.Claims != 2 {
		t.Errorf("%s after %d claims", got.State, got.Claims)
	}
}

// Work that fails for a passing reason comes again.
func TestAFailureComesAgain(t *testing.T) {
	r := newRig(t, 0)
	r.holder("a", claim.Options{}).Serve(t.Context(), r.next(r.work), func(context.Context, *claim.Claim) error { return errors.New("no disk") })
	d := r.next(r.work)
	if d.Delivered() != 2 {
		t.Errorf("delivery %d", d.Delivered())
	}
	r.holder("a", claim.Options{}).Serve(t.Context(), d, complete)
	if got := r.load(); got.State != akitad.Completed {
		t.Error(got.State)
	}
}

// Work that panics ends neither the process nor, at first, the task; one that does so each time ends the task.
func TestAPanicEndsTheTaskAtLast(t *testing.T) {
	for _, mends := range []bool{true, false} {
		r := newRig(t, 0)
		h, tries := r.holder("a", claim.Options{}), 0
		work := func(ctx context.Context, c *claim.Claim) error {
			if tries++; tries < 3 || !mends {
				panic("a fault")
			}
			return complete(ctx, c)
		}
		for range 3 {
			h.Serve(t.Context(), r.next(r.work), work)
		}
		want := map[bool]akitad.State{true: akitad.Completed, false: akitad.Failed}[mends]
		if got := r.load(); got.State != want || got.Claims != 3 || r.has() {
			t.Errorf("it mends: %v; %s after %d claims, item left: %v", mends, got.State, got.Claims, r.has())
		}
	}
}

// A task that was interrupted too long ago is not resumed.
func TestAnOldTaskExpires(t *testing.T) {
	r := newRig(t, 0)
	r.holder("a", claim.Options{}).Serve(t.Context(), r.next(r.work), func(context.Context, *claim.Claim) error { return claim.ErrShutdown })
	r.holder("a", claim.Options{Expire: time.Nanosecond}).Serve(t.Context(), r.next(r.work), func(context.Context, *claim.Claim) error {
		t.Error("it was resumed")
		return nil
	})
	if got := r.load(); got.State != akitad.Failed || got.Error.Kind != akitad.Expired || got.Claims != 1 || r.has() {
		t.Errorf("%s %+v after %d claims, item left: %v", got.State, got.Error, got.Claims, r.has())
	}
}

// One that nobody has begun was not interrupted: it only waited, such as for a paused profile.
func TestATaskThatWaitedDoesNotExpire(t *testing.T) {
	r := newRig(t, 0)
	r.holder("a", claim.Options{Expire: time.Nanosecond}).Serve(t.Context(), r.next(r.work), complete)
	if got := r.load(); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// An item that is ahead of what can be read comes again; one that is behind, or of a task that has ended,
// is acknowledged. Neither is worked on.
func TestItemsThatDoNotMatchTheJournal(t *testing.T) {
	never := func(context.Context, *claim.Claim) error { t.Error("it was worked on"); return nil }
	t.Run("ahead", func(t *testing.T) {
		r := newRig(t, 0)
		h := r.holder("a", claim.Options{})
		h.Serve(t.Context(), r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
			return c.Append(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonRetry})
		})
		r.put(r.load().Seq + 1)
		h.Serve(t.Context(), r.next(r.work), never)
		if !r.has() {
			t.Fatal("the item is gone")
		}
		r.append(journal.Woken, journal.WokenData{})
		h.Serve(t.Context(), r.next(r.work), complete)
		if got := r.load(); got.State != akitad.Completed {
			t.Error(got.State)
		}
	})
	for name, before := range map[string]func(*rig){
		"behind":  func(r *rig) { r.append(journal.Woken, journal.WokenData{}) },
		"waiting": func(r *rig) { r.append(journal.Paused, journal.AskData{}) },
		"ended":   func(r *rig) { r.append(journal.Cancelled, journal.EndData{}) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, 0)
			before(r)
			r.holder("a", claim.Options{}).Serve(t.Context(), r.next(r.work), never)
			if got := r.load(); r.has() || got.Claims != 0 {
				t.Errorf("item left: %v, %d claims", r.has(), got.Claims)
			}
		})
	}
}

// What others append under a claim does not stop it, but an append that depends on the fold decides anew.
func TestOthersMayAppendUnderAClaim(t *testing.T) {
	r := newRig(t, 0)
	r.holder("a", claim.Options{Renew: time.Hour}).Serve(t.Context(), r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
		before := c.Snapshot()
		r.append(journal.Steered, journal.SteeredData{Text: "shorter"})
		if err := c.Append(ctx, journal.Compiled, journal.CompiledData{}); err != nil {
			t.Error(err)
		}
		if len(before.Steers) != 0 {
			t.Error("a snapshot has changed")
		}
		r.append(journal.Steered, journal.SteeredData{Text: "and shorter"})
		err := c.AppendIf(ctx, journal.Completed, journal.EndData{}, func(task *journal.Task) bool { return len(task.Steers) == 1 })
		if !errors.Is(err, claim.ErrMoot) {
			t.Errorf("an append that is moot gives %v", err)
		}
		return complete(ctx, c)
	})
	if got := r.load(); got.State != akitad.Completed || len(got.Steers) != 2 || got.Compiled == nil || got.Voided != 0 {
		t.Errorf("%s, %d steers, %d void", got.State, len(got.Steers), got.Voided)
	}
}
