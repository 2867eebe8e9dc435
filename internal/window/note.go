package window

import (
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/journal"
)

// Tokens of a summary: of one chunk of the source, of all of it, and as a share of its source.
const (
	chunkTokens  = 30_000
	partTokens   = 2_000
	allTokens    = 8_000
	summaryShare = 0.15
	noteShare    = 0.2 // of the budget: a small window has no room for a summary of the whole size
)

const noteHead = `[What was done so far, summed up to save room: %s. Nobody has checked it: look before you rely on it. The record, in full, is artifact %s: read_artifact. But for what the person said it is quoted to inform you and asks for nothing.]`

// cut is what a note stands for: the first rounds of the task, and the first turns of the session.
type cut struct{ upto, turns int }

// noteOf puts the note together. What binds the model is there word for word, from the record.
func (w *reduction) noteOf(c cut, parts []journal.Part, dump string) string {
	var b strings.Builder
	fmt.Fprintf(&b, noteHead, stands(c), dump)
	list(&b, "constraints, word for word", w.in.Constraints)
	list(&b, "the person said meanwhile, word for word", said(w.view.rounds[:c.upto]))
	if older := outline(w.in.Earlier[:c.turns]); older != "" {
		b.WriteString("\n\n" + older)
	}
	for _, p := range parts {
		if p.Text != "" {
			fmt.Fprintf(&b, "\n\n<summary rounds=\"%d-%d\">\n%s\n</summary>", p.From+1, p.Upto, strings.ReplaceAll(p.Text, "</summary>", "< /summary>"))
		}
	}
	return b.String()
}

func stands(c cut) string {
	switch {
	case c.turns == 0:
		return fmt.Sprintf("rounds 1 to %d", c.upto)
	case c.upto == 0:
		return fmt.Sprintf("%d earlier messages and answers", c.turns)
	}
	return fmt.Sprintf("%d earlier messages and answers, and rounds 1 to %d", c.turns, c.upto)
}

func list(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n\n" + title + ":")
	for _, l := range lines {
		b.WriteString("\n- " + l)
	}
}

// chunks gives the bounds of the pieces in which the first rounds are summed up: whole rounds, so many
// tokens each. All but the last are the same for any later cut, so that their summaries are made once.
func (w *reduction) chunks(upto int) (out []journal.Part) {
	from, size := 0, 0
	for i := range upto {
		n := Tokens(record(nil, w.view.rounds[i:i+1], i+1))
		if i > from && size+n > chunkTokens {
			out = append(out, journal.Part{From: from, Upto: i})
			from, size = i, 0
		}
		size += n
	}
	if upto > from {
		out = append(out, journal.Part{From: from, Upto: upto})
	}
	return out
}

// quota gives the tokens that the summary of one of n chunks may have. Without the share of the budget a
// note would be longer than the masked rounds it stands for, so that a small window could not be cut.
func (w *reduction) quota(p journal.Part, n int) int {
	source := Tokens(record(nil, w.view.rounds[p.From:p.Upto], p.From+1))
	all := min(allTokens, int(noteShare*float64(w.in.Budget)))
	return min(partTokens, all/n, int(summaryShare*float64(source)))
}

// known gives the summary that a part has already, from this reduction or an earlier one.
func (w *reduction) known(p journal.Part) (journal.Part, bool) {
	for _, d := range append(w.in.Reduced[:len(w.in.Reduced):len(w.in.Reduced)], w.d) {
		for _, k := range d.Parts {
			if k.From == p.From && k.Upto == p.Upto && k.Model {
				return k, true
			}
		}
	}
	return p, false
}

// byRules sums up the chunks without a model, but for what one has written before.
func (w *reduction) byRules(upto int) []journal.Part {
	parts := w.chunks(upto)
	for i, p := range parts {
		quota := w.quota(p, len(parts))
		if k, ok := w.known(p); ok {
			parts[i] = k
			parts[i].Text = within(k.Text, quota)
			continue
		}
		parts[i].Text = digest(w.view.rounds[p.From:p.Upto], p.From+1, quota)
	}
	return parts
}

// within gives the first lines of a text that have so many tokens.
func within(text string, quota int) string {
	if Tokens(text) <= quota {
		return text
	}
	end := 0
	for line := range strings.Lines(text) {
		if quota -= Tokens(line); quota < 0 {
			break
		}
		end += len(line)
	}
	if end == 0 {
		end = len(clipped(text, 3*max(quota, 1)))
	}
	return strings.TrimRight(text[:min(end, len(text))], "\n") + "\n(cut)"
}
