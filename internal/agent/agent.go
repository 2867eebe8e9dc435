// Package agent is the ReAct loop: think, act, observe, until the task has an answer or must wait. It knows
// neither bus nor queue: it records its steps through a Record, and returns to its caller when it has to wait.
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

// The maximum number of rounds of an agent, and the share of it at which the agent is warned.
const (
	RoundsChat    = 15 // a task from a chat that is not split
	RoundsTask    = 30 // every other task task
	RoundsCeiling = 60
	warnShare     = 0.8
)

// Record is the journal of the task, as the loop needs it. A claim.Claim implements it.
type Record interface {
	Snapshot() *journal.Task
	Append(ctx context.Context, kind akitad.EventKind, payload any) error
}

// Options of an Agent. Model, Tools and PutBytes are required.
type Options struct {
	Model        llm.Provider
	Tools        *tool.Registry                                                  // looks up tools and validates their arguments
	Sources      []window.Source                                                 // asked for memories and documents before the first round, in this order
	Core         func(akitad.Origin) []string                                    // what memory has for every task of this origin; may be nil
	PutBytes     func(ctx context.Context, body []byte) (hash string, err error) // stores an artifact
	Filter       *filter.Filter                                                  // chooses what is shown of a long output; default filter.New
	Unfiltered   bool                                                            // show the two ends of a long output, whatever the call looks for
	Unsupervised bool                                                            // switch off the guard against loops and standstill
	Live         func(task akitad.TaskID, text string)                           // receives partial text; may be nil
	Ends         func(ctx context.Context, task akitad.TaskID, tool string)      // is told of a tool whose call has ended each process that made it; may be nil
	Tracer       *tracing.Tracer
	Log          *zap.Logger
	MaxOutput    int                          // maximum tokens of one reply, default 4,096
	Context      window.Options               // when and how a window is reduced; the zero value means window.Defaults
	Limits       func(llm.Request) llm.Limits // limits of the models that serve a request; nil if they are not known
	Warn         float64                      // share of a task's budget at which its agent is warned, default 0.8
}

// Agent runs turns. It keeps no state of a task between them, and is safe for concurrent use.
type Agent struct {
	opts   Options
	counts *window.Corrector
	loads  *window.Loads // token counts of prompts and tools, which many tasks share
	shown  shown
}

// New returns an agent.
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
	if opts.Ends == nil {
		opts.Ends = func(context.Context, akitad.TaskID, string) {}
	}
	return &Agent{opts: opts, counts: &window.Corrector{}, loads: &window.Loads{}}
}

// Turn has what one activation of a task needs.
type Turn struct {
	Profile akitad.Profile
	Tools   []tool.Tool // all tools that the task may call, in a fixed order; the profile decides which of them the model sees
	Dir     *workspace.Dir
	Earlier []window.Turn   // earlier turns of the session, oldest first
	Rounds  int             // maximum number of rounds; 0 means RoundsTask
	Stop    <-chan struct{} // closed when the process drains: Run returns before the next round

	// Known returns the names of the files that the task's conversation was given or wrote. The brief lists
	// no other files of the folder. A nil Known, or a nil map, means all files.
	Known func(ctx context.Context, t *journal.Task) (map[string]bool, error)

	// Budget returns what the task's whole tree may use and what it has used; nil means no limits.
	Budget func(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend)
}

// ErrStore says that a step could not be stored. It says nothing about the work itself; the task must be
// given back and tried again.
var ErrStore = errors.New("the work could not be stored")

// Outcome is how an activation ended.
type Outcome struct {
	Result  *akitad.Result // the task is done and this is its result
	Usage   akitad.Usage   // usage of model calls that no round records; also set together with an error
	Bills   akitad.Bills   // of the same calls
	Steers  int            // number of the task's steers that the model has seen
	Waits   bool           // the task waits for open calls
	Paused  bool           // a person has paused the task
	Drained bool           // Stop was closed: the task is to be given back
	Told    bool           // the result itself says why it is partial; another agent could do no more

	Files    []akitad.File // files of the result that no round records
	Recorded bool          // the result is that of an earlier task with the same idempotency key
	Tainted  bool          // that earlier task had read untrusted text
}

// Run advances the task round by round until it is done, has to wait, or fails. Each round is recorded
// before the next one begins, so that a crash repeats at most one round. The error is ErrStore if a step
// could not be stored; any other error means that the work has failed.
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

// run is one activation of a task.
type run struct {
	*Agent
	turn        Turn
	tools       toolset
	rec         Record
	lang        text.Lang
	cap         int
	said        said
	hints       []string // notes for the next request: what was wrong with the last reply
	nudged      bool     // the last reply was empty
	corrections int      // number of results that were sent back for correction
	kept        []string // artifacts that the notes refer to, until a thought records them
	unheld      llm.Reply
	held        heldRound
	counter     window.Counter
	guard       guard.Watch
	fed         int               // number of rounds that the guard has seen
	keys        map[string]string // by call id: the key by which the guard compares calls
	looked      bool
	pictures    []llm.Part // the result of images, valid once looked
}

// said has the notes of a round until its thought is recorded. If the request of the round is repeated,
// notes are added but never changed.
type said struct {
	round  int
	bound  bound
	notes  []string
	steers int // number of the task's steers in these notes and in earlier ones
}

func (r *run) outcome(done *akitad.Result, steers int) Outcome {
	return Outcome{Result: done, Usage: r.unheld.Usage, Bills: r.unheld.Bills, Steers: steers, Told: r.unheld.Finish == llm.FinishPartly}
}

// corrected reports whether a person sent a correction while the model wrote its last reply, so that the
// model still has to see it.
func (r *run) corrected() bool { return len(r.rec.Snapshot().Steers) > r.said.steers }

// heldRound has the open span of a round whose calls have not run yet.
type heldRound struct {
	ctx  context.Context
	span *tracing.Span
}

// phase is the next step of the loop.
type phase string

const (
	idle     phase = "idle"
	thinking phase = "thinking"
	acting   phase = "acting"
	waiting  phase = "waiting"
)

// next decides what to do from the journal alone, so that a resumed activation continues where the last
// one stopped: run the calls of an unfinished round, wait for open calls, else ask the model.
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

// think builds the window, asks the model and records its thought. A reply without calls ends the task; its
// result is returned and not recorded, because the caller appends the end.
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

// take turns a reply into a recorded thought, a final result, or a hint to try again.
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

// record appends the thought to the journal before any of its calls runs.
func (r *run) record(ctx context.Context, t *journal.Task, reply llm.Reply) error {
	d := journal.ThoughtData{
		Round: r.said.round, Notes: r.said.notes, Steers: r.said.steers, Raw: reply.Raw, RawBy: reply.RawBy,
		Text: reply.Text, Usage: r.unheld.Usage, Bills: r.unheld.Bills, Cut: reply.Finish == llm.FinishLength,
		Endpoint: reply.Endpoint, Degraded: news(t.Degraded, r.unheld.Degraded), Kept: r.kept, Begins: true,
	}
	var renamed bool
	if d.Calls, renamed = uniqueCalls(t, r.meant(reply.Calls)); renamed {
		d.Raw, d.RawBy = nil, "" // the raw reply has the old ids, for which there will be no results
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

// degraded returns all degradations of a task's result, each once.
func degraded(t *journal.Task, more []akitad.Degradation) []akitad.Degradation {
	return append([]akitad.Degradation{}, news(nil, slices.Concat(t.Degraded, more))...)
}

// news returns the degradations that are not known yet. An endpoint that fails in the same way in every
// round is reported once.
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

// meant replaces each call that was made through call_tool by the inner call, which is then treated like
// any other. The model's message itself is not changed.
func (r *run) meant(calls []akitad.Call) []akitad.Call {
	out := make([]akitad.Call, len(calls))
	for i, c := range calls {
		out[i] = r.opts.Tools.Meant(c)
	}
	return out
}

// uniqueCalls gives every call an id that no other call of the task has. renamed reports whether any id was
// missing or taken.
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
