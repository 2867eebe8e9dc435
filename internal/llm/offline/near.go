package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// How many rows of either kind are looked at, and how many are asked for at once: an answer of the
// tool holds so many sources and times for certain.
const (
	nearPage = 200
	nearMost = 24 * nearPage
)

// instant is a row and when it was.
type instant struct {
	source string
	at     time.Time
}

// near lists every row of one kind that stands near a row of another in time.
func (s *session) near(want *question.Near, files []string) (outcome, error) {
	if len(files) == 1 {
		want.Rows.Files, want.Of.Files = files, files
	}
	if len(files) > 1 && len(want.Rows.Files) == 0 && len(want.Of.Files) == 0 {
		var err1, err2 error
		want.Rows.Files, err1 = s.fileFor(&want.Rows, files)
		want.Of.Files, err2 = s.fileFor(&want.Of, files)
		if err := first(err1, err2); err != nil {
			return outcome{}, err
		}
	}
	if len(want.Rows.Files) == 0 || len(want.Of.Files) == 0 {
		return outcome{refused: true, text: s.say.of("Name the file of either kind of rows.", "请分别指明两类行所在的文件。")}, nil
	}
	if want.Same == "second" {
		want.Same, want.Within = "", 0
	}
	a, b, refusal, err := s.bindBoth(want)
	if err != nil || refusal != "" {
		return outcome{refused: true, text: refusal}, err
	}
	loA, _, okA := a.timeRange()
	loB, _, okB := b.timeRange()
	if !okA || !okB || loA.Date != loB.Date {
		return outcome{refused: true, text: s.say.f("%s and %s do not both carry times of the same kind, so their rows cannot be related by time.", "%s 和 %s 的时间写法不一致或没有时间，无法按时间关联。", a.file, b.file)}, nil
	}
	clock := shared{zone: loA, year: loA.Year && loB.Year}
	if !loA.Zone {
		clock.zone = loB
	}
	as, more1, err1 := s.moments(a, clock)
	bs, more2, err2 := s.moments(b, clock)
	if err := first(err1, err2); err != nil {
		return outcome{}, err
	}
	if more1 || more2 {
		return outcome{refused: true, text: s.say.f("More than %s rows of one kind meet this, too many to relate row by row; narrow the time or the filter.", "符合条件的行超过 %s 行，过多，无法逐行关联；请缩小时间或条件。", n(nearMost))}, nil
	}
	hits := nearOnes(as, bs, want, a.file == b.file)
	return s.sayNear(a, b, want, hits, len(as), len(bs), loA.Zone != loB.Zone)
}

// fileFor is the one file that has rows of a kind, if it is one alone.
func (s *session) fileFor(q *question.Question, files []string) ([]string, error) {
	var out []string
	var errs []error
	for _, file := range files {
		b, err := s.bind(q, file)
		if err == nil && b.problem == "" && len(b.unheard) == 0 && len(b.where) > 0 {
			args := b.args()
			args.Aggregate = "count"
			var t *table
			if t, err = s.extract(args); err == nil && atoi(t.cell(0, "count")) > 0 {
				out = append(out, file)
			}
		}
		errs = append(errs, err)
	}
	if len(out) != 1 {
		out = nil
	}
	return out, first(errs...)
}

// bindBoth ties both kinds of rows to their files; refusal says why that cannot be.
func (s *session) bindBoth(want *question.Near) (a, b *binding, refusal string, err error) {
	fa, err1 := s.resolve(want.Rows.Files[:1])
	fb, err2 := s.resolve(want.Of.Files[:1])
	if err = first(err1, err2); err != nil {
		return nil, nil, "", err
	}
	a, err1 = s.bind(&want.Rows, fa[0])
	b, err2 = s.bind(&want.Of, fb[0])
	if err = first(err1, err2); err != nil {
		return nil, nil, "", err
	}
	for _, x := range []*binding{a, b} {
		switch {
		case x.problem != "":
			return nil, nil, x.decline(x.problem).Text, nil
		case len(x.unheard) > 0:
			f, err := s.declineWords(x)
			if err != nil {
				return nil, nil, "", err
			}
			return nil, nil, f.Text, nil
		case len(x.where) == 0:
			return nil, nil, s.say.f("It is not clear which rows of %s are meant.", "不清楚指的是 %s 中的哪些行。", x.file), nil
		}
	}
	return a, b, "", nil
}

// shared is the clock that two files are put on: one's zone for one that names none, and no year if
// one has none.
type shared struct {
	zone rows.Time
	year bool
}

func (c shared) at(t rows.Time) time.Time {
	at := t.In(c.zone).At.UTC()
	if !c.year {
		at = time.Date(0, at.Month(), at.Day(), at.Hour(), at.Minute(), at.Second(), at.Nanosecond(), time.UTC)
	}
	return at
}

// moments gives when the rows of a binding were, in the order of time.
func (s *session) moments(b *binding, c shared) (out []instant, more bool, err error) {
	args := b.args()
	args.Columns, args.Limit = rows.TimeField, nearPage
	t, err := s.extract(args)
	if err != nil {
		return nil, false, err
	}
	if t.total > nearMost {
		return nil, true, nil
	}
	pages := []*table{t}
	var errs []error
	for args.Offset = nearPage; args.Offset < t.total; args.Offset += nearPage {
		p, err := s.extract(args)
		pages, errs = append(pages, p), append(errs, err)
	}
	if err := first(errs...); err != nil {
		return nil, false, err
	}
	for _, p := range pages {
		for i, r := range p.rows {
			if at, ok := rows.ParseTime(p.cell(i, rows.TimeField)); ok {
				out = append(out, instant{r[0], c.at(at)})
			}
		}
	}
	sorting.By(out, func(x, y instant) int { return x.at.Compare(y.at) })
	return out, false, nil
}

// nearOnes gives the rows of a that have one of b as near as is asked.
func nearOnes(as, bs []instant, want *question.Near, same bool) []instant {
	var out []instant
	for _, a := range as {
		lo, hi := a.at.Add(-want.Within), a.at.Add(want.Within)
		switch {
		case want.Same != "":
			w := (&timeline{unit: want.Same}).width()
			lo = a.at.Truncate(w)
			hi = lo.Add(w - 1)
		case want.After:
			hi = a.at
		case want.Before:
			lo = a.at
		}
		i, _ := slices.BinarySearchFunc(bs, lo, func(m instant, t time.Time) int { return m.at.Compare(t) })
		for ; i < len(bs) && !bs[i].at.After(hi); i++ {
			if !same || bs[i].source != a.source {
				out = append(out, a)
				break
			}
		}
	}
	return out
}

// nearShown is how many of the rows are listed.
const nearShown = 20

func (s *session) sayNear(a, b *binding, want *question.Near, hits []instant, all, of int, guessed bool) (outcome, error) {
	head := s.say.f("**%s** of the %s of %s (%s) are %s one of the %s of %s (%s)", "%[3]s 中符合条件（%[4]s）的 %[2]s里，有 **%[1]s** 在 %[7]s 的 %[6]s（%[8]s）之一%[5]s",
		n(len(hits)), plainRows(s.say, all), a.file, a.what(), s.say.nearness(want), plainRows(s.say, of), b.file, b.what())
	if s.say == "zh" {
		head = strings.Replace(head, "**"+n(len(hits))+"**", "**"+n(len(hits))+"** 行", 1)
	}
	out := outcome{text: head + s.say.of(".", "。")}
	if len(hits) > 0 {
		list, err := s.nearRows(a, hits)
		if err != nil {
			return out, err
		}
		out.text = head + s.say.of(":", "：") + "\n" + list
		if len(hits) > nearShown {
			out.text += s.say.f("\n(%d more)", "\n（另有 %d 行）", len(hits)-nearShown)
		}
	}
	if guessed {
		out.text += s.say.renderNotes([]string{s.say.of("one of the files names no zone; its clock is taken to be that of the other", "其中一个文件没有写时区，按另一个文件的时区处理")})
	}
	return out, nil
}

// nearness says how near.
func (l say) nearness(want *question.Near) string {
	if want.Same != "" {
		return l.f("in the same %s as", "在同一%s", l.unit(want.Same))
	}
	d := l.span(want.Within)
	switch {
	case want.After:
		return l.f("within %s after", "之后 %s内", d)
	case want.Before:
		return l.f("within %s before", "之前 %s内", d)
	}
	return l.f("within %s of", "前后 %s内", d)
}

// nearRows lists the first of the rows with what they hold.
func (s *session) nearRows(a *binding, hits []instant) (string, error) {
	var lines []string
	for _, h := range hits[:min(len(hits), nearShown)] {
		lines = append(lines, fmt.Sprint(lineOf(h.source)))
	}
	t, err := s.extract(extract{Path: a.file, Where: "line in (" + strings.Join(lines, ", ") + ")", Limit: nearShown})
	if err != nil {
		return "", err
	}
	return strings.Join(s.say.rowList(readRows(t)), "\n"), nil
}
