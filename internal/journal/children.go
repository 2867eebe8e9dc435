package journal

import (
	"slices"
	"time"

	"github.com/akitad/akitad"
)

// Child is a delegated task as its parent knows it.
type Child struct {
	ChildRef
	Delegated time.Time
	Placed    bool // for a step: its journal exists, because the plan waits only after it has submitted its steps
	Done      bool
	GivenUp   bool // Done without an end of its own: the parent no longer waits for it
	State     akitad.State
	Result    *akitad.Result
	Files     []akitad.File // files that it and its children wrote
	Error     *akitad.Failure

	Ended      time.Time
	Unverified bool        // it failed because its result did not pass the step's check
	Common     akitad.Kind // the kind with which all endpoints failed, if it was the same
}

// giveUpCalls closes the open calls when another agent takes over, because nobody is left to read their
// answers. A question that belongs to no round stays without an answer and may be asked again.
func (t *Task) giveUpCalls() {
	const why = "not waited for: another agent took over the task before this was answered"
	for _, o := range t.Open {
		t.fill(akitad.Observation{Call: o.ID, Tool: o.Tool, Text: why, Error: &akitad.Failure{Kind: akitad.Cancelled, Message: why}})
	}
	t.Open = nil
	for i := range t.Children {
		if c := &t.Children[i]; c.Call != "" {
			c.giveUp()
		}
	}
}

// giveUp ends a child for its parent: its result no longer counts, but its usage does.
func (c *Child) giveUp() {
	if !c.Done {
		c.Done, c.State, c.GivenUp = true, akitad.WasCancelled, true
	}
}

func (t *Task) delegated(e akitad.Event, d DelegatedData) {
	for _, c := range d.Children {
		if t.child(c.ID) != nil {
			continue
		}
		if old := t.child(c.Replaces); old != nil {
			c.Call, c.Run, c.Of = old.Call, old.Run, old.Of
			if !old.Done { // it asked for a follow-up; a failed attempt would be Done
				old.Done, old.State = true, akitad.Completed
			}
			old.Call, old.Run = "", ""
		}
		t.Children = append(t.Children, Child{ChildRef: c, Delegated: e.At})
	}
	if d.Replaced != nil {
		t.take(*d.Replaced)
	}
	t.Skipped = append(t.Skipped, d.Skipped...)
}

// placeRuns marks the delegated steps as submitted: a plan waits only after it has submitted them.
func (t *Task) placeRuns() {
	for i := range t.Children {
		t.Children[i].Placed = t.Children[i].Placed || t.Children[i].Run != ""
	}
}

func (t *Task) childDone(e akitad.Event, d ChildDoneData) {
	c := t.child(d.Child)
	switch {
	case c == nil:
		return
	case c.GivenUp:
		c.GivenUp = false
		t.take(d)
		return
	case c.Done:
		return
	case t.Final(): // too late for the parent's result; files and usage are recorded, and the result is kept for a retry
		c.Done, c.State, c.Result, c.Error, c.Ended = true, d.State, d.Result, d.Error, e.At
		t.take(d)
		t.soFar()
		return
	}
	c.Done, c.State, c.Result, c.Error = true, d.State, d.Result, d.Error
	c.Ended, c.Unverified, c.Common, c.Files = e.At, d.Unverified, d.Common, d.Files
	t.take(d)
	if d.Result != nil {
		t.Degraded = append(t.Degraded, d.Result.Degraded...)
	}
	if c.Call != "" {
		t.settle(c.Call, childObservation(*c), AnsweredData{})
	}
	t.wakeIfDue(e.Seq)
}

// endedBy notes that the children which have ended did so by now, by the clock of the node that claims the task. The
// clock of the node that joined them may be ahead, or was, and a wait that is counted from their end would not end.
func (t *Task) endedBy(now time.Time) {
	for i := range t.Children {
		if c := &t.Children[i]; c.Done && c.Ended.After(now) {
			c.Ended = now
		}
	}
}

// take adds a child's usage, files and taint to those of its parent.
func (t *Task) take(d ChildDoneData) {
	t.Usage = t.Usage.Add(d.Usage)
	t.Active += d.Active
	t.Below += d.Tasks
	t.changed(d.Child, d.Files)
	t.Tainted = t.Tainted || d.Taint
	t.ranOn(d.Nodes...)
}

func (t *Task) ranOn(nodes ...string) {
	for _, n := range nodes {
		if !slices.Contains(t.Nodes, n) {
			t.Nodes = append(t.Nodes, n)
		}
	}
}

// settle closes an open call with its result, and reports whether it was open.
func (t *Task) settle(call string, o akitad.Observation, d AnsweredData) bool {
	at := slices.IndexFunc(t.Open, func(c OpenCall) bool { return c.ID == call })
	if at < 0 {
		return false
	}
	o.Call, o.Tool = call, t.Open[at].Tool
	asked := t.Open[at]
	t.Open = slices.Delete(slices.Clone(t.Open), at, at+1)
	if !t.fill(o) {
		t.Answers = append(slices.Clone(t.Answers), Answer{
			Call: call, Question: questionOf(asked), Text: o.Text, Words: d.Words, Outcome: d.Outcome,
		})
	}
	return true
}

// fill stores the result of a call in its round, and reports whether the call belongs to one.
func (t *Task) fill(o akitad.Observation) (inRound bool) {
	for i := range t.Rounds {
		for j := range t.Rounds[i].Results {
			if t.Rounds[i].Results[j].Call == o.Call {
				t.Rounds[i].Results = slices.Clone(t.Rounds[i].Results)
				t.Rounds[i].Results[j] = o
				inRound = true
			}
		}
	}
	return inRound
}

func (t *Task) child(id akitad.TaskID) *Child {
	for i := range t.Children {
		if t.Children[i].ID == id {
			return &t.Children[i]
		}
	}
	return nil
}
