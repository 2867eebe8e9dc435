package rows

import (
	"strings"
	"time"
)

// scanner walks a text; every method either takes what it names or leaves the place unchanged.
type scanner struct {
	s string
	i int
}

func (p *scanner) rest() string { return p.s[p.i:] }

func (p *scanner) byte(set string) bool {
	if p.i < len(p.s) && strings.IndexByte(set, p.s[p.i]) >= 0 {
		p.i++
		return true
	}
	return false
}

func (p *scanner) word(w string) bool {
	if strings.HasPrefix(p.rest(), w) {
		p.i += len(w)
		return true
	}
	return false
}

// digits takes between least and most digits that are not followed by another.
func (p *scanner) digits(least, most int) (int, bool) {
	n, k := 0, p.i
	for k < len(p.s) && isDigit(p.s[k]) && k-p.i < most {
		n = n*10 + int(p.s[k]-'0')
		k++
	}
	if k-p.i < least || k < len(p.s) && isDigit(p.s[k]) {
		return 0, false
	}
	p.i = k
	return n, true
}

// fixed takes exactly n digits, whatever follows.
func (p *scanner) fixed(n int) (int, bool) {
	if p.i+n > len(p.s) {
		return 0, false
	}
	v := 0
	for _, c := range []byte(p.s[p.i : p.i+n]) {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int(c-'0')
	}
	p.i += n
	return v, true
}

type civil struct{ y, mo, d, h, mi, s, ns int }

func (c civil) valid() bool {
	if c.mo < 1 || c.mo > 12 || c.d < 1 || c.h > 23 || c.mi > 59 || c.s > 60 {
		return false
	}
	return c.d <= time.Date(c.y, time.Month(c.mo)+1, 0, 0, 0, 0, 0, time.UTC).Day()
}

func (c civil) at(loc *time.Location) time.Time {
	return time.Date(c.y, time.Month(c.mo), c.d, c.h, c.mi, c.s, c.ns, loc)
}

// prefixTime reads a time from the front of s, with or without a clock, and gives how many bytes it
// took. The forms are called by name so that the scanner stays off the heap.
func prefixTime(s string) (Time, int, bool) {
	if s == "" || !mayStartTime(s[0]) {
		return Time{}, 0, false
	}
	p := scanner{s: s}
	if !isDigit(s[0]) {
		t, ok := monthForm(&p)
		return t, p.i, ok
	}
	if t, ok := isoForm(&p); ok {
		return t, p.i, true
	}
	for form := range 5 {
		p.i = 0
		if t, ok := digitForm(&p, form); ok {
			return t, p.i, true
		}
	}
	return Time{}, 0, false
}

// digitForm tries one of the forms that begin with a digit, the commonest aside.
func digitForm(p *scanner, form int) (Time, bool) {
	switch form {
	case 0:
		return webForm(p)
	case 1:
		return clockForm(p)
	case 2:
		return dayFirstForm(p)
	case 3:
		return compactForm(p)
	}
	return chineseForm(p)
}

// isoForm reads 2026-11-30T10:12:01.123Z and its relatives with / . space comma or no clock.
func isoForm(p *scanner) (Time, bool) {
	var c civil
	var ok bool
	if c.y, ok = p.digits(4, 4); !ok || p.i >= len(p.s) {
		return Time{}, false
	}
	sep := p.s[p.i : p.i+1]
	if !strings.Contains("-/.", sep) || !p.monthDay(&c, sep) {
		return Time{}, false
	}
	return p.withClock(c, "T _t:")
}

func (p *scanner) monthDay(c *civil, sep string) bool {
	var ok bool
	if !p.byte(sep) {
		return false
	}
	if c.mo, ok = p.digits(1, 2); !ok || !p.byte(sep) {
		return false
	}
	c.d, ok = p.digits(1, 2)
	return ok
}

// withClock goes on after a full date: a separator and a clock, or nothing.
func (p *scanner) withClock(c civil, seps string) (Time, bool) {
	start := p.i
	p.byte(",")
	prec := ToDay
	if p.byte(seps) {
		prec, _ = p.clock(&c)
	}
	if prec == ToDay {
		p.i = start
	}
	return p.finish(c, prec, true)
}

func (p *scanner) finish(c civil, prec Precision, year bool) (Time, bool) {
	if !c.valid() {
		return Time{}, false
	}
	loc, zone := time.UTC, false
	if prec != ToDay {
		loc, zone = p.zone()
	}
	return Time{c.at(loc), true, year, zone, prec}, true
}

// clock reads hh:mm, hh:mm:ss, and a fraction after a point or a comma.
func (p *scanner) clock(c *civil) (Precision, bool) {
	start := p.i
	var ok bool
	if c.h, ok = p.digits(1, 2); !ok || !p.byte(":") {
		p.i = start
		return ToDay, false
	}
	if c.mi, ok = p.digits(2, 2); !ok {
		p.i, c.h = start, 0
		return ToDay, false
	}
	prec := ToMinute
	if at := p.i; p.byte(":") {
		if c.s, ok = p.digits(2, 2); ok {
			prec = ToSecond
			c.ns = p.fraction()
		} else {
			p.i = at
		}
	}
	p.half(c)
	return prec, true
}

func (p *scanner) fraction() int {
	start := p.i
	if !p.byte(".,") {
		return 0
	}
	k := p.i
	for k < len(p.s) && isDigit(p.s[k]) {
		k++
	}
	ns, ok := nanos(p.s[p.i:min(k, p.i+9)])
	if !ok {
		p.i = start
		return 0
	}
	p.i = k
	return ns
}

// half reads AM or PM.
func (p *scanner) half(c *civil) {
	start := p.i
	p.byte(" ")
	up := strings.ToUpper(p.rest()[:min(2, len(p.rest()))])
	if up != "AM" && up != "PM" || c.h < 1 || c.h > 12 {
		p.i = start
		return
	}
	p.i += 2
	c.h %= 12
	if up == "PM" {
		c.h += 12
	}
}

// zone reads Z, UTC, GMT, +08:00, -0500 or +08, with or without a space before it.
func (p *scanner) zone() (*time.Location, bool) {
	start := p.i
	p.byte(" ")
	for _, name := range []string{"Z", "UTC", "GMT", "z"} {
		if at := p.i; p.word(name) {
			if p.i == len(p.s) || !isWordByte(p.s[p.i]) || strings.IndexByte("-.:", p.s[p.i]) >= 0 {
				return time.UTC, true
			}
			p.i = at
		}
	}
	if secs, ok := p.offset(); ok {
		if secs == 0 {
			return time.UTC, true
		}
		return time.FixedZone("", secs), true
	}
	p.i = start
	return time.UTC, false
}

func (p *scanner) offset() (int, bool) {
	if p.i >= len(p.s) || strings.IndexByte("+-", p.s[p.i]) < 0 {
		return 0, false
	}
	sign := 1
	if p.s[p.i] == '-' {
		sign = -1
	}
	p.i++
	h, ok := p.fixed(2)
	if !ok || h > 14 {
		return 0, false
	}
	p.byte(":")
	m, ok := p.fixed(2)
	if !ok {
		m = 0
	}
	return sign * (h*3600 + m*60), m < 60
}
