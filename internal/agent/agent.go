// Package agent is the ReAct loop: think, act, observe, until the answer is known or somebody else
// must be waited for. It knows no bus and no queue: what it does is recorded through Record, and
// what it waits for is told to its caller.
package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
	"github.com/akitad/akitad/workspace"
)

// Rounds that an agent may take, and the share at which it is warned.
const (
	RoundsChat    = 15 // a short-path task from chat
	RoundsTask    = 30 // every other
	RoundsCeiling = 60
	warnShare     = 0.8
)

// Record is where the loop's steps are kept before they count: a held claim.
type Record interface {
	Snapshot() *journal.Task
	Append(ctx context.Context, kind akitad.EventKind, payload any) error
}

// Options are what every agent of a process shares.
type Options struct {
	Model     llm.Provider
	Tools     *tool.Registry                                                  // makes arguments valid
	Sources   []window.Source                                                 // asked for the opening, in this order
	PutBytes  func(ctx context.Context, body []byte) (hash string, err error) // keeps artifacts
	Live      func(task akitad.TaskID, text string)                           // partial text; may be nil
	Tracer    *tracing.Tracer
	Log       *zap.Logger
	MaxOutput int // tokens of one reply, default 4,096
	Budget    int // tokens of one request, default 136,000: 160,000 less output and a tenth
}

// Agent runs turns. It holds no state of a task between them.
type Agent struct{ opts Options }

// New gives an agent on a model.
func New(opts Options) *Agent {
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	opts.MaxOutput = cmp.Or(opts.MaxOutput, 4096)
	opts.Budget = cmp.Or(opts.Budget, 136_000)
	if opts.Live == nil {
		opts.Live = func(akitad.TaskID, string) {}
	}
	return &Agent{opts: opts}
}

// Turn is what one activation of a task is served with.
type Turn struct {
	Profile akitad.Profile
	Tools   []tool.Tool // the tool block, in a fixed order
	Dir     *workspace.Dir
	Earlier []window.Turn   // of the session, oldest first
	Rounds  int             // cap; 0 means RoundsTask
	Stop    <-chan struct{} // closed when the process drains: stop at the next round boundary
}

// Outcome says how an activation ended.
type Outcome struct {
	Result  *akitad.Result // the task is done with this
	Usage   akitad.Usage   // of the last call, which no round holds
	Waits   bool           // calls are open in the journal
	Paused  bool           // a person paused the task
	Drained bool           // Stop was closed: the task goes on elsewhere
}

// Run advances the task by rounds until it is done, waits, or cannot go on. Each round is in the
// record before the next begins, so that a crash anywhere repeats at most one round.
func (a *Agent) Run(ctx context.Context, turn Turn, rec Record) (Outcome, error) {
	r := &run{Agent: a, turn: turn, rec: rec, lang: text.Lang(rec.Snapshot().Sub.Origin.Lang)}
	r.cap = min(cmp.Or(turn.Rounds, RoundsTask), RoundsCeiling)
	for {
		t := rec.Snapshot()
		switch next := r.next(t); next {
		case waiting:
			return Outcome{Waits: true}, nil
		case acting:
			done, err := r.act(ctx, t)
			if err != nil || done != nil {
				return Outcome{Result: done}, err
			}
		case idle:
			return Outcome{Paused: t.IsPaused, Drained: !t.IsPaused}, nil
		default:
			done, usage, err := r.think(ctx, t)
			if err != nil || done != nil {
				return Outcome{Result: done, Usage: usage}, err
			}
		}
	}
}

// run is one activation.
type run struct {
	*Agent
	turn   Turn
	rec    Record
	lang   text.Lang
	cap    int
	nudges int      // corrections after useless replies
	hints  []string // for the next message: what was wrong with the last reply
	warned bool
	held   heldRound
}

// heldRound is a round whose calls are still to run: its span stays open until they have.
type heldRound struct {
	ctx  context.Context
	span *tracing.Span
}

// phase is what the loop does next.
type phase string

const (
	idle     phase = "idle"
	thinking phase = "thinking"
	acting   phase = "acting"
	waiting  phase = "waiting"
)

// next decides from the journal alone, so that a resumed activation goes on where the last one
// stopped: an unfinished round is finished, open calls are waited for, else the model thinks.
func (r *run) next(t *journal.Task) phase {
	switch n := len(t.Rounds); {
	case n > 0 && !t.Rounds[n-1].Done:
		return acting
	case len(t.Open) > 0:
		return waiting
	case t.IsPaused || closed(r.turn.Stop):
		return idle
	}
	return thinking
}

// think builds the window, asks the model and records its thought. A reply without calls ends the
// task: then the result is given and not recorded here, because the end is one append of the caller.
func (r *run) think(ctx context.Context, t *journal.Task) (*akitad.Result, akitad.Usage, error) {
	round := len(t.Rounds) + 1
	last := round > r.cap
	ctx, span := r.opts.Tracer.Start(ctx, akitad.SpanReasoning, fmt.Sprintf("round %d", round),
		tracing.Int("round", round), tracing.Int("cap", r.cap))
	notes, err := r.notes(ctx, t, round, last)
	if err == nil {
		var reply llm.Reply
		if reply, err = r.ask(ctx, t, notes, last); err == nil {
			return r.take(ctx, span, t, reply, notes, last)
		}
	}
	span.End(err)
	return nil, akitad.Usage{}, err
}

// ask makes the request for one round.
func (r *run) ask(ctx context.Context, t *journal.Task, notes []string, last bool) (llm.Reply, error) {
	_, cspan := r.opts.Tracer.Start(ctx, akitad.SpanContext, "window")
	req, rep, err := window.Build(window.Input{
		System: System(r.turn.Profile, t, r.lang), Tools: toolBlock(r.turn.Tools), Earlier: r.turn.Earlier,
		Words: t.Sub.Text, Rounds: t.Rounds, Notes: notes, Last: last, Budget: r.opts.Budget,
	})
	cspan.Set(tracing.Int("tokens_before", rep.Tokens), tracing.Int("tokens_after", rep.Tokens), tracing.Int("budget", rep.Budget),
		tracing.Int("stage", rep.Stage), tracing.Int("masked", 0))
	cspan.End(err)
	if err != nil {
		return llm.Reply{}, err
	}
	req.Task, req.Role, req.MaxOutput = t.ID, llm.Role(cmp.Or(r.turn.Profile.Model, string(llm.RoleMain))), r.opts.MaxOutput
	req.Offline = t.Sub.Offline
	req.OnText = func(piece string) { r.opts.Live(t.ID, piece) }
	return r.opts.Model.Generate(ctx, req)
}

// take makes of a reply a recorded thought, a final result, or a nudge to try again.
func (r *run) take(ctx context.Context, span *tracing.Span, t *journal.Task, reply llm.Reply, notes []string, last bool) (*akitad.Result, akitad.Usage, error) {
	if len(reply.Calls) == 0 || last {
		done, err := r.final(ctx, t, reply, last)
		span.End(err)
		if done != nil {
			done.Degraded = append(append([]akitad.Degradation{}, t.Degraded...), reply.Degraded...)
		}
		return done, reply.Usage, err
	}
	err := r.rec.Append(ctx, journal.Thought, journal.ThoughtData{
		Round: len(t.Rounds) + 1, Notes: notes, Steers: len(t.Steers), Raw: reply.Raw, RawBy: reply.RawBy,
		Text: reply.Text, Calls: uniqueCalls(t, reply.Calls), Usage: reply.Usage, Cut: reply.Finish == llm.FinishLength,
		Endpoint: reply.Endpoint, Degraded: reply.Degraded,
	})
	r.hints = nil
	if err != nil {
		span.End(err)
		return nil, akitad.Usage{}, err
	}
	r.held = heldRound{ctx, span}
	return nil, akitad.Usage{}, nil
}

// maxNudges bounds the corrections of one activation.
const maxNudges = 2

// final judges a reply without calls. An empty one and one that lacks a demanded structure are asked
// again, unrecorded; what is still wrong then ends in an honest partial result or an error.
func (r *run) final(ctx context.Context, t *journal.Task, reply llm.Reply, last bool) (*akitad.Result, error) {
	words := strings.TrimSpace(reply.Text)
	switch {
	case last:
		return r.partial(t, words), nil
	case words == "" && r.nudge(ctx, "empty reply", "Your last reply was empty. Answer now, or call a tool."):
		return nil, nil
	case words == "":
		return r.partial(t, ""), nil
	case len(t.Sub.Schema) > 0 && t.Sub.Parent != "":
		if r.nudge(ctx, "no structured result", "End by calling submit_result with data that satisfies the output schema.") {
			return nil, nil
		}
		return nil, akitad.Errorf(akitad.ToolFailed, "the agent ended without the structured result that was asked for")
	}
	return &akitad.Result{Text: words, Partial: reply.Finish == llm.FinishLength}, nil
}

// nudge asks for one more try; false when the tries are used up. The check is on record either way.
func (r *run) nudge(ctx context.Context, reason, hint string) bool {
	r.nudges++
	again := r.nudges <= maxNudges
	_, span := r.opts.Tracer.Start(ctx, akitad.SpanVerification, reason, tracing.String("type", "reply"),
		tracing.String(tracing.KeyOutcome, verdict(again)), tracing.String("reason", reason))
	span.End(nil)
	if again {
		r.hints = append(r.hints, "\n\n["+hint+"]")
	}
	return again
}

func verdict(again bool) string {
	if again {
		return "continue"
	}
	return "completed"
}

// partial is the honest end of a task that ran out of rounds or got no answer.
func (r *run) partial(t *journal.Task, words string) *akitad.Result {
	if words == "" {
		words = r.lang.NoAnswer(len(t.Rounds))
	}
	return &akitad.Result{Text: words, Partial: true, Missing: []string{r.lang.RoundsUsedUp(len(t.Rounds))}}
}

// uniqueCalls gives every call an id that no other call of the task has.
func uniqueCalls(t *journal.Task, calls []akitad.Call) []akitad.Call {
	seen := map[string]bool{}
	for _, r := range t.Rounds {
		for _, c := range r.Thought.Calls {
			seen[c.ID] = true
		}
	}
	out := make([]akitad.Call, len(calls))
	for i, c := range calls {
		if len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
		for n := 1; c.ID == "" || seen[c.ID]; n++ {
			c.ID = fmt.Sprintf("call-%d-%d-%d", len(t.Rounds)+1, i+1, n)
		}
		seen[c.ID] = true
		out[i] = c
	}
	return out
}

func toolBlock(tools []tool.Tool) []llm.Tool {
	out := make([]llm.Tool, len(tools))
	for i, t := range tools {
		info := t.Info()
		out[i] = llm.Tool{Name: info.Name, Description: info.Description, Schema: info.Schema}
	}
	return out
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
