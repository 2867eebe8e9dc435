package orchestrator_test

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/orchestrator"
)

// endsBefore has a task end in the moment between somebody's look at it and their append of that kind.
func (w *overheard) endsBefore(kind akitad.EventKind, id akitad.TaskID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.do = func(e akitad.Event, stored bool) {
		if e.Task != id || e.Kind != kind || stored {
			return
		}
		w.mu.Lock()
		w.do = nil
		w.mu.Unlock()
		if err := w.Orchestrator.Cancel(context.Background(), id, "it was faster"); err != nil {
			w.t.Error(err)
		}
	}
}

// rests reports whether all is done for a task that can be done without a worker.
func rests(t *journal.Task) bool { return t.State == akitad.Pending && t.Handed }

// What is said to a task that ends between the look at it and the append is not taken: whoever says it is told.
func TestTheEndIsFaster(t *testing.T) {
	for name, tt := range map[string]struct {
		text  string
		parts app.Parts
		kind  akitad.EventKind
		say   func(w *overheard, task *journal.Task) error
	}{
		"steer": {"rest", app.Parts{Orchestrate: true}, journal.Steered, func(w *overheard, task *journal.Task) error {
			return w.Orchestrator.Steer(t.Context(), task.ID, "only Tuesdays")
		}},
		"pause": {"rest", app.Parts{Orchestrate: true}, journal.Paused, func(w *overheard, task *journal.Task) error {
			return w.Orchestrator.Pause(t.Context(), task.ID)
		}},
		"resume": {"rest", app.Parts{Orchestrate: true}, journal.Resumed, func(w *overheard, task *journal.Task) error {
			w.append(task.ID, journal.Paused, journal.AskData{})
			return w.Orchestrator.Resume(t.Context(), task.ID)
		}},
		"steer that answers": {"ask me", whole, journal.Answered, func(w *overheard, task *journal.Task) error {
			return w.Orchestrator.Steer(t.Context(), task.ID, "red")
		}},
		"settle": {"ask me", whole, journal.Answered, func(w *overheard, task *journal.Task) error {
			return w.Orchestrator.Settle(t.Context(), orchestrator.Questions(task)[0], "red", "m1")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := startOverheard(t, appendingModel(t), tt.parts)
			id := w.say(1, tt.text, nil)
			ready := rests
			if tt.parts.Work {
				ready = asking
			}
			task := w.until(id, ready)
			w.endsBefore(tt.kind, id)
			if err := tt.say(w, task); !isConflict(err) {
				t.Errorf("%v", err)
			}
			if n := w.events(id, tt.kind); n > 0 || w.load(id).State != akitad.WasCancelled {
				t.Errorf("%d are on record, and it is %s", n, w.load(id).State)
			}
		})
	}
}

// An agent that was about to take over from another is told that the task has ended.
func TestTheEndIsFasterThanAFailover(t *testing.T) {
	w := startOverheard(t, appendingModel(t), whole)
	id := w.say(1, "ask me", func(m *akitad.Message) { m.Profile = "researcher" })
	w.until(id, asking)
	w.endsBefore(journal.Woken, id)
	err := w.Orchestrator.Failover(t.Context(), id)
	for began := time.Now(); !w.load(id).Final() && time.Since(began) < patience; time.Sleep(10 * time.Millisecond) {
		err = w.Orchestrator.Failover(t.Context(), id) // no worker had the next agent yet
	}
	if got := w.load(id); !isConflict(err) || got.State != akitad.WasCancelled || got.Profile != "researcher" {
		t.Errorf("%v: %s by %s", err, got.State, got.Profile)
	}
}

// A message that was about to correct a task, and finds it ended, becomes a task of its own.
func TestWhatComesTooLateIsATask(t *testing.T) {
	w := startOverheard(t, appendingModel(t), app.Parts{Orchestrate: true})
	first := w.say(1, "do it", nil)
	w.until(first, rests)
	w.endsBefore(journal.Steered, first)
	second := w.say(2, "only Tuesdays", nil)
	if got := w.load(second); !got.Exists() || got.Sub.Text != "only Tuesdays" || len(w.load(first).Steers) > 0 {
		t.Errorf("%+v", got)
	}
}
