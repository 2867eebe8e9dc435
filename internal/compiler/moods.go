package compiler

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// moodOf reads one clause: what it does, and where in it what it does begins. asks says that its sentence
// ends with a question mark, and last what the clause before it does.
func moodOf(s string, asks bool, last mood) (m mood, start int) {
	own := strings.TrimLeft(s, " \t\n")
	if !wholeWord.MatchString(own) {
		own = polite(link.ReplaceAllString(own, ""))
	}
	start = len(s) - len(own)
	own = strings.TrimSpace(own)
	switch {
	case soThat.MatchString(strings.TrimSpace(s)) && last == open:
		return demand, start
	case last&(open|demand) != 0 && mannerOf(own):
		return demand, start
	case last == asked && butNot.MatchString(s):
		return asked, 0
	case alone.MatchString(own):
		return demand, start
	case last == told && hangingEN.MatchString(own):
		return told, start
	case hasHan(own):
		m, skip := moodZH(own, asks, last)
		return m, start + skip
	}
	return moodEN(own, asks), start
}

// mannerOf reports whether a clause behind an order says how, when or for whom it is to be carried out. What
// says which form the result has is no such clause.
func mannerOf(s string) bool {
	if formEN.MatchString(s) || alsoEN.MatchString(s) {
		return false
	}
	return madeEN.MatchString(s) || firstEN.MatchString(s) && orderEN(s) == "" && !ifEN.MatchString(s) || howEN.MatchString(s) && !asideEN.MatchString(s)
}

// soThat is how a clause begins that says what the result must not do.
var soThat = pattern.New(`(?i)^so (?:that )?(?:it|they|this)\s+(?:doesn't|does not|don't|do not|never|can't|cannot|won't)\b`)

// alone is a clause that says what may be done to things, how many of them at a time, or in which form of grammar.
var alone = pattern.New(`(?i)^(?:strictly )?(?:read|append|view)-only(?: (?:please|pls))?$|^(?:in )?(?:the )?(?:first|second|third|past|present|active|passive)[ -](?:person|tense|voice)$|^(?:one|two|three|four|five|ten|\d+) (?:at a time|by one|after (?:the other|another))$`)

// wholeWord begins a clause with what looks like politeness or a joint, and is none: 请求间隔, "first person".
var wholeWord = pattern.New(`(?i)^请[求假客柬教示]|^(?:first|second|third) person\b`)

// butNot sets against each other, in a question, what it asks about: why here but not there.
var butNot = pattern.New(`(?i)^\s*but not\b`)

// hangingEN begins a clause that says when or why the one before holds.
var hangingEN = pattern.New(`(?i)^(?:unless|until|because)\b`)
