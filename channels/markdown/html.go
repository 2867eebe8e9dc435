package markdown

import (
	"strings"
)

var valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// html renders a piece as Telegram's HTML. Whatever is open at its edges is opened and closed.
func (f *flow) html(from, to int) string {
	var b strings.Builder
	b.Grow(to - from + (to-from)/4)
	var open, spare []*style
	f.each(from, to, func(a, z int, s *style) {
		want := s.path(spare[:0])
		shift(&b, open, want)
		open, spare = want, open
		escape(&b, f.runes[a:z])
	})
	shift(&b, open, nil)
	return b.String()
}

func escape(b *strings.Builder, text []rune) {
	for _, r := range text {
		switch r {
		case '&':
			b.WriteString("&amp;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		default:
			b.WriteRune(r)
		}
	}
}

// shift closes and opens what leads from one stack of formats to another.
func shift(b *strings.Builder, open, want []*style) {
	same := 0
	for same < len(open) && same < len(want) && open[same] == want[same] {
		same++
	}
	for i := len(open) - 1; i >= same; i-- {
		b.WriteString(open[i].closing())
	}
	for _, s := range want[same:] {
		b.WriteString(s.opening())
	}
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
