package guard

import (
	"fmt"
	"time"

	"github.com/akitad/akitad"
)

// Limits cap what a root task and everything below it may use. A limit of 0 is none.
type Limits struct {
	Input  int           // input tokens that no cache held
	Calls  int           // model calls
	Active time.Duration // time in somebody's hands, all tasks together
	Tasks  int           // delegated tasks
}

// Spend is what a root task and everything below it have used.
type Spend Limits

// Add gives both together.
func (s Spend) Add(o Spend) Spend {
	return Spend{s.Input + o.Input, s.Calls + o.Calls, s.Active + o.Active, s.Tasks + o.Tasks}
}

// SpendOf gives a usage as spend.
func SpendOf(u akitad.Usage) Spend { return Spend{Input: max(0, u.Input-u.Cached), Calls: u.Calls} }

// Narrow lowers the limits to those that a request sets; it never raises one.
func (l Limits) Narrow(b *akitad.Budget) Limits {
	if b == nil {
		return l
	}
	l.Input = narrow(l.Input, b.InputTokens)
	l.Calls = narrow(l.Calls, b.Calls)
	l.Active = narrow(l.Active, b.Active)
	return l
}

func narrow[T int | time.Duration](have, want T) T {
	if want > 0 && (have == 0 || want < have) {
		return want
	}
	return have
}

// Times gives the limits n times over: what they are after a person has let a task go on n-1 times.
func (l Limits) Times(n int) Limits {
	return Limits{l.Input * n, l.Calls * n, l.Active * time.Duration(n), l.Tasks * n}
}

// Use is how far one limit is used up.
type Use struct {
	Name  string  // what is limited, in English
	Share float64 // 1 is all of it
	Left  string  // in words
}

// Worst gives the limit that is nearest to its end; without limits its share is 0. The number of
// tasks is not among them: it ends no work, only further delegation.
func (l Limits) Worst(s Spend) Use {
	uses := []Use{
		use("input tokens", l.Input, s.Input, fmt.Sprint(max(0, l.Input-s.Input))),
		use("model calls", l.Calls, s.Calls, fmt.Sprint(max(0, l.Calls-s.Calls))),
		use("working time", l.Active, s.Active, max(0, l.Active-s.Active).Round(time.Second).String()),
	}
	worst := uses[0]
	for _, u := range uses[1:] {
		if u.Share > worst.Share {
			worst = u
		}
	}
	return worst
}

func use[T int | time.Duration](name string, limit, spent T, left string) Use {
	if limit <= 0 {
		return Use{Name: name}
	}
	return Use{Name: name, Share: float64(spent) / float64(limit), Left: left}
}

// MayDelegate reports whether one more task may be delegated.
func (l Limits) MayDelegate(s Spend) bool { return l.Tasks <= 0 || s.Tasks < l.Tasks }

// Mark gives the highest of the marks 50 %, warn and 90 % that a share has reached, in per cent; 0
// if none. The share at which a person is warned stands in for 80 %.
func Mark(share, warn float64) int {
	mark := 0
	for _, m := range []float64{0.5, warn, 0.9} {
		if m > 0 && share >= m {
			mark = max(mark, int(m*100+0.5))
		}
	}
	return mark
}

// Sub gives what is left of s without o.
func (s Spend) Sub(o Spend) Spend {
	return Spend{s.Input - o.Input, s.Calls - o.Calls, s.Active - o.Active, s.Tasks - o.Tasks}
}
