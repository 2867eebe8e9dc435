package question

import (
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/pattern"
)

// Not is a word of the question that turns round what it governs: not, without, 没有.
type Not struct{ From, To int }

// notWords are such words; what the first group matches only looks like one.
var notWords = pattern.New(`(有没有|是不是|能不能|会不会|要不要|是否|[^\d]不足(?:[^\d]|$)|不仅|不但|不管|不论|不同于?[^\d]|不一样|不过|不断|非常|除以|除非|删除|移除|清除|未来|\bnot only\b|\bwhether or not\b|\bno\. ?\d|\bwithout doubt\b|\bno one\b)` +
	`|\b(?:failed|fails?|failing|refused|refuses?) to\b|\b(?:different|differs?|differing|apart|aside) from\b|\b(?:other|rather) than\b|\binstead of\b|\bsave (?:for|those)\b|\b(?:any|every|all|each) [a-z]+ but\b|\b(?:everything|everyone|anything|anyone|all|any) but\b|\b(?:not|cannot|never|no|without|except(?: for| from)?|excepting|exclud(?:e|es|ed|ing)|excl\.|besides|neither|nor|unlike|lack(?:s|ed|ing)?|missing|minus)\b|\b(?:is|are|was|were|do|does|did|has|have|had|ca|could|should|would|wo)n['’]?t\b|\bnon-|[!＝≠]=?` +
	`|除了|除去|除开|除掉|除|排除掉?|剔除|去掉|不再是|不包括|不包含|不含有?|不同于|不等于|不属于|不来自|不是来自|不是|不为|不在|没有|没|并非|未能|未|非|不|无|以外|之外`)

// Nots gives the words that turn something round, but for those that a field has used up.
func (q *Question) Nots() []Not {
	var out []Not
	for _, m := range notWords.FindAllStringSubmatchIndex(q.Text, -1) {
		word := q.Text[m[0]:m[1]]
		if (word == "以外" || word == "之外") && strings.Contains(q.Text[:m[0]], "除") {
			continue // the end of 除 … 以外
		}
		if m[2] < 0 && !q.Shouted(m[0], m[1]) && !q.TakenAt(m[0], m[1]) && !(q.Text[m[0]:m[1]] == "无" && strings.HasPrefix(q.Text[m[1]:], "法")) {
			out = append(out, Not{m[0], m[1]})
		}
	}
	return out
}

// behindIt is all that stands between a thing and a word behind it that turns it round.
var behindIt = pattern.New(`^[^\s的，,、和与或]+\s*$`)

// Behind tells that the word turns round what stands before it: 华东以外.
func (q *Question) Behind(n Not, at int) bool {
	word := q.Text[n.From:n.To]
	return (word == "以外" || word == "之外") && at < n.From && behindIt.MatchString(q.Text[at:n.From])
}

// bridgeWords may stand between such a word and what it governs.
const bridgeWords = `i|we|you|they|he|she|it|about|regarding|concerning|a|an|the|any|some|all|at|of|on|in|by|to|as|from|for|with|be|been|being|is|are|was|were|have|has|had|having|gets|got|getting|give|given|gave|come|comes|came|coming|go|goes|went|make|makes|made|happen|happens|happened|occur|occurs|occurred|appear|appears|appeared|equal|equals|contain|contains|contained|containing|mention|mentions|mentioned|mentioning|match|matches|matched|matching|include|includes|included|including|show|shows|showing|say|says|said|hold|holds|holding|carry|carries|return|returns|returned|returning|respond|responded|answer|answered|result|resulted|end|ended|use|uses|used|using|send|sent|take|takes|took|taken|last|lasted|sell|sold|buy|bought|belong|belongs|belonged|originate|originated|originating|ship|shipped|place|placed|order|ordered|locate|located|based|live|lives|log|logged|logging|counting|count|report|reported|word|words|text|string|phrase|value|code|level|severity|status|those|that|ones|one|anything|kind|type|like|either|both|there|ever|just|only|really|actually|yet|also|line|lines|row|rows|record|records|entry|entries|request|requests`

const hanBridge = `返回的?|包含|含有|含|提到|出现过?|发生在?|来自|属于|是|为|等于|在|有|到|于|过|了|的|任何|状态码?|级别|日志|行|请求|这个|那个|词|文本|字样|给出|记录|得到|收到|使用|用|从|由|被|来`

var (
	bridging   = pattern.New(`^(?:[\s"“”'‘’「」` + "`" + `:：=()（）【】\[\]]|\b(?:` + bridgeWords + `)\b|` + hanBridge + `)*$`)
	linking    = pattern.New(`(?:\s*,\s*|\s+|^)(?:or|nor|and)\s+|\s*[,、，]\s*|\s*(?:或者|或|和|与|以及|及|也不是|也不)\s*`)
	linkTail   = pattern.New(`^(?:[\s"“”'‘’「」` + "`" + `]|\b(?:a|an|the|any|in|from|of|with|by|at|on|to|for|of type|level)\b|的|是|在)*$`)
	plainThing = pattern.New(`^[^\s,，。;；]+(?:\s+[^\s,，。;；]+){0,2}$`)
	bridgeLead = pattern.New(`^(?:[\s"“”'‘’「」` + "`" + `:：=]|\b(?:` + bridgeWords + `)\b|` + hanBridge + `)*`)
)

// Bridges tells how a word that turns round reaches over what stands between it and a condition:
// straight, or through the things of a list ("not A or B"); neither is no reach.
func Bridges(gap string) (straight, listed bool) {
	if len(gap) > maxGap {
		return false, false
	}
	if bridging.MatchString(gap) {
		return true, false
	}
	ats := linking.FindAllStringIndex(gap, -1)
	if len(ats) == 0 || !linkTail.MatchString(gap[ats[len(ats)-1][1]:]) {
		return false, false
	}
	from := 0
	for _, at := range ats {
		part := bridgeLead.ReplaceAllString(gap[from:at[0]], "")
		if part = strings.Trim(part, " \"“”'`"); !plainThing.MatchString(part) || relative.MatchString(part) {
			return false, false
		}
		from = at[1]
	}
	return false, true
}

// maxGap is over how many bytes such a word may reach.
const maxGap = 200

// relative begins another statement, which a word before it does not reach.
var relative = pattern.New(`\b(?:but|who|which|whose|where|when|while|after|before|since|until|between|over|above|below|under|more|less)\b|但|而|且`)

// reaches tells that a word which turns round governs what stands at a place, and which.
func (q *Question) reaches(nots []Not, at int) (Not, bool) {
	for i := len(nots) - 1; i >= 0; i-- {
		if q.Behind(nots[i], at) {
			return nots[i], true
		}
		if nots[i].To > at {
			continue
		}
		straight, listed := Bridges(q.Text[nots[i].To:at])
		return nots[i], straight || listed
	}
	return Not{}, false
}

// Shouted tells a short word that is written in capitals in a message that is not: a code, such as that
// of a country, whatever the word would mean else.
func (q *Question) Shouted(from, to int) bool {
	if to-from < 2 || to-from > 3 || len(q.Original) != len(q.Text) {
		return false
	}
	word := q.Original[from:to]
	switch word {
	case "NOT", "AND", "OR", "BY", "IS", "ALL", "ANY", "THE":
		return false
	}
	return strings.ToUpper(word) == word && strings.ToLower(word) != word && strings.ContainsFunc(q.Original, unicode.IsLower)
}
