package rows

import (
	"strconv"
	"strings"
	"time"
)

// Precision says how finely a time was written.
type Precision int

// The precisions; a finer one is larger.
const (
	ToDay Precision = iota
	ToMinute
	ToSecond
)

// Time is a moment as a text tells it, with what it leaves out. At is in the zone that was
// written, else in UTC; without a date its day is 0000-01-01, without a year its year is 0 (a
// leap year).
type Time struct {
	At        time.Time
	Date      bool // a day was written
	Year      bool // a year was written
	Zone      bool // a zone or offset was written
	Precision Precision
}

// String gives the time in one form per shape: 2006-01-02T15:04:05.000Z with a zone, 2006-01-02
// 15:04:05 without, Jan _2 15:04:05 without a year, 15:04:05 without a day.
func (t Time) String() string {
	if t.Date && t.Year && t.Precision == ToSecond {
		if s, ok := t.plain(); ok {
			return s
		}
	}
	return t.At.Format(t.layout(t.Precision))
}

// plain writes the commonest shape by hand, as Format would: every line of a log has one.
func (t Time) plain() (string, bool) {
	y, mo, d := t.At.Date()
	h, mi, s := t.At.Clock()
	ns := t.At.Nanosecond()
	if _, offset := t.At.Zone(); t.Zone && offset != 0 || ns%1e6 != 0 || y < 1000 || y > 9999 {
		return "", false
	}
	b := make([]byte, 0, len("2006-01-02T15:04:05.000Z"))
	b = two(append(two(append(two(two(b, y/100), y%100), '-'), int(mo)), '-'), d)
	if t.Zone {
		b = append(b, 'T')
	} else {
		b = append(b, ' ')
	}
	b = two(append(two(append(two(b, h), ':'), mi), ':'), s)
	if ns > 0 {
		ms := ns / 1e6
		b = two(append(b, '.', byte('0'+ms/100)), ms%100)
	}
	if t.Zone {
		b = append(b, 'Z')
	}
	return string(b), true
}

// two appends a number in two digits.
func two(b []byte, v int) []byte {
	return append(b, byte('0'+v/10), byte('0'+v%10))
}

// Unit is a width that times are grouped by.
type Unit string

// The units.
const (
	Minute Unit = "minute"
	Hour   Unit = "hour"
	Day    Unit = "day"
	Month  Unit = "month"
	Year   Unit = "year"
)

// Bucket gives the name of the minute, hour, day, month or year that t is in; an hour is named by
// its first minute. A time that was written without its day or year has no such bucket: "".
func (t Time) Bucket(u Unit) string {
	switch u {
	case Minute:
		return t.At.Format(t.layout(ToMinute))
	case Hour:
		return t.At.Truncate(time.Minute).Add(-time.Duration(t.At.Minute()) * time.Minute).Format(t.layout(ToMinute))
	}
	switch {
	case !t.Date:
		return ""
	case u == Month && t.Year:
		return t.At.Format("2006-01")
	case u == Month:
		return t.At.Format("Jan")
	case u == Year && !t.Year:
		return ""
	case u == Year:
		return t.At.Format("2006")
	}
	return t.At.Format(t.layout(ToDay))
}

func (t Time) layout(p Precision) string {
	clock := "15:04"
	if p == ToSecond {
		clock = "15:04:05" + fraction(t.At.Nanosecond())
	}
	switch {
	case !t.Date && t.Zone:
		return clock + "Z07:00"
	case !t.Date:
		return clock
	case p == ToDay && t.Year:
		return "2006-01-02"
	case p == ToDay:
		return "Jan _2"
	case !t.Year:
		return "Jan _2 " + clock
	case t.Zone:
		return "2006-01-02T" + clock + "Z07:00"
	}
	return "2006-01-02 " + clock
}

func fraction(ns int) string {
	switch {
	case ns == 0:
		return ""
	case ns%1e6 == 0:
		return ".000"
	case ns%1e3 == 0:
		return ".000000"
	}
	return ".000000000"
}

// On gives t with what it lacks taken from day: the date if it has none, the year if it has none.
func (t Time) On(day Time) Time {
	if t.Date && t.Year || !day.Date {
		return t
	}
	y, m, d := day.At.Date()
	if t.Date {
		_, m, d = t.At.Date()
	}
	h, mi, s := t.At.Clock()
	at := time.Date(y, m, d, h, mi, s, t.At.Nanosecond(), t.At.Location())
	return Time{at, true, t.Year || day.Year, t.Zone, t.Precision}
}

// Compare orders two times by what both of them tell: times of day alone if one has no day,
// without the year if one has none, on the same clock if one has no zone.
func (t Time) Compare(u Time) int {
	a, b := t.common(u)
	return a.Compare(b)
}

// Sub gives how long t is after u, by what both of them tell.
func (t Time) Sub(u Time) time.Duration {
	a, b := t.common(u)
	return a.Sub(b)
}

// common gives two times cut to what both of them tell.
func (t Time) common(u Time) (a, b time.Time) {
	if t.Zone != u.Zone {
		t, u = t.In(u), u.In(t)
	}
	a, b = t.At, u.At
	switch {
	case !t.Date || !u.Date:
		if t.Zone && u.Zone { // on the clock of the one that has no day
			at := a.Location()
			if t.Date {
				at = b.Location()
			}
			a, b = a.In(at), b.In(at)
		}
		a, b = clockOf(a), clockOf(b)
	case !t.Year || !u.Year:
		a, b = yearless(a), yearless(b)
	}
	return a, b
}

// In gives t on the clock of a time that names its zone, if t names none.
func (t Time) In(u Time) Time {
	if t.Zone || !u.Zone {
		return t
	}
	y, mo, d := t.At.Date()
	h, mi, s := t.At.Clock()
	t.At = time.Date(y, mo, d, h, mi, s, t.At.Nanosecond(), u.At.Location())
	return t
}

func clockOf(t time.Time) time.Time {
	h, m, s := t.Clock()
	return time.Date(0, 1, 1, h, m, s, t.Nanosecond(), time.UTC)
}

func yearless(t time.Time) time.Time {
	_, m, d := t.Date()
	h, mi, s := t.Clock()
	return time.Date(0, m, d, h, mi, s, t.Nanosecond(), t.Location())
}

// ParseTime reads a text that is a time and nothing else, in any of the common forms: ISO 8601
// with T or space, with slashes, of syslog, of web servers, written in Chinese, a time of day, or
// seconds, milliseconds, microseconds or nanoseconds since 1970.
func ParseTime(s string) (Time, bool) {
	s = strings.TrimSpace(s)
	if t, ok := epoch(s); ok {
		return t, true
	}
	s = strings.TrimSuffix(strings.TrimPrefix(s, "["), "]")
	t, n, ok := prefixTime(s)
	return t, ok && n == len(s)
}

// FindTime gives the first time in a text, and where it begins and ends. Bare numbers are not
// times here.
func FindTime(s string) (t Time, from, to int, ok bool) {
	for i := 0; i < len(s); i++ {
		if i > 0 && isWordByte(s[i-1]) || !mayStartTime(s[i]) {
			continue
		}
		if t, n, ok := prefixTime(s[i:]); ok && (i+n == len(s) || !isWordByte(s[i+n])) {
			return t, i, i + n, true
		}
	}
	return Time{}, 0, 0, false
}

func mayStartTime(c byte) bool {
	return isDigit(c) || c >= 'A' && c <= 'W'
}

// epoch reads a number since 1970 by its size: 10 digits are seconds, 13 milliseconds, 16
// microseconds, 19 nanoseconds.
func epoch(s string) (Time, bool) {
	whole, frac, _ := strings.Cut(s, ".")
	if len(whole) < 10 || !isAllDigits(whole) {
		return Time{}, false
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil || n <= 0 {
		return Time{}, false
	}
	var at time.Time
	switch len(whole) {
	case 10:
		at = time.Unix(n, 0)
	case 13:
		at = time.UnixMilli(n)
	case 16:
		at = time.UnixMicro(n)
	case 19:
		at = time.Unix(0, n)
	default:
		return Time{}, false
	}
	if frac != "" {
		ns, ok := nanos(frac)
		if !ok || len(whole) != 10 {
			return Time{}, false
		}
		at = at.Add(time.Duration(ns))
	}
	return Time{at.UTC(), true, true, true, ToSecond}, true
}

// nanos reads the digits after a decimal point as billionths.
func nanos(digits string) (int, bool) {
	if digits == "" || len(digits) > 9 || strings.Trim(digits, "0123456789") != "" {
		return 0, false
	}
	n, _ := strconv.Atoi(digits + "000000000"[len(digits):])
	return n, true
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isWordByte(c byte) bool {
	return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '-' || c == '.' || c == ':'
}
