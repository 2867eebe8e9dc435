package orchestrator

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

// askWord, in place of a plan in a request, asks to show the plan first.
const askWord = "ask"

// approval is a person's decision about the plan that was shown.
type approval int

const (
	unasked approval = iota
	approved
	refused
	dropped // nobody answered in time
	changed // the person's text says how
)

func planCall(t *journal.Task) string { return fmt.Sprintf("plan/%d", t.Plans) }

// approvalOf returns the decision about the task's newest plan and, for changed, the person's text.
func approvalOf(t *journal.Task) (approval, string) {
	if !t.Sub.PlanAsk {
		return approved, ""
	}
	for _, a := range t.Answers {
		if a.Call != planCall(t) {
			continue
		}
		switch choice := text.ReadChoice(a.Words); {
		case a.Outcome == assumed:
			return dropped, ""
		case a.Outcome == "approved", choice == text.Approve:
			return approved, ""
		case a.Outcome == "denied", choice == text.Stop:
			return refused, ""
		}
		return changed, a.Words
	}
	return unasked, ""
}

// approve continues with an approved plan, and else asks, changes or drops it as decided.
func (o *Orchestrator) approve(ctx context.Context, c *claim.Claim, t *journal.Task) error {
	switch said, words := approvalOf(t); said {
	case unasked:
		return o.askApproval(ctx, c)
	case changed:
		if err := o.changePlan(ctx, c, t, words); err != nil {
			return err
		}
		return o.advance(ctx, c)
	case refused:
		return orCancel(c.AppendIf(ctx, journal.Cancelled, journal.EndData{
			Error: &akitad.Failure{Kind: akitad.Cancelled, Message: "the plan was not approved; nothing has run"},
		}, wanted))
	case dropped:
		return verdict{akitad.Errorf(akitad.Expired, "%s", text.Lang(t.Sub.Origin.Lang).PlanDropped())}
	}
	if t.Planned.Plan == nil {
		return o.handOver(ctx, c, journal.WokenData{Reason: "planned", To: t.Planned.Profile})
	}
	return o.runPlan(ctx, c)
}

// askApproval shows the plan and lets the task wait for the decision.
func (o *Orchestrator) askApproval(ctx context.Context, c *claim.Claim) error {
	t := c.Snapshot()
	if t.QuestionCall() != planCall(t) {
		until := time.Now().Add(tool.AnswerTime).UTC()
		lang := text.Lang(t.Sub.Origin.Lang)
		payload, err := json.Marshal(tool.Question{Text: showPlan(lang, t), Options: text.ChoiceWords(lang, text.Approve, text.Stop)})
		if err != nil {
			return err
		}
		open := journal.OpenCall{ID: planCall(t), Tool: "plan", Kind: string(tool.SuspendApproval), Payload: payload, Until: &until}
		if err := c.Append(ctx, journal.Round, journal.RoundData{Open: []journal.OpenCall{open}}); err != nil {
			return err
		}
		t = c.Snapshot()
	}
	err := c.AppendIf(ctx, journal.Waiting, journal.WaitingData{Reason: akitad.ReasonApproval, Until: t.Open[0].Until, Note: t.Question()},
		func(t *journal.Task) bool { return len(t.Open) > 0 && wanted(t) })
	if errors.Is(err, claim.ErrMoot) {
		return o.advance(ctx, c)
	}
	return err
}

func showPlan(lang text.Lang, t *journal.Task) string {
	d := t.Planned
	if d.Plan == nil {
		return lang.ApproveOneAgent(d.Profile, d.Reason)
	}
	return lang.ApprovePlan(*d.Plan, plan.Marshal(*d.Plan), d.Problem)
}

// changePlan asks the planner to change the plan as the person wants. If it cannot, the plan stays, and the
// next question says why.
func (o *Orchestrator) changePlan(ctx context.Context, c *claim.Claim, t *journal.Task, words string) error {
	old := akitad.Plan{}
	if t.Planned.Plan != nil {
		old = *t.Planned.Plan
	}
	req := plannerRequest(t, o.plannerBrief(t))
	req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: plan.Marshal(old)},
		llm.Message{Speaker: llm.User, Text: "The person wants another plan and says:\n" + words + "\nAnswer with the whole changed YAML and nothing else."})
	dr := o.draft(ctx, t, req, "the planner sees nothing to split", func(r llm.Reply) (akitad.Plan, error) {
		if r.Model == llm.OfflineModel {
			return akitad.Plan{}, akitad.Errorf(akitad.Unavailable, "without a model no plan is changed")
		}
		p, err := o.plannerPlan(r)
		if err == nil && byPerson(t) {
			p.Params = old.Params
			err = plan.Validate(p, o.knownFor(given(t)))
		}
		return p, err
	})
	d := journal.PlannedData{Plan: dr.plan, Profile: t.Planned.Profile, Reason: dr.reason, Usage: dr.usage, Bills: dr.bills, Degraded: dr.degraded}
	switch {
	case dr.plan != nil:
		d.Reason = "changed as the person asked"
	case dr.problem:
		d.Plan, d.Problem = t.Planned.Plan, dr.reason
	}
	o.decideSplit(ctx, d)
	return orCancel(c.AppendIf(ctx, journal.Planned, d, wanted))
}
