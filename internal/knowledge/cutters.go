package knowledge

import (
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

func pageTitle(n int) string { return "page " + strconv.Itoa(n) }

// byHeading makes a section of each heading with what stands below it, titled by the headings it stands under. A
// heading with nothing below it goes with the section that follows, or at the end with the one before.
func byHeading(text string) (out []block) {
	var path [7]string
	title, from, body, fence := "", 0, 0, ""
	all := lines(text, 0, len(text))
	for i, l := range all {
		line := l.of(text)
		if mark := fenceOf(line); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence):
				fence = ""
			}
		}
		if fence != "" {
			continue
		}
		end := l.to
		depth, words := heading(line)
		if depth == 0 && i+1 < len(all) {
			end = all[i+1].to
			depth, words = underlined(line, all[i+1].of(text))
		}
		if depth == 0 {
			continue
		}
		if !blank(text[body:l.from]) {
			out = append(out, section(text, from, body, l.from, title)...)
			from = l.from
		}
		body = end
		path[depth] = words
		clear(path[depth+1:])
		title = headingPath(path[:])
	}
	if blank(text[body:]) && len(out) > 0 {
		out[len(out)-1].to = len(text)
		return out
	}
	return append(out, section(text, from, body, len(text), title)...)
}

// section cuts what stands below a heading; the heading stays with the first of it.
func section(text string, from, body, to int, title string) []block {
	body = to - len(strings.TrimLeft(text[body:to], " \t\r\n"))
	out := byParagraph(text, body, to, title)
	out[0].from = from
	return out
}

func headingPath(path []string) string {
	var out []string
	for _, p := range path {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " > ")
}

// fenceOf returns the mark that opens or ends a block of code, empty if the line is none.
func fenceOf(line string) string {
	s := strings.TrimLeft(line, " ")
	for _, c := range []string{"`", "~"} {
		if n := len(s) - len(strings.TrimLeft(s, c)); n >= 3 {
			return s[:n]
		}
	}
	return ""
}

// heading reads a line of the form "## Words".
func heading(line string) (depth int, words string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return 0, ""
	}
	n := len(s) - len(strings.TrimLeft(s, "#"))
	if n == 0 || n > 6 || n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0, ""
	}
	return n, clip(strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s[n:]), "#")), maxTitle)
}

// underlined reads words with === or --- below them.
func underlined(line, below string) (depth int, words string) {
	words, below = strings.TrimSpace(line), strings.TrimSpace(below)
	switch {
	case words == "" || len(below) < 3 || strings.ContainsAny(words[:1], "-=>|*+#"):
		return 0, ""
	case strings.Trim(below, "=") == "":
		return 1, clip(words, maxTitle)
	case strings.Trim(below, "-") == "":
		return 2, clip(words, maxTitle)
	}
	return 0, ""
}

// byDeclaration cuts code where something begins at the left after an empty line, with the comment above it.
func byDeclaration(text string) (out []block) {
	b := block{}
	empty, inside := true, false
	for _, l := range lines(text, 0, len(text)) {
		line := l.of(text)
		starts := empty && line != "" && !strings.ContainsAny(line[:1], " \t)}]") && !blank(line)
		if starts && inside {
			b.to = l.from
			out = append(out, b)
			b = block{from: l.from}
		}
		empty, inside = blank(line), inside || starts
		if b.title == "" && !blank(line) && !comment(line) {
			b.title = clip(strings.TrimRight(strings.TrimSpace(line), " {:(}"), 100)
		}
	}
	b.to = len(text)
	return append(out, b)
}

func comment(line string) bool {
	s := strings.TrimSpace(line)
	for _, mark := range []string{"//", "/*", "*", "#", "--", ";", `"""`, "'''", "@", "<!--"} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// byPath cuts JSON into values that fit, each titled by where it stands. Text that is no JSON gives nil.
func byPath(text string) []block {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	r := pathReader{d: d, text: text}
	if err := r.value("", "", 0); err != nil {
		return nil
	}
	if _, err := d.Token(); err != io.EOF {
		return nil // more than one value
	}
	last := &r.out[len(r.out)-1]
	last.to = len(text)
	return r.out
}

// maxDepth is how deep a value may stand for its text to be cut as JSON.
const maxDepth = 200

var errDeep = errors.New("too deep")

type pathReader struct {
	d    *json.Decoder
	text string
	at   int // end of the last block
	out  []block
}

// value reads one value below a path. One that is small is a block; a larger one is cut where its members begin.
func (r *pathReader) value(path, parent string, depth int) error {
	if depth > maxDepth {
		return errDeep
	}
	tok, err := r.d.Token()
	if err != nil {
		return err
	}
	delim, is := tok.(json.Delim)
	if !is {
		r.add(parent, parent)
		return nil
	}
	begin := len(r.out)
	from := r.at
	for i := 0; r.d.More(); i++ {
		member := path + "[" + strconv.Itoa(i) + "]"
		if delim == '{' {
			key, err := r.d.Token()
			if err != nil {
				return err
			}
			member = strings.TrimPrefix(path+"."+clip(key.(string), 60), ".")
		}
		if err := r.value(clip(member, maxTitle), path, depth+1); err != nil {
			return err
		}
	}
	if _, err := r.d.Token(); err != nil {
		return err
	}
	end := int(r.d.InputOffset())
	if end-from <= goodSize || len(r.out) == begin {
		r.out, r.at = r.out[:begin], from
		r.add(path, parent)
		return nil
	}
	r.out[len(r.out)-1].to, r.at = end, end
	return nil
}

// add makes a block of all that was read since the last.
func (r *pathReader) add(title, group string) {
	end := int(r.d.InputOffset())
	r.out = append(r.out, block{from: r.at, to: end, title: title, group: group})
	r.at = end
}

// byRecord keeps the lines of a log's record together; each chunk is titled by its first and last time.
func byRecord(text string) (out []block) {
	all := lines(text, 0, len(text))
	for i := 0; i < len(all); {
		b := block{from: all[i].from}
		first, last := timeIn(all[i].of(text)), ""
		for ; i < len(all) && (all[i].from == b.from || all[i].to-b.from <= goodSize || continues(all[i].of(text)) && all[i].to-b.from <= MaxChunk); i++ {
			if t := timeIn(all[i].of(text)); t != "" {
				last = t
			}
		}
		b.to, b.title, b.group = all[i-1].to, first, strconv.Itoa(len(out))
		if last != "" && last != first {
			b.title = strings.TrimPrefix(first+" - "+last, " - ")
		}
		out = append(out, b)
	}
	return out
}

// timeIn returns the time that stands at the beginning of a line.
func timeIn(line string) string {
	head := clip(line, 80)
	if _, from, to, ok := rows.FindTime(head); ok {
		return head[from:to]
	}
	return ""
}

func continues(line string) bool {
	return line != "" && (line[0] == ' ' || line[0] == '\t') || strings.HasPrefix(line, "Caused by")
}

// byRow keeps a table's rows whole and gives every chunk the table's head.
func byRow(text string) (out []block) {
	records := records(text)
	lead, first := "", 0
	if len(records) > 1 && names(records[0].of(text)) && records[0].to <= maxLead {
		lead, first = text[:records[0].to], 1
	}
	for i := first; i < len(records); i++ {
		row := "row " + strconv.Itoa(i-first+1)
		b := block{from: records[i].from, to: records[i].to, title: row, lead: lead}
		if len(out) == 0 { // the head stands above these
			b.from, b.lead = 0, ""
		}
		for i+1 < len(records) && records[i+1].to-b.from+len(b.lead) <= goodSize {
			i++
			b.to = records[i].to
		}
		if last := strconv.Itoa(i - first + 1); "row "+last != row {
			b.title = "rows " + strings.TrimPrefix(row, "row ") + "-" + last
		}
		b.group = b.title
		out = append(out, b)
	}
	return out
}

// records returns the lines of a table, with those that a quoted field goes on in.
func records(text string) (out []span) {
	open := false
	for _, l := range lines(text, 0, len(text)) {
		odd := strings.Count(text[l.from:l.to], `"`)%2 == 1
		if n := len(out); open && l.to-out[n-1].from <= MaxChunk {
			out[n-1].to = l.to
			open = !odd
			continue
		}
		out = append(out, l)
		open = odd
	}
	return out
}

// names tells a record that can be the names of columns: none of them is a number or missing.
func names(record string) bool {
	for _, f := range strings.FieldsFunc(record, func(r rune) bool { return r == ',' || r == ';' || r == '\t' || r == '|' }) {
		if _, number := rows.Number(strings.Trim(f, `" `)); number {
			return false
		}
	}
	return record != ""
}
