package rows

import (
	"strings"
	"time"
)

// chineseForm reads 2026年11月30日 10:12 and 11月30日10时12分5秒.
func chineseForm(p *scanner) (Time, bool) {
	var c civil
	var ok, year bool
	start := p.i
	if c.y, ok = p.digits(4, 4); ok && p.word("年") {
		year = true
	} else {
		c.y, p.i = 0, start
	}
	if c.mo, ok = p.digits(1, 2); !ok || !p.word("月") {
		return Time{}, false
	}
	if c.d, ok = p.digits(1, 2); !ok || !(p.word("日") || p.word("号")) {
		return Time{}, false
	}
	day := p.i
	p.byte(" ")
	prec, ok := p.clock(&c)
	if !ok {
		prec = p.chineseClock(&c)
	}
	if prec == ToDay {
		p.i = day
	}
	return p.finish(c, prec, year)
}

// chineseClock reads 10时12分5秒, 10点, 10点半; ToDay if there is none.
func (p *scanner) chineseClock(c *civil) Precision {
	var ok bool
	start := p.i
	if c.h, ok = p.digits(1, 2); !ok || !(p.word("时") || p.word("点")) {
		p.i, c.h = start, 0
		return ToDay
	}
	if p.word("半") {
		c.mi = 30
		return ToMinute
	}
	at := p.i
	if c.mi, ok = p.digits(1, 2); !ok {
		p.i = at
		return ToMinute
	}
	p.word("分")
	at = p.i
	if c.s, ok = p.digits(1, 2); ok && p.word("秒") {
		return ToSecond
	}
	p.i, c.s = at, 0
	return ToMinute
}

// webForm reads 30/Nov/2026:10:12:01 +0000.
func webForm(p *scanner) (Time, bool) {
	var c civil
	var ok bool
	if c.d, ok = p.digits(1, 2); !ok || !p.byte("/- ") {
		return Time{}, false
	}
	if c.mo, ok = p.month(); !ok || !p.byte("/- ") {
		return Time{}, false
	}
	if c.y, ok = p.digits(4, 4); !ok {
		return Time{}, false
	}
	return p.withClock(c, ": ")
}

// dayFirstForm reads 30.11.2026 10:12 and 11/30/2026: with slashes the month comes first unless
// it cannot be one.
func dayFirstForm(p *scanner) (Time, bool) {
	var c civil
	var ok bool
	if c.d, ok = p.digits(1, 2); !ok || p.i >= len(p.s) {
		return Time{}, false
	}
	sep := p.s[p.i : p.i+1]
	if !strings.Contains("./-", sep) || !p.byte(sep) {
		return Time{}, false
	}
	if c.mo, ok = p.digits(1, 2); !ok || !p.byte(sep) {
		return Time{}, false
	}
	if c.y, ok = p.digits(4, 4); !ok {
		return Time{}, false
	}
	if sep == "/" && c.d <= 12 || c.mo > 12 {
		c.d, c.mo = c.mo, c.d
	}
	return p.withClock(c, " T")
}

var months = []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"}

var monthNames = func() []string {
	names := make([]string, 12)
	for i := range names {
		names[i] = time.Month(i + 1).String()
	}
	return names
}()

// month reads a month's English name, whole or its first three letters.
func (p *scanner) month() (int, bool) {
	for i, name := range monthNames {
		if p.word(name) || p.word(months[i]) {
			return i + 1, true
		}
	}
	return 0, false
}

// monthForm reads Nov 30 10:12:01, Mon Nov 30 10:12:01.5 2026 and November 30, 2026 10:12.
func monthForm(p *scanner) (Time, bool) {
	var c civil
	var ok bool
	p.weekday()
	if c.mo, ok = p.month(); !ok || !p.byte(" ") {
		return Time{}, false
	}
	p.byte(" ")
	if c.d, ok = p.digits(1, 2); !ok {
		return Time{}, false
	}
	if at := p.i; (p.word(", ") || p.byte(" ")) && p.year(&c) {
		return p.withClock(c, " ")
	} else {
		p.i = at
	}
	day := p.i
	p.byte(" ")
	prec, ok := p.clock(&c)
	if !ok {
		p.i = day
		return p.finish(c, ToDay, false)
	}
	at := p.i
	if p.byte(" ") && p.year(&c) {
		return p.finish(c, prec, true)
	}
	p.i = at
	return p.finish(c, prec, false)
}

func (p *scanner) year(c *civil) bool {
	at := p.i
	y, ok := p.digits(4, 4)
	if !ok || y < 1970 || y > 2200 {
		p.i = at
		return false
	}
	c.y = y
	return true
}

func (p *scanner) weekday() {
	for _, d := range []string{"Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "} {
		if p.word(d) {
			return
		}
	}
}

// compactForm reads 20261130T101201 and 20261130 10:12:01.
func compactForm(p *scanner) (Time, bool) {
	var c civil
	var ok [3]bool
	c.y, ok[0] = p.fixed(4)
	c.mo, ok[1] = p.fixed(2)
	c.d, ok[2] = p.fixed(2)
	if ok != [3]bool{true, true, true} || c.y < 1970 || c.y > 2200 || !p.byte("T -") {
		return Time{}, false
	}
	if prec, ok := p.clock(&c); ok {
		return p.finish(c, prec, true)
	}
	c.h, ok[0] = p.fixed(2)
	c.mi, ok[1] = p.fixed(2)
	c.s, ok[2] = p.fixed(2)
	if ok != [3]bool{true, true, true} {
		return Time{}, false
	}
	c.ns = p.fraction()
	return p.finish(c, ToSecond, true)
}

// clockForm reads a time of day alone.
func clockForm(p *scanner) (Time, bool) {
	c := civil{mo: 1, d: 1}
	prec, ok := p.clock(&c)
	if !ok || !c.valid() {
		return Time{}, false
	}
	loc, zone := p.zone()
	return Time{c.at(loc), false, false, zone, prec}, true
}
