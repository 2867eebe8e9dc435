package window

import (
	"context"
	"slices"

	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// Reducer decides how a window is made smaller. The caller must journal the decision before it builds a request by
// it; a journalled decision is never changed.
type Reducer struct {
	Options

	// Keep stores what is taken out of a window as an artifact, and gives the hash under which it is read back.
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

// overflowShare is the share to which a request that a server refused is reduced, of its estimated size or of the
// budget, whichever is smaller: the refusal shows that the estimate was too low, but not by how much.
const overflowShare = 0.6

// Reduce decides how the window of in is made smaller, stage by stage. False means that nothing is to be reduced, or
// nothing would be gained. The only errors are those of Keep and the end of ctx: if a model gives no summary,
// rules make one.
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

// reduction is a decision of Reduce in the making.
type reduction struct {
	Reducer
	in     Input
	budget int                 // tokens; smaller than in.Budget after a refusal
	d      journal.ReducedData // what is decided so far
	view   view                // under that decision
	size   int                 // estimated tokens of the request under that decision
	failed int                 // calls of the summariser that gave nothing usable
}

// look brings view and size up to date with the decision.
func (w *reduction) look() {
	w.view, w.size = w.with(w.d)
}

// saved is look, and gives by how many tokens the request became smaller.
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

// settle completes the decision: it adds what the model is told once more, if there is room for that, and the size
// of the request. False means that the request is not smaller than before.
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
