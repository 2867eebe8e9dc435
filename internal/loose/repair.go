package loose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// indentation turns the tabs, no-break and full-width spaces that lines begin with into spaces.
// What stands further in than a block scalar demands is its content and stays.
func (r reader) indentation(text string) string {
	lines := strings.Split(text, "\n")
	r.trimmedFirst(lines)
	tab := tabWidth(lines)
	for i := 0; i < len(lines); i++ {
		lines[i] = spaced(lines[i], tab)
		lines[i] = aligned(lines[:i], lines[i])
		if strings.TrimSpace(lines[i]) == "-" && !deeper(lines, i) {
			lines[i] = "" // an item of nothing, which the parser would fill with what follows
		}
		if _, value, ok := splitPair(lines[i]); ok && blockHead.MatchString(value) {
			content := strings.Repeat(" ", indent(lines[i])+1)
			for i+1 < len(lines) && (strings.HasPrefix(lines[i+1], content) || strings.TrimSpace(lines[i+1]) == "") {
				i++
			}
		}
	}
	return strings.Join(lines, "\n")
}

// trimmedFirst gives the first line the blanks that were trimmed off the front of the text: it begins with a wanted
// key and has its value, and the next one, with a wanted key too, stands further in.
func (r reader) trimmedFirst(lines []string) {
	first := slices.IndexFunc(lines, func(l string) bool { return strings.TrimSpace(l) != "" })
	if first < 0 || !r.opensKey(lines[first]) || indent(lines[first]) > 0 {
		return
	}
	_, value, _ := cutColon(lines[first])
	next := first + 1
	if strings.TrimSpace(value) != "" && next < len(lines) && indent(lines[next]) > 0 && r.opensKey(lines[next]) {
		lines[first] = lines[next][:indent(lines[next])] + lines[first]
	}
}

// aligned gives a line the place that it was meant to have, if it stands where nothing can stand: a list item further
// in than the item of plain words before it, or a line at a depth between that of a key and that of what stands below it.
func aligned(before []string, line string) string {
	words := strings.TrimSpace(line)
	if words == "" {
		return line
	}
	if depth, ok := depthBelow(before, line); ok {
		return depth + words
	}
	if !strings.HasPrefix(words, "- ") {
		return line
	}
	for _, last := range backwards(before) {
		words, item := strings.CutPrefix(strings.TrimSpace(last), "- ")
		if words == "" && !item {
			continue
		}
		_, _, pair := splitPair(words)
		if item && !pair && !strings.HasPrefix(words, "- ") && !blockHead.MatchString(words) && indent(line) > indent(last) {
			return last[:indent(last)] + strings.TrimSpace(line)
		}
		break
	}
	return line
}

// maxBelow bounds how many lines are looked back at for the key that a line belongs to.
const maxBelow = 100

// depthBelow gives the blanks before what stands first below the key that a line belongs to, if that is further in
// than the line, and the line further in than the key.
func depthBelow(before []string, line string) (string, bool) {
	depth := ""
	for _, last := range backwards(before[max(0, len(before)-maxBelow):]) {
		words := strings.TrimSpace(last)
		switch in := indent(last); {
		case words == "":
		case in > indent(line):
			depth = last[:in]
		default:
			return depth, depth != "" && in < indent(line) && strings.HasSuffix(words, ":") && !strings.HasPrefix(words, "- ")
		}
	}
	return "", false
}

// deeper reports whether the next line with something on it stands further in than line i.
func deeper(lines []string, i int) bool {
	for _, l := range lines[i+1:] {
		if strings.TrimSpace(l) != "" {
			return indent(l) > indent(lines[i])
		}
	}
	return false
}

// tabWidth gives the spaces that a tab stands for: as many as the least indented of the lines that are
// indented by spaces begins with, else two.
func tabWidth(lines []string) string {
	least := 8
	for _, l := range lines {
		if rest := strings.TrimLeft(l, " "); rest != "" && rest[0] != '\t' && len(rest) < len(l) {
			least = min(least, len(l)-len(rest))
		}
	}
	return strings.Repeat(" ", cmp.Or(least%8, 2))
}

// spaced gives line with spaces alone before its first character.
func spaced(line, tab string) string {
	lead := line[:indent(line)]
	var out strings.Builder
	for _, c := range lead {
		switch {
		case c == '\t', c == '\u3000':
			out.WriteString(tab)
		case !invisible(c):
			out.WriteByte(' ')
		}
	}
	return out.String() + line[len(lead):]
}

var (
	dashes    = pattern.New(`^(?: *- +)* *`)
	blockHead = pattern.New(`^[|>][+-]?[1-9]?[+-]?\s*(#.*)?$`)
	bullet    = pattern.New(`^(\s*)(?:(?:[*•·+–—]|\d{1,2}[.)]|\(\d{1,2}\)|[a-z][.)])\s+|(?:[・●○▪■◆‣→➤►▶▸➜－①-⑳]|\d{1,2}[、．）]|（\d{1,2}）)\s*)`)
	expr      = pattern.New(`\$\{\{[^{}]*\}\}`)
	comment   = pattern.New(`\s+# .*$`)
)

// bracesLost is how the lines of an object in JSON begin of which the braces are missing.
var bracesLost = pattern.New(`^\s*"\w+"\s*:[^\n]*,\s*\n\s*"\w+"\s*:`)

// lostComma is where an object in JSON has none between two of its pairs.
var lostComma = pattern.New(`(["\]}\d]|true|false|null)((?:[ \t]*\n\s*|[ \t]+)"\w+"\s*:)`)

// mender repairs one text line by line.
type mender struct {
	reader
	lines  []string
	out    []string
	trials int // bytes that may still be parsed on trial
	text   string
}

// mended repairs, besides the indentation, each line whose value YAML would not read as it was
// meant: full-width punctuation around keys, odd bullets, and values that need quotes.
func (r reader) mended(text string) string {
	text = r.indentation(text)
	if strings.HasPrefix(strings.TrimSpace(text), "{") || strings.HasPrefix(strings.TrimSpace(text), "｛") {
		return lostComma.ReplaceAllString(halfWidth(uncommented(text)), "$1,$2")
	}
	if bracesLost.MatchString(text) {
		return "{" + strings.TrimRight(text, ", \n") + "}"
	}
	m := &mender{reader: r, lines: strings.Split(text, "\n"), trials: 1 << 20, text: text}
	for i := 0; i < len(m.lines); {
		i += m.line(i)
	}
	return strings.Join(m.out, "\n")
}

// line writes the repaired form of what begins on line i and gives how many lines that was.
func (m *mender) line(i int) int {
	line := m.bulleted(i)
	lead := dashes.FindString(line)
	rest := line[len(lead):]
	if rest == "" || strings.HasPrefix(rest, "#") || strings.HasPrefix(rest, "---") {
		return m.keep(i, line, 1)
	}
	name, value, ok := m.pair(lead, rest)
	if !ok {
		if strings.Contains(lead, "-") {
			return m.value(i, lead, rest)
		}
		return m.keep(i, line, 1)
	}
	head := lead + name + ":"
	switch {
	case value == "":
		return m.keep(i, head, 1)
	case blockHead.MatchString(value):
		n := m.block(i)
		if outdented := m.outdented(i); n == 1 && outdented > 1 {
			m.out = append(m.out, head+" "+value)
			for _, l := range m.lines[i+1 : i+outdented] {
				m.out = append(m.out, strings.Repeat(" ", indent(line)+2)+l)
			}
			return outdented
		}
		if strings.TrimSpace(strings.Join(m.lines[i+1:i+n], "")) == "" {
			value = "''" // a block of nothing, which the parser refuses
		}
		return m.keep(i, head+" "+value, n)
	}
	if n := m.itemsBeside(i, head, value); n > 0 {
		return n
	}
	return m.value(i, head+" ", value)
}

// itemsBeside writes a list of words, of which the first item stands on the line of its key, in brackets, and gives
// how many lines it took; 0 if there is none.
func (m *mender) itemsBeside(i int, head, value string) int {
	var items []string
	for words, item := strings.CutPrefix(value, "- "); item; {
		words = strings.TrimSpace(words)
		if name, _, _ := splitPair(words); m.known[bareKey(name)] {
			return 0
		}
		items = append(items, quoted(literal(words)))
		below := i + len(items)
		if below == len(m.lines) || indent(m.lines[below]) <= indent(m.lines[i]) {
			break
		}
		words, item = strings.CutPrefix(strings.TrimSpace(m.lines[below]), "- ")
	}
	if len(items) < 2 {
		return 0 // "goal: - 5 degrees"
	}
	m.out = append(append(m.out, head+" ["+strings.Join(items, ", ")+"]"), make([]string, len(items)-1)...)
	return len(items)
}

// keep writes first in place of line i and the n-1 lines after it as they are.
func (m *mender) keep(i int, first string, n int) int {
	m.out = append(append(m.out, first), m.lines[i+1:i+n]...)
	return n
}

// bulleted gives line i with a dash in place of another list mark, where a list is begun or goes on.
func (m *mender) bulleted(i int) string {
	line := m.lines[i]
	b := bullet.FindStringSubmatch(line)
	if b == nil {
		return line
	}
	for _, before := range backwards(m.out) {
		t := strings.TrimSpace(before)
		if t == "" || indent(before) > len(b[1]) && !strings.HasSuffix(t, ":") { // of the item before
			continue
		}
		if strings.HasSuffix(t, ":") || strings.HasPrefix(t, "- ") {
			return b[1] + "-" + m.gap(i, len(b[1])) + line[len(b[0]):]
		}
		break
	}
	return line
}

// gap gives the blanks behind the dash of an item on line i that stands at column at: as many as bring its first key
// above the keys on the lines below it, which were written behind a mark that is wider than a dash.
func (m *mender) gap(i, at int) string {
	if i+1 < len(m.lines) {
		below := m.lines[i+1]
		if wide := indent(below) - at; wide > 2 && wide <= 5 && ownKey(below) {
			return strings.Repeat(" ", wide-1)
		}
	}
	return " "
}

func backwards(lines []string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i := len(lines) - 1; i >= 0; i-- {
			if !yield(i, lines[i]) {
				return
			}
		}
	}
}

// pair splits "key: value". A colon that is full-width or has no space after it counts only
// behind a key that can be meant: a known one, or an ASCII word that opens its line.
func (m *mender) pair(lead, rest string) (name, value string, ok bool) {
	raw, value, proper := splitPair(rest)
	if raw == "" {
		return "", "", false
	}
	bare := bareKey(raw)
	if strings.HasPrefix(raw, "**") {
		value = strings.TrimSpace(strings.TrimPrefix(value, "**"))
	}
	switch {
	case m.known[bare]:
		return bare, value, true
	case proper && (strings.HasPrefix(raw, `"`) || strings.HasPrefix(raw, `'`)):
		return raw, value, true
	case proper && ascii.MatchString(raw):
		return raw, value, true
	case !proper && ascii.MatchString(bare) && strings.Contains(rest, "：") && !strings.Contains(lead, "-"):
		return bare, value, true
	}
	return "", "", false
}

// splitPair cuts text at its first colon. proper says that YAML would cut it there too.
func splitPair(text string) (name, value string, proper bool) {
	name, value, ok := cutColon(text)
	if !ok {
		return "", "", false
	}
	after := text[len(name):]
	proper = strings.HasPrefix(after, ":") && (after == ":" || after[1] == ' ' || after[1] == '\t')
	return strings.TrimSpace(name), strings.TrimSpace(value), proper
}

// cutColon cuts text at its first colon of either width, beyond a quoted key.
func cutColon(text string) (name, value string, ok bool) {
	from := 0
	if text != "" && (text[0] == '"' || text[0] == '\'') {
		end := strings.IndexByte(text[1:], text[0])
		if end < 0 {
			return "", "", false
		}
		from = end + 2
	}
	at := strings.IndexAny(text[from:], ":：﹕∶")
	if at < 0 {
		return "", "", false
	}
	at += from
	_, size := runeAt(text, at)
	return text[:at], text[at+size:], true
}

// outdented gives how many lines the block scalar that begins on line i takes if its words, which have no
// key, stand as far out as its own key; 1 if they do not.
func (m *mender) outdented(i int) int {
	n := 1
	for i+n < len(m.lines) && indent(m.lines[i+n]) == indent(m.lines[i]) && !m.belongs(m.lines[i+n]) {
		n++
	}
	return n
}
