package pdf

import (
	"bytes"
	"strconv"
)

// The values of a PDF: nil, bool, float64, name, []byte (a string), array, dict, ref, *stream, and, in
// contents, operator.
type (
	name     string
	operator string
	array    []any
	dict     map[name]any
	ref      int // number of an object
)

// stream is a dictionary with bytes behind it.
type stream struct {
	dict
	raw []byte
}

// lexer reads values one after another. It never fails: it skips what it does not know.
type lexer struct {
	data  []byte
	at    int
	depth int
	refs  bool // "1 0 R" is a reference
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' || c == 0 }

func isDelim(c byte) bool { return bytes.IndexByte([]byte("()<>[]{}/%"), c) >= 0 }

// skip passes over blanks and comments.
func (l *lexer) skip() {
	for l.at < len(l.data) {
		switch c := l.data[l.at]; {
		case isSpace(c):
			l.at++
		case c == '%':
			end := bytes.IndexAny(l.data[l.at:], "\r\n")
			if end < 0 {
				l.at = len(l.data)
				return
			}
			l.at += end
		default:
			return
		}
	}
}

// next returns the next value; false at the end.
func (l *lexer) next() (any, bool) {
	l.skip()
	if l.at >= len(l.data) {
		return nil, false
	}
	c := l.data[l.at]
	switch {
	case c == '/':
		l.at++
		return l.name(), true
	case c == '(':
		return l.literal(), true
	case c == '<' && l.at+1 < len(l.data) && l.data[l.at+1] == '<':
		l.at += 2
		return l.dict(), true
	case c == '<':
		return l.hex(), true
	case c == '[':
		l.at++
		return l.array("]"), true
	case isDelim(c):
		l.at++
		if c == '>' && l.at < len(l.data) && l.data[l.at] == '>' {
			l.at++
			return operator(">>"), true
		}
		return operator(c), true
	}
	return l.word(), true
}

func (l *lexer) token() []byte {
	from := l.at
	for l.at < len(l.data) && !isSpace(l.data[l.at]) && !isDelim(l.data[l.at]) {
		l.at++
	}
	return l.data[from:l.at]
}

// word reads a number, a reference, a constant or an operator.
func (l *lexer) word() any {
	w := string(l.token())
	if n, err := strconv.ParseFloat(w, 64); err == nil && n == n {
		if l.refs && n >= 0 && n < 1e9 && n == float64(int(n)) {
			if l.isRef() {
				return ref(n)
			}
		}
		return n
	}
	switch w {
	case "true", "false":
		return w == "true"
	case "null":
		return nil
	}
	return operator(w)
}

// isRef reads the rest of a reference, if it is one.
func (l *lexer) isRef() bool {
	back := l.at
	l.skip()
	gen := l.token()
	if _, err := strconv.Atoi(string(gen)); err == nil {
		l.skip()
		if string(l.token()) == "R" {
			return true
		}
	}
	l.at = back
	return false
}

func (l *lexer) name() name {
	raw := l.token()
	if bytes.IndexByte(raw, '#') < 0 {
		return name(raw)
	}
	var out []byte
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) {
			if n, err := strconv.ParseUint(string(raw[i+1:i+3]), 16, 8); err == nil {
				out = append(out, byte(n))
				i += 2
				continue
			}
		}
		out = append(out, raw[i])
	}
	return name(out)
}

func (l *lexer) array(end operator) array {
	var out array
	if l.depth++; l.depth > maxDepth {
		l.at = len(l.data)
	}
	defer func() { l.depth-- }()
	for {
		v, ok := l.next()
		if !ok || v == end {
			return out
		}
		out = append(out, v)
	}
}

func (l *lexer) dict() dict {
	out := dict{}
	all := l.array(">>")
	for i := 0; i+1 < len(all); i += 2 {
		key, ok := all[i].(name)
		if !ok {
			i-- // a broken entry: go on at the next name
			continue
		}
		out[key] = all[i+1]
	}
	return out
}

func (l *lexer) hex() []byte {
	l.at++
	end := bytes.IndexByte(l.data[l.at:], '>')
	if end < 0 {
		end = len(l.data) - l.at
	}
	out := unhex(l.data[l.at : l.at+end])
	l.at = min(l.at+end+1, len(l.data))
	return out
}

// unhex reads hexadecimal digits. Other bytes are skipped; a missing last digit is 0.
func unhex(text []byte) []byte {
	out, half, odd := make([]byte, 0, len(text)/2), byte(0), false
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			continue
		}
		if odd {
			out = append(out, half<<4|c)
		}
		half, odd = c, !odd
	}
	if odd {
		out = append(out, half<<4)
	}
	return out
}

var shortEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', 'b': '\b', 'f': '\f'}

// literal reads a string in brackets, which may hold brackets in pairs.
func (l *lexer) literal() []byte {
	var out []byte
	depth := 0
	for l.at < len(l.data) {
		c := l.data[l.at]
		l.at++
		switch c {
		case '(':
			if depth++; depth == 1 {
				continue
			}
		case ')':
			if depth--; depth == 0 {
				return out
			}
		case '\\':
			out = l.escape(out)
			continue
		}
		out = append(out, c)
	}
	return out
}

func (l *lexer) escape(out []byte) []byte {
	if l.at >= len(l.data) {
		return out
	}
	c := l.data[l.at]
	l.at++
	switch {
	case shortEscapes[c] != 0:
		return append(out, shortEscapes[c])
	case c == '\r' || c == '\n': // the line goes on
		if c == '\r' && l.at < len(l.data) && l.data[l.at] == '\n' {
			l.at++
		}
		return out
	case c >= '0' && c <= '7':
		n := int(c - '0')
		for i := 0; i < 2 && l.at < len(l.data) && l.data[l.at] >= '0' && l.data[l.at] <= '7'; i++ {
			n = n*8 + int(l.data[l.at]-'0')
			l.at++
		}
		return append(out, byte(n))
	}
	return append(out, c)
}
