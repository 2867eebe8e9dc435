package memory

import "github.com/akitad/akitad/internal/pattern"

// A question and its answer often share no word: "where do I live" and "moved to Bergen". Entries
// that state a relation, and texts that ask for it, also share the relation's own term.

func relationTerm(relation string) string { return "@" + relation }

var asked = []struct {
	relation string
	find     *pattern.Pattern
}{
	{"residence", pattern.New(`(?i)\bwhere\b.{0,20}\b(?:live|living|based|home|reside)\b|\bmy (?:home|city|town)\b|\b(?:weather|nearby|near me)\b|住(?:在)?(?:哪|什么地方)|我家在|天气|附近`)},
	{"name", pattern.New(`(?i)\b(?:my|user'?s) name\b|\bwho am i\b|\bcall(?:ed)? me\b|我叫什么|我的名字|我是谁|怎么称呼`)},
	{"employer", pattern.New(`(?i)\bwhere\b.{0,20}\bwork\b|\bmy (?:employer|company|job)\b|在哪.{0,4}(?:工作|上班)|我的?公司`)},
	{"role", pattern.New(`(?i)\bmy (?:job|role|profession|title)\b|what do i do\b|我的?(?:职位|职业)|我是做什么`)},
	{"age", pattern.New(`(?i)\bhow old\b|\bmy age\b|多大|几岁|年龄`)},
	{"birthday", pattern.New(`(?i)\bwhen\b.{0,10}\bborn\b|生日`)},
}

func subjectsAsked(text string) (relations []string) {
	for _, a := range asked {
		if a.find.MatchString(text) {
			relations = append(relations, relationTerm(a.relation))
		}
	}
	return relations
}
