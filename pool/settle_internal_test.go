package pool

import (
	"context"
	"errors"
	"strconv"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"go.uber.org/zap"
)

// An event that comes between an activation's last look and the append that ends it decides: a resume
// means go on, a correction means go on, a cancel ends the task. None of them leaves it asleep for ever.
func TestWhatComesAtTheLastMoment(t *testing.T) {
	open := journal.RoundData{Open: []journal.OpenCall{{ID: "q", Kind: "answer"}}}
	done := agent.Outcome{Result: &akitad.Result{Text: "done"}}
	for _, tt := range []struct {
		name   string
		before func(*last)
		out    agent.Outcome
		err    error
		moment []akitad.EventKind
		state  akitad.State
		reason string
		goOn   bool
		stop   bool // the process is stopping by then
	}{
		{name: "paused", before: (*last).pause, out: agent.Outcome{Paused: true}, state: akitad.Waiting, reason: akitad.ReasonPaused},
		{name: "paused, then resumed", before: (*last).pause, out: agent.Outcome{Paused: true}, moment: []akitad.EventKind{journal.Resumed}, state: akitad.Running, goOn: true},
		{name: "paused, then cancelled", before: (*last).pause, out: agent.Outcome{Paused: true}, moment: []akitad.EventKind{journal.CancelAsk}, state: akitad.WasCancelled},
		{name: "waits", before: func(l *last) { l.add(journal.Round, open) }, out: agent.Outcome{Waits: true}, state: akitad.Waiting, reason: akitad.ReasonAnswer},
		{name: "waits, then cancelled", before: func(l *last) { l.add(journal.Round, open) }, out: agent.Outcome{Waits: true}, moment: []akitad.EventKind{journal.CancelAsk}, state: akitad.WasCancelled},
		{name: "waits, then answered", before: func(l *last) { l.add(journal.Round, open) }, out: agent.Outcome{Waits: true}, moment: []akitad.EventKind{journal.Answered}, state: akitad.Running, goOn: true},
		{name: "done", out: done, state: akitad.Completed},
		{name: "done, then corrected", out: done, moment: []akitad.EventKind{journal.Steered}, state: akitad.Running, goOn: true},
		{name: "done, then cancelled", out: done, moment: []akitad.EventKind{journal.CancelAsk}, state: akitad.WasCancelled},
		{name: "failed", err: akitad.Errorf(akitad.ToolFailed, "no"), state: akitad.Failed},
		{name: "failed, then cancelled", err: akitad.Errorf(akitad.ToolFailed, "no"), moment: []akitad.EventKind{journal.CancelAsk}, state: akitad.WasCancelled},
		{name: "not stored", err: agent.ErrStore, state: akitad.Running},
		{name: "done as the process stops", out: done, stop: true, state: akitad.Completed},
		{name: "waits as the process stops", before: func(l *last) { l.add(journal.Round, open) }, out: agent.Outcome{Waits: true}, stop: true, state: akitad.Waiting, reason: akitad.ReasonAnswer},
		{name: "paused as the process stops", before: (*last).pause, out: agent.Outcome{Paused: true}, stop: true, state: akitad.Waiting, reason: akitad.ReasonPaused},
		{name: "cut off as the process stops", err: akitad.Errorf(akitad.ToolFailed, "no"), stop: true, state: akitad.Running},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLast(t)
			l.serve(func(ctx context.Context, c *claim.Claim) error {
				if tt.before != nil {
					tt.before(l)
				}
				if err := c.Refresh(ctx); err != nil {
					t.Fatal(err)
				}
				for _, kind := range tt.moment {
					l.add(kind, map[string]string{"call": "q", "text": "x"})
				}
				ctx, stop := context.WithCancelCause(ctx)
				defer stop(nil)
				if tt.stop {
					stop(claim.ErrShutdown)
				}
				got := l.w.settle(ctx, c, &Instance{ID: "i"}, tt.out, tt.err)
				if errors.Is(got, errGoOn) != tt.goOn || errors.Is(got, agent.ErrStore) != errors.Is(tt.err, agent.ErrStore) {
					t.Errorf("settle gives %v", got)
				}
				failed := 0
				for _, s := range l.w.Pool.Stats() {
					failed += s.Failed
				}
				if want := tt.state == akitad.Failed; (failed == 1) != want {
					t.Errorf("%d failures are counted", failed)
				}
				if now := l.load(); now.State != tt.state || now.Reason != tt.reason {
					t.Errorf("%s (%s), want %s (%s)", now.State, now.Reason, tt.state, tt.reason)
				}
				return got
			})
		})
	}
}

// last is a claimed task, and somebody who appends to it without a claim.
type last struct {
	t  *testing.T
	w  *Worker
	id akitad.TaskID
}

func newLast(t *testing.T) *last {
	b := bustest.New(t)
	j := journal.New(b, "n")
	profiles, err := LoadProfiles("")
	if err != nil {
		t.Fatal(err)
	}
	w := NewWorker(Deps{
		Bus: b, Journal: j, Profiles: profiles, Pool: New(profiles, nil, Options{}), Log: zap.NewNop(),
		Holder: claim.NewHolder(b, j, claim.Options{Node: "n", Incarnation: "i"}),
	}, WorkerOptions{})
	return &last{t: t, w: w, id: akitad.DeriveTaskID(t.Name())}
}

func (l *last) serve(work claim.Work) {
	ctx := l.t.Context()
	task, _, err := l.w.Journal.Create(ctx, l.id, journal.SubmittedData{Root: l.id, Profile: "assistant", Text: "go"})
	if err != nil {
		l.t.Fatal(err)
	}
	body := strconv.FormatUint(task.Activation, 10)
	if err := l.w.Bus.PublishWork(ctx, "assistant", "normal", string(l.id), body, []byte(body), ""); err != nil {
		l.t.Fatal(err)
	}
	queue, err := l.w.Bus.OpenWork(ctx, "assistant")
	if err != nil {
		l.t.Fatal(err)
	}
	defer queue.Close()
	d, err := queue.Next(ctx)
	if err != nil {
		l.t.Fatal(err)
	}
	l.w.Holder.Serve(ctx, d, work)
}

func (l *last) pause() { l.add(journal.Paused, journal.AskData{}) }

func (l *last) add(kind akitad.EventKind, data any) {
	l.t.Helper()
	for {
		err := l.w.Journal.Append(l.t.Context(), l.load(), 0, kind, data)
		if !errors.Is(err, journal.ErrConflict) {
			if err != nil {
				l.t.Fatal(err)
			}
			return
		}
	}
}

func (l *last) load() *journal.Task {
	l.t.Helper()
	task, err := l.w.Journal.Load(l.t.Context(), l.id)
	if err != nil {
		l.t.Fatal(err)
	}
	return task
}
