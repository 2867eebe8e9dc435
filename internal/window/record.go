package window

import (
	"fmt"
	"strings"

	"github.com/akitad/akitad/internal/journal"
)

// PersonNote begins every note that holds a person's own words. When a reduction cuts such a note out of the window,
// the note of the reduction has it word for word.
const PersonNote = "[the person "

// record writes turns and rounds as plain text, with nothing left out. It is what a summary is made from, and what is
// stored before the summary replaces it. first is the number of the first of the rounds; the task's first is 1.
func record(turns []Turn, rounds []journal.RoundState, first int) string {
	var b strings.Builder
	for _, t := range turns {
		fmt.Fprintf(&b, "## earlier in the conversation\nthe person: %s\nanswered: %s\n\n", t.Said, t.Answered)
	}
	for i, r := range rounds {
		writeRound(&b, r, first+i)
	}
	return b.String()
}

func writeRound(b *strings.Builder, r journal.RoundState, number int) {
	fmt.Fprintf(b, "## round %d\n", number)
	for _, n := range r.Thought.Notes {
		if !strings.HasPrefix(n, "\n") { // the brief stands in the prompt
			b.WriteString("note: " + n + "\n")
		}
	}
	if !blank(r.Thought.Text) {
		b.WriteString("the agent: " + r.Thought.Text + "\n")
	}
	for i, c := range r.Thought.Calls {
		fmt.Fprintf(b, "call %s: %s %s\n", c.ID, c.Tool, c.Args)
		if i < len(r.Results) {
			writeResult(b, r, i)
		}
	}
	b.WriteString("\n")
}

func writeResult(b *strings.Builder, r journal.RoundState, i int) {
	o := r.Results[i]
	b.WriteString("result of " + o.Call)
	if o.Error != nil {
		b.WriteString(", failed: " + string(o.Error.Kind))
	}
	if o.Artifact != "" {
		b.WriteString(", all of it is artifact " + o.Artifact)
	}
	b.WriteString(":\n" + o.Text + "\n")
}

// said gives what a person said in the rounds, word for word: corrections, and answers to questions.
func said(rounds []journal.RoundState) (out []string) {
	for _, r := range rounds {
		for _, n := range r.Thought.Notes {
			if strings.HasPrefix(n, PersonNote) {
				out = append(out, n)
			}
		}
		for i, o := range r.Results {
			if personal(o) {
				c := r.Thought.Calls[i]
				out = append(out, fmt.Sprintf("[asked with %s %s] %s", c.Tool, c.Args, o.Text))
			}
		}
	}
	return out
}
