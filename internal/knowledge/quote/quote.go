// Package quote finds in passages the sentences that hold the answer to a question, word for word, or none. It is
// strict: each word of the question that says what it is about must stand in the sentence or in what it stands
// under, and who asks for a number, a time or a person is shown a sentence with one. It makes no sentence of its own.
package quote

import (
	"slices"
	"strings"
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

// Find gives the sentences that answer a question, in the order of the passages, those with more of its words
// beside each other first. None is no answer: the passages do not hold it, or they hold it in other words.
func Find(question string, passages []Passage) []Quote {
	a, ok := read(question)
	if !ok {
		return nil
	}
	type scored struct {
		Quote
		own int
	}
	var found []scored
	for i, p := range passages {
		for _, u := range units(p) {
			if own, ok := a.answered(u); ok {
				found = append(found, scored{Quote{i, u.show(), u.line}, own})
			}
		}
	}
	slices.SortStableFunc(found, func(x, y scored) int { return y.own - x.own })
	var out []Quote
	for _, f := range found {
		if len(out) == maxQuotes || f.own*2 < found[0].own {
			break
		}
		if !slices.ContainsFunc(out, func(q Quote) bool { return q.Text == f.Text }) {
			out = append(out, f.Quote)
		}
	}
	return out
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
	return own, own > 0 || a.heading(u)
}

// heading reports whether a how-question is answered by what stands under its own heading.
func (a ask) heading(u unit) bool { return a.how && u.first }

// show gives the sentence with the one that it goes on from.
func (u unit) show() string { return strings.TrimSpace(u.before + u.text) }
