package journal

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// StepOf returns the plan step of a run: "find" for the run "find" and for its item "find/3".
func StepOf(run string) string {
	step, _, _ := strings.Cut(run, "/")
	return step
}

// ProgressNote returns the name, in the session's folder, of the file that says why the attempts of a step
// failed. It exists from the first failure on.
func ProgressNote(run string) string { return "progress/" + run + ".md" }

// IsProgressNote reports whether name is that of a progress note.
func IsProgressNote(name string) bool {
	return strings.HasPrefix(name, "progress/") && strings.HasSuffix(name, ".md")
}

// StillCall, followed by the number of rounds so far, is the id of the open call that asks a person how an
// agent that makes no progress should continue.
const StillCall = "standstill-"

// Prefixes of the ids of open calls that ask about a plan as a whole, and about one step of it.
const (
	planCall = "plan/"
	stepCall = "step/"
)

// PlanCall reports whether an open call asks a person about the plan itself, not about the work.
func PlanCall(call string) bool {
	return strings.HasPrefix(call, planCall) || strings.HasPrefix(call, stepCall)
}

// Decides reports whether the answer to an open call decides what the task may do or use. Other answers
// only inform it.
func Decides(call string) bool {
	return PlanCall(call) || strings.HasPrefix(call, BudgetCall) || strings.HasPrefix(call, StillCall)
}

// approves reports whether an answer about a plan approves it.
func (a Answer) approves() bool {
	return a.Outcome == "approved" || a.Outcome == OutcomeAnswered && text.ReadChoice(a.Words) == text.Approve
}

// replanned replaces the plan by the rewritten one. The tasks of steps that it does not keep no longer
// count, whatever their results.
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

// keep decides whether the task of a step still counts under the new plan.
func (c *Child) keep(d ReplannedData) {
	switch {
	case c.Run == "":
	case !slices.Contains(d.Kept, StepOf(c.Run)):
		c.Run = ""
		c.giveUp()
	case c.Result != nil && c.Result.Replan != "" && slices.Contains(d.Causes, string(c.ID)):
		r := *c.Result // what it lacks is now the work of other steps
		r.Replan, r.Partial, r.Missing = "", false, nil
		c.Result = &r
	}
}
