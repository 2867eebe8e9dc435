package admin

import (
	"context"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
)

// shareOf gives what a task itself used and moved.
func shareOf(t *journal.Task) client.Share {
	s := client.Share{Tasks: 1, Bills: t.Bills()}
	for _, round := range t.Rounds {
		for _, o := range round.Results {
			s.Calls++
			s.Produced += max(o.Bytes, len(o.Text))
			s.Shown += len(o.Text)
			if o.Error != nil {
				s.Failed++
			}
		}
	}
	s.Masked, s.Summarised = t.LeftOut()
	s.Usage = s.Bills.Total()
	return s
}

// plus adds up two shares.
func plus(a, b client.Share) client.Share {
	return client.Share{
		Tasks: a.Tasks + b.Tasks, Usage: a.Usage.Add(b.Usage), Bills: a.Bills.Add(b.Bills...),
		Calls: a.Calls + b.Calls, Failed: a.Failed + b.Failed, Produced: a.Produced + b.Produced, Shown: a.Shown + b.Shown,
		Masked: a.Masked + b.Masked, Summarised: a.Summarised + b.Summarised,
	}
}

// treeOf gives what a task and everything below it used and moved, whether it still runs, has joined, or
// was taken back by a retry. Each task's journal counts once.
func (s *Server) treeOf(ctx context.Context, t *journal.Task, own client.Share) (client.Share, error) {
	sum := own
	below := append([]akitad.TaskID{}, t.Cut...)
	for _, c := range t.Children {
		below = append(below, c.ID)
	}
	for _, id := range below {
		child, err := s.Journal.Load(ctx, id)
		if err != nil {
			return sum, err
		}
		if !child.Exists() {
			continue
		}
		share, err := s.treeOf(ctx, child, shareOf(child))
		if err != nil {
			return sum, err
		}
		sum = plus(sum, share)
	}
	return sum, nil
}
