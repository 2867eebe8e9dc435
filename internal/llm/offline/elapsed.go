package offline

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// stamped is a row with its time, and how many rows met the same words.
type stamped struct {
	event
	at  rows.Time
	all int
}

// elapsed tells how long it was from one row to another. What it cannot find, or not tell apart, it
// says by name.
func (s *session) elapsed(q *question.Question, files []string) (outcome, error) {
	a, whyA, err1 := s.stampOf(&q.Span.From, files)
	z, whyZ, err2 := s.stampOf(&q.Span.To, files)
	if err := first(err1, err2); err != nil {
		return outcome{}, err
	}
	if a == nil || z == nil {
		if a != nil {
			whyA = ""
		}
		return outcome{refused: true, text: s.say.f("I cannot tell how long it was: %s.", "无法得出时间间隔：%s。", cmp.Or(whyA, whyZ))}, nil
	}
	if a.at.Date != z.at.Date {
		return outcome{refused: true, text: s.say.of("I cannot tell how long it was: only one of the two times has a date.", "无法得出时间间隔：两个时间中只有一个有日期。")}, nil
	}
	d := z.at.Sub(a.at)
	text := s.say.f("**%s** from %s to %s.", "**%s**，从 %s 到 %s。", s.say.exactly(d, q.Span.Unit, a.at.Precision == rows.ToDay && z.at.Precision == rows.ToDay), s.stampText(a), s.stampText(z))
	if d < 0 {
		text += s.say.of(" The second came first.", "后者发生在前者之前。")
	}
	return outcome{text: text, findings: []*finding{{Kind: "text", File: fileOf(a.Source), Text: text}}}, nil
}

// marked answers what is asked of the rows before or after an event.
func (s *session) marked(q *question.Question, files []string) (outcome, error) {
	at, why, err := s.stampOf(&q.Mark.Event, files)
	if err != nil {
		return outcome{}, err
	}
	if at == nil {
		return outcome{refused: true, text: s.say.f("I cannot tell which rows are meant: %s.", "无法确定指的是哪些行：%s。", why)}, nil
	}
	one := q.Mark.Asked
	one.Limit = &question.Limit{At: at.at, File: fileOf(at.Source), Line: lineOf(at.Source), After: q.Mark.After}
	where := s.say.of("Before", "在此之前")
	if q.Mark.After {
		where = s.say.of("After", "在此之后")
	}
	out, err := s.overFiles(&one, files)
	out.text = s.say.f("%s %s:\n", "%[2]s，%[1]s：\n", where, s.stampText(at)) + out.text
	return out, err
}

// bindLimit takes the rows before or after an event. In the event's own log, rows of the same time are told apart by
// their lines; elsewhere they are neither.
func (b *binding) bindLimit() {
	l := b.q.Limit
	if l == nil || b.problem != "" {
		return
	}
	if _, _, ok := b.timeRange(); !ok {
		b.problem = b.say.of("its rows carry no time", "其中的行没有时间")
		return
	}
	op, said := "<", b.say.f("before %s", "%s 之前", l.At.String())
	if l.After {
		op, said = ">", b.say.f("after %s", "%s 之后", l.At.String())
	}
	column := b.stampColumn()
	equal := ""
	if column == rows.TimeField && l.File == b.file {
		equal = "="
		b.filter(fmt.Sprintf("line %s %d", op, l.Line), "")
	}
	b.filter(quoteName(column)+" "+op+equal+" "+quoteValue(l.At.String()), said)
}

func fileOf(source string) string { return source[:max(strings.LastIndexByte(source, ':'), 0)] }

func (s *session) stampText(e *stamped) string {
	return fmt.Sprintf("%s (%s: %s)", e.Time, e.Source, code(clipText(e.Text, 120)))
}

// exactly writes a duration in all its parts, and in the unit that was asked for.
func (l say) exactly(d time.Duration, unit string, wholeDays bool) string {
	d = max(d, -d)
	days := int(d / (24 * time.Hour))
	if wholeDays {
		return l.of(plural(days, "day"), n(days)+" 天")
	}
	var parts []string
	part := func(v int, en, zh string) {
		if v > 0 {
			parts = append(parts, l.f("%d %s", "%d %s", v, l.of(en, zh)))
		}
	}
	part(days, "d", "天")
	part(int(d/time.Hour)%24, "h", "小时")
	part(int(d/time.Minute)%60, "min", "分")
	part(int(d/time.Second)%60, "s", "秒")
	part(int(d/time.Millisecond)%1000, "ms", "毫秒")
	if len(parts) == 0 {
		parts = []string{l.of("0 s", "0 秒")}
	}
	out := strings.Join(parts, " ")
	for _, u := range spanUnits {
		if u.name == unit {
			out += l.f(" = %s %s", " = %s %s", fixed(float64(d)/float64(u.d), 2), l.of(unit+"s", u.zh))
		}
	}
	return out
}

var spanUnits = []struct {
	name, zh string
	d        time.Duration
}{{"second", "秒", time.Second}, {"minute", "分钟", time.Minute}, {"hour", "小时", time.Hour}, {"day", "天", 24 * time.Hour}, {"week", "周", 7 * 24 * time.Hour}}

// onlyChange are words for a change to the system, with nothing that says which.
var onlyChange = pattern.New(`^(?:\b(?:the|a|an|deploy(?:ment|ed)?|releases?d?|rollout|upgraded?|change|restart(?:ed)?|was|were|of)\b|[\s的]|部署|上线|发布|变更|升级|重启)+$`)

// stampOf finds the row that an event's words describe: of all files the first, or the last.
func (s *session) stampOf(e *question.Event, files []string) (best *stamped, why string, err error) {
	if len(e.Files) > 0 {
		files = e.Files
	}
	var errs []error
	for _, file := range files {
		one, reason, err := s.stampIn(e, file)
		if why = cmp.Or(why, reason); errs == nil || err != nil {
			errs = append(errs, err)
		}
		switch {
		case one == nil:
		case best == nil, !e.Last && one.at.Compare(best.at) < 0, e.Last && one.at.Compare(best.at) > 0:
			if best != nil {
				one.all += best.all
			}
			best = one
		default:
			best.all += one.all
		}
	}
	if err := first(errs...); err != nil {
		return nil, "", err
	}
	if best != nil && e.Any && best.all > 1 {
		return nil, s.say.f("%s fits %s; say the first or the last of them", "%s 对应 %s；请说明是第一个还是最后一个", code(e.Said), plainRows(s.say, best.all)), nil
	}
	return best, cmp.Or(why, s.say.f("nothing fits %s", "没有与 %s 对应的行", code(e.Said))), nil
}

func (s *session) stampIn(e *question.Event, file string) (*stamped, string, error) {
	if onlyChange.MatchString(e.Text) {
		return s.changeIn(e, file)
	}
	b, err := s.bind(&e.Question, file)
	switch {
	case err != nil:
		return nil, "", err
	case b.problem != "":
		return nil, s.say.f("%s: %s", "%s：%s", file, b.problem), nil
	case len(b.unheard) > 0:
		return nil, s.say.f("nothing in %s mentions %s", "%s 中没有出现 %s", file, s.say.list(quoteAll(b.unheard))), nil
	case len(b.where) == 0 && !e.Row && !b.rowNoun(strings.TrimSpace(e.Text)) && len(b.namedRows()) == 0:
		return nil, s.say.f("it is not clear which row of %s is meant by %s", "不清楚 %[2]s 指的是 %[1]s 的哪一行", file, code(e.Said)), nil
	}
	return s.stamp(b, e, strings.Join(b.where, " and "))
}

// namedRows are named columns that stand for the rows themselves: "the first hire", "the last order id".
func (b *binding) namedRows() []named {
	var out []named
	for _, m := range b.named {
		if m.col.kind == "time" || b.oneEach(m.col.name) {
			out = append(out, m)
		}
	}
	return out
}

// stamp reads the first or last row that meets a filter, by the time that it carries.
func (s *session) stamp(b *binding, e *question.Event, where string) (*stamped, string, error) {
	if _, _, ok := b.timeRange(); !ok {
		return nil, s.say.f("the rows of %s carry no time", "%s 中的行没有时间", b.file), nil
	}
	column := b.stampColumn()
	order := column + " asc"
	if e.Last {
		order = column + " desc"
	}
	t, err := s.extract(extract{Path: b.file, Where: where, Since: b.since, Until: b.until, Order: order, Limit: 1})
	if err != nil || len(t.rows) == 0 {
		return nil, "", err
	}
	ev := readEvent(t, 0)
	if b.format == "csv" || b.format == "markdown" {
		ev.Time = t.cell(0, column)
	}
	at, ok := rows.ParseTime(ev.Time)
	if !ok {
		return nil, s.say.f("the time of %s could not be read", "无法读取 %s 的时间", ev.Source), nil
	}
	return &stamped{*ev, at, t.matched()}, "", nil
}

// stampColumn is the column of times that is meant: the one named, else the first.
func (b *binding) stampColumn() string {
	if b.format != "csv" && b.format != "markdown" {
		return rows.TimeField
	}
	return b.timeColumn()
}

// timeColumn is the column of times that the question names, else the first there is.
func (b *binding) timeColumn() string {
	for _, m := range b.named {
		if m.col.kind == "time" {
			return m.col.name
		}
	}
	for _, c := range b.cols {
		if c.kind == "time" {
			return c.name
		}
	}
	return "line"
}

// changeIn finds the change to the system that a log or a note tells of.
func (s *session) changeIn(e *question.Event, file string) (*stamped, string, error) {
	if isProse(file) {
		f, err := s.study(&e.Question, file)
		if err != nil || f.Facts == nil {
			return nil, "", err
		}
		var best *stamped
		all := 0
		for _, c := range f.Facts.Changes {
			at, ok := rows.ParseTime(c.Time)
			if all++; ok && (best == nil || e.Last && at.Compare(best.at) > 0 || !e.Last && at.Compare(best.at) < 0) {
				best = &stamped{c.event, at, 0}
			}
		}
		if best != nil {
			best.all = all
		}
		return best, "", nil
	}
	b, err := s.bind(&question.Question{Lang: e.Lang}, file)
	if err != nil || b.column(rows.MessageField) == nil && b.column("text") == nil {
		return nil, "", err
	}
	return s.stamp(b, e, `message ~ "`+changeWords+`"`)
}
