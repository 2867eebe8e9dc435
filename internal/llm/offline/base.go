package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// bindBase takes over what the question before in the message is about: its conditions, but for those on
// a column of which this one names a value itself, and what it groups by, if this one says nothing else.
func (s *session) bindBase(b *binding) error {
	base, err := s.bind(b.q.Base, b.file)
	if err != nil {
		return err
	}
	if b.problem == "" {
		b.problem = base.problem
	}
	for _, w := range base.unheard {
		if !slices.Contains(b.unheard, w) {
			b.unheard = append(b.unheard, w)
		}
	}
	if ofThem.MatchString(b.q.Text) && base.problem == "" && b.q.Intent == question.Count {
		if err := s.ofBest(b, base); err != nil {
			return err
		}
	}
	own := map[string]bool{}
	for _, w := range b.where {
		own[conditionColumn(w)] = true
	}
	if b.q.Loose && b.apartFrom(base, own) {
		b.problem = b.say.f("it is not clear whether %s is to hold here too; ask for it by itself", "不清楚 %s 在这里是否也成立；请单独提问", b.say.list(base.said))
		return nil
	}
	for i, w := range base.where {
		if slices.Contains(base.timed, w) && (len(b.timed) > 0 || b.span != "") && !ofThem.MatchString(b.q.Text) {
			continue // it has a time of its own
		}
		if name := conditionColumn(w); !own[name] && !(b.q.Soft && !names(w)) {
			b.where, b.said = append(b.where, w), append(b.said, base.said[i])
		}
	}
	if b.q.Fn != "" && b.measure() == nil {
		if m := base.measure(); m != nil {
			b.named = append(b.named, named{m, plainRole, 0, 0})
		}
	}
	if b.q.Soft {
		return nil
	}
	if b.q.Best {
		b.rankBy(base)
	}
	q := *b.q
	if q.Level == "" && q.Status == 0 {
		q.Level, q.Above = base.q.Level, base.q.Above
	}
	b.q = &q
	if q.Intent == question.Top && len(b.groupColumns()) == 0 && (q.Unit == "" || q.Unit == base.q.Unit) { // "and which minute" groups by its own
		for _, m := range base.named {
			if m.role == groupRole && !b.isNamed(m.col.name) {
				b.named = append(b.named, named{m.col, groupRole, 0, 0})
			}
		}
		if c := base.countedColumn(); c != nil && len(b.groupColumns()) == 0 {
			b.named = append(b.named, named{c, groupRole, 0, 0})
		}
	}
	return nil
}

// rankBy makes a superlative that names no measure one of what the question before reckoned of each group.
func (b *binding) rankBy(base *binding) {
	m, own := base.measure(), b.measure()
	if m == nil && base.q.Fn == "sum" {
		m = base.money()
	}
	switch {
	case m == nil || own != nil && own.name != m.name || b.saysMeasure():
		return
	case len(base.further(m)) > 0:
		b.problem = cmp.Or(b.problem, b.say.of("it is not clear by which of several figures; name it", "不清楚按哪一个数值；请指明"))
		return
	case own == nil:
		b.named = append(b.named, named{b.column(m.name), plainRole, 0, 0})
	}
	q := *b.q
	q.Fn, b.q = base.q.Fn, &q
}

// saysMeasure tells that something beside a column stands before 最: 哪个地区订单最多 is about orders.
func (b *binding) saysMeasure() bool {
	at := strings.Index(b.q.Text, "最")
	from := -1
	for _, m := range b.named {
		if m.to > 0 && m.to <= at {
			from = max(from, m.to)
		}
	}
	return from >= 0 && strings.Trim(b.q.Text[from:at], " 的里中是") != ""
}

// apartFrom tells conditions of which none is on a column that the question before has a thing named of: it
// may be about something else.
func (b *binding) apartFrom(base *binding, own map[string]bool) bool {
	if len(own) == 0 || !slices.ContainsFunc(base.where, names) {
		return false
	}
	return !slices.ContainsFunc(base.where, func(w string) bool { return own[conditionColumn(w)] })
}

// conditionColumn is the column that a condition is on.
func conditionColumn(w string) string {
	if strings.HasPrefix(w, `"`) {
		if end := strings.IndexByte(w[1:], '"'); end >= 0 {
			return w[:end+2]
		}
	}
	name, _, _ := strings.Cut(w, " ")
	return name
}

// names tells a condition that a column has a value, which is a thing that the words name.
func names(w string) bool {
	column := conditionColumn(w)
	rest := strings.TrimPrefix(w, column)
	return column != rows.LevelField && column != "any" && (strings.HasPrefix(rest, ` = "`) || strings.HasPrefix(rest, " in ("))
}

// dropDoubled leaves out what "errors" means of requests where the words name a status themselves:
// "404 errors" are those of 404.
func (b *binding) dropDoubled() {
	st := b.statusColumn()
	if st == "" || b.q.Level == "" {
		return
	}
	meant := quoteName(st) + " >= 500"
	at := slices.Index(b.where, meant)
	if at < 0 || !slices.ContainsFunc(b.where, func(w string) bool {
		return strings.HasPrefix(w, quoteName(st)+" = ") || strings.HasPrefix(w, quoteName(st)+" in ")
	}) {
		return
	}
	b.where, b.said = slices.Delete(b.where, at, at+1), slices.Delete(b.said, at, at+1)
}

// ofThem is about the rows of what was just found, not of all that was ranked.
var ofThem = pattern.New(`\b(?:of (?:them|those|these|its|theirs)|did (?:it|they|he|she))\b|其中`)

// ofBest leaves the rows of the one group that leads a ranking, which is what the question before asked for.
func (s *session) ofBest(b, base *binding) error {
	by := base.groupColumns()
	if base.q.Intent != question.Top || base.q.Unit != "" || len(by) != 1 || !base.q.Desc && !base.q.Asc || base.one() != 1 {
		return nil
	}
	f, err := s.groups(base, by, nil)
	switch {
	case err != nil:
		return err
	case f.Kind != "groups" || f.Fn != "" || len(f.Groups) == 0:
		return nil
	case len(f.Groups) > 1 && f.Groups[0].Value == f.Groups[1].Value:
		b.problem = b.say.f("several of `%s` lead, so it is not clear whose rows are meant; name one", "有多个 `%s` 并列，不清楚指的是哪一个；请指明", by[0])
		return nil
	}
	b.filter(quoteName(by[0])+" = "+quoteValue(f.Groups[0].Key), by[0]+" = "+f.Groups[0].Key)
	return nil
}
