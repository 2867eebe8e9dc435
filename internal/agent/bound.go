package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
	"github.com/akitad/akitad/tracing"
)

// bound is what stands over one round: notes for the model, a question to the person in place of the
// round, or that it is the last call and gives whatever answer there is.
type bound struct {
	notes []string
	ask   *journal.OpenCall
	end   string // why it is the last call, for the person; empty if it is not
	loops bool   // it is the last since the agent got no further
}

func (b bound) last() bool { return b.end != "" }

// bind decides what stands over a round, from the journal and the budget: the graver thing counts.
func (r *run) bind(ctx context.Context, t *journal.Task, round int) (b bound) {
	for _, rule := range []func(context.Context, *journal.Task, int, *bound){r.bindBudget, r.bindGuard, r.bindRounds} {
		if rule(ctx, t, round, &b); b.ask != nil || b.last() {
			break
		}
	}
	return b
}

// bindRounds holds the cap on rounds, which each agent has to itself. The warning is given once, in the
// first round that can: one at the mark may have been a question to the person.
func (r *run) bindRounds(ctx context.Context, t *journal.Task, _ int, b *bound) {
	mine, warnAt := 1+r.counted(t), max(2, int(math.Ceil(float64(r.cap)*warnShare)))
	switch {
	case mine > r.cap:
		b.end = r.lang.RoundsUsedUp(mine - 1)
		r.supervise(ctx, b, "round cap", guard.Stop, fmt.Sprintf("All %d rounds are used. Answer now with what you know and say what is missing.", r.cap))
	case mine >= warnAt && !noted(t, roundNote):
		r.supervise(ctx, b, "round budget", guard.Nudge, fmt.Sprintf("%s%d of %d: finish soon.", roundNote, mine, r.cap))
	}
}

// counted gives how many rounds the present agent has had. Those of which a crash cut off every call came to
// nothing and do not count, unless there are more of them than the agent may have rounds.
func (r *run) counted(t *journal.Task) int {
	mine, off := t.Rounds[t.Took:], 0
	for _, round := range mine {
		if len(round.Results) > 0 && !slices.ContainsFunc(round.Results, func(o akitad.Observation) bool { return !cutOff(round, o) }) {
			off++
		}
	}
	return len(mine) - min(off, r.cap)
}

// roundNote begins the warning that the rounds come to their end.
const roundNote = "Round "

// noted reports whether the present agent was told something that begins so.
func noted(t *journal.Task, begin string) bool {
	return slices.ContainsFunc(t.Rounds[t.Took:], func(r journal.RoundState) bool {
		return slices.ContainsFunc(r.Thought.Notes, func(n string) bool { return strings.HasPrefix(n, "["+begin) })
	})
}

// bindGuard does what the guard says of the rounds so far.
func (r *run) bindGuard(ctx context.Context, t *journal.Task, _ int, b *bound) {
	v := r.guard.Verdict()
	if v.Action == guard.Ask {
		r.bindAsk(t, &v, b)
	}
	switch {
	case v.Action == guard.Nothing:
		return
	case v.Action == guard.Stop && v.Pattern == guard.Loop:
		b.end, b.loops = r.lang.StoppedLoop(), true
	case v.Action == guard.Stop:
		b.end, b.loops = r.lang.StoppedStill(), true
	}
	r.supervise(ctx, b, v.Pattern, v.Action, v.Words)
}

// bindAsk asks the person how to go on, once. Where nobody can be asked the agent is told to change
// its ways; who says to stop, or says nothing, stops it.
func (r *run) bindAsk(t *journal.Task, v *guard.Verdict, b *bound) {
	id := journal.StillCall + strconv.Itoa(len(t.Rounds))
	answer := answerTo(t, id)
	switch {
	case !mayAsk(t):
		v.Action = guard.Strategy
	case answer == nil:
		b.ask = question(id, r.lang.AskStill(r.guard.Barren()))
	case answer.Outcome != journal.OutcomeAnswered || text.Ends(answer.Words):
		v.Action, v.Words = guard.Stop, "The person wants no more attempts. Answer now with what you know and say what is missing."
	default:
		v.Action, v.Words = guard.Nothing, ""
		b.notes = append(b.notes, window.PersonNote+"was asked how to go on, and answers] "+answer.Words)
	}
}

// bindBudget holds the budget of the task's tree: told at its marks; at its end the person is asked,
// or the best answer is given by one last call.
func (r *run) bindBudget(ctx context.Context, t *journal.Task, _ int, b *bound) {
	limits, spent := r.budget(ctx, t)
	use := limits.Worst(spent)
	switch mark := guard.Mark(use.Share, r.opts.Warn); {
	case use.Share >= 1:
		r.bindSpent(ctx, t, use, b)
	case mark == 0 || mark <= told(t):
	case use.Share >= r.opts.Warn:
		r.supervise(ctx, b, guard.Spending, guard.Nudge, fmt.Sprintf("%s%d %% of the %s of this task used, %s left: finish soon.", budgetNote, mark, use.Name, use.Left))
	default:
		b.notes = append(b.notes, fmt.Sprintf("[%s%d %% of the %s of this task used, %s left.]", budgetNote, mark, use.Name, use.Left))
	}
}

func (r *run) bindSpent(ctx context.Context, t *journal.Task, use guard.Use, b *bound) {
	id := journal.BudgetCall + strconv.Itoa(t.Granted())
	answer := answerTo(t, id)
	if mayAsk(t) && answer == nil {
		b.ask = question(id, r.lang.AskBudget(use.Name))
		r.supervise(ctx, b, guard.Spending, guard.Ask, "")
		return
	}
	b.end = r.lang.StoppedBudget(use.Name)
	if answer != nil && answer.Outcome == journal.OutcomeAnswered && !text.Ends(answer.Words) {
		b.notes = append(b.notes, window.PersonNote+"was asked for a larger budget, and answers] "+answer.Words)
	}
	r.supervise(ctx, b, guard.Spending, guard.Stop, fmt.Sprintf("The budget of %s is used up. Answer now with what you know and say what is missing.", use.Name))
}

// budget gives the limits of the task's tree and what it has used.
func (r *run) budget(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend) {
	if r.turn.Budget == nil {
		return guard.Limits{}, guard.Spend{}
	}
	return r.turn.Budget(ctx, t)
}

// supervise records an intervention; words are what the model is told of it, if anything.
func (r *run) supervise(ctx context.Context, b *bound, pattern string, action guard.Action, words string) {
	level := "warn"
	if action == guard.Stop || action == guard.Ask {
		level = "limit"
	}
	_, span := r.opts.Tracer.Start(ctx, akitad.SpanSupervision, pattern, tracing.String("pattern", pattern),
		tracing.String("level", level), tracing.String("action", string(action)))
	span.End(nil)
	if words != "" && b.ask == nil {
		b.notes = append(b.notes, "["+words+"]")
	}
}

// budgetNote begins a note on the budget, by which told finds what was told before.
const budgetNote = "Budget: "

// told gives the highest mark of the budget that the agent was told of, in per cent.
func told(t *journal.Task) int {
	mark := 0
	for _, r := range t.Rounds[t.Took:] {
		for _, n := range r.Thought.Notes {
			var per int
			if rest, ok := strings.CutPrefix(n, "["+budgetNote); ok {
				if _, err := fmt.Sscanf(rest, "%d", &per); err == nil {
					mark = max(mark, per)
				}
			}
		}
	}
	return mark
}

// asksOn reports whether a call stands for the question how to go on.
func asksOn(call string) bool {
	return strings.HasPrefix(call, journal.BudgetCall) || strings.HasPrefix(call, journal.StillCall)
}

func answerTo(t *journal.Task, call string) *journal.Answer {
	for i := range t.Answers {
		if t.Answers[i].Call == call {
			return &t.Answers[i]
		}
	}
	return nil
}

// mayAsk reports whether somebody waits in a chat who can decide.
func mayAsk(t *journal.Task) bool { return t.IsRoot() && t.Sub.Origin.Interactive() }

// askFor is how long such a question stays open.
const askFor = 24 * time.Hour

func question(id, words string) *journal.OpenCall {
	payload, err := json.Marshal(tool.Question{Text: words})
	if err != nil {
		return nil // a text always marshals
	}
	until := time.Now().Add(askFor).UTC()
	return &journal.OpenCall{ID: id, Tool: "ask_user", Kind: string(tool.SuspendAnswer), Payload: payload, Until: &until}
}
