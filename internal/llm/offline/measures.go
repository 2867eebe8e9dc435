package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// The columns of a table by what they are named for: money, prices, pieces, hours, marks. A role that two columns could have is
// given to neither, for which of them is meant cannot be told.

// priceChanges are parts of a price that a product of pieces and their price leaves out.
var priceChanges = set("discount rebate tax vat shipping surcharge tip 折扣 优惠 税 运费 税额")

// moneyColumn is the column of what rows are worth in money: of amounts or costs, else pieces times their price. It is nil
// where the table leaves a choice, or has amounts in several currencies.
func (b *binding) moneyColumn() *column {
	if c := b.onlyNamed("currency", "币种", "货币"); c != nil && c.distinct > 1 && !b.isNamed(c.name) {
		return nil
	}
	if c := cmp.Or(b.money(), b.onlyMeasure(column.isMoney)); c != nil {
		return c
	}
	if slices.ContainsFunc(b.cols, column.isMoney) {
		return nil
	}
	pieces, price := cmp.Or(b.piecesColumn(), b.stockColumn()), b.onlyAlike("price")
	switch {
	case price == nil:
		return nil
	case slices.ContainsFunc(b.cols, func(c column) bool {
		return slices.ContainsFunc(nameWords(c.name), func(w string) bool { return priceChanges[w] })
	}):
		return nil
	case pieces == nil && b.onlyNumber() == price:
		return price // a row is a piece
	case pieces == nil:
		return nil
	}
	return &column{name: pieces.name + "*" + price.name, kind: "number", filled: min(pieces.filled, price.filled), distinct: pieces.distinct, over: true}
}

// Names of what rows are worth in money, unlike the price of a piece of it.
var (
	moneyNames = set("amount total revenue sale turnover cost expense fee spent earned earning income paid payment charge taking proceed bill")
	moneyHan   = pattern.New(`(?:金额|总额|总价|费用?|款|收入|支出|营业额|花费|开销|销售额)$`)
	moneyUnit  = pattern.New(`(?i)[(（\[](?:eur|usd|gbp|cny|rmb|chf|jpy|[€$£¥]|元|欧元|美元)[)）\]]$`)
	priceName  = pattern.New(`(?i)price|(?:^|[ _])rates?(?:$|[ _])|per[ _]|unit[ _]cost|单价|价格|售价|进价|均价`)
)

// isMoney tells a column of what rows are worth.
func (c column) isMoney() bool {
	if c.kind != "number" || c.isID() || priceName.MatchString(c.name) && !strings.Contains(c.name, "总价") {
		return false
	}
	return moneyUnit.MatchString(c.name) || moneyHan.MatchString(unitEnd.ReplaceAllString(c.name, "")) || slices.ContainsFunc(nameWords(c.name), func(w string) bool { return moneyNames[w] })
}

// isPieces tells a column of how many things a row is about: numbers under a noun in the plural.
func (c column) isPieces() bool {
	if c.kind == "number" && (piecesHan.MatchString(unitEnd.ReplaceAllString(c.name, "")) || strings.EqualFold(c.name, "count")) {
		return true
	}
	lo, ok := rows.Number(c.min)
	return ok && lo >= 0 && c.counts() && !c.isMoney() && !c.rate() && c.timeUnit() == 0 && !strings.ContainsAny(c.min+c.max, ".") && !priceName.MatchString(c.name) && !lengthUnits[singular(strings.ToLower(c.name))]
}

// piecesHan is how Chinese names of columns of pieces end: 杯数, 销量.
var piecesHan = pattern.New(`[杯件个本瓶箱袋盒包台把支条只双份张斤棵碗套]数量?$|数量$|销量$|^库存$`)

// lengthUnits are measures that end like a number of things.
var lengthUnits = set("page mile kilometer second minute hour day point goal bonu byte statu")

// piecesColumn is the column of how many pieces: of quantities, else the one that counts things.
func (b *binding) piecesColumn() *column {
	return cmp.Or(b.quantity(), b.onlyMeasure(column.isPieces))
}

// onlyMeasure is the one column of a kind; nil if there is none or a choice.
func (b *binding) onlyMeasure(kind func(column) bool) (only *column) {
	for i := range b.cols {
		if c := &b.cols[i]; kind(*c) {
			if only != nil {
				return nil
			}
			only = c
		}
	}
	return only
}

// onlyAlike is the one column of numbers whose name says the same as a word; nil if there is none or a choice.
func (b *binding) onlyAlike(word string) *column {
	return b.onlyMeasure(func(c column) bool {
		name := strings.Join(nameWords(c.name), " ")
		return c.kind == "number" && (name == word || sameThing(name, word))
	})
}

// onlyNamed is a column that has one of some names.
func (b *binding) onlyNamed(names ...string) *column {
	i := slices.IndexFunc(b.cols, func(c column) bool { return slices.Contains(names, strings.Join(nameWords(c.name), " ")) })
	if i < 0 {
		return nil
	}
	return &b.cols[i]
}

// averaged tells a column of which a sum over a group would mean nothing: a price, or marks in one subject. How slow
// a group is does not depend on how often it ran either.
func (b *binding) averaged(c *column) bool {
	if c.rate() || b.q.Fn == "sum" {
		return c.rate()
	}
	if slowest.MatchString(b.q.Text) && c == b.durationColumn() {
		return true
	}
	subjects := b.subjects()
	return len(subjects) > 1 && slices.Contains(subjects, c.name)
}

// topMark is the most that a mark is taken to be.
const topMark = 150

// marksColumn is the column of marks, or the sum of all of them where each subject has its own; of a subject that the question
// names it is that one. The average of several for all together is not reckoned.
func (b *binding) marksColumn() *column {
	if c := b.onlyAlike("score"); c != nil {
		return c
	}
	subjects := b.subjects()
	for _, m := range b.named {
		if m.to > 0 && slices.Contains(subjects, m.col.name) {
			return m.col
		}
	}
	if len(subjects) < 2 || b.q.Fn == "avg" && len(b.groupColumns()) == 0 {
		return nil
	}
	return &column{name: strings.Join(subjects, "+"), kind: "number", filled: b.rows, distinct: b.rows, over: true}
}

// subjects are the columns of marks of a table of people: all its numbers, if none is money, pieces or a time.
func (b *binding) subjects() (names []string) {
	if b.onlyNamed("name", "student", "姓名", "学生") == nil {
		return nil
	}
	for _, c := range b.cols {
		top, ok := rows.Number(c.max)
		switch {
		case c.kind != "number" || c.isID() || c.name == "line":
			continue
		case !ok || top > topMark || c.rate() || c.timeUnit() > 0 || totalWord.MatchString(c.name) || sameThing(c.name, "quantity"):
			return nil
		}
		names = append(names, c.name)
	}
	return names
}

// goods is the column of what is sold: of products, else the only one that names things of which there are several rows.
func (b *binding) goods() (only *column) {
	if c := b.onlyAlikeText("product"); c != nil {
		return c
	}
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "text" || c.isID() || b.oneEach(c.name) || c.isPerson() {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

// onlyAlikeText is the column of text whose name says the same as a word.
func (b *binding) onlyAlikeText(word string) *column {
	i := slices.IndexFunc(b.cols, func(c column) bool {
		name := strings.Join(nameWords(c.name), " ")
		return c.kind == "text" && (name == word || sameThing(name, word))
	})
	if i < 0 {
		return nil
	}
	return &b.cols[i]
}

// hoursColumn is the one column of how long people worked, or of their overtime if that is asked for.
func (b *binding) hoursColumn() *column {
	over := overtime.MatchString(b.q.Text)
	return b.onlyMeasure(func(c column) bool {
		return c.kind == "number" && !c.isID() && (c.timeUnit() >= 60000 || strings.Contains(c.name, "工时") || strings.Contains(c.name, "加班")) && overtime.MatchString(strings.ToLower(c.name)) == over
	})
}

// overtime tells work beyond the usual hours, in questions and in names of columns.
var overtime = pattern.New(`\bovertime\b|加班|加了?[^，。？！]{0,6}班`)
