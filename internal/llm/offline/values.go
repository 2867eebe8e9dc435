package offline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var containsBefore = pattern.New(`(?:\b(?:contain\w*|mention\w*|includ\w*|with|about|match\w*)|包含|含有|提到|含|包括)\s*(?:the\s+)?(?:word\s+|text\s+|string\s+|phrase\s+)?["“「『'` + "`" + `]?$`)

// bindQuoted turns quoted text into a filter: a value if it is one, else text of the row.
func (b *binding) bindQuoted() {
	for _, t := range b.q.Quoted {
		f := b.found[strings.ReplaceAll(t, ",", " ")]
		at := strings.Index(strings.ToLower(b.q.Text), strings.ToLower(t))
		if len(f.equal) > 0 && (at < 0 || !containsBefore.MatchString(b.q.Text[:at])) {
			b.equal(b.pickColumn(f), t, max(at, 0))
			continue
		}
		b.containText(t)
	}
}

// pickColumn chooses among the columns that hold a value: one that the question names, else the
// one with the most such rows.
func (b *binding) pickColumn(f found) string {
	best := ""
	for name, n := range f.equal {
		switch {
		case best == "", b.isNamed(name) && !b.isNamed(best):
			best = name
		case b.isNamed(best) && !b.isNamed(name):
		case n > f.equal[best] || n == f.equal[best] && name < best:
			best = name
		}
	}
	return best
}

func (b *binding) isNamed(column string) bool {
	return slices.ContainsFunc(b.named, func(m named) bool { return m.col.name == column })
}

// equal filters by a value that stands at a place of the question.
func (b *binding) equal(column, value string, at int) {
	op := "="
	if b.negates(at, column) {
		op = "!="
	}
	b.lead(quoteName(column)+" "+op+" "+quoteValue(value), at)
	b.place(quoteName(column)+" "+op+" "+quoteValue(value), at)
	b.filter(quoteName(column)+" "+op+" "+quoteValue(value), column+" "+op+" "+value)
}

// place notes where in the question a condition stands.
func (b *binding) place(cond string, at int) {
	if b.places == nil {
		b.places = map[string]int{}
	}
	b.places[cond] = at
}

// lead notes which of the questions that lean on each other a condition comes from.
func (b *binding) lead(cond string, at int) {
	if len(b.q.Leads) == 0 {
		return
	}
	if b.stage == nil {
		b.stage = map[string]int{}
	}
	for _, from := range b.q.Leads {
		if at >= from {
			b.stage[cond]++
		}
	}
}

// dropLeading leaves out conditions of an earlier question in whose place a later one names another:
// another value of the same column, or another text.
func (b *binding) dropLeading() {
	if len(b.q.Leads) == 0 {
		return
	}
	last := map[string]int{}
	for _, w := range b.where {
		name, _, _ := strings.Cut(w, " ")
		last[name] = max(last[name], b.stage[w])
	}
	for i := len(b.where) - 1; i >= 0; i-- {
		if name, _, _ := strings.Cut(b.where[i], " "); b.stage[b.where[i]] < last[name] && (name != "any" || b.q.Swaps) {
			b.where, b.said = slices.Delete(b.where, i, i+1), slices.Delete(b.said, i, i+1)
		}
	}
}

// contain looks for a word of the question; one that begins or ends with a digit is not part of a
// longer number.
func (b *binding) contain(text string) {
	head, tail := isDigit(text[0]), isDigit(text[len(text)-1])
	if !head && !tail {
		b.containText(text)
		return
	}
	re := "(?i)"
	if head {
		re += `(?:^|[^0-9.])`
	}
	if re += regexp.QuoteMeta(text); tail {
		re += `(?:$|[^0-9])`
	}
	at := strings.Index(b.q.Text, text)
	op, said := " ~ ", b.say.f("containing %s", "包含 %s", code(text))
	if b.negates(at, "any") {
		op, said = " !~ ", b.say.f("without %s", "不含 %s", code(text))
	}
	b.lead("any"+op+quoteValue(re), at)
	b.place("any"+op+quoteValue(re), at)
	b.filter("any"+op+quoteValue(re), said)
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func (b *binding) containText(text string) {
	at := strings.Index(strings.ToLower(b.q.Text), strings.ToLower(text))
	if b.negates(at, "any") {
		if b.sayNot(text) {
			return
		}
		b.filter("any not contains "+quoteValue(text), b.say.f("without %s", "不含 %s", code(text)))
		return
	}
	b.lead("any contains "+quoteValue(text), at)
	b.place("any contains "+quoteValue(text), at)
	b.filter("any contains "+quoteValue(text), b.say.f("containing %s", "包含 %s", code(text)))
}

// sayNot filters by the value that says the opposite of a Chinese word, or by its not being the one that says the word:
// 未支付, 已支付. It does nothing if there is neither.
func (b *binding) sayNot(text string) bool {
	for _, by := range []struct{ value, op string }{{"未" + text, " = "}, {"已" + text, " != "}, {"待" + text, " = "}} {
		if f := b.found[by.value]; hasHan(text) && len(f.equal) > 0 {
			column := b.pickColumn(f)
			b.filter(quoteName(column)+by.op+quoteValue(by.value), column+by.op+by.value)
			return true
		}
	}
	return false
}

// quoteName writes a column's name for a filter.
func quoteName(s string) string {
	if strings.ContainsAny(s, " ()=<>!~,\"'") {
		return quoteValue(s)
	}
	return s
}

func quoteValue(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// bindValues looks at the words that are left: values of columns become filters, then words that
// stand in some row, then those that stand nowhere are kept for an honest word about them.
func (b *binding) bindValues() {
	b.bindStated()
	b.bindFlags()
	ws := left(b.q)
	for size := 3; size >= 1; size-- {
		for i := 0; i+size <= len(ws); i++ {
			b.bindPhrase(ws[i:i+size], true)
		}
	}
	b.bindExamples()
	for size := 3; size >= 1; size-- {
		for i := 0; i+size <= len(ws); i++ {
			b.bindPhrase(ws[i:i+size], false)
		}
	}
	b.bindConcepts(ws)
	b.bindHan()
	b.hear(ws)
}

var stated = pattern.New(`^\s*(?:is not|isn't|!=|does not equal|不是|不为|不等于)\s*|^\s*(?:is|=|==|equals?|为|是|等于|：|:)\s*`)

// bindStated reads "COLUMN is VALUE", whether or not the value is there.
func (b *binding) bindStated() {
	for _, m := range b.named {
		if m.role == groupRole || m.to == 0 {
			continue
		}
		rest := b.q.Text[m.to:]
		loc := stated.FindStringIndex(rest)
		if loc == nil || loc[1] == 0 {
			continue
		}
		b.bindStatedValue(m, rest[loc[1]:], m.to+loc[1], [2]int{m.to, m.to + loc[1]}, strings.ContainsAny(rest[:loc[1]], "!不") || strings.Contains(rest[:loc[1]], "not"))
	}
}

// bindFlags reads a named column of yes and no as a filter: "how many are active".
func (b *binding) bindFlags() {
	for _, m := range b.named {
		if m.to == 0 || m.role == groupRole && !(whichOf2.MatchString(b.q.Text[:m.from]) && nounNext.MatchString(b.q.Text[m.to:])) || m.col.distinct > 2 || b.filtered(m.col.name) {
			continue
		}
		yes := yesOf(m.col)
		if yes == "" {
			continue
		}
		b.equal(m.col.name, yes, m.from)
	}
}

// nounNext follows a word that says of what kind a thing is: "which remote workers".
var nounNext = pattern.New(`^\s+[a-z]{3,}s\b|^的?\p{Han}{2}`)

// yesOf gives the value that means yes in a column which holds nothing but yes and no; "" if it is
// none.
func yesOf(c *column) string {
	yes := ""
	for _, v := range c.examples {
		switch strings.ToLower(v) {
		case "yes", "true", "y", "1", "是", "t", "on", "enabled", "√", "✓", "✔", "有", "已":
			yes = v
		case "no", "false", "n", "0", "否", "f", "off", "disabled", "×", "✗", "✘", "无", "未":
		default:
			return ""
		}
	}
	return yes
}

// noOf gives the value that means no in such a column; "" if it has none.
func noOf(c *column) string {
	for _, v := range c.examples {
		if yes := yesOf(c); yes != "" && v != yes {
			return v
		}
	}
	return ""
}

var plainValue = pattern.New(`^[a-z0-9_\-./@]+|^\p{Han}{1,8}?(?:的|$|[，,。？?！])`)

// asksBack begins what asks for a value and is none.
var asksBack = pattern.New(`^(?:哪|谁|什么|啥|多少|几|怎|如何)`)

func (b *binding) bindStatedValue(m named, rest string, at int, gap [2]int, not bool) {
	v := plainValue.FindString(rest)
	v = strings.TrimRight(v, "的，,。？?！.")
	if v == "" || asksBack.MatchString(v) || stopWords[v] && !m.col.holds(v) || b.used(at, at+len(v)) || hanStop.MatchString(v) && hanStop.FindString(v) == v {
		return
	}
	if m.col.kind == "number" && !isNumber(v) {
		return
	}
	if longer := b.longestValue(m.col.name, rest); longer != "" {
		v = longer
	}
	op := "="
	if not != b.negates(m.from, m.col.name) {
		op = "!="
	}
	b.filter(quoteName(m.col.name)+" "+op+" "+quoteValue(v), m.col.name+" "+op+" "+v)
	b.use(word{v, gap[0], at + len(v)})
}

// holds tells a frequent value of a column.
func (c *column) holds(v string) bool {
	return slices.ContainsFunc(c.examples, func(e string) bool { return strings.EqualFold(e, v) })
}

// longestValue gives the longest known value of a column that a text begins with.
func (b *binding) longestValue(column, text string) string {
	best := ""
	for w, f := range b.found {
		if f.equal[column] > 0 && len(w) > len(best) && strings.HasPrefix(text, strings.ToLower(w)) {
			best = w
		}
	}
	return best
}

// bindPhrase turns a phrase into a filter if it is a value of a column, or, if values are not
// asked for, if some row holds it.
func (b *binding) bindPhrase(ws []word, asValue bool) {
	from, to := ws[0].from, ws[len(ws)-1].to
	p, ok := phrase(b.q, ws)
	f := b.found[p]
	if !ok || b.used(from, to) || b.rowNoun(p) && !b.oneOfKinds(p, f) {
		return
	}
	switch {
	case asValue && len(ws) == 1 && b.bindState(ws[0]):
		return
	case asValue && len(f.equal) > 0:
		col := b.pickColumn(f)
		if st := b.statusColumn(); st != "" && f.equal[st] > 0 && isNumber(p) && returned.MatchString(b.q.Text[:from]) {
			col = st
		}
		if !b.plausible(col, p) {
			return
		}
		if b.byTheWay(col, f) {
			b.contain(p)
			break
		}
		b.equal(col, p, from)
	case !asValue && f.mentions > 0 && !isNumber(p):
		if one := singular(p); b.found[one].mentions > f.mentions && len(b.found[one].equal) == 0 {
			p = one // "transfers" may stand by chance where only one transfer is spoken of
		}
		b.contain(p)
	default:
		if asValue || len(ws) > 1 || !b.bindStem(p, from) {
			return
		}
	}
	b.use(word{p, from, to})
}

// oneOfKinds tells a word of the file's name that some of its rows have as a value and others have not: tea in a tea.csv
// of tea and coffee is one of the two, not what every row is.
func (b *binding) oneOfKinds(p string, f found) bool {
	return len(f.equal) > 0 && b.ofValues(f) && !rowNouns[singular(p)] && f.equal[b.pickColumn(f)] < b.rows
}

var prepBefore = pattern.New(`\b(on|in|out|off|at|under|not) $`)

// bindState filters by a value of two words of which the first is a word of asking: "on leave".
func (b *binding) bindState(w word) bool {
	m := prepBefore.FindStringSubmatchIndex(b.q.Text[:w.from])
	if m == nil {
		return false
	}
	v := b.q.Text[m[2]:w.to]
	f := b.found[v]
	if len(f.equal) == 0 || !b.ofValues(f) || b.used(m[2], w.to) {
		return false
	}
	b.equal(b.pickColumn(f), v, m[2])
	b.use(word{v, m[2], w.to})
	return true
}

// byTheWay tells a value that the pairs in some messages of a log have, while more messages have the word.
func (b *binding) byTheWay(col string, f found) bool {
	c := b.column(col)
	return b.column(rows.MessageField) != nil && c != nil && c.filled*2 < b.rows && f.mentions > f.equal[col] && !b.isNamed(col)
}

// returned stands before what a request was answered with.
var returned = pattern.New(`(?:\breturn(?:s|ed|ing)?|\brespond(?:s|ed)?(?: with)?|\b(?:got|gave)|返回了?)\s*(?:an? )?$`)

// bindStem tries other forms of a word that stands nowhere: its singular, or the verb it is of.
func (b *binding) bindStem(p string, at int) bool {
	for _, one := range stems(p) {
		switch f := b.found[one]; {
		case f.mentions == 0:
			continue
		case len(f.equal) > 0:
			b.equal(b.pickColumn(f), one, at)
		default:
			b.contain(one)
		}
		return true
	}
	return false
}

// stems are the forms under which a word may stand: its singular, and of "completed" complete.
func stems(w string) []string {
	var out []string
	if one := singular(w); one != w {
		out = append(out, one)
	}
	if stem, ok := strings.CutSuffix(w, "ed"); ok && len(stem) > 3 {
		out = append(out, stem+"e", stem)
	}
	return out
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789.,") == "" }

// plausible keeps bare numbers from being taken for values of columns of measures.
func (b *binding) plausible(column, value string) bool {
	if !isNumber(value) {
		return true
	}
	c := b.column(column)
	return c != nil && (b.isNamed(column) || b.statusColumn() == column || c.kind != "number" || c.isID())
}

// rowNoun tells a word that names the rows themselves: the file's own name.
func (b *binding) rowNoun(p string) bool {
	stem := strings.Join(nameWords(baseName(b.file)), " ")
	if slices.Contains(stems(p), stem) || slices.ContainsFunc(stems(p), func(w string) bool { return singular(stem) == w }) {
		return true // "released" of a table of releases
	}
	return singular(p) == stem || slices.Contains(strings.Fields(stem), singular(p)) || rowNouns[singular(p)] || b.people(p) || slices.ContainsFunc(strings.Fields(stem), func(w string) bool { return hasHan(p) && sameThing(singular(w), p) })
}

var (
	rowNameEnd = pattern.New(`(?:编码|编号|代码|名称|姓名|名字|名|号|ID|id|代号)$`)
	nameEnds   = set("id no number name code key")
)

// tellsRows tells a noun to which a column that tells the rows apart adds that it is the name or the number of
// it: 物料 beside 物料编码, part beside part_no.
func (b *binding) tellsRows(p string) bool {
	return slices.ContainsFunc(b.cols, func(c column) bool {
		if !b.oneEach(c.name) || c.filled < b.rows {
			return false
		}
		if hasHan(p) {
			return len([]rune(p)) > 1 && rowNameEnd.ReplaceAllString(c.name, "") == p && c.name != p
		}
		w := nameWords(c.name)
		return len(w) == 2 && w[0] == singular(p) && nameEnds[w[1]]
	})
}

var peopleNouns = set("people person employee staff worker colleague member everyone")

// people tells that the rows are people and p says so.
func (b *binding) people(p string) bool {
	return peopleNouns[singular(p)] && b.format == "csv" && slices.ContainsFunc(b.cols, func(c column) bool {
		return slices.Contains([]string{"name", "full name", "first name", "姓名", "employee"}, strings.Join(nameWords(c.name), " "))
	})
}

// bindExamples finds frequent values that the question holds as they are, which is how Chinese,
// written without spaces, names them.
func (b *binding) bindExamples() {
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "text" {
			continue
		}
		for _, v := range c.examples {
			at := strings.Index(b.q.Text, strings.ToLower(v))
			if parts := []rune(v); at < 0 && len(parts) == 2 {
				if m := b.parted(parts); m != nil && !b.used(m[0], m[1]) {
					b.equal(c.name, v, m[0])
					b.use(word{v, m[0], m[1]})
					continue
				}
			}
			if at < 0 || len([]rune(v)) < 2 || !hasHan(v) || b.used(at, at+len(v)) {
				continue
			}
			b.equal(c.name, v, at)
			b.use(word{v, at, at + len(v)})
		}
	}
}

// parted finds a verb with its object in which 过 or 了 stands: 请过假.
func (b *binding) parted(v []rune) []int {
	for _, in := range []string{"过", "了", "过几次", "了几次", "了几天", "过几天"} {
		text := string(v[0]) + in + string(v[1])
		if at := strings.Index(b.q.Text, text); at >= 0 {
			return []int{at, at + len(text)}
		}
	}
	return nil
}

// bindHan does for Chinese words what bindPhrase does for English ones.
func (b *binding) bindHan() {
	for _, w := range append(hanLeft(b.q, nil), append(hanLeft(b.q, hanNouns()), b.offCuts(hanLeft(b.q, nil))...)...) {
		if r := []rune(w.text); len(r) >= 4 && b.found[w.text].mentions == 0 && !b.used(w.from, w.to) {
			if head := string(r[:len(r)-2]); b.rowNoun(head) || b.tellsRows(head) {
				b.use(word{head, w.from, w.from + len(head)})
				w = word{string(r[len(r)-2:]), w.from + len(head), w.to}
			}
		}
		f := b.found[w.text]
		done := b.found["已"+w.text]
		if b.used(w.from, w.to) || len([]rune(w.text)) < 2 && !b.valueOfText(f) || len(f.equal) == 0 && (b.rowNoun(w.text) || b.tellsRows(w.text)) {
			continue
		}
		switch {
		case len(f.equal) > 0:
			b.equal(b.pickColumn(f), w.text, w.from)
		case len(done.equal) > 0 && b.ofValues(done) && f.mentions == done.mentions && !b.turnsRound(w.from):
			b.equal(b.pickColumn(done), "已"+w.text, w.from)
		case f.mentions > 0:
			b.contain(w.text)
		default:
			continue
		}
		b.use(w)
	}
	for _, at := range hanParts.FindAllStringIndex(b.q.Text, -1) {
		if !b.used(at[0], at[1]) {
			b.unheard = append(b.unheard, b.q.Text[at[0]:at[1]])
		}
	}
	for _, w := range hanLeft(b.q, nil) {
		if !b.used(w.from, w.to) && b.loneNoun(w) {
			b.unheard = append(b.unheard, w.text)
		}
	}
	for _, w := range hanLeft(b.q, hanNouns()) {
		if f, ok := b.found[w.text]; ok && f.mentions == 0 && !anyThings[w.text] && !b.tellsRows(w.text) && !b.used(w.from, w.to) && len([]rune(w.text)) > 1 && !b.countedHan(w) && !b.rowNoun(w.text) && !(b.isNot(w.from) && b.isNot(w.to-1)) {
			b.unheard = append(b.unheard, w.text)
		}
	}
}

// offCuts cuts Chinese words at what of them has found its meaning: the 退货 of 退货损失.
func (b *binding) offCuts(ws []word) (out []word) {
	for _, w := range ws {
		cuts := slices.Clone(b.consumed)
		for _, n := range b.allNots {
			cuts = append(cuts, word{"", n.From, n.To})
		}
		for _, c := range cuts {
			if c.from > w.from && c.from < w.to {
				out = append(out, word{b.q.Text[w.from:c.from], w.from, c.from})
			}
			if c.to > w.from && c.to < w.to {
				out = append(out, word{b.q.Text[c.to:w.to], c.to, w.to})
			}
		}
	}
	return out
}

// turnsRound tells that a word right before a place turns it round.
func (b *binding) turnsRound(at int) bool {
	return slices.ContainsFunc(b.allNots, func(n question.Not) bool { return n.To == at })
}

// loneNoun tells a single character that is what a question is about: 最老的狗是谁. No other words
// are a single character, so it must not get lost.
func (b *binding) loneNoun(w word) bool {
	return len([]rune(w.text)) == 1 && strings.HasSuffix(b.q.Text[:w.from], "的") && nounEnds.MatchString(b.q.Text[w.to:]) && !loneWords[w.text]
}

var nounEnds = pattern.New(`^(?:是|有|在|共|一共|总共|哪|谁|多少|几|，|,|？|\?|。|\s*$)`)

var loneWords = set("人 钱 数 量 值 事 行 次 个 条 名 笔 些 率 号 种 类 时 天 月 年 日 周 项 点 家 店 组")

// valueOfText tells a word that is a value of a column of text.
func (b *binding) valueOfText(f found) bool {
	if len(f.equal) == 0 {
		return false
	}
	c := b.column(b.pickColumn(f))
	return c != nil && c.kind == "text"
}

// countedHan tells what 多少 counts by group: the rows themselves.
func (b *binding) countedHan(w word) bool {
	return len(b.groupColumns()) > 0 && strings.HasSuffix(strings.TrimRight(b.q.Text[:w.from], " "), "多少")
}

// hear notes the words that name nothing in the file.
func (b *binding) hear(ws []word) {
	b.hearNumbers(ws)
	for _, w := range ws {
		if b.used(w.from, w.to) || stopWords[w.text] || b.rowNoun(w.text) || len(w.text) < 2 || isNumber(w.text) {
			continue
		}
		if unitWords[w.text] && w.from > 1 && isDigit(b.q.Text[w.from-2]) && b.used(w.from-2, w.from-1) || amountWords[w.text] && b.namedBefore(w.from) {
			continue
		}
		if b.saysNoMore(w) || b.doneMost(w) || b.found[w.text].mentions == 0 && mayDo.MatchString(b.q.Text[:w.from]) {
			continue
		}
		if (lightWords[w.text] || anyThings[w.text] || b.tellsRows(w.text) || fileNext.MatchString(b.q.Text[w.to:])) && b.found[w.text].mentions == 0 {
			continue
		}
		if strings.HasSuffix(w.text, "est") && namedOrder.MatchString(b.q.Text) && len(b.named) > 0 {
			continue // "brightest (lowest magnitude)"
		}
		if b.isNot(w.from) || b.isNot(w.to-1) {
			continue // refused by itself if it turns nothing round
		}
		b.unheard = append(b.unheard, w.text)
	}
}

// doneMost tells the verb of "which bike is rented most", which asks for the most rows of a table of just that.
func (b *binding) doneMost(w word) bool {
	return b.found[w.text].mentions == 0 && strings.HasSuffix(w.text, "ed") && beDone.MatchString(b.q.Text[:w.from]) && mostDone.MatchString(b.q.Text[w.to:]) && len(b.groupColumns()) > 0
}

var (
	beDone   = pattern.New(`\b(?:is|are|was|were|gets?|got|been) $`)
	mostDone = pattern.New(`^ (?:the )?(?:most|least)(?: often)?\s*[?.]*\s*$`)
)

// mayDo stands before what people want to do with the rows: "what can I cook".
var mayDo = pattern.New(`^\s*(?:what|which)\b[^.?!]*\b(?:can|could|may|should) (?:i|we|you|they|one) $`)

// fileNext follows a word that says of what a file is: "which server log".
var fileNext = pattern.New(`^ (?:logs?|files?)\b`)

var (
	statusBehind = pattern.New(`^(?:\s+[a-z-]+)?\s*\(\d{3}\)`)
	statusNext   = pattern.New(`^\s+(?:with|by) (?:an? |the )?(?:status |code |http )*\d{3}\b`)
	moving       = set("download downloads downloaded upload uploaded traffic")
)

// saysNoMore tells a word that says of requests what another part of the question says: "rejected with 401",
// "the most traffic", "how many bytes did they download".
func (b *binding) saysNoMore(w word) bool {
	if b.statusColumn() == "" || b.found[w.text].mentions > 0 {
		return false
	}
	return strings.HasSuffix(w.text, "ed") && statusNext.MatchString(b.q.Text[w.to:]) || statusBehind.MatchString(b.q.Text[w.to:]) ||
		w.text == "authenticated" && b.isNamed("user") ||
		moving[w.text] && (w.text == "traffic" || slices.ContainsFunc(b.named, func(m named) bool { return m.col.kind == "number" }))
}

// What follows a number, or the name of a column of numbers, and says no more than it does.
var (
	unitWords   = set("minutes minute hours hour seconds second euros euro dollars dollar percent days kg eur usd")
	amountWords = set("amount amounts value values figure figures")
)

func (b *binding) namedBefore(at int) bool {
	return slices.ContainsFunc(b.named, func(m named) bool { return m.to > 0 && m.to+1 == at && m.col.kind == "number" })
}

// hearNumbers notes numbers that have become no part of the question, and what else is a condition
// although its words are all words of asking.
func (b *binding) hearNumbers(ws []word) {
	for _, w := range ws {
		if isNumber(w.text) && !b.used(w.from, w.to) && valueBefore.MatchString(b.q.Text[:w.from]) {
			b.unheard = append(b.unheard, w.text)
		}
	}
	for _, at := range idioms.FindAllStringIndex(b.q.Text, -1) {
		if !b.used(at[0], at[1]) {
			b.unheard = append(b.unheard, b.q.Text[at[0]:at[1]])
		}
	}
	m := endState.FindStringSubmatchIndex(b.q.Text)
	if m == nil {
		m = returnsOf.FindStringSubmatchIndex(b.q.Text)
	}
	if m != nil && m[2] < 0 {
		m = append(m[:2:2], m[4:]...)
	}
	if m != nil && b.format != "log" && !b.used(m[2], m[3]) {
		w := b.q.Text[m[2]:m[3]]
		if w == "returns" {
			w = "returned"
		}
		if f := b.found[w]; len(f.equal) > 0 {
			b.equal(b.pickColumn(f), w, m[2])
			b.use(word{b.q.Text[m[2]:m[3]], m[2], m[3]})
			return
		}
		b.unheard = append(b.unheard, w)
	}
}

var (
	valueBefore = pattern.New(`(?:为|是|等于|=|\b(?:is|equals?|of|with|exactly))\s*$`)
	idioms      = pattern.New(`\b(?:on time|in time|in stock|in full)\b|[男女](?:员工|人|生|性|士|客户|学生|用户|顾客)`)
	endState    = pattern.New(`\b(?:was|were|are|is|been|got)\s+(returned|sent|saved|started|ended|written|received|handled|served)\s*$|\bwho\s+(?:has |have |had )?(returned)\b`)
	returnsOf   = pattern.New(`\b(?:to|from|through|by|on|of|for)\s+(?:the |all )?(returns)\s*[?.]*\s*$`)
)

// namedOrder says by which end of a column rows are ordered, whatever else they are called.
var namedOrder = pattern.New(`\b(?:lowest|highest|smallest|largest|least|most|greatest)\s+[\p{L}_]+`)
