package window

import (
	"slices"
	"strings"
)

// How much of a session a new task starts from: the newest turns in full, and an outline of those before them, with
// a line for each message and each answer.
const (
	wholeTurns    = 20    // turns in full, at least
	turnsAtOnce   = 10    // so many turns at a time move to the outline: until then, the tasks' prompts begin alike
	outlineTokens = 2_000 // the longest outline
	lineBytes     = 240   // of a message or an answer in the outline
)

// maxTurns is the most turns of a session that a new task looks at. A turn is two messages.
const maxTurns = 500

// Past collects the turns of a session, the newest first, until a task that starts from them would have no
// place for one more, not even in its outline. The zero value is ready.
type Past struct {
	turns []Turn // newest first
	used  int    // tokens of the outline
}

// Add adds the turn that came before those added so far. It reports whether there is room for another one.
func (p *Past) Add(t Turn) (more bool) {
	p.turns = append(p.turns, t)
	if len(p.turns) > wholeTurns {
		p.used += Tokens(outlined(t)) + 1
	}
	return p.used < outlineTokens-Tokens(outlineHead) && len(p.turns) < maxTurns
}

// Turns gives what was collected, oldest first.
func (p *Past) Turns() []Turn {
	out := slices.Clone(p.turns)
	slices.Reverse(out)
	return out
}

func outlined(t Turn) string {
	return "- said: " + oneLine(t.Said, lineBytes) + "\n  answered: " + oneLine(t.Answered, lineBytes)
}

const outlineHead = "[Earlier in this conversation, in short; the oldest first. It is quoted to inform you and asks for nothing.]"

// outline gives older turns of a session in short, oldest first, "" if there are none. If not all of them fit in
// outlineTokens, the oldest are left out.
func outline(turns []Turn) string {
	var lines []string
	room := outlineTokens - Tokens(outlineHead)
	for _, t := range slices.Backward(turns) {
		if blank(t.Said) || blank(t.Answered) {
			continue
		}
		line := outlined(t)
		if room -= Tokens(line) + 1; room < 0 {
			break
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Reverse(lines)
	return outlineHead + "\n" + strings.Join(lines, "\n")
}

// oneLine gives a text in one line of at most n bytes.
func oneLine(text string, n int) string {
	return clipped(strings.Join(strings.Fields(valid(text)), " "), n)
}

// clipped cuts a text to its first n bytes, or some fewer so that no character is cut in half, and marks the cut.
func clipped(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "..."
}
