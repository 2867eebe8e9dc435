package tool

import (
	"slices"
	"strings"
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
