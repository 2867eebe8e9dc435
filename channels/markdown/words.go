package markdown

import "unicode"

// words writes text with the signs of its formats around it. Signs stand where every reader of
// CommonMark takes them for such: not beside spaces, and not between a letter and punctuation; what is
// in their way stands outside of them. Signs that would touch others are left out.
func (t *typist) words(from, to int, s *style) {
	a, z := t.inner(from, to)
	signs := t.signs(s, a > from || isBorder(t.last), z < to || isBorder(t.next(z)))
	if signs == "" || a >= z {
		t.text(from, to)
		return
	}
	t.text(from, a)
	if t.last == '*' || t.last == '~' {
		t.text(a, to)
		return
	}
	t.put(signs)
	t.atStart, t.digits, t.before = false, false, '*'
	t.text(a, z)
	t.put(reversed(signs))
	t.text(z, to)
}

// signs are those of the formats that s has, from the outside in. Signs of two kinds are punctuation to
// each other, so they need a border on both sides.
func (t *typist) signs(s *style, left, right bool) string {
	d := t.dialect
	signs := ""
	if s.has(strike) && (left && right || !s.has(bold) && !s.has(italic)) {
		signs += d.strike
	}
	if s.has(bold) {
		signs += d.bold
	}
	if s.has(italic) {
		signs += d.italic
	}
	return signs
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

// inner is the part of a stretch that signs can stand around: it begins and ends with no space and no
// star or tilde, and where a letter touches it from outside, with a letter.
func (t *typist) inner(from, to int) (int, int) {
	r := t.flow.runes
	left, right := isBorder(t.last), isBorder(t.next(to))
	a, z := from, to
	for a < z && (isOuter(r[a]) || (a == from && !left && isEdge(r[a])) || (a > from && isEdge(r[a]) && !isBorder(r[a-1]))) {
		a++
	}
	for a < z && (isOuter(r[z-1]) || (z == to && !right && isEdge(r[z-1])) || (z < to && isEdge(r[z-1]) && !isBorder(r[z]))) {
		z--
	}
	return a, z
}

func isOuter(r rune) bool { return unicode.IsSpace(r) || r == '*' || r == '~' }

// next is the letter of the flow at i; the end of the piece counts as a newline.
func (t *typist) next(i int) rune {
	if i >= t.to {
		return '\n'
	}
	return t.flow.runes[i]
}

// isBorder reports whether every reader takes r for a space or for punctuation.
func isBorder(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || (r < 0x80 && unicode.IsSymbol(r))
}

// isEdge reports whether some reader takes r for a space or for punctuation.
func isEdge(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// text writes text as text.
func (t *typist) text(from, to int) {
	for i := from; i < to; i++ {
		r := t.flow.runes[i]
		next := t.next(i + 1)
		if i+1 == to && next != '\n' {
			next = 0
		}
		if s := t.dialect.escape(t, r, next); s != "" {
			t.put(s)
		} else {
			t.WriteRune(r)
			t.last = r
		}
		t.digits = t.digits && r >= '0' && r <= '9'
		t.atStart = t.atStart && unicode.IsSpace(r)
		t.before = r
	}
}
