package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// turnedOps is the opposite of a comparison.
var turnedOps = map[string]string{">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "!=", "!=": "="}

// negates tells that a condition which stands at a place of the question is turned round by a word
// before it: right before it, behind verbs and the names of columns, or through a list. The word has
// then found what it governs.
func (b *binding) negates(at int, column string) bool {
	if at < 0 {
		return false
	}
	all := b.allNots
	for i := len(all) - 1; i >= 0; i-- {
		if b.q.Behind(all[i], at) {
			b.nots = slices.DeleteFunc(b.nots, func(n question.Not) bool { return n == all[i] })
			return true
		}
		if all[i].To > at {
			continue
		}
		straight, _ := question.Bridges(b.withoutColumns(all[i].To, at))
		_, listed := question.Bridges(b.q.Text[all[i].To:at])
		if !straight && !listed {
			return false
		}
		if other, ok := b.governed[all[i]]; straight && ok && other != column {
			b.problem = b.say.f("it is not clear how much of the question `%s` turns round; ask for each condition by itself", "不清楚 `%s` 否定的是哪些条件；请分别提问", b.q.Text[all[i].From:all[i].To])
		}
		if listed {
			b.ored = true // not A or B is neither of them
		}
		b.turned = append(b.turned, column)
		if listed && slices.ContainsFunc(b.turned, func(c string) bool { return c != column }) {
			b.problem = b.say.f("it is not clear how much of the question `%s` turns round; ask for each condition by itself", "不清楚 `%s` 否定的是哪些条件；请分别提问", b.q.Text[all[i].From:all[i].To])
		}
		if b.governed == nil {
			b.governed = map[question.Not]string{}
		}
		if straight { // a list is turned round by its first thing, else the word is still to find one
			b.governed[all[i]] = column
			b.nots = slices.DeleteFunc(b.nots, func(n question.Not) bool { return n == all[i] })
		}
		return true
	}
	return false
}

// withoutColumns is a part of the question without the names of columns in it.
func (b *binding) withoutColumns(from, to int) string {
	text := []byte(b.q.Text[from:to])
	for _, m := range b.named {
		for i := max(m.from, from); i < min(m.to, to); i++ {
			text[i-from] = ' '
		}
	}
	return string(text)
}

// isNot tells that a place of the question is within a word that turns something round.
func (b *binding) isNot(at int) bool {
	return slices.ContainsFunc(b.allNots, func(n question.Not) bool { return n.From <= at && at < n.To })
}

var whichOnes = pattern.New(`(?:\b(?:which|what)|哪(?:个|一个|些|几个))\s*$`)

// noneOf follows what is to have no such row at all.
var noneOf = pattern.New(`^\s*(?:is not|isn't|are not|aren't|was not|wasn't|were not|weren't|did not|didn't|do not|don't|does not|doesn't|never|have no|has no|had no|have not|has not|没有|未|从不|不)`)

// neverSo asks for whom or what something is so in no row at all: behind who, or behind which and a noun.
var neverSo = pattern.New(`\b(?:(who|whose)|which ([a-z]+))\b[^.?!]*\b(?:never|not (?:once|ever)|n['’]t (?:once|ever))\b|(?:(谁)|哪(?:些|个|几个|一?位)?(\p{Han}{2})?)[^，。？！]*(?:从来?[没不]|从未|一(?:次|天|直)[都也]?没)|(?:从来?[没不]|从未|一次[都也]?没)[^，。？！]*(?:(谁)|哪(?:些|个|几个|一?位)?(\p{Han}{2})?)`)

// neverWho tells a question for people of whom something is so in no row, which is not one for rows.
func (b *binding) neverWho(person *column) bool {
	m := neverSo.FindStringSubmatch(b.q.Text)
	if m == nil {
		return false
	}
	noun := cmp.Or(m[2], m[4], m[6])
	return noun == "" || b.people(noun) || sameThing(strings.Join(nameWords(person.name), " "), singular(noun)) && !b.rowNoun(noun)
}

// asIs are words that turn nothing round where they stand.
var asIs = pattern.New(`\bthere (?:is|are|was|were) no (?:more )?(?:other )?$`)

// modalNot says that something was impossible, which is more than that it is not so.
var modalNot = pattern.New(`\b(?:could|can|would) ?(?:not|n['’]t) (?:be|get)\b|\bcannot (?:be|get)\b|无法被|不能被`)

// refuseNots declines a question in which a word that turns round has not found what it governs: the
// figure would be that of the opposite.
func (b *binding) refuseNots() {
	if b.problem != "" {
		return
	}
	if c := b.person(); c != nil && !b.oneEach(c.name) && b.neverWho(c) { // rows without are not people without
		b.problem = b.say.f("I can leave out rows, but not tell which `%s` has none of them", "可以排除某些行，但无法判断哪些 `%s` 一行都没有", c.name)
		return
	}
	for _, m := range b.named { // which regions have none is not which rows are others
		nots := b.allNots
		if len(nots) == 0 || m.to == 0 || m.col.kind == "number" || b.filtered(m.col.name) || b.oneEach(m.col.name) {
			continue
		}
		if nots[0].From < m.from && strings.HasSuffix(b.q.Text[:m.from], "的") || noneOf.MatchString(b.q.Text[m.to:]) && whichOnes.MatchString(b.q.Text[:m.from]) {
			b.problem = b.say.f("I can leave out rows, but not tell which `%s` has none of them", "可以排除某些行，但无法判断哪些 `%s` 一行都没有", m.col.name)
			return
		}
	}
	if at := modalNot.FindStringIndex(b.q.Text); at != nil && len(b.turned) > 0 {
		b.problem = b.say.f("its rows tell what is so, not what can be (`%s`)", "其中的行只写明是否如此，不写明能否（`%s`）", b.q.Text[at[0]:at[1]])
		return
	}
	for _, n := range b.nots {
		word := strings.TrimSpace(b.q.Text[n.From:n.To])
		if b.used(n.From, n.To) || asIs.MatchString(b.q.Text[:n.To]) {
			continue
		}
		b.problem = b.say.f("it is not clear what `%s` turns round, so there is no figure", "不清楚 `%s` 否定的是什么，因此不给出数字", word)
		return
	}
}

// timeWord is a word of time. One that has not become a range is not to get lost.
var timeWord = pattern.New(`\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\bweek(?:s|days?|ends?)?\b|\b(?:today|yesterday|tomorrow|tonight)\b|\b(?:this|last|next|past|previous) (?:week|month|year|quarter|night)\b|\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\bquarters?\b|\bq[1-4]\b|\b(?:spring|summer|autumn|winter)\b|(?:星期|礼拜|周)[一二三四五六日天末]|工作日|今天|昨天|前天|明天|今日|昨日|本周|上周|本月|上个?月|这个月|今年|去年|前年|[一二三四五六七八九十\d]+月|[一二三四1-4]季度|[上下]半年|春季|夏季|秋季|冬季`)

func (b *binding) refuseTimes() {
	if b.problem != "" {
		return
	}
	for _, at := range timeWord.FindAllStringIndex(b.q.Text, -1) {
		if b.used(at[0], at[1]) || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 {
			continue
		}
		word := b.q.Text[at[0]:at[1]]
		b.problem = b.say.f("`%s` could not be applied as a time, so there is no figure", "无法应用时间条件 `%s`，因此不给出数字", word)
		return
	}
}
