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

// maxJoined is the number of joined messages that a session remembers: more than can be delivered again.
const maxJoined = 64

// joined is a message that became part of a task, as the answer to its question or as a correction, instead
// of a task of its own.
type joined struct {
	Message akitad.TaskID `json:"message"` // the task that the message would have been
	Task    akitad.TaskID `json:"task"`
	Call    string        `json:"call,omitempty"` // the open call that it answers
}

// joinedAs returns how a message was joined when it was delivered before.
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

// joinBy makes a message part of the task that it answers or corrects; false if it becomes a task of its
// own. The decision is stored before it is carried out. After a crash in between, the message is delivered
// again, when that task may have ended, and must still not become another task.
func (o *Orchestrator) joinBy(ctx context.Context, m akitad.Message) (bool, error) {
	if m.Answers != "" {
		return true, o.answersExactly(ctx, m)
	}
	if m.Session == "" {
		return o.steerBy(ctx, m, m.Steers)
	}
	if m.Plan != "" {
		return false, nil // a message with a plan of its own answers nothing
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

// wanted returns the task to which a new message belongs: the one that it names, the one that waits for an
// answer, or the one to whose placeholder it replies. An empty task means none.
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

// steers reports whether a message corrects the session's running task because it was sent while it runs.
// A message with files, or a reply to another message, is a task of its own.
func (o *Orchestrator) steers(s sessionState, m akitad.Message, id akitad.TaskID) bool {
	return o.opts.Steer && s.Running != nil && id == s.Running.Task && m.Origin.Interactive() && m.ReplyTo == "" && len(m.Files) == 0
}

// answerCall closes the question with the message; false if another message has closed it.
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

// steerBy appends the message to the task that it corrects; false if that task has ended without it.
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

// Take makes a task of the text behind a command of a chat. The same message a second time changes nothing.
// If the disk has no room for new work, the error is a *disk.Low.
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

// room returns a *disk.Low if the disk has no room for new work, nil also if that cannot be found out.
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

// Running returns the task that has a session's turn, or false if there is none.
func (o *Orchestrator) Running(ctx context.Context, key akitad.SessionKey) (akitad.TaskID, bool, error) {
	s, _, err := o.session(ctx, key)
	if err != nil || s.Running == nil {
		return "", false, err
	}
	t, err := o.Journal.Load(ctx, s.Running.Task)
	return s.Running.Task, err == nil && !t.Final(), err
}

// Queued returns the tasks that wait for a session's turn, the next one first.
func (o *Orchestrator) Queued(ctx context.Context, key akitad.SessionKey) ([]akitad.TaskID, error) {
	s, _, err := o.session(ctx, key)
	var out []akitad.TaskID
	for _, p := range s.Queue {
		out = append(out, p.Task)
	}
	return out, err
}

// Place returns a task's place in its session's queue, from 1, or 0 if it does not wait there.
func (o *Orchestrator) Place(ctx context.Context, key akitad.SessionKey, id akitad.TaskID) (int, error) {
	queue, err := o.Queued(ctx, key)
	return slices.Index(queue, id) + 1, err
}

// Correct appends a message to the task that has the turn of the message's session: as the answer, if the
// task waits for one, else as a correction. It returns false if no task has the turn. The error is
// permission_denied if the sender may not change the task. The same message a second time changes nothing.
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

// aimed returns the task that had the turn when the message was first delivered, and the question by which
// that task then waited for the sender.
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
