package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

var (
	goneWord   = pattern.New(`\b(?:leavers?|former (?:employees?|members?|staff|workers?)|ex-employees?)\b|\b(?:(?:have|has|had|who|that|people|employees|members|staff)\s+(?:already\s+|since\s+)?(?:left|quit|resigned))\b|已?离职(?:了)?|已经离开`)
	stayWord   = pattern.New(`\bstill (?:with us|here|employed|working|on the team|on staff)\b|在职`)
	goneNames  = set("end ended leave left leaving exit quit termination terminated resigned resignation departure")
	joinedWord = pattern.New(`\b(?:joined|hired)\b`)
	joinNames  = set("start started join joined joining hire hired hiring entry")
)

// timeCalled is the one column of times whose name begins with one of some words; nil if there is none or a choice.
func (b *binding) timeCalled(names map[string]bool, han *pattern.Pattern) (only *column) {
	for i := range b.cols {
		c := &b.cols[i]
		if c.kind != "time" || !names[nameWords(c.name)[0]] && !han.MatchString(c.name) {
			continue
		}
		if only != nil {
			return nil
		}
		only = c
	}
	return only
}

var (
	goneHan = pattern.New(`离职|离开|离店|退出`)
	joinHan = pattern.New(`入职|加入|入会`)
)

// bindGone reads who has left, and who has not, by a column of when, which only those have a value of that left. Where
// no column tells, the word is not to get lost: the rest would be everybody.
func (b *binding) bindGone() {
	op, mean := ` != ""`, b.say.of("%s not empty", "%s 不为空")
	at := goneWord.FindStringIndex(b.q.Text)
	if at == nil {
		at, op, mean = stayWord.FindStringIndex(b.q.Text), ` = ""`, b.say.of("%s empty", "%s 为空")
	}
	if at == nil || b.used(at[0], at[1]) {
		return
	}
	said := b.q.Text[at[0]:at[1]]
	verb := strings.TrimSuffix(said[strings.LastIndexByte(said, ' ')+1:], "了")
	if len(b.found[verb].equal) > 0 {
		return // a value tells it
	}
	c := b.timeCalled(goneNames, goneHan)
	if c == nil && b.found[verb].mentions == 0 && !hasHan(said) && slices.ContainsFunc(left(b.q), func(w word) bool { return b.people(w.text) }) {
		b.unheard = append(b.unheard, verb)
	}
	if c == nil || c.filled == b.rows {
		return
	}
	b.filter(quoteName(c.name)+op, fmt.Sprintf(mean, c.name))
	b.use(wordAt(said, at[0]))
}

func wordAt(text string, from int) word { return word{text, from, from + len(text)} }

// nameJoined reads "who joined last" of a table that says when each began.
func (b *binding) nameJoined() {
	at := joinedWord.FindStringIndex(b.q.Text)
	if at == nil || b.used(at[0], at[1]) || b.found[b.q.Text[at[0]:at[1]]].mentions > 0 {
		return
	}
	if c := b.timeCalled(joinNames, joinHan); c != nil {
		b.addNamed(c, at[0], at[1])
	}
}

var (
	absentWord   = pattern.New(`没有?(?:来|到|参加|出席)(?:考试|上课|开会|上班)?|\b(?:did not|didn't) (?:come|show up|turn up|attend)\b`)
	absentValues = []string{"缺考", "缺席", "缺勤", "未到", "旷考", "旷课", "未参加", "absent", "no-show", "no show"}
)

// bindAbsent reads who did not come by the one value that says so.
func (b *binding) bindAbsent() {
	at := absentWord.FindStringIndex(b.q.Text)
	if at == nil || b.used(at[0], at[1]) {
		return
	}
	var cond [][2]string
	for _, c := range b.cols {
		for _, v := range c.examples {
			if slices.Contains(absentValues, strings.ToLower(v)) {
				cond = append(cond, [2]string{c.name, v})
			}
		}
	}
	if len(cond) != 1 {
		return
	}
	b.dropNots(at[0], at[1])
	b.equal(cond[0][0], cond[0][1], at[0])
	b.use(wordAt(b.q.Text[at[0]:at[1]], at[0]))
}

var (
	onLeave   = pattern.New(`请了?过?(?:几次|几天|多少天|多少次)?假|休了?假|\bon (?:sick |annual )?leave\b`)
	leaveEnds = pattern.New(`(?i)^\p{Han}{1,2}假$|^(?:sick|annual|personal|parental) leave$`)
)

// bindLeave reads who was on leave by the values that are kinds of it: 病假, 事假.
func (b *binding) bindLeave() {
	at := onLeave.FindStringIndex(b.q.Text)
	if at == nil || b.used(at[0], at[1]) || len(b.found[b.q.Text[at[0]:at[1]]].equal) > 0 {
		return
	}
	for _, c := range b.cols {
		kinds := slices.DeleteFunc(slices.Clone(c.examples), func(v string) bool { return !leaveEnds.MatchString(v) })
		if c.kind != "text" || len(kinds) == 0 {
			continue
		}
		for _, v := range kinds {
			b.equal(c.name, v, at[0])
		}
		b.use(wordAt(b.q.Text[at[0]:at[1]], at[0]))
		return
	}
}

// dropNots leaves out the words within a part of the question that else would turn something round.
func (b *binding) dropNots(from, to int) {
	b.allNots = slices.DeleteFunc(slices.Clone(b.allNots), func(n question.Not) bool { return n.From < to && n.To > from })
	b.nots = slices.Clone(b.allNots)
}

var (
	notFound  = pattern.New(`\bnot found\b|找不到|未找到`)
	ofServers = pattern.New(`\bserver(?:[ -]side)? errors?\b`)
)

// bindStatusWords reads what is called "not found" and a "server error" of requests by their status, where no text says so.
func (b *binding) bindStatusWords() {
	st := b.statusColumn()
	if c := b.column(st); c == nil || c.kind != "number" || b.column(rows.LevelField) != nil {
		return
	}
	if at := notFound.FindStringIndex(b.q.Text); at != nil && b.found[b.q.Text[at[0]:at[1]]].mentions == 0 && !b.used(at[0], at[1]) {
		b.dropNots(at[0], at[1])
		b.equal(st, "404", at[0])
		b.use(wordAt(b.q.Text[at[0]:at[1]], at[0]))
	}
	if at := ofServers.FindStringIndex(b.q.Text); at != nil && b.found["server"].mentions == 0 {
		b.use(wordAt("server", at[0]))
	}
}

var (
	personBefore = pattern.New(`\b(?:everyone|everybody|anyone|anybody|people|persons?|employees|staff|students?|members|pupils|children|kids|customers|patients|who is|who are|who's)\s+(?:(?:is|are|who|that|aged)\s+)*$`)
	yearsAfter   = pattern.New(`^\s*(?:周?岁|years? old\b|years of age\b)`)
	comesOfAge   = pattern.New(`^(?:未满|不满|年满)`)
)

// ageBound tells a bound on the age of people that names no column.
func (b *binding) ageBound(at, end int) *column {
	c := b.columnFor([]string{"age"})
	if c == nil || !yearsAfter.MatchString(b.q.Text[end:]) && !personBefore.MatchString(b.q.Text[:at]) && !comesOfAge.MatchString(b.q.Text[at:]) {
		return nil
	}
	return c
}
