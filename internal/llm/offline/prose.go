package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/knowledge/quote"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// ofLines are words for what texts are made of, or how often they say something: that is counted, not quoted.
var ofLines = pattern.New(`\b(?:lines?|rows?|words|times|mentions?|mentioned|occurs?|occurrences?|appears?|contains?|records|entries)\b|多少行|几行|哪(?:些|几|一)?行|每行|的行|行数(?:是|有|为|\s*$)|次数|几次|多少次|出现|提到|包含`)

// whatDoes asks what something does or means, which no table is counted for.
var whatDoes = pattern.New(`\bwhat (?:does|do)\b`)

// quoted answers from the sentences of a text that say it, each word of the question in them or in what they stand
// under; nil if there are none, or if it is the rows of a table, or lines, that are asked for.
func (s *session) quoted(q *question.Question, file string) (*finding, error) {
	switch q.Intent {
	case question.Unknown:
	case question.Filter, question.FirstLast, question.Aggregate, question.Count, question.Top:
		if ofLines.MatchString(q.Text) || q.Line > 0 || q.Row > 0 {
			return nil, nil
		}
	default:
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	if q.Intent != question.Unknown && (timedLines(lines) || tabled(lines) && !whatDoes.MatchString(q.Text)) {
		return nil, nil
	}
	var out []string
	passages, numbers := passagesOf(lines)
	for _, found := range quote.Find(q.Original, passages) {
		of := numbers[found.Passage]
		at := lineWith(lines, of[min(max(found.Line-passages[found.Passage].Line, 0), len(of)-1)], found)
		out = append(out, fmt.Sprintf("> %s (%s:%d)", strings.ReplaceAll(found.Text, "\n", "\n> "), file, at))
	}
	if len(out) == 0 {
		return nil, nil
	}
	return s.says(file, out), nil
}

// says quotes lines of a text.
func (s *session) says(file string, lines []string) *finding {
	return &finding{Kind: "text", File: file, Count: len(lines), Text: s.say.f("What %s says:", "%s 中的原文：", file) + "\n" + strings.Join(lines, "\n")}
}

// lineWith gives the number of the line, not before from, on which a quotation begins.
func lineWith(lines []textLine, from int, q quote.Quote) int {
	head := strings.TrimSpace(q.Text)
	if r := []rune(head); len(r) > 24 {
		head = string(r[:24])
	}
	for _, l := range lines {
		if l.no >= from && strings.Contains(l.text, head) {
			return l.no
		}
	}
	return from
}

// tabled tells a text with a table.
func tabled(lines []textLine) bool {
	return slices.ContainsFunc(lines, func(l textLine) bool { return strings.HasPrefix(strings.TrimSpace(l.text), "|") })
}

// timedLines tells a log, of which each line begins with a time: its rows are looked up as such.
func timedLines(lines []textLine) bool {
	timed, all := 0, 0
	for _, l := range lines {
		if head := strings.TrimSpace(l.text); head != "" {
			all++
			if _, from, _, ok := rows.FindTime(head[:min(len(head), 40)]); ok && from < 3 {
				timed++
			}
		}
	}
	return timed*3 > all
}

// passagesOf cuts a text at its headings, each part under the path of them. A short line by itself above others, with
// nothing at its end, is a heading too, and short lines are no paragraph. numbers are those of each part's lines.
func passagesOf(lines []textLine) (out []quote.Passage, numbers [][]int) {
	var above []string
	for i, sec := range sectionsOf(lines) {
		if sec.depth > 0 {
			above = append(above[:min(len(above), sec.depth-1)], sec.title)
		}
		path := above
		p := quote.Passage{Title: strings.Join(path, " > "), Line: 1}
		var of []int
		end := func() {
			if strings.TrimSpace(p.Text) != "" {
				out, numbers = append(out, p), append(numbers, of)
			}
			p, of = quote.Passage{Title: strings.Join(path, " > "), Line: 1}, nil
		}
		for k, l := range sec.lines {
			if titleLine(sec.lines, k) {
				if i == 0 && k == 0 {
					above = []string{strings.TrimSpace(l.text)}
					path = above
				} else {
					path = append(slices.Clone(above), strings.TrimSpace(l.text))
				}
				end()
				continue
			}
			p.Text, of = p.Text+l.text+"\n", append(of, l.no)
			if short := len(l.text) < shortLine && k+1 < len(sec.lines) && len(sec.lines[k+1].text) < shortLine; short && !strings.HasPrefix(strings.TrimSpace(l.text), "|") {
				p.Text, of = p.Text+"\n", append(of, l.no)
			}
		}
		end()
	}
	return out, numbers
}

// shortLine is how long a line is, in bytes, that ends by itself and not because the page does.
const shortLine = 50

// titleLine tells a line of plain text that is a heading of those below it.
func titleLine(lines []textLine, k int) bool {
	text := strings.TrimSpace(lines[k].text)
	if text == "" || len(text) > 60 || k+1 == len(lines) || k > 0 && strings.TrimSpace(lines[k-1].text) != "" || strings.ContainsAny(text[:1], "-*+|>`#[") {
		return false
	}
	if strings.HasSuffix(text, "。") || strings.HasSuffix(text, "，") || strings.ContainsAny(text[len(text)-1:], ".,;:!?") {
		return false
	}
	below := k + 1
	for k == 0 && below < len(lines) && strings.TrimSpace(lines[below].text) == "" {
		below++
	}
	return below < len(lines) && strings.TrimSpace(lines[below].text) != "" && !listItem.MatchString(text)
}

var (
	stepAsked = pattern.New(`\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|final|\d{1,2}(?:st|nd|rd|th))\s+(?:step|item|point|action|task)\b|\bstep\s+(?:no\.?\s*|number\s*)?(\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten)\b|第\s*(\d{1,2}|[一二三四五六七八九十])\s*(?:步|个步骤|项|点)|(最后)(?:一步|一项|一个步骤)`)
	ordinals  = []string{"", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}
	numerals  = []string{"", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}
	hanSteps  = []string{"", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十"}
	listItem  = pattern.New(`^\s{0,3}(?:\d{1,2}[.)、]|[-*+])\s*\S`)
)

// ordinal reads first, 3rd, four, 五; -1 is the last and 0 none.
func ordinal(w string) int {
	for _, names := range [][]string{ordinals, numerals, hanSteps} {
		if n := slices.Index(names, w); n > 0 && w != "" {
			return n
		}
	}
	if w == "last" || w == "final" || w == "最后" {
		return -1
	}
	return atoi(strings.TrimRight(w, "stndrh"))
}

// step answers with the item of a list that a question names by its place; nil if it names none.
func (s *session) step(q *question.Question, file string) (*finding, error) {
	m := stepAsked.FindStringSubmatchIndex(q.Text)
	if m == nil {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	n := 0
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 {
			n = ordinal(q.Text[m[g]:m[g+1]])
		}
	}
	rest := *q
	rest.Text, rest.Taken, rest.Quoted = q.Text[:m[0]]+strings.Repeat(" ", m[1]-m[0])+q.Text[m[1]:], nil, nil
	terms := slices.DeleteFunc(searchTerms(&rest), func(w string) bool { return ofName(w, file) || slices.Contains(numerals, w) })
	var best []textLine
	asked, most := termsIn(terms, wholeText(lines)), -1
	for _, sec := range sectionsOf(lines) {
		items := slices.DeleteFunc(slices.Clone(sec.lines), func(l textLine) bool { return !listItem.MatchString(l.text) })
		if k := meets(sec.title, asked); len(items) >= max(n, 1) && (k > most || k == most && len(items) > len(best)) {
			best, most = items, k
		}
	}
	if n < 0 {
		n = len(best)
	}
	if n < 1 || n > len(best) || most*2 < len(asked) {
		return nil, nil
	}
	at := best[n-1]
	return s.says(file, []string{fmt.Sprintf("> %s (%s:%d)", strings.TrimSpace(at.text), file, at.no)}), nil
}

var (
	stepsAsked = pattern.New(`\bhow many (?:numbered )?(?:steps|bullet points|bullets|points|items)\b|(?:多少|几)个?(?:步骤|步|要点)`)
	stepWords  = set("step steps bullet bullets point points item items numbered many does have there 步骤 步 要点")
)

// steps counts the items of the list that a question names by its heading; nil if they are not asked for.
func (s *session) steps(q *question.Question, file string) (*finding, error) {
	if !stepsAsked.MatchString(q.Text) {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	terms := slices.DeleteFunc(searchTerms(q), func(w string) bool { return ofName(w, file) || stepWords[w] })
	asked := termsIn(terms, wholeText(lines))
	var best []textLine
	title, most, lists := "", -1, 0
	for _, sec := range sectionsOf(lines) {
		items := slices.DeleteFunc(slices.Clone(sec.lines), func(l textLine) bool { return !listItem.MatchString(l.text) })
		if len(items) == 0 {
			continue
		}
		if lists++; meets(sec.title, asked) > most {
			best, title, most = items, sec.title, meets(sec.title, asked)
		}
	}
	if len(best) == 0 || most < len(asked) && (lists > 1 || most*2 < len(asked)) {
		return nil, nil
	}
	return &finding{Kind: "text", File: file, Count: len(best), Text: s.say.f("**%s** under %s (%s:%d to %d).", "“%[2]s”之下有 **%[1]s**（%[3]s:%[4]d 至 %[5]d）。",
		s.say.of(plural(len(best), "item"), n(len(best))+" 项"), cmp.Or(title, file), file, best[0].no, best[len(best)-1].no)}, nil
}

var (
	releasesAsked = pattern.New(`\bhow many (?:releases|versions)\b|(?:多少|几)个?(?:版本|发布)|版本(?:数|有几)`)
	versionTitle  = pattern.New(`\bv?\d+(?:\.\d+)+\b`)
)

// releases counts the versions that a text has headings for; nil if they are not asked for.
func (s *session) releases(q *question.Question, file string) (*finding, error) {
	if !releasesAsked.MatchString(q.Text) {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, sec := range sectionsOf(lines) {
		if versionTitle.MatchString(sec.title) {
			out = append(out, fmt.Sprintf("- %s (%s:%d)", sec.title, file, sec.line))
		}
	}
	if len(out) == 0 {
		return nil, nil
	}
	return &finding{Kind: "text", File: file, Count: len(out), Text: s.say.f("**%s** in %s:", "%[2]s 中有 **%[1]s**：", s.say.of(plural(len(out), "release"), n(len(out))+" 个版本"), file) + "\n" + strings.Join(out, "\n")}, nil
}

// onDays answers a question for a time in days by what a text has below the headings of those days; nil if it has
// none of them.
func (s *session) onDays(q *question.Question, file string) (*finding, error) {
	if q.Since == nil || q.Until == nil || q.Midnight || !q.Since.Date {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, sec := range daysOf(lines) {
		t, ok := timeIn(sec.title)
		if !ok || !t.Date || t.Compare(*q.Since) < 0 || t.Compare(*q.Until) >= 0 || len(out) == maxDays {
			continue
		}
		out = append(out, s.quoteSection(file, sec))
	}
	if len(out) == 0 {
		return nil, nil
	}
	return &finding{Kind: "text", File: file, Count: len(out), Text: strings.Join(out, "\n")}, nil
}

// daysOf cuts a text at its headings, one without any at the short lines that begin with a day.
func daysOf(lines []textLine) []section {
	if secs := sectionsOf(lines); len(secs) > 1 {
		return secs
	}
	out := []section{{}}
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		if t, ok := timeIn(text); ok && t.Date && t.Precision == rows.ToDay && len(text) < shortLine && dayFirst.MatchString(strings.TrimSpace(question.Digits(text))) {
			out = append(out, section{title: text, depth: 1, line: l.no})
			continue
		}
		cur := &out[len(out)-1]
		cur.lines = append(cur.lines, l)
	}
	return out
}

// dayFirst begins with a day, or the name of one.
var dayFirst = pattern.New(`(?i)^(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun)`)

// maxDays is how many days of a diary are quoted.
const maxDays = 7

// prose answers from a text that people wrote, before it is looked at as rows; nil if it does not say so.
func (s *session) prose(q *question.Question, file string) (*finding, error) {
	if !isProse(file) || !isPasted(file) && !s.has("read_file") {
		return nil, nil
	}
	for _, look := range []func(*question.Question, string) (*finding, error){s.step, s.steps, s.releases, s.onDays, s.quoted} {
		if f, err := look(q, file); f != nil || err != nil {
			return f, err
		}
	}
	return nil, nil
}
