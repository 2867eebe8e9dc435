package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/policy"
)

// maxJoined is how many messages a session remembers that became part of a task and not a task of
// their own: enough for all that can be delivered again.
const maxJoined = 64

// joined is a message that became part of a task: the answer to its question, or a correction.
type joined struct {
	Message akitad.TaskID `json:"message"` // the task that the message would have been
	Task    akitad.TaskID `json:"task"`
	Call    string        `json:"call,omitempty"` // the question that it answers
}

// joinedAs gives what became of a message that came before.
func (s *sessionState) joinedAs(id akitad.TaskID) (joined, bool) {
	at := slices.IndexFunc(s.Joined, func(j joined) bool { return j.Message == id })
	if at < 0 {
		return joined{}, false
	}
	return s.Joined[at], true
}

func (s *sessionState) join(j joined) {
	s.Joined = append(s.Joined, j)
	s.Joined = s.Joined[max(0, len(s.Joined)-maxJoined):]
}

// joinBy makes a message part of the task that it answers or corrects; false if it is a task of its
// own. Like a task's place, the decision is stored before it is carried out: after a crash in between
// the message comes again, when that task may have ended, and must not become another one.
func (o *Orchestrator) joinBy(ctx context.Context, m akitad.Message) (bool, error) {
	if m.Answers != "" {
		return true, o.answersExactly(ctx, m)
	}
	if m.Session == "" {
		return o.steerBy(ctx, m, m.Steers)
	}
	if m.Plan != "" {
		return false, nil // what runs a plan of its own answers nothing
	}
	s, _, err := o.session(ctx, m.Session)
	if err != nil {
		return false, err
	}
	if _, own := s.find(m.Task); own {
		return false, nil
	}
	j, known := s.joinedAs(m.Task)
	if !known {
		if j, err = o.wanted(ctx, s, m); err != nil || j.Task == "" {
			return false, err
		}
		if before, err := o.Journal.Load(ctx, m.Task); err != nil || before.Exists() {
			return false, err
		}
		if err := o.remember(ctx, m.Session, j); err != nil {
			return false, err
		}
	}
	if j.Call != "" {
		return o.answerCall(ctx, j, m)
	}
	return o.steerBy(ctx, m, j.Task)
}

func (o *Orchestrator) remember(ctx context.Context, key akitad.SessionKey, j joined) error {
	_, err := o.changeSession(ctx, key, func(s *sessionState) bool {
		if _, known := s.joinedAs(j.Message); known {
			return false
		}
		s.join(j)
		return true
	})
	return err
}

// wanted finds the task that a new message is for: the one it names, the one that waits for an answer,
// or the one whose progress it replies to. An empty task means none.
func (o *Orchestrator) wanted(ctx context.Context, s sessionState, m akitad.Message) (joined, error) {
	if m.Steers != "" {
		return joined{Message: m.Task, Task: m.Steers}, nil
	}
	var open []akitad.TaskID
	if m.PlanAsk { // it asks for a plan of its own
		return joined{}, nil
	}
	if s.Running != nil {
		open = append(open, s.Running.Task)
	}
	if m.ReplyTo != "" {
		for _, p := range s.Queue {
			open = append(open, p.Task)
		}
	}
	for _, id := range open {
		t, err := o.Journal.Load(ctx, id)
		if err != nil {
			return joined{}, err
		}
		if policy.CheckJoin(t.Sub.Origin, m.Origin) != nil {
			continue
		}
		if call := o.questionTo(t, m.Origin); call != "" {
			return joined{Message: m.Task, Task: id, Call: call}, nil
		}
		if !t.Final() && (m.ReplyTo != "" && t.Placeholder == m.ReplyTo || o.steers(s, m, id)) {
			return joined{Message: m.Task, Task: id}, nil
		}
	}
	return joined{}, nil
}

// steers reports whether a message corrects the task with the session's turn by being sent while it runs.
// What brings files, or replies to something, is work of its own.
func (o *Orchestrator) steers(s sessionState, m akitad.Message, id akitad.TaskID) bool {
	return o.opts.Steer && s.Running != nil && id == s.Running.Task && m.Origin.Interactive() && m.ReplyTo == "" && len(m.Files) == 0
}

// answerCall settles the question, once; false if it was settled without this message.
func (o *Orchestrator) answerCall(ctx context.Context, j joined, m akitad.Message) (bool, error) {
	t, err := o.Journal.Load(ctx, j.Task)
	if err != nil {
		return false, err
	}
	done, err := o.answer(ctx, t, j.Call, m)
	if done || err != nil {
		return done, err
	}
	err = o.Journal.Events(ctx, j.Task, 0, func(e akitad.Event) error {
		done = done || (e.Kind == journal.Answered && answeredBy(e) == m.ID)
		return nil
	})
	return done, err
}

// steerBy appends the message to the task it corrects; false if that task has ended without it.
func (o *Orchestrator) steerBy(ctx context.Context, m akitad.Message, id akitad.TaskID) (bool, error) {
	if id == "" {
		return false, nil
	}
	t, err := o.Journal.Load(ctx, id)
	if err != nil || !t.Exists() {
		return false, err
	}
	return o.appendSteer(ctx, t, journal.SteeredData{Text: m.Text, Message: m.ID})
}

// Take hands in as work what stood behind a command of a chat. The same message again changes nothing. A
// *disk.Low is the error of a disk without room for it.
func (o *Orchestrator) Take(ctx context.Context, m akitad.Message) error {
	if err := o.room(); err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return o.Bus.PublishIn(ctx, m.Origin.Channel, m.ID, body)
}

// room gives a *disk.Low if the disk has no room for new work. A disk that cannot be looked at has.
func (o *Orchestrator) room() error {
	if o.opts.Room == nil {
		return nil
	}
	err := o.opts.Room()
	if low, full := errors.AsType[*disk.Low](err); full {
		return low
	}
	if err != nil {
		o.Log.Warn("room on the disk is unknown", zap.Error(err))
	}
	return nil
}

// Running gives the task that has a session's turn; false if none has.
func (o *Orchestrator) Running(ctx context.Context, key akitad.SessionKey) (akitad.TaskID, bool, error) {
	s, _, err := o.session(ctx, key)
	if err != nil || s.Running == nil {
		return "", false, err
	}
	t, err := o.Journal.Load(ctx, s.Running.Task)
	return s.Running.Task, err == nil && !t.Final(), err
}

// Queued gives the tasks that wait for a session's turn, the next one first.
func (o *Orchestrator) Queued(ctx context.Context, key akitad.SessionKey) ([]akitad.TaskID, error) {
	s, _, err := o.session(ctx, key)
	var out []akitad.TaskID
	for _, p := range s.Queue {
		out = append(out, p.Task)
	}
	return out, err
}

// Place gives a task's place in its session's queue, from 1; 0 if it does not wait there.
func (o *Orchestrator) Place(ctx context.Context, key akitad.SessionKey, id akitad.TaskID) (int, error) {
	queue, err := o.Queued(ctx, key)
	return slices.Index(queue, id) + 1, err
}

// Correct hands a message's words to the task that has the message's session's turn: as the answer, if
// it waits for one, else as a correction. False means that no task has the turn; permission_denied, that
// the task is not for this person to change. The same message again changes nothing.
func (o *Orchestrator) Correct(ctx context.Context, m akitad.Message) (bool, error) {
	j, err := o.aimed(ctx, m)
	if err != nil || j.Task == "" {
		return false, err
	}
	t, err := o.Journal.Load(ctx, j.Task)
	if err != nil {
		return false, err
	}
	if err := policy.CheckJoin(t.Sub.Origin, m.Origin); err != nil {
		return false, err
	}
	if j.Call != "" {
		return o.answerCall(ctx, j, m)
	}
	return o.appendSteer(ctx, t, journal.SteeredData{Text: m.Text, Message: m.ID, Told: true})
}

// aimed gives the task that had the turn when the message came first, and the question by which it then
// waited for its sender.
func (o *Orchestrator) aimed(ctx context.Context, m akitad.Message) (j joined, err error) {
	id, running, err := o.Running(ctx, m.Session)
	if err != nil {
		return j, err
	}
	if running {
		t, err := o.Journal.Load(ctx, id)
		if err != nil {
			return j, err
		}
		j = joined{Task: id, Call: o.questionTo(t, m.Origin)}
	}
	at, err := o.Aim(ctx, m.Session, m.Task, strings.TrimSuffix(string(j.Task)+" "+j.Call, " "))
	task, call, _ := strings.Cut(at, " ")
	return joined{Task: akitad.TaskID(task), Call: call}, err
}
