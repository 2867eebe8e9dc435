package offline

import (
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
)

// unapplied tells that words which may be a condition name nothing in the file, so that any figure
// would answer another question. A text that is looked for by
// itself, and by no other condition, is no such word: there is none of it.
func (b *binding) unapplied() bool {
	if len(b.unheard) == 0 {
		return false
	}
	alone := len(b.where) == 0 && b.span == "" && b.having == nil && len(b.unheard) == 1 && !adjectives[b.unheard[0]] && b.lookedFor(b.unheard[0])
	return !alone || b.q.Intent != question.Count && b.q.Intent != question.Filter
}

// lookedFor tells that a word is a text to look for: the question says so, or it is written like a
// level.
func (b *binding) lookedFor(w string) bool {
	at := strings.Index(b.q.Text, w)
	return at >= 0 && (containsBefore.MatchString(b.q.Text[:at]) || b.upper(w, at))
}

// adjectives say of what kind the rows are to be, which no text of theirs need say.
var adjectives = set(`successful succeeded successfully failed failing failures slow fast duplicate duplicated repeated invalid valid active inactive new old unusual strange suspicious anonymous big large small huge long short bad good important critical similar odd even positive negative 成功 失败 重复 异常 可疑 有效 无效`)

// declineWords says which words could not be applied, and how many rows meet the rest.
func (s *session) declineWords(b *binding) (*finding, error) {
	args := b.args()
	args.Aggregate = "count"
	t, err := s.extract(args)
	if err != nil {
		return nil, err
	}
	words := s.say.list(quoteAll(b.unheard))
	text := s.say.f("I cannot answer this from %s: nothing in it mentions %s, so that part could not be applied and there is no figure.", "无法从 %s 回答：其中没有出现 %s，这一条件无法应用，因此不给出数字。", b.file, words)
	if len(b.said) > 0 || b.span != "" {
		text += s.say.f(" Without it, %s meet the rest (%s).", " 不考虑它时，符合其余条件的有 %s（%s）。", plainRows(s.say, atoi(t.cell(0, "count"))), b.what())
	}
	return &finding{Kind: "none", File: b.file, Text: text}, nil
}

// showLines gives lines of the file as they stand.
func (s *session) showLines(q *question.Question, file string) (*finding, error) {
	args := map[string]any{"path": file, "limit": min(max(q.LineTo-q.Line+1, 1), pageLines)}
	if q.Line > 1 {
		args["offset"] = q.Line
	}
	text, err := s.call("read_file", args)
	if err != nil {
		return nil, err
	}
	f := &finding{Kind: "text", File: file}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if no, rest, ok := strings.Cut(line, "\t"); ok && isNumber(strings.TrimSpace(no)) {
			out = append(out, "- "+file+":"+strings.TrimSpace(no)+": "+code(rest))
		}
	}
	if f.Text = strings.Join(out, "\n"); len(out) == 0 {
		return &finding{Kind: "none", File: file, Text: s.say.f("%s has no line %d.", "%s 没有第 %d 行。", file, q.Line)}, nil
	}
	return f, nil
}
