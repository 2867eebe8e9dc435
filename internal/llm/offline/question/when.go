package question

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var (
	hanClock = pattern.New(`(上午|下午|晚上|早上|凌晨|中午)?\s*(\d{1,2})\s*[点时](半|(\d{1,2})分?)?`)
	oClock   = pattern.New(`\b(\d{1,2})\s*(?:(am|pm|o'clock)\b|(?:-|–|to|and|until|till)\s*(\d{1,2})\s*(am|pm)\b)`)
	monthDay = pattern.New(`\b(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\s+(\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(\d{4}))?|\b(\d{1,2})(?:st|nd|rd|th)?\s+(?:of\s+)?(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:tember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b(?:,?\s+(\d{4}))?`)
	lastSpan = pattern.New(`\b(?:last|past|final)\s+(?:` + numeral + `\s+)?(seconds?|minutes?|hours?|days?)\b|(?:最近|最后|过去)\s*(?:的)?\s*` + numeral + `?\s*(?:个)?(秒|分钟|小时|天)`)
)

// when is a time in a text.
type when struct {
	t        rows.Time
	from, to int
	hour     bool // written as an hour alone
	year     bool // written as a year alone
	month    bool // written as a month alone
	midnight bool // of which day is not said
	hours    int  // how long a part of the day goes on
}

// parseTimes finds the range that the words name.
func (q *Question) parseTimes() {
	if m := lastSpan.FindStringSubmatchIndex(q.Text); m != nil && !q.TakenAt(m[0], m[1]) {
		q.LastSpan = spanOf(q.Text, m)
		q.take(m[0], m[1])
		return
	}
	if q.parseMonth(); q.Month > 0 && len(q.whens()) > 0 {
		q.Clash = true // a month and another time
	}
	ws, day := onDays(q.Text, q.whens())
	for i := 0; i < len(ws); i++ {
		w := ws[i]
		q.take(w.from, w.to)
		if i+1 < len(ws) && joins(q.Text[:w.from], q.Text[w.to:ws[i+1].from]) {
			q.setRange(w, ws[i+1])
			q.take(ws[i+1].from, ws[i+1].to)
			i++
			continue
		}
		q.setOne(w)
	}
	if day != nil {
		q.take(day.from, day.to)
		q.boundBy(*day)
	}
	q.parseWeekdays()
}

func spanOf(s string, m []int) string {
	n, unit := 1, ""
	for g := 2; g+3 < len(m); g += 4 {
		if m[g+2] < 0 {
			continue
		}
		unit = s[m[g+2]:m[g+3]]
		if m[g] >= 0 {
			if v, ok := number(s[m[g]:m[g+1]]); ok {
				n = v
			}
		}
	}
	return duration(n, unit)
}

// duration writes a number and a unit's word as Go does: 10m.
func duration(n int, unit string) string {
	switch {
	case strings.HasPrefix(unit, "s"), unit == "秒":
		return fmt.Sprintf("%ds", n)
	case strings.HasPrefix(unit, "m"), unit == "分钟":
		return fmt.Sprintf("%dm", n)
	case strings.HasPrefix(unit, "h"), unit == "小时":
		return fmt.Sprintf("%dh", n)
	}
	return fmt.Sprintf("%dh", 24*n)
}

// whens finds the times in the text, in every spelling.
func (q *Question) whens() []when {
	var out []when
	text := q.Text
	for i := 0; i < len(text); {
		w, ok := nextWhen(text, i)
		if !ok {
			break
		}
		if !q.TakenAt(w.from, w.to) {
			w = q.zoned(w)
			out = append(out, w)
		}
		i = w.to
	}
	return out
}

// nextWhen gives the first time at or after i, of whatever spelling.
func nextWhen(text string, i int) (when, bool) {
	best, ok := when{}, false
	for _, find := range []func(string) (when, bool){findPlain, findHan, findOClock, findMonthDay, findMonth, findYear, findNamed, findPart} {
		if w, hit := find(text[i:]); hit && (!ok || w.from < best.from || w.from == best.from && w.to > best.to) {
			best, ok = w, true
		}
	}
	best.from += i
	best.to += i
	return best, ok
}

func findPlain(s string) (when, bool) {
	t, from, to, ok := rows.FindTime(strings.ToUpper(s))
	return when{t: t, from: from, to: to}, ok
}

var (
	zoneTail  = pattern.New(`^\s*(?:\(?\b(utc|gmt)\b\)?(?:\s*[+-]\d)?|(z)\b|([+-]\d\d):?(\d\d)\b)`)
	otherZone = pattern.New(`^\s*\(?(?:\b(?:cet|cest|eet|eest|wet|west|bst|msk|est|edt|cst|cdt|mst|mdt|pst|pdt|ist|jst|kst|sgt|hkt|aest|aedt|local time|[a-z]+ time)\b|utc\s*[+-]|gmt\s*[+-])|^\s*[（(]?(?:北京|东京|本地|当地|纽约|伦敦)时间`)
	zoneAhead = pattern.New(`(?:北京|东京|本地|当地|纽约|伦敦)时间(?:的)?\s*$`)
)

// zoned reads the zone that stands behind a clock: UTC and offsets are known; of others it is told
// that they are not.
func (q *Question) zoned(w when) when {
	rest := q.Text[w.to:]
	if w.t.Zone {
		return w
	}
	if loc := otherZone.FindStringIndex(rest); loc != nil || zoneAhead.MatchString(q.Text[:w.from]) {
		q.Zone = strings.TrimSpace(q.Text[w.from:w.to])
		if loc != nil {
			q.Zone = strings.TrimSpace(q.Text[w.from : w.to+loc[1]])
			w.to += loc[1]
		}
		return w
	}
	m := zoneTail.FindStringSubmatchIndex(rest)
	if m == nil || w.t.Precision == rows.ToDay {
		return w
	}
	loc := time.UTC
	if m[6] >= 0 {
		h, _ := strconv.Atoi(rest[m[6]:m[7]])
		mins, _ := strconv.Atoi(rest[m[8]:m[9]])
		if h < 0 {
			mins = -mins
		}
		loc = time.FixedZone("", h*3600+mins*60)
	}
	w.t = w.t.In(rows.Time{At: time.Time{}.In(loc), Zone: true})
	w.t.Zone = true
	w.to += m[1]
	return w
}

// findHan reads 上午10点半, 10点05分.
func findHan(s string) (when, bool) {
	m := hanClock.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	h, _ := strconv.Atoi(s[m[4]:m[5]])
	half := group(s, m, 2)
	switch {
	case (half == "下午" || half == "晚上") && h < 12, half == "中午" && h < 11:
		h += 12
	case (half == "凌晨" || half == "早上") && h == 12:
		h = 0
	}
	min := 0
	switch tail := group(s, m, 6); {
	case tail == "半":
		min = 30
	case tail != "":
		min, _ = strconv.Atoi(group(s, m, 8))
	}
	t, ok := rows.ParseTime(fmt.Sprintf("%02d:%02d", h, min))
	return when{t: t, from: m[0], to: m[1], hour: m[6] < 0}, ok
}

func findOClock(s string) (when, bool) {
	m := oClock.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	h, _ := strconv.Atoi(s[m[2]:m[3]])
	half, to := group(s, m, 4), m[1]
	if half == "" { // the first of "1 to 3 pm" is of the same half, unless it would be the later one
		end, _ := strconv.Atoi(s[m[6]:m[7]])
		if half, to = s[m[8]:m[9]], m[3]; h%12 > end%12 {
			half = map[string]string{"pm": "am", "am": "pm"}[half]
		}
	}
	switch half {
	case "pm":
		h = h%12 + 12
	case "am":
		h %= 12
	}
	t, ok := rows.ParseTime(fmt.Sprintf("%02d:00", h))
	return when{t: t, from: m[0], to: to, hour: true}, ok
}

func findMonthDay(s string) (when, bool) {
	m := monthDay.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	mo, d, y := group(s, m, 2)+group(s, m, 10), group(s, m, 4)+group(s, m, 8), group(s, m, 6)+group(s, m, 12)
	text := fmt.Sprintf("%s %s", time.Month(monthOf(mo)).String()[:3], d)
	if y != "" {
		text = fmt.Sprintf("%s-%02d-%02s", y, monthOf(mo), d)
	}
	t, ok := rows.ParseTime(text)
	return when{t: t, from: m[0], to: m[1]}, ok
}

var monthEdge = pattern.New(`\b(?:before|after|since|from)\s+` + monthName + `(?:\s+(\d{1,4}))?\b|(?:(\d{4})年)?` + hanMonth + `(?:份)?(?:之前|以前|之后|以后|前|后)`)

// findMonth reads a month that only bounds the range: "before February 2026".
func findMonth(s string) (when, bool) {
	m := monthEdge.FindStringSubmatchIndex(s)
	if m == nil || len(group(s, m, 4)) == 1 || len(group(s, m, 4)) == 2 {
		return when{}, false
	}
	w, y := when{from: m[2], to: m[1], month: true}, group(s, m, 4)+group(s, m, 6)
	mo := 0
	if m[2] >= 0 {
		mo = monthOf(s[m[2]:m[3]])
	} else {
		mo, w.from = hanMonthOf(s[m[8]:m[9]]), m[0]
		w.to = m[8] + len(hanMonthTail.FindString(s[m[8]:]))
	}
	if mo < 1 || mo > 12 {
		return when{}, false
	}
	text := fmt.Sprintf("%s 1", time.Month(mo).String()[:3])
	if y != "" {
		text = fmt.Sprintf("%s-%02d-01", y, mo)
	}
	var ok bool
	w.t, ok = rows.ParseTime(text)
	return w, ok
}

var yearAlone = pattern.New(`\b(?:before|after|since|in|until|till|from|during|of|by|to)\s+((?:19|20)\d\d)(?:$|[\s,.?!;])|(?:^|[^\d])((?:19|20)\d\d)年(?:$|[^\d])`)

// findYear reads a year that stands alone behind a word of time, or before 年.
func findYear(s string) (when, bool) {
	m := yearAlone.FindStringSubmatchIndex(s)
	if m == nil {
		return when{}, false
	}
	from, to := m[2], m[3]
	if from < 0 {
		from, to = m[4], m[5]
	}
	t, ok := rows.ParseTime(s[from:to] + "-01-01")
	if strings.HasPrefix(s[to:], "年") {
		to += len("年")
	}
	return when{t: t, from: from, to: to, year: true}, ok
}

func monthOf(s string) int {
	for m := time.January; m <= time.December; m++ {
		if strings.HasPrefix(strings.ToLower(m.String()), s[:3]) {
			return int(m)
		}
	}
	return 0
}

var (
	rangeJoin   = pattern.New(`^\s*(?:to|till|until|through|-|–|—|~|到|至|和)\s*$`)
	andJoin     = pattern.New(`^\s*(?:and|和|与)\s*$`)
	betweenOpen = pattern.New(`(?:\bbetween|之间|在)\s*(?:[a-z]+\s+)?$`)
	sinceWord   = pattern.New(`\b(?:after|since|from|later than|starting(?: at| from)?|past)\s*$|(?:从|自)\s*$`)
	untilWord   = pattern.New(`\b(?:before|until|till|up to|earlier than|prior to|by)\s*$|截至\s*$|直到\s*$`)
	sinceTail   = pattern.New(`^\s*(?:之后|以后|过后|后|起|开始|onwards?|or later)`)
	untilTail   = pattern.New(`^\s*(?:之前|以前|前|为止|or earlier)`)
)

// What leaves out, or takes in, the whole of a day, month or year that it stands beside.
var (
	afterWhole  = pattern.New(`\b(?:after|later than)\s*$`)
	wholeTail   = pattern.New(`^\s*(?:之后|过后|后)`)
	throughDay  = pattern.New(`\b(?:until|till|up to|by)\s*$|截至\s*$|直到\s*$`)
	throughTail = pattern.New(`^\s*(?:为止|or earlier)`)
)

// joins tells that two times are the ends of a range, by what stands before and between them.
func joins(before, between string) bool {
	return rangeJoin.MatchString(between) || andJoin.MatchString(between) && betweenOpen.MatchString(before)
}

func (q *Question) setRange(a, b when) {
	q.Midnight = q.Midnight || a.midnight || b.midnight
	q.Clash = q.Clash || q.Since != nil || q.Until != nil
	if b.t.Zone && !a.t.Zone {
		a.t = a.t.In(b.t) // "between 10:00 and 11:00 UTC"
		a.t.Zone = true
	}
	a, b = q.sameHalf(a, b)
	from, to := a.t, b.t.On(a.t)
	if to.Precision == rows.ToDay {
		to.At = to.At.AddDate(0, 0, 1)
		if b.year {
			to.At = b.t.At.AddDate(1, 0, 0)
		}
		to.Precision = rows.ToMinute
	}
	q.Since, q.Until = &from, &to
}

var (
	isLate  = pattern.New(`\d\s*pm|下午|晚上|傍晚|中午`)
	hasHalf = pattern.New(`\d\s*[ap]m|上午|下午|晚上|早上|凌晨|中午|傍晚`)
)

// sameHalf gives both ends of a range the half of the day that only one of them names, where the
// range is one then: 下午1点到3点, "8:20 to 8:40 pm".
func (q *Question) sameHalf(a, b when) (when, when) {
	said, other := q.Text[a.from:a.to], q.Text[b.from:b.to]
	late := func(w when) when {
		w.t.At = w.t.At.Add(12 * time.Hour)
		return w
	}
	switch {
	case a.t.Date || b.t.Date:
	case isLate.MatchString(said) && !hasHalf.MatchString(other) && b.t.At.Hour() < 12 && a.t.At.Before(late(b).t.At):
		b = late(b)
	case isLate.MatchString(other) && !hasHalf.MatchString(said) && a.t.At.Hour() < 12 && late(a).t.At.Before(b.t.At):
		a = late(a)
	}
	return a, b
}

// setOne reads "after T", "before T", and T alone, which is all of its minute, hour or day.
func (q *Question) setOne(w when) {
	before, after := q.Text[:w.from], q.Text[w.to:]
	t := w.t
	q.Midnight = q.Midnight || w.midnight
	switch {
	case w.hours > 0:
		q.Clash = q.Clash || q.Since != nil || q.Until != nil
		end := t
		end.At = t.At.Add(time.Duration(w.hours) * time.Hour)
		if q.Since = &t; end.At.Day() == t.At.Day() {
			q.Until = &end
		}
	case sinceTail.MatchString(after) || sinceWord.MatchString(before):
		q.Clash = q.Clash || q.Since != nil
		switch q.Since = &t; {
		case !afterWhole.MatchString(before) && !wholeTail.MatchString(after):
		case w.year: // after a year is from the next on
			t.At = t.At.AddDate(1, 0, 0)
		case w.month:
			t.At = t.At.AddDate(0, 1, 0)
		case t.Precision == rows.ToDay:
			t.At = t.At.AddDate(0, 0, 1)
		}
	case untilTail.MatchString(after) || untilWord.MatchString(before):
		q.Clash = q.Clash || q.Until != nil
		if q.Until = &t; t.Precision == rows.ToDay { // a day as the end of a range would be part of it
			if t.Precision = rows.ToMinute; throughDay.MatchString(before) || throughTail.MatchString(after) {
				t.At = t.At.AddDate(0, 0, 1)
			}
		}
	default:
		q.Clash = q.Clash || q.Since != nil || q.Until != nil
		end := t
		end.At = t.At.Add(width(w))
		if w.year {
			end.At = t.At.AddDate(1, 0, 0)
		}
		end.Precision = max(end.Precision, rows.ToMinute)
		q.Since, q.Until = &t, &end
	}
}

func width(w when) time.Duration {
	switch {
	case w.hour:
		return time.Hour
	case w.t.Precision == rows.ToDay:
		return 24 * time.Hour
	case w.t.Precision == rows.ToMinute:
		return time.Minute
	}
	return time.Second
}

const monthName = `(january|february|march|april|may|june|july|august|september|october|november|december)`

const hanMonth = `(\d{1,2}|十[一二]?|[一二三四五六七八九])月(?:份)?`

var (
	monthSpan = pattern.New(`\b` + monthName + `\s*(?:to|through|until|till|and|or|-|–)\s*` + monthName + `\b(?:\s+(?:of\s+)?(\d{4}))?|(?:(\d{4})年)?` + hanMonth + `\s*(?:到|至|和|与|或|-|~|—)\s*` + hanMonth)
	monthOne  = pattern.New(`\b(?:in|during|for|of|from|within)\s+` + monthName + `\b(?:\s+(?:of\s+)?(\d{4}))?|(?:(\d{4})年)?` + hanMonth + `(?:[^\d]|$)`)
	quarterEN = pattern.New(`\bq([1-4])\b(?:\s+(?:of\s+)?(\d{4}))?|\b(first|second|third|fourth|1st|2nd|3rd|4th) quarter\b(?:\s+(?:of\s+)?(\d{4}))?|(?:(\d{4})年)?(?:的)?第?([一二三四1-4])季度|(?:(\d{4})年)?(?:的)?([上下])半年|\b(first|second) half of (?:the year|(\d{4}))`)
	sinceTo   = pattern.New(`\b(?:since|after|before|until|till|by|not in)\s*$|(?:从|自)$`)
	hanBefore = pattern.New(`^(?:之前|以前|之后|以后|前|后|起|以来)`)
)

// parseMonth reads a month, several in a row, a quarter, or half a year.
func (q *Question) parseMonth() {
	if m := monthSpan.FindStringSubmatchIndex(q.Text); m != nil && !sinceTo.MatchString(q.Text[:m[0]]) {
		q.Clash = q.Clash || andMonths.MatchString(q.Text[m[0]:m[1]])
		if m[2] >= 0 {
			q.setMonths(m, monthOf(group(q.Text, m, 2)), monthOf(group(q.Text, m, 4)), group(q.Text, m, 6))
		} else {
			q.setMonths(m, hanMonthOf(group(q.Text, m, 10)), hanMonthOf(group(q.Text, m, 12)), group(q.Text, m, 8))
		}
		return
	}
	if m := quarterEN.FindStringSubmatchIndex(q.Text); m != nil {
		q.parseQuarter(m)
		return
	}
	m := monthOne.FindStringSubmatchIndex(q.Text)
	switch {
	case m == nil || m[8] >= 0 && hanDay.MatchString(q.Text[m[9]:]):
	case m[2] >= 0:
		mo := monthOf(group(q.Text, m, 2))
		q.setMonths([]int{m[2], m[1]}, mo, mo, group(q.Text, m, 4))
	case !hanBefore.MatchString(q.Text[m[8]:][len(hanMonthTail.FindString(q.Text[m[8]:])):]) && !sinceTo.MatchString(q.Text[:m[0]]):
		mo, end := hanMonthOf(group(q.Text, m, 8)), m[9]+len(hanMonthEnd.FindString(q.Text[m[9]:]))
		q.setMonths([]int{m[0], end}, mo, mo, group(q.Text, m, 6))
	}
}

var (
	hanMonthTail = pattern.New(`^[\d十一二三四五六七八九]+月(?:份)?`)
	hanMonthEnd  = pattern.New(`^月(?:份)?`)
)

func (q *Question) setMonths(m []int, from, to int, year string) {
	if from < 1 || from > 12 || to < from || to > 12 || q.TakenAt(m[0], m[1]) {
		return
	}
	q.Month, q.MonthTo, q.Clash = from, to, q.Clash && to > from+1
	q.MonthYear, _ = strconv.Atoi(year)
	q.take(m[0], m[1])
}

func (q *Question) parseQuarter(m []int) {
	g := func(i int) string { return group(q.Text, m, 2*i) }
	switch {
	case g(8) != "":
		n := map[string]int{"上": 1, "下": 7}[g(8)]
		q.setMonths(m, n, n+5, g(7))
	case g(9) != "":
		n := map[string]int{"first": 1, "second": 7}[g(9)]
		q.setMonths(m, n, n+5, g(10))
	default:
		word := g(1) + g(3) + g(6)
		n := map[string]int{"1": 1, "2": 2, "3": 3, "4": 4, "first": 1, "second": 2, "third": 3, "fourth": 4, "1st": 1, "2nd": 2, "3rd": 3, "4th": 4, "一": 1, "二": 2, "三": 3, "四": 4}[word]
		q.setMonths(m, 3*n-2, 3*n, g(2)+g(4)+g(5))
	}
}

var (
	andMonths = pattern.New(`\b(?:and|or)\b|和|与|或`) // not all of what lies between
	hanDay    = pattern.New(`^月(?:份)?的?[十一二三四五六七八九廿\d]+[日号]`)
)

// hanMonthOf reads 2, 二, 十二.
func hanMonthOf(s string) int {
	n, _ := number(s)
	return n
}

var (
	weekdayEN  = pattern.New(`\b(mon|tues|wednes|thurs|fri|satur|sun)day(?:s|'s)?\b`)
	weekdayZH  = pattern.New(`(?:星期|礼拜|周)([一二三四五六日天])`)
	weekendAny = pattern.New(`\b(weekends?)\b|\b(weekdays|working days|workdays|business days)\b|(周末)|(工作日)`)
	weekNames  = map[string]string{
		"mon": "Monday", "tues": "Tuesday", "wednes": "Wednesday", "thurs": "Thursday", "fri": "Friday", "satur": "Saturday", "sun": "Sunday",
		"一": "Monday", "二": "Tuesday", "三": "Wednesday", "四": "Thursday", "五": "Friday", "六": "Saturday", "日": "Sunday", "天": "Sunday",
	}
)

// parseWeekdays reads the days of the week that rows are to be of.
func (q *Question) parseWeekdays() {
	for _, re := range []*pattern.Pattern{weekdayEN, weekdayZH} {
		for _, m := range re.FindAllStringSubmatchIndex(q.Text, -1) {
			if !q.TakenAt(m[0], m[1]) {
				q.addDays(m[0], m[1], weekNames[q.Text[m[2]:m[3]]])
			}
		}
	}
	q.fillDays()
	for _, m := range weekendAny.FindAllStringSubmatchIndex(q.Text, -1) {
		switch {
		case q.TakenAt(m[0], m[1]):
		case m[2] >= 0 || m[6] >= 0:
			q.addDays(m[0], m[1], "Saturday", "Sunday")
		default:
			q.addDays(m[0], m[1], "Monday", "Tuesday", "Wednesday", "Thursday", "Friday")
		}
	}
}

var (
	dayRange = pattern.New(`day(?:s)?\s*(?:to|through|till|until|-|–)\s*[a-z]+day|(?:星期|礼拜|周)[一二三四五六日天]\s*(?:到|至|-|~)|\bbetween [a-z]+day and\b`)
	weekRow  = []string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}
)

// fillDays takes two days of the week as the ends of a range where the words say so.
func (q *Question) fillDays() {
	if len(q.Weekdays) != 2 || !dayRange.MatchString(q.Text) {
		return
	}
	from, to := slices.Index(weekRow, q.Weekdays[0]), slices.Index(weekRow, q.Weekdays[1])
	if q.Weekdays = nil; to < from {
		to += len(weekRow)
	}
	for i := from; i <= to; i++ {
		q.Weekdays = append(q.Weekdays, weekRow[i%len(weekRow)])
	}
}

func (q *Question) addDays(from, to int, days ...string) {
	if len(q.Weekdays) == 0 {
		q.WeekdayAt = from
	}
	q.Weekdays = append(q.Weekdays, days...)
	q.take(from, to)
}
