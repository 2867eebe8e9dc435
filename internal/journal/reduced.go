package journal

import (
	"slices"

	"github.com/akitad/akitad"
)

// ReducedData records a reduction of the window before the first request that uses it. It is final: every
// later request, on any node, shows the same bytes in the same places.
type ReducedData struct {
	Stage  int    `json:"stage"`            // the highest stage that was needed: 1 masked, 2 summarised, 3 forced
	Rounds int    `json:"rounds"`           // number of rounds at that time
	Cause  string `json:"cause,omitempty"`  // "overflow" if a model's server refused the request as too long
	Budget int    `json:"budget,omitempty"` // tokens
	Before int    `json:"before,omitempty"` // estimated tokens of the request before
	After  int    `json:"after,omitempty"`  // and after the reduction

	// Estimated tokens that the masks and the note removed.
	Masked     int `json:"masked_tokens,omitempty"`
	Summarised int `json:"summarised_tokens,omitempty"`

	Masks []Mask `json:"masks,omitempty"`

	// Note replaces the first Upto rounds and the first Earlier turns of the session. It was made of Parts;
	// the artifact Dump has everything that it replaces in full.
	Note    string `json:"note,omitempty"`
	Upto    int    `json:"upto,omitempty"`
	Earlier int    `json:"earlier,omitempty"`
	Parts   []Part `json:"parts,omitempty"`
	Dump    string `json:"dump,omitempty"`

	// Restated repeats, after the newest round, who the model works for and on what.
	Restated string `json:"restated,omitempty"`

	Usage    akitad.Usage         `json:"usage"` // of the model calls for the summary
	Bills    akitad.Bills         `json:"bills,omitempty"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
}

// Mask replaces the result of one call, or its arguments.
type Mask struct {
	Call     string         `json:"call"`
	Text     string         `json:"text,omitempty"`     // replaces the result
	Args     akitad.RawJSON `json:"args,omitempty"`     // replaces the arguments
	Artifact string         `json:"artifact,omitempty"` // what was removed, in full
	Clipped  bool           `json:"clipped,omitempty"`  // Text still has a part of the result and may be masked again
}

// Part is the summary of the rounds with the indexes From to Upto-1.
type Part struct {
	From  int    `json:"from"`
	Upto  int    `json:"upto"`
	Text  string `json:"text"`
	Model bool   `json:"model,omitempty"` // written by a model, not by rules
}

// reduced keeps a reduction, unless rounds were added or dropped since it was made.
func (t *Task) reduced(e akitad.Event, d ReducedData) {
	t.spend(e.At, d.Usage, d.Bills, "", "summarizer")
	if t.Final() || d.Rounds != len(t.Rounds) {
		return
	}
	t.Reduced = append(t.Reduced, d)
	t.Degraded = append(t.Degraded, d.Degraded...)
}

// LeftOut returns the estimated tokens that all reductions removed from the window, by masks and by summaries.
func (t *Task) LeftOut() (masked, summarised int) {
	for _, d := range t.Reduced {
		masked, summarised = masked+d.Masked, summarised+d.Summarised
	}
	return masked, summarised
}

// keepReductions drops the reductions that were made when there were more than n rounds.
func (t *Task) keepReductions(n int) {
	t.Reduced = slices.DeleteFunc(slices.Clone(t.Reduced), func(d ReducedData) bool { return d.Rounds > n })
}
