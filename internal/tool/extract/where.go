package extract

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// condition is one "column op value" of a filter.
type condition struct {
	column string
	op     string
	value  string
	list   []string // op in
	number float64
	isNum  bool
	time   rows.Time
	isTime bool
	re     *search
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

type token struct {
	text   string
	quoted bool
}

func (t token) is(word string) bool { return !t.quoted && strings.EqualFold(t.text, word) }

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

func operatorAt(s string) string {
	for _, op := range operators {
		if strings.HasPrefix(s, op) {
			return op
		}
	}
	return ""
}

// quoted takes the quoted text at i; a backslash keeps a following quote or backslash.
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

// holds tells whether a row meets the condition; a column the row lacks counts as empty.
func (c *condition) holds(r *rows.Row) bool {
	if c.column == anyColumn {
		return c.holdsAny(r)
	}
	v, _ := column(r, c.column)
	return c.accepts(v, c.column == rows.LevelField)
}

// holdsAny looks at the row's line and at each value; a negated operator wants none of them to fit.
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

// equal compares numbers by value, levels by any spelling, text without regard to case.
func (c *condition) equal(v, want string, level bool) bool {
	if level && rows.SameLevel(v, want) || strings.EqualFold(v, want) {
		return true
	}
	a, ok := rows.Number(v)
	b, ok2 := rows.Number(want)
	return ok && ok2 && a == b
}

// compare orders a value against the condition's: levels by severity, numbers, times, else text.
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
