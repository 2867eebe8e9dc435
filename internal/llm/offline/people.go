package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

var (
	genderWord = pattern.New(`([男女])(?:员工|人|生|性|士|客户|学生|用户|顾客|同学|孩|职工)|\b(women|woman|females?|girls?)\b|\b(men|man|males?|boys?)\b`)
	womanNames = set("女 女性 女生 f female woman w")
	manNames   = set("男 男性 男生 m male man")
)

// bindGender reads 女生 and "women" of a table that tells it in one letter or one word.
func (b *binding) bindGender() {
	at := slices.IndexFunc(b.cols, func(c column) bool { return sameThing(strings.Join(nameWords(c.name), " "), "gender") })
	if at < 0 {
		return
	}
	c := &b.cols[at]
	for _, m := range genderWord.FindAllStringSubmatchIndex(b.q.Text, -1) {
		names := manNames
		if m[4] >= 0 || m[2] >= 0 && strings.HasPrefix(b.q.Text[m[2]:], "女") {
			names = womanNames
		}
		v := slices.IndexFunc(c.examples, func(v string) bool { return names[strings.ToLower(v)] })
		if v < 0 || b.used(m[0], m[1]) {
			continue
		}
		b.equal(c.name, c.examples[v], m[0])
		b.use(word{b.q.Text[m[0]:m[1]], m[0], m[1]})
	}
}

var passWord = pattern.New(`(不|没|未)?及格`)

// passMark is what a mark of a hundred has to reach.
const passMark = 60

// bindPass reads 及格 and 不及格 of a mark; a bound beside it says the same.
func (b *binding) bindPass() {
	m := passWord.FindStringSubmatchIndex(b.q.Text)
	if m == nil || b.used(m[0], m[1]) || b.found["及格"].mentions > 0 {
		return
	}
	if len(b.q.Bounds) > 0 {
		b.use(word{b.q.Text[m[0]:m[1]], m[0], m[1]})
		return
	}
	if c := b.nearest(m[0]); c != nil {
		q := *b.q
		q.Bounds = append(slices.Clone(q.Bounds), question.Bound{Op: map[bool]string{true: "<", false: ">="}[m[2] >= 0], Number: passMark, At: m[0], End: m[1]})
		b.q = &q
		b.use(word{b.q.Text[m[0]:m[1]], m[0], m[1]})
	}
}
