package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

var (
	// ofGroups is a figure of each of several groups: 各地区的金额总和. ofRows are no groups.
	ofGroups = pattern.New(`(?:各|每)(?:一?(?:个|种|类|位|名|家|款|支|台|天|月))?[\p{Han}a-z]{1,12}[^，。？！]*(?:总和|总计|合计|总额|总量|总金额|总数|平均|均值|数量|次数|个数|[误告求录单人行]数|多少|几)|按[\p{Han}a-z]{1,12}(?:统计|汇总|求和|计算|合计|计数)`)
	ofRows   = pattern.New(`每(?:一)?(?:行|条|笔|单)`)
	falling  = pattern.New(`(?:按照?|以)?[从由自](?:大到小|高到低|多到少)(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名|排)|(?:按照?|以)?降序(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名)?|[由自](?:大到小|高到低|多到少)`)
	byFigure = pattern.New(`按照?\p{Han}{1,8}(?:来|进行)?(?:排序|排列|排名)`) // behind a figure of groups it ranks these
	rising   = pattern.New(`(?:按照?|以)?[从由自](?:小到大|低到高|少到多)(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名|排)|(?:按照?|以)?升序(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名)?|[由自](?:小到大|低到高|少到多)`)
)

// sameOrder are words for an order and the ones, as long, that are understood everywhere.
var sameOrder = strings.NewReplacer("由", "从", "自", "从", "排列", "排序")

// rankedGroups says in one way how groups are ranked by a figure, byte for byte as long: "由高到低排序"
// then wants no rows sorted by a column.
func rankedGroups(text string) string {
	text = sortedGroups(text)
	if !ofGroups.MatchString(text) || ofRows.MatchString(text) {
		return rising.ReplaceAllStringFunc(falling.ReplaceAllStringFunc(text, sameOrder.Replace), sameOrder.Replace)
	}
	for _, way := range []struct {
		re *pattern.Pattern
		as string
	}{{falling, "从高到低"}, {rising, "从低到高"}} {
		text = way.re.ReplaceAllStringFunc(text, func(m string) string {
			return way.as + strings.Repeat(" ", max(len(m)-len(way.as), 0))
		})
	}
	figure := ofGroups.FindStringIndex(text)[1]
	return text[:figure] + byFigure.ReplaceAllStringFunc(text[figure:], func(m string) string { return strings.Repeat(" ", len(m)) })
}

var (
	// perGroup is a figure of each of several groups in English: "sum the amount by region".
	perGroup  = pattern.New(`\b(?:sum|total|average|avg|mean|median|min|minimum|max|maximum|count|number of|how many|how much|p50|p90|p95|p99)\b[^.?!;]*\b(?:per|by|each|every)\s+[\p{L}_]`)
	perRow    = pattern.New(`\b(?:per|each|every) (?:row|line|entry|record)\b`)
	orderStop = pattern.New(`[,.?!;]|\band\b`)
	fromLow   = pattern.New(`\bfrom (?:the )?(?:low|small|few|least)|\b(?:low|small|few|least)\w* first\b`)
)

// sortedGroups is rankedGroups for English: of "sum the amount by region and sort descending" the direction stays,
// which says how groups are ranked, and not the order, which rows are sorted by. It is as long as before.
func sortedGroups(text string) string {
	at := ordering.FindStringIndex(text)
	if at == nil || !perGroup.MatchString(text[:at[0]]) || perRow.MatchString(text[:at[0]]) {
		return text
	}
	end := len(text)
	if stop := orderStop.FindStringIndex(text[at[1]:]); stop != nil {
		end = at[1] + stop[0]
	}
	way := ""
	switch order := text[at[0]:end]; {
	case fromLow.MatchString(order), smallest.MatchString(order) && !largest.MatchString(order):
		way = "asc"
	case largest.MatchString(order):
		way = "desc"
	}
	return text[:at[0]] + way + strings.Repeat(" ", end-at[0]-len(way)) + text[end:]
}

// orderAside is a sentence of its own that says but how the answer before it is to be ranked.
var orderAside = pattern.New(`[？?。]\s*(?:请|并|结果)*((?:按照?|以)?[从由自](?:大到小|高到低|多到少|小到大|低到高|少到多)[^，。？！?]{0,8}|(?:按照?|以)?[降升]序(?:排列|排序|排名))[。！]?\s*$`)

// sortAside is the same in English: "Sales per region. Sort ascending."
var sortAside = pattern.New(`(?i)[.?!;]\s*(?:please )?((?:sort|sorted|order|ordered)\b[^.?!;]{0,40})[.!]?\s*$`)

// rowOrder is an order at the end of a clause that no word for sorting follows: 列出订单，按金额从高到低.
var rowOrder = pattern.New(`[，,]\s*按照?\p{Han}{1,8}[从由自](?:大到小|高到低|多到少|小到大|低到高|少到多)\s*$`)

// ordersRows tells an order of rows, and not one of the figures of groups.
func ordersRows(text string) bool {
	return rowOrder.MatchString(text) && (!ofGroups.MatchString(text) || ofRows.MatchString(text))
}

// joinOrder makes that sentence a part of the one before it, where that asks for figures of groups.
func joinOrder(words string) string {
	if at := sortAside.FindStringSubmatchIndex(words); at != nil && perGroup.MatchString(strings.ToLower(words[:at[0]])) {
		return words[:at[0]] + ", " + words[at[2]:at[3]]
	}
	if !ofGroups.MatchString(words) {
		return words
	}
	return orderAside.ReplaceAllString(words, "，$1")
}
