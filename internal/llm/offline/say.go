package offline

import (
	"fmt"
	"strconv"
	"strings"
)

// say is the language of an answer: en or zh.
type say string

// of picks the sentence of the language.
func (l say) of(en, zh string) string {
	if l == "zh" {
		return zh
	}
	return en
}

// f picks the sentence and fills it in; both take the same values in the same order, or name
// them by index.
func (l say) f(en, zh string, args ...any) string { return fmt.Sprintf(l.of(en, zh), args...) }

// list joins things as the language does.
func (l say) list(items []string) string {
	if l == "zh" {
		return strings.Join(items, "、")
	}
	if len(items) < 2 {
		return strings.Join(items, "")
	}
	return strings.Join(items[:len(items)-1], ", ") + " and " + items[len(items)-1]
}

// n writes a whole number with its thousands apart.
func n(v int) string {
	s := strconv.Itoa(v)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// plural adds an s to a noun unless there is one of it.
func plural(count int, noun string) string {
	if count == 1 {
		return n(count) + " " + noun
	}
	return n(count) + " " + noun + "s"
}

// code sets a text as code, whatever ticks it holds.
func code(s string) string {
	s = strings.ReplaceAll(s, "\n", " ")
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}
