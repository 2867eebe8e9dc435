package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// Parts of the day, of six hours each, and when they begin.
var (
	namedTime = pattern.New(`\b(midnight)\b|\b(?:noon|midday)\b|(午夜|零点|半夜)|正午|中午`)
	dayPart   = pattern.New(`\b(?:in the |this |that |during the )(morning|afternoon|evening)\b|\b(tonight)\b|(?:在|当天|那天|的|^|[^\d])(凌晨|早上|上午|下午|傍晚|晚上)`)
	partBegin = map[string]string{
		"morning": "06:00", "早上": "06:00", "上午": "06:00", "凌晨": "00:00", "afternoon": "12:00", "下午": "12:00",
		"evening": "18:00", "tonight": "18:00", "傍晚": "18:00", "晚上": "18:00",
	}
)

const partHours = 6

// findNamed reads midnight and noon.
func findNamed(s string) (when, bool) {
	m := namedTime.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	w := when{from: m[0], to: m[1], midnight: m[2] >= 0 || m[4] >= 0}
	clock := "12:00"
	if w.midnight {
		clock = "00:00"
	}
	var ok bool
	w.t, ok = rows.ParseTime(clock)
	return w, ok
}

// findPart reads "in the morning" and 下午 as the six hours that they are.
func findPart(s string) (when, bool) {
	m := dayPart.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	w := when{to: m[1], hours: partHours}
	for g := 2; g < len(m); g += 2 {
		if m[g] < 0 {
			continue
		}
		w.from = m[g]
		if strings.HasPrefix(s[m[0]:], "in ") || strings.HasPrefix(s[m[0]:], "this") || strings.HasPrefix(s[m[0]:], "during") {
			w.from = m[0]
		}
		t, ok := rows.ParseTime(partBegin[s[m[g]:m[g+1]]])
		w.t = t
		return w, ok
	}
	return w, false
}

// dayJoin stands between a day and a time of it: "Nov 4 at 18:00", "18:00 on Nov 4".
var (
	dayThenClock = pattern.New(`^\s*(?:at|,|的|，)?\s*$`)
	clockThenDay = pattern.New(`^\s*(?:on|of|,)\s*(?:the\s+)?$`)
)

// onDays gives times of day the day that the words name. A lone day that several words stand apart
// from bounds the range, and is handed back: "on Nov 4 after 18:00".
func onDays(text string, ws []when) ([]when, *when) {
	var days, clocks []when
	for _, w := range ws {
		switch {
		case w.t.Precision == rows.ToDay && !w.year:
			days = append(days, w)
		case !w.t.Date && !w.year:
			clocks = append(clocks, w)
		}
	}
	if len(days) == 0 || len(clocks) == 0 || len(days)+len(clocks) != len(ws) {
		return ws, nil
	}
	if len(days) > 1 || dayThenClock.MatchString(between(text, days[0], clocks[0])) && len(clocks) == 1 && clocks[0].hours == 0 {
		return mergeDays(text, ws), nil
	}
	for i := range clocks {
		clocks[i].t, clocks[i].midnight = clocks[i].t.On(days[0].t), false
	}
	return clocks, &days[0]
}

func between(text string, a, b when) string {
	if a.to > b.from {
		return "x"
	}
	return text[a.to:b.from]
}

// mergeDays makes one time of each day and the time of day beside it.
func mergeDays(text string, ws []when) []when {
	var out []when
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		if i+1 < len(ws) {
			n := ws[i+1]
			gap := between(text, w, n)
			switch {
			case w.t.Precision == rows.ToDay && !n.t.Date && dayThenClock.MatchString(gap):
				w, i = when{t: n.t.On(w.t), from: w.from, to: n.to, hour: n.hour, hours: n.hours}, i+1
			case !w.t.Date && n.t.Precision == rows.ToDay && clockThenDay.MatchString(gap):
				w, i = when{t: w.t.On(n.t), from: w.from, to: n.to, hour: w.hour, hours: w.hours}, i+1
			}
		}
		out = append(out, w)
	}
	return out
}

// boundBy bounds an open range to a day.
func (q *Question) boundBy(day when) {
	from, to := day.t, day.t
	to.At, to.Precision = to.At.AddDate(0, 0, 1), rows.ToMinute
	if q.Since == nil {
		q.Since = &from
	}
	if q.Until == nil {
		q.Until = &to
	}
}
