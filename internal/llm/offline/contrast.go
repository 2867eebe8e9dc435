package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

const (
	moreThan = `(?:more|greater|higher|larger|bigger|longer|later|slower|heavier|older|further)(?: [a-z]+)? than|above|over|after|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|beyond|past|>`
	lessThan = `(?:less|lower|fewer|smaller|shorter|earlier|faster|lighter|cheaper|younger)(?: [a-z]+)? than|below|under|before|short of|<`
	theirs   = `(?:(?:the|its|their|his|her|what|it|they|was|were|is|are|had been|has been|been|originally) )*`
	moreHan  = `超过|超出|大于|高于|多于|长于|晚于|慢于`
	lessHan  = `小于|低于|少于|短于|早于|快于|不足`
)

// Words between two columns, before the first or behind the second, that set one against the other in each row.
var (
	contrasted = pattern.New(`^\s*(?:(?:time|date|value|amount|figure) )?(?:(?:is|was|are|were|has|have|had|did|does|do|being|came|much|far|even) ?)*(not |n't )?(?:(` + moreThan + `)|(` + lessThan + `))\s+` + theirs + `$|^(?:的)?(没有|没|不|未)?(?:(` + moreHan + `)|(` + lessHan + `))了?\s*$`)
	comparedTo = pattern.New(`\b(?:(more|greater|higher|larger|bigger|longer|later)|(less|lower|fewer|smaller|shorter|earlier))\s+$`)
	thanOnly   = pattern.New(`^\s*than\s+` + theirs + `$`)
	besideHan  = pattern.New(`^\s*(?:都|还|要)?(没有|没|不)?比\s*$`)
	behindHan  = pattern.New(`^\s*(?:还|要|更)?(?:(多|高|大|长|晚|贵|久|慢|重)|(少|低|小|短|早|便宜|快|轻))(?:了|出)?`)
	setAgainst = pattern.New(`(?:\b(not |n't )?(?:(` + moreThan + `)|(` + lessThan + `))\s+` + theirs + `|(没有|没|不|未)?(?:(` + moreHan + `|超)|(` + lessHan + `))了?)$`)
	byBound    = pattern.New(`^\s*(?:by|整整)?\s*$`)
)

// bindContrasts takes the rows in which one column is above or below another.
func (b *binding) bindContrasts() {
	for i := 0; i < len(b.named); i++ {
		m := b.named[i]
		if m.to == 0 || m.col.kind != "number" && m.col.kind != "time" {
			continue
		}
		if i > 0 {
			if p := b.named[i-1]; p.to > 0 && p.to <= m.from && p.col.kind == m.col.kind && p.col.name != m.col.name {
				if op, from, to := b.contrastOf(p, m); op != "" {
					b.contrast(p.col, m.col, op, from, to)
					b.named = slices.Delete(b.named, i-1, i+1)
					i -= 2
					continue
				}
			}
		}
		at := setAgainst.FindStringSubmatchIndex(b.q.Text[:m.from])
		if at == nil || b.q.TakenAt(at[0], m.from) || m.role == groupRole {
			continue
		}
		if other := b.sibling(m.col); other != nil {
			b.contrast(other, m.col, contrastOp(at), at[0], m.to)
			b.named = slices.DeleteFunc(b.named, func(x named) bool {
				return x.from >= at[0] && x.to <= m.to || x.col.name == other.name && x.role != groupRole
			})
			i = -1
		}
	}
}

// contrastOp reads what a pattern of five groups found: turned round or not, more or less, in either language.
func contrastOp(m []int) string {
	op := ">"
	if m[6] >= 0 || len(m) > 12 && m[12] >= 0 {
		op = "<"
	}
	if m[2] >= 0 || len(m) > 8 && m[8] >= 0 {
		op = turnedOps[op]
	}
	return op
}

// contrastOf gives how the words set two named columns against each other, and where they begin and end.
func (b *binding) contrastOf(p, m named) (op string, from, to int) {
	between, before, after := b.q.Text[p.to:m.from], b.q.Text[:p.from], b.q.Text[m.to:]
	if at := contrasted.FindStringSubmatchIndex(b.boundless(p.to, m.from)); at != nil {
		return contrastOp(at), p.from, m.to
	}
	if at := comparedTo.FindStringSubmatchIndex(before); at != nil && thanOnly.MatchString(between) {
		if at[2] >= 0 {
			return ">", at[0], m.to
		}
		return "<", at[0], m.to
	}
	if at, end := besideHan.FindStringSubmatchIndex(between), behindHan.FindStringSubmatchIndex(after); at != nil && end != nil {
		op = map[bool]string{true: ">", false: "<"}[end[2] >= 0]
		if at[2] >= 0 {
			op = turnedOps[op]
		}
		return op, p.from, m.to + end[1]
	}
	return "", 0, 0
}

// boundless is a part of the question without the bounds in it: "30 minutes later than".
func (b *binding) boundless(from, to int) string {
	text := b.q.Text[from:to]
	for _, bound := range b.q.Bounds {
		if bound.At >= from && bound.End <= to {
			text = strings.Join(strings.Fields(b.q.Text[from:bound.At]+" "+b.q.Text[bound.End:to]), " ") + " "
		}
	}
	return strings.TrimLeft(text, " ")
}

// contrast filters by the difference of two columns, which is to be as large as a bound right behind the words says.
func (b *binding) contrast(x, y *column, op string, from, to int) {
	limit, said := "0", x.name+" "+op+" "+y.name
	if b.negates(from, x.name) {
		op = turnedOps[op]
		said = x.name + " " + op + " " + y.name
	}
	q := *b.q
	q.Bounds = slices.Clone(q.Bounds)
	for i, bound := range q.Bounds {
		if inside := bound.At > from && bound.End < to; !inside && (bound.At < to || !byBound.MatchString(b.q.Text[to:bound.At])) {
			continue
		}
		if bound.Unit == "%" || op != ">" && op != "<" {
			b.problem = b.say.f("it is not clear by how much `%s` is to differ from `%s`", "不清楚 `%s` 与 `%s` 要相差多少", x.name, y.name)
		}
		if op == "<" {
			x, y = y, x
		}
		n, ok := inUnitOf(apartColumn(x, y), bound)
		if !ok {
			n = bound.Number
		}
		op, limit = bound.Op, number(n)
		said = strings.TrimSpace(fmt.Sprintf("%s - %s %s %s %s", x.name, y.name, op, limit, apartColumn(x, y).unit))
		q.Bounds, to = slices.Delete(q.Bounds, i, i+1), max(to, bound.End)
		break
	}
	if q.Intent == question.Top && !q.Group && q.Unit == "" && q.N == 0 {
		q.Intent, q.Desc, q.Asc = question.Filter, false, false // 多 is of the contrast
	}
	b.q = &q
	b.filter(quoteName(x.name+"-"+y.name)+" "+op+" "+limit, said)
	b.plays = append(b.plays, x.name, y.name)
	b.use(word{b.q.Text[from:to], from, to})
}

// apartColumn is the difference of two columns; of times it is in minutes, or in days where they are dates.
func apartColumn(x, y *column) *column {
	c := &column{name: x.name + "-" + y.name, kind: "number", filled: min(x.filled, y.filled), distinct: x.distinct, over: true}
	if x.kind == "time" {
		t, _ := rows.ParseTime(x.max)
		u, _ := rows.ParseTime(y.max)
		c.unit = "minutes"
		if t.Precision == rows.ToDay || u.Precision == rows.ToDay {
			c.unit = "days"
		}
	}
	return c
}

var doneNames = set("actual real spent used sold delivered achieved 实际 已用 已花 支出 实付")

// sibling is the one column that another is set against where the words name but one: of planned hours the
// actual hours, of a budget what was spent.
func (b *binding) sibling(c *column) *column {
	for _, like := range []func(o *column) bool{
		func(o *column) bool { return sharedWord(c, o) },
		func(o *column) bool { return done(o) && unitEnd.FindString(o.name) == unitEnd.FindString(c.name) },
		done,
	} {
		var hits []*column
		for i := range b.cols {
			if o := &b.cols[i]; o.name != c.name && o.kind == c.kind && !o.isID() && o.name != rows.TimeField && like(o) {
				hits = append(hits, o)
			}
		}
		if len(hits) > 0 {
			return map[bool]*column{true: hits[0]}[len(hits) == 1]
		}
	}
	return nil
}

// done tells a column of what came of a plan.
func done(c *column) bool {
	return slices.ContainsFunc(nameWords(c.name), func(w string) bool {
		return doneNames[w] || hasHan(w) && slices.ContainsFunc([]string{"实际", "已用", "实付", "支出"}, func(s string) bool { return strings.HasPrefix(w, s) })
	})
}

func sharedWord(a, b *column) bool {
	return commonEnd(a.name, b.name) > 1 && hasHan(a.name) || slices.ContainsFunc(nameWords(a.name), func(w string) bool { return slices.Contains(nameWords(b.name), w) })
}

// commonEnd is how many characters two names end alike.
func commonEnd(x, y string) int {
	a, z := []rune(unitEnd.ReplaceAllString(x, "")), []rune(unitEnd.ReplaceAllString(y, ""))
	n := 0
	for n < min(len(a), len(z)) && a[len(a)-1-n] == z[len(z)-1-n] {
		n++
	}
	return n
}

var (
	lateWord  = pattern.New(`\b(?:late|overdue|delayed|behind schedule|past due)\b|晚点|延误|延期|逾期|超期|迟交`)
	earlyWord = pattern.New(`\b(?:early|ahead of (?:schedule|time))\b|提前`)
	timelyOne = pattern.New(`\b(?:on time|on schedule|on-time|punctual(?:ly)?)\b|准时|按时|如期`)
	planNames = set("scheduled planned due deadline expected promised target eta plan schedule")
	doneTimes = set("actual delivered arrived completed finished closed returned received done arrival delivery completion ata")
	planHan   = pattern.New(`计划|预计|截止|应|承诺|约定`)
	doneHan   = pattern.New(`实际|完成|到达|送达|归还|交付|签收|收货`)
)

var lateRate = pattern.New(`^(?: (?:delivery|arrival|completion))? ?(?:rate|percentage|share)\b|^\p{Han}{0,2}率`)

// bindLate reads "late", "early" and "on time" of a table that tells when a thing was due and when it was done.
func (b *binding) bindLate() {
	for _, r := range []struct {
		re *pattern.Pattern
		op string
	}{{lateWord, ">"}, {earlyWord, "<"}, {timelyOne, "<="}} {
		at := r.re.FindStringIndex(b.q.Text)
		if at == nil || b.used(at[0], at[1]) || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 {
			continue
		}
		plan := b.onlyTime(func(w string) bool { return planNames[w] || hasHan(w) && planHan.MatchString(w) })
		done := b.onlyTime(func(w string) bool { return doneTimes[w] || hasHan(w) && doneHan.MatchString(w) })
		if plan == nil || done == nil || plan.name == done.name {
			return
		}
		b.contrast(done, plan, r.op, at[0], at[1])
		if rate := lateRate.FindStringIndex(b.q.Text[at[1]:]); rate != nil { // of what has been done at all
			q := *b.q
			q.Share, b.q, b.rated = true, &q, true
			b.outcome = b.where[len(b.where)-1]
			b.where, b.said = append(b.where, quoteName(done.name)+` != ""`), append(b.said, "")
			b.use(word{"rate", at[1], at[1] + rate[1]})
		}
		return
	}
}

// onlyTime is the one column of times whose name has a word of a kind.
func (b *binding) onlyTime(kind func(w string) bool) (only *column) {
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "time" && slices.ContainsFunc(nameWords(c.name), kind) {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

var (
	fromTo    = pattern.New(`^\s*(?:(?:date|time) )?(?:to|until|till|and|到|至|与|和)\s*(?:the\s+)?$`)
	spanAsked = pattern.New(`\b(?:days?|hours?|minutes?|time|duration|delay|lead time|gap|how long|longest|shortest)\b|多久|多少天|天数|时间|时长|周期|间隔|最长|最短`)
)

// bindApart makes one column of two times: how long it was from the first to the second.
func (b *binding) bindApart() {
	if b.q.Fn == "" && !b.q.Desc && !b.q.Asc && len(b.q.Bounds) == 0 || !spanAsked.MatchString(b.q.Text) {
		return
	}
	for i := 1; i < len(b.named); i++ {
		p, m := b.named[i-1], b.named[i]
		if p.to == 0 || p.to > m.from || p.col.kind != "time" || m.col.kind != "time" || p.col.name == m.col.name || !fromTo.MatchString(b.q.Text[p.to:m.from]) {
			continue
		}
		c := apartColumn(m.col, p.col)
		b.use(word{b.q.Text[p.from:m.to], p.from, m.to})
		b.named = slices.Replace(b.named, i-1, i+1, named{c, plainRole, p.from, m.to})
		if q := *b.q; q.Unit != "" && (q.Fn != "" || q.Desc || q.Asc) && !q.Group {
			q.Unit, b.q = "", &q
		}
		return
	}
}
