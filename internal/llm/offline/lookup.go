package offline

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/sorting"
)

// readText answers from the words of a text: its headings, one of its sections, or the lines that
// speak of what the question does.
func (s *session) readText(q *question.Question, file string) (*finding, error) {
	switch {
	case q.Intent == question.Headings:
		return s.headings(q, file)
	case q.Intent == question.Section && isProse(file):
		return s.section(q, file)
	case isProse(file):
		return s.passages(q, file)
	}
	return s.rowsByWords(q, file)
}

func isProse(file string) bool {
	return isPasted(file) || slices.Contains([]string{".md", ".markdown", ".txt"}, strings.ToLower(path.Ext(file)))
}

var topOnly = pattern.New(`\b(?:top[- ]level|main|level[- ]?1|h1)\b|一级|顶级`)

// headings lists a Markdown file's headings.
func (s *session) headings(q *question.Question, file string) (*finding, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	var out []string
	top := 7
	for _, sec := range sectionsOf(lines)[1:] {
		top = min(top, sec.depth)
	}
	for _, sec := range sectionsOf(lines)[1:] {
		if topOnly.MatchString(q.Text) && sec.depth > top {
			continue
		}
		out = append(out, fmt.Sprintf("%s- %s (%s:%d)", strings.Repeat("  ", sec.depth-top), sec.title, file, sec.line))
	}
	f := &finding{Kind: "text", File: file, Count: len(out)}
	f.Text = s.say.f("**%s** in %s:", "%[2]s 中有 **%[1]s**：", s.say.of(plural(len(out), "heading"), n(len(out))+" 个标题"), file) + "\n" + strings.Join(out, "\n")
	if len(out) == 0 {
		f.Kind, f.Text = "none", s.say.f("%s has no headings: **0**.", "%s 中没有标题：**0**。", file)
	}
	return f, nil
}

// section quotes the section whose title has most of the question's words.
func (s *session) section(q *question.Question, file string) (*finding, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	words := searchTerms(q)
	var best section
	score := 0
	for _, sec := range sectionsOf(lines)[1:] {
		if k := hits(sec.title, words); k > score {
			best, score = sec, k
		}
	}
	if score == 0 {
		return s.passages(q, file)
	}
	return &finding{Kind: "text", File: file, Count: 1, Text: s.quoteSection(file, best)}, nil
}

// quoteSection gives a section's lines as they stand, each with its number.
func (s *session) quoteSection(file string, sec section) string {
	out := []string{fmt.Sprintf("**%s** (%s:%d)", sec.title, file, sec.line)}
	for _, l := range sec.lines {
		if strings.TrimSpace(l.text) == "" {
			continue
		}
		if len(out) > 30 {
			out = append(out, s.say.f("(the section goes on after %s:%d)", "（该节在 %s:%d 之后还有内容）", file, l.no))
			break
		}
		out = append(out, fmt.Sprintf("> %s (%s:%d)", strings.TrimSpace(l.text), file, l.no))
	}
	return strings.Join(out, "\n")
}

// searchTerms are the words that a text is searched for, in the singular.
func searchTerms(q *question.Question) []string {
	out := slices.Clone(q.Quoted)
	for _, w := range left(q) {
		if !stopWords[w.text] && w.text != "section" && w.text != "chapter" && w.text != "paragraph" && len(w.text) > 1 {
			out = append(out, wordStem(w.text))
		}
	}
	for _, w := range hanLeft(q, append(hanIdleAsked[:len(hanIdleAsked):len(hanIdleAsked)], []string{"章节", "小节", "一节", "部分", "章", "节", "内容", "写", "说", "讲"}...)) {
		if len([]rune(w.text)) > 1 {
			out = append(out, cmp.Or(saidAs[w.text], w.text))
		}
	}
	return out
}

// wordStem is how a word begins in all of its forms: fix of "fixed", emergenc of "emergencies".
func wordStem(w string) string {
	if strings.ContainsAny(w, "0123456789@./_") {
		return w
	}
	one := singular(w)
	for _, end := range []string{"ing", "ed", "y", "e"} {
		if stem, ok := strings.CutSuffix(one, end); ok && len(stem) > 2 {
			if at := len(stem) - 1; len(stem) > 3 && len(end) > 1 && stem[at] == stem[at-1] && !strings.ContainsRune("lsz", rune(stem[at])) {
				return stem[:at] // stopping
			}
			return stem
		}
	}
	return one
}

// ofName tells a word of a file's name: who asks of it means the file.
func ofName(w, file string) bool {
	return slices.ContainsFunc(nameWords(baseName(file)), func(n string) bool { return n == w || wordStem(n) == w })
}

// saidAs is how notes mostly say what people ask for.
var saidAs = map[string]string{"截止日期": "截止", "截止时间": "截止", "负责人": "负责", "主持人": "主持", "参加者": "参加", "参会人员": "参加"}

// hits counts the terms that a text holds.
func hits(text string, terms []string) int {
	text = strings.ToLower(text)
	k := 0
	for _, t := range terms {
		if holdsTerm(text, strings.ToLower(t)) {
			k++
		}
	}
	return k
}

// holdsTerm finds a Latin term at the beginning of a word, other terms anywhere.
func holdsTerm(text, term string) bool {
	if hasHan(term) {
		return strings.Contains(text, term)
	}
	for i := 0; ; {
		at := strings.Index(text[i:], term)
		if at < 0 {
			return false
		}
		at += i
		if at == 0 || !isWordRune(text[at-1]) {
			return true
		}
		i = at + len(term)
	}
}

func isWordRune(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// passage is a line that speaks of the question, scored by its words and those of its heading.
type passage struct {
	line  textLine
	under string // the headings that it stands under
	score int
	then  textLine // the line after a question
}

func asksByItself(text string) bool {
	text = strings.TrimRight(strings.TrimSpace(text), "*_ ")
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// nextSaid is the next line with words below another.
func nextSaid(lines []textLine, i int) textLine {
	for _, l := range lines[i+1:] {
		if strings.TrimSpace(l.text) != "" {
			return l
		}
	}
	return textLine{}
}

// passages quotes the lines of a text that hold the most of the question's words. Fewer than half
// of the words is no answer.
func (s *session) passages(q *question.Question, file string) (*finding, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	terms := searchTerms(q)
	if rest := slices.DeleteFunc(slices.Clone(terms), func(w string) bool { return ofName(w, file) }); len(rest) > 0 {
		terms = rest
	}
	if f := s.underHeadings(file, lines, terms); f != nil {
		return f, nil
	}
	if rest := slices.DeleteFunc(slices.Clone(terms), func(w string) bool { return idleAsked[w] }); len(rest) > 0 {
		terms = rest
	}
	if len(terms) == 0 {
		terms = hanRuns(q)
	}
	found := findPassages(lines, termsIn(terms, wholeText(lines)))
	if len(found) == 0 {
		return s.nearest(file, lines, terms, q.Text), nil
	}
	sorting.By(found, func(a, b passage) int { return cmp.Compare(b.score, a.score) })
	return s.sayPassages(file, found), nil
}

// wholeWord gives the word of a text that begins with a stem.
func wholeWord(text, stem string) string {
	at := strings.Index(text, stem)
	if at < 0 || hasHan(stem) {
		return stem
	}
	return text[at:nextWordEnd(text, at+len(stem))]
}

// maxNearest is on how many lines a word may stand to tell what they are about.
const maxNearest = 2

// nearest shows the lines that hold what is left of a question when the words that stand nowhere in the text are taken away,
// and says which these are. Of words that are common in the text that would be no help.
func (s *session) nearest(file string, lines []textLine, words []string, asked string) *finding {
	text := wholeText(lines)
	var here []term
	var nowhere []string
	for _, w := range words {
		held := slices.DeleteFunc(termsIn([]string{w}, text), func(t term) bool { return len(t) == 0 || meets(text, []term{t}) == 0 })
		if here = append(here, held...); len(held) == 0 {
			nowhere = append(nowhere, wholeWord(asked, w))
		}
	}
	if len(here) == 0 || len(here) < len(nowhere) {
		return s.needsModel(file)
	}
	var out []string
	for i, l := range lines {
		if meets(l.text, here) == len(here) && !strings.HasPrefix(l.text, "#") && (i > 0 || !titleLine(lines, i)) {
			out = append(out, fmt.Sprintf("> %s (%s:%d)", strings.TrimSpace(l.text), file, l.no))
		}
	}
	if len(out) == 0 || len(out) > maxNearest || len(nowhere) == 0 {
		return s.needsModel(file)
	}
	return &finding{Kind: "text", File: file, Count: len(out), Text: s.say.f("Nothing in %s mentions %s; of the rest it says:", "%s 中没有出现 %s；关于其余部分的原文：", file, s.say.list(quoteAll(nowhere))) + "\n" + strings.Join(out, "\n")}
}

func wholeText(lines []textLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String()
}

// findPassages scores the lines that hold at least half of the terms, with the headings around them and the head of
// their table.
func findPassages(lines []textLine, terms []term) (found []passage) {
	var above []string // titles of the sections around
	title := ""        // the first line of a text without headings
	if len(lines) > 0 && titleLine(lines, 0) {
		title = lines[0].text
	}
	for _, sec := range sectionsOf(lines) {
		head := meets(sec.title, terms)
		for above = append(above, make([]string, max(0, sec.depth-len(above)))...); len(above) > max(sec.depth-1, 0); {
			above = above[:len(above)-1]
		}
		around := strings.Join(above, " ") + " " + sec.title
		above = append(above, sec.title)
		header := "" // of a table
		for i, l := range sec.lines {
			if !strings.HasPrefix(strings.TrimSpace(l.text), "|") {
				header = ""
			} else if header == "" {
				header = l.text
			}
			if sec.depth == 0 && i > 0 && titleLine(sec.lines, i) {
				around = title + " " + l.text
			}
			if sec.depth == 0 && i == 0 && title != "" {
				continue // a title says of nothing how it is
			}
			in := meets(l.text, terms)
			together := max(meets(around+" "+header+" "+l.text, terms), in)
			if (in > 0 || head*2 > len(terms)) && together*2 >= len(terms)+1 && strings.TrimSpace(l.text) != "" {
				p := passage{line: l, under: strings.Trim(around, " "), score: together*4 + in}
				if next := nextSaid(sec.lines, i); asksByItself(l.text) && next.no > 0 {
					p.then = next // the answer to what the line asks
				}
				found = append(found, p)
			}
		}
	}
	return found
}

// underHeadings quotes the section whose headings hold all the words of a question, or the version
// that it names: "What was fixed in 1.2.0?".
func (s *session) underHeadings(file string, lines []textLine, terms []string) *finding {
	secs := sectionsOf(lines)
	path := make([]string, 7)
	var best []section
	for i := 1; i < len(secs); i++ {
		d := secs[i].depth
		path[d] = secs[i].title
		clear(path[d+1:])
		all := hits(strings.Join(path, " "), terms) == len(terms) && hits(secs[i].title, terms) > 0
		version := slices.ContainsFunc(terms, func(t string) bool { return versionTerm.MatchString(t) && holdsVersion(secs[i].title, t) })
		if len(terms) < 2 || !all && !version {
			continue
		}
		if to := i + 1; all || best == nil {
			for to < len(secs) && secs[to].depth > d {
				to++
			}
			best = secs[i:to]
		}
		if all {
			break
		}
	}
	if best == nil {
		return nil
	}
	var out []string
	for _, sec := range best {
		out = append(out, s.quoteSection(file, sec))
	}
	return &finding{Kind: "text", File: file, Count: 1, Text: strings.Join(out, "\n")}
}

var versionTerm = pattern.New(`^v?\d+(?:\.\d+)+$`)

// holdsVersion tells that a title names a version, not one that only begins like it.
func holdsVersion(title, version string) bool {
	return slices.Contains(strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return strings.ContainsRune(" \t[](),:", r) }), version)
}

func (s *session) sayPassages(file string, found []passage) *finding {
	if len(found) == 0 {
		return s.needsModel(file)
	}
	found = slices.DeleteFunc(found, func(p passage) bool { return p.score < found[0].score-1 })
	out := []string{s.say.f("What %s says:", "%s 中的原文：", file)}
	for _, p := range found[:min(len(found), 5)] {
		at := fmt.Sprintf("> %s (%s:%d)", strings.TrimSpace(p.line.text), file, p.line.no)
		if item := strings.TrimSpace(p.line.text); p.under != "" && (strings.HasPrefix(item, "- ") || strings.HasPrefix(item, "* ")) {
			at += s.say.f(" under %s", "，位于“%s”之下", p.under) // an item says little without what it is one of
		}
		if out = append(out, at); p.then.no > 0 {
			out = append(out, fmt.Sprintf("> %s (%s:%d)", strings.TrimSpace(p.then.text), file, p.then.no))
		}
	}
	return &finding{Kind: "text", File: file, Count: len(found), Text: strings.Join(out, "\n")}
}

// needsModel says that a text does not hold the question's words, so that to answer it would be to
// understand it.
func (s *session) needsModel(file string) *finding {
	return &finding{Kind: "none", File: file, Nothing: true, Text: s.say.inNoText(file)}
}

var listing = pattern.New(`\b(?:list|show|give|print|display|get)\b|列出|显示|给出|打印`)

// rowsByWords lists the rows that hold values or words of a question of no known kind.
func (s *session) rowsByWords(q *question.Question, file string) (*finding, error) {
	if !s.has("extract") {
		return s.answerByGrep(q, file)
	}
	b, err := s.bind(q, file)
	if err != nil {
		return nil, err
	}
	switch {
	case b.hasSettings():
		return s.settings(b)
	case b.format == "text" || b.format == "markdown":
		return s.passages(q, file)
	case b.problem != "":
		return b.decline(b.problem), nil
	}
	if len(b.where) == 0 && len(b.named) > 0 && listing.MatchString(q.Text) {
		f, err := s.fields(b)
		if err == nil {
			f.File, f.Notes = file, append(b.notes(f), f.Notes...)
		}
		return f, err
	}
	switch {
	case b.figureAsked() && !b.unapplied():
		f, err := s.aggregate(b)
		if err == nil {
			f.setFile(file, b.what())
			f.Notes = append(b.notes(f), f.Notes...)
		}
		return f, err
	case len(b.where) == 0 && b.span == "" || len(b.unheard) > len(b.where):
		return &finding{Kind: "none", File: file, Nothing: true}, nil
	}
	if f, err := s.whichOnes(b); f != nil || err != nil {
		if err == nil {
			f.setFile(file, b.what())
		}
		return f, err
	}
	f, err := s.filterRows(b)
	if err != nil {
		return nil, err
	}
	f.File, f.What, f.Notes = file, b.what(), b.notes(f)
	return f, nil
}
