package markdown

import (
	"strings"
)

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")
)

// html renders a piece as Telegram's HTML. Whatever is open at its edges is opened and closed.
func (f *flow) html(from, to int) string {
	var b strings.Builder
	var open []*style
	f.each(from, to, func(a, z int, s *style) {
		open = shift(&b, open, s.path())
		b.WriteString(textEscapes.Replace(string(f.runes[a:z])))
	})
	shift(&b, open, nil)
	return b.String()
}

// shift closes and opens what leads from one stack of formats to another.
func shift(b *strings.Builder, open, want []*style) []*style {
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
	return want
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
