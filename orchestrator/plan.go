package orchestrator

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/tracing"
)

//go:embed planner.md
var plannerPrompt string

// planFrom is the complexity of a spec from which the planner is asked.
const planFrom = 3

// planTries is how often a planner is asked until its plan is valid.
const planTries = 3

// plan decides how the task is done: by a person's plan, by one agent, or by a plan of the planner. If the
// planner cannot write a valid plan, one agent does the task.
func (o *Orchestrator) plan(ctx context.Context, c *claim.Claim, t *journal.Task) error {
	d := journal.PlannedData{Profile: t.Profile}
	src, err := o.planSource(t.Sub.Plan, t.Sub.Flow)
	switch {
	case err != nil:
		return err
	case src != "":
		p, err := o.readPlan(src, t.Sub.Params)
		if err == nil {
			err = o.permitted(t.Sub.Origin, p)
		}
		if err != nil {
			return err
		}
		d.Plan, d.Reason = &p, "given by a person"
	case o.opts.NoPlanner:
		d.Reason = "the planner is switched off"
	case t.Compiled.Complexity < planFrom && !t.Sub.PlanAsk:
		d.Reason = "short enough for one agent"
	default:
		o.askPlanner(ctx, t, &d)
	}
	o.decideSplit(ctx, d)
	return c.Append(ctx, journal.Planned, d)
}

// decideSplit records the choice as a span.
func (o *Orchestrator) decideSplit(ctx context.Context, d journal.PlannedData) {
	_, span := o.Tracer.Start(ctx, akitad.SpanDecision, "split", tracing.String("type", "split"),
		tracing.Strings("options", []string{"one agent", "plan"}))
	choice := "one agent"
	if d.Plan != nil {
		choice = "plan"
	}
	span.Set(tracing.String("choice", choice), tracing.String("reason", d.Reason))
	span.End(nil)
}

// askPlanner asks the planner and sets d.Plan if its plan is valid and splits the work.
func (o *Orchestrator) askPlanner(ctx context.Context, t *journal.Task, d *journal.PlannedData) {
	dr := o.draft(ctx, t, plannerRequest(t, o.plannerBrief(t)), "the planner sees nothing to split", o.plannerPlan)
	d.Plan, d.Reason, d.Usage, d.Bills, d.Degraded = dr.plan, dr.reason, dr.usage, dr.bills, dr.degraded
	if d.Plan != nil {
		d.Reason = "split by the planner"
	}
}

func plannerRequest(t *journal.Task, b llm.Brief) llm.Request {
	return llm.Request{
		Task: t.ID, Role: llm.RolePlanner, System: plannerPrompt, Offline: t.Sub.Offline,
		Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(t.Sub.Text)}},
	}
}

// draft is the outcome of asking the planner.
type draft struct {
	plan     *akitad.Plan // nil: there is none
	reason   string       // why there is none
	problem  bool         // there is no plan because of a failure, not because none is needed
	usage    akitad.Usage
	bills    akitad.Bills
	degraded []akitad.Degradation
}

// draft asks the planner for a plan until read accepts one, at most planTries times. A plan without steps
// means that no plan is needed; its recorded reason is none. If the budget of the task's tree is used up,
// the planner is not asked.
func (o *Orchestrator) draft(ctx context.Context, t *journal.Task, req llm.Request, none string, read func(llm.Reply) (akitad.Plan, error)) draft {
	d := draft{problem: true}
	for range planTries {
		if limit := o.usedUp(ctx, t, d.usage); limit != "" {
			d.reason = "the planner was not asked: the budget of this task is used up (" + limit + ")"
			o.supervise(ctx, guard.Spending, guard.Refuse)
			return d
		}
		reply, err := o.Model.Generate(ctx, req)
		if err != nil {
			o.Log.Warn("no planner answers", zap.String("task", string(req.Task)), zap.Error(err))
			d.reason = "no planner answered: " + err.Error()
			lost := llm.Billed(err)
			d.usage, d.bills = d.usage.Add(lost.Total()), d.bills.Add(lost...)
			return d
		}
		d.usage, d.bills = d.usage.Add(reply.Usage), d.bills.Add(reply.Bills...)
		d.degraded = append(d.degraded, reply.Degraded...)
		p, err := read(reply)
		if err == nil {
			err = o.permitted(t.Sub.Origin, p)
		}
		switch {
		case err != nil:
			d.reason = "the planner's plan was not valid: " + err.Error()
			req.Messages = sendBack(req.Messages, reply, err)
			continue
		case len(p.Steps) == 0:
			d.problem, d.reason = false, none
			return d
		}
		d.problem, d.reason, d.plan = false, "", &p
		return d
	}
	return d
}

// sendBack adds an invalid plan and its error to the conversation.
func sendBack(sent []llm.Message, reply llm.Reply, err error) []llm.Message {
	sent = slices.Clip(sent)
	if strings.TrimSpace(reply.Text) != "" { // no vendor takes an empty message
		sent = append(sent, llm.Message{Speaker: llm.Assistant, Text: reply.Text})
	}
	text := "That is not a valid plan: " + err.Error() + "."
	if hint := akitad.FailureOf(err).Hint; hint != "" {
		text += " " + hint
	}
	return append(sent, llm.Message{Speaker: llm.User, Text: text + "\nAnswer again with the whole corrected YAML and nothing else."})
}

func (o *Orchestrator) plannerPlan(reply llm.Reply) (akitad.Plan, error) {
	if reply.Finish == llm.FinishLength {
		return akitad.Plan{}, errCut()
	}
	return plan.Check(reply.Text, o.knownFor(nil))
}

func errCut() error {
	return akitad.Errorf(akitad.InvalidRequest, "the plan was cut by the length limit: write a shorter one")
}

func (o *Orchestrator) plannerBrief(t *journal.Task) llm.Brief {
	s := t.Compiled.Spec
	b := llm.Brief{
		Language: t.Sub.Origin.Lang, Constraints: s.Constraints, Output: s.OutputRequirements, Given: s.Inputs.Given, Profiles: o.Profiles.Described(),
	}
	for _, f := range t.Sub.Files {
		b.Files = append(b.Files, llm.BriefFile{Name: f.Name, Bytes: f.Size})
	}
	for _, info := range o.Tools.Steps() {
		if policy.Check(t.Sub.Origin, info.ForPolicy()) == nil {
			b.Tools = append(b.Tools, info.Name)
		}
	}
	return b
}

// permitted returns an error if the plan calls a tool that may not be called for a person of that origin.
func (o *Orchestrator) permitted(from akitad.Origin, p akitad.Plan) error {
	for _, s := range p.Steps {
		calls := []string{s.Tool}
		if s.Verify != nil && s.Verify.Command != "" {
			calls = append(calls, plan.VerifyTool)
		}
		for _, name := range calls {
			tl, ok := o.Tools.Get(name)
			if !ok {
				continue // not a tool step, or a tool that validation has refused
			}
			if err := policy.Check(from, tl.Info().ForPolicy()); err != nil {
				return fmt.Errorf("step %s: %w", s.ID, err)
			}
		}
	}
	return nil
}

func (o *Orchestrator) profileNames() []string {
	var out []string
	for _, p := range o.Profiles.Described() {
		out = append(out, p.Name)
	}
	return out
}

// knownFor returns the names that a plan may use.
func (o *Orchestrator) knownFor(params map[string]any) plan.Known {
	k := plan.Known{Profiles: o.profileNames(), Params: params, ToolSchemas: map[string]json.RawMessage{}}
	if o.Models != nil {
		k.Roles, k.Tags = o.Models.Models(), append([]string{}, o.Models.Tags()...)
	} else {
		for _, role := range llm.Roles() {
			k.Roles = append(k.Roles, string(role))
		}
	}
	k.Waiting = o.Tools.Waiting()
	for _, info := range o.Tools.Steps() {
		k.Tools = append(k.Tools, info.Name)
		k.ToolSchemas[info.Name] = info.Schema
	}
	return k
}

// mayOverlap reports whether a step may run at the same time as others: if it is marked as parallel, is an
// agent or model step, or calls a tool that is safe to run in parallel.
func (o *Orchestrator) mayOverlap(s akitad.Step) bool {
	if s.Parallel {
		return true
	}
	if s.Tool == "" {
		return false
	}
	tl, ok := o.Tools.Get(s.Tool)
	return ok && tl.Info().ParallelSafe
}

// profileFor returns the profile that runs a step: its agent, or the profile for single calls.
func profileFor(s akitad.Step) string {
	return cmp.Or(s.Agent, map[string]string{"tool": "operator", "model": "assistant"}[s.Kind()])
}
