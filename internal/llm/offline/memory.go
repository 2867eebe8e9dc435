package offline

import (
	"errors"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// mine tells words that ask for what the person once said of themselves.
var mine = pattern.New(`\b(?:my|mine|our|ours|i)\b|我|咱`)

// memoryWords ask for what is remembered and are none of it.
var memoryWords = set("remember recall remind told know forget name names named call calls called what's whats who is am tell said about said")

// hanMemory are the Chinese words of such questions.
var hanMemory = []string{"还记得", "记不记得", "记得", "记住", "知道", "告诉", "说过", "关于", "回忆", "一下", "叫什么", "名字", "叫", "什么", "哪里", "哪儿", "谁", "说"}

// entryMark is the type and the name that the tool writes before an entry.
var entryMark = pattern.New(`^\[[a-z]+ [a-z0-9]+\]\s*`)

// remembered finds what is remembered of the question: of what stands in the brief and of what the
// tool finds, the entries that hold the most of the question's words, and more than half of them.
// words are those that were looked for.
func (s *session) remembered(q *question.Question) (found, words []string, err error) {
	words = s.memoryTerms(q)
	items := slices.Clone(s.brief.Remembered)
	if s.has("recall") {
		text, err := s.call("recall", map[string]any{"query": s.queryText(q), "limit": 5})
		if err != nil && (errors.Is(err, errWant) || len(items) == 0) {
			return nil, words, err
		}
		for line := range strings.SplitSeq(listItems(text), "\n") {
			items = append(items, strings.TrimPrefix(line, "- "))
		}
	}
	best := 0
	for _, item := range items {
		item = strings.TrimSpace(entryMark.ReplaceAllString(item, ""))
		switch k := hits(item, words) + nearHits(item, words); {
		case item == "" || k*2 <= len(words) && len(words) > 0:
		case k > best:
			best, found = k, []string{item}
		case k == best && !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, item) || strings.Contains(item, f) }):
			found = append(found, item)
		}
	}
	return found, words, nil
}

// nearHits counts the longer Chinese terms that a text holds in pieces: 仓库钥匙 in 仓库的钥匙.
func nearHits(text string, terms []string) int {
	k := 0
	for _, t := range terms {
		r := []rune(t)
		if len(r) < 4 || !hasHan(t) || strings.Contains(text, t) {
			continue
		}
		in := 0
		for i := range len(r) - 1 {
			if strings.Contains(text, string(r[i:i+2])) {
				in++
			}
		}
		if in*2 >= len(r)-1 {
			k++
		}
	}
	return k
}

// memoryTerms are the words of a question that what is remembered must hold.
func (s *session) memoryTerms(q *question.Question) []string {
	out := slices.Clone(q.Quoted)
	for _, w := range left(q) {
		if !stopWords[w.text] && !memoryWords[w.text] && len(w.text) > 1 {
			out = append(out, singular(w.text))
		}
	}
	for _, w := range hanLeft(q, hanMemory) {
		if len([]rune(w.text)) == 1 { // 工位 is one word although 位 counts things
			w.text += hanCounter.FindString(q.Text[w.to:])
		}
		out = append(out, w.text)
	}
	return out
}

func (s *session) sayRemembered(found []string) outcome {
	return outcome{text: s.say.of("I remember:", "我记得：") + "\n- " + strings.Join(found, "\n- ")}
}

// recall answers a question for what is remembered.
func (s *session) recall(q *question.Question) (outcome, error) {
	found, _, err := s.remembered(q)
	switch {
	case err != nil:
		return outcome{}, err
	case len(found) == 0:
		return outcome{text: s.say.of("I remember nothing about this.", "我没有记住与此有关的内容。")}, nil
	}
	return s.sayRemembered(found), nil
}

// fromMemory answers a question that no file is named for from what is remembered; ok is false if
// that holds nothing of it.
func (s *session) fromMemory(q *question.Question) (out outcome, ok bool, err error) {
	if len(q.Files) > 0 || s.goal.kind != notAPart || len(s.memoryTerms(q)) == 0 {
		return out, false, nil
	}
	found, words, err := s.remembered(q)
	switch {
	case err != nil:
		return out, false, err
	case len(found) > 0:
		return s.sayRemembered(found), true, nil
	case mine.MatchString(q.Text):
		return outcome{refused: true, text: s.say.f("I do not know: I remember nothing about %s.", "我不知道：我没有记住关于 %s 的内容。", s.say.list(quoteAll(words)))}, true, nil
	}
	return out, false, nil
}

var hanCounter = pattern.New(`^[条个次行笔名位种类项台起天中上下里号作资]`)

// forget says how something remembered is removed: by the person, not by a message.
func (s *session) forget(q *question.Question) (outcome, error) {
	text := s.say.of("I do not forget by a message. `akitad memory ls` lists what is remembered with its ids, and `akitad memory forget ID` removes an entry.",
		"我不会通过消息忘记内容。用 `akitad memory ls` 查看记住的内容及其编号，再用 `akitad memory forget 编号` 删除。")
	return outcome{refused: true, text: text}, nil
}
