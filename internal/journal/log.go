package journal

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// maxInline is the largest payload, in bytes, that an event carries itself. To check the fence, the server
// reads the task's last message with its body, so a large event would cost twice.
const maxInline = 16 << 10

// ErrConflict says that another writer appended first. The fold has been refreshed, so that the caller
// can decide again.
var ErrConflict = bus.ErrConflict

// ErrBehind says that the journal as read does not have the event that the caller knows of: a replica lags.
var ErrBehind = errors.New("the journal read is older than the event")

// Journal appends to and loads from the journals of all tasks.
type Journal struct {
	// Around, for tests of crashes, is called with each event before it is stored and again after. It must be
	// set before the first append. May be nil.
	Around func(e akitad.Event, stored bool)

	bus   *bus.Bus
	by    string
	kept  kept
	began time.Time
	clock func() (wall time.Time, ran time.Duration) // ran: time since the start by the monotonic clock
}

// New returns a journal on b. Its events carry the node's name in By.
func New(b *bus.Bus, node string) *Journal {
	began := time.Now()
	return &Journal{bus: b, by: node, began: began, clock: func() (time.Time, time.Duration) {
		now := time.Now()
		return now.UTC(), now.Sub(began)
	}}
}

// Load returns the fold of a task's whole journal. If the task does not exist, the fold's Exists is false.
// It starts from the copy that this process has kept of the task within the last minute, if there is one.
// The caller may Refresh and Append to the fold, but must not change what its slices and pointers refer
// to, which may be shared.
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

// LoadAt is Load for a caller who knows that the event with sequence seq exists. If the kept copy has that
// event, it is returned without asking the server for newer events: the caller hears of those later, or
// finds them by a conflict. If the replica that answers does not have the event yet, LoadAt returns
// ErrBehind and the fold of what it has.
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

// toldFor is the age up to which LoadTold takes an event for the newest of its task. A machine that slept
// receives older events when it wakes; after the clock was set back, they seem to come from the future.
const toldFor = 10 * time.Second

// LoadTold is LoadAt for a caller who has received the event itself. If the event directly follows the kept
// copy, it is applied to that copy, without a request to the server. This is common, because a consumer
// often receives an event a moment before the process that appended it has kept its fold. The journal is
// read if the event was delivered before, or is older than this process or than toldFor: then later events
// may exist, or the task may have been purged.
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

// Gone reports whether a task was purged. It is for a caller who knows of the event with sequence seq but does
// not find it: it tells a purged task from a replica that lags.
func (j *Journal) Gone(ctx context.Context, id akitad.TaskID, seq uint64) (bool, error) {
	return j.bus.TaskGone(ctx, fence(id), seq)
}

// Purge removes a task's journal for good. Another process may still load its kept copy for a minute.
func (j *Journal) Purge(ctx context.Context, id akitad.TaskID) error {
	err := j.bus.PurgeTask(ctx, fence(id))
	j.kept.forget(id)
	return err
}

// Refresh applies the events that were appended since t was loaded. Usually there are none or one, so it
// reads the last event first: to search for the next one, the server goes through all events after t.
func (j *Journal) Refresh(ctx context.Context, t *Task) error {
	if done, err := j.refreshByLast(ctx, t); done || err != nil {
		return err
	}
	return j.read(ctx, t.ID, t.Seq+1, t.Apply)
}

// refreshByLast brings t up to date by the last event alone; done is false if there are more.
func (j *Journal) refreshByLast(ctx context.Context, t *Task) (done bool, err error) {
	s, ok, err := j.bus.LastTask(ctx, fence(t.ID))
	switch {
	case err != nil:
		return false, err
	case !ok:
		return t.Seq == 0, nil // not found though t has events: read the journal
	case s.Seq <= t.Seq:
		return true, nil
	}
	e, err := j.decode(ctx, t.ID, s)
	if err != nil || e.Prev != t.Seq {
		return false, err
	}
	return true, t.Apply(e)
}

// Events calls fn with the task's events from a stream sequence on, oldest first, with full payloads. An
// error of fn ends the reading and is returned.
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

// Create opens a task's journal. Since ids are derived, it is no error if the task exists already; created
// reports whether this call created it.
func (j *Journal) Create(ctx context.Context, id akitad.TaskID, d SubmittedData) (t *Task, created bool, err error) {
	t = NewTask(id)
	err = j.Append(ctx, t, 0, Submitted, d)
	if errors.Is(err, ErrConflict) {
		return t, false, nil
	}
	return t, err == nil, err
}

// Append stores one event after t's last one and applies it to t. epoch is that of the writer's claim, 0
// for writers without a claim. If another writer was faster, Append refreshes t and returns ErrConflict,
// unless it finds that its own event was stored after all.
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

// event makes the envelope and the route. A payload above maxInline is stored as an artifact first.
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

// afterConflict refreshes t. It returns nil if the event with id own is stored, which happens when only
// the server's acknowledgement was lost, and else conflict.
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

// A Decision is the event that a writer wants to append, given the current fold.
type Decision struct {
	Kind akitad.EventKind
	Data any
}

// Decide appends the event that decide returns. After a conflict it calls decide again with the refreshed
// fold. A nil Decision means that nothing is to be appended.
func (j *Journal) Decide(ctx context.Context, t *Task, decide func(*Task) *Decision) error {
	_, err := j.Decided(ctx, t, decide)
	return err
}

// Decided is Decide, and reports whether an event was appended. The decide function itself cannot know
// that: its decision at the first call may be dropped at the second.
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

// fence is the filter by which the server finds the last event of a task to check an append. All writers
// must use the identical string, because a replicated server compares in-flight writes by it.
func fence(id akitad.TaskID) string { return "akita.task." + string(id) + ".>" }

func subject(id akitad.TaskID, r Route) string {
	return "akita.task." + string(id) + "." + string(r)
}

var fixedRoutes = map[akitad.EventKind]Route{
	Submitted: RouteReady, Woken: RouteReady, Resumed: RouteReady, Retried: RouteReady, Waiting: RouteWait,
	Completed: RouteEnd, Failed: RouteEnd, Cancelled: RouteEnd,
}

// route returns the subject's last token. An answer is routed to ready only if it wakes the task. The fold
// can tell that in advance, because the append is fenced and no other event can come in between.
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

// clone copies everything that Apply may change in place.
func (t *Task) clone() *Task {
	c := *t
	c.wrote = moment{}
	c.Rounds = slices.Clone(t.Rounds)
	c.Open = slices.Clone(t.Open)
	c.Children = slices.Clone(t.Children)
	c.Files = slices.Clone(t.Files)
	// These only grow. Clipped, an append to the copy cannot write into the spare capacity of the original.
	c.Causes = slices.Clip(t.Causes)
	c.Skipped, c.Steers, c.Degraded, c.Nodes = slices.Clip(t.Skipped), slices.Clip(t.Steers), slices.Clip(t.Degraded), slices.Clip(t.Nodes)
	c.changes, c.Reduced = slices.Clip(t.changes), slices.Clip(t.Reduced)
	return &c
}

// moment is when a holder of the fold last appended, by the wall clock and by the monotonic clock. The zero
// moment is unknown.
type moment struct {
	at  time.Time
	ran time.Duration
}

// jump returns by how much the wall clock was set between m and now; less than a minute counts as 0.
func (m moment) jump(now time.Time, ran time.Duration) time.Duration {
	if set := now.Sub(m.at) - (ran - m.ran); !m.at.IsZero() && set.Abs() >= time.Minute {
		return set
	}
	return 0
}

// Snapshot returns a copy of the fold that later events do not change.
func (t *Task) Snapshot() *Task { return t.clone() }
