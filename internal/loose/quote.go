package loose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

func runeAt(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// value writes head and the value that begins on line i, quoted if YAML would not read it, and
// gives how many lines it takes.
func (m *mender) value(i int, head, value string) int {
	if wholeAndComma.MatchString(value) || strings.HasSuffix(value, ",") && m.keyBelow(i) { // as in JSON
		value = strings.TrimSuffix(value, ",")
	}
	if plain, ok := unwrapCurly(value); ok {
		return m.keep(i, head+quoted(plain), 1)
	}
	if value[0] == '[' || value[0] == '{' || strings.HasPrefix(value, "［") || strings.HasPrefix(value, "｛") {
		return m.flow(i, head, value)
	}
	if m.reads(value) {
		return m.keep(i, head+value, 1)
	}
	if plain := plainBackslashes(value); plain != value && m.reads(plain) {
		return m.keep(i, head+plain, 1)
	}
	if value[0] == '"' || value[0] == '\'' {
		if n := m.extent(i, value); n > 0 {
			return m.keep(i, head+value, n)
		}
	}
	return m.keep(i, head+quoted(literal(value)), 1)
}

// keyBelow reports whether the next line begins with a wanted key of the document.
func (m *mender) keyBelow(i int) bool { return i+1 < len(m.lines) && m.opensKey(m.lines[i+1]) }

// wholeAndComma is a value that has an end of its own, and the comma that would stand behind it in JSON.
var wholeAndComma = pattern.New(`^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\[\]]*\]|\{[^{}]*\}|-?\d+(?:\.\d+)?|true|false|null),$`)

// flow tries a bracketed value as it stands, with its expressions quoted, and with its full-width
// punctuation made plain, before it takes it for text.
func (m *mender) flow(i int, head, value string) int {
	plain := expr.ReplaceAllStringFunc(halfWidth(value), func(e string) string { return `"` + strings.ReplaceAll(e, `"`, `\"`) + `"` })
	forms := []string{value, quoteExprs(value), halfWidth(value), plain, plainBackslashes(value)}
	if wideColon(m.lines[i]) || strings.ContainsAny(value, "“”") && !strings.Contains(value, `"`) {
		forms = []string{halfWidth(value), plain, value}
	}
	for _, form := range forms {
		if m.reads(form) {
			return m.keep(i, head+form, 1)
		}
	}
	if n := m.extent(i, value); n > 0 {
		return m.keep(i, head+value, n)
	}
	if form := m.itemised(value); form != "" && m.reads(form) {
		return m.keep(i, head+form, 1)
	}
	if m.brackets.line == 0 && value[0] != 0xEF {
		*m.brackets = bracketed{line: i + 1, open: !strings.ContainsAny(value, "]}")}
	}
	return m.keep(i, head+quoted(literal(value)), 1)
}

// wideColon reports whether the key of a line has a full-width colon: its commas will be of that width too.
func wideColon(line string) bool {
	at := strings.IndexAny(line, ":：")
	return at >= 0 && strings.HasPrefix(line[at:], "：")
}

// itemised gives a list in brackets with quotes around each item that YAML would not read, or not to its
// end: [use C#, tag #1, @bob]. It is "" for any other value.
func (m *mender) itemised(value string) string {
	inner, ok := strings.CutPrefix(value, "[")
	inner, closed := strings.CutSuffix(inner, "]")
	if !ok || !closed || strings.ContainsAny(inner, `[]{}"`) || !strings.Contains(inner, ",") {
		return ""
	}
	items := strings.Split(inner, ",")
	for i, it := range items {
		if it = strings.TrimSpace(it); it != "" && (strings.Contains(it, " #") || it[0] == '#' || !m.reads("["+it+"]")) {
			items[i] = " " + quoted(it)
		}
	}
	return "[" + strings.TrimSpace(strings.Join(items, ",")) + "]"
}

// plainBackslashes doubles each backslash of a value that escapes nothing, as in paths and patterns between
// double quotes.
func plainBackslashes(value string) string {
	return escaped.ReplaceAllStringFunc(value, func(e string) string {
		if e[1] == '"' || e[1] == '\\' {
			return e
		}
		return `\` + e
	})
}

var escaped = pattern.New(`(?s)\\.`)

// falseEscape is a text between double quotes up to a backslash that escapes nothing. Behind a drive's letter, an
// escape of one letter with more of a word behind it is the beginning of a path: C:\new. Scalar writes no such text.
var falseEscape = pattern.New(`^"[c-eC-E]:\\[abtnvfreNLP][\pL\pN._\-]|^"(?:[^"\\]|\\(?:[0abtnvfre "/\\N_LP\t]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*\\(?:[^0abtnvfre "/\\N_LPxuU\t]|x.?(?:[^0-9a-fA-F]|$)|u.{0,3}(?:[^0-9a-fA-F]|$)|U.{0,7}(?:[^0-9a-fA-F]|$))`)

// quoteExprs puts quotes around each ${{ }} that stands bare in a bracketed value.
func quoteExprs(value string) string {
	return expr.ReplaceAllStringFunc(value, func(e string) string { return "'" + strings.ReplaceAll(e, "'", "''") + "'" })
}

// reads reports whether YAML takes value as one whole value on its line.
func (m *mender) reads(value string) bool {
	if m.trials -= len(value); m.trials < 0 {
		return true // out of patience: leave it to the strict parse
	}
	if tag, _, _ := strings.Cut(value, " "); strings.HasPrefix(value, "!") && !coreTag.MatchString(tag) {
		return false
	}
	if strings.HasPrefix(value, "? ") {
		return false // a question that somebody asks, not a key
	}
	value = alias.ReplaceAllStringFunc(value, func(a string) string {
		if strings.Contains(m.text, "&"+a[1:]) {
			return "x" + a[1:] // its anchor stands elsewhere
		}
		return a
	})
	n, f := parse("x: " + value)
	return f == nil && n.kind == mapping && len(n.keys) == 1 && n.keys[0].name == "x"
}

var alias = pattern.New(`\*[\w-]+`)

// extent gives how many lines a value that is open at the end of line i takes until it reads; 0 if
// it never does before the lines stand further out again.
func (m *mender) extent(i int, value string) int {
	outer := indent(m.lines[i])
	text := value
	for n := 1; n < 200 && i+n < len(m.lines); n++ {
		line := m.lines[i+n]
		closing := strings.Trim(line, " ]},") == ""
		if strings.TrimSpace(line) != "" && indent(line) <= outer && !closing {
			return 0
		}
		text += "\n  " + strings.TrimSpace(line)
		if m.reads(text) {
			return n + 1
		}
	}
	return 0
}

// block gives how many lines the block scalar that begins on line i takes, its head included.
func (m *mender) block(i int) int {
	outer, inner := indent(m.lines[i]), 0
	n := 1
	for ; i+n < len(m.lines); n++ {
		line := m.lines[i+n]
		if strings.TrimSpace(line) == "" {
			continue
		}
		if inner == 0 {
			inner = max(indent(line), outer+1)
		}
		if indent(line) < inner {
			break
		}
	}
	return n
}

// literal gives the text that a value YAML cannot read stands for: without a comment at its end,
// and without its outer quotes if they enclose the whole.
func literal(value string) string {
	value = comment.ReplaceAllString(value, "")
	if q := value[0]; (q == '"' || q == '\'') && enclosed(value, q) {
		return value[1 : len(value)-1]
	}
	return value
}

// enclosed reports whether the quote that value begins with is closed by its last character.
// A quote between letters is an apostrophe; one after a space opens another pair within.
func enclosed(value string, q byte) bool {
	depth := 1
	for i := 1; i < len(value); i++ {
		if value[i] != q {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(value[:i])
		after, size := runeAt(value, i+1)
		switch {
		case wordRune(before) && wordRune(after) && size > 0:
		case unicode.IsSpace(before) && size > 0 && !unicode.IsSpace(after):
			depth++
		default:
			if depth--; depth == 0 {
				return i == len(value)-1
			}
		}
	}
	return false
}

func wordRune(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// quoted writes text as a YAML scalar that reads back as text.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

// unwrapCurly takes off typographic quotes that enclose the whole value.
func unwrapCurly(value string) (string, bool) {
	for _, pair := range [][2]string{{"“", "”"}, {"‘", "’"}, {"「", "」"}, {"＂", "＂"}, {"”", "”"}, {"“", "“"}} {
		in, ok := strings.CutPrefix(value, pair[0])
		if !ok {
			continue
		}
		in, ok = strings.CutSuffix(in, pair[1])
		if ok && !strings.Contains(in, pair[0]) && !strings.Contains(in, pair[1]) {
			return in, true
		}
	}
	return value, false
}

var narrow = map[rune]string{'：': ": ", '，': ", ", '［': "[", '］': "]", '｛': "{", '｝': "}", '“': `"`, '”': `"`, '＂': `"`, '、': ", "}

// halfWidth replaces full-width punctuation outside of quotes, and typographic quotes, by what
// YAML reads.
func halfWidth(text string) string {
	var out strings.Builder
	var quote rune
	for _, c := range text {
		plain, wide := narrow[c]
		isQuote := plain == `"` || c == '"'
		switch {
		case quote == 0 && isQuote:
			quote = c
			out.WriteByte('"')
		case quote != 0 && isQuote && (c == '"') == (quote == '"'):
			quote = 0
			out.WriteByte('"')
		case quote == 0 && wide:
			out.WriteString(plain)
		default:
			out.WriteRune(c)
		}
	}
	return out.String()
}

// uncommented gives an object as YAML has it that was written as JavaScript or Python would: without
// comments behind // and between /* and */, a quote within single quotes doubled.
func uncommented(text string) string {
	return outsideYAML.ReplaceAllStringFunc(text, func(s string) string {
		switch s[0] {
		case '"':
			return s
		case '\'':
			return strings.ReplaceAll(s, `\'`, "''")
		}
		return strings.Repeat(",", strings.Count(s[:1], ",")) + " " + blank(s)
	})
}

var outsideYAML = pattern.New(`(?s)"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?:^|[\s,])//[^\n]*|/\*.*?\*/`)
