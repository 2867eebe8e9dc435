package journal

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// OrchestratorProfile is the profile in whose queue tasks wait for an orchestrator.
const OrchestratorProfile = "orchestrator"

// Target returns the profile in whose queue the task belongs: OrchestratorProfile until planning, or the
// plan, is finished, then the task's profile.
func (t *Task) Target() string {
	if !t.Handed {
		return OrchestratorProfile
	}
	return t.Profile
}

// NormalGoal folds case and white space and leaves out what ends a sentence and quotes around it, so that the same
// goal in other clothes is the same.
func NormalGoal(goal string) string {
	return strings.TrimRight(strings.TrimLeft(strings.Join(strings.Fields(strings.ToLower(goal)), " "), "\"'“‘「*_"), " \"'”’」*_.。!！?？;；:：,，…")
}

// View returns the task as the API and the command line show it.
func (t *Task) View() akitad.Task {
	v := akitad.Task{
		ID: t.ID, Root: t.Sub.Root, Parent: t.Sub.Parent, Depth: t.Sub.Depth, State: t.State, Reason: t.ShownReason(), WaitsFor: t.WaitCause,
		Profile: t.Profile, Session: t.Sub.Session, Origin: t.Sub.Origin, Text: t.Sub.Text, Strategy: t.Strategy,
		Priority: t.Sub.Priority, Result: t.viewResult(), Error: t.Error, Attempts: t.Attempts + 1,
		Rounds: len(t.Rounds), Rating: t.Rating, Usage: t.Usage, Folder: t.Sub.Folder, Created: t.Created,
		Started: timeOrNil(t.Started), Ended: timeOrNil(t.Ended), Question: t.Question(),
		Flow: t.Sub.Flow, FlowHash: t.Sub.FlowHash, RolledBack: timeOrNil(t.RolledBackAt),
	}
	if t.Compiled != nil {
		v.Spec = &t.Compiled.Spec
	}
	if t.Planned != nil {
		v.Plan = t.Planned.Plan
		v.Steps = t.steps()
	}
	for _, c := range t.Children {
		v.Children = append(v.Children, c.ID)
	}
	return v
}

// ShownReason returns the reason why the task does not run, as people see it: a paused task shows
// ReasonPaused, whatever else it waits for.
func (t *Task) ShownReason() string {
	if t.IsPaused && t.State == akitad.Waiting {
		return akitad.ReasonPaused
	}
	return t.Reason
}

// Question returns the open question to the person, "" if there is none.
func (t *Task) Question() string {
	c, _ := t.question()
	return questionOf(c)
}

// QuestionCall returns the id of the open call of Question.
func (t *Task) QuestionCall() string {
	c, _ := t.question()
	return c.ID
}

func (t *Task) question() (OpenCall, bool) {
	for _, c := range t.Open {
		if (c.Kind == "answer" || c.Kind == "approval") && questionOf(c) != "" {
			return c, true
		}
	}
	return OpenCall{}, false
}

func questionOf(c OpenCall) string {
	var q struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(c.Payload, &q); err != nil {
		return ""
	}
	return q.Text
}

// viewResult returns the result together with the files that the task and its children wrote.
func (t *Task) viewResult() *akitad.Result {
	if t.Result == nil && (!t.Final() || len(t.Files) == 0 || t.RolledBack) {
		return nil
	}
	r := akitad.Result{Partial: true} // no text, but files
	if t.Result != nil {
		r = *t.Result
	}
	r.Degraded = append([]akitad.Degradation{}, r.Degraded...)
	r.Artifacts = mergeFiles(slices.Clone(r.Artifacts), t.Files)
	return &r
}

func (t *Task) steps() []akitad.StepView {
	if t.Planned.Plan == nil {
		return nil
	}
	var out []akitad.StepView
	for _, s := range t.Planned.Plan.Steps {
		out = append(out, t.step(s))
	}
	return out
}

func (t *Task) step(s akitad.Step) akitad.StepView {
	v := akitad.StepView{ID: s.ID, State: "pending", Profile: s.Agent}
	for _, n := range t.Skipped {
		if n.Step == s.ID && !n.Refused() {
			v.State = n.State
			if n.Reason != "" {
				v.Error = &akitad.Failure{Kind: akitad.Unavailable, Message: n.Reason}
			}
		}
	}
	told, of, runs := -1, 0, map[string]bool{}
	for _, c := range t.Children {
		if StepOf(c.Run) != s.ID {
			continue
		}
		of, runs[c.Run] = max(of, c.Of), true
		if c.Attempt > 1 {
			v.Attempts = max(v.Attempts, c.Attempt)
		}
		if state, failure := t.childState(c); tells(state) >= told {
			told = tells(state)
			v.Task, v.State, v.Error = c.ID, state, failure
		}
	}
	for _, n := range t.Skipped { // an item that was left out has none, and is settled
		if n.Step != s.ID && StepOf(n.Step) == s.ID && !n.Refused() {
			runs[n.Step] = true
		}
	}
	if left := of - len(runs); left > 0 && tells(v.State) < tells(t.openState()) { // items that have no task yet
		v.State, v.Error = t.openState(), nil
	}
	for _, n := range t.Skipped {
		if n.Refused() && StepOf(n.Step) == s.ID {
			v.State, v.Error = n.State, &akitad.Failure{Kind: n.Kind, Message: n.Reason}
		}
	}
	return v
}

// childState returns the state that a child gives to its step, and its failure.
func (t *Task) childState(c Child) (string, *akitad.Failure) {
	if c.Done {
		return string(c.State), c.Error
	}
	return t.openState(), nil
}

// openState is the state of what a plan has not ended: in a task that has ended it is cancelled.
func (t *Task) openState() string {
	if t.Final() {
		return string(akitad.WasCancelled)
	}
	return string(akitad.Running)
}

// tells orders the states of a step's items by how much they tell of the step: it runs as long as one of them
// does, and is completed when all of them are.
func tells(state string) int {
	return slices.Index([]string{string(akitad.Completed), string(akitad.WasCancelled), string(akitad.Failed), string(akitad.Running)}, state)
}

func timeOrNil(at time.Time) *time.Time {
	if at.IsZero() {
		return nil
	}
	return &at
}

// childObservation returns a child's end as the parent's model sees it.
func childObservation(c Child) akitad.Observation {
	o := akitad.Observation{Error: c.Error}
	switch {
	case c.Result != nil && c.Result.Text != "":
		o.Text, o.Artifact = c.Result.Text, c.Result.Whole
		if len(c.Result.Data) > 0 {
			o.Text += "\n\ndata: " + string(c.Result.Data)
		}
		for _, f := range c.Result.Artifacts {
			o.Text += fmt.Sprintf("\nfile: %s (%d bytes)", f.Name, f.Size)
		}
	case c.Error != nil:
		o.Text = "the delegated task failed: " + c.Error.Message + wrote(c.Files)
	default:
		o.Text = "the delegated task ended as " + string(c.State) + " without a result" + wrote(c.Files)
	}
	return o
}

// wrote lists the files of a child that has no result.
func wrote(files []akitad.File) string {
	out := ""
	for _, f := range files {
		out += fmt.Sprintf("\nfile written before that: %s (%d bytes)", f.Name, f.Size)
	}
	return out
}
