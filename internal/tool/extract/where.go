package extract

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// condition is one "column op value" of a filter. The value is read as a number, a time and an expression once.
type condition struct {
	column string
	op     string
	value  string
	list   []string // the values of op in
	number float64
	isNum  bool
	time   rows.Time
	isTime bool
	re     *search // of the ops ~ and !~
}

var operators = []string{"!=", "!~", "<=", ">=", "==", "=", "~", "<", ">"}

// parseWhere reads conditions joined by "and".
func parseWhere(s string) ([]condition, error) {
	toks, err := tokens(s)
	if err != nil {
		return nil, err
	}
	var out []condition
	for len(toks) > 0 {
		c, rest, err := oneCondition(toks)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
		if len(rest) == 0 {
			break
		}
		if !rest[0].is("and") && !rest[0].is("&&") {
			return nil, bad("where: expected and, got %q", rest[0].text).WithHint(whereHint)
		}
		if toks = rest[1:]; len(toks) == 0 {
			return nil, bad("where ends after and").WithHint(whereHint)
		}
	}
	return out, nil
}

const whereHint = `Write: column op value [and ...]; op is = != < <= > >= ~ !~ contains in (a, b); quote values with spaces: message contains "time out". "or" is not known: use in (...) or ~ "a|b".`

// token is a word, an operator, a parenthesis or a comma of a filter. A quoted token is always a value.
type token struct {
	text   string
	quoted bool
}

func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

// tokens splits a filter into its tokens. The only error is a quote that is not closed.
func tokens(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == ' ' || c == '\t' || c == '\n':
			i++
		case c == '"' || c == '\'':
			text, next, ok := quoted(s, i)
			if !ok {
				return nil, bad("where: the quote at %q is not closed", s[i:]).WithHint(whereHint)
			}
			out, i = append(out, token{text, true}), next
		case strings.IndexByte("(),", c) >= 0:
			out, i = append(out, token{string(c), false}), i+1
		case operatorAt(s[i:]) != "":
			op := operatorAt(s[i:])
			out, i = append(out, token{op, false}), i+len(op)
		default:
			j := i
			for j < len(s) && strings.IndexByte(" \t\n(),\"", s[j]) < 0 && operatorAt(s[j:]) == "" {
				j++
			}
			out, i = append(out, token{s[i:j], false}), j
		}
	}
	return out, nil
}

// operatorAt gives the operator that s begins with, "" if there is none.
func operatorAt(s string) string {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// quoted reads the quoted text that begins at i and gives where it ends. A backslash before the quote character or a
// backslash makes it part of the text. ok is false if the quote is not closed.
func quoted(s string, i int) (text string, next int, ok bool) {
	q := s[i]
	var b strings.Builder
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\' && j+1 < len(s) && (s[j+1] == q || s[j+1] == '\\'):
			j++
			b.WriteByte(s[j])
		case s[j] == q:
			return b.String(), j + 1, true
		default:
			b.WriteByte(s[j])
		}
	}
	return "", i, false
}

// oneCondition reads the condition that the tokens begin with, and gives the tokens after it.
func oneCondition(toks []token) (condition, []token, error) {
	if len(toks) < 3 {
		return condition{}, nil, bad("where: %q is not a condition", joined(toks)).WithHint(whereHint)
	}
	c := condition{column: toks[0].text}
	op := strings.ToLower(toks[1].text)
	rest := toks[2:]
	switch {
	case op == "not" && rest[0].is("contains") && len(rest) > 1:
		c.op, rest = "not contains", rest[1:]
	case op == "in" && rest[0].is("("):
		return inCondition(c, rest[1:])
	case op == "contains" || operatorAt(op) == op && op != "":
		c.op = strings.Replace(op, "==", "=", 1)
	default:
		return c, nil, bad("where: %q is no operator", toks[1].text).WithHint(whereHint)
	}
	c.value = rest[0].text
	if err := c.prepare(); err != nil {
		return c, nil, err
	}
	return c, rest[1:], nil
}

func joined(toks []token) string {
	var parts []string
	for _, t := range toks {
		parts = append(parts, t.text)
	}
	return strings.Join(parts, " ")
}

// inCondition reads the list of values behind "in (".
func inCondition(c condition, toks []token) (condition, []token, error) {
	c.op = "in"
	for i, t := range toks {
		if t.is(")") {
			return c, toks[i+1:], nil
		}
		if !t.is(",") {
			c.list = append(c.list, t.text)
		}
	}
	return c, nil, bad("where: the list after in is not closed").WithHint(whereHint)
}

// prepare reads the value as a number, a time, or an expression. A bare number, such as 2026, is no time.
func (c *condition) prepare() error {
	c.number, c.isNum = rows.Number(c.value)
	if t, ok := rows.ParseTime(c.value); ok && (!c.isNum || strings.ContainsAny(c.value, ":-/")) {
		c.time, c.isTime = t, true
	}
	if c.op == "~" || c.op == "!~" {
		re, err := newSearch(c.value)
		if err != nil {
			return bad("where: %q is not RE2: %v", c.value, err)
		}
		c.re = re
	}
	return nil
}

// holds reports whether a row meets the condition. A column that the row lacks counts as empty.
func (c *condition) holds(r *rows.Row) bool {
	if c.column == anyColumn {
		return c.holdsAny(r)
	}
	v, _ := column(r, c.column)
	return c.accepts(v, c.column == rows.LevelField)
}

// holdsAny is holds for any column: one of the row's values, or for a search in text also the whole line, must meet
// the condition. With a negated operator, all of them must.
func (c *condition) holdsAny(r *rows.Row) bool {
	neg := c.op == "!=" || c.op == "!~" || c.op == "not contains"
	textual := c.op == "contains" || c.op == "~" || neg && c.op != "!="
	if textual && (c.accepts(r.Text, false) != neg || r.More != "" && c.accepts(r.More, false) != neg) {
		return !neg
	}
	for i := range r.Fields {
		if c.accepts(r.Fields[i].Value, false) != neg {
			return !neg
		}
	}
	return neg
}

// accepts reports whether a value meets the condition. level says that it is a log level, which is compared by
// severity.
func (c *condition) accepts(v string, level bool) bool {
	switch c.op {
	case "=":
		return c.equal(v, c.value, level)
	case "!=":
		return !c.equal(v, c.value, level)
	case "contains":
		return containsFold(v, c.value)
	case "not contains":
		return !containsFold(v, c.value)
	case "~":
		return c.re.matches(v)
	case "!~":
		return !c.re.matches(v)
	case "in":
		return slices.ContainsFunc(c.list, func(w string) bool { return c.equal(v, w, level) })
	}
	sign, ok := c.compare(v, level)
	return ok && (sign < 0 && c.op[0] == '<' || sign > 0 && c.op[0] == '>' || sign == 0 && strings.HasSuffix(c.op, "="))
}

// equal reports whether two values are the same: numbers by value, levels in any spelling, text in any case.
func (c *condition) equal(v, want string, level bool) bool {
	if level && rows.SameLevel(v, want) || strings.EqualFold(v, want) {
		return true
	}
	a, ok := rows.Number(v)
	b, ok2 := rows.Number(want)
	return ok && ok2 && a == b
}

// compare compares a value with the condition's: levels by severity, numbers and times by value, all else as text. ok
// is false if the value cannot be compared with it.
func (c *condition) compare(v string, level bool) (int, bool) {
	if v == "" {
		return 0, false
	}
	if level {
		a, b := rows.Severity(v), rows.Severity(c.value)
		return a - b, a > 0 && b > 0
	}
	if c.isNum {
		n, ok := rows.Number(v)
		return sign(n - c.number), ok
	}
	if c.isTime {
		t, ok := rows.ParseTime(v)
		return t.Compare(c.time), ok
	}
	return strings.Compare(strings.ToLower(v), strings.ToLower(c.value)), true
}

func sign(f float64) int {
	switch {
	case f < 0:
		return -1
	case f > 0:
		return 1
	}
	return 0
}

// containsFold finds sub in s without regard to case.
func containsFold(s, sub string) bool {
	if len(sub) > len(s) {
		return false
	}
	return strings.Contains(s, sub) || strings.Contains(strings.ToLower(s), strings.ToLower(sub))
}
