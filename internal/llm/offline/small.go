package offline

import (
	"slices"
	"strings"
	"unicode"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// courtesy is a way of talking that asks for nothing, and what is said to it.
type courtesy struct {
	re     *pattern.Pattern
	en, zh string
}

var courtesies = []courtesy{
	{
		pattern.New(`^(?:ok |okay |great |cool |many |no )?(?:thanks?|thank you|thx|ty|cheers|much appreciated|appreciate it)(?: (?:a lot|so much|very much|you|again|akita|akitad|bot|for (?:that|this|it|(?:your |the )?help)))*$|^(?:好的?|非常|太|多|十分|万分)?[，, ]*(?:谢谢|多谢|感谢|谢了|谢啦|辛苦|谢)(?:你|您|大家)?(?:了|啦|啊|哦|的帮助)?$`),
		"You are welcome.", "不客气。",
	},
	{
		pattern.New(`^(?:good ?)?(?:bye|bye[- ]bye|good night|see (?:you|ya)(?: (?:later|soon|tomorrow))?|cya|farewell|talk (?:to you )?later)$|^(?:再见|拜拜|拜|晚安|回头见|回见|明天见|下次见)(?:了|啦)?$`),
		"Goodbye.", "再见。",
	},
	{
		pattern.New(`^(?:hello|hi|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|day))(?: (?:there|all|again|akita|akitad|bot|everyone|team|folks))*$|^(?:are you|anybody|anyone|is anybody|is anyone) (?:still )?(?:there|here|around|awake|online)$|^(?:又来了|我又来了|我回来了|你好|您好|嗨|哈喽|哈啰|早|早安|早上好|上午好|中午好|下午好|晚上好|大家好|你?(?:还|都)?在(?:吗|么|不在)|有人(?:在)?吗)(?:啊|呀|哦|又见面了)?$`),
		"Hello. " + selfEN, "您好。" + selfZH,
	},
	{
		pattern.New(`^(?:so |and )?(?:who|what) (?:are you|is this|exactly are you)$|^what(?:'s| is) your name$|^are you (?:a |an )?(?:bot|robot|human|person|ai|machine|model|real)$|^how are you(?: doing)?(?: today)?$|^(?:请问)?(?:你|您)(?:到底|究竟)?(?:是谁|是什么|是机器人|是人|叫什么|叫什么名字|叫啥)(?:吗|呀|啊)?$`),
		selfEN, selfZH,
	},
	{
		pattern.New(`^(?:ok|okay|k|kk|fine|good|great|nice|cool|perfect|awesome|excellent|super|alright|all right|got it|understood|i see|sure|yes|no|yep|yeah|nope|well done|good job|lol|haha\w*|hm+|wow|done|never mind|nevermind|sorry)$|^(?:好+|好的|好吧|好哒|行|行吧|可以|可以了|嗯+|哦+|噢|明白|明白了|懂了|知道了|收到|了解|不错|很好|太好了|真棒|是|是的|对|对的|不|不是|不用|不用了|没事|没事了|算了|哈+|抱歉|对不起)$`),
		"All right.", "好的。",
	},
}

const (
	selfEN = "I am akitad. No language model is connected now, so I work by rules: I count, filter, sum and compare what logs and tables hold. Send a file and ask about it."
	selfZH = "我是 akitad。目前没有连接语言模型，我只按规则工作：对日志和表格做计数、筛选、求和与比较。发来文件并提问即可。"
)

// commandAsk tells words that want a command run.
var commandAsk = pattern.New(`^(?:please |can you |could you |would you |now |just )*(?:run|execute|launch)(?: (?:the|this|a|these|following|my|some|for me))*(?: (?:shell|bash|terminal|command[- ]?line|linux|unix|system))*(?: (?:commands?|scripts?|shell|bash|program))\b|^(?:请|帮我|麻烦|你)*(?:运行|执行|跑)(?:一下|下面的?|以下|这个|这条|一个|一条)*(?:shell|bash|终端|系统)?\s*(?:命令|脚本|程序|指令)`)

// politely begins a message that asks for something all the same.
var politely = pattern.New(`(?i)^\s*(?:ok|okay|thanks|thank you|thx|hi|hello|hey|great|cool|good|好|好的|谢谢|你好|您好|嗨)\s*[,，.!。！]+\s*`)

// plainWords are the words in lower case without what stands around them that is no letter.
func plainWords(words string) string {
	return strings.Join(strings.Fields(strings.TrimFunc(strings.ToLower(words), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })), " ")
}

// courtesyOf gives what is to be said to words that ask for nothing; false if they do ask.
func courtesyOf(words string) (courtesy, bool) {
	plain := plainWords(words)
	if plain == "" && strings.TrimSpace(words) != "" {
		if strings.ContainsAny(words, "?？") {
			return courtesy{nil, "What would you like to know? " + selfEN, "您想问什么？" + selfZH}, true
		}
		return courtesy{nil, "Noted. Send a file and ask about it whenever you like.", "收到。需要时请发来文件并提问。"}, true
	}
	at := slices.IndexFunc(courtesies, func(c courtesy) bool { return c.re.MatchString(plain) })
	if at < 0 {
		return courtesy{}, false
	}
	return courtesies[at], true
}

// chat tells words that name nothing to be worked out, or none at all.
func (s *session) chat() bool {
	_, ok := courtesyOf(s.words)
	return s.goal.kind == notAPart && (ok || strings.TrimSpace(s.words) == "" || commandAsk.MatchString(plainWords(s.words)))
}

// smallTalk answers words that no file is needed for; ok is false for others.
func (s *session) smallTalk() (out outcome, ok bool, err error) {
	if sum := s.arithmetic(); sum != "" && s.goal.kind == notAPart {
		return outcome{text: sum}, true, nil
	}
	if !s.chat() {
		return out, false, nil
	}
	if strings.TrimSpace(s.words) == "" {
		out, err = s.wordless()
		return out, true, err
	}
	if c, ok := courtesyOf(s.words); ok {
		return outcome{refused: true, chat: true, text: s.say.of(c.en, c.zh)}, true, nil
	}
	return outcome{refused: true, text: s.say.of("To run a command takes a language model, and none is connected.", "运行命令需要语言模型，而目前没有连接。")}, true, nil
}

// wordless answers files that came without words: what is in them, and what is wanted.
func (s *session) wordless() (outcome, error) {
	files := s.own()
	if len(files) == 0 {
		files = s.files()
	}
	q := &question.Question{Intent: question.Count, Lang: string(s.say)}
	var lines []string
	var errs []error
	files, err := s.seen(q, files)
	for _, f := range files[:min(len(files), maxTargets)] {
		line, err := s.holds(q, f)
		lines, errs = append(lines, line), append(errs, err)
	}
	if err := first(append(errs, err)...); err != nil {
		return outcome{}, err
	}
	if len(lines) == 0 {
		return s.nothingToRead(&question.Question{Intent: question.Count}), nil
	}
	if len(s.unseen) > 0 {
		lines = append(lines, s.sayBlind(s.unseen))
	}
	lines = append(lines, s.say.of("What would you like to know about it? For example: how many rows, the sum of a column, the rows of one value.", "您想了解什么？例如：有多少行、某一列的总和、某个值的行。"))
	return outcome{refused: true, chat: true, text: strings.Join(lines, "\n")}, nil
}

// holds says in a line what a file holds; a file that cannot be read is said to be so.
func (s *session) holds(q *question.Question, file string) (string, error) {
	b, err := s.bind(q, file)
	switch te, ok := asToolError(err); {
	case ok:
		return s.explain(te), nil
	case err != nil:
		return "", err
	case b.rows == 0 || isProse(file):
		return s.say.f("%s: %s.", "%s：%s。", file, s.say.of(plural(b.about.lines, "line"), n(b.about.lines)+" 行")), nil
	}
	var names []string
	for _, c := range b.cols {
		names = append(names, c.name)
	}
	return s.say.f("%s: %s, %s: %s.", "%s：%s，%s：%s。", file, plainRows(s.say, b.rows), s.say.of(plural(len(names), "column"), n(len(names))+" 列"), s.say.list(names)), nil
}

// nothingOnce says once of all files that hold nothing of the words that they do.
func (l say) nothingOnce(fs []*finding) []*finding {
	var names, texts []string
	var prose *finding
	for _, f := range fs {
		switch {
		case slices.Contains(names, f.File) || slices.Contains(texts, f.File): // of several steps
		case f.Nothing && f.Text != "":
			prose, texts = f, append(texts, f.File)
		case f.Nothing:
			names = append(names, f.File)
		}
	}
	if len(names)+len(texts) == 0 {
		return fs
	}
	out := slices.DeleteFunc(slices.Clone(fs), func(f *finding) bool { return f.Nothing })
	if len(names) > 0 {
		out = append(out, &finding{Kind: "none", File: names[0], Text: l.f("I find nothing in %s that answers this. ", "在 %s 中没有找到答案。", l.list(names)) + l.canDo()})
	}
	if len(texts) > 0 {
		out = append(out, &finding{Kind: "none", File: prose.File, Text: l.inNoText(l.list(texts))})
	}
	return out
}

// inNoText says that no line of texts holds the question's words.
func (l say) inNoText(files string) string {
	return l.f("No line of %s says this in the words of the question; to understand a text takes a language model, and none is at hand. ", "%s 中没有一行直接写明这个问题的答案；理解文字内容需要语言模型，目前没有可用的。", files) + l.canDo()
}

// helpOnce leaves out all but the last telling of what the engine can do.
func (l say) helpOnce(text string) string {
	at := strings.LastIndex(text, l.canDo())
	if at < 0 {
		return text
	}
	before := strings.Split(strings.ReplaceAll(text[:at], l.canDo(), ""), "\n")
	for i, line := range before {
		before[i] = strings.TrimRight(line, " ")
	}
	if last := len(before) - 1; before[last] != "" && l != "zh" {
		before[last] += " "
	}
	return strings.Join(before, "\n") + text[at:]
}
