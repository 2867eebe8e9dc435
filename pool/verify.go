package pool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// unverified is the error of a step whose result did not pass its check. The step is tried again from the
// start, by the same agent.
type unverified struct {
	err     *akitad.Error
	changed []string // files that the check changed
}

func (u unverified) Error() string { return u.err.Error() }

func (u unverified) Unwrap() error { return u.err }

// maxVerdict is the maximum number of bytes of a failed check's output that are kept, from its end.
const maxVerdict = 4000

// verify runs the step's check on a result that is about to end the step. A result that asks for a follow-up
// or another plan is not checked; the follow-up's result is.
func (w *Worker) verify(ctx context.Context, t *journal.Task, i *Instance, out *agent.Outcome) error {
	if t.Sub.Step == nil || t.Sub.Step.Verify == nil || out.Result == nil || out.Result.Replan != "" || out.Result.Next != nil && t.Sub.Nexts < journal.MaxNext {
		return nil
	}
	check := t.Sub.Step.Verify
	kind := "schema"
	if check.Command != "" {
		kind = "command"
	}
	vctx, span := w.Tracer.Start(ctx, akitad.SpanVerification, "verify", tracing.String("type", kind))
	reason, changed, err := w.check(vctx, t, i, check, out.Result)
	outcome := "completed"
	if reason != "" {
		outcome = "continue"
	}
	span.Set(tracing.String(tracing.KeyOutcome, outcome), tracing.String("reason", cmp.Or(reason, "the check passed")))
	span.End(err)
	switch {
	case err != nil:
		return err
	case reason != "":
		return unverified{akitad.Errorf(akitad.ToolFailed, "the result did not pass the step's check: %s", reason), changed}
	}
	files, err := w.keepFiles(ctx, i.Dir, changed)
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	out.Files = append(out.Files, files...)
	return nil
}

// check returns why a result does not pass, "" if it does. An error means that the check could not run.
func (w *Worker) check(ctx context.Context, t *journal.Task, i *Instance, v *akitad.Verify, r *akitad.Result) (reason string, changed []string, err error) {
	if v.Schema != nil {
		if err := plan.Conforms(v.Schema, plan.OutputOf(*r)); err != nil {
			return err.Error(), nil, nil
		}
		return "", nil, nil
	}
	res, err := w.checkCommand(ctx, t, i, v.Command)
	switch kind := akitad.KindOf(err); {
	case ctx.Err() != nil:
		return "", nil, context.Cause(ctx)
	case kind == akitad.Timeout, kind == akitad.ToolFailed:
		return tail(err.Error()), res.Changed, nil
	case err != nil:
		return "", nil, fmt.Errorf("the step's check could not run: %w", err)
	case res.Exit != 0:
		return fmt.Sprintf("%s gave %s", v.Command, tail(res.Text)), res.Changed, nil
	}
	return "", res.Changed, nil
}

// checkCommand runs the command with the shell tool, so that the rules for an agent's commands apply to it.
func (w *Worker) checkCommand(ctx context.Context, t *journal.Task, i *Instance, command string) (tool.Result, error) {
	tl, ok := w.Tools.Get(plan.VerifyTool)
	if !ok {
		return tool.Result{}, akitad.Errorf(akitad.Unavailable, "the tool %s is not enabled", plan.VerifyTool)
	}
	if err := policy.Check(t.Sub.Origin, tl.Info().ForPolicy()); err != nil {
		return tool.Result{}, err
	}
	raw, err := json.Marshal(map[string]string{"command": command})
	if err != nil {
		return tool.Result{}, err
	}
	args, err := w.Tools.Prepare(plan.VerifyTool, raw)
	if err != nil {
		return tool.Result{}, err
	}
	call := akitad.Call{ID: t.Sub.Step.ID + "-verify", Tool: plan.VerifyTool, Args: args}
	return tl.Call(ctx, tool.Input{Call: call, Args: args, Scope: w.stepScope(t, i)})
}

func tail(s string) string {
	if s = strings.TrimSpace(s); len(s) > maxVerdict {
		s = "… " + strings.ToValidUTF8(s[len(s)-maxVerdict:], "")
	}
	return s
}

// noteFailure writes the reasons why the attempts of a step failed, this one last, to its progress note,
// which the next attempt reads. The note is made from the journal each time, so that after a crash it has no
// line twice. noteFailure returns the files that belong to the end.
func (w *Worker) noteFailure(ctx context.Context, t *journal.Task, i *Instance, failure error, changed []string) []akitad.File {
	s := t.Sub.Step
	if s == nil || i.Dir == nil || s.Verify == nil && s.Retry == 0 {
		return nil
	}
	name := journal.ProgressNote(t.Sub.Call)
	err := w.stepScope(t, i).Keep()
	if err == nil {
		err = i.Dir.WriteFile(name, []byte(progressNote(*s, append(t.Sub.Reasons[:len(t.Sub.Reasons):len(t.Sub.Reasons)], failure.Error()))))
	}
	if err != nil {
		w.Log.Warn("no progress note", zap.String("task", string(t.ID)), zap.Error(err))
	} else {
		changed = append(changed, name)
	}
	files, err := w.keepFiles(ctx, i.Dir, changed)
	if err != nil {
		w.Log.Warn("the progress note is not kept", zap.String("task", string(t.ID)), zap.Error(err))
	}
	return files
}

func progressNote(s akitad.Step, reasons []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Step %s\n\n%s\n", s.ID, cmp.Or(s.Goal, s.Prompt, "the tool "+s.Tool))
	for n, r := range reasons {
		fmt.Fprintf(&b, "\n## Attempt %d did not hold\n\n%s\n", n+1, strings.TrimSpace(r))
	}
	return b.String()
}

// endOf returns the payload of the end of a completed task.
func (w *Worker) endOf(i *Instance, out agent.Outcome) journal.EndData {
	return journal.EndData{Result: out.Result, Usage: out.Usage, Bills: out.Bills, Instance: i.ID, Reused: i.Reused(), Files: out.Files, Tainted: out.Tainted}
}

// finish prepares the outcome of an activation for the end: the result is checked and then recorded under
// the step's idempotency key.
func (w *Worker) finish(ctx context.Context, c *claim.Claim, i *Instance, out *agent.Outcome) error {
	t, err := c.Mine()
	if err == nil {
		err = w.verify(ctx, t, i, out)
	}
	if err != nil {
		return err
	}
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	return w.remember(ctx, t, out)
}
