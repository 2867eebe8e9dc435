// Package text has the messages of akitad itself to people, each in English and Chinese. It knows no channel
// and formats nothing for one.
package text

import (
	"fmt"
	"strings"
	"unicode"
)

// Lang is a language of the messages. Its methods return the messages; an unknown language gives English.
type Lang string

// The languages.
const (
	En Lang = "en"
	Zh Lang = "zh"
)

// Langs lists the languages.
var Langs = []Lang{En, Zh}

// Or returns l if it is a known language, else other. It is for a stored language that may be empty.
func (l Lang) Or(other Lang) Lang {
	if l == En || l == Zh {
		return l
	}
	return other
}

// Detect guesses the language in which the writer of s wants an answer: Chinese if s has at least as many Han
// characters as words in other scripts, else English. File names, addresses and code do not count. Kana means
// Japanese, which is answered in English. A text without words is English.
func Detect(s string) Lang {
	han, kana, words := weighAll(s)
	if han == 0 || han < words || kana*3 > han {
		return En
	}
	return Zh
}

// Speaks is Detect, and reports whether s is enough to tell the language: a single word such as ok, a number or
// a picture is not.
func Speaks(s string) (l Lang, sure bool) {
	han, kana, words := weighAll(s)
	return Detect(s), han+kana > 0 || words > 1
}

func weighAll(s string) (han, kana, words int) {
	for token := range strings.FieldsSeq(s) {
		h, k, w := weigh(token)
		han, kana, words = han+h, kana+k, words+w
	}
	return han, kana, words
}

// weigh counts the Han characters, kana and words in a piece of text without white space.
func weigh(token string) (han, kana, words int) {
	if strings.Contains(token, "://") {
		return 0, 0, 0
	}
	var word []rune
	flush := func() {
		if isWord(word) {
			words++
		}
		word = word[:0]
	}
	for _, r := range token {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
			flush()
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
			flush()
		default:
			word = append(word, r)
		}
	}
	flush()
	return han, kana, words
}

// isWord tells words from names of things: a.log, /tmp/x, ERROR_1 and `code` are not words.
func isWord(word []rune) bool {
	text := strings.TrimFunc(string(word), unicode.IsPunct)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }) {
		return false
	}
	return !strings.ContainsAny(string(word), "`/\\_")
}

// say returns the message in the language, with every {name} replaced by the value after that name in args.
func (l Lang) say(en, zh string, args ...any) string {
	pairs := make([]string, len(args))
	for i := 0; i+1 < len(args); i += 2 {
		pairs[i], pairs[i+1] = fmt.Sprintf("{%v}", args[i]), fmt.Sprint(args[i+1])
	}
	if l == Zh {
		en = zh
	}
	return strings.NewReplacer(pairs...).Replace(en)
}

// gap returns the separator between two sentences.
func (l Lang) gap() string { return l.say(" ", "") }

// list joins names in the way of the language.
func (l Lang) list(names []string) string {
	return strings.Join(names, l.say(", ", "、"))
}

// literal returns text from elsewhere, such as an error or a file's name, so that it is not read as markup: as it
// is, or as a code span if it has characters with a meaning in Markdown.
func literal(s string) string {
	if !strings.ContainsAny(s, "*`[<\\") && !strings.Contains(s, "~~") && !strings.HasPrefix(s, "_") && !strings.Contains(s, "__") && !strings.Contains(s, " _") {
		return s
	}
	return "`" + strings.ReplaceAll(s, "`", "'") + "`"
}

// line returns text from elsewhere as one line of limited length.
func line(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}
