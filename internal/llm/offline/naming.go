package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// nameColumns finds the columns that the question names, longer phrases first.
func (b *binding) nameColumns() {
	ws := left(b.q)
	for size := 3; size >= 1; size-- {
		for i := 0; i+size <= len(ws); i++ {
			b.nameBy(ws[i : i+size])
		}
	}
	b.nameByText()
	b.nameParts()
	sorting.By(b.named, func(x, y named) int { return x.from - y.from })
	for i := 1; i < len(b.named); i++ { // "by method and status"
		p, m := b.named[i-1], &b.named[i]
		if p.role == groupRole && p.to > 0 && p.to <= m.from && listJoin.MatchString(b.q.Text[p.to:m.from]) && (m.col.kind != "number" || b.categorical(m.col)) {
			m.role = groupRole
		}
	}
}

func (b *binding) nameBy(ws []word) {
	from, to := ws[0].from, ws[len(ws)-1].to
	if b.used(from, to) {
		return
	}
	var parts []string
	for _, w := range ws {
		parts = append(parts, nameWords(w.text)...)
	}
	if strings.HasPrefix(ws[0].text, "/") || len(ws) == 1 && b.inText(from, to) {
		return // a path is a value
	}
	best, score := -1, 0
	for i := range b.cols {
		if f := b.cols[i].fits(parts); f > score || f == score && f > 0 && b.cols[best].isID() != b.cols[i].isID() && b.cols[i].isID() == b.countsThings(from) {
			best, score = i, f
		}
	}
	if best >= 0 && score == 2 {
		best = b.tellsApart(best, parts)
	}
	if best >= 0 && score <= 2 && len(ws) == 1 && b.stateOf(ws[0]) {
		return
	}
	if best < 0 && len(ws) == 1 {
		best, score = b.otherwise(ws[0])
	}
	if best >= 0 && score <= 2 && len(ws) == 1 && b.rowNoun(ws[0].text) && singular(ws[0].text) != ws[0].text && b.q.Fn != "distinct" && !groupBefore.MatchString(b.q.Text[:from]) {
		return // "jobs by attempt": the rows are the jobs
	}
	if len(ws) == 1 && (ws[0].text == "no" || functionWords[ws[0].text] && len(ws[0].text) < 4) && !byWord.MatchString(b.q.Text[:from]) && !columnBefore.MatchString(b.q.Text[:from]) {
		return // a word of asking, although a column is called so
	}
	if best < 0 || score < 3 && stopWords[ws[0].text] && !(score == 2 && byWord.MatchString(b.q.Text[:from])) || score < 4 && rowNouns[singular(ws[0].text)] && len(ws) == 1 {
		return
	}
	c := &b.cols[best]
	if c.name == rows.ExceptionField && containsBefore.MatchString(b.q.Text[:from]) {
		return // a text to look for
	}
	if ms := b.column(rows.DurationField); ms != nil && (score < 4 || c.kind != "number") && sameThing(strings.Join(nameWords(c.name), " "), "duration") {
		c = ms // of several durations the one whose unit is known
	}
	b.addNamed(c, from, to)
}

// otherwise finds the column that a word names in another way: "ids" those that tell the rows apart, and an
// English word one that is called so in Chinese.
func (b *binding) otherwise(w word) (at, score int) {
	if w.text == "ids" || w.text == "identifiers" {
		if i := slices.IndexFunc(b.cols, column.isID); i >= 0 {
			return i, 4
		}
	}
	if i := b.misspelt(w.text); i >= 0 {
		return i, 4
	}
	if c := conceptNamed(w.text); c != nil {
		for i := range b.cols {
			if hasHan(b.cols[i].name) && b.cols[i].kind == "number" && slices.ContainsFunc(c.texts, func(t string) bool { return strings.HasPrefix(b.cols[i].name, t) }) {
				return i, 4
			}
		}
	}
	return -1, 0
}

// misspelt finds the one column that a word which stands nowhere names but for a slip; -1 if there is none.
func (b *binding) misspelt(w string) int {
	if stopWords[w] || b.found[w].mentions > 0 || len(stems(w)) > 0 && b.found[stems(w)[0]].mentions > 0 || conceptNamed(w) != nil {
		return -1
	}
	hit := -1
	for i := range b.cols {
		if slices.ContainsFunc(nameWords(b.cols[i].name), func(n string) bool { return question.Slip(singular(w), n) }) {
			if hit >= 0 {
				return -1
			}
			hit = i
		}
	}
	return hit
}

// tellsApart chooses among columns that a word names as well as the one found: of customer.id and
// customer.country the one that tells customers apart.
func (b *binding) tellsApart(found int, parts []string) int {
	for i := range b.cols {
		w := nameWords(b.cols[i].name)
		if last := w[len(w)-1]; b.cols[i].fits(parts) == 2 && w[0] == parts[0] && (last == "id" || last == "name" || last == "no" || last == "number") {
			return i
		}
	}
	return found
}

// inText tells a word that with its neighbour stands in the messages of a log, and so is part of
// what is looked for: "connection refused".
func (b *binding) inText(from, to int) bool {
	if b.column(rows.MessageField) == nil {
		return false
	}
	for phrase, f := range b.found {
		if f.mentions == 0 || len(f.equal) > 0 || !strings.Contains(phrase, " ") || hasHan(phrase) {
			continue
		}
		if at := strings.Index(b.q.Text, phrase); at >= 0 && at <= from && to <= at+len(phrase) && !groupBefore.MatchString(b.q.Text[:at]) {
			return true
		}
	}
	return false
}

// nameByVerbs finds columns of times that a verb names: "hired" the hire date, "depart" the departure.
func (b *binding) nameByVerbs() {
	for _, w := range left(b.q) {
		for i := range b.cols {
			if c := &b.cols[i]; c.kind == "time" && len(w.text) > 4 && !b.used(w.from, w.to) && !stopWords[w.text] && strings.HasPrefix(nameWords(c.name)[0], singular(w.text)) && nameWords(c.name)[0] != singular(w.text) {
				b.addNamed(c, w.from, w.to)
			}
		}
		b.nameDone(w)
		if !strings.HasSuffix(w.text, "ed") || b.used(w.from, w.to) || stopWords[w.text] {
			continue
		}
		for i := range b.cols {
			words := nameWords(b.cols[i].name)
			if b.cols[i].kind == "number" && rowNouns[strings.TrimSuffix(w.text, "ed")] || b.stateOf(w) {
				continue
			}
			if (b.cols[i].kind == "time" || b.cols[i].kind == "number") && len(words) > 1 && (slices.Contains(words, w.text) || slices.Contains(words, w.text[:len(w.text)-1]) || slices.Contains(words, w.text[:len(w.text)-2])) {
				b.addNamed(&b.cols[i], w.from, w.to)
				break
			}
		}
	}
}

var mostNext = pattern.New(`^\s+(?:the )?(?:most|fewest|least)\b`)

// nameDone reads a verb that begins the name of a column of when it was done: with a time it names the column,
// "sold in April", and in a ranking it leaves the rows in which it was done: "who sold the most".
func (b *binding) nameDone(w word) {
	timed := b.q.Since != nil || b.q.Until != nil || b.q.Month > 0 || b.q.Unit != ""
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "time" || b.used(w.from, w.to) || len(nameWords(c.name)) < 2 || nameWords(c.name)[0] != w.text {
			continue
		}
		switch {
		case timed:
			b.addNamed(c, w.from, w.to)
		case c.filled < b.rows && !b.stateOf(w) && mostNext.MatchString(b.q.Text[w.to:]) && b.quantity() == nil && b.money() == nil:
			b.filter(quoteName(c.name)+` != ""`, b.say.f("%s not empty", "%s 不为空", c.name))
			b.use(w)
		}
	}
}

// stateOf tells a verb that is a value of a column of few, where no time is asked for: who closed the most
// asks of the rows that are closed.
func (b *binding) stateOf(w word) bool {
	q := b.q
	return len(b.found[w.text].equal) > 0 && b.ofValues(b.found[w.text]) && q.Since == nil && q.Until == nil && q.Month == 0 && q.LastSpan == "" && q.Unit == "" && len(q.Weekdays) == 0 && q.Intent != question.FirstLast && q.Intent != question.Fields
}

// rowNouns name what a row is, not a column of it, unless a column is called exactly so.
var rowNouns = set("request line row record entry event message time day count number total order error")

// nameByText finds columns by their Chinese names and by Chinese words for English names.
func (b *binding) nameByText() {
	type hit struct {
		col      *column
		from, to int
	}
	var hits []hit
	for i := range b.cols {
		c := &b.cols[i]
		for _, name := range append(hanNames(c), b.hanEnds(c)...) {
			at := strings.Index(b.q.Text, strings.ToLower(name))
			if at >= 0 && name != strings.ToLower(c.name) && b.column(name) != nil {
				continue // another column is called so
			}
			if at >= 0 && len([]rune(name)) == 1 && !groupBefore.MatchString(b.q.Text[:at]) {
				continue
			}
			if at >= 0 && name == "类" && (!groupBefore.MatchString(b.q.Text[:at]) || kindOf.MatchString(b.q.Text[at:])) {
				continue // of 类型, 类别 or 一类
			}
			if at >= 0 && name != strings.ToLower(c.name) && b.heldBy(name) && !boundNext.MatchString(b.q.Text[at+len(name):]) {
				continue // 迟到 is a value, and not the 迟到分钟
			}
			if at >= 0 && !(name == "数量" && countNoun.MatchString(b.q.Text[:at]) && !boundNext.MatchString(b.q.Text[at+len(name):])) {
				hits = append(hits, hit{c, at, at + len(name)})
			}
		}
	}
	sorting.By(hits, func(x, y hit) int { return (y.to - y.from) - (x.to - x.from) })
	parts := hanParts.FindAllStringIndex(b.q.Text, -1)
	for _, h := range hits {
		if slices.ContainsFunc(parts, func(p []int) bool { return h.from < p[1] && h.to > p[0] }) {
			continue // the 消息 of 消息服务 is no column
		}
		if !b.used(h.from, h.to) && !b.valueOver(h.from, h.to) {
			b.addNamed(h.col, h.from, h.to)
		}
	}
}

var kindOf = pattern.New(`^类(?:型|别|似)`)

// heldBy tells that some column has a frequent value of this name.
func (b *binding) heldBy(v string) bool {
	return slices.ContainsFunc(b.cols, func(c column) bool { return c.holds(v) })
}

var boundNext = pattern.New(`^(?:超过|大于|小于|高于|低于|多于|少于|不少于|不超过|不足|至少|至多|在|为|是)`)

// countNoun tells that 数量 after it is the number of rows, not a column.
var countNoun = pattern.New(`(?:订单|请求|错误|警告|记录|日志|行|人|用户|客户|员工|事件|条目|文件)的?$`)

func hanNames(c *column) []string {
	var out []string
	if hasHan(c.name) {
		out = append(out, strings.ToLower(c.name))
		if bare := unitEnd.ReplaceAllString(c.name, ""); bare != c.name {
			out = append(out, strings.ToLower(bare))
		}
		if stem, ok := strings.CutPrefix(c.name, "是否"); ok && len([]rune(stem)) > 1 {
			out = append(out, stem) // 是否住校: 住校的
		}
		if r := []rune(c.name); len(r) == 4 { // 处理工单: 处理的工单
			out = append(out, strings.ToLower(string(r[:2])+"的"+string(r[2:])))
		}
		if shopHan[c.name] {
			out = append(out, "店")
		}
		if stem := []rune(c.name); len(stem) == 2 && c.kind == "text" && strings.ContainsRune("级别门", stem[1]) {
			out = append(out, string(stem[0])) // 班级: 每个班
		}
		if stem := quantityEnd.ReplaceAllString(c.name, ""); c.kind == "number" && len([]rune(stem)) > 1 && stem != c.name {
			out = append(out, stem) // 库存数量: 库存低于5
		}
		if stem := []rune(timeEnd.ReplaceAllString(c.name, "")); c.kind == "time" && len(stem) == 4 {
			out = append(out, string(stem[2:])) // 最近入库: 入库
		}
		if stem := durationEnd.ReplaceAllString(c.name, ""); c.kind == "number" && len([]rune(stem)) > 1 && stem != c.name {
			out = append(out, stem) // 迟到分钟: 迟到超过10分钟
		}
		if stem := timeEnd.ReplaceAllString(c.name, ""); c.kind == "time" && len([]rune(stem)) > 1 && stem != c.name {
			out = append(out, stem) // 入职日期: 谁最早入职
		}
	}
	for _, k := range concepts() {
		own := strings.ToLower(c.name[strings.LastIndexByte(c.name, '.')+1:])
		if !hasHan(c.name) && slices.ContainsFunc(k.texts, func(t string) bool { return t == own || singular(own) == t }) {
			for _, w := range k.asked {
				if hasHan(w) && c.kind == "number" {
					out = append(out, w+"次数", w+"数")
				}
				if hasHan(w) {
					out = append(out, w)
				}
			}
		}
	}
	name := strings.TrimSuffix(strings.Join(nameWords(c.name), " "), " id")
	last := name[strings.LastIndexByte(name, ' ')+1:] // country of customer.country
	for _, group := range synonyms {
		if !slices.Contains(group, name) && !(strings.Contains(c.name, ".") && slices.Contains(group, last)) {
			continue
		}
		for _, w := range group {
			if hasHan(w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// hanEnds are Chinese words for things that only this column's name ends with: 金额 of 实付金额.
func (b *binding) hanEnds(c *column) []string {
	name := unitEnd.ReplaceAllString(c.name, "")
	var out []string
	for _, w := range hanNouns() {
		if w == name || !strings.HasSuffix(name, w) || len([]rune(w)) < 2 || slices.ContainsFunc(b.cols, func(o column) bool { return o.kind == c.kind && strings.HasPrefix(o.name, w) }) {
			continue
		}
		if !slices.ContainsFunc(b.cols, func(o column) bool {
			return o.name != c.name && strings.HasSuffix(unitEnd.ReplaceAllString(o.name, ""), w)
		}) {
			out = append(out, w)
		}
	}
	return out
}

// shopHan are names of a column of shops, of which people say 哪家店.
var shopHan = set("门店 店铺 商店 店名 分店")

var quantityEnd = pattern.New(`(?:数量|总数|总量|次数|人数|天数)$`)

var durationEnd = pattern.New(`(?:毫秒|秒|分钟|小时|天)数?$`)

var timeEnd = pattern.New(`(?:日期|时间|时刻|日)$`)

// valueOver tells that a name stands within a frequent value that the question names: the 服务 of
// 支付服务.
func (b *binding) valueOver(from, to int) bool {
	for i := range b.cols {
		for _, v := range b.cols[i].examples {
			at := strings.Index(b.q.Text, strings.ToLower(v))
			if hasHan(v) && at >= 0 && at <= from && to <= at+len(v) && to-from < len(v) {
				return true
			}
		}
	}
	return false
}

var columnBefore = pattern.New(`\b(?:columns?|fields?)\s+$`)

var byWord = pattern.New(`\b(?:by|per)\s+$`)

// nameFlags finds columns of yes and no that a form of their verb names: "did not pass" passed.
func (b *binding) nameFlags() {
	for _, w := range left(b.q) {
		for i := range b.cols {
			c := &b.cols[i]
			if bare, ok := strings.CutPrefix(w.text, "un"); ok && c.kind == "time" && !b.used(w.from, w.to) && nameWords(c.name)[0] == bare && b.found[w.text].mentions == 0 {
				b.filter(quoteName(c.name)+` in ("", "-")`, b.say.f("%s empty", "%s 为空", c.name))
				b.use(w)
			}
			if !b.used(w.from, w.to) && noOf(c) != "" && isOpposite(w.text, strings.ToLower(c.name)) {
				b.equal(c.name, noOf(c), w.from)
				b.use(w)
			}
			if !b.used(w.from, w.to) && !stopWords[w.text] && len(w.text) > 2 && yesOf(c) != "" && (slices.Contains(stems(strings.ToLower(c.name)), w.text) || ableTo(strings.ToLower(c.name), w.text)) {
				b.addNamed(c, w.from, w.to)
			}
		}
	}
}

// ableTo tells a flag that is named for what can be done: billable of bill.
func ableTo(flag, verb string) bool {
	stem, ok := strings.CutSuffix(flag, "able")
	return ok && len(stem) > 2 && (verb == stem || verb == stem+"e" || verb == stem+"ed" || verb == stem+"d")
}

// opposites are words of which one says that the other is not so.
var opposites = [][2]string{{"offline", "online"}, {"disabled", "enabled"}, {"closed", "open"}, {"closed", "opened"}, {"off", "on"}, {"absent", "present"}, {"empty", "full"}, {"failed", "passed"}, {"failed", "success"}, {"failed", "ok"}, {"failed", "successful"}, {"failed", "succeeded"}, {"unsuccessful", "ok"}, {"private", "public"}, {"dead", "alive"}, {"down", "up"}, {"离线", "在线"}, {"停用", "启用"}, {"禁用", "启用"}, {"关闭", "开启"}}

// isOpposite tells a word that says of a flag that it is not so.
func isOpposite(w, flag string) bool {
	for _, pre := range []string{"un", "in", "im", "dis", "non-", "non", "not-"} {
		if bare, ok := strings.CutPrefix(w, pre); ok && (bare == flag || len(bare) > 4 && slices.Contains(stems(bare), flag)) {
			return true
		}
	}
	return slices.ContainsFunc(opposites, func(o [2]string) bool {
		return o[0] == w && (o[1] == flag || strings.HasSuffix(flag, "_"+o[1]) || flag == "is"+o[1])
	})
}

var groupBefore = pattern.New(`(?:\b(?:by|per|pro|each|every|in each|for each|of each|which|what)\s+(?:the\s+|single\s+|of the\s+)?|按照?|每(?:一?(?:个|种|类|位|名|条|台|家|间|款|支)|一)?|各(?:个|种|类|台|家)?|哪(?:一?(?:个|种|位|台|家|款|名|条)|些|几个|一)?|(?:[两三四五]|这几)(?:个|种|家|台))\s*$`)

func (b *binding) addNamed(c *column, from, to int) {
	r := plainRole
	if groupBefore.MatchString(b.q.Text[:from]) || glossBefore.MatchString(b.q.Text[:from]) {
		r = groupRole
	}
	if r == groupRole && c.kind == "number" && higherNext.MatchString(b.q.Text[to:]) && whichBefore.MatchString(b.q.Text[:from]) {
		r = plainRole // 甲和乙哪个支出更高
	}
	b.named = append(b.named, named{c, r, from, to})
	b.use(word{b.q.Text[from:to], from, to})
}

var higherNext = pattern.New(`^\s*的?(?:平均|总)?\p{Han}{0,2}?(?:更|最|比较|要)`)

var glossBefore = pattern.New(`(?:哪(?:个|一个|些|种)?|每个?|各个?|按照?)\p{Han}+\s*[（(]$`)
