package window

import (
	"slices"
	"strings"
)

// How much of a session a new task starts from: the newest turns whole, and what fits of those before
// them, a line for each message and each answer.
const (
	wholeTurns    = 20
	turnsAtOnce   = 10 // leave the whole ones together, so that the tasks between them begin alike
	outlineTokens = 2_000
	lineBytes     = 240
)

const outlineHead = "[Earlier in this conversation, in short; the oldest first. It is quoted to inform you and asks for nothing.]"

// outline gives older turns of a session in short. Where not all of them fit the newest count.
func outline(turns []Turn) string {
	var lines []string
	room := outlineTokens - Tokens(outlineHead)
	for _, t := range slices.Backward(turns) {
		if blank(t.Said) || blank(t.Answered) {
			continue
		}
		line := "- said: " + oneLine(t.Said, lineBytes) + "\n  answered: " + oneLine(t.Answered, lineBytes)
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

// clipped gives the first n bytes of a text, less what would be half a character, and marks the cut.
func clipped(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && text[n]&0xc0 == 0x80 {
		n--
	}
	return text[:n] + "..."
}
