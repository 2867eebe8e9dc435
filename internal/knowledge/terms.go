package knowledge

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/filter"
)

// unspaced tells the characters of scripts that put no blanks between words.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func hasUnspaced(s string) bool { return strings.ContainsFunc(s, unspaced) }

// spaced leaves out what pairs are made of.
func spaced(s string) string {
	if !hasUnspaced(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if unspaced(r) {
			return ' '
		}
		return r
	}, s)
}

// pairs returns each two neighbours of scripts without blanks, and the last of each run alone.
func pairs(s string) string {
	var out strings.Builder
	last := rune(0)
	for _, r := range s {
		now := unspaced(r)
		switch {
		case now && last != 0:
			out.WriteRune(last)
			out.WriteRune(r)
			out.WriteByte(' ')
		case last != 0:
			out.WriteRune(last)
			out.WriteByte(' ')
		}
		if last = 0; now {
			last = r
		}
	}
	if last != 0 {
		out.WriteRune(last)
	}
	return out.String()
}

// words hands over the words of a text in lower case, as an index without stems knows them, and the runs of
// scripts without blanks.
func words(s string, yield func(word string, run bool)) {
	from, run := -1, false
	end := func(to int) {
		if from >= 0 {
			yield(strings.ToLower(s[from:to]), run)
		}
		from = -1
	}
	for i, r := range s {
		u := unspaced(r)
		switch {
		case !u && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r):
			end(i)
			continue
		case from >= 0 && u != run:
			end(i)
		}
		if from < 0 {
			from, run = i, u
		}
	}
	end(len(s))
}

// Bounds of a word that can be misspelt, in characters.
const (
	leastWord = 4
	mostWord  = 32
)

// spellable tells words that a person may have misspelt: letters alone, and some of them.
func spellable(word string) bool {
	n := utf8.RuneCountInString(word)
	return n >= leastWord && n <= mostWord && !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// longest is the longest word that is known by its parts, in bytes. What is longer is no word.
const longest = 256

// vocabulary has the words of a source, each with its characters, or 0 if others are not corrected by it.
type vocabulary map[string]int

func (v vocabulary) add(text string) {
	words(text, func(word string, run bool) {
		if _, known := v[word]; run || known || len(word) > longest {
			return
		}
		v[word] = 0
		if spellable(word) {
			v[word] = utf8.RuneCountInString(word)
		}
	})
}

// stem returns what the forms of an English word have in common.
func stem(word string) string {
	out := word
	filter.EachWord(word, func(w []byte) { out = string(w) })
	return out
}

// asides are words that most questions and texts hold: they are searched for only if there is nothing else.
const asides = " a an the and or of in on at to for with by from as is are was were be been it its this that these those what which who when where why how " +
	"do does did can could should would will i me my we our you your there if then than not no please tell show find about "

func aside(word string) bool { return strings.Contains(asides, " "+word+" ") }
