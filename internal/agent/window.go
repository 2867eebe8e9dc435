package agent

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
)

// ask makes the request of one round. If the server refuses it as too long, it is reduced and made once
// more.
func (r *run) ask(ctx context.Context, t *journal.Task, notes []string) (llm.Reply, error) {
	in, reply := r.input(t, notes)
	req, rep, _, err := r.window(ctx, in, window.Growth)
	if err != nil {
		return llm.Reply{}, err
	}
	answer, refused := r.generate(ctx, t, req, rep, reply)
	if akitad.KindOf(refused) != akitad.ContextOverflow {
		return answer, refused
	}
	in.Reduced = r.rec.Snapshot().Reduced
	req, rep, smaller, err := r.window(ctx, in, window.Overflow)
	switch {
	case err != nil:
		return llm.Reply{}, err
	case !smaller:
		return llm.Reply{}, refused
	}
	return r.generate(ctx, t, req, rep, reply)
}

// input returns what the round's window is built from, and the tokens that are left for the reply.
func (r *run) input(t *journal.Task, notes []string) (in window.Input, reply int) {
	limits := r.opts.Limits(r.served(t))
	budget, reply := r.context().Budget(limits.Window, min(r.opts.MaxOutput, cmp.Or(limits.MaxOutput, r.opts.MaxOutput)))
	in = window.Input{
		System: System(r.turn.Profile, t), Tools: r.tools.block, Earlier: r.turn.Earlier, Words: t.Sub.Text, Parts: r.images(t),
		Rounds: t.Rounds, Reduced: t.Reduced, Notes: notes, Last: r.said.bound.last(), Budget: budget,
		Weights: r.counts.Weights(lastEndpoint(t, limits.Endpoint)), Counter: &r.counter,
	}
	if t.Compiled != nil {
		in.Constraints = t.Compiled.Spec.Constraints
	}
	return in, reply
}

// served returns a request that has only the choice of the models that serve the task.
func (r *run) served(t *journal.Task) llm.Request {
	req := llm.Request{Role: llm.RoleMain}
	req.Use(Choice(r.turn.Profile, t))
	return req
}

// context returns the window options for the profile.
func (r *run) context() window.Options {
	opts := r.opts.Context
	opts.Strategy = cmp.Or(window.Strategy(r.turn.Profile.Context.Strategy), opts.Strategy)
	return opts
}

// lastEndpoint returns the endpoint that answered last, which is most likely asked again.
func lastEndpoint(t *journal.Task, first string) string {
	if n := len(t.Rounds); n > 0 {
		return cmp.Or(t.Rounds[n-1].Thought.Endpoint, first)
	}
	return first
}

// window builds the request of a round. If the window is too large, or a server has refused it as too long,
// it is reduced first, and the reduction is recorded before the request is made.
func (r *run) window(ctx context.Context, in window.Input, cause window.Cause) (req llm.Request, rep window.Report, smaller bool, err error) {
	ctx, span := r.opts.Tracer.Start(ctx, akitad.SpanContext, "window")
	defer func() { span.End(err) }()
	if smaller, err = r.reduce(ctx, &in, cause); err != nil {
		return req, rep, false, err
	}
	req, rep, err = window.Build(in)
	span.Set(tracing.Int("tokens_before", rep.Whole), tracing.Int("tokens_after", rep.Tokens), tracing.Int("budget", rep.Budget),
		tracing.Int("stage", rep.Stage), tracing.Int("masked", rep.Masked))
	if smaller {
		span.Set(tracing.Bool("reduced", true), tracing.String("cause", cmp.Or(string(cause), "growth")))
	}
	if len(rep.Repaired) > 0 {
		span.Set(tracing.Strings("repaired", rep.Repaired))
	}
	return req, rep, smaller, err
}

// reduce reduces the window if necessary, and records the reduction.
func (r *run) reduce(ctx context.Context, in *window.Input, cause window.Cause) (bool, error) {
	smaller := window.Reducer{Options: r.context(), Keep: r.opts.PutBytes, Ask: r.summary, Restate: r.restate}
	if r.said.bound.last() {
		smaller.Ask = nil // a used-up budget pays for one last call, but not for a summary
	}
	d, done, err := smaller.Reduce(ctx, *in, cause)
	switch {
	case err != nil && ctx.Err() != nil:
		return false, context.Cause(ctx)
	case err != nil:
		return false, fmt.Errorf("%w: %w", ErrStore, err)
	case !done:
		r.unheld.Usage, r.unheld.Bills = r.unheld.Usage.Add(d.Usage), r.unheld.Bills.Add(d.Bills...)
		return false, nil
	}
	if err := r.append(ctx, journal.Reduced, d); err != nil {
		return false, err
	}
	in.Reduced = r.rec.Snapshot().Reduced
	r.opts.Log.Info("window reduced", zap.String("task", string(r.rec.Snapshot().ID)), zap.Int("stage", d.Stage),
		zap.Int("before", d.Before), zap.Int("after", d.After), zap.Int("budget", d.Budget))
	return true, nil
}

// summary makes the model call of a summary.
func (r *run) summary(ctx context.Context, req llm.Request) (llm.Reply, error) {
	t := r.rec.Snapshot()
	req.Task, req.Offline = t.ID, t.Sub.Offline
	return r.opts.Model.Generate(ctx, req)
}

// generate asks the model and corrects the estimate of tokens by the usage that it reports.
func (r *run) generate(ctx context.Context, t *journal.Task, req llm.Request, rep window.Report, reply int) (llm.Reply, error) {
	req.Task, req.Role, req.MaxOutput = t.ID, llm.RoleMain, reply
	req.Use(Choice(r.turn.Profile, t))
	req.Offline, req.Avoid, req.Beside = t.Sub.Offline, r.guard.Avoid(), r.tools.beside
	req.OnText = func(piece string) { r.opts.Live(t.ID, piece) }
	answer, err := r.opts.Model.Generate(ctx, req)
	lost := llm.Billed(err)
	r.unheld.Usage, r.unheld.Bills = r.unheld.Usage.Add(lost.Total()), r.unheld.Bills.Add(lost...)
	if err == nil {
		r.counts.Learn(answer.Endpoint, rep.Load, answer.Usage.Input-answer.Lost.Input)
	}
	return answer, err
}

// restated is the maximum number of lines about a person that are repeated.
const restated = 10

// restate returns what a model is told again after the beginning has left the window.
func (r *run) restate() string {
	t := r.rec.Snapshot()
	lines := []string{"[told once more", "task: " + string(t.ID), "agent: " + r.turn.Profile.Name, "language: " + string(r.lang)}
	if who := t.Sub.Origin.Person(); who != "" {
		lines = append(lines, "person: "+who)
	}
	known := r.opts.Core(t.Sub.Origin)
	for _, k := range known[:min(len(known), restated)] {
		lines = append(lines, "known: "+k)
	}
	return strings.Join(lines, "\n") + "]"
}
