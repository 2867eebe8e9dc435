// Package quote finds in passages the sentences that hold the answer to a question, word for word, or none. It is
// strict: each word of the question that says what it is about must stand in the sentence or in what it stands
// under, and who asks for a number, a time or a person is shown a sentence with one. It makes no sentence of its own.
package quote

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/sorting"
)

// Passage is a text to look in, and what it stands under.
type Passage struct {
	Title string
	Text  string
	Line  int // where it begins, from 1
}

// Quote is a sentence, or a few, of a passage.
type Quote struct {
	Passage int // its place among the passages
	Text    string
	Line    int
}

// maxQuotes is how many sentences an answer has at most.
const maxQuotes = 3

// Find returns the sentences that answer a question, in the order of the passages, those with more of its words
// beside each other first. None is no answer: the passages do not hold it, or they hold it in other words.
func Find(question string, passages []Passage) []Quote {
	a, ok := read(question)
	if !ok {
		return nil
	}
	var found []scored
	for i, p := range passages {
		for _, u := range units(p) {
			if own, ok := a.answered(u); ok {
				found = append(found, scored{Quote{i, u.show(a.titled(u)), u.line}, own})
			}
		}
	}
	sorting.By(found, func(x, y scored) int { return y.own - x.own })
	var out []Quote
	for _, f := range found {
		if len(out) == maxQuotes || f.own*2 < found[0].own {
			break
		}
		if !slices.ContainsFunc(out, func(q Quote) bool {
			return q.Passage == f.Passage && strings.Contains(q.Text, f.Text) || q.Text == f.Text
		}) {
			out = append(out, f.Quote)
		}
	}
	return out
}

type scored struct {
	Quote
	own int // words of the question that are its own
}

// answered reports whether a sentence answers, and how many of the question's words are its own.
func (a ask) answered(u unit) (own int, ok bool) {
	for _, w := range a.words {
		switch {
		case u.own.has(w):
			own++
		case !u.above.has(w):
			return 0, false
		}
	}
	for _, run := range a.runs {
		n, ok := covered(run, u.text, u.context)
		if !ok {
			return 0, false
		}
		own += n
	}
	if !a.suits(u) {
		return 0, false
	}
	if a.titled(u) {
		return own + len(a.words) + 1, true // all of it is about this
	}
	return own, own > 0 || a.headed(u)
}

// headed reports whether a unit begins what stands under a heading that says what is asked for, and nothing else.
func (a ask) headed(u unit) bool {
	if u.body == "" || u.heading == "" {
		return false
	}
	for _, w := range wordsOf(strings.ToLower(u.heading)) {
		if !slices.ContainsFunc(a.words, func(asked word) bool { return w.meets(asked) }) {
			return false
		}
	}
	for _, run := range runsOf(u.heading) {
		if !strings.Contains(a.text, run) {
			return false
		}
	}
	return true
}

// titled reports whether the headings alone say what is asked for, above a section that is short enough to be shown.
func (a ask) titled(u unit) bool {
	if !a.headed(u) || len(u.body) > maxBody {
		return false
	}
	for _, w := range a.words {
		if !u.above.has(w) {
			return false
		}
	}
	for _, run := range a.runs {
		if _, ok := covered(run, "", u.context); !ok {
			return false
		}
	}
	return true
}

func (w word) meets(other word) bool {
	return slices.ContainsFunc(w.forms, func(f string) bool { return slices.Contains(other.forms, f) })
}

// show returns the sentence with the one that it goes on from; under a heading that asks the same, all of it that is
// short.
func (u unit) show(whole bool) string {
	if whole {
		return u.body
	}
	return strings.TrimSpace(u.before + u.text)
}

// maxBody is how long the whole of a section may be to be quoted, in bytes.
const maxBody = 1200
