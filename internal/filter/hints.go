package filter

import (
	"cmp"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

// answer describes a kind of question and what its answers look like.
type answer struct {
	asked map[string]bool  // words of such a question, as eachWord gives them
	looks *pattern.Pattern // what an answer has
}

var answers = []answer{
	{stems("long took take takes duration elapsed 耗时 多久"), pattern.New(`\d ?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\b|\d ?(?:秒|分钟|小时)`)},
	{stems("when date day time 日期 时间 时候 何时"), pattern.New(`\d{4}-\d\d-\d\d|\d{1,2}:\d\d|\b\d{1,2} [A-Z][a-z]{2}|\d ?[年月日]`)},
	{stems("price cost costs fee 价格 费用"), pattern.New(`[$€£¥]|\b(?:EUR|USD|CNY|RMB)\b|\d\.\d\d\b|\d ?元`)},
	{stems("email mail 邮箱 邮件"), pattern.New(`\w@\w`)},
	{stems("link url 链接"), pattern.New(`https?://`)},
	{stems("phone telephone 电话"), pattern.New(`\+?\d[\d -]{6,}`)},
	{
		stems("why cause reason fail fails failed failing failure error errors problem wrong broken not cannot 原因 失败 错误 异常"),
		pattern.New(`(?i)\b(?:errors?|fail(?:ed|ure|s)?|fatal|panic|exception|denied|refused|cannot|could not|not found|undefined|undeclared|missing)\b|[✕✗✘]|错误|失败|异常|不足|无法`),
	},
}

const (
	likelyPart = 1.25 // factor for the score of a hit that looks like an answer
	maxLikely  = 300  // how many of the best hits are tested
)

// prefer raises the score of those of the best hits that look like an answer to the query.
func (d *document) prefer(q query, hits []hit) {
	asked := false
	for _, a := range answers {
		if !q.saysOneOf(a.asked) {
			continue
		}
		asked = true
		for i := range hits[:min(len(hits), maxLikely)] {
			if a.looks.MatchString(clip(d.textOf(d.units[hits[i].unit]), unitMost)) {
				hits[i].raise(likelyPart)
			}
		}
	}
	if asked {
		sortHits(hits)
	}
}

func sortHits(hits []hit) {
	sorting.By(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
}

func (q query) saysOneOf(words map[string]bool) bool {
	for w := range q.said {
		if words[w] {
			return true
		}
	}
	return false
}

// leastJoined is the shortest word that is looked for inside of others.
const leastJoined = 4

// joined looks for those words of the query that no unit has as words of their own: within longer words, or across a
// space. So login is found in "log in", and key in "publickey". The hits stay in the order of their units. df has, by
// term, in how many units it stands.
func (d *document) joined(q query, df []int, hits []hit) []hit {
	least := leastJoined
	if len(hits) == 0 {
		least--
	}
	var terms []int
	for t, n := range df {
		if w := q.terms[t].word; n == 0 && len(w) >= least && class(w[0]) != 0 {
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 {
		return hits
	}
	var out []hit
	next := 0
	for i, u := range d.units {
		h := hit{unit: i}
		if next < len(hits) && hits[next].unit == i {
			h = hits[next]
			next++
		}
		text := squeezed(u.lead + d.textOf(u))
		for _, t := range terms {
			if !strings.Contains(text, q.terms[t].word) {
				continue
			}
			if h.weight == nil {
				h.weight = make([]float64, len(df))
			}
			h.weight[t], h.own = leadPart, true
			df[t]++
		}
		if h.weight != nil {
			out = append(out, h)
		}
	}
	return out
}

// squeezed returns the letters and digits of a text, lower case.
func squeezed(text string) string {
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		switch c := text[i]; class(c) {
		case upper:
			b = append(b, c+'a'-'A')
		case lower, digit:
			b = append(b, c)
		}
	}
	return string(b)
}

// counting are the words of questions for a number.
var counting = stems("many number count counts total 多少 几个 几条 数量 总数")

// counted says in how many rows, or lines, words of the query stand, for questions that ask how many.
func (d *document) counted(q query) string {
	if !q.saysOneOf(counting) || len(q.terms) > 6 || len(d.lines) < 5 && len(d.tables) != 1 {
		return ""
	}
	what, n, all := "lines", make([]int, len(q.terms)), 0
	count := func(text string) {
		weight, _ := q.weigh(text)
		whole := weight != nil
		for t, w := range weight {
			if w > kinPart {
				n[t]++
			}
			whole = whole && w > kinPart
		}
		if whole {
			all++
		}
	}
	if len(d.tables) == 1 {
		what = "rows"
		for _, s := range d.tables[0].spans {
			count(d.plain[s.from:s.to])
		}
	} else {
		for i := range d.lines {
			count(d.lineText(i))
		}
	}
	return tally(what, q, n, all)
}

func tally(what string, q query, n []int, all int) string {
	var parts, said []string
	for t, k := range n {
		if k > 0 {
			parts = append(parts, q.terms[t].said+" ×"+number(float64(k)))
			said = append(said, q.terms[t].said)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	if len(parts) > 1 && len(parts) == len(n) {
		parts = append([]string{`"` + strings.Join(said, " ") + `" ×` + number(float64(all))}, parts...)
	}
	return what + " with " + strings.Join(parts, ", ")
}
