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
	mine := s.takePoll(offset)
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
		case <-mine:
			return nil, refuse(409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running")
		case <-timeout.C:
			return []json.RawMessage{}, nil
		case <-ctx.Done():
			return []json.RawMessage{}, nil
		case <-s.done:
			return []json.RawMessage{}, nil
		}
	}
}

func (s *Server) takePoll(offset int64) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.polling != nil {
		close(s.polling)
	}
	s.polling = make(chan struct{})
	s.updates = slices.DeleteFunc(s.updates, func(u update) bool {
		gone := u.id < offset
		if gone {
			s.confirmed = max(s.confirmed, u.id)
		}
		return gone
	})
	s.touch()
	return s.polling
}

func (s *Server) endPoll(mine chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.polling == mine {
		s.polling = nil
	}
}

// pending gives the updates from an offset on. A negative offset counts from the end.
func (s *Server) pending(offset int64, limit int) (batch []json.RawMessage, changed chan struct{}) {
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
	return batch, s.changed
}
