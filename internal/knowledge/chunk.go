package knowledge

import (
	"strings"
	"unicode/utf8"
)

// Sizes in bytes. A chunk is as much as a few paragraphs, so that what it is about is one thing.
const (
	MaxChunk = 4 << 10 // no chunk is larger
	goodSize = 3 << 9  // neighbours go together up to this
	maxTitle = 200
	maxLead  = 1 << 10 // a longer head is not repeated
)

// Chunk is a piece of a document: source[From:To], below a lead that stands elsewhere in it.
type Chunk struct {
	From, To int    // bytes of the source
	Line     int    // where it begins, from 1
	Title    string // headings, declarations, a path, times; empty if nothing is known
	Lead     string // a head that is repeated, with its line end
}

// Text returns what the chunk says of its source.
func (c Chunk) Text(source string) string { return c.Lead + source[c.From:c.To] }

// block is a part of a document that had better stay together. Blocks follow each other without gaps.
type block struct {
	from, to int
	title    string
	group    string // neighbours of one group may be put into one chunk
	lead     string
}

// Cut cuts a document, which is valid UTF-8, as its kind wants it. Every byte is in exactly one chunk, and no chunk
// has more than MaxChunk bytes, its lead included. The bounds are those of characters.
func Cut(kind Kind, text string) []Chunk {
	var blocks []block
	switch kind {
	case Markdown:
		blocks = byHeading(text)
	case Code:
		blocks = byDeclaration(text)
	case JSON:
		blocks = byPath(text)
	case Log:
		blocks = byRecord(text)
	case CSV:
		blocks = byRow(text)
	case Pages:
		blocks = byPage(text)
	}
	if blocks == nil {
		blocks = byParagraph(text, 0, len(text), "")
	}
	return numbered(text, pack(text, blocks))
}

// pack puts small neighbours of a group together and cuts what is too large.
func pack(text string, blocks []block) (out []Chunk) {
	for i := 0; i < len(blocks); {
		b := blocks[i]
		titles := []string{b.title}
		for i++; i < len(blocks) && fits(b, blocks[i]); i++ {
			b.to = blocks[i].to
			if t := blocks[i].title; t != titles[len(titles)-1] {
				titles = append(titles, t)
			}
		}
		b.title = clip(strings.Trim(strings.Join(titles, " · "), " ·"), maxTitle)
		if len(b.lead) > maxLead {
			b.lead = ""
		}
		out = append(out, slice(text, b)...)
	}
	return out
}

func fits(b, next block) bool {
	return b.group == next.group && b.lead == next.lead && next.to-b.from+len(b.lead) <= goodSize
}

// slice cuts one block into chunks: at an empty line, else a line's end, a sentence's, a blank, a character's.
func slice(text string, b block) (out []Chunk) {
	room := MaxChunk - len(b.lead)
	for b.to-b.from > room {
		at := b.from + border(text[b.from:b.to], room)
		out = append(out, Chunk{From: b.from, To: at, Title: b.title, Lead: b.lead})
		b.from = at
	}
	if b.to > b.from {
		out = append(out, Chunk{From: b.from, To: b.to, Title: b.title, Lead: b.lead})
	}
	return out
}

// border returns the best place to cut a text within its first most bytes: after something that ends there, not
// before half of them.
func border(text string, most int) int {
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	for _, end := range []string{"\n\n", "\n", "。", ". ", "; ", " "} {
		if at := strings.LastIndex(text[:most], end); at >= most/2 {
			return at + len(end)
		}
	}
	return most
}

// numbered tells each chunk's line, and where a chunk begins in the middle of one, that.
func numbered(text string, chunks []Chunk) []Chunk {
	line, at := 1, 0
	for i := range chunks {
		line += strings.Count(text[at:chunks[i].From], "\n")
		at = chunks[i].From
		chunks[i].Line = line
		if body := text[at:chunks[i].To]; strings.TrimSpace(body) != "" { // empty lines in front are not where it begins
			chunks[i].Line += strings.Count(body[:len(body)-len(strings.TrimLeft(body, " \t\r\n"))], "\n")
		}
	}
	return chunks
}

// clip cuts a text at a character's border.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// span is a line with its end.
type span struct{ from, to int }

// lines returns the lines of text[from:to], their ends included.
func lines(text string, from, to int) (out []span) {
	for from < to {
		end := to
		if at := strings.IndexByte(text[from:to], '\n'); at >= 0 {
			end = from + at + 1
		}
		out = append(out, span{from, end})
		from = end
	}
	return out
}

func (s span) of(text string) string { return strings.TrimRight(text[s.from:s.to], "\r\n") }

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// byParagraph cuts at empty lines; what has none is cut by size alone.
func byParagraph(text string, from, to int, title string) (out []block) {
	b := block{from: from, title: title, group: title}
	empty := false
	for _, l := range lines(text, from, to) {
		if now := blank(l.of(text)); now || !empty {
			empty = now
			continue
		}
		empty, b.to = false, l.from
		out = append(out, b)
		b.from = l.from
	}
	b.to = to
	return append(out, b)
}

// byPage cuts where a form feed ends a page.
func byPage(text string) (out []block) {
	n, from := 1, 0
	for from < len(text) {
		to := len(text)
		if at := strings.IndexByte(text[from:], '\f'); at >= 0 {
			to = from + at + 1
		}
		out = append(out, byParagraph(text, from, to, pageTitle(n))...)
		from, n = to, n+1
	}
	return out
}
