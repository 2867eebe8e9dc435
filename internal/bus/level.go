package bus

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// levels are the priorities of work, most urgent first.
var levels = [3]string{string(akitad.High), string(akitad.Normal), string(akitad.Low)}

// fairTurn is how often a claim looks at the less urgent work first: every so many claims.
const fairTurn = 4

func level(prio string) (int, error) {
	if i := slices.Index(levels[:], prio); i >= 0 {
		return i, nil
	}
	return 0, akitad.Errorf(akitad.InvalidRequest, "%q is not a priority", prio).WithHint("say high, normal or low")
}

// levelOf returns the index in levels of the subject akita.work.<profile>.<prio>.<id>, the last one if the
// priority is unknown.
func levelOf(subj string) int {
	tokens := strings.Split(subj, ".")
	if len(tokens) == 5 {
		if i, err := level(tokens[3]); err == nil {
			return i
		}
	}
	return len(levels) - 1
}

// choose returns one of the first items of the levels: the most urgent one, or on a fair turn the oldest of
// the others, if there are any.
func choose(heads []*Delivery, fair bool) (pick *Delivery, rest []*Delivery) {
	heads = slices.Clone(heads)
	slices.SortFunc(heads, func(a, b *Delivery) int { return levelOf(a.subject) - levelOf(b.subject) })
	n := 0
	if fair {
		for i := 1; i < len(heads); i++ {
			if n == 0 || heads[i].seq < heads[n].seq {
				n = i
			}
		}
	}
	pick = heads[n]
	return pick, slices.Delete(heads, n, n+1)
}
