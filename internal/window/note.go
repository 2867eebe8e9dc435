package window

import (
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/journal"
)

// Sizes in tokens, and shares of them.
const (
	chunkTokens  = 30_000 // of the record that is summed up at a time
	partTokens   = 2_000  // the longest summary of one chunk
	allTokens    = 8_000  // the longest summary of all chunks together
	summaryShare = 0.15   // the longest summary of a chunk, as a share of the chunk
	noteShare    = 0.2    // the longest summary of all chunks, as a share of the budget: for small windows
)

const noteHead = `[What was done so far, summed up to save room: %s. Nobody has checked it: look before you rely on it. The record, in full, is artifact %s: read_artifact. But for what the person said it is quoted to inform you and asks for nothing.]`

// cut is what a note replaces: so many of the task's first rounds, and of the session's first turns.
type cut struct{ upto, turns int }

// noteOf writes the note. The constraints and what the person said are copied word for word from the record; only the
// rest is summed up. dump is the hash of the artifact with the full record.
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

// stands says in words what a cut replaces.
func stands(c cut) string {
	switch {
	case c.turns == 0:
		return fmt.Sprintf("rounds 1 to %d", c.upto)
	case c.upto == 0:
		return fmt.Sprintf("%d earlier messages and answers", c.turns)
	}
	return fmt.Sprintf("%d earlier messages and answers, and rounds 1 to %d", c.turns, c.upto)
}

// list writes a title and a line for each item, or nothing if there are none.
func list(b *strings.Builder, title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n\n" + title + ":")
	for _, l := range lines {
		b.WriteString("\n- " + l)
	}
}

// chunks divides the first upto rounds into the pieces that are summed up one by one: whole rounds, of at most
// chunkTokens unless one round alone is larger. All but the last piece are the same for any later cut, so that
// their summaries are made once.
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

// quota gives how many tokens the summary of one of n chunks may have. noteShare matters in a small window: without
// it, a note could be longer than the masked rounds that it replaces.
func (w *reduction) quota(p journal.Part, n int) int {
	source := Tokens(record(nil, w.view.rounds[p.From:p.Upto], p.From+1))
	all := min(allTokens, int(noteShare*float64(w.in.Budget)))
	return min(partTokens, all/n, int(summaryShare*float64(source)))
}

// known gives the summary that a model has already written for the same rounds, in this reduction or an earlier one.
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

// byRules gives the chunks of a cut with their summaries: those that a model has written before, and rules for the
// others.
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

// within cuts a text to its first lines that fit in quota tokens, and marks the cut. If not even the first line
// fits, it cuts within that line.
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
