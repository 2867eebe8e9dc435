package bus

import (
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// levels are the priorities of work, the most urgent first.
var levels = [3]string{string(akitad.High), string(akitad.Normal), string(akitad.Low)}

// fairTurn: of this many claims, the last one looks at the less urgent work too.
const fairTurn = 4

func level(prio string) (int, error) {
	if i := slices.Index(levels[:], prio); i >= 0 {
		return i, nil
	}
	return 0, akitad.Errorf(akitad.InvalidRequest, "%q is not a priority", prio).WithHint("say high, normal or low")
}

// levelOf gives the level of akita.work.<profile>.<prio>.<id>, the last one if it has none.
func levelOf(subj string) int {
	tokens := strings.Split(subj, ".")
	if len(tokens) == 5 {
		if i, err := level(tokens[3]); err == nil {
			return i
		}
	}
	return len(levels) - 1
}

// choose picks one of the heads of the levels: the most urgent, or on a fair turn the oldest of
// the others, if there are others.
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
