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
func Parse(words string, known []string) Asked {
	if len(words) > headBytes+tailBytes {
		words = strings.ToValidUTF8(words[:headBytes], "") + "\n" + strings.ToValidUTF8(words[len(words)-tailBytes:], "")
	}
	ms := mentions(words, known)
	a := Asked{Lang: wantedLang(blank(words, ms))}
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
	if whole := parseClause(words, known, a.Lang); whole.Intent.whole() {
		a.Questions = []Question{whole}
		return a
	}
	cs := clauses(words)
	a.Dropped = max(len(cs)-maxClauses, 0)
	for _, c := range cs[:min(len(cs), maxClauses)] {
		a.Questions = append(a.Questions, parseClause(c, known, a.Lang).perFigure()...)
	}
	a.Questions, a.Unknown = settle(a.Questions, known)
	if len(a.Questions) == 0 {
		a.Questions = []Question{parseClause(words, known, a.Lang)}
	}
	return a
}

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

var (
	sentenceEnd = pattern.New(`[?!？！。；;\n]+|\.(?:\s+|$)`)
	clauseJoin  = pattern.New(`(?i)(?:,\s*|\s+)(?:and|then|and then|and also|as well as)\s+((?:how (?:many|often|much)|list|show|what|which|when|where|who|count|give|find|print|tell|extract|summari[sz]e|group|also)\b)|[，,]\s*(?:并且|并|然后|以及|同时|再|还有)?((?:多少|列出|显示|统计|哪|什么时候|找出|给出|提取|总结|计算|最))`)
)

// clauses splits a message at the ends of sentences and before a second verb.
func clauses(words string) []string {
	var out []string
	from := 0
	cut := func(to int) {
		if s := strings.TrimSpace(words[from:to]); s != "" {
			out = append(out, s)
		}
	}
	for _, at := range sentenceEnd.FindAllStringIndex(words, -1) {
		if words[at[0]] == '.' && isInitial(words[:at[0]]) {
			continue
		}
		cut(at[0])
		from = at[1]
	}
	cut(len(words))
	var parts []string
	for _, s := range out {
		parts = append(parts, splitJoined(s)...)
	}
	return parts
}

// isInitial tells that a point ends an abbreviation such as "i.e." and no sentence.
func isInitial(s string) bool {
	return len(s) > 1 && s[len(s)-2] == '.' || strings.HasSuffix(s, " vs") || strings.HasSuffix(s, " no")
}

func splitJoined(s string) []string {
	var out []string
	for {
		m := clauseJoin.FindStringSubmatchIndex(s)
		if m == nil || m[0] == 0 || intentOf(strings.ToLower(s[:m[0]])) == Unknown { // what stands before asks nothing by itself
			return append(out, s)
		}
		verb := m[2]
		if verb < 0 {
			verb = m[4]
		}
		out = append(out, strings.TrimSpace(s[:m[0]]))
		s = s[verb:]
	}
}

// settle drops clauses that ask nothing beside ones that do, and lets a clause without file, level
// or time take those of the clause before it.
func settle(qs []Question, known []string) (out []Question, unknown []string) {
	asks := false
	for _, q := range qs {
		asks = asks || q.Intent != Unknown
	}
	for _, q := range qs {
		if asks && q.Intent == Unknown {
			if asking.MatchString(q.Original) && !refersBack.MatchString(q.Text) {
				unknown = append(unknown, q.Original)
			}
			continue
		}
		if len(out) > 0 && q.Intent == Top && q.N > 0 && onlyTop.MatchString(q.Text) {
			out[len(out)-1].N = q.N // "Which is the worst? Top 3."
			continue
		}
		if len(out) > 0 {
			if p := out[len(out)-1]; refersBack.MatchString(q.Text) && leansOn(q, p) {
				q = q.after(p, known)
			} else {
				q.inherit(p)
			}
		}
		out = append(out, q)
	}
	if len(out) == 0 && len(qs) > 0 {
		return qs[:1], nil
	}
	return out, unknown
}

// asking begins, or in Chinese makes, a question.
var asking = pattern.New(`(?i)^\s*(?:what|who|whom|whose|why|how|when|where|which|is|are|was|were|does|do|did|can|could|will|would)\b\s+\S+\s+\S|什么|为什么|怎么|谁|哪|吗\s*$`)

var onlyTop = pattern.New(`^\s*(?:show |list |give )?(?:me )?(?:the |only the |just the )?top \w+\s*$`)

func (q *Question) inherit(p Question) {
	if len(q.Files) == 0 {
		q.Files = p.Files
	}
	if q.Since == nil && q.Until == nil && q.Month == 0 {
		q.Since, q.Until, q.Month, q.MonthTo, q.MonthYear = p.Since, p.Until, p.Month, p.MonthTo, p.MonthYear
	}
}

var refersBack = pattern.New(`\b(?:it|them|they|those|these|one|first|last)\b|它|它们|这些|那些|其中|第一|最后|首次|最早|最晚|一个是`)

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
