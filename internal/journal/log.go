package journal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// maxInline is the largest payload that an event carries itself. The fence makes the server read a
// task's last message, body and all, so a large event would be paid for twice.
const maxInline = 16 << 10

// ErrConflict says that somebody else appended first. The fold has been refreshed: decide again.
var ErrConflict = bus.ErrConflict

// ErrBehind says that what could be read is older than the event that the reader was told of.
var ErrBehind = errors.New("the journal read is older than the event")

// Journal appends to and loads from the journals of all tasks.
type Journal struct {
	// Around, if it is set before anything is appended, is told of each event before it is stored, and again
	// as soon as it is: the two moments at which a crash matters.
	Around func(e akitad.Event, stored bool)

	bus   *bus.Bus
	by    string
	kept  kept
	began time.Time
	clock func() (wall time.Time, ran time.Duration) // ran: the time that passed, whatever the clock was set to
}

// New gives a journal on b whose events are signed by the node's name.
func New(b *bus.Bus, node string) *Journal {
	began := time.Now()
	return &Journal{bus: b, by: node, began: began, clock: func() (time.Time, time.Duration) {
		now := time.Now()
		return now.UTC(), now.Sub(began)
	}}
}

// Load folds a task's whole journal. A task that does not exist gives a fold whose Exists is false.
// What this process has seen of the task within the last minute is not read again. The fold is the
// caller's to Refresh and Append to; what its slices and pointers lead to may be shared and must not
// be changed.
func (j *Journal) Load(ctx context.Context, id akitad.TaskID) (*Task, error) {
	t := j.kept.get(id, time.Now())
	if t == nil {
		t = NewTask(id)
	}
	had := t.Seq
	err := j.Refresh(ctx, t)
	if err == nil && t.Seq > had {
		j.kept.put(t, time.Now())
	}
	return t, err
}

// LoadAt is Load for those who were told of the event with sequence seq: what this process has seen is taken
// as it is if it holds that event, without asking whether there is more. What came later is told of in
// its turn, or an append shows it. A replica that does not have the event yet gives ErrBehind, and what it has.
func (j *Journal) LoadAt(ctx context.Context, id akitad.TaskID, seq uint64) (*Task, error) {
	if t := j.kept.get(id, time.Now()); t != nil && t.Seq >= seq {
		return t, nil
	}
	t, err := j.Load(ctx, id)
	if err == nil && t.Seq < seq {
		err = fmt.Errorf("journal of %s up to %d, the event is %d: %w", id, t.Seq, seq, ErrBehind)
	}
	return t, err
}

// toldFor is how long an event counts as the newest: a machine that slept is handed old ones when it wakes, and after
// a start by a clock that was set back they are of a time to come.
const toldFor = 10 * time.Second

// LoadTold is LoadAt for those who were handed the event itself: if it follows what this process has seen, it is
// folded as it stands, and nobody is asked. The append of an event and what it sets going run side by side, so this
// is often a moment before the fold of the one who appended is kept. An event that comes again, or is older than
// this process or than toldFor, may have been acted upon already, and what came of it stands behind it, or the task was
// purged: then the journal is read.
func (j *Journal) LoadTold(ctx context.Context, id akitad.TaskID, told *bus.Delivery) (*Task, error) {
	t := j.kept.get(id, time.Now())
	if t != nil && t.Seq >= told.Seq() {
		return t, nil
	}
	e, err := j.decode(ctx, id, bus.Stored{Seq: told.Seq(), Body: told.Body()})
	if t == nil {
		t = NewTask(id)
	}
	old := told.Delivered() > 1 || e.At.Before(j.began) || time.Since(e.At).Abs() > toldFor
	if err != nil || old || e.Prev != t.Seq {
		return j.LoadAt(ctx, id, told.Seq())
	}
	if err := t.Apply(e); err != nil {
		return t, err
	}
	j.kept.put(t, time.Now())
	return t, nil
}

// Gone reports whether a task was purged, for those who were told of its event with sequence seq and do not find it: a
// replica that lags does not have it either, but will.
func (j *Journal) Gone(ctx context.Context, id akitad.TaskID, seq uint64) (bool, error) {
	return j.bus.TaskGone(ctx, fence(id), seq)
}

// Purge removes a task's journal for good. Another process may still see it for a minute.
func (j *Journal) Purge(ctx context.Context, id akitad.TaskID) error {
	err := j.bus.PurgeTask(ctx, fence(id))
	j.kept.forget(id)
	return err
}

// Refresh folds what was appended since t was loaded. Mostly that is nothing or one event, which the
// last one shows at once: to search for the next one the server goes through everything after t.
func (j *Journal) Refresh(ctx context.Context, t *Task) error {
	if done, err := j.refreshByLast(ctx, t); done || err != nil {
		return err
	}
	return j.read(ctx, t.ID, t.Seq+1, t.Apply)
}

// refreshByLast folds the last event, if t then is what the journal says.
func (j *Journal) refreshByLast(ctx context.Context, t *Task) (done bool, err error) {
	s, ok, err := j.bus.LastTask(ctx, fence(t.ID))
	switch {
	case err != nil:
		return false, err
	case !ok:
		return t.Seq == 0, nil // one that is gone is read once more
	case s.Seq <= t.Seq:
		return true, nil
	}
	e, err := j.decode(ctx, t.ID, s)
	if err != nil || e.Prev != t.Seq {
		return false, err
	}
	return true, t.Apply(e)
}

// Events gives the task's events from a stream sequence on, oldest first, payloads in full.
func (j *Journal) Events(ctx context.Context, id akitad.TaskID, from uint64, fn func(akitad.Event) error) error {
	return j.read(ctx, id, from, fn)
}

func (j *Journal) read(ctx context.Context, id akitad.TaskID, from uint64, fn func(akitad.Event) error) error {
	err := j.bus.ReadTask(ctx, fence(id), from, func(s bus.Stored) error {
		e, err := j.decode(ctx, id, s)
		if err != nil {
			return err
		}
		return fn(e)
	})
	if err != nil {
		return fmt.Errorf("read journal of %s: %w", id, err)
	}
	return nil
}

func (j *Journal) decode(ctx context.Context, id akitad.TaskID, s bus.Stored) (akitad.Event, error) {
	var e akitad.Event
	if err := json.Unmarshal(s.Body, &e); err != nil {
		return e, fmt.Errorf("event %d: %w", s.Seq, err)
	}
	e.Task, e.Seq = id, s.Seq
	if e.Ref == "" {
		return e, nil
	}
	data, err := j.bus.GetArtifact(ctx, e.Ref)
	if err != nil {
		return e, fmt.Errorf("event %d: payload: %w", s.Seq, err)
	}
	e.Data = data
	return e, nil
}

// Create opens a task's journal. Ids are derived, so a task that exists already is a success:
// created tells which.
func (j *Journal) Create(ctx context.Context, id akitad.TaskID, d SubmittedData) (t *Task, created bool, err error) {
	t = NewTask(id)
	err = j.Append(ctx, t, 0, Submitted, d)
	if errors.Is(err, ErrConflict) {
		return t, false, nil
	}
	return t, err == nil, err
}

// Append adds one event after t's last and folds it. epoch is the writer's claim, 0 for writers
// without one. If others appended in between, t is refreshed and ErrConflict returned, unless the
// event is found to be stored after all.
func (j *Journal) Append(ctx context.Context, t *Task, epoch uint64, kind akitad.EventKind, payload any) error {
	e, route, err := j.event(ctx, t, epoch, kind, payload)
	if err != nil {
		return err
	}
	var ran time.Duration
	e.At, ran = j.clock()
	e.Jump = t.wrote.jump(e.At, ran)
	wire := e
	if wire.Ref != "" {
		wire.Data = nil
	}
	body, err := json.Marshal(wire)
	if err != nil {
		return fmt.Errorf("append %s to %s: %w", kind, t.ID, err)
	}
	if j.Around != nil {
		j.Around(e, false)
	}
	seq, err := j.bus.Append(ctx, subject(t.ID, route), fence(t.ID), t.Seq, e.ID, body)
	switch {
	case err == nil:
		e.Seq = seq
		if j.Around != nil {
			j.Around(e, true)
		}
		if err := t.Apply(e); err != nil {
			return err
		}
		t.wrote = moment{e.At, ran}
		j.kept.put(t, time.Now())
		return nil
	case errors.Is(err, ErrConflict):
		if err := j.afterConflict(ctx, t, e.ID, err); err != nil {
			return err
		}
		t.wrote = moment{e.At, ran}
		return nil
	}
	return fmt.Errorf("append %s to %s: %w", kind, t.ID, err)
}

// event makes the envelope; a payload over 16 KiB is put aside first.
func (j *Journal) event(ctx context.Context, t *Task, epoch uint64, kind akitad.EventKind, payload any) (akitad.Event, Route, error) {
	data, err := json.Marshal(payload)
	if err != nil {
		return akitad.Event{}, "", fmt.Errorf("append %s to %s: %w", kind, t.ID, err)
	}
	e := akitad.Event{
		V: 1, ID: rand.Text(), Prev: t.Seq, Kind: kind, By: j.by, Epoch: epoch, Data: data, Task: t.ID,
	}
	if len(data) > maxInline {
		if e.Ref, err = j.bus.PutArtifact(ctx, data); err != nil {
			return e, "", fmt.Errorf("append %s to %s: put payload: %w", kind, t.ID, err)
		}
	}
	return e, t.route(e), nil
}

// afterConflict tells a lost race from a success whose acknowledgement was lost.
func (j *Journal) afterConflict(ctx context.Context, t *Task, own string, conflict error) error {
	stored := false
	err := j.read(ctx, t.ID, t.Seq+1, func(e akitad.Event) error {
		stored = stored || e.ID == own
		return t.Apply(e)
	})
	switch {
	case err != nil:
		return err
	case stored:
		return nil
	}
	return conflict
}

// A Decision is what a writer wants to append, seen from the fold as it is now.
type Decision struct {
	Kind akitad.EventKind
	Data any
}

// Decide appends what decide asks for, deciding again whenever somebody else was faster. A nil
// decision means that nothing is left to do.
func (j *Journal) Decide(ctx context.Context, t *Task, decide func(*Task) *Decision) error {
	_, err := j.Decided(ctx, t, decide)
	return err
}

// Decided is Decide, and reports whether it appended: what was asked for at a first look may be nothing any
// more at the second, so decide itself cannot know.
func (j *Journal) Decided(ctx context.Context, t *Task, decide func(*Task) *Decision) (bool, error) {
	for {
		d := decide(t)
		if d == nil {
			return false, nil
		}
		if err := j.Append(ctx, t, 0, d.Kind, d.Data); !errors.Is(err, ErrConflict) {
			return err == nil, err
		}
	}
}

// fence is the filter that every append to the task is guarded by: the identical string for every
// writer, since a replicated server compares in-flight writes by it.
func fence(id akitad.TaskID) string { return "akita.task." + string(id) + ".>" }

func subject(id akitad.TaskID, r Route) string {
	return "akita.task." + string(id) + "." + string(r)
}

var fixedRoutes = map[akitad.EventKind]Route{
	Submitted: RouteReady, Woken: RouteReady, Resumed: RouteReady, Retried: RouteReady, Waiting: RouteWait,
	Completed: RouteEnd, Failed: RouteEnd, Cancelled: RouteEnd,
}

// route gives the subject's last token. An answer goes to ready only if it wakes the task, which
// the fold knows: the append is fenced, so nothing can come in between.
func (t *Task) route(e akitad.Event) Route {
	if r, ok := fixedRoutes[e.Kind]; ok {
		return r
	}
	if e.Kind != Answered && e.Kind != ChildDone {
		return RouteLog
	}
	after := t.clone()
	e.Seq = t.Seq + 1
	if err := after.Apply(e); err == nil && t.State == akitad.Waiting && after.State == akitad.Pending {
		return RouteReady
	}
	return RouteLog
}

// clone copies all that folding one more event may change.
func (t *Task) clone() *Task {
	c := *t
	c.wrote = moment{}
	c.Rounds = slices.Clone(t.Rounds)
	c.Open = slices.Clone(t.Open)
	c.Children = slices.Clone(t.Children)
	c.Files = slices.Clone(t.Files)
	// These only grow: an append to the copy must not reach into the room behind the original.
	c.Causes = slices.Clip(t.Causes)
	c.Skipped, c.Steers, c.Degraded, c.Nodes = slices.Clip(t.Skipped), slices.Clip(t.Steers), slices.Clip(t.Degraded), slices.Clip(t.Nodes)
	c.changes, c.Reduced = slices.Clip(t.changes), slices.Clip(t.Reduced)
	return &c
}

// Kinds lists every event kind, in alphabetical order.
func Kinds() []akitad.EventKind { return slices.Sorted(maps.Keys(folds)) }

// moment is when a task's holder wrote last, by its clock and by the time that its process has run. The zero
// moment is unknown.
type moment struct {
	at  time.Time
	ran time.Duration
}

// jump gives how far the clock was set from m until now.
func (m moment) jump(now time.Time, ran time.Duration) time.Duration {
	if set := now.Sub(m.at) - (ran - m.ran); !m.at.IsZero() && set.Abs() >= time.Minute {
		return set
	}
	return 0
}

// Snapshot copies the fold, so that later events do not change it.
func (t *Task) Snapshot() *Task { return t.clone() }
