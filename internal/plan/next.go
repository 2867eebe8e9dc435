package plan

import "github.com/akitad/akitad"

// What becomes of a step's failure.
const (
	OnErrorFail = "fail" // the default: what needs the step is blocked
	OnErrorSkip = "skip" // it leaves a record, and what needs it runs with null in place of its output
	OnErrorAsk  = "ask"  // somebody says whether to retry, skip or fail
)

// Outcome is how the task of a step, or of one item of a for_each, has ended. Tasks that have not
// ended have none; an outcome whose state is not final is ignored.
type Outcome struct {
	State    akitad.State
	Result   *akitad.Result
	Failure  *akitad.Failure
	Decision string // what was answered about a failure under on_error ask: OnErrorSkip or OnErrorFail; to retry, leave the outcome out
}

// Ready is a task that may be started now: a step, or one item of a for_each.
type Ready struct {
	ID    string      // "step", or "step/3" for an item; the key of its outcome
	Index int         // of the item, from 0; -1 for a step
	Of    int         // how many items the step has; 0 for a step without for_each
	Step  akitad.Step // with all expressions replaced by values
}

// Note says what became of a step, or of one item, and why.
type Note struct {
	ID      string // "step" or "step/3"
	Step    string
	Reason  string
	Failure *akitad.Failure // if it failed
}

// Frontier is how far a plan has come. Every step is in exactly one of Done, Skipped, Blocked and
// Failed once Finished, and in at most one before. Notes about items stand beside those of their steps.
type Frontier struct {
	Ready       []Ready // in plan order; what was started and has not ended is among them
	Done        []Note
	Skipped     []Note // when was false, what it needs was skipped, or it failed under on_error skip
	Blocked     []Note // what it needs failed
	Failed      []Note
	NeedsAnswer []Note // failed under on_error ask, and nobody has said what to do
	Finished    bool
}

// Next says what may run, given what has ended. It is a pure function of its arguments: called
// again with the same outcomes it says the same, so that a caller that derives task ids from
// Ready.ID can start everything in Ready again and again. done is keyed by Ready.ID; env gives
// the parameters (outputs are taken from done).
//
// A step starts when all it needs has ended. Two steps with no path between them overlap only if
// parallel holds for both; else the one that stands first in the plan goes first. parallel may
// be nil: then a step's own mark decides. A failure never cancels siblings.
func Next(p akitad.Plan, done map[string]Outcome, env Env, parallel func(akitad.Step) bool) Frontier {
	return fold(p, done, env, parallel).frontier()
}

func (r *run) frontier() Frontier {
	f := Frontier{Finished: true}
	for i, st := range r.at {
		id := r.p.Steps[i].ID
		note := Note{ID: id, Step: id, Reason: st.reason, Failure: st.fail}
		f.Ready = append(f.Ready, st.ready...)
		f.Finished = f.Finished && st.stage.settled()
		switch st.stage {
		case doneOK:
			f.Done = append(f.Done, note)
			f.Skipped = append(f.Skipped, st.notes...)
		case doneNull, skipped:
			f.Skipped = append(f.Skipped, note)
		case blocked:
			f.Blocked = append(f.Blocked, note)
		case failed:
			f.Failed = append(append(f.Failed, note), st.notes...)
		case asking:
			if len(st.asks) == 0 {
				st.asks = []Note{note}
			}
		}
		f.NeedsAnswer = append(f.NeedsAnswer, st.asks...)
	}
	return f
}
