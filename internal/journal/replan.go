package journal

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// StepOf gives the plan step of a run: "find" of "find" and of "find/3".
func StepOf(run string) string {
	step, _, _ := strings.Cut(run, "/")
	return step
}

// ProgressNote names the file of the session's folder that tells why the attempts of a step did not
// hold; it is there from the first failure on.
func ProgressNote(run string) string { return "progress/" + run + ".md" }

// IsProgressNote reports whether a file of that name is such a note.
func IsProgressNote(name string) bool {
	return strings.HasPrefix(name, "progress/") && strings.HasSuffix(name, ".md")
}

// StillCall, with the number of rounds until then, is the open call that stands for the question how an
// agent that gets no further is to go on.
const StillCall = "standstill-"

// How the ids of the calls begin that ask about a plan as a whole, and about one step of it.
const (
	planCall = "plan/"
	stepCall = "step/"
)

// PlanCall reports whether a call asks a person about the plan itself and not about the work.
func PlanCall(call string) bool {
	return strings.HasPrefix(call, planCall) || strings.HasPrefix(call, stepCall)
}

// Decides reports whether the answer to a call decides what a task may do or use, and does not only tell
// it something.
func Decides(call string) bool {
	return PlanCall(call) || strings.HasPrefix(call, BudgetCall) || strings.HasPrefix(call, StillCall)
}

// approves reports whether an answer about a plan lets it run.
func (a Answer) approves() bool {
	return a.Outcome == "approved" || a.Outcome == OutcomeAnswered && text.ReadChoice(a.Words) == text.Approve
}

// replanned puts the rewritten plan in the place of the old one. Tasks of steps that it does not keep
// no longer count, whatever they come to.
func (t *Task) replanned(e akitad.Event, d ReplannedData) {
	t.Replans++
	t.Causes = append(t.Causes, d.Causes...)
	t.spend(e.At, d.Usage, d.Bills, "", "planner")
	t.Degraded = append(t.Degraded, d.Degraded...)
	if d.Plan == nil || t.Planned == nil {
		return
	}
	p := *t.Planned
	p.Plan, p.Reason = d.Plan, d.Reason
	t.Planned = &p
	for i := range t.Children {
		t.Children[i].keep(d)
	}
	t.Skipped = slices.DeleteFunc(slices.Clone(t.Skipped), func(n StepNote) bool {
		return !slices.Contains(d.Kept, StepOf(n.Step))
	})
}

// keep lets a step's task count under the new plan, or no longer.
func (c *Child) keep(d ReplannedData) {
	switch {
	case c.Run == "":
	case !slices.Contains(d.Kept, StepOf(c.Run)):
		c.Run = ""
		c.giveUp()
	case c.Result != nil && c.Result.Replan != "" && slices.Contains(d.Causes, string(c.ID)):
		r := *c.Result // what it lacks is now the work of others
		r.Replan, r.Partial, r.Missing = "", false, nil
		c.Result = &r
	}
}
