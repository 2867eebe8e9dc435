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
var memoryWords = set("mine ours again remember recall remind told know forget name names named call calls called what's whats who is am tell said about said")

// hanMemory are the Chinese words of such questions.
var hanMemory = []string{"什么时候", "啥时候", "几月几号", "几月几日", "几号", "哪一天", "哪天", "几点", "几岁", "多大", "多少", "哪一", "哪个", "哪家", "哪种", "是不是", "有没有", "还记得", "记不记得", "记得", "记住", "知道", "告诉", "不喜欢", "喜欢", "喜爱", "讨厌", "偏好", "爱好", "喜好", "说过", "关于", "回忆", "一下", "叫什么", "名字", "叫", "什么", "哪里", "哪儿", "谁", "说"}

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
	return best(items, words), words, nil
}

// best gives the items that hold the most of the words, and more than half of them.
func best(items, words []string) (found []string) {
	most := 0
	for _, item := range items {
		item = strings.TrimSpace(entryMark.ReplaceAllString(item, ""))
		switch k := hits(item, words) + nearHits(item, words); {
		case item == "" || k*2 <= len(words) && len(words) > 0:
		case k > most:
			most, found = k, []string{item}
		case k == most && !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, item) || strings.Contains(item, f) }):
			found = append(found, item)
		}
	}
	return found
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

// likes tells questions for what somebody likes, and entries that say it; dislikes the same of the contrary.
var (
	likes    = pattern.New(`\b(?:likes?|loves?|prefers?|enjoys?|favou?rites?|fond of|preferences?|tastes?)\b|喜欢|喜爱|偏好|喜好|爱好|最爱|爱(?:吃|喝|看|听|玩|好)`)
	dislikes = pattern.New(`\b(?:dis?likes?|hates?|detests?|cannot stand|can't stand|(?:do|does)(?: not|n't) (?:like|love|enjoy)|(?:do|did) (?:i|we) not (?:like|love|enjoy)|(?:do|did)n't (?:i|we) (?:like|love|enjoy))\b|不喜欢|讨厌|不爱|反感|厌恶`)
)

// everything is what the tool takes for the newest of all that it may show.
const everything = "*"

// maxTold is how many entries an answer lists at most.
const maxTold = 20

// all gives what is remembered of the person, whatever it is about, the newest first.
func (s *session) all() (items []string, err error) {
	if !s.has("recall") {
		return slices.Concat(s.brief.Known, s.brief.Remembered), nil
	}
	text, err := s.call("recall", map[string]any{"query": everything, "limit": maxTold})
	if err != nil {
		return nil, err
	}
	for line := range strings.SplitSeq(listItems(text), "\n") {
		if item := strings.TrimSpace(entryMark.ReplaceAllString(strings.TrimPrefix(line, "- "), "")); item != "" {
			items = append(items, item)
		}
	}
	return items, nil
}

// tastes gives what is remembered of what the person likes, or does not, if the question is for that.
func (s *session) tastes(q *question.Question) (found []string, asked bool, err error) {
	against := dislikes.MatchString(q.Text)
	if !against && !likes.MatchString(q.Text) {
		return nil, false, nil
	}
	items, err := s.all()
	for _, item := range items {
		item = strings.TrimSpace(item)
		if low := strings.ToLower(item); dislikes.MatchString(low) == against && (against || likes.MatchString(low)) {
			found = append(found, item)
		}
	}
	return found, true, err
}

func (s *session) sayRemembered(found []string) outcome {
	return outcome{text: s.say.of("I remember:", "我记得：") + "\n- " + strings.Join(found, "\n- ")}
}

// recall answers a question for what is remembered.
func (s *session) recall(q *question.Question) (outcome, error) {
	found, nothing, err := s.recalled(q)
	if said, ok := s.fromTalk(q); ok && err == nil && len(found) == 0 {
		return said, nil
	}
	switch {
	case err != nil:
		return outcome{}, err
	case len(found) == 0:
		return outcome{text: nothing}, nil
	}
	return s.sayRemembered(found), nil
}

// recalled finds what a question for what is remembered is about, by its words, by what the person likes, or
// all of it; and gives what is to be said if there is nothing.
func (s *session) recalled(q *question.Question) (found []string, nothing string, err error) {
	nothing = s.say.of("I remember nothing about this.", "我没有记住与此有关的内容。")
	if len(s.memoryTerms(q)) > 0 {
		if found, _, err = s.remembered(q); len(found) > 0 || err != nil {
			return found, nothing, err
		}
	}
	found, asked, err := s.tastes(q)
	switch {
	case asked && dislikes.MatchString(q.Text):
		return found, s.say.of("I do not remember that you dislike anything.", "我没有记住您不喜欢什么。"), err
	case asked:
		return found, s.say.of("I do not remember that you like anything in particular.", "我没有记住您喜欢什么。"), err
	case len(s.memoryTerms(q)) > 0:
		return nil, nothing, nil
	}
	found, err = s.all()
	return found, s.say.of("I remember nothing about you yet. Say \"remember that …\" and I will.", "我还没有记住关于您的内容。说“记住……”，我就会记住。"), err
}

// fromMemory answers a question that no file is named for from what is remembered; ok is false if
// that holds nothing of it.
func (s *session) fromMemory(q *question.Question) (out outcome, ok bool, err error) {
	if len(q.Files) == 0 && s.goal.kind == notAPart && nameAsked.MatchString(q.Text) {
		return s.ownName(q)
	}
	if len(q.Files) > 0 || s.goal.kind != notAPart || len(s.memoryTerms(q)) == 0 || onADate(q) {
		return out, false, nil
	}
	found, words, err := s.remembered(q)
	switch {
	case err != nil:
		return out, false, err
	case len(found) > 0:
		return s.sayRemembered(found), true, nil
	case mine.MatchString(q.Text) && len(s.files()) == 0:
		return outcome{refused: true, text: s.say.f("I do not know: I remember nothing about %s.", "我不知道：我没有记住关于 %s 的内容。", s.say.list(quoteAll(words)))}, true, nil
	}
	return out, false, nil
}

// All words of a question for one's own name are words of asking; so the entries that tell one are looked for.
var (
	nameAsked = pattern.New(`\bmy name\s*$|\bwho am i\s*$|\bam i called\s*$|我叫(?:什么|啥)|我的名字(?:是什么|叫什么)?\s*$|我是谁|怎么称呼我`)
	nameSaid  = pattern.New(`(?i)\b(?:my|user's) name\b|\bcall me\b|\b(?:i am|i'm|user is) (?:called|named)\b|^i(?:'m| am) \p{L}+[.!]?$|我叫|我的名字|^我是\p{Han}{2,4}$|名字(?:是|叫)`)
)

func (s *session) ownName(q *question.Question) (outcome, bool, error) {
	items, err := s.all()
	if err != nil {
		return outcome{}, false, err
	}
	items = append(withoutWish(sentencesSaid(s.talk(q))), items...)
	items = slices.DeleteFunc(items, func(item string) bool { return !nameSaid.MatchString(strings.TrimSpace(item)) })
	if len(items) == 0 {
		return outcome{refused: true, text: s.say.of("I do not know: you have not told me your name.", "我不知道：您还没有告诉我您的名字。")}, true, nil
	}
	return s.sayRemembered(items[:1]), true, nil
}

// withoutWish leaves out of sentences that they are to be remembered: "My name is Ann, please remember".
func withoutWish(said []string) (out []string) {
	for _, sentence := range said {
		for _, q := range question.Parse(sentence, nil).Questions {
			if q.Intent == question.Remember && q.Fact != "" {
				sentence = q.Fact
				break
			}
		}
		out = append(out, sentence)
	}
	return out
}

// onADate asks about a day that it names, which is no word of what is remembered, and not about the person.
func onADate(q *question.Question) bool {
	return (q.Since != nil || q.Until != nil || q.Month > 0) && !mine.MatchString(q.Text)
}

var hanCounter = pattern.New(`^[条个次行笔名位种类项台起天中上下里号作资]`)

// forget says how something remembered is removed: by the person, not by a message.
func (s *session) forget(q *question.Question) (outcome, error) {
	text := s.say.of("I do not forget by a message. `akitad memory ls` lists what is remembered with its ids, and `akitad memory forget ID` removes an entry.",
		"我不会通过消息忘记内容。用 `akitad memory ls` 查看记住的内容及其编号，再用 `akitad memory forget 编号` 删除。")
	return outcome{refused: true, text: text}, nil
}
