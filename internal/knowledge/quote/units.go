package quote

import (
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/filter"
	"github.com/akitad/akitad/internal/pattern"
)

// bag is a set of words without their endings.
type bag map[string]bool

func bagOf(text string) bag {
	b := bag{}
	b.add(text)
	return b
}

func (b bag) add(text string) {
	filter.EachWord(text, func(w []byte) { b[string(w)] = true })
}

// has looks for a word, and for the words that say the same.
func (b bag) has(w word) bool {
	for _, form := range w.forms {
		if b[form] {
			return true
		}
	}
	return false
}

// unit is one sentence, line or row, and what it stands under.
type unit struct {
	text    string
	before  string // the sentence that it goes on from, if its subject is there
	context string // titles, the line above a list, the head of a table
	own     bag
	above   bag
	line    int
	heading string
	body    string // of the first below a heading: all that stands there
	row     bool   // of a list, a table or a file of keys: it has no verb
}

// units cuts a passage. Headings are context.
func units(p Passage) (out []unit) {
	title := p.Title
	head, lead := "", ""
	var above []string // lines that the next is indented below
	var indents []int
	paragraph, line := "", 0
	end := func() {
		out = append(out, sentences(paragraph, title+"\n"+lead, line)...)
		if t := strings.TrimSpace(paragraph); t != "" {
			lead = ""
			if strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：") {
				lead = t
			}
		}
		paragraph = ""
	}
	all := strings.Split(p.Text, "\n")
	for i, raw := range all {
		s := strings.TrimSpace(raw)
		at := p.Line + i
		switch {
		case s == "":
			end()
			head = ""
		case strings.HasPrefix(s, "#"), strings.Trim(s, "=-") == "", strings.HasPrefix(s, "```"):
			end()
		case isTable(s):
			end()
			if head == "" {
				head = s
				continue
			}
			if strings.Trim(s, "|-: ") != "" {
				u := newUnit(s, title+"\n"+lead+"\n"+head, at, true)
				u.text = paired(head, s)
				out = append(out, u)
			}
		case isItem(s):
			end()
			depth := len(raw) - len(strings.TrimLeft(raw, " \t"))
			for len(indents) > 0 && indents[len(indents)-1] >= depth {
				indents, above = indents[:len(indents)-1], above[:len(above)-1]
			}
			for _, u := range itemUnits(s, title+"\n"+lead+"\n"+strings.Join(above, "\n"), at) {
				u.row = true
				out = append(out, u)
			}
			indents, above = append(indents, depth), append(above, s)
			if depth == 0 && (strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")) {
				lead = s
			}
		default:
			if paragraph == "" {
				line, indents, above = at, nil, nil
			}
			paragraph += glue(paragraph, s) + s
		}
	}
	end()
	if len(out) > 0 && p.Title != "" {
		out[0].heading = p.Title[strings.LastIndex(p.Title, " > ")+1:]
		out[0].heading = strings.TrimPrefix(out[0].heading, "> ")
		out[0].body = bodyOf(all)
	}
	return out
}

// bodyOf returns the lines of a passage without the heading above them.
func bodyOf(all []string) string {
	for len(all) > 0 && (blank(all[0]) || strings.HasPrefix(strings.TrimSpace(all[0]), "#")) {
		all = all[1:]
	}
	return strings.TrimSpace(strings.Join(all, "\n"))
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

// glue is what stands between two lines of one paragraph.
func glue(before, next string) string {
	if before == "" {
		return ""
	}
	if hanOnly(lastRune(before)) && hanOnly(firstRune(next)) {
		return ""
	}
	return " "
}

// paired shows a row with the names of its columns.
func paired(head, row string) string {
	names, cells := cellsOf(head), cellsOf(row)
	for i := range cells {
		if i < len(names) && names[i] != "" {
			cells[i] = names[i] + ": " + cells[i]
		}
	}
	return strings.Join(cells, "; ")
}

func cellsOf(row string) []string {
	cells := strings.Split(strings.Trim(row, "|"), "|")
	for i := range cells {
		cells[i] = strings.TrimSpace(cells[i])
	}
	return cells
}

func isTable(s string) bool { return strings.HasPrefix(s, "|") && strings.Count(s, "|") > 1 }

// isItem tells a line that stands for itself: of a list, or a key with a value.
func isItem(s string) bool {
	switch {
	case strings.HasPrefix(s, "- "), strings.HasPrefix(s, "* "), strings.HasPrefix(s, "+ "), strings.HasPrefix(s, "• "), strings.HasPrefix(s, `"`):
		return true
	case strings.HasPrefix(s, "{"), strings.HasPrefix(s, "}"), strings.HasPrefix(s, "]"):
		return true
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n > 0 && n < 4 && n+1 < len(s) && (s[n] == '.' || s[n] == ')') && s[n+1] == ' ' {
		return true
	}
	at := strings.IndexAny(s, ":=：")
	if at > 0 && s[at] == ':' && at+1 < len(s) && s[at+1] != ' ' {
		return false // a time, an address
	}
	return at > 0 && at < 40 && !strings.ContainsAny(s[:at], ".,;。，；?？") && strings.Count(s[:at], " ") < 5
}

// clauseTitle is a short title that opens a numbered item: "4. Rent. The tenant pays ...".
var clauseTitle = pattern.New(`^\d{1,3}[.)]\s+[\p{L}'’-]+(?:\s[\p{L}'’-]+){0,3}[.:]\s+\S`)

// maxClause is how long a clause with a title may be to be quoted whole, in bytes.
const maxClause = 600

// itemUnits cuts an item of a list. A clause with a title is one unit: its sentences are about what the title says.
func itemUnits(s, context string, line int) []unit {
	if len(s) <= maxClause && clauseTitle.MatchString(s) {
		return []unit{newUnit(s, context, line, true)}
	}
	return sentences(s, context, line)
}

// sentences cuts a paragraph. One that begins with a pronoun stands under the one before it.
func sentences(text, context string, line int) (out []unit) {
	before := ""
	for _, s := range cutSentences(text) {
		u := newUnit(s, context, line, false)
		if before != "" && refers(s) {
			u.before = before + glue(before, s)
			u.context += "\n" + before
			u.above.add(before)
		} else {
			before = s
		}
		out = append(out, u)
	}
	return out
}

func newUnit(text, context string, line int, row bool) unit {
	return unit{text: text, context: context, own: bagOf(text), above: bagOf(context), line: line, row: row}
}

// cutSentences cuts after the signs that end a sentence.
func cutSentences(s string) (out []string) {
	from := 0
	rs := []rune(s)
	add := func(to int) {
		if t := strings.TrimSpace(string(rs[from:to])); t != "" {
			out = append(out, t)
		}
		from = to
	}
	for i, r := range rs {
		switch r {
		case '。', '！', '？', '；':
			add(i + 1)
		case '.', '!', '?', ';':
			if i+1 == len(rs) || unicode.IsSpace(rs[i+1]) && !abbreviated(rs[from:i]) {
				add(i + 1)
			}
		}
	}
	add(len(rs))
	return out
}

// abbreviated tells that a full stop ends no sentence: after one letter, a short form, or the number of an item.
func abbreviated(before []rune) bool {
	at := len(before)
	for at > 0 && !unicode.IsSpace(before[at-1]) {
		at--
	}
	last := strings.TrimLeft(strings.ToLower(string(before[at:])), "([\"")
	return len(last) == 1 && unicode.IsLetter(rune(last[0])) || last != "" && at == 0 && strings.Trim(last, "0123456789") == "" || strings.Contains(" mr mrs ms dr prof st no fig e.g i.e vs approx inc ltd ext ", " "+last+" ")
}

// pronouns begin a sentence whose subject stands in the one before.
const pronouns = " it its he his she her they their this these that those both "

var hanPronouns = []string{"它", "他", "她", "该", "此", "这", "其", "两者", "二者"}

func refers(s string) bool {
	low := strings.ToLower(s)
	first, _, _ := strings.Cut(low, " ")
	if strings.Contains(pronouns, " "+strings.Trim(first, ",'’")+" ") {
		return true
	}
	for _, p := range hanPronouns {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func hanOnly(r rune) bool {
	return unicode.In(r, unicode.Han) || r >= 0x3000 && r < 0x3040 || r >= 0xff00
}

func firstRune(s string) rune {
	for _, r := range s {
		return r
	}
	return 0
}

func lastRune(s string) rune {
	rs := []rune(s)
	if len(rs) == 0 {
		return 0
	}
	return rs[len(rs)-1]
}
