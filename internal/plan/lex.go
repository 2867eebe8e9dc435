package plan

import (
	"fmt"
	"strconv"
	"strings"
)

type tokKind int

const (
	opTok tokKind = iota
	valTok
	refTok
)

type tok struct {
	kind tokKind
	text string
	val  any
	ref  ref
}

// lex cuts text into tokens. ${{ and }} group like parentheses.
func lex(text string) ([]tok, error) {
	var out []tok
	for {
		text = strings.TrimLeft(text, " \t\r\n")
		if text == "" {
			return out, nil
		}
		t, n, err := next(text)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
		text = text[n:]
	}
}

var operators = []struct{ in, op string }{
	{"${{", "("},
	{"}}", ")"},
	{"==", "=="},
	{"!=", "!="},
	{"<=", "<="},
	{">=", ">="},
	{"<", "<"},
	{">", ">"},
	{"(", "("},
	{")", ")"},
	{"[", "["},
	{"]", "]"},
	{",", ","},
}

var foreign = map[string]string{"&&": "and", "||": "or", "=": "==", "!": "not"}

func next(text string) (tok, int, error) {
	for _, o := range operators {
		if strings.HasPrefix(text, o.in) {
			return tok{text: o.op}, len(o.in), nil
		}
	}
	for f, ours := range foreign {
		if strings.HasPrefix(text, f) {
			return tok{}, 0, fmt.Errorf("write %q in place of %q", ours, f)
		}
	}
	switch c := text[0]; {
	case c == '"' || c == '\'':
		return lexText(text)
	case c == '-' || c >= '0' && c <= '9':
		return lexNumber(text)
	}
	return lexWord(text)
}

func lexText(text string) (tok, int, error) {
	var out strings.Builder
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == text[0]:
			return tok{kind: valTok, text: text[:i+1], val: out.String()}, i + 1, nil
		case text[i] == '\\' && i+1 < len(text) && (text[i+1] == text[0] || text[i+1] == '\\'):
			i++
			out.WriteByte(text[i])
		default:
			out.WriteByte(text[i])
		}
	}
	return tok{}, 0, fmt.Errorf("%s is never closed", text)
}

func lexNumber(text string) (tok, int, error) {
	n := 1
	for n < len(text) && (text[n] >= '0' && text[n] <= '9' || text[n] == '.') {
		n++
	}
	f, err := strconv.ParseFloat(text[:n], 64)
	if err != nil {
		return tok{}, 0, fmt.Errorf("%q is no number", text[:n])
	}
	return tok{kind: valTok, text: text[:n], val: f}, n, nil
}

func lexWord(text string) (tok, int, error) {
	n := word(text)
	switch w := text[:n]; w {
	case "":
		return tok{}, 0, fmt.Errorf("%q is not understood", text)
	case "and", "or", "not", "in", "empty":
		return tok{text: w}, n, nil
	case "true", "false":
		return tok{kind: valTok, text: w, val: w == "true"}, n, nil
	case "null":
		return tok{kind: valTok, text: w}, n, nil
	}
	r, n, err := scanRef(text)
	if err != nil {
		return tok{}, 0, fmt.Errorf("%w (text needs quotes)", err)
	}
	return tok{kind: refTok, text: r.src, ref: r}, n, nil
}
