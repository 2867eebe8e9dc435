package llm

import (
	"iter"
	"strings"
)

const fence = "```"

// A place is a point in a Markdown text, with what must be known of the text before it to tell a tag
// that is meant from one that is shown. The zero value is the beginning. It costs one pass over the
// text, however often it is asked.
type place struct {
	at     int    // bytes from the beginning
	start  int    // where its line begins
	ticks  int    // runs of backticks before it on its line
	indent bool   // the line before is blank, so that an indented one is code
	fence  string // the code fence that the lines before have opened; "" if none is open
}

// move goes on to a later point of the text.
func (p *place) move(text string, to int) {
	for p.at < to {
		end := strings.IndexByte(text[p.at:to], '\n')
		if end < 0 {
			p.pass(text, to)
			return
		}
		p.pass(text, p.at+end)
		line := strings.Trim(text[p.start:p.at], blanks)
		p.fence, p.indent = fenceAfter(p.fence, line), line == ""
		p.at++
		p.start, p.ticks = p.at, 0
	}
}

// pass goes on within the line.
func (p *place) pass(text string, to int) {
	for ; p.at < to; p.at++ {
		if text[p.at] == '`' && (p.at == p.start || text[p.at-1] != '`') {
			p.ticks++
		}
	}
}

// fenceAfter gives the fence that is open behind a line. One of three backticks may also stand behind
// words, as models write it.
func fenceAfter(open, line string) string {
	run := line[:len(line)-len(strings.TrimLeft(line, "`"))]
	if strings.HasPrefix(line, "~~~") {
		run = line[:len(line)-len(strings.TrimLeft(line, "~"))]
	}
	odd := strings.Count(line, fence)%2 == 1
	switch {
	case open == "" && len(run) >= len(fence) && !strings.Contains(line[len(run):], "`"):
		return run
	case open == "" && odd:
		return fence
	case line == run && strings.HasPrefix(run, open), open == fence && odd:
		return ""
	}
	return open
}

// fresh reports whether only blanks stand before the place on its line.
func (p *place) fresh(text string) bool { return strings.TrimLeft(text[p.start:p.at], blanks) == "" }

// shown reports whether what begins here is shown to a reader: it stands in code, in a quotation, or
// right behind a quotation mark.
func (p *place) shown(text string) bool {
	line := text[p.start:p.at]
	start := strings.TrimLeft(line, blanks)
	switch {
	case p.fence != "", strings.HasPrefix(start, ">"), strings.HasPrefix(start, fence), p.ticks%2 == 1:
		return true
	case start == "":
		return p.indent && (strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"))
	}
	for _, mark := range []string{`"`, "'", "`", "“", "‘", "「", "『"} {
		if strings.HasSuffix(line, mark) {
			return true
		}
	}
	return false
}

// candidates gives the places of a text at which one of the characters stands.
func candidates(text, chars string) iter.Seq[int] {
	return func(yield func(int) bool) {
		for at := 0; at < len(text); at++ {
			next := strings.IndexAny(text[at:], chars)
			if next < 0 {
				return
			}
			if at += next; !yield(at) {
				return
			}
		}
	}
}
