package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// bindBounds turns "over 100" into a filter on the column that stands nearest.
func (b *binding) bindBounds() {
	for _, bound := range b.q.Bounds {
		if countedThing.MatchString(b.q.Text[bound.End:]) && !b.namesNumber(bound.End) {
			b.having = &having{bound.Op, bound.Number, true}
			continue
		}
		c := b.boundColumn(bound)
		if c == nil {
			b.problem = b.say.f("it is not clear which column %s %s is about", "不清楚 %s %s 指的是哪一列", bound.Op, number(bound.Number))
			continue
		}
		if b.boundsFigure(bound) {
			b.having = &having{bound.Op, bound.Number, false}
			b.named = append(b.named, named{c, plainRole, bound.At, bound.End})
			continue
		}
		if b.negates(bound.At, c.name) {
			bound.Op = turnedOps[bound.Op]
		}
		x := bound.Number
		if c.name == rows.DurationField {
			x *= map[string]float64{"s": 1000, "m": 60000}[bound.Unit] + float64(map[bool]int{true: 1}[bound.Unit != "s" && bound.Unit != "m"])
		}
		b.filter(fmt.Sprintf("%s %s %s", quoteName(c.name), bound.Op, number(x)), fmt.Sprintf("%s %s %s", c.name, bound.Op, number(x)))
	}
}

var (
	inTotal  = pattern.New(`\bin total\b|\baltogether\b|\boverall\b|总共|总计|合计|累计`)
	figureOf = pattern.New(`(?:\b(?:total|average|avg|mean|sum)\b|总|平均)[^,.，。]{0,24}$`)
)

// boundsFigure tells a bound on a group's sum or average ("regions with a total above 500") from
// one on single rows.
func (b *binding) boundsFigure(bound question.Bound) bool {
	if b.q.Fn != "sum" && b.q.Fn != "avg" || !slices.ContainsFunc(b.named, func(m named) bool { return m.col.kind != "number" && m.to > 0 }) {
		return false
	}
	at := figureOf.FindStringIndex(b.q.Text[:bound.At])
	return inTotal.MatchString(b.q.Text) || at != nil && !ofRows.MatchString(b.q.Text[at[0]:bound.At])
}

// ofRows stands between a figure and a bound on the rows that it is over.
var ofRows = pattern.New(`\b(?:where|whose|with|having|for|of orders)\b`)

// countedThing follows a bound that counts rows: "more than 5 errors".
var countedThing = pattern.New(`^\s*(?:orders?|requests?|errors?|warnings?|lines?|rows?|records?|entries|times|events?|messages?|hits|occurrences)\b|^\s*(?:个|次|条|笔|名|行|人)`)

// namesNumber tells that a column of numbers is named right after a place.
func (b *binding) namesNumber(at int) bool {
	return slices.ContainsFunc(b.named, func(m named) bool { return m.col.kind == "number" && m.from >= at && m.from <= at+2 })
}

func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

var slowWords = pattern.New(`\b(?:slow|slower|longer|shorter|faster|took|take|takes|last|lasted)\b|慢|快|耗时|用时`)

func (b *binding) boundColumn(bound question.Bound) *column {
	if bound.Unit == "ms" || bound.Unit == "s" || bound.Unit == "m" {
		if c := b.durationColumn(); c != nil {
			for _, m := range b.named { // the same thing in another unit
				if m.col.kind == "number" && sameThing(strings.Join(nameWords(m.col.name), " "), "duration") {
					b.plays = append(b.plays, m.col.name)
				}
			}
			return c
		}
	}
	if c := b.nearest(bound.At); c != nil {
		return c
	}
	if slowWords.MatchString(b.q.Text) {
		if c := b.durationColumn(); c != nil {
			return c
		}
	}
	if c := b.onlyNumber(); c != nil {
		return c
	}
	return b.money()
}

// money is the one column of amounts, which a bare "over 100" is about when nothing else is named.
func (b *binding) money() *column {
	var only *column
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "number" || !sameThing(strings.Join(nameWords(c.name), " "), "amount") && !strings.Contains(c.name, "金额") {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// nearest gives the number column that the question names closest to a place.
func (b *binding) nearest(at int) *column {
	var best *column
	dist := 1 << 30
	for _, m := range b.named {
		if m.col.kind != "number" || m.col.isID() && m.to < at-1 { // an identifier only right before its bound
			continue
		}
		d := at - m.to
		if d < 0 {
			d = (m.from - at) * 2
		}
		if d < dist {
			best, dist = m.col, d
		}
	}
	return best
}

// onlyNumber gives the one column of numbers that are not identifiers, if there is one.
func (b *binding) onlyNumber() *column {
	var only *column
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "number" || c.isID() || c.name == "line" {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}
