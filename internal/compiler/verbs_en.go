package compiler

import (
	"strings"
	"sync"

	"github.com/akitad/akitad/internal/pattern"
)

// An English sentence begins with a verb if its first word stands before an article, a pronoun or the
// like and is no word that stands there otherwise.
var beforeObject = pattern.New(`^([A-Za-z]+)\s+(?:(?:the|a|an|my|our|your|his|her|their|its|all|every|each|both|this|that|these|those|any|it|them|me|us|him)\b|["“]|[\w./*-]+\.` + extensions + `\b)`)

func imperative(s string) bool {
	m := beforeObject.FindStringSubmatch(s)
	return m != nil && !noVerb(strings.ToLower(m[1])) && !begins(ifEN, s) && !begins(styleEN, s) && !begins(onlyEN, s)
}

// noVerb reports whether a word in lower case begins no order, though an object follows it: it is of another
// class, or has the ending of one. "Running the tests", "Errors that", "Lately my".
func noVerb(word string) bool {
	for _, ending := range []string{"ing", "ed", "ly"} {
		if stem, ok := strings.CutSuffix(word, ending); ok && stem != "" {
			return true
		}
	}
	stem, plural := strings.CutSuffix(word, "s")
	return plural && len(stem) > 1 && !strings.HasSuffix(stem, "s") || otherWords()[word]
}

// otherWords are the words of closed classes, and those that are seldom a verb at the beginning.
var otherWords = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, class := range []string{
		// pronouns, and those who are spoken of
		`i you he she it we they who what where when why how which whose that this these those
		someone somebody anyone everyone everybody nobody people`,
		// what stands before a noun
		`the a an my our your his her their its all both half every each any some no`,
		// conjunctions
		`not none nor and or but so yet if unless because since although though while whereas as than whether once until till`,
		// prepositions
		`before after about above across against along among around at behind below beneath beside besides between beyond by
		despite down during except for from in inside into like near of off on onto out outside over past per plus regarding
		through throughout to toward towards under unlike up upon via with within without given due instead rather`,
		// verbs that order nothing alone
		`is are was were am be been do does did has have had can could will would shall should may might must`,
		// adverbs
		`just only even still also maybe perhaps now then here there again almost already yesterday today tonight tomorrow
		never always often sometimes usually really actually apparently`,
		// greetings and the like
		`sorry yes ok okay thanks hi hello hey fyi btw`,
		// days
		`monday tuesday wednesday thursday friday saturday sunday`,
		// what was done
		`got saw lost broke found made took went came said told gave sent left felt kept met paid bought knew thought`,
		// what one feels or thinks, of which "I" was left out
		`love hate enjoy miss wish hope guess bet prefer want need know think mean see`,
	} {
		for word := range strings.FieldsSeq(class) {
			all[word] = true
		}
	}
	return all
})
