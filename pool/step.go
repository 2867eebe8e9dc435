package pool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/claim"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
)

// toolStep runs a tool step of a plan: one call, no model.
func (w *Worker) toolStep(ctx context.Context, c *claim.Claim, i *Instance) (agent.Outcome, error) {
	t := c.Snapshot()
	out := agent.Outcome{Steers: math.MaxInt} // a call cannot be corrected
	if n := len(t.Rounds); n > 0 && t.Rounds[n-1].Done && len(t.Rounds[n-1].Results) == 1 {
		done := t.Rounds[n-1].Results[0] // the call is done; only the end of the task is not recorded
		if done.Error != nil {
			return out, done.Error.Err()
		}
		out.Result = stepResult(done.Text, t.Files)
		out.Result.Whole = done.Artifact
		return out, nil
	}
	tl, args, err := w.stepCall(t)
	if err != nil {
		return out, err
	}
	call := akitad.Call{ID: t.Sub.Step.ID, Tool: t.Sub.Step.Tool, Args: args}
	if err := w.intend(ctx, c, tl.Info(), call); err != nil {
		return out, err
	}
	res, err := w.callStep(ctx, t, i, sure{tl, c}, call)
	if err != nil {
		return out, w.recordFailure(ctx, c, i, call, res, err)
	}
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	files, err := w.keepFiles(ctx, i.Dir, res.Changed)
	if err != nil {
		return out, fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	for at := range files {
		files[at].Kind = res.Kind
	}
	out.Result = stepResult(res.Text, files)
	if res.Whole != "" {
		if out.Result.Whole, err = w.Bus.PutArtifact(ctx, []byte(res.Whole)); err != nil {
			return out, fmt.Errorf("%w: %w", agent.ErrStore, err)
		}
	}
	return out, w.recordStep(ctx, c, call, res, out.Result)
}

func stepResult(said string, files []akitad.File) *akitad.Result {
	return &akitad.Result{Text: said, Data: jsonOrNil(said), Artifacts: files, Degraded: []akitad.Degradation{}}
}

// stepCall returns the step's tool and its validated arguments.
func (w *Worker) stepCall(t *journal.Task) (tool.Tool, json.RawMessage, error) {
	step := t.Sub.Step
	tl, ok := w.Tools.Get(step.Tool)
	if !ok {
		return nil, nil, akitad.Errorf(akitad.NotFound, "there is no tool %q", step.Tool)
	}
	if err := policy.Check(t.Sub.Origin, tl.Info().ForPolicy()); err != nil {
		return nil, nil, fmt.Errorf("step %s: %w", step.ID, err)
	}
	raw, err := json.Marshal(step.With)
	if err != nil {
		return nil, nil, fmt.Errorf("arguments of step %s: %w", step.ID, err)
	}
	if step.With == nil {
		raw = []byte("{}")
	}
	args, err := w.Tools.Prepare(step.Tool, raw)
	return tl, args, err
}

// intend journals a call before it runs, if it must not run twice, or if an earlier claim may have run it already.
// If it must not run again, intend returns an error.
func (w *Worker) intend(ctx context.Context, c *claim.Claim, info tool.Info, call akitad.Call) error {
	t := c.Snapshot()
	repeatable, begun := info.Readonly || info.Idempotent, len(t.Rounds) > 0
	switch {
	case repeatable && t.Claims <= 1:
		return nil
	case info.Readonly && begun && t.Rounds[0].Cut(call.ID, t.Epoch) >= journal.MaxCut:
		w.opts.Ends(ctx, t.ID, call.Tool)
		return akitad.Errorf(akitad.Unknown, "the process ended each time while %s ran for step %s, %d times: it is not run again", call.Tool, call.ID, journal.MaxCut).
			WithHint("look for what ended it, then retry the step")
	case begun && !repeatable:
		return akitad.Errorf(akitad.Unknown, "the process stopped while it ran, and whether it took effect is not known").
			WithHint("look at the state of things, then retry the step")
	}
	var err error
	if !begun {
		err = c.Append(ctx, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{call}})
	}
	if err == nil && repeatable {
		err = c.Append(ctx, journal.Begun, journal.BegunData{Round: 1, Calls: []string{call.ID}})
	}
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	return nil
}

// callStep makes the call in a span of its own.
func (w *Worker) callStep(ctx context.Context, t *journal.Task, i *Instance, tl tool.Tool, call akitad.Call) (tool.Result, error) {
	ctx, span := w.Tracer.Start(ctx, akitad.SpanTool, call.Tool, tracing.String(tracing.KeyTool, call.Tool),
		tracing.String(tracing.KeyArgsDigest, akitad.Digest(call.Tool, string(call.Args))))
	res, err := tl.Call(ctx, tool.Input{Call: call, Args: call.Args, Scope: w.stepScope(t, i)})
	if err == nil && res.Suspend != nil {
		err = akitad.Errorf(akitad.InvalidRequest, "tool %s waits for somebody else and cannot be a plan's tool step", call.Tool)
	}
	switch {
	case err != nil && ctx.Err() != nil:
		err = context.Cause(ctx) // the step's time limit or the end of the claim, not a failure of the tool
	case err == nil && res.Exit != 0:
		err = akitad.Errorf(akitad.ToolFailed, "%s failed: %s", call.Tool, tail(res.Text))
	}
	outcome := "ok"
	if err != nil {
		outcome = string(akitad.KindOf(err))
	}
	span.Set(tracing.Int(tracing.KeyBytes, len(res.Text)), tracing.String(tracing.KeyOutcome, outcome))
	span.End(err)
	return res, err
}

// recordStep journals a call that has run, if it must not run twice, has written files, or has read
// untrusted text.
func (w *Worker) recordStep(ctx context.Context, c *claim.Claim, call akitad.Call, res tool.Result, done *akitad.Result) error {
	if len(c.Snapshot().Rounds) == 0 && len(done.Artifacts) == 0 && !res.Untrusted {
		return nil
	}
	obs := akitad.Observation{Call: call.ID, Tool: call.Tool, Text: res.Text, Bytes: len(res.Text), Artifact: done.Whole, Untrusted: res.Untrusted}
	err := c.Append(ctx, journal.Round, journal.RoundData{Round: 1, Files: done.Artifacts, Tainted: res.Untrusted, Results: []akitad.Observation{obs}})
	if err != nil {
		return fmt.Errorf("%w: %w", agent.ErrStore, err)
	}
	return nil
}

// recordFailure journals a failed call and the files that it wrote all the same, so that they can be undone,
// and returns the failure. Of a call that was interrupted because the process stops only that is recorded, since its
// outcome is not known.
func (w *Worker) recordFailure(ctx context.Context, c *claim.Claim, i *Instance, call akitad.Call, res tool.Result, failure error) error {
	if errors.Is(failure, claim.ErrLost) {
		return failure
	}
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	if errors.Is(failure, claim.ErrShutdown) {
		if len(c.Snapshot().Rounds) > 0 {
			w.warnLost(c, c.Append(ctx, journal.Begun, journal.BegunData{Round: 1, Stopped: []string{call.ID}}))
		}
		return failure
	}
	files, err := w.keepFiles(ctx, i.Dir, res.Changed)
	if err == nil && len(files)+len(c.Snapshot().Rounds) > 0 {
		obs := akitad.Observation{Call: call.ID, Tool: call.Tool, Text: failure.Error(), Error: akitad.FailureOf(failure)}
		err = c.Append(ctx, journal.Round, journal.RoundData{Round: 1, Files: files, Tainted: res.Untrusted, Results: []akitad.Observation{obs}})
	}
	w.warnLost(c, err)
	return failure
}

// warnLost logs that what became of a call is not on record.
func (w *Worker) warnLost(c *claim.Claim, err error) {
	if err != nil {
		w.Log.Warn("what became of a call is not on record", zap.String("task", string(c.Snapshot().ID)), zap.Error(err))
	}
}

// stepScope returns what the call of a step may know about its task.
func (w *Worker) stepScope(t *journal.Task, i *Instance) tool.Scope {
	return tool.Scope{
		Task: t.ID, Root: t.Sub.Root, Depth: t.Sub.Depth, Profile: i.Profile.Name, Path: t.Sub.Path, Session: t.Sub.Session,
		Origin: t.Sub.Origin, Dir: i.Dir, Tainted: t.Tainted,
	}
}

func jsonOrNil(text string) akitad.RawJSON {
	if b := bytes.TrimSpace([]byte(text)); len(b) > 0 && (b[0] == '{' || b[0] == '[') && json.Valid(b) {
		return b
	}
	return nil
}

// maxBack is the maximum number of earlier tasks of a session that are read.
const maxBack = 1000

// maxUnanswered is the maximum number of tasks without an answer among them, which are read for nothing. A
// thousand tasks that are not cached take up to a second on two quiet cores, and several on loaded ones.
const maxUnanswered = 200

// earlier returns the earlier turns of the session, oldest first.
func (w *Worker) earlier(ctx context.Context, t *journal.Task) ([]window.Turn, error) {
	given, err := w.Journal.Given(ctx, t, maxBack)
	if err != nil {
		return nil, err
	}
	var past window.Past
	for _, g := range slices.Backward(given) {
		if !past.Add(window.Turn{Said: g.Said, Answered: g.Answered}) {
			return past.Turns(), nil
		}
	}
	unanswered := 0
	err = w.back(ctx, t, func(before *journal.Task) bool {
		if said := before.Sub.Text; said != "" && before.Result != nil && before.Result.Text != "" {
			return past.Add(window.Turn{Said: said, Answered: before.Result.Text})
		}
		unanswered++
		return unanswered <= maxUnanswered
	})
	return past.Turns(), err
}

// back calls fn with the tasks of the session before t, newest first, until fn returns false. A purged task
// ends the walk, because the tasks before it can no longer be found.
func (w *Worker) back(ctx context.Context, t *journal.Task, fn func(*journal.Task) bool) error {
	id := t.Sub.Follows
	for range maxBack {
		if id == "" {
			return nil
		}
		before, err := w.Journal.Load(ctx, id)
		if err != nil || !before.Exists() || !fn(before) {
			return err
		}
		id = before.Sub.Follows
	}
	return nil
}

type nodeInfo struct {
	Node     string   `json:"node"`
	Agents   []Stats  `json:"agents"`
	Fallback []string `json:"fallback,omitempty"` // the fallback chain of the profile that was asked for
	Paused   bool     `json:"paused,omitempty"`   // this node begins no round of the profile
}

// hereInfo encodes the answer of a worker.
func hereInfo(info nodeInfo) []byte {
	b, err := json.Marshal(info)
	if err != nil {
		return []byte("{}")
	}
	return b
}
