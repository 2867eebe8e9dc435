package orchestrator

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// assumed is the outcome of a question that was not answered in time.
const assumed = "assumed"

// runnable returns the task's plan as it is run: if nobody can be asked, on_error: ask becomes fail.
func runnable(t *journal.Task) akitad.Plan {
	p := *t.Planned.Plan
	if t.IsRoot() && t.Sub.Origin.Interactive() { // a question of a delegated task would reach nobody
		return p
	}
	p.Steps = slices.Clone(p.Steps)
	for i := range p.Steps {
		if p.Steps[i].OnError == plan.OnErrorAsk {
			p.Steps[i].OnError = plan.OnErrorFail
		}
	}
	return p
}

// askSteps opens a question for each failed step with on_error: ask that has no open question.
func (o *Orchestrator) askSteps(ctx context.Context, c *claim.Claim, notes []plan.Note) error {
	t := c.Snapshot()
	until := time.Now().Add(tool.AnswerTime).UTC()
	var open []journal.OpenCall
	for _, n := range notes {
		ask, isNew := askAbout(t, n, until)
		if isNew {
			open = append(open, ask)
		}
	}
	if len(open) == 0 {
		return nil
	}
	return c.Append(ctx, journal.Round, journal.RoundData{Open: open})
}

// askAbout makes the question about a failed step; isNew is false if it is open already. After an answer
// that is none of the choices, the question is asked again.
func askAbout(t *journal.Task, n plan.Note, until time.Time) (ask journal.OpenCall, isNew bool) {
	child, nr, asked := journal.Child{}, 1, 0
	if at := slices.IndexFunc(t.Children, func(c journal.Child) bool { return c.Run == n.ID }); at >= 0 {
		child = t.Children[at]
		nr = attempt(child.ChildRef)
	}
	for _, a := range t.Answers {
		if run, id, ok := askedAbout(a.Call); ok && run == n.ID && id == child.ID {
			asked++
		}
	}
	lang := text.Lang(t.Sub.Origin.Lang)
	payload, err := json.Marshal(tool.Question{
		Text:    lang.StepAsks(n.ID, nr, n.Reason, asked > 0),
		Options: text.ChoiceWords(lang, text.Retry, text.Skip, text.Stop), Assumption: "the step counts as failed",
	})
	if err != nil {
		return ask, false
	}
	ask = journal.OpenCall{ID: askCall(n.ID, child.ID, asked+1), Tool: "ask_user", Kind: string(tool.SuspendAnswer), Payload: payload, Until: &until}
	return ask, !slices.ContainsFunc(t.Open, func(c journal.OpenCall) bool { return c.ID == ask.ID })
}

func askCall(run string, child akitad.TaskID, nr int) string {
	return fmt.Sprintf("step/%s@%s#%d", run, child, nr)
}

// askedAbout parses the id of a question about a step: the run and the failed child, which is "" if the step
// could not begin.
func askedAbout(call string) (run string, child akitad.TaskID, ok bool) {
	rest, ok := strings.CutPrefix(call, "step/")
	if !ok {
		return "", "", false
	}
	run, rest, ok = strings.Cut(rest, "@")
	id, _, _ := strings.Cut(rest, "#")
	return run, akitad.TaskID(id), ok
}

// decided returns the answer that decides about a failed child, the zero Answer if there is none.
func decided(t *journal.Task, c journal.Child) journal.Answer {
	for _, a := range t.Answers {
		if _, child, ok := askedAbout(a.Call); ok && child == c.ID && (a.Outcome == assumed || stepChoice(a) != "") {
			return a
		}
	}
	return journal.Answer{}
}

// stepChoice returns which of the three choices (retry, skip, stop) an answer is, "" if none.
func stepChoice(a journal.Answer) text.Choice {
	if c := text.ReadChoice(a.Words); c != text.Approve {
		return c
	}
	return ""
}

// onError returns the value of on_error to which an answer amounts, "" if none.
func onError(a journal.Answer) string {
	switch {
	case a.Call == "":
		return ""
	case a.Outcome == assumed:
		return plan.OnErrorFail
	case stepChoice(a) == text.Skip:
		return plan.OnErrorSkip
	}
	return ""
}

// stoppedByPerson reports whether a person chose to end the plan with the results so far.
func stoppedByPerson(t *journal.Task) bool {
	return slices.ContainsFunc(t.Answers, func(a journal.Answer) bool {
		_, _, ok := askedAbout(a.Call)
		return ok && a.Outcome != assumed && stepChoice(a) == text.Stop
	})
}

// stopPlan ends the task with the results so far and lists what is missing. Children that still run are
// cancelled because the task ends.
func (o *Orchestrator) stopPlan(ctx context.Context, c *claim.Claim, t *journal.Task, joined []plan.Result) error {
	lang := text.Lang(t.Sub.Origin.Lang)
	var good []plan.Result
	for i, r := range joined {
		switch {
		case r.State == plan.StepCompleted:
			good = append(good, r)
		case r.Reason == "":
			joined[i].Reason = lang.PlanStopped()
		}
	}
	if len(good) == 0 {
		return verdict{akitad.Errorf(akitad.ToolFailed, "the plan was stopped: %s", strings.Join(plan.Missing(joined), "; "))}
	}
	return orCancel(o.complete(ctx, c, t, envelope(good), joined, wanted))
}
