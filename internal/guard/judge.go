package guard

import (
	"fmt"
	"slices"
)

// barren counts rounds in a row that brought nothing new.
type barren struct{ rounds, failed, calls int }

func (b *barren) add(news bool, failed, calls int) {
	if news {
		*b = barren{}
		return
	}
	b.rounds++
	b.failed += failed
	b.calls += calls
}

// pattern names a barren stretch: mostly failures, or just nothing new.
func (b *barren) pattern() string {
	if b.failed*2 > b.calls {
		return Thrashing
	}
	return NoProgress
}

// judge decides what is to be done before the next round: the gravest thing that any rule asks for.
func (w *Watch) judge(r Round, worst *known) {
	w.now = w.loop(worst)
	for _, v := range []Verdict{w.standstill(), w.spike(r)} {
		if rank(v.Action) > rank(w.now.Action) {
			w.now = v
		}
	}
	switch {
	case w.now.Action == Endpoint:
		w.avoid = r.Endpoint
	case w.now.Action == Stop && w.last == nil:
		stop := w.now
		w.last = &stop
	}
}

func rank(a Action) int {
	return slices.Index([]Action{Nothing, Nudge, Strategy, Endpoint, Ask, Stop}, a)
}

// loop is the ladder for calls that come to the same again and again: told at the second time,
// refused from the third on (see Refuse), stopped at the fifth.
func (w *Watch) loop(worst *known) Verdict {
	switch {
	case worst == nil || worst.same < hintAt && worst.stuck < hintAt:
		return Verdict{}
	case worst.stuck >= stopAt:
		return Verdict{Loop, Stop, fmt.Sprintf("You were stopped: you made %s %d times, with the same result each time. Answer now with what you know and say what is missing.", w.what(), worst.stuck)}
	case worst.same >= refuseAt:
		return Verdict{} // it was refused, and told so
	}
	return Verdict{Loop, Nudge, fmt.Sprintf("You made %s twice and got the same result. A third time it will not be run: do something else, or answer with what you know.", w.what())}
}

// what tells what is repeated.
func (w *Watch) what() string {
	if p := w.period(); p > 1 {
		return fmt.Sprintf("the same %d calls in turn", p)
	}
	return "the same call"
}

// maxPeriod is the longest cycle that is named as one.
const maxPeriod = 4

// period gives the length of the cycle that the last calls go round in, at least twice; 0 for none.
func (w *Watch) period() int {
	for p := 1; p <= maxPeriod && 2*p <= len(w.recent); p++ {
		tail := w.recent[len(w.recent)-2*p:]
		if slices.Equal(tail[:p], tail[p:]) {
			return p
		}
	}
	return 0
}

// standstill is the ladder for rounds that bring nothing new.
func (w *Watch) standstill() Verdict {
	v := Verdict{Pattern: w.barren.pattern()}
	how := "brought nothing new"
	if v.Pattern == Thrashing {
		how = "mostly failed and brought nothing new"
	}
	n := w.barren.rounds
	since := fmt.Sprintf("The last %d rounds %s.", n, how)
	switch {
	case n >= endAfter:
		v.Action, v.Words = Stop, since+" Answer now with what you know and say what is missing."
	case n == askAfter:
		v.Action, v.Words = Ask, since
	case n == endpointAfter:
		v.Action, v.Words = Endpoint, since+" Begin your next step from what is known, not from the last attempt."
	case n == strategyAfter:
		v.Action, v.Words = Strategy, since+" This way does not work: take another one, with other tools, or answer with what you know."
	case n == nudgeAfter:
		v.Action, v.Words = Nudge, since+" Change what you do, or answer with what you know."
	default:
		return Verdict{}
	}
	return v
}

// spike notices a request that is much larger than those before, once for each time it gets so.
func (w *Watch) spike(r Round) Verdict {
	usual := median(w.inputs)
	large := len(w.inputs) >= spikeRounds && r.Input >= spikeFloor && r.Input > spikeFactor*usual
	began := large && !w.spiked
	w.spiked = large
	w.inputs = append(w.inputs, r.Input)
	if !began {
		return Verdict{}
	}
	return Verdict{TokenSpike, Nudge, fmt.Sprintf("The last request had %d tokens, over %d times as many as usual. Ask tools for less at a time.", r.Input, spikeFactor)}
}

func median(list []int) int {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return sorted[len(sorted)/2]
}
