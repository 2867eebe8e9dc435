package markdown

import (
	"bytes"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
)

// flow is a text laid out in one line of runes, each with a style. It is what cuts are made in:
// any piece of it can be rendered by itself.
type flow struct {
	runes []rune
	spans []span
	heads []int // where headings end
}

// span says that the runes from at on, up to the next span, have a style.
type span struct {
	at    int
	style *style
}

// style is a stack of formats, the innermost first; nil is bare text.
type style struct {
	up     *style
	kind   kind
	value  string // a link's address, a code block's language
	indent int    // how far right a quotation begins, in columns
}

// kind is a format that Telegram knows.
type kind string

const (
	bold   kind = "b"
	italic kind = "i"
	strike kind = "s"
	link   kind = "a"
	code   kind = "code"
	pre    kind = "pre"
	quote  kind = "blockquote"
	mark   kind = "mark" // what stands there is Markdown already
)

// softBreak is the value of a mark that only ends a line of a paragraph.
const softBreak = "break"

// with puts a format on top of s, or leaves s as it is where Telegram allows no such nesting: links
// hold no code, links and quotes do not hold themselves, and a format twice is once. Code stands in
// quotes only; that it holds nothing is Markdown's own rule.
func (s *style) with(k kind, value string) *style {
	if s.has(k) || (k == code && s.has(link)) {
		return s
	}
	if k == code || k == pre || k == mark {
		s = s.only(quote)
	}
	return &style{up: s, kind: k, value: value}
}

func (s *style) has(k kind) bool {
	for ; s != nil; s = s.up {
		if s.kind == k {
			return true
		}
	}
	return false
}

// only gives the outer part of the stack that ends with the format k; nil if there is none.
func (s *style) only(k kind) *style {
	for ; s != nil && s.kind != k; s = s.up {
	}
	return s
}

// path appends the stack, from the outside in, to p.
func (s *style) path(p []*style) []*style {
	if s == nil {
		return p
	}
	return append(s.up.path(p), s)
}

// add appends text in a style.
func (f *flow) add(text string, s *style) {
	if text == "" {
		return
	}
	if n := len(f.spans); n == 0 || f.spans[n-1].style != s {
		f.spans = append(f.spans, span{at: len(f.runes), style: s})
	}
	for _, r := range text {
		f.runes = append(f.runes, r)
	}
}

// at gives the style of one rune.
func (f *flow) at(i int) *style {
	n := sort.Search(len(f.spans), func(n int) bool { return f.spans[n].at > i })
	if n == 0 {
		return nil
	}
	return f.spans[n-1].style
}

// each calls do for the pieces of one style between two runes.
func (f *flow) each(from, to int, do func(from, to int, s *style)) {
	first := sort.Search(len(f.spans), func(n int) bool { return f.spans[n].at > from })
	for n := max(first-1, 0); n < len(f.spans) && f.spans[n].at < to; n++ {
		end := len(f.runes)
		if n+1 < len(f.spans) {
			end = f.spans[n+1].at
		}
		if a, b := max(from, f.spans[n].at), min(to, end); a < b {
			do(a, b, f.spans[n].style)
		}
	}
}

// plain renders a piece without markup. An address follows its link.
func (f *flow) plain(from, to int) string {
	out := make([]byte, 0, to-from)
	var last *style
	label := 0 // where the words of the last link begin
	leave := func(next *style) {
		if last == next {
			return
		}
		if last != nil && !sameAddress(last.value, out[label:]) {
			out = append(out, " ("+last.value+")"...)
		}
		last, label = next, len(out)
	}
	f.each(from, to, func(a, z int, s *style) {
		leave(s.only(link))
		if s.has(mark) && f.runes[a] == '#' {
			return // a heading is seen to be one by its place
		}
		out = appendRunes(out, f.runes[a:z])
	})
	leave(nil)
	return string(out)
}

// sameAddress reports whether a link's words are its address.
func sameAddress(url string, words []byte) bool {
	if url == string(words) || url == "http://"+string(words) {
		return true
	}
	return bytes.Contains(words, []byte("://")) && url == string(util.URLEscape(words, true))
}

func appendRunes(out []byte, text []rune) []byte {
	for _, r := range text {
		out = utf8.AppendRune(out, r)
	}
	return out
}

// blank reports whether nothing is seen of a piece.
func (f *flow) blank(from, to int) bool {
	seen := false
	f.each(from, to, func(a, z int, s *style) {
		for ; a < z && !seen; a++ {
			seen = !unicode.IsSpace(f.runes[a]) && !s.has(mark)
		}
	})
	return !seen
}
