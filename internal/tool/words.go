package tool

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sameWords reports whether two texts of JSON hold the same words, whatever stands between them.
func sameWords(a, b string) bool { return words(a) == words(b) }

// curly are quotes that stand for straight ones.
var curly = strings.NewReplacer("\u201c", "", "\u201d", "", "\u2018", "", "\u2019", "")

// words gives the letters and digits of JSON-like text in order, without escapes, and with one
// spelling of the literals.
func words(text string) string {
	var b strings.Builder
	text = curly.Replace(text)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\':
			i += escape(text[i+1:])
		case isAlnum(c):
			b.WriteByte(c)
		default:
			b.WriteByte(' ')
		}
	}
	fields := strings.Fields(b.String())
	for i, f := range fields {
		fields[i] = literal(f)
	}
	return strings.Join(fields, "")
}

// keepsTexts reports whether every string of the source that is JSON as it stands is in a decoded
// value, as a name or a value.
func keepsTexts(source string, value any) bool {
	have := texts(value, nil)
	for i := 0; i < len(source); i++ {
		if source[i] != '"' {
			continue
		}
		end := stringEnd(source, i)
		if end < 0 {
			return true // where strings begin and end is not known from here on
		}
		v, err := decode([]byte(source[i:end]))
		if text, ok := v.(string); err == nil && ok && !slices.Contains(have, text) {
			return false
		}
		i = end - 1
	}
	return true
}

// keepsQuotes reports whether every text of a decoded value that has a quote in it stands like that in
// the source, but for backslashes.
func keepsQuotes(source string, value any) bool {
	source = strings.ReplaceAll(source, `\`, "")
	return !slices.ContainsFunc(texts(value, nil), func(text string) bool {
		return strings.ContainsAny(text, `"'`) && !strings.Contains(source, strings.ReplaceAll(text, `\`, ""))
	})
}

// cutsWords reports whether a text of a decoded value was cut out of a word of the source.
func cutsWords(source string, value any) bool {
	all := texts(value, nil)
	slices.Sort(all)
	return slices.ContainsFunc(slices.Compact(all), func(text string) bool {
		at := strings.Index(source, text)
		if at < 0 || text == "" {
			return false // it was written in another way
		}
		whole := false
		for ; at >= 0 && !whole; at = next(source, text, at) {
			before, _ := utf8.DecodeLastRuneInString(source[:at])
			after, _ := utf8.DecodeRuneInString(source[at+len(text):])
			whole = !inWord(before) && !inWord(after)
		}
		return !whole
	})
}

// next gives where a text stands again behind a place, -1 if it does not.
func next(source, text string, at int) int {
	if more := strings.Index(source[at+1:], text); more >= 0 {
		return at + 1 + more
	}
	return -1
}

func inWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }

// stringEnd gives where the string that begins at from ends, -1 if it does not.
func stringEnd(source string, from int) int {
	for i := from + 1; i < len(source); i++ {
		switch source[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return -1
}

// texts gives every name and string of a value.
func texts(v any, all []string) []string {
	switch v := v.(type) {
	case string:
		return append(all, v)
	case []any:
		for _, one := range v {
			all = texts(one, all)
		}
	case map[string]any:
		for name, one := range v {
			all = texts(one, append(all, name))
		}
	}
	return all
}
