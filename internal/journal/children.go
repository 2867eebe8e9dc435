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
	Placed    bool // of a step: its own journal is there, since the plan went to sleep after it was submitted
	Done      bool
	GivenUp   bool // Done without its end: nobody waits for it any more
	State     akitad.State
	Result    *akitad.Result
	Files     []akitad.File // that it and its children wrote
	Error     *akitad.Failure

	Ended      time.Time
	Unverified bool        // it failed since its result did not pass the step's check
	Common     akitad.Kind // with which all endpoints failed, if it is one
}

// giveUpCalls settles what an agent still waited for when another one took its place: nobody is left
// to read the answers. What no round asked was answered by nobody, and may be asked again.
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

// giveUp ends a child for its parent: what it comes to no longer counts, what it uses does.
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
			c.Call, c.Run = old.Call, old.Run
			if !old.Done { // it ended with the wish for a follow-up; an attempt that did not hold has failed
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

// placeRuns notes that the plan has submitted the steps that it delegated: it sleeps only after that.
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
	case t.Final(): // too late for this end; what it wrote and used is on record, and its result for a retry
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

// take adds what a child used, wrote and read to its parent's own.
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

// settle fills in the result of an open call and closes it; false if it was not open.
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

// fill puts a result in the place of its call; false if no round asked it.
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
