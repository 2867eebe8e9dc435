package question

import (
	"cmp"
	"strings"

	"github.com/akitad/akitad/internal/pattern"
)

// How much of a message is looked at, in bytes: a question stands at its beginning or its end.
const (
	headBytes = 6000
	tailBytes = 2000
)

// maxClauses is how many questions of one message are answered.
const maxClauses = 16

// Parse understands a message; known are the names of the files at hand. It always gives at least
// one question. Of a long message only the beginning and the end are looked at.
func Parse(words string, known []string) Asked { return parse(words, known, false) }

// ParseAlone is Parse for a message that only the one known file can be about: "and which one has the most"
// then compares no files.
func ParseAlone(words string, known []string) Asked { return parse(words, known, len(known) == 1) }

func parse(words string, known []string, one bool) (a Asked) {
	if len(words) > headBytes+tailBytes {
		words = strings.ToValidUTF8(words[:headBytes], "") + "\n" + strings.ToValidUTF8(words[len(words)-tailBytes:], "")
	}
	ms := mentions(words, known)
	a = Asked{Lang: wantedLang(blank(words, ms))}
	if sections, rest := sectionsIn(words); len(sections) > 0 {
		words, ms = rest, mentions(rest, known)
		defer func() { a.Sections = sections }()
	}
	if facts, rest, wished := keeps(words); wished {
		return a.keeping(facts, rest, known, one)
	}
	name, at := reportOf(words, ms)
	a.Report = name
	if at >= 0 {
		words = dropReport(words, ms[at])
	} else if rest, ok := dropUnnamed(words); ok {
		a.Report, words = cmp.Or(name, "report.md"), rest
	}
	if a.Bare = a.Report != "" && strings.Trim(words, " \t\n,.;:!，。；：！") == ""; a.Bare {
		words = map[string]string{"zh": "总结"}[a.Lang]
		words = cmp.Or(words, "summarize")
	}
	words = joinOrder(respelled(words))
	cs := bareCounts(bareNames(clauses(words), known), known)
	if whole := parseClause(words, known, a.Lang); whole.Intent.whole() && !(whole.Intent == Incident && countLead.MatchString(words)) && !(one && whole.Intent == Compare && picksAfter(cs, known)) {
		a.Questions = []Question{whole}
		return a
	}
	a.Dropped = max(len(cs)-maxClauses, 0)
	var from []clause
	for _, c := range cs[:min(len(cs), maxClauses)] {
		for i, asked := range parseEnds(c.text, known, a.Lang) {
			c.end = i > 0
			if one && len(from) > 0 && asked.picks() {
				asked.Intent = Top
			}
			for _, q := range asked.perFigure() {
				a.Questions, from = append(a.Questions, q), append(from, c)
			}
		}
	}
	a.Questions, a.Unknown = settle(a.Questions, from, known)
	if len(a.Questions) == 0 {
		a.Questions = []Question{parseClause(words, known, a.Lang)}
	}
	return a
}

// countLead asks for a number first, whatever failed.
var countLead = pattern.New(`(?i)^\s*how many\b|^\s*有?多少`)

// whole tells intents that a message has as one, however many sentences it takes.
func (i Intent) whole() bool {
	switch i {
	case Refuse, Incident, Remember, Recall, Forget, Correlate, Compare, Help:
		return true
	}
	return false
}

var reportTail = pattern.New(`(?i)[,;，；。.]?\s*(?:and\s+|then\s+|also\s+|please\s+|并|然后|请|最后|再)*(?:\b(?:write|save|put|store|export|output|produce|create|generate|make|record|dump)\b[^,;.?!。？！，；]*|(?:把|将)?[^，。；？！,.;?!]{0,12}?(?:写入|写到|写进|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|生成|记录到|放到|汇总到|写成|写)[^，。；？！,.;?!]{0,12})$`)

// dropReport takes the request to write a file out of the words, so that the rest is what is asked.
// Words that say what to write ("write the number of errors to x.md") stay.
func dropReport(words string, m mention) string {
	before, after := words[:m.from], words[m.to:]
	if loc := reportTail.FindStringIndex(before); loc != nil && emptyWish(before[loc[0]:]) {
		return strings.TrimSpace(before[:loc[0]] + "。"[:0] + after)
	}
	return strings.TrimSpace(writeWord.ReplaceAllString(before, "") + after)
}

var (
	writeWord = pattern.New(`(?i)(?:\s+(?:to|into|as|in)\s+(?:the\s+|a\s+)?(?:file\s+)?|\s*(?:并|然后)?(?:写入|写到|写进|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|记录到|写成)\s*(?:文件)?\s*)[` + "`" + `"'“]?$`)
	wishWords = pattern.New(`(?i)\b(?:and|then|also|please|write|save|put|store|export|output|produce|create|generate|make|record|dump|a|an|the|it|this|that|them|your|my|short|full|report|reports|result|results|answer|answers|findings|finding|summary|everything|all|to|in|into|as|file|called|named|at|of|markdown)\b|并|然后|请|最后|再|把|将|写入|写到|写进|保存到|保存为|存到|存入|存为|存成|输出到|导出到|导出为|生成|记录到|放到|汇总到|写成|写|一份|一个|报告|结果|答案|结论|分析|文件|它|这些|全部|到|为|成`)
)

// emptyWish tells that a request to write says nothing of what is to be found out.
func emptyWish(s string) bool {
	return strings.Trim(wishWords.ReplaceAllString(s, ""), " \t\n,.;:，。；：'\"`“") == ""
}

func (q *Question) inherit(p Question) {
	if len(q.Files) == 0 {
		q.Files = p.Files
	}
	if q.Since == nil && q.Until == nil && q.Month == 0 {
		q.Since, q.Until, q.Month, q.MonthTo, q.MonthYear = p.Since, p.Until, p.Month, p.MonthTo, p.MonthYear
	}
}

var refersBack = pattern.New(`\b(?:it|them|they|those|these|one|first|last)\b|它|它们|这些|那些|其中|第一|最后|首次|最早|最晚|一个是`)

// lasting is "how long do certificates last", whose last word points at nothing.
var lasting = pattern.New(`(?i)\b(how long (?:do|does|did|will|would|can|could|may|should)\b[^.?!]*?)\blast\b`)

// pointsBack tells words that point at what stands before them.
func pointsBack(text string) bool {
	return refersBack.MatchString(lasting.ReplaceAllString(text, "$1"))
}

// leansOn tells that a clause which points back names nothing of its own to look for, and that what
// stands before it is of a kind that it can be about.
func leansOn(q, p Question) bool {
	switch p.Intent {
	case Count, Filter, Top, Aggregate, FirstLast, Fields:
	default:
		return false
	}
	return (q.Intent == FirstLast || q.Intent == Filter || q.Intent == Count) && q.Level == "" && len(q.Quoted) == 0 && len(q.Bounds) == 0 && len(q.Files) == 0
}

// nameWords are all that a clause has beside names of files when it asks nothing.
var nameWords = pattern.New(`(?i)\b(?:in|of|from|see|for|the|this|these|my|file|files|log|logs|here|attached|attachment|and)\b|文件|日志|附件|见|看|在|里|中|的|和|与|这个|如下`)

// bareNames gives the names of files that stand by themselves to each question that names none: "Any warnings? app.log".
func bareNames(cs []clause, known []string) []clause {
	var out []clause
	var names []string
	for _, c := range cs {
		ms := mentions(c.text, known)
		if len(ms) == 0 || strings.Trim(nameWords.ReplaceAllString(blank(c.text, ms), ""), " \t,.:，。：、'\"`()（）“”") != "" {
			out = append(out, c)
			continue
		}
		for _, m := range ms {
			names = append(names, c.text[m.from:m.to])
		}
	}
	if len(names) == 0 || len(out) == 0 {
		return cs
	}
	for i, c := range out {
		if len(mentions(c.text, known)) == 0 {
			out[i].text = c.text + " " + strings.Join(names, " ")
		}
	}
	return out
}

// bareMany asks for the number of what was just asked about.
var bareMany = pattern.New(`(?i)^(?:and |so |if so,? |if yes,? )?how many(?: (?:times|of them|are there|were there|in total))?$|^(?:有|一共有?|共)?(?:几|多少)(?:个|次|条|人|笔)?$`)

// bareCounts joins "Did Ann take any? How many?" to one question for a number.
func bareCounts(cs []clause, known []string) []clause {
	var out []clause
	for _, c := range cs {
		if last := len(out) - 1; last >= 0 && bareMany.MatchString(c.text) {
			if p := parseClause(out[last].text, known, ""); p.Intent == Unknown || p.Intent == Filter {
				out[last].text = strings.TrimRight(c.text, "?？ ") + " " + out[last].text
				continue
			}
		}
		out = append(out, c)
	}
	return out
}
