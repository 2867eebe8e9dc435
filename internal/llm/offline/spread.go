package offline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// apartAsked asks by how much one of two differs from the other.
var apartAsked = pattern.New(`\b(?:by )?how much (?:more|less|better|worse|higher|lower|greater|smaller|longer|shorter|larger|cheaper|dearer|faster|slower)\b|\bhow many (?:more|fewer|less)\b|\bby how (?:much|many)\b|\bdifference between\b|(?:差|差距|相差|好|强|高|低|多|少|大|小|长|短|快|慢|贵|便宜)了?(?:是|有)?(?:多少|几(?:分|元|块|岁|天|个|件|次))|比[^，。？！]*[多少好强高低大小长短快慢贵][^，。？！]{0,4}(?:多少|几\p{Han})`)

var saysTotal = pattern.New(`\btotals?\b|总`)

// twoApart is the column of which just two values are named whose figures are to be set apart; "" if that is not asked.
func (b *binding) twoApart() string {
	if !apartAsked.MatchString(b.q.Text) {
		return ""
	}
	for _, w := range b.where {
		if name, list, ok := strings.Cut(w, " in ("); ok && name != rows.LevelField && b.column(name) != nil && strings.Count(list, ",") == 1 {
			return name
		}
	}
	return ""
}

// countsMore asks for a difference of numbers of rows, if its noun is how they are called.
var countsMore = pattern.New(`\bhow many (?:more|fewer|less) ([a-z]+)|(?:多少|几)[次单笔条]`)

// setApart gives the figures of two values of a column and their difference. Where no figure is meant and no
// rows are counted, the number of their rows would be one that nobody asked for.
func (s *session) setApart(b *binding, by string) (*finding, error) {
	m := b.measure()
	counted := countsMore.FindStringSubmatch(b.q.Text)
	if m == nil && counted == nil {
		m = b.onlyNumber()
	}
	if m == nil && (counted == nil || counted[1] != "" && !b.rowNoun(counted[1])) {
		return b.decline(b.say.of("it is not clear of what the difference is asked", "不清楚要比较的是哪一项的差")), nil
	}
	q := *b.q
	if q.Gap, q.Desc, q.Asc = true, true, false; q.Fn == "sum" && !saysTotal.MatchString(q.Text) {
		q.Fn = "" // "how much better" asks for no sum
	}
	b.q = &q
	return s.groups(b, []string{by}, m)
}

// spread tells how far apart the largest and the smallest value of a column are.
func (s *session) spread(b *binding) (*finding, error) {
	c := b.measure()
	if c == nil {
		c = b.onlyNumber()
	}
	if c == nil || len(b.groupColumns()) > 0 || b.q.Unit != "" || c.kind != "number" {
		return b.decline(b.say.of("it is not clear between which two figures the difference is asked", "不清楚要求的是哪两个数之差")), nil
	}
	b.plays = append(b.plays, c.name)
	args := b.args()
	args.Aggregate = "max(" + c.name + "),min(" + c.name + ")"
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	most, least := t.cell(0, "max("+c.name+")"), t.cell(0, "min("+c.name+")")
	hi, ok1 := rows.Number(most)
	lo, ok2 := rows.Number(least)
	if !ok1 || !ok2 {
		return b.decline(b.say.f("`%s` holds no plain numbers", "`%s` 中不是单纯的数字", c.name)), nil
	}
	apart := fixed(hi-lo, max(rows.Decimals(most), rows.Decimals(least)))
	what := b.say.with(b.what())
	return &finding{Kind: "text", Text: b.say.f("The largest and the smallest %s in %s%s are **%s** apart: %s and %s.", "%[2]s 中%[3]s %[1]s 的最大值与最小值相差 **%[4]s**：%[5]s 与 %[6]s。", c.name, b.file, what, apart, most, least)}, nil
}

// How many days, and what there was most of: the thing that is meant stands around the unit, before it, or before the most.
var spells = []*pattern.Pattern{
	pattern.New(`(\p{Han})(?:了|过)?(?:多少|几)个?(天|小时|分钟)(\p{Han})(?:$|[^\p{Han}])`),
	pattern.New(`(\p{Han}{2})(?:了|过)?(?:多少|几)个?(天|小时|分钟)()`),
	pattern.New(`(\p{Han}{2})()()得?最[多少久长]`),
}

// bindSpells reads how many days of something there were by the column that is named for both: 请了几天假 of 请假天数.
// What is ranked by the most of it is so by that column too, where it counts days.
func (b *binding) bindSpells() {
	for _, re := range spells {
		if m := re.FindStringSubmatchIndex(b.q.Text); m != nil {
			b.bindSpell(b.q.Text[m[2]:m[3]]+b.q.Text[m[6]:m[7]], cmp.Or(b.q.Text[m[4]:m[5]], "天"), m[2], m[7])
			return
		}
	}
}

func (b *binding) bindSpell(thing, unit string, from, to int) {
	var held []*column
	for i := range b.cols {
		if c := &b.cols[i]; c.kind == "number" && strings.HasPrefix(c.name, thing) && strings.Contains(c.name, unit) {
			held = append(held, c)
		}
	}
	if len(held) != 1 || b.used(from, to) || slices.ContainsFunc(b.named, func(m named) bool { return m.col == held[0] }) {
		return
	}
	b.named = append(b.named, named{held[0], plainRole, from, to})
	b.use(word{b.q.Text[from:to], from, to})
	q := *b.q
	if q.Desc || q.Asc {
		return
	}
	if q.Fn = cmp.Or(q.Fn, "sum"); whoWords.MatchString(q.Text) {
		q.Intent = question.Top
	} else if q.Intent != question.Top {
		q.Intent = question.Aggregate
	}
	b.q = &q
}
