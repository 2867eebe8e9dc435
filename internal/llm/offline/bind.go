package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// role is what a column is named for.
type role int

const (
	plainRole role = iota
	groupRole      // after by, per, each, which
)

// named is a column that the question names.
type named struct {
	col      *column
	role     role
	from, to int
}

// binding is a question tied to the columns and values of one file.
type binding struct {
	say      say
	q        *question.Question
	file     string
	format   string
	rows     int
	cols     []column
	found    map[string]found
	named    []named
	where    []string
	said     []string // the same for people
	since    string
	until    string
	span     string   // the range for people
	unheard  []string // words that stand nowhere in the file
	having   *having  // a bound on the groups' figure
	problem  string   // why the question cannot be answered from this file
	consumed []word
	plays    []string // columns that have a part in the answer beside the filter
	about    fileLine
	allNots  []question.Not          // words of the question that turn something round
	nots     []question.Not          // those of them that have yet to find what they govern
	governed map[question.Not]string // what each of them governs
	turned   []string                // columns of the conditions that a list after one of them turned round
	ored     bool                    // "or" has found its place
	timed    []string                // conditions on when a named column was
	places   map[string]int          // where in the question conditions stand
	outcome  string                  // the condition that a rate is of
	rated    bool                    // a rate is asked for that no column holds
	themed   bool                    // what is measured is told by a theme, not by a column's name
	stage    map[string]int          // conditions by which of the questions that lean on each other they are from
}

// having is a bound on the figure of groups: "more than 5 errors".
type having struct {
	op    string
	limit float64
	count bool // of rows, not of the measure
}

// bind asks what the file holds and ties the question to it.
func (s *session) bind(q *question.Question, file string) (*binding, error) {
	t, err := s.extract(extract{Path: file, Describe: true, LookFor: strings.Join(candidates(q), ",")})
	if err != nil {
		return nil, err
	}
	b := &binding{say: s.say, q: q, file: file, cols: readColumns(t), found: map[string]found{}, rows: t.rowsRead()}
	if len(t.files) > 0 {
		b.about, b.format = t.files[0], t.files[0].format
	}
	for _, f := range t.found {
		b.found[f.word] = f
	}
	q = b.withoutUnit(q)
	b.q = q
	b.allNots = q.Nots()
	b.nots = slices.Clone(b.allNots)
	b.bindGloss()
	b.bindSubject()
	b.bindStock()
	b.bindLow()
	b.bindAbsent()
	b.bindSpells()
	b.bindLeave()
	b.bindStatusWords()
	b.bindAnonymous()
	b.bindConceptPhrases()
	b.nameColumns()
	b.nameByVerbs()
	b.nameDoers()
	b.nameJoined()
	b.bindGone()
	b.bindStayed()
	b.bindOut()
	b.nameFlags()
	b.bindTotals()
	b.bindContrasts()
	b.bindLate()
	b.bindApart()
	b.bindGender()
	b.bindPass()
	b.bindAdjectives()
	b.bindReckoned()
	b.bindTheme()
	b.bindOccasions()
	b.bindAdjacent()
	b.bindPace()
	b.bindRates()
	b.bindEmpty()
	b.bindPatterns()
	b.bindMethods()
	b.bindKinds()
	b.bindLevel()
	b.bindBounds()
	b.bindLines()
	b.bindTimes()
	b.bindLimit()
	b.bindWeekdays()
	b.bindQuoted()
	if err := s.bindNames(b); err != nil {
		return nil, err
	}
	if noun := cmp.Or(b.ungrouped(), b.unheld()); noun != "" && b.problem == "" {
		b.problem = b.say.f("it has no column for `%s`", "其中没有与 `%s` 对应的列", noun)
	}
	b.bindValues()
	b.dropLeading()
	b.joinTexts()
	b.join()
	if q.Base != nil {
		if err := s.bindBase(b); err != nil {
			return nil, err
		}
	}
	b.dropDoubled()
	if q.Then != "" && b.problem == "" {
		b.problem = b.say.f("I cannot tell which time `%s` is; name it", "无法得知 `%s` 是什么时间；请写明时间", q.Then)
	}
	b.refuseOr()
	b.refuseRest()
	b.refuseNots()
	b.refuseTimes()
	b.refuseTheme()
	return b, nil
}

var unitWord = pattern.New(`\b(hour|day|month|year)ly\b|\bdaily\b|\b(?:per|an?|each|every) (hour|day|month|year)\b`)

// withoutUnit takes "monthly fee" and "fee per month" for the column of that name and not for each month.
func (b *binding) withoutUnit(q *question.Question) *question.Question {
	at := unitWord.FindStringSubmatchIndex(q.Text)
	if at == nil || q.Unit == "" {
		return q
	}
	unit := "day"
	if from := max(at[2], at[4]); from >= 0 {
		unit = q.Text[from:max(at[3], at[5])]
	}
	if !slices.ContainsFunc(b.cols, func(c column) bool { return perUnitName(c.name, unit) }) {
		return q
	}
	return q.WithoutUnit(at[0], at[1])
}

// perUnitName tells a name that says for which time a figure is: monthly_cost, cost_per_month.
func perUnitName(name, unit string) bool {
	words := nameWords(name)
	if slices.Contains(words, strings.Replace(unit, "day", "dai", 1)+"ly") {
		return true
	}
	at := slices.Index(words, "per")
	return at >= 0 && at+1 < len(words) && words[at+1] == unit
}

func (b *binding) column(name string) *column {
	for i := range b.cols {
		if b.cols[i].name == name {
			return &b.cols[i]
		}
	}
	return nil
}

func (b *binding) use(w word) { b.consumed = append(b.consumed, w) }
func (b *binding) used(from, to int) bool {
	return b.q.TakenAt(from, to) || slices.ContainsFunc(b.consumed, func(w word) bool { return from < w.to && to > w.from })
}

// filter adds a condition and how it is said.
func (b *binding) filter(cond, said string) {
	if !slices.Contains(b.where, cond) {
		b.where = append(b.where, cond)
		b.said = append(b.said, said)
	}
}

// bindLevel turns "errors" into a filter: by level, by the status of requests, or by the word.
func (b *binding) bindLevel() {
	failed := b.bindOutcome()
	if st := b.statusColumn(); len(b.q.Statuses) > 0 && st != "" {
		classes := fmt.Sprint(b.q.Status)
		for _, c := range b.q.Statuses {
			classes += fmt.Sprint(c)
		}
		b.filter(quoteName(st)+` ~ "^[`+classes+`]\\d\\d$"`, fmt.Sprintf("%s %sxx", st, strings.Join(strings.Split(classes, ""), "xx/")))
		return
	}
	if st := b.statusColumn(); b.q.Status > 0 && st != "" {
		b.filter(fmt.Sprintf("%s >= %d00 and %s < %d00", st, b.q.Status, st, b.q.Status+1), fmt.Sprintf("%s %dxx", st, b.q.Status))
		return
	}
	b.bindNotLevel()
	if failed {
		return
	}
	level := b.q.Level
	if b.bindExceptions() || level == "" || b.errorColumn() {
		return
	}
	up := strings.ToUpper(level)
	switch {
	case len(b.q.Levels) > 0:
		b.bindLevels()
	case b.column(rows.LevelField) != nil && b.q.Above:
		b.filter("level >= "+level, b.say.f("level %s or above", "级别为 %s 或更高", up))
	case b.column(rows.LevelField) != nil:
		b.filter("level = "+level, b.say.f("level %s", "级别为 %s", up))
	case b.statusColumn() != "" && rows.Severity(level) >= rows.Error:
		b.filter(b.statusColumn()+" >= 500", b.say.f("%s of 500 or above", "%s 不小于 500", b.statusColumn()))
	default:
		b.filter(`any contains "`+level+`"`, b.say.f("%s in the line", "行中有 %s", level))
	}
}

var (
	exceptionWord = pattern.New(`\bexceptions?\b|异常`)
	kindsAsked    = pattern.New(`\b(?:what|which|kinds?|types?|list|top|per|by|each)\b|哪些|什么|种|最|类型|类别|分类|分别|各`)
)

// kindsOf asks which different messages there are, and how many of each.
var kindsOf = pattern.New(`\b(?:what|which|list)\b[^.?!]*\b((?:kinds?|types?|sorts?) of) (?:errors?|warnings?|failures?)\b|(?:哪(?:几|些)?|什么|各)(种类?|类型?)(?:的)?(?:错误|警告|告警|报错)`)

// bindKinds reads the kinds of errors as the messages that they have.
func (b *binding) bindKinds() {
	at := kindsOf.FindStringSubmatchIndex(b.q.Text)
	if at == nil || b.q.Level == "" || b.column(rows.MessageField) == nil || len(b.groupColumns()) > 0 {
		return
	}
	from, to := max(at[2], at[4]), max(at[3], at[5])
	b.use(word{b.q.Text[from:to], from, to})
	q := *b.q
	q.Intent, q.Fn, b.q = question.Top, "", &q
	b.named = append(b.named, asNamed(rows.MessageField, groupRole, 0, 0))
}

// bindExceptions reads "exceptions" as those that the traces of a log name, by their kinds if these are
// asked for.
func (b *binding) bindExceptions() bool {
	if b.q.Level != "error" || b.column(rows.ExceptionField) == nil || !exceptionWord.MatchString(b.q.Text) || len(b.q.Levels) > 0 {
		return false
	}
	b.filter(rows.ExceptionField+` != ""`, b.say.of("naming an exception", "写明异常"))
	if i := b.q.Intent; kindsAsked.MatchString(b.q.Text) && (i == question.Count || i == question.Top || i == question.Filter) {
		q := *b.q
		q.Intent, b.q = question.Top, &q
		b.named = append(b.named, asNamed(rows.ExceptionField, groupRole, 0, 0))
	}
	return true
}

// errorColumn tells a table that counts errors in a column: the word then names the column.
func (b *binding) errorColumn() bool {
	if b.column(rows.LevelField) != nil {
		return false
	}
	for i := range b.cols {
		c := &b.cols[i]
		if w := nameWords(c.name); c.kind == "number" && len(w) <= 2 && slices.Contains(w, b.q.Level) || c.name == "错误数" {
			b.named = append(b.named, named{c, plainRole, 0, 0})
			return true
		}
	}
	return false
}

// statusColumn is the column of HTTP statuses, if there is one; what is only called a code may be any
// other number.
func (b *binding) statusColumn() string {
	for _, c := range b.cols {
		w := nameWords(c.name)
		lo, err1 := strconv.Atoi(c.min)
		hi, err2 := strconv.Atoi(c.max)
		if c.kind == "number" && (w[0] == "status" || w[len(w)-1] == "status" || w[0] != "code" && sameThing(strings.Join(w, " "), "status")) && err1 == nil && err2 == nil && lo >= 100 && hi < 600 {
			return c.name
		}
	}
	return ""
}

// durationColumn is the column that tells how long things took; duration_ms is in milliseconds.
func (b *binding) durationColumn() *column {
	if c := b.column(rows.DurationField); c != nil {
		return c
	}
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "number" && sameThing(strings.Join(nameWords(c.name), " "), "duration") {
			return c
		}
	}
	var only *column // whose name ends with a unit of time
	for i := range b.cols {
		switch c := &b.cols[i]; {
		case c.kind == "number" && timeUnits[strings.ToLower(c.name)]:
			return c
		case c.kind == "number" && c.timeUnit() > 0 && lasts.MatchString(c.name) && only != nil:
			return nil
		case c.kind == "number" && c.timeUnit() > 0 && lasts.MatchString(c.name):
			only = c
		}
	}
	return only
}

// lasts is a name of how long a thing is, unlike how late it is.
var lasts = pattern.New(`(?i)length|runtime|running|duration|time|时长|用时|片长|时间`)

// timeUnits are names of columns that hold how long something took, by the unit or by what was measured.
var timeUnits = set("minutes mins hours ms msec msecs millis milliseconds sec secs seconds elapsed took rt rtt")

// bindTimes turns the asked range into the tool's, with the file's own days where the words leave
// them out.
func (b *binding) bindTimes() {
	q := b.q
	if q.Since == nil && q.Until == nil && q.Month == 0 && q.LastSpan == "" {
		return
	}
	lo, hi, ok := b.timeRange()
	switch {
	case !ok:
		b.problem = b.say.of("its rows carry no time", "其中的行没有时间")
		return
	case q.Clash:
		b.problem = b.say.of("it names several times that are no single range; ask for each by itself", "问题中有多个时间，不是一个连续的范围；请分别提问")
		return
	case q.Zone != "":
		b.problem = b.say.f("I do not know the clock of `%s`; give the time in UTC or with an offset such as +08:00", "不清楚 `%s` 是哪个时区；请用 UTC 或 +08:00 这样的偏移写出时间", q.Zone)
		return
	case !lo.Zone && (q.Since != nil && q.Since.Zone || q.Until != nil && q.Until.Zone):
		b.problem = b.say.of("its times carry no zone, so a time with a zone cannot be found in it", "其中的时间没有时区，无法与带时区的时间比较")
		return
	}
	switch {
	case q.Month > 0:
		b.bindMonth(lo, hi)
		return
	case q.LastSpan != "":
		d, _ := time.ParseDuration(q.LastSpan)
		hi.At = hi.At.Add(-d)
		b.since = hi.String()
	}
	since, until := b.dated(q.Since, q.Until, lo, hi)
	if since != nil {
		b.since = since.String()
	}
	if until != nil {
		b.until = until.String()
	}
	b.span = b.spanText()
	b.timesOf()
	if since != nil && !since.Date && days(lo, hi) > 1 || until != nil && !until.Date && days(lo, hi) > 1 {
		b.span += b.say.of(", on each of its days", "（每一天）")
	}
}

// namedTime is the column of times that the question names, of a table that has several; nil if it names none.
func (b *binding) namedTime() *column {
	var hit *column
	count := 0
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "time" && c.name != rows.TimeField {
			count++
		}
	}
	for _, m := range b.named {
		if m.to > 0 && m.col.kind == "time" && hit == nil && b.column(m.col.name) != nil {
			hit = m.col
		}
	}
	if count < 2 && !(hit != nil && b.column(rows.TimeField) != nil) || hit != nil && hit.name == rows.TimeField {
		return nil
	}
	return hit
}

// timesOf has the range hold of the column that the question names, not of the first that a row has.
func (b *binding) timesOf() {
	c := b.namedTime()
	if c == nil {
		return
	}
	if b.since != "" {
		b.where, b.said = append(b.where, quoteName(c.name)+" >= "+quoteValue(b.since)), append(b.said, "")
	}
	if t, ok := rows.ParseTime(b.until); ok {
		if t.Precision == rows.ToDay {
			t.At = t.At.AddDate(0, 0, 1)
		}
		b.where, b.said = append(b.where, quoteName(c.name)+" < "+quoteValue(t.String())), append(b.said, "")
	}
	for _, w := range b.where {
		if strings.HasPrefix(w, quoteName(c.name)+" >= ") || strings.HasPrefix(w, quoteName(c.name)+" < ") {
			b.timed = append(b.timed, w)
		}
	}
	b.since, b.until, b.span = "", "", c.name+" "+b.span
}

func (b *binding) spanText() string {
	switch {
	case b.until == "":
		return b.say.f("from %s on", "%s 起", b.since)
	case b.since == "":
		return b.say.f("before %s", "%s 之前", b.until)
	}
	return b.say.f("from %s until before %s", "%s 起至 %s 前", b.since, b.until)
}

// timeRange gives the first and last time of the file.
func (b *binding) timeRange() (lo, hi rows.Time, ok bool) {
	for _, c := range b.cols {
		if c.kind != "time" && c.name != rows.TimeField {
			continue
		}
		lo, ok1 := rows.ParseTime(c.min)
		hi, ok2 := rows.ParseTime(c.max)
		if ok1 && ok2 {
			return lo, hi, true
		}
	}
	return lo, hi, false
}

func (b *binding) bindMonth(lo, hi rows.Time) {
	y := lo.At.Year()
	switch {
	case b.q.MonthYear > 0:
		y = b.q.MonthYear
	case lo.At.Year() != hi.At.Year():
		b.problem = b.say.f("it spans %d to %d, so the month needs its year", "数据跨越 %d 到 %d 年，需要说明是哪一年", lo.At.Year(), hi.At.Year())
		return
	}
	last := max(b.q.MonthTo, b.q.Month)
	from := time.Date(y, time.Month(b.q.Month), 1, 0, 0, 0, 0, time.UTC)
	end := time.Date(y, time.Month(last)+1, 1, 0, 0, 0, 0, time.UTC)
	b.since, b.until = from.Format("2006-01-02 15:04"), end.Format("2006-01-02 15:04")
	if b.span = b.say.f("in %s", "%s", from.Format("2006-01")); last > b.q.Month {
		b.span = b.say.f("from %s to %s", "%s 至 %s", from.Format("2006-01"), end.AddDate(0, -1, 0).Format("2006-01"))
	}
	b.timesOf()
}

// bindWeekdays takes the rows of some days of the week.
func (b *binding) bindWeekdays() {
	if len(b.q.Weekdays) == 0 {
		return
	}
	if lo, _, ok := b.timeRange(); !ok || !lo.Date || !lo.Year {
		b.problem = b.say.of("its rows carry no full date, so the day of the week is not known", "其中的行没有完整日期，无法得知是星期几")
		return
	}
	names := b.q.Weekdays
	if b.negates(b.q.WeekdayAt, weekdayColumn) {
		for _, d := range names {
			b.filter(weekdayColumn+" != "+d, b.say.f("not on a %s", "不在 %s", d))
		}
		return
	}
	b.filter(weekdayColumn+" in ("+strings.Join(names, ", ")+")", b.say.f("on %s", "在 %s", strings.Join(names, b.say.of(" or ", " 或 "))))
	b.ored = true
}

// weekdayColumn is a worked-out column of extract: Monday to Sunday.
const weekdayColumn = "weekday"
