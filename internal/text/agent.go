package text

import (
	"slices"

	"github.com/akitad/akitad"
)

// NoAnswer is the answer of a task whose agent found none in so many rounds.
func (l Lang) NoAnswer(rounds int) string {
	if rounds == 0 {
		return l.say("I could not come to an answer.", "我没能得出答案。")
	}
	return l.say("I could not come to an answer in {rounds} rounds of work.", "我用了 {rounds} 轮工作，仍未得出答案。", "rounds", rounds)
}

// RoundsUsedUp says what a partial answer lacks when the rounds are used up.
func (l Lang) RoundsUsedUp(rounds int) string {
	return l.say("the work was stopped after {rounds} rounds", "工作在 {rounds} 轮后停止", "rounds", rounds)
}

// NobodyAnswered tells the agent that its question stays open.
func (l Lang) NobodyAnswered() string {
	return l.say("Nobody answered in time. Go on with the most likely reading, and state it as an assumption.",
		"没有人及时回答。请按最可能的理解继续，并说明这是一个假设。")
}

// NobodyAnsweredAssume tells the agent what to assume for want of an answer.
func (l Lang) NobodyAnsweredAssume(assumption string) string {
	return l.say("Nobody answered in time. Go on with this assumption and state it: {assumption}", "没有人及时回答。请按以下假设继续，并加以说明：{assumption}", "assumption", assumption)
}

// AskMissing asks a person for what a task needs and was not given.
func (l Lang) AskMissing(missing []string) string {
	return l.say("Before I begin, I need to know: {missing}. If nobody answers within a day, I go on with the most likely reading and say so.",
		"开始之前我需要确认：{missing}。如果一天内没有答复，我会按最可能的理解继续，并说明这一点。", "missing", l.list(missing))
}

// Finish adds to a root task's answer what the person must know of it: what is missing, and as the
// last line what was not reachable and was done instead.
func (l Lang) Finish(r *akitad.Result) {
	if r.Partial && len(r.Missing) > 0 {
		r.Text += "\n\n" + l.Partial(r.Missing)
	}
	r.Degraded = distinct(r.Degraded)
	if len(r.Degraded) > 0 {
		r.Text += "\n\n" + l.Degraded(r.Degraded)
	}
}

// distinct leaves out what was passed over by the same way before: a plan's steps meet the same
// unreachable endpoint one after another.
func distinct(list []akitad.Degradation) []akitad.Degradation {
	out := []akitad.Degradation{}
	for _, d := range list {
		same := func(o akitad.Degradation) bool {
			return o.Layer == d.Layer && o.From == d.From && o.To == d.To && o.Kind == d.Kind
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, d)
		}
	}
	return out
}
