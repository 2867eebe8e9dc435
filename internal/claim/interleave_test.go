package claim_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
)

// step is what a worker is told to do next; a verdict ends it.
type step func(ctx context.Context, c *claim.Claim) (verdict error, over bool)

// hand is a worker that does one step at a time, as it is told.
type hand struct {
	steps chan step
	did   chan outcome // of each step
	gone  chan struct{}
}

// outcome is what came of a step.
type outcome struct {
	verdict error
	over    bool // the worker has ended by it
}

// stage is one task, what may happen to it, and the workers that have, or had, its claim.
type stage struct {
	*rapid.T
	ctx    context.Context
	j      *journal.Journal
	bus    *bus.Bus
	work   *bus.Work
	id     akitad.TaskID
	hands  []*hand
	calls  int
	items  int
	steers int
}

func (s *stage) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *stage) load() *journal.Task {
	s.Helper()
	t, err := s.j.Load(s.ctx, s.id)
	s.must(err)
	return t
}

// deliver hands the task's item to one more worker. Whoever had the claim does not know: it was not
// heard of for too long, or stands still.
func (s *stage) deliver(activation uint64) *hand {
	s.Helper()
	s.items++
	body := strconv.FormatUint(activation, 10)
	s.must(s.bus.PublishWork(s.ctx, "assistant", "normal", string(s.id), fmt.Sprint(s.id, "-", s.items), []byte(body), ""))
	var d *bus.Delivery
	for d == nil || claim.ItemTask(d) != s.id { // those that others left behind are not wanted any more
		if d != nil {
			s.must(d.Ack(s.ctx))
		}
		var err error
		d, err = s.work.Next(s.ctx)
		s.must(err)
	}
	h := &hand{steps: make(chan step), did: make(chan outcome, 1), gone: make(chan struct{})}
	has := make(chan struct{})
	name := fmt.Sprint("n", len(s.hands))
	holder := claim.NewHolder(s.bus, s.j, claim.Options{Node: name, Incarnation: name, Renew: time.Hour})
	go func() {
		defer close(h.gone)
		holder.Serve(s.ctx, d, func(ctx context.Context, c *claim.Claim) error {
			close(has)
			return h.obey(ctx, c)
		})
	}()
	select {
	case <-has:
		s.hands = append(s.hands, h)
		return h
	case <-h.gone:
		return nil
	}
}

// obey does what it is told until that ends it, or nothing more comes: then it has crashed. Its item would
// come again, which is the test's to do.
func (h *hand) obey(ctx context.Context, c *claim.Claim) error {
	for do := range h.steps {
		verdict, over := do(context.WithoutCancel(ctx), c)
		h.did <- outcome{verdict, over}
		if over {
			return verdict
		}
	}
	return nil
}

// tell lets a worker do a step; a worker that has ended does nothing.
func (s *stage) tell(h *hand, do step) (err error, did bool) {
	if h.ended() {
		return nil, false
	}
	h.steps <- do
	done := <-h.did
	if done.over {
		<-h.gone
	}
	return done.verdict, true
}

// ended reports whether the worker obeys no more. It obeys until a step is over or it crashes, both of
// which are known by the time that it is told anything else.
func (h *hand) ended() bool {
	select {
	case <-h.gone:
		return true
	default:
		return false
	}
}

func (h *hand) crash() {
	if !h.ended() {
		close(h.steps)
		<-h.gone
	}
}

// advance is what a worker does with a task, one append at a time, as pool workers do.
func (s *stage) advance(ctx context.Context, c *claim.Claim) (error, bool) {
	t := c.Snapshot()
	n, steers := len(t.Rounds), len(t.Steers)
	going := func(t *journal.Task) bool { return !t.AskedCancel }
	switch {
	case t.AskedCancel:
		return c.Append(ctx, journal.Cancelled, journal.EndData{}), true
	case n > 0 && !t.Rounds[n-1].Done:
		id := t.Rounds[n-1].Thought.Calls[0].ID
		open := journal.OpenCall{ID: id, Tool: "ask_user", Kind: "answer"}
		return s.verdict(c.Append(ctx, journal.Round, journal.RoundData{Round: n, Results: []akitad.Observation{{Call: id}}, Open: []journal.OpenCall{open}}), false)
	case len(t.Open) > 0:
		return s.verdict(c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonAnswer}, func(t *journal.Task) bool {
			return going(t) && len(t.Open) > 0
		}), true)
	case t.IsPaused:
		return s.verdict(c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonPaused}, func(t *journal.Task) bool {
			return going(t) && t.IsPaused
		}), true)
	case n >= s.calls:
		return s.verdict(c.AppendIf(ctx, journal.Completed, journal.EndData{Result: &akitad.Result{Text: fmt.Sprint(c.Epoch())}}, func(t *journal.Task) bool {
			return going(t) && len(t.Steers) == steers
		}), true)
	}
	return s.verdict(c.Append(ctx, journal.Thought, journal.ThoughtData{Round: n + 1, Calls: []akitad.Call{{ID: fmt.Sprint("c", n), Tool: "ask_user"}}}), false)
}

// verdict makes of an append's error what a worker makes of it: a lost claim ends it, what has become
// moot is decided again.
func (s *stage) verdict(err error, over bool) (error, bool) {
	switch {
	case errors.Is(err, claim.ErrMoot):
		return nil, false
	case err != nil:
		return err, true
	}
	return nil, over
}

// others append without a claim, whenever they like.
func (s *stage) others(what string) {
	s.Helper()
	decide := func(kind akitad.EventKind, data any, wanted func(*journal.Task) bool) {
		s.must(s.j.Decide(s.ctx, s.load(), func(t *journal.Task) *journal.Decision {
			if t.Final() || !wanted(t) {
				return nil
			}
			return &journal.Decision{Kind: kind, Data: data}
		}))
	}
	always := func(*journal.Task) bool { return true }
	switch what {
	case "cancel":
		decide(journal.CancelAsk, journal.AskData{}, always)
	case "pause":
		decide(journal.Paused, journal.AskData{}, func(t *journal.Task) bool { return !t.IsPaused })
	case "resume":
		decide(journal.Resumed, journal.AskData{}, func(t *journal.Task) bool { return t.IsPaused })
	case "steer":
		if !s.load().Final() {
			s.steers++
		}
		decide(journal.Steered, journal.SteeredData{Text: "x"}, always)
	case "answer":
		if open := s.load().Open; len(open) > 0 {
			decide(journal.Answered, journal.AnsweredData{Call: open[0].ID}, always)
		}
	case "sweep":
		decide(journal.Woken, journal.WokenData{Reason: "sweep"}, func(t *journal.Task) bool { return t.State == akitad.Running })
	}
}

// finish lets everything that is due happen: no task is left that could go on.
func (s *stage) finish() *journal.Task {
	s.Helper()
	for range 100 {
		t := s.load()
		switch {
		case t.Final():
			return t
		case t.IsPaused:
			s.others("resume")
		case t.State == akitad.Waiting && t.AskedCancel: // dispatch ends what sleeps
			s.must(s.j.Decide(s.ctx, t, func(t *journal.Task) *journal.Decision {
				if t.Final() {
					return nil
				}
				return &journal.Decision{Kind: journal.Cancelled, Data: journal.EndData{}}
			}))
		case t.State == akitad.Waiting:
			if len(t.Open) == 0 {
				s.Fatalf("it waits (%s) for nothing", t.Reason)
			}
			s.others("answer")
		default:
			if h := s.deliver(t.Activation); h != nil {
				for did := true; did; _, did = s.tell(h, s.advance) {
				}
			}
		}
	}
	s.Fatal("it never ends")
	return nil
}

// Whatever comes in whatever order, steps of workers, crashes, takeovers by others while the first goes on,
// cancels, answers, pauses, corrections: the task ends exactly once, by the work or by the cancel, nothing
// that a person said is lost, and no worker whose claim is gone writes anything.
func TestAnyInterleavingSettlesOnce(t *testing.T) {
	b := bustest.New(t)
	work, err := b.OpenWork(t.Context(), "assistant")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(work.Close)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		s := &stage{T: rt, ctx: ctx, j: journal.New(b, "test"), bus: b, work: work, id: akitad.DeriveTaskID(t.Name(), fmt.Sprint(n)), calls: rapid.IntRange(0, 3).Draw(rt, "calls")}
		defer func() {
			for _, h := range s.hands {
				h.crash()
			}
			s.must(b.DropWork(ctx, string(s.id)))
		}()
		_, _, err := s.j.Create(ctx, s.id, journal.SubmittedData{Root: s.id, Profile: "assistant", Text: "go"})
		s.must(err)
		for range rapid.IntRange(0, 25).Draw(rt, "steps") {
			s.happen(rapid.SampledFrom([]string{"deliver", "deliver", "step", "step", "step", "step", "crash", "old", "cancel", "pause", "resume", "steer", "answer", "sweep"}).Draw(rt, "what"))
		}
		end := s.finish()
		seq := end.Seq
		for _, h := range s.hands { // who still believes in its claim
			if err, did := s.tell(h, func(ctx context.Context, c *claim.Claim) (error, bool) {
				return c.Append(ctx, journal.Completed, journal.EndData{}), false
			}); did && !errors.Is(err, claim.ErrLost) {
				rt.Fatalf("a worker without a claim is told %v", err)
			}
		}
		s.judge(end, seq)
	})
}

func (s *stage) happen(what string) {
	s.Helper()
	switch t := s.load(); what {
	case "deliver":
		if t.State == akitad.Pending || t.State == akitad.Running {
			s.deliver(t.Activation)
		}
	case "old":
		if t.Activation > 1 {
			s.deliver(t.Activation - 1)
		}
	case "step", "crash":
		if len(s.hands) == 0 {
			return
		}
		h := s.hands[rapid.IntRange(0, len(s.hands)-1).Draw(s.T, "hand")]
		if what == "crash" {
			h.crash()
			return
		}
		s.tell(h, s.advance)
	default:
		s.others(what)
	}
}

func (s *stage) judge(end *journal.Task, seq uint64) {
	s.Helper()
	fresh, ends := journal.NewTask(s.id), 0
	s.must(s.j.Events(s.ctx, s.id, 0, func(e akitad.Event) error {
		if e.Kind == journal.Completed || e.Kind == journal.Failed || e.Kind == journal.Cancelled {
			ends++
		}
		return fresh.Apply(e)
	}))
	switch {
	case ends != 1, fresh.Seq != seq, fresh.State != end.State:
		s.Fatalf("%d ends, %s and %s, at %d and %d", ends, fresh.State, end.State, fresh.Seq, seq)
	case fresh.Voided != 0:
		s.Fatalf("%d void events", fresh.Voided)
	case len(fresh.Steers) != s.steers:
		s.Fatalf("%d corrections of %d", len(fresh.Steers), s.steers)
	case fresh.State == akitad.Completed && (fresh.AskedCancel || len(fresh.Rounds) != s.calls):
		s.Fatalf("completed after %d rounds of %d, cancel asked: %v", len(fresh.Rounds), s.calls, fresh.AskedCancel)
	case fresh.State == akitad.WasCancelled && !fresh.AskedCancel:
		s.Fatal("cancelled, and nobody asked")
	}
}

// A worker writes as fast as it can while others cancel, correct and answer: all that they say is in the
// journal, in their order, and all that it wrote.
func TestNothingIsLostWhileAWorkerWrites(t *testing.T) {
	r := newRig(t, 0)
	const words, children = 40, 120
	calls := make([]journal.OpenCall, words)
	for i := range calls {
		calls[i] = journal.OpenCall{ID: fmt.Sprint("q", i), Tool: "ask_user", Kind: "answer"}
	}
	r.holder("a", claim.Options{Renew: 5 * time.Millisecond}).Serve(t.Context(), r.next(r.work), func(ctx context.Context, c *claim.Claim) error {
		ctx = context.WithoutCancel(ctx)
		if err := c.Append(ctx, journal.Round, journal.RoundData{Open: calls}); err != nil {
			return err
		}
		var people sync.WaitGroup
		for kind, data := range map[akitad.EventKind]func(i int) any{
			journal.Steered:   func(i int) any { return journal.SteeredData{Text: fmt.Sprint(i)} },
			journal.CancelAsk: func(i int) any { return journal.AskData{Reason: fmt.Sprint(i)} },
			journal.Answered:  func(i int) any { return journal.AnsweredData{Call: fmt.Sprint("q", i)} },
		} {
			people.Go(func() {
				for i := range words {
					r.append(kind, data(i))
				}
			})
		}
		for i := range children {
			child := journal.ChildRef{ID: akitad.DeriveTaskID("child", fmt.Sprint(i))}
			if err := c.Append(ctx, journal.Delegated, journal.DelegatedData{Children: []journal.ChildRef{child}}); err != nil {
				t.Error(err)
			}
		}
		people.Wait()
		return c.Append(ctx, journal.Cancelled, journal.EndData{})
	})
	got := r.load()
	if got.State != akitad.WasCancelled || !got.AskedCancel || len(got.Steers) != words || len(got.Open) != 0 || len(got.Children) != children || got.Voided != 0 {
		t.Errorf("%s, cancel %v, %d corrections, %d calls open, %d children, %d void", got.State, got.AskedCancel, len(got.Steers), len(got.Open), len(got.Children), got.Voided)
	}
	for i, s := range got.Steers {
		if s.Text != fmt.Sprint(i) {
			t.Errorf("correction %d is %s", i, s.Text)
		}
	}
}
