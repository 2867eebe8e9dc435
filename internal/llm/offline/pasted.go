package offline

import (
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/knowledge/quote"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// A message may bring the text that it is about: between fences, below a line that ends in a colon, or above or below
// a question that stands by itself. It is read as a file of prose would be, and no tool is needed for that.

// The names of such a text where those of files stand.
const (
	pastedEN = "your text"
	pastedZH = "这段文字"
)

func isPasted(file string) bool { return file == pastedEN || file == pastedZH }

const (
	leastPasted = 120 // bytes of a text of several lines
	longPasted  = 200 // of one that has no line ends
	mostAsk     = 600 // of what is asked of it
)

var (
	fence     = pattern.New("(?s)(?:^|\\n)(?:```|~~~)[^\\n]*\\n(.*?)\\n?(?:```|~~~)[ \\t]*(?:\\n|$)")
	paragraph = pattern.New(`\n[ \t]*\n\s*`)
	colonEnd  = pattern.New(`[:：]\s*$`)
)

// splitPasted parts what a message asks from the text that it brings; body is empty if it brings none.
func splitPasted(words string) (ask, body string) {
	if len(words) < leastPasted && !strings.Contains(words, "```") {
		return words, ""
	}
	if m := fence.FindStringSubmatchIndex(words); m != nil {
		rest := strings.TrimSpace(words[:m[0]] + "\n" + words[m[1]:])
		if rest != "" && len(rest) <= mostAsk && strings.TrimSpace(words[m[2]:m[3]]) != "" {
			return rest, words[m[2]:m[3]]
		}
	}
	text := strings.TrimSpace(words)
	first, rest, _ := strings.Cut(text, "\n")
	if rest = strings.TrimSpace(rest); len(first) <= mostAsk && colonEnd.MatchString(first) && len(rest) >= leastPasted {
		lead := colonEnd.ReplaceAllString(first, "")
		if last, above := lastParagraph(rest); question.Asks(last) && !question.Asks(lead) {
			return last, above
		}
		if question.Asks(lead) {
			return lead, rest
		}
	}
	if at := paragraph.FindStringIndex(text); at != nil && at[0] <= mostAsk && len(text)-at[1] >= leastPasted && question.Asks(text[:at[0]]) && mostlySaid(text[at[1]:]) {
		return text[:at[0]], text[at[1]:]
	}
	if last, above := lastParagraph(text); above != "" && len(last) <= mostAsk && len(above) >= leastPasted && question.Asks(last) && mostlySaid(above) {
		return last, above
	}
	if at := inlineColon.FindStringIndex(text); at != nil && at[0] <= mostAsk && len(text)-at[1] >= longPasted && question.Asks(text[:at[1]]) {
		return colonEnd.ReplaceAllString(text[:at[1]], ""), text[at[1]:]
	}
	return words, ""
}

// inlineColon ends an order that a long text follows in the same line.
var inlineColon = pattern.New(`(?i)\b(?:summari[sz]e|summary|tl;?dr)\b[^:.?!]{0,40}:\s+|(?:概括|总结|摘要|归纳|概述)[^：:。？！]{0,16}[:：]\s*|\b(?:text|paragraph|message|email|mail|article|note|notes|passage|story|letter|minutes|transcript|conversation|following|this)\s*[:：]\s+|(?:文字|文本|内容|段落|文章|邮件|短文|以下|下文|记录|纪要)\s*[:：]\s*`)

// lastParagraph parts the last paragraph, or line, from what stands above it.
func lastParagraph(text string) (last, above string) {
	all := paragraph.FindAllStringIndex(text, -1)
	if len(all) > 0 {
		at := all[len(all)-1]
		return text[at[1]:], text[:at[0]]
	}
	if at := strings.LastIndexByte(text, '\n'); at > 0 && strings.Count(text, "\n") > 2 {
		return strings.TrimSpace(text[at:]), text[:at]
	}
	return text, ""
}

// mostlySaid tells a text from a list of questions: fewer than a third of its lines ask for something.
func mostlySaid(text string) bool {
	asks, all := 0, 0
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		if all++; all > 40 {
			break
		}
		if len(line) < mostAsk && strings.HasSuffix(line, "?") || strings.HasSuffix(line, "？") || len(line) < mostAsk && question.Orders(line) {
			asks++
		}
	}
	return asks*3 < all
}

// pastedName is how the text that the message brings is called.
func (s *session) pastedName() string { return s.say.of(pastedEN, pastedZH) }

// maxPasted is how many lines of a message are read.
const maxPasted = 20000

// pastedLines are those of the text that the message brings.
func (s *session) pastedLines() []textLine {
	if s.pastedCut == nil {
		for line := range strings.SplitSeq(strings.TrimRight(s.pasted, "\n"), "\n") {
			if len(s.pastedCut) == maxPasted {
				break
			}
			s.pastedCut = append(s.pastedCut, textLine{len(s.pastedCut) + 1, strings.TrimRight(line, "\r")})
		}
	}
	return s.pastedCut
}

// wordsAsked asks how many words, characters or lines a text has.
var wordsAsked = pattern.New(`\bhow (?:many|long)\b.*\b(words?|characters|letters|lines|paragraphs|sentences)\b|\b(word|character|line) count\b|多少(个?(?:字|词|行|段|句))|(字数|行数)`)

// ofPasted answers a question from the text that the message brings; ok is false if that does not say it.
func (s *session) ofPasted(q *question.Question) (outcome, bool, error) {
	file := s.pastedName()
	f, err := s.readPasted(q, file)
	if err != nil || f == nil || f.Kind == "none" {
		return outcome{}, false, err
	}
	return outcome{text: s.together(q, []*finding{f}, maxAnswer), report: s.together(q, []*finding{f}, 0), findings: []*finding{f}}, true, nil
}

func (s *session) readPasted(q *question.Question, file string) (*finding, error) {
	lines := s.pastedLines()
	switch {
	case q.Intent == question.Summary:
		return s.studyByReading(file)
	case wordsAsked.MatchString(q.Text) && q.Level == "" && len(q.Quoted) == 0:
		text := wholeText(lines)
		return &finding{Kind: "text", File: file, Count: 1, Text: s.say.f("%s has **%s**, **%s** and **%s**.", "%s有 **%s**、**%s**、**%s**。", file,
			s.say.of(plural(len(lines), "line"), n(len(lines))+" 行"), s.say.of(plural(len(strings.Fields(text)), "word"), n(len(strings.Fields(text)))+" 个词"),
			s.say.of(plural(len([]rune(strings.TrimSpace(text))), "character"), n(len([]rune(strings.TrimSpace(text))))+" 个字符"))}, nil
	case q.Intent == question.Headings:
		return s.headings(q, file)
	}
	if f, err := s.tasks(q, file); f != nil || err != nil {
		return f, err
	}
	if f, err := s.prose(q, file); f != nil || err != nil {
		return f, err
	}
	if timedLines(lines) || tabled(lines) || q.Level != "" {
		return nil, nil
	}
	return s.readText(q, file)
}

// noFigure says that a text in a message is not counted.
func (s *session) noFigure() outcome {
	return outcome{refused: true, text: s.say.of("I find no sentence in your text that says this. Rows are counted, summed and filtered in files: send it as one, for example as .log or .csv. ", "这段文字里没有直接写明答案的句子。计数、求和与筛选要在文件中进行：请把它作为文件发来，例如 .log 或 .csv。") + s.say.canDo()}
}

// fromTalk answers a question that no file is at hand for from what was said in this conversation: by the person
// before, in the message itself, or by the program that keeps it. What was said last stands first.
func (s *session) fromTalk(q *question.Question) (outcome, bool) {
	if s.goal.kind != notAPart || len(q.Files) > 0 {
		return outcome{}, false
	}
	said := s.talk(q)
	if len(said) == 0 {
		return outcome{}, false
	}
	var out []string
	if mine.MatchString(q.Text) {
		if words := s.memoryTerms(q); len(words) > 0 {
			out = best(sentencesSaid(said), words)
		}
	}
	if len(out) == 0 {
		for _, found := range quote.Find(q.Original, said) {
			out = append(out, found.Text)
		}
	}
	if len(out) == 0 {
		out = holdsAll(said, searchTerms(q))
	}
	if len(out) == 0 {
		return outcome{}, false
	}
	if len(out) > maxRecollected {
		out = out[:maxRecollected]
	}
	return outcome{text: s.say.of("In this conversation it was said:", "这次对话中说过：") + "\n> " + strings.Join(out, "\n> ")}, true
}

// holdsAll gives the lines that hold all words of a question, in these or other words.
func holdsAll(said []quote.Passage, words []string) (out []string) {
	for _, p := range said {
		terms := termsIn(words, p.Text)
		for line := range strings.Lines(p.Text) {
			if line = strings.TrimSpace(line); len(terms) > 1 && meets(line, terms) == len(terms) && !strings.HasSuffix(line, "?") && !strings.HasSuffix(line, "？") {
				out = append(out, line)
			}
		}
	}
	return out
}

// talk is what was said, the newest first, without the question itself.
func (s *session) talk(q *question.Question) (out []quote.Passage) {
	own := s.words
	for _, other := range s.asked.Questions {
		own = strings.ReplaceAll(own, other.Original, "\n")
	}
	texts := []string{strings.ReplaceAll(own, q.Original, "\n")}
	for i := len(s.earlier) - 1; i >= 0; i-- {
		texts = append(texts, s.earlier[i])
	}
	for _, t := range append(texts, s.brief.Given...) {
		parts, _ := passagesOf(linesOf(t))
		for _, p := range parts {
			if !slices.ContainsFunc(out, func(o quote.Passage) bool { return o.Text == p.Text }) {
				out = append(out, p)
			}
		}
	}
	return out
}

func linesOf(text string) (out []textLine) {
	for line := range strings.Lines(text) {
		if len(out) == maxPasted {
			break
		}
		out = append(out, textLine{len(out) + 1, strings.TrimRight(line, "\r\n")})
	}
	return out
}

// sentencesSaid are those that say something; a question says nothing.
func sentencesSaid(said []quote.Passage) (out []string) {
	for _, p := range said {
		for _, sentence := range question.Sentences(p.Text) {
			if !strings.ContainsAny(sentence, "?？") {
				out = append(out, sentence)
			}
		}
	}
	return out
}
