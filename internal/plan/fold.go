package plan

import (
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
)

// stage is where one step stands.
type stage int

const (
	waiting stage = iota // for what it needs, or for its turn
	running              // may run, or runs
	asking
	doneOK
	doneNull // failed under on_error skip
	skipped
	blocked
	failed
)

func (s stage) settled() bool { return s >= doneOK }

// status is a step's stage with everything that is said about it.
type status struct {
	stage  stage
	reason string
	fail   *akitad.Failure
	output json.RawMessage
	result *akitad.Result  // of a step without for_each
	parts  []akitad.Result // of the items that ended well
	ready  []Ready
	notes  []Note // about items that failed
	asks   []Note // about items that wait for an answer
}

// run folds the outcomes over a plan.
type run struct {
	*graph
	done     map[string]Outcome
	env      Env
	parallel func(akitad.Step) bool
	at       []status
}

func fold(p akitad.Plan, done map[string]Outcome, env Env, parallel func(akitad.Step) bool) *run {
	if parallel == nil {
		parallel = func(s akitad.Step) bool { return s.Parallel }
	}
	r := &run{graph: newGraph(p), done: done, env: env, parallel: parallel, at: make([]status, len(p.Steps))}
	r.env.Outputs, r.env.Texts = map[string]json.RawMessage{}, map[string]string{}
	for _, i := range r.cycle {
		r.at[i] = broken(akitad.Errorf(akitad.InvalidRequest, "the step needs itself"))
	}
	for turn, i := range r.order {
		r.at[i] = r.status(i, turn)
		r.publish(i)
	}
	return r
}

// publish makes the output of step i known to those after it.
func (r *run) publish(i int) {
	id, s := r.p.Steps[i].ID, r.at[i]
	switch s.stage {
	case doneOK:
		r.env.Outputs[id] = s.output
		r.env.Texts[id] = s.text()
	case doneNull:
		r.env.Outputs[id] = json.RawMessage("null")
	}
}

func broken(err error) status {
	return status{stage: failed, fail: akitad.FailureOf(err), reason: err.Error()}
}

func (r *run) status(i, turn int) status {
	s := r.p.Steps[i]
	if st, open := r.needed(i); !open {
		return st
	}
	if _, ended := r.ended(s.ID); !ended && !r.turn(i, turn) {
		return status{}
	}
	if yes, err := When(s.When, r.env); err != nil {
		return r.judge(s, s.ID, broken(err))
	} else if !yes {
		return status{stage: skipped, reason: "when is false: " + s.When}
	}
	if s.ForEach != "" {
		return r.each(s)
	}
	return r.judge(s, s.ID, r.task(s, s.ID, r.env, -1))
}

// needed settles a step whose needs say so; open means that they are all met.
func (r *run) needed(i int) (st status, open bool) {
	for _, j := range r.needs[i] {
		if !r.at[j].stage.settled() {
			return status{}, false
		}
	}
	for _, id := range Needs(r.p.Steps[i]) {
		if _, ok := r.index[id]; !ok {
			return broken(akitad.Errorf(akitad.InvalidRequest, "needs %s, which is no step", id)), false
		}
	}
	for _, want := range []stage{failed, blocked, skipped} {
		for _, j := range r.needs[i] {
			if r.at[j].stage == want {
				return because(r.p.Steps[j].ID, r.at[j]), false
			}
		}
	}
	return status{}, true
}

// because gives the state of a step that needs one which did not do its part.
func because(id string, need status) status {
	switch need.stage {
	case failed:
		return status{stage: blocked, reason: fmt.Sprintf("needs %s, which failed: %s", id, need.reason)}
	case blocked:
		return status{stage: blocked, reason: fmt.Sprintf("needs %s, which is blocked", id)}
	}
	return status{stage: skipped, reason: fmt.Sprintf("needs %s, which was skipped", id)}
}

// turn reports whether step i need not wait for one before it that it may not overlap with.
func (r *run) turn(i, turn int) bool {
	for _, j := range r.order[:turn] {
		if r.at[j].stage.settled() || r.related(i, j) {
			continue
		}
		if !r.parallel(r.p.Steps[i]) || !r.parallel(r.p.Steps[j]) {
			return false
		}
	}
	return true
}

// ended gives the final outcome of a task, if it has one.
func (r *run) ended(id string) (Outcome, bool) {
	o, ok := r.done[id]
	return o, ok && (o.State.Final() || o.State == akitad.Blocked)
}

// task gives the status of the one task with this id: how it ended, or that it may run.
func (r *run) task(s akitad.Step, id string, env Env, index int) status {
	o, ended := r.ended(id)
	switch {
	case ended && o.State == akitad.Completed:
		res := akitad.Result{}
		if o.Result != nil {
			res = *o.Result
		}
		return status{stage: doneOK, output: OutputOf(res), result: &res}
	case ended:
		return failedAs(o)
	}
	step, err := fill(s, env)
	if err != nil {
		return broken(err)
	}
	return status{stage: running, ready: []Ready{{ID: id, Index: index, Step: step}}}
}

func failedAs(o Outcome) status {
	f := o.Failure
	if f == nil {
		f = &akitad.Failure{Kind: akitad.Unknown, Message: "ended as " + string(o.State)}
	}
	return status{stage: failed, fail: f, reason: reasonFor(*f)}
}

// reasonFor tells why a step failed: its kind, if that says more than that nothing is known, and the message.
func reasonFor(f akitad.Failure) string {
	if f.Kind == akitad.Unknown {
		return f.Message
	}
	return fmt.Sprintf("%s: %s", f.Kind, f.Message)
}

// judge applies on_error to a failed status.
func (r *run) judge(s akitad.Step, id string, st status) status {
	if st.stage != failed {
		return st
	}
	rule := s.OnError
	if d := r.done[id].Decision; rule == OnErrorAsk && d != "" {
		rule = d
	}
	switch rule {
	case OnErrorSkip:
		st.stage = doneNull
	case OnErrorAsk:
		st.stage = asking
	}
	return st
}
