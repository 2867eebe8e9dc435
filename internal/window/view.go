package window

import (
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
)

// view is the record as a model is shown it: mended, and with the recorded reductions in force.
type view struct {
	rounds   []journal.RoundState
	from     int    // the first round that is shown
	head     string // older turns of the session, in short
	note     string // what stands in place of rounds and turns
	turns    []Turn
	masks    map[string]journal.Mask // by the id of the call
	restated [][]string              // at index n: what was told once more after n rounds

	stage    int
	masked   int
	repaired []string

	earlier []Turn // all turns of the session
	dropped int    // how many of them, the oldest, the note stands for
}

// look mends the record and applies the recorded reductions to it, in their order.
func look(in Input) view {
	v := view{earlier: in.Earlier, masks: map[string]journal.Mask{}}
	v.rounds, v.repaired = mend(in.Rounds)
	v.restated = make([][]string, len(v.rounds)+1)
	for _, d := range in.Reduced {
		v.stage = max(v.stage, d.Stage)
		for _, m := range d.Masks {
			v.mask(m)
		}
		if d.Note != "" {
			v.from, v.dropped, v.note = bound(d.Upto, len(v.rounds)), bound(d.Earlier, len(in.Earlier)), valid(d.Note)
		}
		if d.Restated != "" && 0 < d.Rounds && d.Rounds <= len(v.rounds) {
			v.restated[d.Rounds] = append(v.restated[d.Rounds], d.Restated)
		}
	}
	v.open()
	for _, r := range v.rounds[v.from:] {
		for _, c := range r.Thought.Calls {
			if m := v.masks[c.ID]; m.Text != "" && !m.Clipped {
				v.masked++
			}
		}
	}
	return v
}

// bound limits a recorded number to 0..most: the record may be longer than what is left of the rounds or turns.
func bound(n, most int) int { return min(max(n, 0), most) }

// open sets what stands before the person's words: the outline of the session's older turns, and its newest turns
// in full. The border between the two moves by turnsAtOnce turns at a time.
func (v *view) open() {
	whole := max(v.dropped, (len(v.earlier)-wholeTurns)/turnsAtOnce*turnsAtOnce)
	v.turns, v.head = v.earlier[whole:], outline(v.earlier[v.dropped:whole])
}

// mask adds a mask to what earlier reductions masked of the same call. A mask hides the result, the arguments, or
// both; what the new one does not hide stays as it was.
func (v *view) mask(m journal.Mask) {
	known := v.masks[m.Call]
	if m.Text == "" {
		m.Text, m.Artifact, m.Clipped = known.Text, known.Artifact, known.Clipped
	}
	if m.Args == nil {
		m.Args = known.Args
	}
	v.masks[m.Call] = m
}

// whole is the same record without any reduction.
func (v view) whole() view {
	w := view{rounds: v.rounds, earlier: v.earlier, restated: make([][]string, len(v.rounds)+1)}
	w.open()
	return w
}

// round gives the messages of one round: the thought, and the results that answer it. A thought without
// a call, which no round of ours has, is answered so that another one can follow.
func (v view) round(i int) []llm.Message {
	r := v.rounds[i]
	switch t := r.Thought; {
	case len(t.Calls) == 0 && blank(t.Text):
		return nil
	case len(t.Calls) == 0:
		return []llm.Message{v.thought(t), {Speaker: llm.User, Text: "[go on]"}}
	}
	return []llm.Message{v.thought(r.Thought), {Speaker: llm.ToolReply, Results: v.results(r)}}
}

// thought gives the model's own message in the bytes in which its provider sent it, unless arguments in it are
// masked: then the provider's form is dropped and the message is made anew from its fields. A call is shown as the
// model made it, so one that went through call_tool is a call of call_tool to every provider.
func (v view) thought(t journal.ThoughtData) llm.Message {
	m := llm.Message{Speaker: llm.Assistant, Text: t.Text, Calls: slices.Clone(t.Calls), Raw: t.Raw, RawBy: t.RawBy}
	for i, c := range m.Calls {
		if args := v.masks[c.ID].Args; args != nil {
			m.Calls[i].Args, m.Raw, m.RawBy = args, nil, ""
		}
		m.Calls[i] = llm.AsMade(m.Calls[i])
	}
	return m
}

// results gives the observations of a round, each under the name of the tool that the model called.
func (v view) results(r journal.RoundState) []akitad.Observation {
	out := slices.Clone(r.Results)
	for i, o := range out {
		for _, c := range r.Thought.Calls {
			if c.ID == o.Call && c.Via != "" {
				out[i].Tool = c.Via
			}
		}
		if m := v.masks[o.Call]; m.Text != "" {
			out[i].Text = valid(m.Text)
			out[i].Untrusted = o.Untrusted && m.Clipped // a placeholder is ours
		}
	}
	return out
}
