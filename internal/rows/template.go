package rows

import (
	"strings"
)

// Template gives what a message has in common with its like: quoted text becomes <s>, addresses
// <ip>, identifiers with digits and hex letters <id>, numbers <n>. Two messages with the same
// template differ only there.
func Template(msg string) string {
	var b strings.Builder
	for i := 0; i < len(msg); {
		switch c := msg[i]; {
		case c == '"' || c == '\'' && (i == 0 || !isLetter(msg[i-1])):
			end := strings.IndexByte(msg[i+1:], c)
			if end < 0 {
				b.WriteByte(c)
				i++
				continue
			}
			b.WriteString(string(c) + "<s>" + string(c))
			i += end + 2
		case isLetter(c) || isDigit(c):
			j := i
			for j < len(msg) && (isLetter(msg[j]) || isDigit(msg[j]) || isJoint(msg, j)) {
				j++
			}
			b.WriteString(wordTemplate(msg[i:j]))
			i = j
		default:
			b.WriteByte(c)
			i++
		}
	}
	return b.String()
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80 }

// isJoint tells a sign that stands inside a word: 10.0.0.1:80, a-b, x_y.
func isJoint(s string, i int) bool {
	if strings.IndexByte(".:-_", s[i]) < 0 || i == 0 || i+1 == len(s) {
		return false
	}
	return (isLetter(s[i-1]) || isDigit(s[i-1])) && (isLetter(s[i+1]) || isDigit(s[i+1]))
}

func wordTemplate(w string) string {
	if !strings.ContainsAny(w, "0123456789") {
		return w
	}
	switch {
	case isAddress(w):
		return "<ip>"
	case isHexID(w):
		return "<id>"
	}
	return digitRuns(w)
}

// digitRuns replaces each number in a word.
func digitRuns(w string) string {
	var b strings.Builder
	for i := 0; i < len(w); {
		if !isDigit(w[i]) {
			b.WriteByte(w[i])
			i++
			continue
		}
		j := i
		for j < len(w) && (isDigit(w[j]) || w[j] == '.' && j+1 < len(w) && isDigit(w[j+1])) {
			j++
		}
		b.WriteString("<n>")
		i = j
	}
	return b.String()
}

// isAddress tells an IPv4 address, with or without a port.
func isAddress(w string) bool {
	host, port, ok := strings.Cut(w, ":")
	if ok && !isAllDigits(port) {
		return false
	}
	parts := strings.Split(host, ".")
	for _, p := range parts {
		if !isAllDigits(p) || len(p) > 3 {
			return false
		}
	}
	return len(parts) == 4
}

// isHexID tells a word of at least eight hex digits and dashes with both digits and letters.
func isHexID(w string) bool {
	s := strings.TrimPrefix(strings.ReplaceAll(w, "-", ""), "0x")
	if len(s) < 8 {
		return false
	}
	digits := 0
	for i := 0; i < len(s); i++ {
		switch {
		case isDigit(s[i]):
			digits++
		case s[i]|0x20 < 'a' || s[i]|0x20 > 'f':
			return false
		}
	}
	return digits > 0 && digits < len(s)
}
