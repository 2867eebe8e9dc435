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

// bound is what the rules decide before a round: notes for the model, a question to the person instead of
// the round, or that this is the last call, which must give an answer.
type bound struct {
	notes []string
	ask   *journal.OpenCall
	end   string // why this is the last call, as told to the person; empty if it is not
	loops bool   // it is the last call because of a loop or standstill
}

func (b bound) last() bool { return b.end != "" }

// decided reports whether the person is asked or the agent is ended.
func (b bound) decided() bool { return b.ask != nil || b.last() }

// bind applies the rules in order: budget, guard, rounds. The first one that decides counts.
func (r *run) bind(ctx context.Context, t *journal.Task, round int) (b bound) {
	r.bindBudget(ctx, t, round, &b)
	if !b.decided() {
		r.bindGuard(ctx, t, round, &b)
	}
	if !b.decided() {
		r.bindRounds(ctx, t, &b)
	}
	return b
}

// bindRounds applies the maximum number of rounds, which counts for each agent of a task separately. The
// warning is given once, in the first round from the mark on; the round at the mark may have been
// replaced by a question to the person.
func (r *run) bindRounds(ctx context.Context, t *journal.Task, b *bound) {
	mine, warnAt := 1+r.counted(t), max(2, int(math.Ceil(float64(r.cap)*warnShare)))
	switch {
	case mine > r.cap:
		b.end = r.lang.RoundsUsedUp(mine - 1)
		r.supervise(ctx, b, "round cap", guard.Stop, fmt.Sprintf("All %d rounds are used. Answer now with what you know and say what is missing.", r.cap))
	case mine >= warnAt && !noted(t, roundNote):
		r.supervise(ctx, b, "round budget", guard.Nudge, fmt.Sprintf("%s%d of %d: finish soon.", roundNote, mine, r.cap))
	}
}

// counted returns how many rounds the present agent has had. Those of which a crash cut off every call came to
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

// roundNote is the beginning of the warning that few rounds are left.
const roundNote = "Round "

// noted reports whether the current agent has had a note that begins with begin.
func noted(t *journal.Task, begin string) bool {
	return slices.ContainsFunc(t.Rounds[t.Took:], func(r journal.RoundState) bool {
		return slices.ContainsFunc(r.Thought.Notes, func(n string) bool { return strings.HasPrefix(n, "["+begin) })
	})
}

// bindGuard applies the guard's verdict on the rounds so far.
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

// bindAsk asks the person once how to continue. If nobody can be asked, the agent is told to try another
// way. If the person says stop, or does not answer in time, the agent is ended.
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

// bindBudget applies the budget of the task's tree. The agent is told at certain shares of it. When it is
// used up, the person is asked, or one last call gives the best answer.
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

// budget returns the limits of the task's tree and its usage.
func (r *run) budget(ctx context.Context, t *journal.Task) (guard.Limits, guard.Spend) {
	if r.turn.Budget == nil {
		return guard.Limits{}, guard.Spend{}
	}
	return r.turn.Budget(ctx, t)
}

// supervise records an intervention as a span and, unless words is empty, adds it to the model's notes.
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

// budgetNote is the beginning of a note on the budget, by which told finds earlier notes.
const budgetNote = "Budget: "

// told returns the highest share of the budget that the agent was told about, in per cent.
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

// asksOn reports whether an open call asks whether the task may continue.
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

// mayAsk reports whether there is a person in a chat who can decide.
func mayAsk(t *journal.Task) bool { return t.IsRoot() && t.Sub.Origin.Interactive() }

func question(id, words string) *journal.OpenCall {
	payload, err := json.Marshal(tool.Question{Text: words})
	if err != nil {
		return nil // a text always marshals
	}
	until := time.Now().Add(tool.AnswerTime).UTC()
	return &journal.OpenCall{ID: id, Tool: "ask_user", Kind: string(tool.SuspendAnswer), Payload: payload, Until: &until}
}
