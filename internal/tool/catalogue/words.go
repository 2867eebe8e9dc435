package catalogue

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// wordsOf returns the words of a text in the form in which they are compared: lower case, English ones
// without their endings, names in their parts, Chinese as single characters and pairs.
func wordsOf(text string) (words []string) {
	var run []rune
	flush := func() {
		if len(run) > 0 {
			words = append(words, formOf(run)...)
		}
		run = run[:0]
	}
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case len(run) > 0 && (isHan(r) != isHan(run[0]) || unicode.IsUpper(r) && unicode.IsLower(run[len(run)-1])):
			flush()
		}
		run = append(run, r)
	}
	flush()
	return words
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// formOf returns the compared forms of a run of letters and digits that is either all Han or holds none.
func formOf(run []rune) (words []string) {
	if !isHan(run[0]) {
		return []string{stem(strings.ToLower(string(run)))}
	}
	if len(run) == 1 {
		return []string{string(run)}
	}
	for i := range len(run) - 1 {
		words = append(words, string(run[i:i+2]))
	}
	return words
}

// stem takes the usual endings off an English word, so that "deletes", "deleting" and "deleted" are one.
func stem(word string) string {
	if len(word) < 4 || word[0] >= 0x80 {
		return word
	}
	for _, end := range []struct{ off, on string }{{"ies", "y"}, {"ied", "y"}, {"ing", ""}, {"ed", ""}, {"s", ""}} {
		rest, ok := strings.CutSuffix(word, end.off)
		if ok && len(rest) > 2 && !strings.HasSuffix(word, "ss") {
			word = rest + end.on
			break
		}
	}
	if n := len(word); n > 3 && word[n-1] == word[n-2] && word[n-1] > '9' && !strings.ContainsAny(word[n-1:], "lsze") {
		word = word[:n-1]
	}
	return strings.TrimSuffix(word, "e")
}

//go:embed synonyms.txt
var synonymText string

// synonyms is a line of words that mean the same, in English and Chinese.
type synonyms struct {
	forms []string // the words that wordsOf knows as one
	long  []string // Chinese words of more than two characters
}

var allSynonyms = sync.OnceValue(func() (all []synonyms) {
	for line := range strings.Lines(synonymText) {
		var s synonyms
		for _, word := range strings.Fields(line) {
			if forms := wordsOf(word); len(forms) == 1 {
				s.forms = append(s.forms, forms[0])
			} else {
				s.long = append(s.long, word)
			}
		}
		all = append(all, s)
	}
	return all
})

// concept is one thing that a query asks for: a word, and others that mean the same.
type concept struct {
	word string
	same []string
}

// idle are words that say nothing of what is looked for, in the form in which words are compared.
const idle = " a an and any are be by can do for from have how i in is it me my of on or that th ther thi to what which who with you "

// conceptsOf returns what a query asks for, each thing once.
func conceptsOf(query string) (out []concept) {
	seen := map[string]bool{}
	for _, word := range wordsOf(query) {
		if !seen[word] && !strings.Contains(idle, " "+word+" ") {
			seen[word] = true
			out = append(out, concept{word, sameAs(word)})
		}
	}
	for _, s := range allSynonyms() {
		for _, word := range s.long {
			if strings.Contains(query, word) {
				out = append(out, concept{word, s.forms})
			}
		}
	}
	return out
}

// sameAs returns the words of all lines that the word stands in.
func sameAs(word string) (same []string) {
	for _, s := range allSynonyms() {
		if slices.Contains(s.forms, word) {
			same = append(same, s.forms...)
		}
	}
	return same
}
