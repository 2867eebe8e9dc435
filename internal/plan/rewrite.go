package plan

import (
	"slices"

	"github.com/akitad/akitad"
)

// Rewrite gives p with everything but the kept steps replaced by the steps of next. The kept ones,
// and what they need, stay as they are and come first; a step of next that has the id of one of them
// is left out. The result is not validated. kept is given back with what was added to it.
func Rewrite(p akitad.Plan, kept []string, next akitad.Plan) (akitad.Plan, []string) {
	kept = closure(p, kept)
	out := akitad.Plan{Goal: p.Goal, Params: p.Params}
	for _, s := range p.Steps {
		if slices.Contains(kept, s.ID) {
			out.Steps = append(out.Steps, s)
		}
	}
	for _, s := range next.Steps {
		if !slices.Contains(kept, s.ID) {
			out.Steps = append(out.Steps, s)
		}
	}
	return out, kept
}

// closure adds to the ids all that their steps need.
func closure(p akitad.Plan, ids []string) []string {
	out := slices.Clone(ids)
	for i := 0; i < len(out); i++ {
		for _, s := range p.Steps {
			if s.ID != out[i] {
				continue
			}
			for _, need := range Needs(s) {
				if !slices.Contains(out, need) {
					out = append(out, need)
				}
			}
		}
	}
	return out
}
