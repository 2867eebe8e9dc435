package admin

import (
	"context"
	"time"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
)

// budget gives what the tree that a task belongs to may use and has used.
func (s *Server) budget(ctx context.Context, t *journal.Task) ([]client.Limit, error) {
	root := t
	if !t.IsRoot() {
		var err error
		if root, err = s.Journal.Load(ctx, t.Sub.Root); err != nil {
			return nil, err
		}
	}
	spent, err := s.Journal.Spent(ctx, root, "")
	if err != nil {
		return nil, err
	}
	limits := root.Limits(s.opts.Budget)
	return []client.Limit{
		limitOf("input_tokens", limits.Input, spent.Input), limitOf("calls", limits.Calls, spent.Calls),
		limitOf("active_seconds", int(limits.Active/time.Second), int(spent.Active/time.Second)), limitOf("tasks", limits.Tasks, spent.Tasks),
	}, nil
}

func limitOf(name string, limit, used int) client.Limit {
	l := client.Limit{Name: name, Used: used, Limit: limit}
	if limit > 0 {
		l.Left = max(0, limit-used)
	}
	return l
}
