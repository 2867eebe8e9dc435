package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// adjectiveRule is a superlative, the columns that it is about by their names, and its end.
type adjectiveRule struct {
	re    *pattern.Pattern
	names []string // the first that a file has is meant
	desc  bool
	loose bool // it is about other things too: without such a column it is left to them
	timed bool // without such a column it is about time
}

var adjectiveRules = []adjectiveRule{
	{pattern.New(`\boldest\b|\beldest\b|最(?:年长|老)|年纪最大|年龄最大`), []string{"age"}, true, false, true},
	{pattern.New(`\boldest\b|最老`), yearNames, false, false, false},
	{pattern.New(`\bnewest\b|最新的?(?:一)?(?:本|部|款|张)`), yearNames, true, false, true},
	{pattern.New(`\bthickest\b|最厚`), []string{"thickness", "pages", "厚度", "页数"}, true, false, false},
	{pattern.New(`\bthinnest\b|最薄`), []string{"thickness", "pages", "厚度", "页数"}, false, false, false},
	{pattern.New(`\byoungest\b|最年轻|最年幼|年纪最小|年龄最小`), []string{"age"}, false, false, false},
	{pattern.New(`\btallest\b|(?:个子|身高)最高`), []string{"height", "身高", "高度"}, true, false, false},
	{pattern.New(`谁最高`), []string{"height", "身高"}, true, true, false},
	{pattern.New(`谁最矮`), []string{"height", "身高"}, false, true, false},
	{pattern.New(`\b(?:hottest|warmest)\b|最热`), []string{"temperature", "temp", "气温", "温度"}, true, false, false},
	{pattern.New(`\b(?:coldest|coolest)\b|最冷`), []string{"temperature", "temp", "气温", "温度"}, false, false, false},
	{pattern.New(`\b(?:wettest|rainiest)\b|雨最大`), []string{"rain", "rainfall", "precipitation", "降雨", "雨量"}, true, false, false},
	{pattern.New(`\bwindiest\b|风最大`), []string{"wind", "gust", "风速"}, true, false, false},
	{pattern.New(`\bdeepest\b|最深`), []string{"depth", "深度"}, true, false, false},
	{pattern.New(`\bwidest\b|最宽`), []string{"width", "宽度"}, true, false, false},
	{pattern.New(`\bloudest\b|最吵`), []string{"noise", "db", "噪音"}, true, false, false},
	{pattern.New(`\b(?:farthest|furthest)\b|最远`), []string{"distance", "km", "miles", "距离", "里程"}, true, false, false},
	{pattern.New(`\b(?:nearest|closest)\b|最近的距离`), []string{"distance", "km", "miles", "距离", "里程"}, false, false, false},
	{pattern.New(`\blongest\b (?:film|movie|song|track|video|book|trip|ride|route|call|race|show|episode|flight|game|match)|片长最长|最长的(?:电影|歌|视频|书|路线|航班|通话|片子)`), lengthNames, true, true, false},
	{pattern.New(`\bshortest\b (?:film|movie|song|track|video|book|trip|ride|route|call|race|show|episode|flight|game|match)|最短的(?:电影|歌|视频|书|路线|航班|通话|片子)`), lengthNames, false, true, false},
	{pattern.New(`\bheaviest\b|最重`), []string{"weight"}, true, false, false},
	{pattern.New(`\blightest\b|最轻`), []string{"weight"}, false, false, false},
	{pattern.New(`\b(?:most expensive|priciest|dearest|costliest)\b|最贵`), []string{"price", "cost", "amount"}, true, false, false},
	{pattern.New(`\b(?:cheapest|least expensive)\b|最便宜`), []string{"price", "cost", "amount"}, false, false, false},
	{pattern.New(`\b(?:richest|best[- ]paid)\b|\b(?:earns?|earned|paid) (?:the )?(?:most|best)\b|(?:挣|赚)(?:得|的)?(?:钱)?最多|工资最高`), []string{"salary", "income", "revenue", "amount"}, true, false, false},
	{pattern.New(`\bworst[- ]paid\b|\b(?:earns?|earned|paid) (?:the )?least\b|(?:挣|赚)(?:得|的)?(?:钱)?最少|工资最低`), []string{"salary", "income", "revenue", "amount"}, false, false, false},
}

// bindAdjectives ties a superlative to the column of numbers that it is about. One that no column
// fits is refused, but for those that are about time where a file has any.
func (b *binding) bindAdjectives() {
	switch b.q.Intent {
	case question.Top, question.FirstLast, question.Filter, question.Aggregate, question.Unknown:
	default:
		return
	}
	for _, r := range adjectiveRules {
		at := r.re.FindStringIndex(b.q.Text)
		if at == nil || b.q.TakenAt(at[0], at[1]) {
			continue
		}
		names := r.names
		if slices.Contains(names, "amount") && wholeOrder.MatchString(b.q.Text[at[1]:]) {
			names = []string{"amount"} // an order has a sum, and a price only for each piece
		}
		c := b.columnFor(names)
		if _, _, timed := b.timeRange(); c == nil && r.timed && timed && !b.people(strings.TrimSpace(nextWord.FindString(b.q.Text[at[1]:]))) {
			return
		}
		if c == nil && r.loose {
			continue
		}
		if c == nil && r.timed && b.columnFor(yearNames) != nil {
			continue // things with a year have a rule of their own
		}
		if c == nil {
			b.problem = b.say.f("no column of numbers fits `%s`", "没有适合 `%s` 的数值列", b.q.Text[at[0]:at[1]])
			return
		}
		q := *b.q
		q.Intent, q.Desc, q.Asc, q.First, q.Last, q.Unit = question.Top, r.desc, !r.desc, false, false, b.q.Unit
		if q.Fn == "sum" {
			q.Fn = "" // 多少钱 asks for its value
		}
		if b.q = &q; q.N == 0 && !pluralEnd.MatchString(q.Text[at[1]:]) && !q.Group {
			q.N = 1
		}
		b.named = slices.DeleteFunc(b.named, func(m named) bool { return m.from < at[1] && at[0] < m.to })
		b.named = append(b.named, named{c, plainRole, at[0], at[1]})
		b.use(word{b.q.Text[at[0]:at[1]], at[0], at[1]})
		b.useThing(at[1])
		return
	}
}

// useThing takes the noun behind a superlative for the name of the rows, if the file does not hold it and its rows have
// names: the thickest book of a list with titles.
func (b *binding) useThing(at int) {
	next := nextWord.FindString(b.q.Text[at:])
	noun := strings.TrimSpace(next)
	if noun != "" && b.found[noun].mentions == 0 && len(b.groupColumns()) == 0 && b.called() != nil {
		b.use(word{noun, at + len(next) - len(noun), at + len(next)})
	}
}

// lengthNames are columns of how long a thing is.
var lengthNames = []string{"duration", "runtime", "running time", "minutes", "length", "pages", "distance", "km", "miles", "seconds", "片长", "时长", "里程", "距离", "页数"}

var yearNames = []string{"year", "年份"}

var wholeOrder = pattern.New(`^\s*(?:orders?|purchases?|invoices?|transactions?|sales?)\b|^的?(?:一?(?:笔|单|张|个))?(?:订单|交易|发票|单)`)

var nextWord = pattern.New(`^\s*[a-z]+`)

// pluralEnd follows a superlative that is about several.
var pluralEnd = pattern.New(`^\s*[a-z]{3,}s\b|^的?(?:几|哪些)`)

// columnFor is the column of numbers that is called by the first of some names.
func (b *binding) columnFor(names []string) *column {
	for _, name := range names {
		name = singular(name) // as the names of columns are compared
		for i := range b.cols {
			c := &b.cols[i]
			has := strings.Join(nameWords(c.name), " ")
			if c.kind == "number" && c.name != rows.DurationField && (has == name || name == "amount" && strings.Contains(c.name, "金额") || sameThing(has, name) || slices.Contains(strings.Fields(has), name)) {
				return c
			}
		}
	}
	return nil
}
