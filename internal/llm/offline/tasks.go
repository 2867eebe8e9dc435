package offline

import (
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// Tasks of a list in Markdown, "- [ ] this" and "- [x] that", and the words that ask for them.
var (
	taskItem  = pattern.New(`^\s*(?:[-*+]|\d+[.)])\s+\[([ xX])\]\s+(.*\S)\s*$`)
	todoItem  = pattern.New(`(?i)^\s*(?:(?:[-*+]|\d+[.)])\s+)?(?:\*\*)?(?:(to-?do|fixme|待办)|(done|已完成|完成))(?:\([^)]*\))?\s*[:：](?:\*\*)?\s*(.*\S)\s*$`)
	todoAside = pattern.New(`[.!?;。！？；]\s*(?:TO-?DO|FIXME|待办)(?:\([^)]*\))?\s*[:：]\s*(.*\S)\s*$`) // at the end of a sentence about something else
	taskWords = pattern.New(`\b(?:tasks?|to-?dos?|action items?|check ?boxes|checklist|packing list|shopping list|to-do list|items|open points?|things?)\b|任务|待办(?:事项|项)?|事项|清单|工作项`)
	workAsked = pattern.New(`\b(?:things?|what)\b[^.?!]*\b(?:done|to do|finished|completed|open|left)\b|没做完|没完成|未完成|做完了|还有(?:什么|哪些|啥)[^。？！]*(?:要做|没做|要办|要干)|还(?:要|得|需要)做(?:什么|哪些|啥)|事[^，。？！]*(?:没做|没办|没干)|还剩(?:什么|哪些|啥)`)
	openWords = pattern.New(`\b(?:open|unfinished|incomplete|remaining|remain|outstanding|pending|unchecked|left|undone|missing|lacking|to be done|(?:still|yet|left) (?:have |has )?to (?:do|be done)|(?:still )?(?:ha(?:s|ve)|needs?|supposed|expected|meant) to (?:do|be done)|what (?:is|are) to be done|(?:not|n't)(?: yet)?(?: been)? (?:done|finished|completed?|checked|ticked|crossed))\b|未完成|没(?:有)?(?:做完?|完成|办)|尚未|还没|未做|剩下|剩余|还有|还(?:要|得|需要|剩)`)
	doneWords = pattern.New(`\b(?:done|finished|completed?|closed|checked(?: off)?|ticked)\b|已完成|完成了?|做完|已做`)
)

// tasks answers from a text's list of tasks: which are open, which are done, how many; nil if the text
// has none or they are not asked for.
func (s *session) tasks(q *question.Question, file string) (*finding, error) {
	if !isProse(file) || !isPasted(file) && !s.has("read_file") || q.Intent == question.Headings || q.Intent == question.Section || q.Intent == question.Summary || !asksTasks(q.Text) {
		return nil, nil
	}
	lines, err := s.readLines(file)
	if err != nil {
		return nil, err
	}
	open, done := openWords.MatchString(q.Text), doneWords.MatchString(q.Text) && !openWords.MatchString(q.Text)
	terms := s.taskTerms(q, file)
	var out []string
	any, headed := false, false
	for _, sec := range sectionsOf(lines) {
		if len(terms) > 0 && hits(sec.title, terms) == len(terms) && !slices.ContainsFunc(sec.lines, isTask) {
			headed = true
		}
		for _, l := range sec.lines {
			mark, text, ok := taskOf(l.text)
			if !ok {
				continue
			}
			any = true
			if isOpen := mark == " "; open && !isOpen || done && isOpen || hits(sec.title+" "+text, terms) < len(terms) {
				continue
			}
			out = append(out, fmt.Sprintf("- [%s] %s (%s:%d)", mark, text, file, l.no))
		}
	}
	if !any || len(out) == 0 && headed { // the words name a part of the text that holds no tasks
		return nil, nil
	}
	return s.sayTasks(file, open, done, terms, out), nil
}

// asksTasks tells a question about the items of a list. Things are items only if it says whether they are done.
func asksTasks(text string) bool {
	named := taskWords.FindString(text)
	return named != "" && !strings.HasPrefix(named, "thing") || workAsked.MatchString(text)
}

// taskOf reads a line of a list of tasks: "- [x] this", or "- TODO: that". The mark of one that is open is a space.
func taskOf(line string) (mark, text string, ok bool) {
	if m := taskItem.FindStringSubmatch(line); m != nil {
		return m[1], m[2], true
	}
	m := todoItem.FindStringSubmatch(line)
	if m == nil {
		if m = todoAside.FindStringSubmatch(line); m == nil {
			return "", "", false
		}
		return " ", m[1], true
	}
	return map[bool]string{true: " ", false: "x"}[m[1] != ""], m[3], true
}

func isTask(l textLine) bool {
	_, _, ok := taskOf(l.text)
	return ok
}

// taskTerms are the words of the question that say which tasks are meant: a person, a heading.
func (s *session) taskTerms(q *question.Question, file string) []string {
	text := *q
	for _, re := range []*pattern.Pattern{taskWords, openWords, doneWords} {
		text.Text = re.ReplaceAllStringFunc(text.Text, func(m string) string { return strings.Repeat(" ", len(m)) })
	}
	return slices.DeleteFunc(searchTerms(&text), func(w string) bool { return ofName(w, file) || taskFillers[w] })
}

var taskFillers = set("due deadline 到期 截止 need still yet assigned to-do todo todos thing stuff 事 活 做 做完 没做 要做 要办 还 负责 分配 需要 剩 项")

func (s *session) sayTasks(file string, open, done bool, terms, out []string) *finding {
	kind := s.say.of("task", "项任务")
	switch {
	case open:
		kind = s.say.of("open task", "项未完成的任务")
	case done:
		kind = s.say.of("finished task", "项已完成的任务")
	}
	with := ""
	if len(terms) > 0 {
		with = s.say.f(" with %s", "（%s）", s.say.list(quoteAll(terms)))
	}
	f := &finding{Kind: "text", File: file, Count: len(out)}
	if s.say == "zh" {
		f.Text = fmt.Sprintf("%s 中有 **%d** %s%s", file, len(out), kind, with)
	} else {
		f.Text = fmt.Sprintf("**%s**%s in %s", plural(len(out), kind), with, file)
	}
	if len(out) == 0 {
		f.Text += s.say.of(".", "。")
		return f
	}
	f.Text += s.say.of(":", "：") + "\n" + strings.Join(out, "\n")
	return f
}
