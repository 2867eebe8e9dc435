package channels

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// watches are the tasks whose progress is being shown, each by one goroutine.
type watches struct {
	mu sync.Mutex
	on map[akitad.TaskID]bool
	wg sync.WaitGroup
}

func newWatches() *watches { return &watches{on: map[akitad.TaskID]bool{}} }

// start runs watch unless the task is being watched already.
func (w *watches) start(id akitad.TaskID, watch func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.on[id] {
		return
	}
	w.on[id] = true
	w.wg.Go(func() {
		watch()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.on, id)
	})
}

func (w *watches) wait() { w.wg.Wait() }

// watch shows a task's progress in its chat until it ends. Progress may be lost; the answer is the
// outbox's business.
func (g *Gateway) watch(ctx context.Context, ch Channel, id akitad.TaskID) {
	t, err := g.placeholder(ctx, ch, id)
	if errors.Is(err, errNotOurs) {
		return
	}
	if err != nil {
		g.opts.Log.Warn("no placeholder", zap.String("task", string(id)), zap.Error(err))
		return
	}
	show := progress{lang: text.Lang(t.Sub.Origin.Lang)}
	err = g.journal.Follow(ctx, id, 0, func(e akitad.Event) bool {
		line := show.line(e)
		if line != "" && t.Placeholder != "" {
			if err := ch.Progress(ctx, t.Sub.Origin, t.Placeholder, line); err != nil {
				g.opts.Log.Debug("progress not shown", zap.String("task", string(id)), zap.Error(err))
			}
		}
		if e.Kind == journal.Waiting {
			if err := g.ask(ctx, ch, id); err != nil {
				g.opts.Log.Warn("question not asked", zap.String("task", string(id)), zap.Error(err))
			}
		}
		return !show.ended
	})
	if err != nil && ctx.Err() == nil {
		g.opts.Log.Warn("progress not followed", zap.String("task", string(id)), zap.Error(err))
	}
}

// placeholder puts the first message into the chat and its id into the journal, once.
func (g *Gateway) placeholder(ctx context.Context, ch Channel, id akitad.TaskID) (*journal.Task, error) {
	t, err := g.journal.Load(ctx, id)
	switch {
	case err != nil:
		return t, err
	case !t.Exists(), !t.IsRoot(), t.Final(), t.Sub.Origin.Channel != ch.Name():
		return t, errNotOurs
	case t.Placeholder != "":
		return t, nil
	}
	if c, ok := ch.(Companion); ok {
		if err := c.Typing(ctx, t.Sub.Origin); err != nil {
			g.opts.Log.Debug("typing not shown", zap.Error(err))
		}
	}
	lang := text.Lang(t.Sub.Origin.Lang)
	words := lang.Received()
	if t.Reason == akitad.ReasonQueued {
		words = lang.Queued(1)
	}
	msg, err := ch.Placeholder(ctx, t.Sub.Origin, words)
	if err != nil {
		return t, err
	}
	return t, g.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Placeholder != "" || t.Delivered {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: journal.DeliveryData{Placeholder: msg}}
	})
}

// ask puts what a waiting task has to say (a question, or that it will try again later) into the
// chat as a message of its own, which notifies. The journal keeps that it was said.
func (g *Gateway) ask(ctx context.Context, ch Channel, id akitad.TaskID) error {
	t, err := g.journal.Load(ctx, id)
	if err != nil || !unsaid(t) {
		return err
	}
	_, err = ch.Final(ctx, akitad.Delivery{Kind: akitad.DeliverQuestion, Reply: akitad.Reply{Task: id, Origin: t.Sub.Origin, Text: t.WaitNote}})
	if err != nil {
		return err
	}
	said := t.WaitSeq
	return g.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.SaidSeq >= said {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: journal.DeliveryData{Said: said}}
	})
}

func unsaid(t *journal.Task) bool {
	return t.State == akitad.Waiting && t.WaitNote != "" && t.SaidSeq < t.WaitSeq
}

// progress turns events into the line that stands in the placeholder.
type progress struct {
	lang  text.Lang
	total int
	begun int
	done  int
	names map[akitad.TaskID]string
	ended bool
}

func (p *progress) line(e akitad.Event) string {
	switch e.Kind {
	case journal.Planned:
		if d := decode[journal.PlannedData](e); d.Plan != nil {
			p.total = len(d.Plan.Steps)
		}
	case journal.Delegated:
		return p.delegated(decode[journal.DelegatedData](e))
	case journal.ChildDone:
		return p.joined(decode[journal.ChildDoneData](e))
	case journal.Thought:
		if d := decode[journal.ThoughtData](e); len(d.Calls) > 0 {
			return p.lang.Working(d.Round, d.Calls[0].Tool)
		}
	case journal.Completed, journal.Failed, journal.Cancelled:
		p.ended = true
	}
	return ""
}

func (p *progress) delegated(d journal.DelegatedData) string {
	line := ""
	for _, c := range d.Children {
		if p.names == nil {
			p.names = map[akitad.TaskID]string{}
		}
		p.names[c.ID] = c.Profile
		if c.Run != "" {
			p.names[c.ID] = c.Run
		}
		p.begun++
		p.total = max(p.total, p.begun)
		line = p.lang.StepStarted(p.begun, p.total, p.names[c.ID])
	}
	return line
}

func (p *progress) joined(d journal.ChildDoneData) string {
	p.done++
	if d.Error != nil {
		return p.lang.StepFailed(p.done, p.total, p.names[d.Child], d.Error.Message)
	}
	return p.lang.StepDone(p.done, p.total, p.names[d.Child])
}

func decode[T any](e akitad.Event) (d T) {
	if err := json.Unmarshal(e.Data, &d); err != nil {
		return d
	}
	return d
}
