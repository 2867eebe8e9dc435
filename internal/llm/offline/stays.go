package offline

import (
	"cmp"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

const (
	stayEN = `stay(?:ed)?|work(?:ed)?|employed|served?|keep|kept`
	stayZH = `[待干工作做呆]了?(?:多久|多长时间|几年)|在职(?:多久|多长时间|几年)|(?:花|用|处理|住|租|借)了?(?:多久|多长时间|几天|多少天)`
)

var (
	stayed    = pattern.New(`\bhow long\b[^.?!]*\b(?:` + stayEN + `|take|took|taken|last(?:ed)?)\b|` + stayZH)
	stayWords = pattern.New(`\b(?:` + stayEN + `)\b|` + stayZH)
	longStay  = pattern.New(`\b(?:longest|shortest)\b|最[长久短]`)

	// Names of when a thing began and when it was over.
	beginNames = set("start started join joined joining hire hired hiring entry opened created begin began received submitted reported requested arrived borrowed from")
	overNames  = set("end ended leave left leaving exit quit termination terminated resigned departure closed resolved finished completed done returned to")
	beginHan   = pattern.New(`入职|加入|入会|开始|创建|提交|入住|借出|借阅|受理|报修`)
	overHan    = pattern.New(`离职|离开|离店|退出|结束|关闭|解决|完成|退房|归还|处理`)
)

var (
	notBack     = pattern.New(`(?:\bnot|n['’]t)(?: yet)?(?: been)? (?:come back|came back|brought back|given back|back)(?: yet)?|\bstill out\b|(?:还没|没有?|未)(?:还|归还)(?:书|回来)?`)
	returnNames = set("returned return")
	returnHan   = pattern.New(`归还|还书|还车|退还`)
)

// bindOut reads what has not come back of a table that tells when each did.
func (b *binding) bindOut() {
	at, c := notBack.FindStringIndex(b.q.Text), b.timeCalled(returnNames, returnHan)
	if at == nil || c == nil || c.filled == b.rows || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 {
		return
	}
	for _, n := range b.allNots {
		if n.From < at[0] && at[0] < n.To {
			at[0] = n.From // the have of haven't
		}
	}
	b.dropNots(at[0], at[1])
	b.filter(quoteName(c.name)+` = ""`, b.say.f("%s empty", "%s 为空", c.name))
	b.use(wordAt(b.q.Text[at[0]:at[1]], at[0]))
}

// bindStayed reads how long somebody stayed of a table that tells when each came and went: the rows of those who are gone,
// by the time between.
func (b *binding) bindStayed() {
	at, ranked := stayed.FindStringIndex(b.q.Text), false
	if at == nil {
		at, ranked = longStay.FindStringIndex(b.q.Text), true
	}
	if ranked && at != nil && (b.measures() || b.columnFor(lengthNames) != nil || b.namedAt(at[1])) {
		return // the longest of something else
	}
	from, to := b.timeCalled(beginNames, beginHan), b.timeCalled(overNames, overHan)
	if at == nil || from == nil || to == nil || b.durationColumn() != nil {
		return
	}
	q := *b.q
	switch {
	case q.Fn != "" && q.Fn != "sum":
		q.Intent = question.Aggregate
	default:
		q.Intent, q.Fn, q.Rows, q.Desc = question.Top, "", true, !q.Asc
		if q.N = cmp.Or(q.N, shownGroups); ranked {
			q.N = 1
		}
	}
	b.q, b.themed = &q, true
	b.filter(quoteName(to.name)+` != ""`, b.say.f("%s not empty", "%s 不为空", to.name))
	b.named = append(b.named, named{apartColumn(to, from), plainRole, at[0], at[1]})
	for _, w := range stayWords.FindAllStringIndex(b.q.Text, -1) {
		b.use(wordAt(b.q.Text[w[0]:w[1]], w[0]))
	}
}

// namedAt tells that a column is named right behind a place.
func (b *binding) namedAt(at int) bool {
	for _, m := range b.named {
		if m.from >= at && strings.TrimSpace(b.q.Text[at:m.from]) == "" {
			return true
		}
	}
	return false
}
