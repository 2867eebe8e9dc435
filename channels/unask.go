package channels

import (
	"context"
	"slices"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// maxSettled is how many settled questions are remembered.
const maxSettled = 512

// settled remembers the newest questions whose message says what became of them, so that it is rewritten
// once. It may forget: to rewrite it again changes nothing.
type settled struct {
	mu  sync.Mutex
	ids []string
}

// add notes a question; false means that it was noted before.
func (s *settled) add(id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.Contains(s.ids, id) {
		return false
	}
	if s.ids = append(s.ids, id); len(s.ids) > maxSettled {
		s.ids = slices.Delete(s.ids, 0, len(s.ids)-maxSettled)
	}
	return true
}

// unask takes the buttons away below a question that a task asked, if it is not open any more, and puts
// there what became of it: it was answered in words, or elsewhere, or nobody waits for an answer now. Buttons
// that stay say so when they are pressed: what fails here is not tried again. The chat may have to wait for
// room, and nothing else waits for that; so ctx is that of the run, and not that of the lane.
func (d *desk) unask(ctx context.Context, t *journal.Task, asked journal.Asked) {
	asker, ok := As[Asker](d.ch)
	if !ok || d.opts.Questions == nil || asked.Message == "" {
		return
	}
	err := d.words.Go(ctx, "buttons of "+asked.Message, func() {
		lctx, end := d.linger(ctx)
		defer end()
		lctx, cancel := context.WithTimeout(lctx, tellTimeout)
		defer cancel()
		if err := d.takeAway(lctx, asker, t.Sub.Origin, asked); err != nil && ctx.Err() == nil {
			d.log.Warn("buttons are left below a question", zap.String("task", string(t.ID)), zap.Error(err))
		}
	})
	if err != nil { // the gateway stops
		d.log.Debug("buttons are left below a question", zap.String("task", string(t.ID)), zap.Error(err))
	}
}

// takeAway rewrites the message of a question that is over, once, so that it says what became of it.
func (d *desk) takeAway(ctx context.Context, asker Asker, from akitad.Origin, asked journal.Asked) error {
	q, err := d.opts.Questions.Find(ctx, asked.Question)
	if err != nil || !q.Closed || !d.settled.add(q.ID) {
		return err
	}
	_, words := outcome(q, akitad.Message{})
	return asker.Pressed(ctx, from, akitad.Press{Message: asked.Message}, "", words)
}
