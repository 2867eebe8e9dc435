package memory

import (
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// place is what the name of a file says about its entries: it fills in what a line does not say itself.
type place struct {
	file  string // slash-separated, below the memory's folder
	scope Scope
	day   time.Time // of a dated note, else zero
}

func (p place) defaults() Entry { return Entry{Type: Fact, Scope: p.scope, At: p.day, File: p.file} }

// item is one entry and the lines that hold it.
type item struct {
	note
	first, end int  // lines[first:end]
	hand       bool // written by a person: its bytes are never changed
	analysis   *analysis
}

// document is a file as lines, each with its line end, and what was found in them. Joining the
// lines gives the file's bytes.
type document struct {
	lines []string
	items []item
	eol   string
	open  int // first line of a fence or comment that the file never closes; len(lines) if none
}

// maxHand is the longest entry of a hand-written file, in bytes. A longer line is taken for data and is no entry; each
// line of a longer list item is an entry of its own.
const maxHand = 4000

// parse finds the entries of a Markdown file. Every list item is one (with the indented lines below
// it), and so is every other line of text; headings, tables, rules, fenced code, front matter and
// HTML comments are not.
func parse(raw string, where place) document {
	d := document{lines: strings.SplitAfter(raw, "\n")}
	if last := len(d.lines) - 1; d.lines[last] == "" {
		d.lines = d.lines[:last]
	}
	d.eol = lineEnd(d.lines)
	r := reader{where: where}
	i := frontMatter(d.lines)
	for ; i < len(d.lines); i++ {
		r.read(i, strings.TrimRight(d.lines[i], "\r\n"))
	}
	for i, it := range r.items {
		if it.hand {
			r.items[i].entry.ID = handID(where.file, it.entry.Text)
		}
	}
	d.items, d.open = r.items, len(d.lines)
	if r.fence != "" || r.comment {
		d.open = r.opened
	}
	return d
}

// lineEnd gives the convention of the file: that of most of its lines.
func lineEnd(lines []string) string {
	crlf := 0
	for _, l := range lines {
		if strings.HasSuffix(l, "\r\n") {
			crlf++
		}
	}
	if crlf*2 > len(lines) {
		return "\r\n"
	}
	return "\n"
}

// frontMatter gives the number of lines of a closed front matter block at the start.
func frontMatter(lines []string) int {
	if len(lines) == 0 || strings.TrimRight(strings.TrimPrefix(lines[0], "\uFEFF"), " \t\r\n") != "---" {
		return 0
	}
	for i, l := range lines[1:] {
		if l = strings.TrimRight(l, " \t\r\n"); l == "---" || l == "..." {
			return i + 2
		}
	}
	return 0
}

var (
	bullet   = pattern.New(`^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?`)
	fenceRun = pattern.New("^(?:`{3,}|~{3,})")
	noText   = pattern.New(`^(?:#{1,6}(?:[ \t].*)?|\|.*|(?:[-_*=][ \t]*){2,}|=)?$`)
	remark   = pattern.New(`<!--.*?-->`)
)

// reader goes through a file line by line.
type reader struct {
	where   place
	items   []item
	fence   string // the run that opened the code block we are in
	comment bool   // in an HTML comment
	opened  int    // line where the fence or comment began
	inItem  bool   // an indented line would belong to the last item
}

// read takes the file's line number i, from 0.
func (r *reader) read(i int, line string) {
	if i == 0 {
		line = strings.TrimPrefix(line, "\uFEFF")
	}
	body := strings.TrimSpace(line)
	switch {
	case r.fence != "":
		if strings.HasPrefix(body, r.fence) && strings.Trim(body, r.fence[:1]) == "" {
			r.fence = ""
		}
	case r.comment:
		r.comment = !strings.Contains(body, "-->")
	case r.ours(i, line):
	case strings.HasPrefix(body, "<!--"):
		r.opens(i, body)
	case body == "":
		r.inItem = false
	default:
		r.hand(i, line, body)
	}
}

// ours takes a line that ends in a comment of ours.
func (r *reader) ours(i int, line string) bool {
	text, n, ok := readNote(line, r.where)
	if !ok {
		return false
	}
	n.entry.Text = clean(fromFile.Replace(bullet.ReplaceAllString(text, "")))
	r.inItem = false
	if n.entry.Text != "" {
		r.items = append(r.items, item{note: n, first: i, end: i + 1})
	}
	return true
}

// opens takes a line that begins with a comment, which may go on below.
func (r *reader) opens(i int, body string) {
	r.inItem = false
	if !strings.Contains(body, "-->") {
		r.comment, r.opened = true, i
	}
}

// hand takes a line that a person wrote.
func (r *reader) hand(i int, line, body string) {
	head := bullet.FindString(line)
	indented := strings.HasPrefix(line, "  ") || strings.HasPrefix(line, "\t")
	content := strings.TrimSpace(line[len(head):])
	if run := fenceRun.FindString(content); run != "" && !strings.Contains(content[len(run):], "`") {
		r.fence, r.opened, r.inItem = run, i, false
		return
	}
	if head == "" && noText.MatchString(body) || noText.MatchString(content) {
		r.inItem = false
		return
	}
	text := clean(remark.ReplaceAllString(content, " "))
	if len(text) > maxHand {
		r.inItem = false
		return
	}
	if head == "" && indented && r.inItem && len(r.items[len(r.items)-1].entry.Text)+len(text) < maxHand {
		last := &r.items[len(r.items)-1]
		last.entry.Text = strings.TrimSpace(last.entry.Text + " " + text)
		last.end = i + 1
		return
	}
	r.inItem = head != ""
	if text == "" {
		r.inItem = false
		return
	}
	e := r.where.defaults()
	e.Text = text
	r.items = append(r.items, item{note: note{entry: e}, first: i, end: i + 1, hand: true})
}

// handID names a line that has no id of its own by what it says and where.
func handID(file, text string) string { return "h" + akitad.Digest(file, text)[:11] }

// with gives the document's lines with line put after the last one, but before a fence or comment
// that never closes: below it, the line would be no entry.
func (d document) with(line string) []string {
	lines := slices.Clone(d.lines)
	if n := len(lines); d.open == n && n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += d.eol
	}
	return slices.Insert(lines, d.open, line+d.eol)
}

// without gives the lines less those of the items.
func (d document) without(items []item) []string {
	lines := slices.Clone(d.lines)
	for _, it := range slices.Backward(items) {
		lines = slices.Delete(lines, it.first, it.end)
	}
	return lines
}

// changed gives the document's lines with one entry of ours rewritten. Its line end stays.
func (d document) changed(it item) []string {
	lines := slices.Clone(d.lines)
	old := lines[it.first]
	end := old[len(strings.TrimRight(old, "\r\n")):]
	lines[it.first] = old[:len(old)-len(strings.TrimLeft(old, " \t"))] + it.line() + end
	return lines
}
