package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/policy"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// maxParallel is the maximum number of calls of a round that run at the same time.
const maxParallel = 8

// outcome is the outcome of one call.
type outcome struct {
	obs     akitad.Observation
	open    *journal.OpenCall
	final   *akitad.Result
	changed []string
	kind    akitad.FileKind // of the changed files
	full    error           // the disk is full, which is no observation for the model: it cannot free space
	kept    bool            // the observation and the changed files are on record
}

// act runs the calls of the last thought and records their results in call order. A submitted result ends
// the task.
func (r *run) act(ctx context.Context, t *journal.Task) (*akitad.Result, error) {
	round := t.Rounds[len(t.Rounds)-1]
	ctx, span := r.resumeRound(ctx, round)
	r.watch(t)
	b := r.batch(ctx, t, round)
	bctx, bspan := r.opts.Tracer.Start(ctx, akitad.SpanToolBatch, "tools",
		tracing.Int("calls", len(round.Thought.Calls)), tracing.Bool("parallel", b.parallel()))
	err := b.run(bctx)
	bspan.End(err)
	if err == nil {
		err = r.close(ctx, round, b.out)
	}
	span.End(err)
	if err != nil {
		return nil, err
	}
	b.tellOwner(ctx)
	if done := r.submitted(t, b.out); done != nil {
		return done, nil
	}
	return nil, r.refused(ctx, b.out)
}

// refused counts the results of submit_result that were refused; too many of them are an error.
func (r *run) refused(ctx context.Context, outs []outcome) error {
	for _, o := range outs {
		if o.obs.Tool == "submit_result" && o.obs.Error != nil {
			return r.correct(ctx, "result refused", "the agent's result was refused ("+o.obs.Error.Message+")")
		}
	}
	return nil
}

// resumeRound returns the span under which the round's calls run: the one that think opened, or a new one
// if another activation recorded the thought.
func (r *run) resumeRound(ctx context.Context, round journal.RoundState) (context.Context, *tracing.Span) {
	if h := r.held; h.span != nil {
		r.held = heldRound{}
		return h.ctx, h.span
	}
	return r.opts.Tracer.Start(ctx, akitad.SpanReasoning, fmt.Sprintf("round %d", round.Thought.Round),
		tracing.Int("round", round.Thought.Round), tracing.Int("cap", r.cap), tracing.Bool("resumed", true))
}

// close appends the results of the round to the journal.
func (r *run) close(ctx context.Context, round journal.RoundState, outs []outcome) error {
	d := journal.RoundData{Round: round.Thought.Round}
	for _, o := range outs {
		d.Results = append(d.Results, o.obs)
		if o.open != nil {
			d.Open = append(d.Open, *o.open)
		}
		d.Tainted = d.Tainted || o.obs.Untrusted
		files, err := r.keep(ctx, o)
		if err != nil {
			return err
		}
		d.Files = append(d.Files, files...)
	}
	return r.happened(ctx, journal.Round, d)
}

// keep stores the files that a call changed, unless they are on record.
func (r *run) keep(ctx context.Context, o outcome) ([]akitad.File, error) {
	if o.kept {
		return nil, nil
	}
	files, err := KeepFiles(ctx, r.turn.Dir, o.changed, r.put, r.opts.Log)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrStore, err)
	}
	for at := range files {
		files[at].Kind = o.kind
	}
	return files, nil
}

// submitted returns the result of the round's submit_result call, nil if there is none.
func (r *run) submitted(t *journal.Task, outs []outcome) *akitad.Result {
	for _, o := range outs {
		if o.final != nil {
			done := *o.final
			done.Degraded = degraded(t, nil)
			return &done
		}
	}
	return nil
}

// handedIn returns the result that the last round submitted, if the process stopped between that round and
// the task's end. It repeats the call of submit_result, which has no side effects, instead of asking the
// model again. It returns nil if a person has sent a correction since, or if the call fails.
func (r *run) handedIn(ctx context.Context, t *journal.Task) *akitad.Result {
	n := len(t.Rounds)
	if n <= t.Took || !t.Rounds[n-1].Done || len(t.Steers) > t.SteersSeen {
		return nil // up to Took, rounds are those of another agent or of another attempt
	}
	if b := len(t.Broke); b > 0 && t.Broke[b-1].Rounds >= n {
		return nil // the process did not stop: the result was there, and something failed after it
	}
	round := t.Rounds[n-1]
	b := &batch{r: r, task: t, round: round}
	for i, c := range round.Thought.Calls {
		ends := c.Tool == "submit_result" || c.Tool == "replan" // replan repeats as harmlessly
		if ends && i < len(round.Results) && round.Results[i].Error == nil {
			o := b.one(ctx, r.prepare(c, round))
			return r.submitted(t, []outcome{o})
		}
	}
	return nil
}

// batch has the calls of one round and their outcomes.
type batch struct {
	r     *run
	task  *journal.Task
	round journal.RoundState
	calls []prepared
	out   []outcome
}

// prepared is a call that is ready to run, or the reason why it does not run.
type prepared struct {
	call akitad.Call
	tool tool.Tool
	args json.RawMessage
	err  error
	same int  // index of an earlier call with the same tool and arguments, or -1
	ends bool // err is that the call has ended each process that made it

	known  *akitad.Observation // the call's own result, if it is on record
	cached *akitad.Observation // the known result, if the call is refused because it was made before
}

func (r *run) batch(ctx context.Context, t *journal.Task, round journal.RoundState) *batch {
	b := &batch{r: r, task: t, round: round, out: make([]outcome, len(round.Thought.Calls))}
	first := map[string]int{}
	fresh := false
	for i, c := range round.Thought.Calls {
		p, key := r.prepare(c, round), r.key(c)
		if at, dup := first[key]; dup && p.err == nil {
			p.same = at
		} else {
			first[key] = i
			if b.resume(&p); p.known == nil {
				r.refuse(ctx, t, &p, key, fresh)
			}
			fresh = fresh || r.mayChange(c.Tool) && !r.guard.Made(key)
		}
		b.calls = append(b.calls, p)
	}
	return b
}

// prepare looks the tool up and validates the arguments. If the call cannot run, err says why.
func (r *run) prepare(c akitad.Call, round journal.RoundState) prepared {
	p := prepared{call: c, same: -1}
	if p.tool = r.find(c.Tool); p.tool == nil {
		p.err = r.refusedTool(c.Tool)
		return p
	}
	if round.Thought.Cut && !p.tool.Info().Readonly {
		p.err = akitad.Errorf(akitad.InvalidRequest, "your reply was cut by the length limit, so this call was not run").WithHint("make the call again with less in it")
		return p
	}
	p.args, p.err = r.arguments(c)
	return p
}

// refusedTool returns why the task may not call the tool: the policy forbids it for the person who asked,
// or the profile does not have it.
func (r *run) refusedTool(name string) error {
	if t, ok := r.opts.Tools.Get(name); ok {
		if err := policy.Check(r.rec.Snapshot().Sub.Origin, t.Info().ForPolicy()); err != nil {
			return err
		}
	}
	return r.tools.unknown(name)
}

func (b *batch) parallel() bool {
	n := 0
	for _, p := range b.calls {
		if p.tool != nil && p.tool.Info().ParallelSafe {
			n++
		}
	}
	return n > 1
}

// run goes through the calls in order; neighbours that are parallel safe run beside each other. A
// failure is a result like any other and never stops the rest; only the end of ctx does, unless the last
// calls have ended well all the same.
func (b *batch) run(ctx context.Context) error {
	for i := 0; i < len(b.calls); {
		if ctx.Err() != nil {
			return b.breakOff(ctx, nil)
		}
		n := b.group(i)
		if err := b.begin(ctx, i, n); err != nil {
			return err
		}
		b.runGroup(ctx, i, n)
		if ctx.Err() != nil && slices.ContainsFunc(b.out[i:i+n], failed) {
			return b.breakOff(ctx, b.forget(i, n))
		}
		for _, o := range b.out[i : i+n] {
			if o.full != nil {
				return fmt.Errorf("%w: %w", ErrStore, o.full)
			}
		}
		i += n
	}
	b.overTasks(ctx)
	for i, p := range b.calls {
		if p.same >= 0 {
			b.out[i] = b.repeat(i, p.same)
		}
	}
	return nil
}

func failed(o outcome) bool { return o.obs.Error != nil }

// group returns the number of calls from i on that run together.
func (b *batch) group(i int) int {
	n := 0
	for i+n < len(b.calls) && n < maxParallel {
		p := b.calls[i+n]
		if p.tool == nil || !p.tool.Info().ParallelSafe || b.suspect(p) {
			break
		}
		n++
	}
	return max(n, 1)
}

func (b *batch) runGroup(ctx context.Context, from, n int) {
	var wg sync.WaitGroup
	for i := from; i < from+n; i++ {
		if p := b.calls[i]; p.known != nil {
			b.out[i] = outcome{obs: *p.known, kept: true}
		} else if p.same < 0 {
			wg.Go(func() { b.out[i] = b.one(ctx, b.calls[i]) })
		}
	}
	wg.Wait()
}

// repeat answers a call that stood twice in the batch with the result of the first.
func (b *batch) repeat(i, first int) outcome {
	obs := b.out[first].obs
	obs.Call = b.calls[i].call.ID
	if b.out[first].open != nil {
		obs.Text = "the same call stands earlier in this round and is answered there"
	}
	return outcome{obs: obs}
}

// one runs a call and turns whatever comes of it into one observation.
func (b *batch) one(ctx context.Context, p prepared) outcome {
	ctx, span := b.r.opts.Tracer.Start(ctx, akitad.SpanTool, p.call.Tool, tracing.String(tracing.KeyTool, p.call.Tool),
		tracing.String(tracing.KeyArgsDigest, akitad.Digest(p.call.Tool, string(p.call.Args))))
	res, err := b.call(ctx, p)
	out := b.observe(ctx, p, res, err)
	if errors.Is(err, syscall.ENOSPC) {
		out.full = err
	}
	span.Set(tracing.Int(tracing.KeyBytes, len(res.Text)), tracing.String(tracing.KeyOutcome, outcomeName(out, err)))
	span.End(err)
	return out
}

func outcomeName(o outcome, err error) string {
	switch {
	case err != nil:
		return string(akitad.KindOf(err))
	case o.open != nil:
		return "suspended"
	}
	return "ok"
}

func (b *batch) call(ctx context.Context, p prepared) (tool.Result, error) {
	if p.err != nil {
		return tool.Result{}, p.err
	}
	return p.tool.Call(ctx, tool.Input{Call: p.call, Args: p.args, Scope: b.r.scope(b.task)})
}

// observe makes the observation of a call: errors with their hint; long outputs in part, with the whole
// stored as an artifact.
func (b *batch) observe(ctx context.Context, p prepared, res tool.Result, err error) outcome {
	obs := akitad.Observation{Call: p.call.ID, Tool: p.call.Tool, Untrusted: res.Untrusted, Bytes: len(res.Text)}
	switch {
	case err != nil:
		obs.Error = akitad.FailureOf(err)
		obs.Text, obs.Artifact = b.r.showError(ctx, p, res, obs.Error)
		obs.Text += again(b.task, p.cached)
		obs.Untrusted = obs.Untrusted || p.cached != nil && p.cached.Untrusted
		return outcome{obs: obs, changed: res.Changed}
	case res.Suspend != nil:
		open := &journal.OpenCall{ID: p.call.ID, Tool: p.call.Tool, Kind: string(res.Suspend.Kind), Payload: res.Suspend.Payload, Until: res.Suspend.Until}
		return outcome{obs: obs, open: open}
	}
	obs.Text, obs.Artifact = b.r.show(ctx, p, res)
	return outcome{obs: obs, final: res.Final, changed: res.Changed, kind: res.Kind}
}

func errorText(f *akitad.Failure) string {
	s := "error (" + string(f.Kind) + "): " + f.Message
	if f.Hint != "" {
		s += "\nhint: " + f.Hint
	}
	return s
}

// scope returns what a tool call may know about its task.
func (r *run) scope(t *journal.Task) tool.Scope {
	return tool.Scope{
		Task: t.ID, Root: t.Sub.Root, Depth: t.Sub.Depth, Profile: r.turn.Profile.Name, Path: t.Sub.Path,
		Session: t.Sub.Session, Origin: t.Sub.Origin, Dir: r.turn.Dir, Schema: t.Sub.Schema,
		Child: t.Sub.Parent != "", Tainted: t.Tainted, Tools: r.tools.infos,
	}
}

// day is the date in prompts. A time of day would change the prefix of the prompt, which providers cache.
func day(now time.Time) string { return now.Format(time.DateOnly) }
