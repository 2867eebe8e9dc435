package offline

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
		x, ok := inUnitOf(c, bound)
		if !ok {
			b.problem = b.say.f("the unit of `%s` is not told, so it cannot be compared with a time", "没有说明 `%s` 的单位，无法与时间比较", c.name)
			continue
		}
		b.lead(fmt.Sprintf("%s %s %s", quoteName(c.name), bound.Op, number(x)), bound.At)
		b.place(fmt.Sprintf("%s %s %s", quoteName(c.name), bound.Op, number(x)), bound.At)
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

// costWords are about what a thing costs.
var costWords = pattern.New(`\b(?:costs?|costing|priced)\b|售价`)

var slowWords = pattern.New(`\b(?:slow|slower|longer|shorter|faster|took|take|takes|last|lasted)\b|慢|快|耗时|用时`)

func (b *binding) boundColumn(bound question.Bound) *column {
	for _, m := range b.named { // "tables of more than 4 guests"
		if m.col.kind == "number" && m.to > 0 && m.from >= bound.End && m.from <= bound.End+1 && bound.Unit == "" && !hasHan(b.q.Text[m.from:m.to]) {
			return m.col
		}
	}
	switch bound.Unit {
	case "ms", "s", "m", "h":
		c := b.durationColumn()
		if c == nil && b.nearest(bound.At) == nil && slowWords.MatchString(b.q.Text) {
			return nil // how long something took is told by no column
		}
		if c != nil {
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
	if costWords.MatchString(b.q.Text) {
		if c := b.columnFor([]string{"price", "cost", "amount"}); c != nil {
			return c
		}
	}
	if c := b.comparedColumn(bound); c != nil {
		return c
	}
	if c := b.onlyNumber(); c != nil {
		return c
	}
	if c := b.ageBound(bound.At, bound.End); c != nil {
		return c
	}
	return b.money()
}

// comparatives say of what there is more or less than a bound.
var comparatives = []adjectiveRule{
	{re: pattern.New(`\b(?:heavier|lighter) than\b`), names: []string{"weight", "重量", "体重"}},
	{re: pattern.New(`\b(?:taller|shorter) than\b`), names: []string{"height", "身高", "高度"}},
	{re: pattern.New(`\b(?:warmer|hotter|colder|cooler) than\b`), names: []string{"temperature", "temp", "气温", "温度"}},
	{re: pattern.New(`\bdeeper than\b`), names: []string{"depth", "深度"}},
	{re: pattern.New(`\bwider than\b`), names: []string{"width", "宽度"}},
	{re: pattern.New(`\b(?:farther|further|closer|nearer) than\b`), names: []string{"distance", "km", "miles", "距离", "里程"}},
	{re: pattern.New(`\blouder than\b`), names: []string{"noise", "db", "噪音"}},
	{re: pattern.New(`\b(?:thicker|thinner) than\b`), names: []string{"thickness", "pages", "厚度", "页数"}},
	{re: pattern.New(`\b(?:more|less) expensive than\b|\b(?:cheaper|dearer) than\b`), names: []string{"price", "cost", "fee", "amount"}},
}

// measuredIn are the units that columns of numbers are in by their names, and how people write them.
var measuredIn = map[string]string{
	"kg": "kg", "kgs": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "公斤": "kg", "千克": "kg",
	"g": "g", "gram": "g", "grams": "g", "克": "g", "lb": "lb", "lbs": "lb", "pound": "lb", "pounds": "lb", "吨": "t", "tonnes": "t",
	"km": "km", "kms": "km", "kilometers": "km", "kilometres": "km", "公里": "km", "千米": "km", "mile": "mile", "miles": "mile",
	"m": "m", "meters": "m", "metres": "m", "米": "m", "cm": "cm", "centimeters": "cm", "centimetres": "cm", "厘米": "cm",
	"l": "l", "liters": "l", "litres": "l", "升": "l", "ml": "ml", "毫升": "ml",
}

var unitBehind = pattern.New(`^\s*([a-z]+\b|公斤|千克|克|吨|公里|千米|米|厘米|升|毫升)`)

// comparedColumn is the column that a bound is on by the unit behind it, "over 5 kg", or by the comparative in front of it.
// A column whose name tells another unit is none.
func (b *binding) comparedColumn(bound question.Bound) *column {
	unit, end := "", bound.End
	if m := unitBehind.FindStringSubmatchIndex(b.q.Text[bound.End:]); m != nil {
		if unit = measuredIn[b.q.Text[bound.End+m[2]:bound.End+m[3]]]; unit != "" {
			end = bound.End + m[3]
		}
	}
	var found *column
	for _, r := range comparatives {
		if r.re.MatchString(b.q.Text[bound.At:bound.End]) {
			found = b.columnFor(r.names)
		}
	}
	var in []*column
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "number" && unit != "" && c.measuredIn() == unit {
			in = append(in, c)
		}
	}
	switch {
	case found == nil && len(in) == 1:
		found = in[0]
	case found != nil && unit != "" && found.measuredIn() != "" && found.measuredIn() != unit:
		return nil
	}
	if found != nil && unit != "" {
		b.use(word{b.q.Text[bound.End:end], bound.End, end})
	}
	return found
}

// measuredIn is the unit that a column's name tells; "" if it tells none.
func (c *column) measuredIn() string {
	words := strings.FieldsFunc(strings.ToLower(camel.ReplaceAllString(c.name, "$1 $2")), func(r rune) bool { return !unicode.IsLetter(r) })
	for _, w := range words {
		if unit := measuredIn[w]; unit != "" {
			return unit
		}
	}
	return ""
}

// unitsOf are the units of time that a column's name ends with, in milliseconds.
var unitsOf = map[string]float64{
	"ms": 1, "msec": 1, "msecs": 1, "millis": 1, "millisecond": 1, "毫秒": 1, "s": 1000, "sec": 1000, "secs": 1000, "second": 1000, "秒": 1000, "秒数": 1000,
	"min": 60000, "mins": 60000, "minute": 60000, "分钟": 60000, "分钟数": 60000, "h": 3600000, "hour": 3600000, "hr": 3600000, "小时": 3600000, "小时数": 3600000, "day": 86400000, "天": 86400000, "天数": 86400000,
}

// timeUnit is the unit of time that a column is in, in milliseconds; 0 if its name tells none.
func (c *column) timeUnit() float64 {
	if u := unitsOf[singular(c.unit)]; u > 0 {
		return u
	}
	w := nameWords(strings.NewReplacer("(", " ", ")", " ", "（", " ", "）", " ", "[", " ", "]", " ").Replace(c.name))
	if u := unitsOf[w[len(w)-1]]; u > 0 {
		return u
	}
	for name, u := range unitsOf {
		if hasHan(name) && strings.HasSuffix(w[len(w)-1], name) && (name != "秒" || !strings.HasSuffix(w[len(w)-1], "毫秒")) {
			return u
		}
	}
	return 0
}

// inUnitOf gives a bound's number in the unit of the column that it is on; false if that is not known.
func inUnitOf(c *column, bound question.Bound) (float64, bool) {
	of := unitsOf[map[string]string{"ms": "ms", "s": "s", "m": "min", "h": "h", "d": "day"}[bound.Unit]]
	unit := c.timeUnit()
	switch {
	case of == 0:
		return bound.Number, true
	case c.name == rows.DurationField:
		unit = 1
	case unit == 0:
		return bound.Number, bound.Unit == "d"
	}
	return bound.Number * of / unit, true
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
		if c.kind != "number" || c.isID() || c.name == "line" || c.name == b.statusColumn() {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

var paceWord = pattern.New(`(?:的|平均)?(响应)(?:得)?(?:最|更|比较|很|太)?(?:慢|快)`)

// bindPace reads 响应最慢 of what tells how long each request took.
func (b *binding) bindPace() {
	m := paceWord.FindStringSubmatchIndex(b.q.Text)
	if m != nil && b.durationColumn() != nil && !b.used(m[2], m[3]) && b.found["响应"].mentions == 0 {
		b.use(word{b.q.Text[m[2]:m[3]], m[2], m[3]})
	}
}
