package filter

import (
	"strings"
)

// asMarkdown reads text under headings: a unit is a block, or a few short ones, under its headings.
func (d *document) asMarkdown() bool {
	headings, fenced := 0, false
	for i := range d.lines {
		text := d.lineText(i)
		fenced = fenced != strings.HasPrefix(strings.TrimSpace(text), "```")
		if !fenced && headingDepth(text) > 0 && (i == 0 || d.blank(i-1)) {
			headings++
		}
	}
	if headings < 3 || headings*60 < len(d.lines) && headingDepth(d.lineText(0)) == 0 {
		return false
	}
	d.kind = "Markdown"
	var open [7]string
	start, in := 0, false
	for i := range d.lines {
		text := d.lineText(i)
		if strings.HasPrefix(strings.TrimSpace(text), "```") {
			in = !in
		}
		depth := 0
		if !in {
			depth = headingDepth(text)
		}
		if depth == 0 {
			continue
		}
		d.addBlocks(start, i, joinLead(open[:]...))
		open[depth] = clip(strings.TrimSpace(strings.Trim(text, "# ")), 80)
		clear(open[depth+1:])
		start = i + 1
	}
	d.addBlocks(start, len(d.lines), joinLead(open[:]...))
	return true
}

// headingDepth returns the depth, 1 to 6, of a Markdown heading; 0 if the line is none.
func headingDepth(s string) int {
	n := 0
	for n < len(s) && s[n] == '#' {
		n++
	}
	if n == 0 || n > 6 || n >= len(s) || s[n] != ' ' {
		return 0
	}
	return n
}

// addBlocks adds the blocks between blank lines as units, and joins short neighbours. Each row of a table is a unit
// with the table's header in its lead.
func (d *document) addBlocks(i, end int, lead string) {
	from := -1
	flush := func(to int) {
		if from >= 0 {
			d.addLines(from, to, lead)
		}
		from = -1
	}
	for k := i; k < end; k++ {
		switch {
		case strings.HasPrefix(d.lineText(k), "|") && k+1 < end && strings.HasPrefix(d.lineText(k+1), "|-"):
			flush(k)
			k = d.addPipes(k, end, lead) - 1
		case d.blank(k) && from >= 0 && d.lines[k].to-d.lines[from].from > unitFits/2:
			flush(k)
		case !d.blank(k) && from < 0:
			from = k
		}
	}
	flush(end)
}

// addPipes adds the rows of the Markdown table that begins at line k, and returns the index of the line after it.
func (d *document) addPipes(k, end int, lead string) int {
	head := d.lineText(k)
	last := k + 2
	for last < end && strings.HasPrefix(d.lineText(last), "|") {
		last++
	}
	for i := k + 2; i < last; i++ {
		d.addLines(i, i+1, joinLead(lead, clip(head, 160)))
	}
	return last
}

// asRecords reads text whose records all begin with the same word, the first of the text: "commit" in a history, "diff"
// in changes of files. It needs five records or more.
func (d *document) asRecords() bool {
	first := 0
	for first < len(d.lines) && d.blank(first) {
		first++
	}
	if first >= len(d.lines) {
		return false
	}
	word, _, more := strings.Cut(d.lineText(first), " ")
	if !more || word == "" || strings.ContainsAny(word, "0123456789<{[|-#") {
		return false
	}
	var at []int
	for i := first; i < len(d.lines); i++ {
		if opensRecord(d.lineText(i), word) {
			at = append(at, i)
		}
	}
	if len(at) < 5 || len(at)*3 > len(d.lines)*2 {
		return false
	}
	d.kind, d.told = "records that begin with "+word, true
	d.facts = append(d.facts, plural(len(at), "record")+" that begin with \""+word+"\"")
	for n, i := range at {
		end := len(d.lines)
		if n+1 < len(at) {
			end = at[n+1]
		}
		d.addRecord(i, end)
	}
	return true
}

// opensRecord reports whether a line begins as the first record does: with the same word, or where that
// says how something went, with another such word.
func opensRecord(line, word string) bool {
	if strings.HasPrefix(line, word+" ") {
		return true
	}
	other, _, ok := strings.Cut(line, " ")
	return ok && isMark(strings.ToLower(word)) && isMark(strings.ToLower(other)) && strings.ToUpper(other) == other
}

// addRecord adds a record as one unit, or if it is long in parts that have its first line as their lead.
func (d *document) addRecord(i, end int) {
	for end > i+1 && d.blank(end-1) {
		end--
	}
	if d.lines[end-1].to-d.lines[i].from <= unitMost {
		d.addSpan(d.lines[i].from, d.lines[end-1].to, "")
		return
	}
	lead := clip(d.lineText(i), 160)
	from := i
	for k := i + 1; k < end; k++ {
		if strings.HasPrefix(d.lineText(k), "@@") || d.blank(k) && d.lines[k].to-d.lines[from].from > unitFits/2 {
			d.addLines(from, k, lead)
			from = k
		}
	}
	d.addLines(from, end, lead)
}

// asText reads lines of which nothing more is known: a line with the indented ones below it is a unit.
func (d *document) asText() {
	d.kind, d.told = "text", true
	for i := 0; i < len(d.lines); {
		if d.blank(i) {
			i++
			continue
		}
		end := i + 1
		for end < len(d.lines) && !d.blank(end) && indentOf(d.lineText(end)) > indentOf(d.lineText(i)) {
			end++
		}
		d.addLines(i, end, "")
		i = end
	}
}
