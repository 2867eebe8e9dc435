package knowledge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/sorting"
)

// snippetSize is how much of a chunk a snippet shows if nothing else is asked for, in bytes.
const snippetSize = 320

// snippet returns the part of a chunk that holds the most of what was looked for, on one line, with … where it was
// cut.
func snippet(text string, q query, size int) string {
	if len(text) <= size {
		return oneLine(text)
	}
	places := places(text, q)
	from := window(places, len(text), size)
	to := min(from+size, len(text))
	from, to = outward(text, from, -1), outward(text, to, 1)
	out := oneLine(text[from:to])
	if from > 0 {
		out = "… " + out
	}
	if to < len(text) {
		out += " …"
	}
	return out
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// place says that what number which of the query stands at a byte.
type place struct{ at, which int }

// places finds the query's words by their beginnings, and runs by their pairs.
func places(text string, q query) (out []place) {
	low := lowered(text)
	which := 0
	for _, w := range slices.Concat(q.words, q.runs) {
		forms := []string{stemOf(w)}
		if hasUnspaced(w) {
			forms = strings.Fields(pairsOnly(w))
			if len(forms) == 0 {
				forms = []string{w}
			}
		}
		for _, form := range forms {
			for from := 0; len(out) < 2000; {
				at := strings.Index(low[from:], form)
				if at < 0 {
					break
				}
				out = append(out, place{from + at, which})
				from += at + len(form)
			}
			which++
		}
	}
	sorting.By(out, func(a, b place) int { return a.at - b.at })
	return out
}

// lowered is lower case of the same length: a letter that is not stays as it is.
func lowered(s string) string {
	if low := strings.ToLower(s); len(low) == len(s) {
		return low
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}

// stemOf returns what the forms of a word begin with.
func stemOf(w string) string {
	if n := len(w); n > 5 && utf8.RuneCountInString(w) == n {
		for _, end := range []string{"ing", "ies", "ed", "es", "s", "e"} {
			if strings.HasSuffix(w, end) {
				return w[:n-len(end)]
			}
		}
	}
	return w
}

// window returns where the piece begins that holds the most different words, the earliest of these, with some room
// before the first.
func window(places []place, all, size int) int {
	best, at := 0, 0
	for i, p := range places {
		seen := map[int]bool{}
		for _, o := range places[i:] {
			if o.at > p.at+size*2/3 {
				break
			}
			seen[o.which] = true
		}
		if len(seen) > best {
			best, at = len(seen), p.at
		}
	}
	return max(0, min(at-size/4, all-size))
}

// outward moves a border to a blank nearby, or to a character's border.
func outward(text string, at, step int) int {
	for i := at; i > 0 && i < len(text) && i-at < 24 && at-i < 24; i += step {
		if text[i] == ' ' || text[i] == '\n' {
			return i
		}
	}
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at += step
	}
	return at
}
