package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// countedColumn is the column that "how many X" or "different X" counts the values of.
func (b *binding) countedColumn() *column {
	if peopleAsked.MatchString(b.q.Text) && b.column("人数") == nil {
		if c := b.personIn(peopleNames); c != nil && !b.filtered(c.name) {
			return c
		}
	}
	for _, m := range b.named {
		if m.to == 0 || m.role == groupRole || b.filtered(m.col.name) || m.col.kind == "time" && b.q.Fn != "distinct" && !datesAsked.MatchString(b.q.Text[m.from:]) {
			continue // "how many joined" counts no dates
		}
		before := strings.TrimRight(b.q.Text[:m.from], " ")
		if b.q.Fn == "distinct" && m.col.kind != "empty" {
			return m.col
		}
		for _, end := range []string{"how many", "number of", "count the", "count of", "多少个", "多少种", "几个", "几种", "多少位", "几位", "多少名", "几名", "多少"} {
			if strings.HasSuffix(before, end) && (!b.rowNoun(b.q.Text[m.from:m.to]) || m.col.name == "service") && (m.col.kind != "number" || m.col.isID() && (m.col.distinct < m.col.filled || m.col.over)) {
				return m.col
			}
		}
	}
	return nil
}

var datesAsked = pattern.New(`^[a-z_ ]*?(?:dates?|days|times?)\b|^\p{Han}*?(?:日期|时间|天)`)

// filtered tells that a column already serves as a filter.
func (b *binding) filtered(name string) bool {
	return slices.ContainsFunc(b.where, func(w string) bool { return strings.HasPrefix(w, quoteName(name)+" ") })
}

// countsRows tells that rows are counted, whatever their columns are bounded by.
var countsRows = pattern.New(`\bhow many\b|\bnumber of\b|\bcount\b|多少(?:个|条|行|笔|单|次)?(?:订单|请求|记录|行)?|(?:订单|请求|记录|行|次|个|条)数`)

// measure is the number column that the question wants a figure of.
func (b *binding) measure() *column {
	groups := b.groupColumns()
	for _, m := range b.named {
		if m.to > 0 && m.col.reckoned() {
			return m.col
		}
	}
	for _, again := range []bool{false, true} {
		for _, m := range b.named {
			if again && b.q.Fn == "" && (countsRows.MatchString(b.q.Text) || b.fewestOfOther(m)) || m.col.isID() && (b.q.Fn == "" || !again) || m.col.name == b.statusColumn() {
				continue
			}
			if m.col.kind == "number" && !slices.Contains(groups, m.col.name) && (again || !b.filtered(m.col.name)) {
				return m.col
			}
		}
	}
	if c := b.totalColumn(); c != nil {
		return c
	}
	if slowWords.MatchString(b.q.Text) || durationWords(b.q.Text) {
		return b.durationColumn()
	}
	if b.soldAsked() || b.countsPieces() {
		return b.piecesColumn()
	}
	return nil
}

var fewestOf = pattern.New(`\b(?:most|fewest)\s+([a-z]+)`)

// fewestOfOther tells that the most or the fewest of something else than a column's is asked for.
func (b *binding) fewestOfOther(m named) bool {
	at := fewestOf.FindStringSubmatchIndex(b.q.Text)
	return at != nil && (at[2] < m.from || at[2] >= m.to)
}

// totalColumn is the column of numbers that is called as a figure is: "by total", 总计最高.
func (b *binding) totalColumn() *column {
	if b.q.Fn != "sum" || inTotal.MatchString(b.q.Text) {
		return nil
	}
	var inner *column // the total of order.total, if there is one alone
	for i := range b.cols {
		c := &b.cols[i]
		w := nameWords(c.name)
		last := w[len(w)-1]
		if c.kind != "number" || !totalWord.MatchString(last) || !strings.Contains(b.q.Text, last) {
			continue
		}
		if len(w) == 1 {
			return c
		}
		if inner != nil {
			return nil
		}
		inner = c
	}
	return inner
}

var totalWord = pattern.New(`(?i)^(?:totals?|sum|总计|合计|总和|汇总|总额|总金额)$`)

func durationWords(s string) bool {
	for _, w := range []string{"slowest", "fastest", "duration", "latency", "response time", "耗时", "响应时间", "延迟", "最慢", "最快"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return longestRun.MatchString(s)
}

// longestRun is the longest of what takes time, as a line or a name does not.
var longestRun = pattern.New(`\b(?:longest|shortest)(?:[- ](?:running|lasting|single))? (?:request|response|run|job|call|query|queries|step|task|session|visit|build|transaction)s?\b|(?:请求|响应|调用|查询|任务|作业|步骤|会话|事务|构建)(?:的?(?:时间|时长))?最(?:长|短)|最(?:长|短)的(?:那|一|这)?(?:个|次|条)?(?:请求|响应|调用|查询|任务|作业|步骤|会话|事务|构建)`)

// runsRanked tells that what took the most or the least time is asked for.
func runsRanked(s string) bool { return longestRun.MatchString(s) || slowest.MatchString(s) }

var slowest = pattern.New(`\b(?:slowest|fastest)\b|最(?:慢|快)`)
