package filter

import (
	"html"
	"strings"
)

// asMarkup reads HTML: its text by blocks, under its headings, without the tags.
func (d *document) asMarkup() bool {
	top := strings.ToLower(d.plain[:runeStart(d.plain, min(len(d.plain), 2_000))])
	if !strings.Contains(top, "<html") && !strings.Contains(top, "<!doctype html") && !strings.Contains(top, "<body") {
		return false
	}
	d.kind = "HTML"
	m := markup{d: d}
	m.read()
	return true
}

// markup collects the text of a page.
type markup struct {
	d     *document
	b     strings.Builder
	from  int // where the text in b begins
	heads [7]string
	depth int    // of the heading that is being read, or 0
	part  string // of the page, by its tag, if it is not the main one
}

func (m *markup) read() {
	s := m.d.plain
	for i := 0; i < len(s); {
		at := strings.IndexByte(s[i:], '<')
		if at < 0 {
			m.text(s[i:], i)
			break
		}
		m.text(s[i:i+at], i)
		i += at
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			m.text(s[i:], i)
			break
		}
		i = m.tag(s[i+1:i+end], i+end+1)
	}
	m.flush(len(s))
}

// text adds text that begins at the index at of the page. White space counts as one space.
func (m *markup) text(s string, at int) {
	if strings.TrimSpace(s) == "" {
		return
	}
	if m.b.Len() == 0 {
		m.from = at
	} else {
		m.b.WriteByte(' ')
	}
	m.b.WriteString(strings.Join(strings.Fields(html.UnescapeString(s)), " "))
	if m.b.Len() > unitMost {
		m.flush(at + len(s))
	}
}

// tag applies a tag to the text that is collected, and returns the index from which to read on. next is the index
// behind the tag.
func (m *markup) tag(tag string, next int) int {
	name := strings.ToLower(tag)
	if end := strings.IndexAny(name, " \t\r\n"); end >= 0 {
		name = name[:end]
	}
	switch {
	case name == "script" || name == "style" || name == "svg":
		if end := strings.Index(m.d.plain[next:], "</"+name); end >= 0 {
			return next + end
		}
		return len(m.d.plain)
	case name == "a":
		if link := attribute(tag, "href"); link != "" {
			m.text("("+clip(link, 120)+")", next)
		}
	case len(name) == 2 && name[0] == 'h' && name[1] >= '1' && name[1] <= '6':
		m.flush(next)
		m.depth = int(name[1] - '0')
	case len(name) == 3 && strings.HasPrefix(name, "/h") && m.depth > 0:
		m.heading()
	case isPart(strings.TrimPrefix(name, "/")):
		m.flush(next)
		m.part = name
		if name[0] == '/' {
			m.part = ""
		}
	case endsBlock(name) && m.b.Len() > unitFits/2, name == "/section" || name == "/main" || name == "/nav" || name == "/table":
		m.flush(next)
	case name == "/tr" || name == "/li":
		if m.b.Len() > 0 {
			m.b.WriteString(" /")
		}
	}
	return next
}

// isPart reports whether a tag is a part of a page that people ask for by its name.
func isPart(name string) bool {
	return name == "footer" || name == "nav" || name == "aside" || name == "address"
}

func endsBlock(name string) bool {
	switch strings.TrimPrefix(name, "/") {
	case "p", "div", "li", "tr", "ul", "ol", "section", "article", "header", "footer", "form", "pre", "blockquote", "dd", "br", "address", "td":
		return true
	}
	return false
}

// heading takes the collected text as the heading that has just ended.
func (m *markup) heading() {
	m.heads[m.depth] = clip(strings.TrimSpace(m.b.String()), 80)
	clear(m.heads[m.depth+1:])
	m.b.Reset()
	m.depth = 0
}

// flush makes units of the collected text, under the present headings. to is where the text ends in the page.
func (m *markup) flush(to int) {
	for rest := strings.TrimSpace(m.b.String()); rest != ""; {
		n := len(rest)
		if n > unitMost {
			n = runeStart(rest, unitFits)
		}
		m.d.add(unit{from: m.from, to: to, text: rest[:n], lead: joinLead(append([]string{m.part}, m.heads[:]...)...), row: -1})
		rest = rest[n:]
	}
	m.b.Reset()
}

// attribute returns the value of a tag's attribute, "" if it has none.
func attribute(tag, name string) string {
	_, rest, ok := strings.Cut(tag, name+"=")
	if !ok || rest == "" {
		return ""
	}
	if q := rest[0]; q == '"' || q == '\'' {
		value, _, _ := strings.Cut(rest[1:], string(q))
		return value
	}
	return strings.Fields(rest + " ")[0]
}
