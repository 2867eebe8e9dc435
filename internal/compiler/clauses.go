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
	plain string // the text
	text  string // the text, with a line end in place of each joint that no mark shows
	list  []clause
	cases [][]int // where sentences stand that say what is to be done in case of something
}

var (
	// pause ends a clause.
	pause = pattern.New(`[.!?;:,]+(?:\s+|$)|[,;]|\n+|[，。；：！？…～]+|\s+[-–—]+\s+|[()（）]|[\x{1F300}-\x{1FAFF}]+`)

	// joint begins a clause without a pause before it, if what follows is one.
	joint   = pattern.New(`(?i)\s+(?:and|but|or|so|then|because|since|though|unless|only (?:if|when|after|once)|saying|explaining|asking|telling)\s`)
	jointZH = pattern.New(`但是?`)
	// listedZH is what is forbidden as one of several things: 一百字以内、不带公式.
	listedZH = pattern.New(`、[不别勿]`)
	// link is what binds a clause to the one before.
	link = pattern.New(`(?i)^(?:(?:and|but|or|so|then|plus|also|yet|that|please|pls|plz|otherwise|or else)\s+)+|^(?:但是?|不过|而且|并且|同时|也|还|然后|另外|所以|请|千万|你|您|大家)+`)
)

// cutClauses cuts text, in which nothing that is quoted may stand, into its clauses.
func cutClauses(text string) clauses {
	b, from := []byte(text), 0
	breaks := pause.FindAllStringIndex(text, -1)
	for _, m := range append(breaks, []int{len(text), len(text)}) {
		markJoints(b[from:m[0]], text[:from])
		from = m[1]
	}
	out := clauses{plain: text, text: string(b)}
	return out.cutAt(pause.FindAllStringIndex(out.text, -1))
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

// condition is a sentence that says what is to be done in case of something: behind an order, a limit of it.
var condition = pattern.New(`(?i)\A\s*(?:if|in case)\b[^,.;!?\n]*,\s*([^,.;!?\n]+)`)

// aloneEN are joints that begin a clause whatever follows.
var aloneEN = pattern.New(`(?i)^(?:unless|because|only (?:if|when|after|once)|saying|explaining|asking|telling|(?:and|but) (?:it|they) (?:must|should)(?:n't)?\b|(?:and|but|or)\s+(?:(?:only|just|not|keep|without|nothing)\b|no\s+[a-z]))`)

// contrast is how two short words are set against each other: "short but not rude".
var contrast = pattern.New(`(?i)^\s*(?:but|and)\s+not\s`)

// pronoun is the first half of "he or she".
var pronoun = pattern.New(`(?i)^\s*s?he\s*$`)

// naming joins the names of two things, and is a joint only behind an order: "decisions and open points".
var naming = pattern.New(`(?i)^\s*(?:and|or)\s+\w+\s+\w+(?:\s+only)?\s*$`)

// hangsOn reports whether a joint is none because what stands before it has no end without the
// rest: what is forbidden unless something is, what is to be done if something fails.
func hangsOn(clause, rest, before string) bool {
	if strings.HasPrefix(strings.ToLower(strings.TrimSpace(rest)), "unless") {
		return forbidsEN(polite(link.ReplaceAllString(strings.TrimSpace(tail(clause)), "")))
	}
	if pronoun.MatchString(clause) {
		return true
	}
	short := len(strings.Fields(clause)) <= 2
	if short && (contrast.MatchString(rest) || before != "" && orderEN(strings.TrimSpace(clause)) == "" && naming.MatchString(rest)) {
		return true
	}
	list := sentences(tail(before))
	return len(list) > 0 && (ifEN.MatchString(list[len(list)-1]) || condition.MatchString(list[len(list)-1]))
}

// cutAt cuts at the breaks, of which the text says whether they end a sentence.
func (c clauses) cutAt(breaks [][]int) clauses {
	text := c.plain
	asks := make([]bool, len(breaks)+1) // the sentence ends with a question mark
	for i, m := range slices.Backward(breaks) {
		asks[i] = asks[i+1]
		if mark := text[m[0]:m[1]]; strings.ContainsAny(mark, ends) {
			asks[i] = strings.ContainsAny(mark, "?？")
		}
	}
	from, last, mark := 0, mood(0), ""
	sought := false // so far something was
	for i, m := range append(breaks, []int{len(text), len(text)}) {
		if s := c.text[from:m[0]]; strings.TrimSpace(s) != "" {
			if strings.ContainsAny(mark, ")）") {
				last = 0 // what goes on behind brackets follows on nothing
			}
			is, start := moodOf(s, asks[i], last)
			if sought = sought || seeks.MatchString(s); sought && !asks[i] && is&(told|needed) != 0 && mustBe.MatchString(strings.TrimSpace(s)) {
				is = demand
			}
			if last == 0 && !asks[i] {
				c.addCase(from)
			}
			if last == 0 && len(c.list) > 0 && onWording.MatchString(strings.TrimSpace(s)) {
				is = demand
			}
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

// addCase notes the sentence that begins at a byte if it is one of a case, and an order stands before it.
func (c *clauses) addCase(from int) {
	m := condition.FindStringSubmatchIndex(c.plain[from:])
	if m != nil && !personEN.MatchString(c.plain[from+m[2]:]) && slices.ContainsFunc(c.list, func(one clause) bool {
		return one.mood == open && orderEN(c.plain[one.start:one.to]) != ""
	}) {
		c.cases = append(c.cases, []int{from + m[0], from + m[1]})
	}
}

// ends are the marks that end a sentence.
const ends = ".!?;。！？；\n"

// What somebody or something is to be like that an order seeks, limits the search: "Find a tutor. She must speak Dutch."
var (
	seeks  = pattern.New(`(?i)\b(?:find|search for|look(?:ing)? for|hire|recommend|suggest|book|rent|get) (?:me |us )?(?:an?|some|somebody|someone)\b|[找招请雇租推](?:荐)?一?[个位名家间]`)
	mustBe = pattern.New(`(?i)^(?:he or she|she or he|he|she|it|they) (?:must|should|has to|have to|needs? to|can't|cannot)\b|^(?:他|她|它|对方)?(?:必须|得|要|不能)[会能懂有是在带]`)
)

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
	is     finder
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

// tales gives the clauses that tell something.
func (c clauses) tales() []string {
	var out []string
	for _, one := range c.list {
		if one.mood&(told|needed) != 0 {
			out = append(out, c.plain[one.from:one.to])
		}
	}
	return out
}

// orders gives the text without its clauses that demand something or tell it, which order nothing.
func (c clauses) orders() string {
	b := []byte(c.plain)
	for _, one := range c.list {
		if one.mood&(demand|told|needed) != 0 {
			copy(b[one.start:one.to], strings.Repeat(" ", one.to-one.start))
		}
	}
	return string(b)
}
