package offline

import (
	"regexp"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
)

// canDo says in a sentence what the engine is good for.
func (l say) canDo() string {
	return l.of("What I can do by rules, without a language model: count, filter, group, rank, sum and compare what logs, CSV, JSON lines and Markdown hold, find the first and last, look into what failed and what changed before, list and search files, write findings to a file, and remember and recall facts, with the file and line of each statement.",
		"没有语言模型时，我能按规则对日志、CSV、JSON 行和 Markdown 做计数、筛选、分组、排名、求和与比较，找出最早和最后的记录，分析什么出了故障、之前有什么变更，列出和搜索文件，把结果写入文件，记住并找回信息，每个结论都注明文件和行号。")
}

// isRefusal tells a text of ours that says what we can do in place of an answer.
func (l say) isRefusal(text string) bool {
	return strings.Contains(text, say("en").canDo()) || strings.Contains(text, say("zh").canDo())
}

var (
	webAddress = pattern.New(`(?i)\bhttps?://[^\s,，。；;）)"”'<>]+`)
	reminder   = pattern.New(`(?i)\bremind (?:me|us|him|her|them)\b(?: (?:at|in|on|to|tomorrow|every|about)\b)|\b(?:set|add|create) (?:a |an |me )*(?:\w+ )?(?:reminder|alarm|timer)\b|\bwake me\b|^\s*(?:please )?schedule\b|\bevery (?:day|morning|evening|week|month|hour|weekday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\s+(?:at|from)\s+\d|提醒我|提醒一下|闹钟|叫醒我|定时(?:任务|发|提)|(?:每天|每日|每周.?|每月.?)(?:早上|上午|中午|下午|晚上|凌晨)?\s*[\d一二两三四五六七八九十]{1,3}[点:：]`)
)

// noReminder says that what was to happen at a time will not.
func (l say) noReminder() string {
	return l.of("I have set no reminder and no schedule: to understand when takes a language model, and none is at hand.", "没有设置任何提醒或定时任务：理解时间安排需要语言模型，目前没有可用的。")
}

// refuse says that this cannot be served, and what can.
func (s *session) refuse() outcome {
	why := s.say.of("I cannot do this: it takes a language model, and none is at hand. ", "这件事需要语言模型，目前没有可用的，因此我做不了。")
	switch at := webAddress.FindString(s.words); {
	case at != "":
		why = s.say.f("I cannot fetch %s: to open web pages takes a language model, and none is at hand. Save the page as a file and send that. ", "无法读取 %s：打开网页需要语言模型，目前没有可用的。请把网页存成文件发来。", at)
	case reminder.MatchString(s.words):
		why = s.say.noReminder() + s.say.of(" ", "")
	}
	return outcome{refused: true, text: why + s.say.canDo()}
}

// nothingToRead answers a question of which no file is at hand; a document or memory may have been meant.
func (s *session) nothingToRead(q *question.Question) outcome {
	if q.Intent == question.Unknown || webAddress.MatchString(s.words) || reminder.MatchString(s.words) {
		return s.refuse()
	}
	return outcome{refused: true, text: s.say.of("I have nothing to answer this from. Give or name the file that it is about, have the document that says it indexed (`akitad index add`), or tell me what to remember.", "没有可以据以回答的内容。请提供或指明要看的文件，把写有答案的文档加入索引（`akitad index add`），或者告诉我要记住什么。")}
}

func (s *session) remember(q *question.Question) (outcome, error) {
	if q.Fact == "" {
		return outcome{refused: true, text: s.say.of("There is nothing in this that I could remember; say what.", "没有可以记住的内容，请说明要记住什么。")}, nil
	}
	if !s.has("remember") {
		return outcome{refused: true, text: s.say.of("I did not keep this: the agent that answers here cannot remember anything.", "没有记住这句话：在这里回答的智能体不能记住内容。")}, nil
	}
	_, err := s.call("remember", map[string]any{"text": q.Fact})
	if te, ok := asToolError(err); ok && (te.failure.Kind == akitad.PermissionDenied || te.failure.Kind == akitad.InvalidRequest) {
		return outcome{refused: true, text: s.notKept(te)}, nil
	}
	if err != nil {
		return outcome{}, err
	}
	return outcome{text: s.say.f("I will remember: %s", "已记住：%s", q.Fact)}, nil
}

// notKept says that memory may not keep a fact. What it says itself is in English.
func (s *session) notKept(e *toolError) string {
	text := s.say.of("I did not keep this: ", "没有记住这句话：密码、密钥和卡号不会记在记忆里，读过外来内容之后提出的也不会。可以改为记住它保存在哪里。")
	switch {
	case s.say == "zh" && e.failure.Kind == akitad.InvalidRequest:
		return "没有记住这句话：记忆只保留以后仍然成立的简短事实、偏好和规则，不保留提问、一次性的事情和太长的文字。"
	case s.say == "zh":
		return text
	}
	text += strings.TrimSuffix(strings.TrimPrefix(e.failure.Message, e.tool+": "), ".") + ". "
	return strings.TrimSpace(text + e.failure.Hint)
}

// listItems keeps the items of a list, one a line.
func listItems(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(line), "- ") {
			out = append(out, strings.TrimSpace(line))
		}
	}
	return strings.Join(out, "\n")
}

// queryText is what memory is searched for: the words that carry meaning, else all of them.
func (s *session) queryText(q *question.Question) string {
	var words []string
	for _, w := range left(q) {
		if !stopWords[w.text] && !memoryWords[w.text] {
			words = append(words, w.text)
		}
	}
	for _, w := range hanLeft(q, hanMemory) {
		if len([]rune(w.text)) == 1 && mine.MatchString(q.Text) {
			w.text = "我的" + w.text // memory finds pairs of characters
		}
		words = append(words, w.text)
	}
	if len(words) == 0 {
		return strings.TrimSpace(q.Original)
	}
	return strings.Join(words, " ")
}

func (s *session) clock() (outcome, error) {
	text, err := s.call("time", map[string]any{})
	if err != nil {
		return outcome{}, err
	}
	return outcome{text: s.say.clock(strings.TrimSpace(text))}, nil
}

// clockLines are what the clock tells.
var clockLines = pattern.New(`^now: (\S+)T(\d\d:\d\d)\S*\nzone: (.+)\nweekday: (\w+)$`)

var weekdaysHan = map[string]string{"Monday": "一", "Tuesday": "二", "Wednesday": "三", "Thursday": "四", "Friday": "五", "Saturday": "六", "Sunday": "日"}

// clock says what the clock tells in a sentence.
func (l say) clock(told string) string {
	m := clockLines.FindStringSubmatch(told)
	if m == nil {
		return told
	}
	return l.f("It is %s on %s, %s, %s.", "现在是 %[3]s %[1]s，星期%[2]s，时区 %[4]s。", m[2], l.of(m[4], weekdaysHan[m[4]]), m[1], m[3])
}

// listing gives the files of the folder: those given, and what list_directory tells, one level of
// folders deep.
func (s *session) listing() ([]string, error) {
	names := slices.Clone(s.names())
	if !s.has("list_directory") {
		return names, nil
	}
	top, err := s.directory(".")
	if err != nil {
		return names, err
	}
	var errs []error
	for _, e := range top {
		if !strings.HasSuffix(e, "/") {
			names = append(names, e)
			continue
		}
		sub, err := s.directory(strings.TrimSuffix(e, "/"))
		errs = append(errs, err)
		for _, x := range sub {
			if !strings.HasSuffix(x, "/") {
				names = append(names, strings.TrimSuffix(e, "/")+"/"+x)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), first(errs...)
}

func (s *session) directory(path string) ([]string, error) {
	text, err := s.call("list_directory", map[string]any{"path": path})
	if err != nil {
		return nil, err
	}
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		name, size, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok || strings.HasSuffix(name, "/") {
			out = append(out, name)
			if s.sizes == nil {
				s.sizes = map[string]string{}
			}
			s.sizes[strings.TrimPrefix(path+"/"+name, "./")] = size
		}
	}
	return out, nil
}

func (s *session) listFiles(q *question.Question) (outcome, error) {
	names, err := s.listing()
	if err != nil {
		return outcome{}, err
	}
	names = s.current(names)
	if q.Folder != "" {
		names = slices.DeleteFunc(names, func(f string) bool { return !strings.HasSuffix(strings.ToLower(f), q.Folder) })
	}
	if len(q.Files) > 0 && sizeAsked.MatchString(q.Text) {
		if names, err = s.resolve(q.Files); err != nil {
			return outcome{}, err
		}
	}
	return s.describeFiles(q, names)
}

func (s *session) sayFiles(names []string, ending string) string {
	kind := ""
	if ending != "" {
		kind = ending + " "
	}
	if len(names) == 0 {
		return s.say.f("There are no %sfiles here: **0**.", "这里没有 %s文件：**0**。", kind)
	}
	return s.say.f("**%s** here:", "共有 **%s**：", s.say.of(plural(len(names), kind+"file"), n(len(names))+" 个 "+kind+"文件")) + "\n- " + strings.Join(names, "\n- ")
}

// findFiles finds files by name, by ending, or by what they hold.
func (s *session) findFiles(q *question.Question) (outcome, error) {
	words := slices.Clone(q.Quoted)
	if len(words) == 0 {
		words = s.searchWords(q)
	}
	names, err := s.listing()
	if err != nil {
		return outcome{}, err
	}
	switch {
	case len(q.Files) > 0:
		return s.sayPresent(q.Files, names), nil
	}
	names = s.current(names)
	switch {
	case len(words) == 0:
		return s.listFiles(q)
	case byName.MatchString(q.Text):
		hits := slices.DeleteFunc(names, func(f string) bool { return !strings.Contains(strings.ToLower(f), strings.ToLower(words[0])) })
		return outcome{text: s.sayFiles(hits, q.Folder)}, nil
	}
	return s.findByContent(q, strings.Join(words, " "))
}

var byName = pattern.New(`\b(?:named|called|name)\b|名为|叫做?|名字|名称`)

func (s *session) searchWords(q *question.Question) []string {
	var out []string
	for _, w := range left(q) {
		if !stopWords[w.text] && "."+w.text != q.Folder && w.text != "document" && w.text != "documents" {
			out = append(out, w.text)
		}
	}
	for _, w := range hanLeft(q, []string{"文档", "有没有", "搜索", "寻找", "没有"}) {
		if len([]rune(w.text)) > 1 {
			out = append(out, w.text)
		}
	}
	return out
}

func (s *session) sayPresent(wanted, names []string) outcome {
	var lines []string
	for _, w := range wanted {
		if slices.Contains(names, w) {
			lines = append(lines, s.say.f("Yes, there is %s.", "有，%s 在这里。", w))
		} else {
			lines = append(lines, s.say.f("No, there is no %s. There are: %s.", "没有 %s。现有文件：%s。", w, strings.Join(names, ", ")))
		}
	}
	return outcome{text: strings.Join(lines, "\n")}
}

var countLine = pattern.New(`^(.+): (\d+)$`)

// findByContent counts the lines of each file that hold a text.
func (s *session) findByContent(q *question.Question, text string) (outcome, error) {
	out, err := s.call("grep", map[string]any{"pattern": regexp.QuoteMeta(text), "path": ".", "ignore_case": true, "mode": "count"})
	if err != nil {
		return outcome{}, err
	}
	var lines []string
	for line := range strings.SplitSeq(out, "\n") {
		m := countLine.FindStringSubmatch(line)
		if m == nil || m[1] == "total" || len(s.current([]string{m[1]})) == 0 || m[2] == "0" || q.Folder != "" && !strings.HasSuffix(m[1], q.Folder) {
			continue
		}
		lines = append(lines, s.say.f("- %s: %s", "- %s：%s", m[1], s.say.of(plural(atoi(m[2]), "line"), m[2]+" 行")))
	}
	if len(lines) == 0 {
		return outcome{text: s.say.f("No file mentions %s: **0**.", "没有文件提到 %s：**0**。", code(text))}, nil
	}
	return outcome{text: s.say.f("%s is mentioned in **%s**:", "提到 %s 的有 **%s**：", code(text), s.say.of(plural(len(lines), "file"), n(len(lines))+" 个文件")) + "\n" + strings.Join(lines, "\n")}, nil
}
