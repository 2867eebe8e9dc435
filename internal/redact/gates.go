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

// in gives those of the gates that are in s, whose pairs these are.
func (p *pairs) in(s string, gates []string) (found []string) {
	for _, gate := range gates {
		if p.may(gate) && strings.Contains(s, gate) {
			found = append(found, gate)
		}
	}
	return found
}

// nearLines are the lines before and after that of a gate in which its pattern may match: a name stands on one
// line, its value on one of the next.
const nearLines = 2

// near gives the next stretch of s, in whole lines, around a gate that stands at from or behind it; from is the
// beginning of a line. No stretch is left if start is len(s).
func near(s string, gates []string, from int) (start, end int) {
	hit := len(s)
	for _, gate := range gates {
		if at := strings.Index(s[from:min(len(s), hit+len(gate)-1)], gate); at >= 0 {
			hit = from + at
		}
	}
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
