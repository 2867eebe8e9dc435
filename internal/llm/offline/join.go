package offline

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

var joinWords = pattern.New(`(?i)\b(?:join|combine|merge|consolidate|put together|based on|from|using) (?:the |these |those |all |what )*(?:results?|findings?|parts?|steps?|answers?|earlier|above|previous|others?)|汇总|合并|综合|整合|根据(?:以上|前面|上述|各)`)

// joins tells a task that puts together what earlier steps found.
func (s *session) joins() bool {
	if len(s.brief.Results) == 0 {
		return false
	}
	return s.goal.kind == partOfJoin || joinWords.MatchString(s.words) || s.goal.kind == notAPart && s.planned()
}

// planned tells results of which all are of our making, so that the words are those of the whole.
func (s *session) planned() bool {
	return !slices.ContainsFunc(s.brief.Results, func(r llm.BriefResult) bool { return r.Failed == "" && readHanded(r.Data) == nil })
}

// readHanded reads data that a part of ours handed over; nil if it is not that.
func readHanded(data string) *handed {
	var h handed
	if data == "" || json.Unmarshal([]byte(data), &h) != nil || h.Kind != "findings" && h.Kind != "answer" {
		return nil
	}
	return &h
}

// join puts the results together: exactly, from the data of parts of ours, else as they were said.
func (s *session) join() (outcome, error) {
	out := outcome{answer: true}
	byQuestion := map[int][]*finding{}
	var said []string
	answers, unworded := 0, false
	for _, r := range s.brief.Results {
		h := readHanded(r.Data)
		switch {
		case r.Failed != "":
			out.missing = append(out.missing, r.Step)
		case h != nil && h.Kind == "answer":
			return outcome{text: r.Text, answer: true, written: h.Report == s.asked.Report, refused: s.say.isRefusal(r.Text)}, nil
		case h != nil:
			s.sortFindings(h.Findings, byQuestion)
		default:
			text, raw := s.say.readable(strings.TrimSpace(r.Text))
			said, unworded = append(said, "## "+r.Step+"\n"+text), unworded || raw
			answers += count1(!s.say.isRefusal(r.Text))
		}
	}
	for _, fs := range byQuestion {
		any := count1(slices.ContainsFunc(fs, found1))
		answers, out.partly = answers+any, out.partly || any == 0
	}
	if unworded {
		said = append(said, s.say.of("These are the results as they stand; to put them into words takes a language model.", "以上是原始结果；要用文字表述需要语言模型。"))
	}
	out.refused = answers == 0
	out.partly = out.partly || unworded || len(out.missing) > 0
	out.text = s.say.helpOnce(s.joined(byQuestion, said, out.missing, maxAnswer))
	out.report = s.joined(byQuestion, said, out.missing, 0)
	return out, nil
}

// sortFindings deals a part's findings to the questions of the words: each part answers them in
// their order, file by file.
func (s *session) sortFindings(fs []*finding, into map[int][]*finding) {
	seen := map[string]int{}
	for _, f := range fs {
		i := seen[f.File]
		seen[f.File]++
		into[i] = append(into[i], f)
	}
}

func (s *session) joined(byQuestion map[int][]*finding, said, missing []string, limit int) string {
	var parts []string
	for i := range len(byQuestion) {
		q := &question.Question{Intent: question.Unknown}
		if i < len(s.asked.Questions) {
			q = &s.asked.Questions[i]
		}
		if text := s.together(q, byQuestion[i], limit); text != "" {
			parts = append(parts, text)
		}
	}
	parts = append(parts, said...)
	for _, m := range missing {
		parts = append(parts, s.say.f("Missing: the part %s gave no result (%s).", "缺少：%s 部分没有结果（%s）。", m, s.failureOf(m)))
	}
	if len(parts) == 0 {
		return s.say.of("The earlier steps found nothing that I could put together.", "前面的步骤没有可以汇总的内容。")
	}
	return strings.Join(parts, "\n\n")
}

func (s *session) failureOf(step string) string {
	for _, r := range s.brief.Results {
		if r.Step == step {
			return strings.TrimSuffix(r.Failed, ".")
		}
	}
	return ""
}

// maxListed is how many rows of a tool's result are listed.
const maxListed = 50

// readable writes a tool's result that is JSON as a list of its rows and values; raw tells that it was.
func (l say) readable(text string) (out string, raw bool) {
	var v map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &v) != nil || len(v) == 0 {
		return text, false
	}
	var list []map[string]any
	var lines []string
	if json.Unmarshal(v["rows"], &list) == nil && list != nil {
		for _, row := range list[:min(len(list), maxListed)] {
			lines = append(lines, "- "+strings.Join(pairs(row), " "))
		}
		if more := len(list) - maxListed; more > 0 {
			lines = append(lines, l.f("- %s more", "- 另有 %s", plainRows(l, more)))
		}
		return strings.Join(lines, "\n"), true
	}
	flat := map[string]any{}
	if json.Unmarshal([]byte(text), &flat) != nil {
		return text, false
	}
	return "- " + strings.Join(pairs(flat), "\n- "), true
}

// pairs are the values of an object by their names, in order.
func pairs(row map[string]any) []string {
	var out []string
	for name, v := range row {
		if raw, err := json.Marshal(v); err == nil {
			out = append(out, name+"="+strings.Trim(string(raw), `"`))
		}
	}
	slices.Sort(out)
	return out
}
