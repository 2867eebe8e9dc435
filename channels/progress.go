package channels

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// progress turns events into the line that stands in the placeholder.
type progress struct {
	lang   text.Lang
	total  int                      // steps, as far as they are known: of the plan, or those that have begun
	begun  int                      // steps that were handed to a child, each once, however often it was tried
	done   int                      // steps that have ended, well or not
	names  map[akitad.TaskID]string // of the children, as they are shown
	queued bool                     // the placeholder tells a place in the queue
	busy   bool                     // somebody works on it
	ended  bool
}

func newProgress(t *journal.Task) *progress {
	return &progress{lang: text.Lang(t.Sub.Origin.Lang), names: map[akitad.TaskID]string{}}
}

// line takes the next event and gives the line to show, "" for none.
func (p *progress) line(e akitad.Event) string {
	switch e.Kind {
	case journal.Submitted:
		p.queued = decode[journal.SubmittedData](e).Queued
		p.busy = !p.queued
	case journal.Woken, journal.Claimed:
		return p.atWork()
	case journal.Waiting:
		p.busy = decode[journal.WaitingData](e).Reason == akitad.ReasonChildren
	case journal.Planned:
		if d := decode[journal.PlannedData](e); d.Plan != nil {
			p.total = len(d.Plan.Steps)
		}
	case journal.Replanned:
		if d := decode[journal.ReplannedData](e); d.Plan != nil {
			p.total = max(len(d.Plan.Steps), p.begun)
		}
	case journal.Delegated:
		return p.delegated(decode[journal.DelegatedData](e))
	case journal.ChildDone:
		return p.joined(decode[journal.ChildDoneData](e))
	case journal.Thought:
		if d := decode[journal.ThoughtData](e); len(d.Calls) > 0 {
			return p.lang.Working(d.Round, d.Calls[0].Tool)
		}
	case journal.Stalled:
		d := decode[journal.StalledData](e)
		return p.lang.Stalled(d.Endpoint, d.Next)
	case journal.Steered:
		if !decode[journal.SteeredData](e).Told {
			return p.lang.SteerAccepted()
		}
	case journal.Completed, journal.Failed, journal.Cancelled:
		p.ended, p.busy = true, false
	case journal.Retried:
		p.ended, p.busy = false, true
	}
	return ""
}

// atWork is told once to those who were told to wait.
func (p *progress) atWork() string {
	p.busy = true
	if !p.queued {
		return ""
	}
	p.queued = false
	return p.lang.Received()
}

// delegated counts the children that a step or a call has begun, and gives the line of the newest.
func (p *progress) delegated(d journal.DelegatedData) string {
	line := ""
	for _, c := range d.Children {
		p.names[c.ID] = c.Profile
		if c.Run != "" {
			p.names[c.ID] = c.Run
		}
		if c.Attempt > 1 && c.Replaces != "" { // the end of the attempt before does not count
			p.done = max(0, p.done-1)
		} else {
			p.begun++
		}
		p.total = max(p.total, p.begun)
		line = p.lang.StepStarted(p.begun, p.total, p.names[c.ID])
	}
	return line
}

// joined counts a child that has ended.
func (p *progress) joined(d journal.ChildDoneData) string {
	p.done++
	if d.Error != nil {
		return p.lang.StepFailed(p.done, p.total, p.names[d.Child], d.Error.Message)
	}
	return p.lang.StepDone(p.done, p.total, p.names[d.Child])
}
