package window

import (
	"context"
	"slices"

	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// Reducer makes windows smaller. It decides once; what it decided is to be journalled before a request
// is built by it, and is final.
type Reducer struct {
	Options

	// Keep stores what is taken out of a window and gives the name under which it is read back.
	Keep func(ctx context.Context, body []byte) (hash string, err error)

	// Ask makes the model call of a summary. Nil means that rules alone summarise.
	Ask func(ctx context.Context, req llm.Request) (llm.Reply, error)

	// Restate gives what the model is told once more after a reduction: who it works for, and on what. It
	// may be nil.
	Restate func() string
}

// Cause says why a window is to be made smaller.
type Cause string

// The causes: it has grown, or a model's server has refused it as too large.
const (
	Growth   Cause = ""
	Overflow Cause = "overflow"
)

// overflowShare is what remains of a request that a server refused: the estimate was wrong by at least
// as much as it was within the budget.
const overflowShare = 0.6

// Reduce decides how the window of in is made smaller; false means that it need not, or cannot, be. An
// error is one of Keep, or that ctx has ended: a summary that cannot be had is made by rules.
func (r Reducer) Reduce(ctx context.Context, in Input, cause Cause) (journal.ReducedData, bool, error) {
	w := &reduction{Reducer: r, in: in, budget: in.Budget, d: journal.ReducedData{Rounds: len(in.Rounds), Cause: string(cause), Budget: in.Budget}}
	w.look()
	if in.Budget <= 0 || r.Strategy == Off {
		return w.d, false, nil
	}
	w.d.Before = w.size
	if cause == Overflow {
		w.budget = max(1, int(overflowShare*float64(min(in.Budget, w.size))))
	}
	for _, stage := range []func(context.Context) error{w.maskOld, w.summarise, w.force} {
		if err := stage(ctx); err != nil {
			return w.d, false, err
		}
	}
	return w.d, w.settle(), nil
}

// reduction is one in the making.
type reduction struct {
	Reducer
	in     Input
	budget int // that the stages keep to
	d      journal.ReducedData
	view   view // with what was decided so far
	size   int  // tokens of the request so
	failed int  // tries of the summariser that gave nothing
}

// look takes in what was decided.
func (w *reduction) look() {
	w.view, w.size = w.with(w.d)
}

// saved takes in what was decided, and gives by how many tokens the request is smaller for it.
func (w *reduction) saved() int {
	before := w.size
	w.look()
	return max(0, before-w.size)
}

// with gives the view and the size of the request under a decision.
func (w *reduction) with(d journal.ReducedData) (view, int) {
	in := w.in
	in.Reduced = append(slices.Clip(in.Reduced), d)
	v := look(in)
	return v, in.Weights.Tokens(in.Counter.Request(request(in, v.messages(in))))
}

func (w *reduction) over(share float64) bool { return float64(w.size) > share*float64(w.budget) }

// tokens counts a text as the model would.
func (w *reduction) tokens(text string) int { return w.in.Weights.Tokens(w.in.Counter.load(text)) }

// settle completes the decision; false if it gains nothing.
func (w *reduction) settle() bool {
	if len(w.d.Masks) == 0 && w.d.Note == "" {
		return false
	}
	if w.d.Rounds > 0 && w.Restate != nil {
		w.d.Restated = w.Restate()
	}
	if w.look(); w.size > w.in.Budget && w.d.Restated != "" {
		w.d.Restated = ""
		w.look()
	}
	w.d.After = w.size
	return w.d.After < w.d.Before
}

// stage raises the stage of the decision.
func (w *reduction) stage(n int) { w.d.Stage = max(w.d.Stage, n) }
