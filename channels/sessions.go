package channels

import (
	"cmp"
	"sync"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// sessions knows the conversations of the tasks that began since the start and have not ended, so that what
// happens to them can be put in order without reading one journal after the other.
type sessions struct {
	mu sync.Mutex
	by map[akitad.TaskID]string
}

func newSessions() *sessions { return &sessions{by: map[akitad.TaskID]string{}} }

// begin notes the lane of a task that has begun.
func (s *sessions) begin(id akitad.TaskID, lane string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.by[id] = lane
}

// of gives a task's lane; empty if it is not known. An end is asked about once.
func (s *sessions) of(id akitad.TaskID, end bool) (lane string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lane = s.by[id]
	if end {
		delete(s.by, id)
	}
	return lane
}

// laneOf is the lane of a task's conversation; one that belongs to none has its own.
func laneOf(id akitad.TaskID, sub journal.SubmittedData) string {
	return cmp.Or(string(sub.Session), string(id))
}
