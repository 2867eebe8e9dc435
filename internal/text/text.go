// Package text holds what akitad itself says to people, each message in English and Chinese side by
// side. It formats nothing for a channel and knows no channel.
package text

import (
	"fmt"
	"strings"
	"unicode"
)

// Lang is a language that messages exist in. Its methods are the messages; any other value speaks
// English.
type Lang string

// The languages.
const (
	En Lang = "en"
	Zh Lang = "zh"
)

// Langs lists the languages.
var Langs = []Lang{En, Zh}

// Or gives l if messages exist in it, else the other language; it is for a stored language that may
// be empty.
func (l Lang) Or(other Lang) Lang {
	if l == En || l == Zh {
		return l
	}
	return other
}

// Detect guesses in which language the writer of s wants to be answered: Chinese if there are at
// least as many Han characters as words in other scripts. File names, addresses and code do not
// count, and kana means Japanese, which is answered in English. Text without words is English.
func Detect(s string) Lang {
	han, kana, words := weighAll(s)
	if han == 0 || han < words || kana*3 > han {
		return En
	}
	return Zh
}

// Speaks is Detect, with whether s says enough to tell the language of who writes: one word such as ok,
// a number or a picture does not.
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

// weigh counts the Han characters, kana and words of one blank-free piece of text.
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

// isWord tells words from names of things: a.log, /tmp/x, ERROR_1 and `code` are none.
func isWord(word []rune) bool {
	text := strings.TrimFunc(string(word), unicode.IsPunct)
	if text == "" || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' }) {
		return false
	}
	return !strings.ContainsAny(string(word), "`/\\_")
}

// say gives the message of the language with every {name} replaced by the value that follows the
// name in args.
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

// gap is what stands between two sentences.
func (l Lang) gap() string { return l.say(" ", "") }

// list joins names as the language does.
func (l Lang) list(names []string) string {
	return strings.Join(names, l.say(", ", "、"))
}

// literal gives words of others, such as an error or a file's name, so that no chat reads markup in them:
// as they are, or as a code span where they hold what Markdown gives a meaning to.
func literal(s string) string {
	if !strings.ContainsAny(s, "*`[<\\") && !strings.Contains(s, "~~") && !strings.HasPrefix(s, "_") && !strings.Contains(s, "__") && !strings.Contains(s, " _") {
		return s
	}
	return "`" + strings.ReplaceAll(s, "`", "'") + "`"
}

// line makes one bounded line of text that comes from elsewhere.
func line(s string, limit int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return s
}
