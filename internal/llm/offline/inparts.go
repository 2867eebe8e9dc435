package offline

import (
	"errors"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

var (
	overviewPart = pattern.New(`(?i)overview|summary|introduction|abstract|background|findings|results?|analysis|what happened|概述|概览|概况|摘要|总结|概要|简介|背景|结果|分析|经过|内容`)
	openPart     = pattern.New(`(?i)open|to-?do|next|action|tasks?|remaining|pending|follow|待办|未决|未完成|后续|下一步|遗留|任务`)
)

// inParts puts what was found below the headings that the person gave: the answer below the first that is for an
// overview, below others what the texts say of them, in their words or others for the same. What nothing is found for
// is said to be so.
func (s *session) inParts(out outcome) (string, error) {
	found := strings.TrimSpace(out.report)
	if found == "" {
		found = strings.TrimSpace(out.text)
	}
	files := s.files()
	var parts []string
	var errs []error
	used, any := false, false
	for _, name := range s.asked.Sections {
		body := ""
		switch {
		case overviewPart.MatchString(name) && !used:
			body, used = found, true
		default:
			text, err := s.saysOf(name, files)
			body, errs = text, append(errs, err)
			any = any || text != ""
		}
		if body == "" {
			body = s.say.of("Nothing is found for this by rules.", "按规则没有找到与此有关的内容。")
		}
		parts = append(parts, "## "+name+"\n\n"+deeper(body))
	}
	if !used && !any {
		parts = append(parts, "## "+s.say.of("What was found", "查到的内容")+"\n\n"+deeper(found))
	}
	for _, err := range errs {
		if errors.Is(err, errWant) {
			return "", err
		}
	}
	return strings.Join(parts, "\n\n"), nil
}

// deeper puts headings below those of the sections.
func deeper(text string) string {
	return strings.ReplaceAll("\n"+text, "\n## ", "\n### ")[1:]
}

// saysOf gives what the texts say of the name of a section.
func (s *session) saysOf(name string, files []string) (string, error) {
	var out []string
	for _, file := range files {
		if !isProse(file) {
			continue
		}
		if openPart.MatchString(name) {
			q := question.Question{Intent: question.Filter, Lang: string(s.say), Text: "open tasks"}
			f, err := s.tasks(&q, file)
			if err != nil {
				return "", err
			}
			if f != nil {
				out = append(out, f.Text)
				continue
			}
		}
		lines, err := s.readLines(file)
		if err != nil {
			return "", err
		}
		if at := slices.IndexFunc(sectionsOf(lines), func(sec section) bool { return sec.line > 0 && strings.EqualFold(sec.title, name) }); at >= 0 {
			out = append(out, s.quoteSection(file, sectionsOf(lines)[at]))
			continue
		}
		var words []string
		for _, w := range strings.Fields(strings.ToLower(name)) {
			words = append(words, wordStem(w))
		}
		if found := findPassages(lines, termsIn(words, wholeText(lines))); len(found) > 0 {
			out = append(out, s.sayPassages(file, found).Text)
		}
	}
	return strings.Join(out, "\n\n"), nil
}
