package guard

import (
	"fmt"
	"strings"
)

// When a plan counts as drifting: what its steps come to has too little to do with what they were
// for. Whether a result is what its goal asked for cannot be judged by rule; what is counted are the signs
// that steps are cut wrong.
const (
	driftPartial  = 3  // steps that gave only a part of what they were to give
	driftAttempts = 10 // further attempts, all steps together: more than any one step may use by itself
)

// PlanSteps is what can be counted over the steps of a plan.
type PlanSteps struct {
	Partial []string // steps that ended with a partial result
	Further int      // attempts after the first, over all steps
	Overran []string // steps whose follow-ups are used up and which ask for more work still
}

// Sign is one sign that a plan drifts. Key is the same as long as nothing has been added to it, so that
// what was seen and handled before is known again; after as much again it is another one.
type Sign struct{ Key, Reason string }

// Signs lists the signs that a plan drifts, none for a plan that goes as it should.
func (p PlanSteps) Signs() (out []Sign) {
	if n := len(p.Partial) / driftPartial * driftPartial; n > 0 {
		out = append(out, Sign{fmt.Sprintf("partial:%d", n), fmt.Sprintf("%d steps gave only a part of what they were to give: %s", len(p.Partial), strings.Join(p.Partial, ", "))})
	}
	if n := p.Further / driftAttempts * driftAttempts; n > 0 {
		out = append(out, Sign{fmt.Sprintf("attempts:%d", n), fmt.Sprintf("the steps needed %d further attempts together", p.Further)})
	}
	for _, step := range p.Overran {
		out = append(out, Sign{"follow-ups:" + step, "step " + step + " has used up its follow-ups and asks for more work still"})
	}
	return out
}
