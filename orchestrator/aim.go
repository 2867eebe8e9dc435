package orchestrator

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
)

// aimed is what a command was about when it came first. After a crash it may come again, when its session
// has gone on: by then "what runs" would be something else.
type aimed struct {
	Message akitad.TaskID `json:"message"` // the task that the message would have been
	At      string        `json:"at,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"` // it began the session anew
}

// aimOf gives what a command was about, and makes it a new one's place.
func (s *sessionState) aimOf(message akitad.TaskID) (a *aimed, known bool) {
	if at := slices.IndexFunc(s.Aims, func(a aimed) bool { return a.Message == message }); at >= 0 {
		return &s.Aims[at], true
	}
	s.Aims = append(s.Aims, aimed{Message: message})
	s.Aims = s.Aims[max(0, len(s.Aims)-maxJoined):]
	return &s.Aims[len(s.Aims)-1], false
}

// Aim keeps what a command is about, the id of a task or of a question, or nothing. It gives what was kept
// when the command came first.
func (o *Orchestrator) Aim(ctx context.Context, key akitad.SessionKey, message akitad.TaskID, at string) (string, error) {
	if key == "" || message == "" {
		return at, nil
	}
	_, err := o.changeSession(ctx, key, func(s *sessionState) bool {
		a, known := s.aimOf(message)
		if known {
			at = a.At
		}
		a.At = at
		return !known
	})
	return at, err
}

// NewSession makes a session's next task follow none, once for a message. What runs or waits goes on.
func (o *Orchestrator) NewSession(ctx context.Context, key akitad.SessionKey, by akitad.TaskID) error {
	_, err := o.changeSession(ctx, key, func(s *sessionState) bool {
		a, _ := s.aimOf(by)
		if a.Fresh {
			return false
		}
		s.Head, a.Fresh = "", true
		return true
	})
	return err
}
