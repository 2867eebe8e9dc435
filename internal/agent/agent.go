// Package agent is the ReAct loop: think, act, observe, until the answer is known or somebody else
// must be waited for. It knows no bus and no queue: what it does is recorded through Record, and
// what it waits for is told to its caller.
package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/guard"
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
	Model        llm.Provider
	Tools        *tool.Registry                                                  // makes arguments valid
	Sources      []window.Source                                                 // asked for the opening, in this order
	Core         func(akitad.Origin) []string                                    // what memory holds for every task from there; may be nil
	PutBytes     func(ctx context.Context, body []byte) (hash string, err error) // keeps artifacts
	Filter       *filter.Filter                                                  // what is shown of a long output; default filter.New
	Unfiltered   bool                                                            // of a long output the two ends are shown, whatever is looked for
	Unsupervised bool                                                            // the guard against going in circles and standing still is off
	Live         func(task akitad.TaskID, text string)                           // partial text; may be nil
	Tracer       *tracing.Tracer
	Log          *zap.Logger
	MaxOutput    int                          // tokens of one reply, default 4,096
	Context      window.Options               // when a window is made smaller, and how; the zero value means window.Defaults
	Limits       func(llm.Request) llm.Limits // of the models of a role; nil if they are not known
	Warn         float64                      // share of a task's budget at which its agent is warned, default 0.8
}

// Agent runs turns. It holds no state of a task between them.
type Agent struct {
	opts   Options
	counts *window.Corrector
	loads  *window.Loads // of prompts and tools, which tasks have in common
	shown  shown
}

// New gives an agent on a model.
func New(opts Options) *Agent {
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	if opts.Filter == nil {
		opts.Filter = filter.New(filter.Options{Tokens: window.Tokens})
	}
	opts.MaxOutput = cmp.Or(opts.MaxOutput, 4096)
	opts.Context = cmp.Or(opts.Context, window.Defaults())
	if opts.Limits == nil {
		opts.Limits = func(llm.Request) llm.Limits { return llm.Limits{} }
	}
	if opts.Core == nil {
		opts.Core = func(akitad.Origin) []string { return nil }
	}
	opts.Warn = cmp.Or(opts.Warn, 0.8)
	if opts.Live == nil {
		opts.Live = func(akitad.TaskID, string) {}
	}
	return &Agent{opts: opts, counts: &window.Corrector{}, loads: &window.Loads{}}
}

// Turn is what one activation of a task is served with.
type Turn struct {
	Profile akitad.Profile
	Tools   []tool.Tool // all that the task may call, in a fixed order; which of them the model sees follows from the profile
	Dir     *workspace.Dir
	Earlier []window.Turn   // of the session, oldest first
	Rounds  int             // cap; 0 means RoundsTask
	Stop    <-chan struct{} // closed when the process drains: stop at the next round boundary

	// Known gives the names of the files that the task's conversation was given or wrote: others in the
	// folder are not the task's to be told of. A nil Known, or a nil map, means that all are.
	Known func(ctx context.Context, t *journal.Task) (map[string]bool, error)

	// Budget gives what the task's whole tree may use and has used so far; nil means no limits.
	Budget func(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend)
}

// ErrStore says that a step of the work could not be stored. It says nothing about the work: the task
// is to be given back and tried again.
var ErrStore = errors.New("the work could not be stored")

// Outcome says how an activation ended.
type Outcome struct {
	Result  *akitad.Result // the task is done with this
	Usage   akitad.Usage   // of calls that no round holds; also set beside an error
	Bills   akitad.Bills   // of the same calls
	Steers  int            // how many of the task's steers the model was shown
	Waits   bool           // calls are open in the journal
	Paused  bool           // a person paused the task
	Drained bool           // Stop was closed: the task goes on elsewhere
	Told    bool           // the result itself says in how far it is partial: the model could do no more

	Files    []akitad.File // of the result, that no round holds
	Recorded bool          // the result is that of an earlier task, under the step's key
	Tainted  bool          // that task had read untrusted text
}

// Run advances the task by rounds until it is done, waits, or cannot go on. Each round is in the
// record before the next begins, so that a crash anywhere repeats at most one round. A record that
// cannot be written is ErrStore; any other error is a verdict on the work.
func (a *Agent) Run(ctx context.Context, turn Turn, rec Record) (Outcome, error) {
	r := &run{Agent: a, turn: turn, rec: rec, tools: a.shown.disclose(turn.Profile, turn.Tools), lang: text.Lang(rec.Snapshot().Sub.Origin.Lang)}
	r.counter.Shared = a.loads
	r.cap = min(cmp.Or(turn.Rounds, RoundsTask), RoundsCeiling)
	t := rec.Snapshot()
	r.fed = t.Took
	if done := r.handedIn(ctx, t); done != nil {
		return r.outcome(done, t.SteersSeen), nil
	}
	for {
		t := rec.Snapshot()
		switch r.next(t) {
		case waiting:
			return Outcome{Waits: true}, nil
		case idle:
			return Outcome{Paused: t.IsPaused, Drained: !t.IsPaused}, nil
		case acting:
			done, err := r.act(ctx, t)
			if err != nil || done != nil {
				return r.outcome(done, t.SteersSeen), err
			}
		default:
			done, err := r.think(ctx, t)
			if err != nil || done != nil && !r.corrected() {
				return r.outcome(done, r.said.steers), err
			}
		}
	}
}

// run is one activation.
type run struct {
	*Agent
	turn        Turn
	tools       toolset
	rec         Record
	lang        text.Lang
	cap         int
	said        said
	hints       []string // for the next request: what was wrong with the last reply
	nudged      bool     // the last reply was empty
	corrections int      // results sent back since they were not what was asked for
	kept        []string // artifacts that notes name and no thought records yet
	unheld      llm.Reply
	held        heldRound
	counter     window.Counter
	guard       guard.Watch
	fed         int               // rounds that the guard knows
	keys        map[string]string // what the guard knows calls by, for each call's id
	looked      bool
	pictures    []llm.Part // what images gives once looked
}

// said are the notes of the round whose thought is not recorded yet. A request that is made again
// for the same round adds to them and changes nothing.
type said struct {
	round  int
	bound  bound
	notes  []string
	steers int // how many of the task's steers are in them, or in earlier ones
}

func (r *run) outcome(done *akitad.Result, steers int) Outcome {
	return Outcome{Result: done, Usage: r.unheld.Usage, Bills: r.unheld.Bills, Steers: steers, Told: r.unheld.Finish == llm.FinishPartly}
}

// corrected reports a correction that came while the model wrote its last words: it is to see it.
func (r *run) corrected() bool { return len(r.rec.Snapshot().Steers) > r.said.steers }

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
func (r *run) think(ctx context.Context, t *journal.Task) (*akitad.Result, error) {
	round := len(t.Rounds) + 1
	r.watch(t)
	ctx, span := r.opts.Tracer.Start(ctx, akitad.SpanReasoning, fmt.Sprintf("round %d", round),
		tracing.Int("round", round), tracing.Int("cap", r.cap))
	notes, err := r.notes(ctx, t, round)
	if ask := r.said.bound.ask; err == nil && ask != nil {
		r.said = said{}
		err = r.append(ctx, journal.Round, journal.RoundData{Open: []journal.OpenCall{*ask}})
	} else if err == nil {
		var reply llm.Reply
		if reply, err = r.ask(ctx, t, notes); err == nil {
			return r.take(ctx, span, t, reply)
		}
	}
	span.End(err)
	return nil, err
}

// take makes of a reply a recorded thought, a final result, or a nudge to try again.
func (r *run) take(ctx context.Context, span *tracing.Span, t *journal.Task, reply llm.Reply) (*akitad.Result, error) {
	r.unheld.Usage, r.unheld.Bills = r.unheld.Usage.Add(reply.Usage), r.unheld.Bills.Add(reply.Bills...)
	r.unheld.Degraded = append(r.unheld.Degraded, reply.Degraded...)
	if len(reply.Calls) == 0 || r.said.bound.last() {
		done, err := r.final(ctx, t, reply)
		span.End(err)
		if done != nil {
			done.Degraded = degraded(t, r.unheld.Degraded)
		}
		return done, err
	}
	if err := r.record(ctx, t, reply); err != nil {
		span.End(err)
		return nil, err
	}
	r.held = heldRound{ctx, span}
	return nil, nil
}

// record journals the thought, before any of its calls runs.
func (r *run) record(ctx context.Context, t *journal.Task, reply llm.Reply) error {
	d := journal.ThoughtData{
		Round: r.said.round, Notes: r.said.notes, Steers: r.said.steers, Raw: reply.Raw, RawBy: reply.RawBy,
		Text: reply.Text, Usage: r.unheld.Usage, Bills: r.unheld.Bills, Cut: reply.Finish == llm.FinishLength,
		Endpoint: reply.Endpoint, Degraded: news(t.Degraded, r.unheld.Degraded), Kept: r.kept,
	}
	var renamed bool
	if d.Calls, renamed = uniqueCalls(t, r.meant(reply.Calls)); renamed {
		d.Raw, d.RawBy = nil, "" // it has the old ids, which no result will answer
	}
	if err := r.happened(ctx, journal.Thought, d); err != nil {
		return err
	}
	r.unheld, r.kept, r.nudged = llm.Reply{}, nil, false
	return nil
}

func (r *run) append(ctx context.Context, kind akitad.EventKind, payload any) error {
	if err := r.rec.Append(ctx, kind, payload); err != nil {
		return fmt.Errorf("%w: %w", ErrStore, err)
	}
	return nil
}

// happened records what has been done, also if the time for it is over by now: it would be done again.
func (r *run) happened(ctx context.Context, kind akitad.EventKind, payload any) error {
	if ctx.Err() != nil {
		longer, cancel := journal.Outlast(ctx)
		defer cancel()
		ctx = longer
	}
	return r.append(ctx, kind, payload)
}

// put keeps an artifact of what has been done.
func (r *run) put(ctx context.Context, body []byte) (hash string, err error) {
	ctx, cancel := journal.Outlast(ctx)
	defer cancel()
	return r.opts.PutBytes(ctx, body)
}

// degraded lists everything that degraded a task's result, each once.
func degraded(t *journal.Task, more []akitad.Degradation) []akitad.Degradation {
	return append([]akitad.Degradation{}, news(nil, slices.Concat(t.Degraded, more))...)
}

// news gives what is not on record yet. The same endpoint that fails in every round is one piece of news.
func news(known, came []akitad.Degradation) []akitad.Degradation {
	var out []akitad.Degradation
	for _, d := range came {
		same := func(k akitad.Degradation) bool {
			return k.Layer == d.Layer && k.From == d.From && k.To == d.To && k.Kind == d.Kind
		}
		if !slices.ContainsFunc(known, same) && !slices.ContainsFunc(out, same) {
			out = append(out, d)
		}
	}
	return out
}

// meant puts the inner call in the place of one that came through call_tool. From here on it is like
// any other; the message of the model stays as it was.
func (r *run) meant(calls []akitad.Call) []akitad.Call {
	out := make([]akitad.Call, len(calls))
	for i, c := range calls {
		out[i] = r.opts.Tools.Meant(c)
	}
	return out
}

// uniqueCalls gives every call an id that no other call of the task has; renamed tells whether one had none.
func uniqueCalls(t *journal.Task, calls []akitad.Call) (out []akitad.Call, renamed bool) {
	seen := map[string]bool{}
	for _, r := range t.Rounds {
		for _, c := range r.Thought.Calls {
			seen[c.ID] = true
		}
	}
	for i, c := range calls {
		if len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
		for n := 1; c.ID == "" || seen[c.ID]; n++ {
			c.ID, renamed = fmt.Sprintf("call-%d-%d-%d", len(t.Rounds)+1, i+1, n), true
		}
		seen[c.ID] = true
		out = append(out, c)
	}
	return out, renamed
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}
