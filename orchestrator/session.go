package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// place is one task's place in its session: the task, the one it follows, and in which of its retries it has the
// place, so that an end of the attempt before does not take it away.
type place struct {
	Task    akitad.TaskID `json:"task"`
	Follows akitad.TaskID `json:"follows,omitempty"`
	Try     int           `json:"try,omitempty"`
}

// sessionState is a session's entry in the bucket: the newest task, the task that has the turn, and the queue.
type sessionState struct {
	Head    akitad.TaskID `json:"head"`
	Running *place        `json:"running,omitempty"`
	Queue   []place       `json:"queue,omitempty"`
	Joined  []joined      `json:"joined,omitempty"` // messages that became part of a task
	Aims    []aimed       `json:"aims,omitempty"`   // targets of commands that were served or begun

	Preferences Preferences `json:"prefs,omitzero"`
}

// find returns the place that a task already has.
func (s *sessionState) find(id akitad.TaskID) (place, bool) {
	if s.Running != nil && s.Running.Task == id {
		return *s.Running, true
	}
	if at := slices.IndexFunc(s.Queue, func(p place) bool { return p.Task == id }); at >= 0 {
		return s.Queue[at], true
	}
	return place{}, false
}

// enter gives a task a place: the turn if no task has it, else the end of the queue.
func (s *sessionState) enter(id akitad.TaskID) place {
	if p, ok := s.find(id); ok {
		return p
	}
	p := place{Task: id, Follows: s.Head}
	s.Head = id
	if s.Running == nil {
		s.Running = &p
	} else {
		s.Queue = append(s.Queue, p)
	}
	return p
}

// enterAgain returns a task that is retried a place without making it the newest one; false if it has it. One that
// has not left yet keeps its place.
func (s *sessionState) enterAgain(p place) bool {
	at := slices.IndexFunc(s.Queue, func(q place) bool { return q.Task == p.Task })
	switch before, here := s.find(p.Task); {
	case here && before.Try >= p.Try:
		return false
	case s.Running == nil, at < 0 && here:
		s.Running = &p
	case here:
		s.Queue[at] = p
	default:
		s.Queue = append(s.Queue, p)
	}
	return true
}

// leave removes a task. If it had the turn, the next one in the queue gets it.
func (s *sessionState) leave(id akitad.TaskID) {
	s.Queue = slices.DeleteFunc(s.Queue, func(p place) bool { return p.Task == id })
	if s.Running == nil || s.Running.Task != id {
		return
	}
	s.Running = nil
	if len(s.Queue) > 0 {
		next := s.Queue[0]
		s.Running, s.Queue = &next, s.Queue[1:]
	}
}

func (o *Orchestrator) session(ctx context.Context, key akitad.SessionKey) (s sessionState, rev uint64, err error) {
	body, rev, err := o.sessions.Get(ctx, string(key))
	if err == nil && body != nil {
		err = json.Unmarshal(body, &s)
	}
	if err != nil {
		return s, rev, fmt.Errorf("session %s: %w", key, err)
	}
	return s, rev, nil
}

// changeSession applies change to the entry by compare-and-set and returns the new entry. change may be
// called more than once; it returns false if nothing is to be written.
func (o *Orchestrator) changeSession(ctx context.Context, key akitad.SessionKey, change func(*sessionState) bool) (sessionState, error) {
	for {
		s, rev, err := o.session(ctx, key)
		if err != nil || !change(&s) {
			return s, err
		}
		body, err := json.Marshal(s)
		if err != nil {
			return s, err
		}
		if _, err = o.sessions.Update(ctx, string(key), body, rev); !errors.Is(err, bus.ErrConflict) {
			return s, err
		}
	}
}
