package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// bothTexts tells that exactly two files are compared and people wrote both.
func bothTexts(q *question.Question, files []string) bool {
	return len(files) == 2 && isProse(files[0]) && isProse(files[1]) &&
		(q.Intent == question.Compare || onBoth.MatchString(q.Text) || q.Missing || differWords.MatchString(q.Text) || changedWords.MatchString(q.Text) && q.Intent != question.Incident)
}

// onBoth asks for what two texts share.
var onBoth = pattern.New(`\b(?:on|in|by|of) both\b|\bthe same in\b|两(?:个|份|张)\p{Han}{0,4}(?:里|中|上)?都`)

// paperLine is a line of a text and the heading that it stands under.
type paperLine struct {
	textLine
	under string
	title bool
}

func (s *session) paper(file string) ([]paperLine, error) {
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	var out []paperLine
	for _, sec := range sectionsOf(lines) {
		if sec.line > 0 {
			out = append(out, paperLine{textLine{sec.line, sec.title}, sec.title, true})
		}
		for _, l := range sec.lines {
			if text := strings.TrimSpace(l.text); text != "" && !isRule(text) {
				out = append(out, paperLine{textLine{l.no, text}, sec.title, false})
			}
		}
	}
	return out, nil
}

// plainLine is what two lines have in common that differ in blanks and case alone.
func plainLine(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// without gives the lines that another text has not.
func without(lines, others []paperLine) []paperLine {
	has := map[string]bool{}
	for _, o := range others {
		has[plainLine(o.text)] = true
	}
	return slices.DeleteFunc(slices.Clone(lines), func(l paperLine) bool { return has[plainLine(l.text)] })
}

var titlesAsked = pattern.New(`\b(?:sections?|headings?|chapters?|titles?)\b|章节|小节|标题|部分`)

// compareTexts says line by line what two texts that people wrote do not share, or do.
func (s *session) compareTexts(q *question.Question, files []string) (outcome, error) {
	a, err1 := s.paper(files[0])
	b, err2 := s.paper(files[1])
	if err := first(err1, err2); err != nil {
		return outcome{}, err
	}
	if titlesAsked.MatchString(q.Text) {
		a, b = titlesOf(a), titlesOf(b)
	}
	onlyA, onlyB := without(a, b), without(b, a)
	quote := func(file string, l paperLine) string {
		return fmt.Sprintf("- > %s (%s:%d)", l.text, file, l.no)
	}
	var parts []string
	list := func(title string, file string, lines []paperLine) {
		var out []string
		for _, l := range lines[:min(len(lines), maxDiffer)] {
			out = append(out, quote(file, l))
		}
		if more := len(lines) - maxDiffer; more > 0 {
			out = append(out, s.say.f("- and %d more", "- 另有 %d 行", more))
		}
		parts = append(parts, title+"\n"+strings.Join(out, "\n"))
	}
	switch {
	case bothWords.MatchString(q.Text) || onBoth.MatchString(q.Text):
		var shared []paperLine
		for _, l := range a {
			if len(without([]paperLine{l}, b)) == 0 {
				shared = append(shared, l)
			}
		}
		list(s.say.f("**%s** in both %s and %s:", "%[2]s 和 %[3]s 中都有的有 **%[1]s**：", s.lines(len(shared)), files[0], files[1]), files[0], shared)
	case q.Missing:
		list(s.say.f("**%s** in %s and not in %s:", "只在 %[2]s 中、不在 %[3]s 中的有 **%[1]s**：", s.lines(len(onlyA)), files[0], files[1]), files[0], onlyA)
	case len(onlyA)+len(onlyB) == 0:
		return outcome{text: s.say.f("%s and %s say the same.", "%s 和 %s 的内容相同。", files[0], files[1])}, nil
	default:
		var changed []string
		onlyA, onlyB, changed = s.pairChanged(files, onlyA, onlyB)
		if len(changed) > 0 {
			parts = append(parts, s.say.of("**Changed:**", "**改动：**")+"\n"+strings.Join(changed, "\n"))
		}
		if len(onlyA) > 0 {
			list(s.say.f("**Only in %s:**", "**只在 %s 中：**", files[0]), files[0], onlyA)
		}
		if len(onlyB) > 0 {
			list(s.say.f("**Only in %s:**", "**只在 %s 中：**", files[1]), files[1], onlyB)
		}
	}
	return outcome{text: strings.Join(parts, "\n\n")}, nil
}

func (s *session) lines(k int) string { return s.say.of(plural(k, "line"), n(k)+" 行") }

// maxDiffer is how many lines of a kind a comparison shows.
const maxDiffer = 40

func titlesOf(lines []paperLine) []paperLine {
	return slices.DeleteFunc(lines, func(l paperLine) bool { return !l.title })
}

// pairChanged takes out lines under the same heading that share half of their words: they are one line, changed.
func (s *session) pairChanged(files []string, a, b []paperLine) (onlyA, onlyB []paperLine, changed []string) {
	onlyB = slices.Clone(b)
	for _, l := range a {
		at := slices.IndexFunc(onlyB, func(o paperLine) bool { return o.under == l.under && o.title == l.title && alike(o.text, l.text) })
		if at < 0 || len(changed) == maxDiffer {
			onlyA = append(onlyA, l)
			continue
		}
		o := onlyB[at]
		onlyB = slices.Delete(onlyB, at, at+1)
		line := fmt.Sprintf("- > %s (%s:%d)\n  → > %s (%s:%d)", l.text, files[0], l.no, o.text, files[1], o.no)
		changed = append(changed, line)
	}
	return onlyA, onlyB, changed
}

// alike tells lines of which one is the other, changed: half of the words of the shorter are those of both.
func alike(a, b string) bool {
	wa, wb := piecesOf(a), piecesOf(b)
	k := 0
	for w := range wa {
		if wb[w] {
			k++
		}
	}
	return k > 0 && k*2 >= min(len(wa), len(wb))
}

// piecesOf are the words of a text, and the pairs of its Han characters.
func piecesOf(text string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return strings.ContainsRune(" \t,.;:!?()[]|，。；：！？、（）", r) }) {
		if r := []rune(w); hasHan(w) {
			for i := range len(r) - 1 {
				out[string(r[i:i+2])] = true
			}
		} else {
			out[w] = true
		}
	}
	return out
}
