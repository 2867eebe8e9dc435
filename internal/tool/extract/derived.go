package extract

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// Columns that are worked out from a row: what stands behind a word of its text ("after(worker)" is
// 3 in "worker-3 stopped"), what opens its message before a colon, and one column reckoned with
// another ("amount*qty").
const (
	afterColumn = "after("
	leadColumn  = "lead"

	openerColumn = "opener(" // the first word of the message if it ends with a noun: opener(服务) is 订单服务
	address      = "ip"      // the first IPv4 address in the line
	weekday      = "weekday" // Monday to Sunday, of a row whose time has its date and year
)

var addressIn = pattern.New(`(?:^|[^\w.])(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})(?:$|[^\w.])`)

// derived gives the value of a worked-out column, and whether the row has one.
func derived(r *rows.Row, name string) (string, bool) {
	if word, ok := strings.CutPrefix(name, afterColumn); ok {
		v := afterWord(r.Text, strings.TrimSuffix(word, ")"))
		return v, v != ""
	}
	if name == leadColumn {
		return lead(r)
	}
	if kind, ok := strings.CutPrefix(name, openerColumn); ok {
		v := opener(r, strings.TrimSuffix(kind, ")"))
		return v, v != ""
	}
	if name == address {
		m := addressIn.FindStringSubmatch(r.Text)
		if m == nil {
			return "", false
		}
		return m[1], true
	}
	if unit, of, ok := bucketed(name); ok {
		v, _ := r.Field(of)
		t, ok := rows.ParseTime(v)
		return t.Bucket(unit), ok
	}
	if name == weekday {
		return r.Time.At.Weekday().String(), r.HasTime && r.Time.Date && r.Time.Year
	}
	if a, b, op, ok := operands(name, func(n string) bool { _, has := r.Field(n); return has }); ok {
		x, _ := r.Field(a)
		if y, has := r.Field(b); has {
			return reckon(x, y, op)
		}
		y, has := derived(r, b) // a sum of more than two
		if !has {
			return "", false
		}
		return reckon(x, y, op)
	}
	return "", false
}

// bucketed reads "month(shipped)": the month of another column than that of the row's time.
func bucketed(name string) (unit rows.Unit, of string, ok bool) {
	head, of, ok := strings.Cut(strings.TrimSuffix(name, ")"), "(")
	switch unit = rows.Unit(head); unit {
	case rows.Minute, rows.Hour, rows.Day, rows.Month, rows.Year:
		return unit, of, ok
	}
	return "", "", false
}

// lead gives what stands before the colon that opens a message.
func lead(r *rows.Row) (string, bool) {
	msg, _ := r.Field(rows.MessageField)
	at := strings.IndexAny(msg, ":：")
	if at < 1 || at > 40 || strings.ContainsAny(msg[:at], " =()\"'/") {
		return "", false
	}
	return msg[:at], true
}

// opener gives the word that opens a message if it is the name of a thing of a kind: payment-service, 订单服务.
func opener(r *rows.Row, kind string) string {
	msg, _ := r.Field(rows.MessageField)
	first, _, more := strings.Cut(msg, " ")
	first = strings.Trim(first, "[]【】:：")
	if !more || len(first) <= len(kind) || !strings.HasSuffix(strings.ToLower(first), kind) {
		return ""
	}
	return first
}

// operands splits "a*b" at the operator that has a known name on either side; behind a plus may stand a further sum.
func operands(name string, known func(string) bool) (a, b string, op byte, ok bool) {
	for i := 1; i < len(name)-1; i++ {
		if strings.IndexByte("*/+-", name[i]) < 0 || !known(name[:i]) {
			continue
		}
		if known(name[i+1:]) || name[i] == '+' && isSum(name[i+1:], known) {
			return name[:i], name[i+1:], name[i], true
		}
	}
	return "", "", 0, false
}

// isSum tells "a+b+c" of known names.
func isSum(name string, known func(string) bool) bool {
	_, _, op, ok := operands(name, known)
	return ok && op == '+'
}

// quotientDecimals is how many decimals of a quotient are kept.
const quotientDecimals = 6

// reckon gives x op y with as many decimals as are exact; of a quotient, six.
func reckon(x, y string, op byte) (string, bool) {
	a, ok1 := rows.Number(x)
	b, ok2 := rows.Number(y)
	switch {
	case !ok1 || !ok2:
		return apart(x, y, op)
	case op == '/' && b == 0:
		return "", false
	}
	dx, dy := rows.Decimals(x), rows.Decimals(y)
	switch op {
	case '*':
		return rounded(a*b, dx+dy), true
	case '/':
		return rounded(a/b, quotientDecimals), true
	case '+':
		return rounded(a+b, max(dx, dy)), true
	}
	return rounded(a-b, max(dx, dy)), true
}

// apart gives by how much a time is after another: in days where one of them is a date, else in minutes.
func apart(x, y string, op byte) (string, bool) {
	a, ok1 := rows.ParseTime(x)
	b, ok2 := rows.ParseTime(y)
	switch {
	case op != '-' || !ok1 || !ok2 || a.Date != b.Date || a.Zone != b.Zone:
		return "", false
	case a.Precision == rows.ToDay || b.Precision == rows.ToDay:
		const day = 24 * time.Hour
		return rounded(float64(a.At.Truncate(day).Sub(b.At.Truncate(day))/day), 0), true
	}
	return rounded(a.At.Sub(b.At).Minutes(), 2), true
}

// afterWord gives the name that stands behind a word of a text: worker-3, job=12, device 7, 设备:3.
// Of several places one with a mark between counts before one with a space.
func afterWord(text, word string) string {
	lower, spaced := strings.ToLower(text), ""
	for at := 0; word != "" && len(lower) == len(text); {
		i := strings.Index(lower[at:], word)
		if i < 0 {
			break
		}
		from := at + i
		at = from + len(word)
		if from > 0 && goesOn(text[:from], word) {
			continue
		}
		name, marked := nameAt(text[at:])
		if marked && name != "" {
			return name
		}
		if spaced == "" && !isVerb(name) {
			spaced = name
		}
	}
	return spaced
}

// goesOn tells that a word goes on to the left, so that it is another.
func goesOn(before, word string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(word)
	return !unicode.Is(unicode.Han, first) && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

// nameAt reads the name that a text begins with, behind a mark or a space.
func nameAt(s string) (name string, marked bool) {
	rest := strings.TrimLeft(s, " ")
	if cut := strings.TrimLeft(rest, "-_=:#：＝[(\""); len(cut) < len(rest) {
		rest, marked = strings.TrimLeft(cut, " \"'["), true
	}
	if len(rest) == len(s) {
		return digits(s), true
	}
	end := strings.IndexFunc(rest, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.@", r)
	})
	if end < 0 {
		end = len(rest)
	}
	return strings.TrimRight(rest[:end], ".-"), marked
}

// digits gives the digits that a text begins with: of worker3 and 设备3.
func digits(s string) string { return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))] }

// isVerb tells a word that says what became of a thing, and is no name of it.
func isVerb(s string) bool {
	s = strings.ToLower(s)
	switch s {
	case "is", "was", "has", "had", "are", "were", "not", "to", "for", "from", "in", "on", "at", "of", "and", "with", "by", "will", "did", "does", "the", "a", "an", "up", "down", "out":
		return true
	}
	return strings.HasSuffix(s, "ed") || strings.HasSuffix(s, "ing")
}
