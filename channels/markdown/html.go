package markdown

import (
	"strings"
	"unicode/utf8"
)

var valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// html renders a piece as Telegram's HTML. Whatever is open at its edges is opened and closed.
func (f *flow) html(from, to int) string {
	out := make([]byte, 0, to-from+(to-from)/4)
	var open, spare []*style
	f.each(from, to, func(a, z int, s *style) {
		want := s.path(spare[:0])
		out = shift(out, open, want)
		open, spare = want, open
		out = escape(out, f.runes[a:z])
	})
	return string(shift(out, open, nil))
}

func escape(out []byte, text []rune) []byte {
	for _, r := range text {
		switch r {
		case '&':
			out = append(out, "&amp;"...)
		case '<':
			out = append(out, "&lt;"...)
		case '>':
			out = append(out, "&gt;"...)
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	return out
}

// crowded gives where the first format of a piece begins that Telegram would not show; to if it shows
// all. Code with a language is one format.
func (f *flow) crowded(from, to int) int {
	var open, spare []*style
	formats, end := 0, to
	f.each(from, to, func(a, _ int, s *style) {
		want := s.path(spare[:0])
		formats += len(want) - shared(open, want)
		open, spare = want, open
		if formats > maxFormats && a > from {
			end = min(end, a)
		}
	})
	return end
}

// shared counts the formats with which two stacks begin alike.
func shared(open, want []*style) int {
	same := 0
	for same < len(open) && same < len(want) && open[same] == want[same] {
		same++
	}
	return same
}

// shift closes and opens what leads from one stack of formats to another.
func shift(out []byte, open, want []*style) []byte {
	same := shared(open, want)
	for i := len(open) - 1; i >= same; i-- {
		out = append(out, open[i].closing()...)
	}
	for _, s := range want[same:] {
		out = append(out, s.opening()...)
	}
	return out
}

func (s *style) opening() string {
	switch {
	case s.kind == link:
		return `<a href="` + valueEscapes.Replace(s.value) + `">`
	case s.kind == pre && s.value != "":
		return `<pre><code class="language-` + valueEscapes.Replace(s.value) + `">`
	}
	return "<" + string(s.kind) + ">"
}

func (s *style) closing() string {
	if s.kind == pre && s.value != "" {
		return "</code></pre>"
	}
	return "</" + string(s.kind) + ">"
}
