package redact

import "strings"

// pairs notes which two bytes stand side by side in a text, by a hash: what needs two that do not is not in it.
// One pass over a text spares it one for nearly every gate.
type pairs [64]uint64

func hash(a, b byte) uint { return (uint(a)*67 + uint(b)) % (64 * 64) }

func (p *pairs) add(a, b byte) {
	at := hash(a, b)
	p[at/64] |= 1 << (at % 64)
}

func (p *pairs) has(a, b byte) bool {
	at := hash(a, b)
	return p[at/64]&(1<<(at%64)) != 0
}

func pairsOf(s string) (p pairs) {
	for i := 1; i < len(s); i++ {
		p.add(s[i-1], s[i])
	}
	return p
}

// may reports whether a gate may be in the text.
func (p *pairs) may(gate string) bool {
	for i := 1; i < len(gate); i++ {
		if !p.has(gate[i-1], gate[i]) {
			return false
		}
	}
	return true
}

// gate is a literal that is in a text, and where it stands next.
type gate struct {
	text string
	at   int
}

// in gives those of the gates that are in s, whose pairs these are.
func (p *pairs) in(s string, gates []string) (found []gate) {
	for _, text := range gates {
		if !p.may(text) {
			continue
		}
		if at := strings.Index(s, text); at >= 0 {
			found = append(found, gate{text, at})
		}
	}
	return found
}

// next gives where the first of the gates stands at from or behind it, or len(s). It looks at each byte once for each gate.
func next(s string, gates []gate, from int) int {
	first := len(s)
	for i := range gates {
		g := &gates[i]
		if g.at < from {
			at := strings.Index(s[from:], g.text)
			if g.at = from + at; at < 0 {
				g.at = len(s)
			}
		}
		first = min(first, g.at)
	}
	return first
}

// nearLines are the lines before and after that of a gate in which its pattern may match: a name stands on one
// line, its value on one of the next.
const nearLines = 2

// near gives the next stretch of s, in whole lines, around a gate that stands at from or behind it; from is the
// beginning of a line. No stretch is left if start is len(s).
func near(s string, gates []gate, from int) (start, end int) {
	hit := next(s, gates, from)
	if hit == len(s) {
		return hit, hit
	}
	start, end = hit, hit
	for range nearLines {
		start = from + strings.LastIndexByte(s[from:max(from, start-1)], '\n') + 1
	}
	for n := 0; n <= nearLines && end < len(s); n++ {
		line, _, _ := strings.Cut(s[end:], "\n")
		if end = min(len(s), end+len(line)+1); strings.HasSuffix(strings.TrimRight(line, "\r"), `\`) {
			n-- // a command goes on
		}
	}
	return start, end
}
