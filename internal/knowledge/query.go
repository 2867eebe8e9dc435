package knowledge

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// query is what is searched for.
type query struct {
	words  []string // lower case
	runs   []string // of scripts without blanks
	phrase []string // what stands in quotation marks, as it is written
}

// maxTerms bounds what one query costs.
const maxTerms = 32

func newQuery(text string) (q query) {
	var weak []string
	words(text, func(word string, run bool) {
		switch {
		case run && !slices.Contains(q.runs, word):
			q.runs = append(q.runs, word)
		case run || slices.Contains(q.words, word):
		case aside(word):
			weak = append(weak, word)
		default:
			q.words = append(q.words, word)
		}
	})
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 1 && strings.TrimSpace(part) != "" {
			q.phrase = append(q.phrase, part)
		}
	}
	if len(q.words)+len(q.runs) == 0 {
		q.words = weak
	}
	q.words, q.runs, q.phrase = q.words[:min(len(q.words), maxTerms)], q.runs[:min(len(q.runs), maxTerms)], q.phrase[:min(len(q.phrase), 4)]
	return q
}

func (q query) empty() bool { return len(q.words)+len(q.runs) == 0 }

// with returns the query with words in place of others.
func (q query) with(read map[string]string) query {
	out := q
	out.words = slices.Clone(q.words)
	for i, w := range out.words {
		if as, ok := read[w]; ok {
			out.words[i] = as
		}
	}
	return out
}

// The forms of a query are what FTS5 takes; empty if it has nothing of the kind. Each word is quoted, so that none is
// taken for an operator.

func (q query) byWords() string {
	return either(append(quoted(q.phrase, spaced), quoted(q.words, nil)...))
}

// byPairs returns a query for each pair.
func (q query) byPairs() []string {
	var all []string
	for _, run := range q.runs {
		if utf8.RuneCountInString(run) == 1 {
			all = append(all, literally(run)+"*") // every pair that begins with it, and the last of a run
			continue
		}
		all = append(all, quoted(strings.Fields(pairsOnly(run)), nil)...)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return all[:min(len(all), 4*maxTerms)]
}

// byRuns looks for whole runs: their pairs, one after the other.
func (q query) byRuns() string {
	var all []string
	for _, run := range q.runs {
		if utf8.RuneCountInString(run) >= 3 {
			all = append(all, literally(pairsOnly(run)))
		}
	}
	return either(all)
}

// pairsOnly returns the pairs of a run without the character that ends it.
func pairsOnly(run string) string {
	all := pairs(run)
	return strings.TrimSpace(all[:strings.LastIndexByte(strings.TrimSpace(all), ' ')+1])
}

func literally(s string) string { return `"` + strings.ReplaceAll(s, `"`, `""`) + `"` }

func quoted(words []string, of func(string) string) (out []string) {
	for _, w := range words {
		if of != nil {
			w = of(w)
		}
		if strings.TrimSpace(w) != "" {
			out = append(out, literally(w))
		}
	}
	return out
}

func either(terms []string) string { return strings.Join(terms, " OR ") }
