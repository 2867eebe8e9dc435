package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// partNouns are what people call the parts of a system that a log names in its service column.
var partNouns = func() map[string]bool {
	out := set(`job task stage step 任务 作业 阶段`)
	for w := range openers {
		out[w] = true
	}
	return out
}()

// nameParts takes what people call a part of a system for the services of a log, where it has no other
// column for them and its lines do not use the word.
func (b *binding) nameParts() {
	c := b.column("service")
	if c == nil || b.format != "log" || c.distinct < 2 || b.isNamed(c.name) {
		return
	}
	for _, w := range left(b.q) {
		if one := singular(w.text); partNouns[one] && b.found[w.text].mentions == 0 && b.found[one].mentions == 0 && !b.used(w.from, w.to) {
			b.addNamed(c, w.from, w.to)
		}
	}
	if stem := strings.ToLower(baseName(b.file)); hasHan(stem) { // 每个车间 of 车间.log
		if at := strings.Index(b.q.Text, stem); at >= 0 && eachBefore.MatchString(b.q.Text[:at]) && !b.used(at, at+len(stem)) {
			b.addNamed(c, at, at+len(stem))
		}
	}
	whole := hanParts.FindAllStringIndex(b.q.Text, -1)
	for w := range partNouns {
		at := strings.Index(b.q.Text, w)
		if hasHan(w) && at >= 0 && b.found[w].mentions == 0 && !b.used(at, at+len(w)) && !b.valueOver(at, at+len(w)) && !slices.ContainsFunc(whole, func(p []int) bool { return p[0] < at && at < p[1] }) {
			b.addNamed(c, at, at+len(w))
		}
	}
}

var eachBefore = pattern.New(`(?:每一?个?|哪一?个?|各个?|按照?|几个|多少个)$`)

var countedNoun = pattern.New(`(?:多少|几)(?:个|种|台|家)(?:不同的)?(\p{Han}{2,4}?)(?:[？?。，,]|$)`)

// uncounted is what 几个 counts that no column holds: the rows are not it.
func (b *binding) uncounted() string {
	m := countedNoun.FindStringSubmatchIndex(b.q.Text)
	if m == nil {
		return ""
	}
	noun := b.q.Text[m[2]:m[3]]
	if b.used(m[2], m[3]) || b.rowNoun(noun) || messageNouns.MatchString(noun) || hanRows[noun] || !slices.Contains(hanNouns(), noun) && !partNouns[noun] {
		return ""
	}
	return noun
}

// hanRows are words for rows of any kind.
var hanRows = set("订单 请求 记录 日志 事件 条目 数据 行")

var (
	peopleAsked = pattern.New(`(?:多少|几)(?:个|名|位)?(?:不同的)?(?:人|员工|职员|同事)(?:[^次数均]|$)|\bhow many (?:different |distinct |unique )?(?:people|persons|employees|workers|staff|colleagues)\b`)
	peopleNames = set("name full name employee person 姓名 员工 人员")
	personNouns = set("customer client buyer user username name employee seller salesperson worker student person member payer assignee agent teacher 老师 教师 处理人 负责人 人员 经办人 technician engineer driver operator nurse doctor courier author reviewer tester borrower patient guest tenant rider runner player artist coach trainer mechanic pilot captain clerk cashier vet analyst requester reporter holder subscriber attendee participant volunteer donor speaker instructor chef host owner 技师 技术员 工程师 司机 医生 读者 患者 病人 学员 会员 队员 球员 选手 乘客 旅客 住户 租客 租户 快递员 骑手 教练 作者 申请人 借阅人 值班人 主播 店员 收银员 导师 成员 客户 顾客 买家 用户 姓名 员工 学生 销售员 业务员")
)

// person is the column of people's names, if there is one and people stand in more than one row.
func (b *binding) person() *column { return b.personOf(column.isPerson) }

// personIn is the column of people that has one of some names.
func (b *binding) personIn(nouns map[string]bool) *column {
	return b.personOf(func(c column) bool { return c.kind == "text" && nouns[strings.Join(nameWords(c.name), " ")] })
}

// personOf is the first column of a kind of people of whom some stand in several rows, or the one of those who do what is asked.
func (b *binding) personOf(kind func(column) bool) (first *column) {
	for i := range b.cols {
		c := &b.cols[i]
		if !kind(*c) || c.distinct == c.filled && !c.over {
			continue
		}
		if m := whoDoes.FindStringSubmatch(b.q.Text); m != nil && strings.Contains(c.name, m[1]) {
			return c // the 配送员 of 谁送
		}
		if first == nil {
			first = c
		}
	}
	return first
}

var whoDoes = pattern.New(`谁(\p{Han})`)

// isPerson tells a column of names of people by what it is called: a noun for people, or any word for somebody who does a thing.
func (c column) isPerson() bool {
	name := strings.Join(nameWords(c.name), " ")
	return c.kind == "text" && (personNouns[name] || namedPerson.MatchString(name) || doerHan.MatchString(c.name) || doerEN.MatchString(name) && !thingsInER[name])
}

// namedPerson is a column of names that says whose they are.
var namedPerson = pattern.New(`^(?:full|employee|staff|person|worker|member|student) name$`)

// doerEN is how English words for people who do something end, and thingsInER what else does.
var (
	doerEN     = pattern.New(`^[a-z]+(?:er|or|ist|ian)$`)
	thingsInER = set("order number color colour floor error sensor server printer container router header paper letter vendor supplier counter center folder power weather quarter carrier filter layer parameter register flavor corner tier browser computer cluster controller logger")
)

// doerHan is how Chinese names of columns of people end.
var doerHan = pattern.New(`(?:人|员|师|者|姓名)$`)

// nameDoers finds the column of those who do what a verb of a ranking says: the director of "who directed the most".
func (b *binding) nameDoers() {
	if b.q.Intent != question.Top || !whoWords.MatchString(b.q.Text) {
		return
	}
	for _, w := range left(b.q) {
		stem := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(w.text, "s"), "d"), "e")
		for i := range b.cols {
			c := &b.cols[i]
			name := strings.Join(nameWords(c.name), " ")
			if c.kind == "text" && len(stem) > 2 && w.text != name && !b.used(w.from, w.to) && (name == stem+"er" || name == stem+"or" || wroteWord[w.text] && (name == "author" || name == "writer")) {
				b.named = append(b.named, named{c, groupRole, w.from, w.to})
				b.use(w)
			}
		}
	}
}

var wroteWord = set("wrote written writes")

var totalBefore = pattern.New(`总(?:的)?$|\b(?:most|least)\s+$`)

var occasions = pattern.New(`^(?:的)?次数|^了?过?(?:几|多少)次|^(?:得|的)?最(?:频繁|经常)`)

// bindOccasions reads 迟到次数 of a table that tells by how much: the rows in which it is more than nothing.
func (b *binding) bindOccasions() {
	for i, m := range b.named {
		if m.to == 0 || m.col.kind != "number" || !hasHan(m.col.name) || b.q.Text[m.from:m.to] == strings.ToLower(m.col.name) || !durationEnd.MatchString(m.col.name) || !occasions.MatchString(b.q.Text[m.to:]) {
			continue
		}
		b.filter(quoteName(m.col.name)+" > 0", m.col.name+" > 0")
		b.named = slices.Delete(b.named, i, i+1)
		return
	}
}

var totalAfter = pattern.New(`^总(?:数|量|和|计|额|价|值)`)

// bindTotals reads 总工时 and "the most weight": the sum of a column, whatever it is called.
func (b *binding) bindTotals() {
	for _, m := range b.named {
		if at := totalAfter.FindStringIndex(b.q.Text[m.to:]); at != nil && m.to > 0 && m.col.kind == "number" && (b.q.Fn == "" || b.q.Fn == "sum") && !m.col.isID() { // 下载总数
			q := *b.q
			if q.Fn = "sum"; q.Intent == question.Count || q.Intent == question.Filter {
				q.Intent = question.Aggregate
			}
			b.q = &q
			return
		}
		if m.to > 0 && m.col.kind == "number" && b.q.Fn == "" && !m.col.isID() && totalBefore.MatchString(b.q.Text[:m.from]) && (strings.Contains(b.q.Text[:m.from], "总") || m.col.rate() && len(b.groupColumns()) > 0) {
			q := *b.q
			q.Fn, b.q = "sum", &q
			return
		}
	}
}
