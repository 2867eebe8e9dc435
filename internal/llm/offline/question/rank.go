package question

import (
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

var (
	// ofGroups is a figure of each of several groups: 各地区的金额总和. ofRows are no groups.
	ofGroups = pattern.New(`(?:各|每)(?:一?(?:个|种|类|位|名|家|款|支|台|天|月))?[\p{Han}a-z]{1,12}[^，。？！]*(?:总和|总计|合计|总额|总量|总金额|总数|平均|均值|数量|次数|个数|[误告求录单人行]数|多少|几)|按[\p{Han}a-z]{1,12}(?:统计|汇总|求和|计算|合计|计数)`)
	ofRows   = pattern.New(`每(?:一)?(?:行|条|笔|单)`)
	falling  = pattern.New(`(?:按照?|以)?[从由自](?:大到小|高到低|多到少)(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名|排)|(?:按照?|以)?降序(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名)|[由自](?:大到小|高到低|多到少)`)
	rising   = pattern.New(`(?:按照?|以)?[从由自](?:小到大|低到高|少到多)(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名|排)|(?:按照?|以)?升序(?:的?(?:顺序|次序))?(?:来|进行)?(?:排列|排序|排名)|[由自](?:小到大|低到高|少到多)`)
)

// sameOrder are words for an order and the ones, as long, that are understood everywhere.
var sameOrder = strings.NewReplacer("由", "从", "自", "从", "排列", "排序")

// rankedGroups says in one way how groups are ranked by a figure, byte for byte as long: "由高到低排序"
// then wants no rows sorted by a column.
func rankedGroups(text string) string {
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
	return text
}

// orderAside is a sentence of its own that says but how the answer before it is to be ranked.
var orderAside = pattern.New(`[？?。]\s*(?:请|并|结果)*((?:按照?|以)?[从由自](?:大到小|高到低|多到少|小到大|低到高|少到多)[^，。？！?]{0,8}|(?:按照?|以)?[降升]序(?:排列|排序|排名))[。！]?\s*$`)

// joinOrder makes that sentence a part of the one before it, where that asks for figures of groups.
func joinOrder(words string) string {
	if !ofGroups.MatchString(words) {
		return words
	}
	return orderAside.ReplaceAllString(words, "，$1")
}
