package journal

import (
	"slices"

	"github.com/akitad/akitad"
)

// ReducedData records how the window was made smaller, before the first request that is built so. What
// it says is final: every later request, on any node, shows the same bytes in the same places.
type ReducedData struct {
	Stage  int    `json:"stage"`            // the highest that was needed: 1 masked, 2 summarised, 3 forced
	Rounds int    `json:"rounds"`           // that there were
	Cause  string `json:"cause,omitempty"`  // overflow, if a model's server asked for it
	Budget int    `json:"budget,omitempty"` // tokens
	Before int    `json:"before,omitempty"` // estimated tokens of the request as it was
	After  int    `json:"after,omitempty"`

	// Tokens that were left out by masks, and by the note.
	Masked     int `json:"masked_tokens,omitempty"`
	Summarised int `json:"summarised_tokens,omitempty"`

	Masks []Mask `json:"masks,omitempty"`

	// Note stands in place of the first Upto rounds and of the first Earlier turns of the session. Parts
	// are what it was made of; the artifact Dump holds all of it in full.
	Note    string `json:"note,omitempty"`
	Upto    int    `json:"upto,omitempty"`
	Earlier int    `json:"earlier,omitempty"`
	Parts   []Part `json:"parts,omitempty"`
	Dump    string `json:"dump,omitempty"`

	// Restated is what the model is told once more after the newest round: who it works for, and on what.
	Restated string `json:"restated,omitempty"`

	Usage    akitad.Usage         `json:"usage"` // of the summary
	Bills    akitad.Bills         `json:"bills,omitempty"`
	Degraded []akitad.Degradation `json:"degraded,omitempty"`
}

// Mask stands in place of one call's result, or of what the call was given.
type Mask struct {
	Call     string         `json:"call"`
	Text     string         `json:"text,omitempty"`     // in place of the result
	Args     akitad.RawJSON `json:"args,omitempty"`     // in place of the arguments
	Artifact string         `json:"artifact,omitempty"` // what was taken out, in full
	Clipped  bool           `json:"clipped,omitempty"`  // Text still holds some of the result, and may be masked once more
}

// Part is the summary of the rounds From to Upto, without Upto.
type Part struct {
	From  int    `json:"from"`
	Upto  int    `json:"upto"`
	Text  string `json:"text"`
	Model bool   `json:"model,omitempty"` // a model wrote it, and not rules
}

// reduced keeps a reduction of the rounds as they are.
func (t *Task) reduced(e akitad.Event, d ReducedData) {
	t.spend(e.At, d.Usage, d.Bills, "", "summarizer")
	if t.Final() || d.Rounds != len(t.Rounds) {
		return
	}
	t.Reduced = append(t.Reduced, d)
	t.Degraded = append(t.Degraded, d.Degraded...)
}

// LeftOut gives the estimated tokens that reductions took out of the window: by masks, and by summing up.
func (t *Task) LeftOut() (masked, summarised int) {
	for _, d := range t.Reduced {
		masked, summarised = masked+d.Masked, summarised+d.Summarised
	}
	return masked, summarised
}

// keepReductions takes back those that were made when there were more than n rounds.
func (t *Task) keepReductions(n int) {
	t.Reduced = slices.DeleteFunc(slices.Clone(t.Reduced), func(d ReducedData) bool { return d.Rounds > n })
}
