package orchestrator

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
)

// aimed records the target of a command when it was first delivered. After a crash the command may be
// delivered again, and by then another task may be "the running one" of its session.
type aimed struct {
	Message akitad.TaskID `json:"message"` // the id of the task that the message would have become
	At      string        `json:"at,omitempty"`
	Fresh   bool          `json:"fresh,omitempty"` // the command was to begin the session anew
}

// aimOf returns the record of a command, known or added now.
func (s *sessionState) aimOf(message akitad.TaskID) (a *aimed, known bool) {
	if at := slices.IndexFunc(s.Aims, func(a aimed) bool { return a.Message == message }); at >= 0 {
		return &s.Aims[at], true
	}
	s.Aims = append(s.Aims, aimed{Message: message})
	s.Aims = s.Aims[max(0, len(s.Aims)-maxJoined):]
	return &s.Aims[len(s.Aims)-1], false
}

// Aim records the target of a command: the id of a task or of a question, or "". It returns the target that
// was recorded when the command was first delivered.
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

// NewSession lets the session's next task follow no earlier one. The same message a second time changes
// nothing. Running and waiting tasks continue.
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
