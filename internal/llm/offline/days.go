package offline

import (
	"fmt"
	"time"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var someLines = pattern.New(`\b(?:in|of|within|among) the (first|last) (\d{1,9}) (?:lines?|rows?|entries|records)\b|(前|最后|后)\s*(\d{1,9})\s*行(?:里|中|内|的)`)

// bindLines reads "in the first 100 lines" of a log.
func (b *binding) bindLines() {
	m := someLines.FindStringSubmatchIndex(b.q.Text)
	if m == nil || b.q.Intent == question.FirstLast || b.q.Intent == question.Filter {
		return
	}
	way, count := m[2:4], m[4:6]
	if m[2] < 0 {
		way, count = m[6:8], m[8:10]
	}
	k := atoi(b.q.Text[count[0]:count[1]])
	b.use(word{b.q.Text[m[0]:m[1]], m[0], m[1]})
	switch w := b.q.Text[way[0]:way[1]]; {
	case b.format == "csv" || b.format == "markdown":
		b.problem = b.say.of("a part of a table's lines cannot be picked", "无法只取表格的一部分行")
	case w == "first" || w == "前":
		b.filter(fmt.Sprintf("line <= %d", k), b.say.f("lines 1 to %d", "第 1 至 %d 行", k))
	default:
		b.filter(fmt.Sprintf("line > %d", b.about.lines-k), b.say.f("lines from %d on", "第 %d 行起", max(b.about.lines-k+1, 1)))
	}
}

// days is how many calendar days a file touches, on the clock of its last row; 0 if it names none.
func days(lo, hi rows.Time) int {
	if !lo.Date || !hi.Date {
		return 0
	}
	return int(dayOf(hi).Sub(dayOf(lo.In(hi))).Hours()/24+0.5) + 1
}

// dayOf is the midnight that a day begins with.
func dayOf(t rows.Time) time.Time {
	y, m, d := t.At.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, t.At.Location())
}

// dated gives a range of times of day the file's own day where they mean no other: "after midnight"
// is after the one midnight that the log goes over, and 23:50 to 00:10 goes over it.
func (b *binding) dated(since, until *rows.Time, lo, hi rows.Time) (from, to *rows.Time) {
	wraps := since != nil && until != nil && !since.Date && !until.Date && until.At.Before(since.At)
	if !b.q.Midnight && !wraps || since != nil && since.Date || until != nil && until.Date {
		return since, until
	}
	if since != nil && since.Zone || until != nil && until.Zone {
		b.problem = b.say.of("which midnight is meant is not clear; give the day as well", "不清楚指的是哪一天的午夜；请同时写出日期")
		return since, until
	}
	night := hi
	switch days(lo, hi) {
	case 1:
		if night.At = dayOf(hi); until != nil && (wraps || isMidnight(*until)) {
			night.At = night.At.AddDate(0, 0, 1)
		}
	case 2:
		night.At = dayOf(hi)
	default:
		b.problem = b.say.of("which midnight is meant is not clear; give the day as well", "不清楚指的是哪一天的午夜；请同时写出日期")
		return since, until
	}
	night.Precision = rows.ToDay
	return b.beside(since, night, until != nil && (wraps || isMidnight(*until))), b.beside(until, night, false)
}

// beside puts a time of day on the day that a midnight begins, or on the day before.
func (b *binding) beside(t *rows.Time, night rows.Time, before bool) *rows.Time {
	if t == nil {
		return nil
	}
	if before {
		night.At = night.At.AddDate(0, 0, -1)
	}
	on := t.On(night)
	on = on.In(night)
	on.Zone = night.Zone
	return &on
}

func isMidnight(t rows.Time) bool {
	h, m, s := t.At.Clock()
	return h == 0 && m == 0 && s == 0
}
