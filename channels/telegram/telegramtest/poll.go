package telegramtest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"
)

// getUpdates is the long poll. An offset confirms all updates below it; a second poll ends the
// first with a conflict, as Telegram does.
func (s *Server) getUpdates(ctx context.Context, p params) (any, *apiError) {
	offset, limit := p.int("offset"), int(p.int("limit"))
	if limit <= 0 || limit > 100 {
		limit = 100
	}
	mine, err := s.takePoll(offset, p)
	if err != nil {
		return nil, err
	}
	defer s.endPoll(mine)
	timeout := time.NewTimer(time.Duration(p.int("timeout")) * time.Second)
	defer timeout.Stop()
	for {
		batch, changed := s.pending(offset, limit)
		if len(batch) > 0 {
			return batch, nil
		}
		select {
		case <-changed:
		case <-mine.ended:
			return nil, refuse(409, "Conflict: %s", mine.why)
		case <-timeout.C:
			return []json.RawMessage{}, nil
		case <-ctx.Done():
			return []json.RawMessage{}, nil
		case <-s.done:
			return []json.RawMessage{}, nil
		}
	}
}

// poll is a getUpdates that waits.
type poll struct {
	ended chan struct{}
	why   string // it was ended
}

// keptGone is how many confirmed updates are kept, so that a fault can give them again.
const keptGone = 100

func (s *Server) takePoll(offset int64, p params) (*poll, *apiError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hook != nil {
		return nil, refuse(409, "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first")
	}
	if s.polling != nil {
		s.polling.why = "terminated by other getUpdates request; make sure that only one bot instance is running"
		close(s.polling.ended)
	}
	s.polling = &poll{ended: make(chan struct{})}
	s.allow(p)
	s.updates = slices.DeleteFunc(s.updates, func(u update) bool {
		gone := u.id < offset
		if gone {
			s.confirmed = max(s.confirmed, u.id)
			s.gone = append(s.gone, u)
		}
		return gone
	})
	s.gone = s.gone[max(0, len(s.gone)-keptGone):]
	s.Touch()
	return s.polling, nil
}

func (s *Server) endPoll(mine *poll) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.polling == mine {
		s.polling = nil
	}
}

// pending returns the updates from an offset on. A negative offset counts from the end.
func (s *Server) pending(offset int64, limit int) (batch []json.RawMessage, changed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	slices.SortStableFunc(s.updates, func(a, b update) int { return cmp.Compare(a.id, b.id) })
	from := 0
	if offset < 0 {
		from = max(0, len(s.updates)+int(offset))
	}
	for _, u := range s.updates[from:] {
		if u.id >= offset && len(batch) < limit {
			batch = append(batch, u.body)
		}
	}
	batch = append(batch, s.again...)
	s.again = nil
	return batch, s.Changed()
}

// Again delivers an update once more, though it was confirmed: the service's word is at least once.
func (s *Server) Again(id int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, u := range slices.Concat(s.gone, s.updates) {
		if u.id != id {
			continue
		}
		if s.hook != nil {
			s.updates = append(s.updates, u)
		} else {
			s.again = append(s.again, u.body)
		}
		break
	}
	s.Touch()
}

// disorder spoils what a poll gives, as a fault says.
func (s *Server) disorder(f Fault, result any) any {
	batch, ok := result.([]json.RawMessage)
	if !ok {
		return result
	}
	if f.Repeat {
		s.mu.Lock()
		for _, u := range s.gone {
			batch = append(batch, u.body)
		}
		s.mu.Unlock()
	}
	if f.Reverse {
		slices.Reverse(batch)
	}
	return batch
}
