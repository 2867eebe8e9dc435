package compiler

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// A mood is what a clause does in a message. It decides what of the clause may limit the work: of what
// somebody tells nothing does, of what is forbidden the whole.
type mood uint8

const (
	open   mood = 1 << iota // an order, or a piece of one: any phrase in it may limit the work
	asked                   // a question: only how it is to be answered limits anything
	told                    // how things are, what somebody likes, what is to be passed on
	needed                  // what somebody needs: it limits by when
	demand                  // forbids or demands, as a whole
)

// clause is a piece of a text between two pauses, in bytes. What it demands begins at start.
type clause struct {
	from, start, to int
	mood            mood
}

// clauses are those of one text.
type clauses struct {
	text string // the text, with a line end in place of each joint that no mark shows
	list []clause
}

var (
	// pause ends a clause.
	pause = pattern.New(`[.!?;:,]+(?:\s+|$)|[,;]|\n+|[，。；：！？…～]+|\s+[-–—]+\s+|[()（）]`)

	// joint begins a clause without a pause before it, if what follows is one.
	joint   = pattern.New(`(?i)\s+(?:and|but|or|so|then|because|since|though|unless|only (?:if|when|after|once)|saying|explaining|asking|telling)\s`)
	jointZH = pattern.New(`但是?`)
	// listedZH is what is forbidden as one of several things: 一百字以内、不带公式.
	listedZH = pattern.New(`、[不别勿]`)
	// link is what binds a clause to the one before.
	link = pattern.New(`(?i)^(?:(?:and|but|or|so|then|plus|also|yet|that|please|pls|plz)\s+)+|^(?:但是?|不过|而且|并且|同时|也|还|然后|另外|所以|请|千万|你|您|大家)+`)
)

// cutClauses cuts text, in which nothing that is quoted may stand, into its clauses.
func cutClauses(text string) clauses {
	b, from := []byte(text), 0
	breaks := pause.FindAllStringIndex(text, -1)
	for _, m := range append(breaks, []int{len(text), len(text)}) {
		markJoints(b[from:m[0]], text[:from])
		from = m[1]
	}
	out := clauses{text: string(b)}
	return out.cutAt(pause.FindAllStringIndex(out.text, -1), text)
}

// markJoints writes a line end over each joint of the piece b between two pauses.
func markJoints(b []byte, before string) {
	s, start := string(b), 0
	for _, m := range joint.FindAllStringIndex(s, -1) {
		if beginsClause(s[m[0]:]) && !hangsOn(s[start:m[0]], s[m[0]:], before) {
			b[m[0]], start = '\n', m[0]
		}
	}
	joints := jointZH.FindAllStringIndex(s, -1)
	for i, m := range joints {
		end := len(s)
		if i+1 < len(joints) {
			end = joints[i+1][0]
		}
		rest := link.ReplaceAllString(s[m[0]:end], "")
		if m[0] > 0 && (forbidsZH(rest) >= 0 || ordersZH(rest)) {
			copy(b[m[0]:m[1]], "\n\n\n\n\n\n")
		}
	}
	for _, m := range listedZH.FindAllStringIndex(s, -1) {
		copy(b[m[0]:], "\n\n\n")
	}
}

// beginsClause reports whether the words from a joint on are a clause of their own.
func beginsClause(s string) bool {
	s = strings.TrimSpace(s[:min(len(s), maxSentence)])
	rest := polite(link.ReplaceAllString(s, ""))
	return aloneEN.MatchString(s) || forbidsEN(rest) || orderEN(rest) != "" || tellsEN(rest)
}

// aloneEN are joints that begin a clause whatever follows.
var aloneEN = pattern.New(`(?i)^(?:unless|because|only (?:if|when|after|once)|saying|explaining|asking|telling|(?:and|but|or)\s+(?:(?:only|just|not|keep|without|nothing)\b|no\s+[a-z]))`)

// contrast is how two short words are set against each other: "short but not rude".
var contrast = pattern.New(`(?i)^\s*(?:but|and)\s+not\s`)

// naming joins the names of two things, and is a joint only behind an order: "decisions and open points".
var naming = pattern.New(`(?i)^\s*(?:and|or)\s+\w+\s+\w+(?:\s+only)?\s*$`)

// hangsOn reports whether a joint is none because what stands before it has no end without the
// rest: what is forbidden unless something is, what is to be done if something fails.
func hangsOn(clause, rest, before string) bool {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(rest)), "unless") {
		return forbidsEN(polite(link.ReplaceAllString(strings.TrimSpace(tail(clause)), "")))
	}
	short := len(strings.Fields(clause)) <= 2
	if short && (contrast.MatchString(rest) || before != "" && orderEN(strings.TrimSpace(clause)) == "" && naming.MatchString(rest)) {
		return true
	}
	list := sentences(tail(before))
	return len(list) > 0 && ifEN.MatchString(list[len(list)-1])
}

// cutAt cuts at the breaks, of which text says whether they end a sentence.
func (c clauses) cutAt(breaks [][]int, text string) clauses {
	asks := make([]bool, len(breaks)+1) // the sentence ends with a question mark
	for i, m := range slices.Backward(breaks) {
		asks[i] = asks[i+1]
		if mark := text[m[0]:m[1]]; strings.ContainsAny(mark, ends) {
			asks[i] = strings.ContainsAny(mark, "?？")
		}
	}
	from, last, mark := 0, mood(0), ""
	for i, m := range append(breaks, []int{len(text), len(text)}) {
		if s := c.text[from:m[0]]; strings.TrimSpace(s) != "" {
			if strings.ContainsAny(mark, ")）") {
				last = 0 // what goes on behind brackets follows on nothing
			}
			is, start := moodOf(s, asks[i], last)
			c.list = append(c.list, clause{from: from, start: from + start, to: m[0], mood: is})
			last = is
		}
		if mark = text[m[0]:m[1]]; strings.ContainsAny(mark, ends) {
			last = 0
		}
		from = m[1]
	}
	return c
}

// ends are the marks that end a sentence.
const ends = ".!?;。！？；\n"

// at gives where the clause begins that a byte stands in, and its mood.
func (c clauses) at(i int) (from int, m mood) {
	n, found := slices.BinarySearchFunc(c.list, i, func(c clause, i int) int {
		switch {
		case i < c.from:
			return 1
		case i >= c.to:
			return -1
		}
		return 0
	})
	if !found {
		return i, open
	}
	return c.list[n].from, c.list[n].mood
}

// phrase is a pattern of words that mean something in clauses of some moods, but not before others.
type phrase struct {
	is     *pattern.Pattern
	in     mood             // one of these
	before *pattern.Pattern // what must not follow; nil: whatever it is
	after  *pattern.Pattern // what must not stand before it in the clause; likewise
	with   *pattern.Pattern // what must stand there; likewise
}

// fits reports whether the phrase may stand behind what its clause begins with and before the rest of the text.
func (p phrase) fits(ahead, rest string) bool {
	switch {
	case p.before != nil && p.before.MatchString(rest), p.after != nil && p.after.MatchString(ahead):
		return false
	}
	return p.with == nil || p.with.MatchString(ahead)
}

// find gives where phrases stand.
func (c clauses) find(phrases []phrase) [][]int {
	var found [][]int
	for _, p := range phrases {
		for _, m := range p.is.FindAllStringIndex(c.text, -1) {
			from, is := c.at(first(c.text, m))
			if is&p.in != 0 && p.fits(c.text[from:max(from, m[0])], c.text[m[1]:]) {
				found = append(found, m)
			}
		}
	}
	return found
}

// first gives the first byte of a match that is no blank or mark.
func first(text string, m []int) int {
	return m[1] - len(strings.TrimLeft(text[m[0]:m[1]], " \t\n,，.。;；:：!?"))
}

// forbids reports whether the clause that a byte stands in forbids something.
func (c clauses) forbids(i int) bool {
	for _, one := range c.list {
		if one.from <= i && i < one.to && one.mood == demand {
			s := c.text[one.start:one.to]
			return forbidsEN(s) || forbidsZH(s) >= 0
		}
	}
	return false
}

// limits reports whether anything in s limits the work.
func limits(s string) bool {
	c := cutClauses(s)
	demands := slices.ContainsFunc(c.list, func(one clause) bool { return one.mood == demand })
	return demands || len(c.find(limiting)) > 0 || formEN.MatchString(s)
}

// tales gives the clauses of s that tell something.
func tales(s string) []string {
	var out []string
	for _, c := range cutClauses(s).list {
		if c.mood&(told|needed) != 0 {
			out = append(out, s[c.from:c.to])
		}
	}
	return out
}

// orders gives s without its clauses that demand something or tell it, which order nothing.
func orders(s string) string {
	c, b := cutClauses(s), []byte(s)
	for _, one := range c.list {
		if one.mood&(demand|told|needed) != 0 {
			copy(b[one.start:one.to], strings.Repeat(" ", one.to-one.start))
		}
	}
	return string(b)
}
