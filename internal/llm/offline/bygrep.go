package offline

import (
	"regexp"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// answerByGrep serves where extract is not at hand: it counts and lists lines by their text. What
// needs columns it declines.
func (s *session) answerByGrep(q *question.Question, file string) (*finding, error) {
	pattern, what := grepPattern(s.say, q)
	byText := q.Intent == question.Count || q.Intent == question.Filter || q.Intent == question.FirstLast || q.Intent == question.Unknown
	if pattern == "" || !byText || len(q.Bounds) > 0 || q.Since != nil || q.Until != nil {
		return &finding{Kind: "none", File: file, Text: s.say.of("This needs the tool extract, which is not at hand; without it I can only count and list lines by their text.", "这需要 extract 工具，但现在没有；没有它我只能按文本计数和列出行。")}, nil
	}
	out, err := s.call("grep", map[string]any{"pattern": pattern, "path": file, "limit": 1000})
	if err != nil {
		return nil, err
	}
	count, err := s.call("grep", map[string]any{"pattern": pattern, "path": file, "mode": "count"})
	if err != nil {
		return nil, err
	}
	f := readGrep(out)
	f.File, f.What, f.Count = file, what, grepTotal(count)
	return s.shapeGrep(q, f), nil
}

// grepPattern is what the words say a line must hold.
func grepPattern(l say, q *question.Question) (pattern, what string) {
	switch {
	case len(q.Quoted) > 0:
		return "(?i)" + regexp.QuoteMeta(q.Quoted[0]), l.f("containing %s", "包含 %s", code(q.Quoted[0]))
	case q.Level != "" && q.Above:
		return `(?i)\b(` + q.Level + `|fatal|critical|panic)\b`, l.f("the word %s or worse", "含 %s 或更严重级别的字样", q.Level)
	case q.Level != "":
		return `(?i)\b` + q.Level, l.f("the word %s", "含 %s 字样", q.Level)
	}
	if terms := searchTerms(q); len(terms) > 0 {
		return "(?i)" + regexp.QuoteMeta(terms[0]), l.f("containing %s", "包含 %s", code(terms[0]))
	}
	return "", ""
}

var grepLine = pattern.New(`^(.+?:\d+): ?(.*)$`)

func readGrep(text string) *finding {
	f := &finding{Kind: "rows", Columns: []string{"text"}, Complete: true}
	for line := range strings.SplitSeq(text, "\n") {
		if m := grepLine.FindStringSubmatch(line); m != nil {
			f.Rows = append(f.Rows, rowLine{Source: m[1], Cells: []string{m[2]}})
		}
	}
	return f
}

func grepTotal(text string) int {
	total := 0
	for line := range strings.SplitSeq(text, "\n") {
		if m := countLine.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			if m[1] == "total" {
				return atoi(m[2])
			}
			total += atoi(m[2])
		}
	}
	return total
}

// shapeGrep turns the lines into what was asked: their number, the first, the last, or a list.
func (s *session) shapeGrep(q *question.Question, f *finding) *finding {
	complete := len(f.Rows) >= f.Count
	switch {
	case q.Intent == question.Count:
		f.Kind = "count"
		if len(f.Rows) > 0 {
			f.First = f.Rows[0].Source
		}
		if complete && len(f.Rows) > 0 {
			f.Last = f.Rows[len(f.Rows)-1].Source
		}
		f.Rows = nil
	case q.Intent == question.FirstLast && q.Last && complete && len(f.Rows) > 0:
		f.Fn, f.Rows = "last", f.Rows[len(f.Rows)-min(max(q.N, 1), len(f.Rows)):]
	case q.Intent == question.FirstLast && len(f.Rows) > 0:
		f.Fn, f.Rows = "first", f.Rows[:min(max(q.N, 1), len(f.Rows))]
	default:
		f.Rows = f.Rows[:min(len(f.Rows), 20)]
	}
	return f
}
