package offline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
)

// outcome is an answer before it is written, submitted or said.
type outcome struct {
	text     string
	report   string // what a report file holds; text if empty
	findings []*finding
	answer   bool     // the joined answer of a plan
	missing  []string // parts that gave nothing
	refused  bool
	partly   bool // some of what was asked is not answered
	chat     bool // there was nothing to answer: a greeting, a word of thanks
	written  bool // the report is written already
}

// act does the next thing for the words: tool calls, or the answer.
func (s *session) act() llm.Reply {
	out, err := s.solve()
	switch {
	case err == nil:
		return s.deliver(out)
	case errors.Is(err, errWant):
		if s.mayCall() {
			return llm.Reply{Calls: s.oneReading()}
		}
		s.want = nil
		return s.deliver(outcome{text: s.say.of("I had to stop before I had looked everything up, so I have no answer that I can stand behind.", "我在查完之前不得不停止，因此没有可靠的答案。"), missing: []string{"answer"}, refused: true})
	}
	s.want = nil
	return s.deliver(outcome{text: s.explain(err), refused: true})
}

func (s *session) mayCall() bool {
	return s.rounds < s.opts.Rounds && s.req.Choice != llm.ChoiceNone
}

// explain says which call failed and what its error advises.
func (s *session) explain(err error) string {
	var blind *blindError
	if errors.As(err, &blind) {
		return s.sayBlind(blind.files)
	}
	var te *toolError
	if !errors.As(err, &te) {
		return s.say.f("I could not find this out: %v.", "无法得出结果：%v。", err)
	}
	if s.say == "zh" { // what tools say is in English
		return te.han()
	}
	out := fmt.Sprintf("I could not find this out: %s failed: %s.", te.tool, strings.TrimSuffix(te.failure.Message, "."))
	if te.failure.Hint != "" { // hints of tools are written for models
		out += " " + te.failure.Hint
	}
	return out
}

// han says in Chinese what kind of failure it was. Of a kind that says little the tool's own words stay, as a quotation.
func (e *toolError) han() string {
	onFile := e.path != "" && e.path != "."
	switch {
	case onFile && e.failure.Kind == akitad.NotFound:
		return "无法得出结果：没有找到文件 " + e.path + "。"
	case onFile && e.failure.Kind == akitad.InvalidRequest:
		return "无法得出结果：" + e.path + " 不是可以按文本或表格读取的文件。"
	case onFile && e.failure.Kind == akitad.PermissionDenied:
		return "无法得出结果：没有权限读取 " + e.path + "。"
	}
	return "无法得出结果：工具 " + e.tool + " 失败（" + string(e.failure.Kind) + "），原文 " + code(strings.TrimSuffix(e.failure.Message, ".")) + "。"
}

// deliver writes the report if one is wanted, then submits or says the answer.
func (s *session) deliver(out outcome) llm.Reply {
	text := out.text
	if s.asked.Report != "" && !out.refused && !out.written {
		note, reply := s.writeReport(out)
		if reply != nil {
			return *reply
		}
		text += "\n\n" + note
	} else if s.asked.Report != "" && out.refused && !out.chat {
		text += "\n\n" + s.say.f("%s is not written: there is nothing to write.", "%s 未写入：没有可写的内容。", s.asked.Report)
	}
	var end llm.Finish
	if out.partly || out.refused && !out.chat {
		end = llm.FinishPartly
	}
	if !s.has("submit_result") || s.req.Choice == llm.ChoiceNone {
		return llm.Reply{Text: text, Finish: end}
	}
	if end != "" && s.goal.kind != partOfFile && len(out.missing) == 0 { // of a file's part the join tells
		out.missing = []string{s.say.of("an answer to all of the question", "对问题的完整回答")}
	}
	return s.submit(out, text)
}

// writeReport writes the file once; the note says where it is, or why it is not.
func (s *session) writeReport(out outcome) (note string, reply *llm.Reply) {
	if !s.has("write_file") {
		return s.say.f("I have no tool to write %s with.", "没有可用来写 %s 的工具。", s.asked.Report), nil
	}
	body := out.report
	if body == "" {
		body = out.text
	}
	if len(s.asked.Sections) > 0 {
		inParts, err := s.inParts(out)
		if errors.Is(err, errWant) && s.mayCall() {
			return "", &llm.Reply{Calls: s.oneReading()}
		}
		if err == nil {
			body = inParts
		}
	}
	_, err := s.call("write_file", map[string]any{"path": s.asked.Report, "content": strings.TrimRight(body, "\n") + "\n"})
	var te *toolError
	switch {
	case errors.Is(err, errWant) && !s.mayCall():
		s.want = nil
		return s.say.f("%s is not written: I had to stop.", "%s 未写入：不得不停止。", s.asked.Report), nil
	case errors.Is(err, errWant):
		return "", &llm.Reply{Calls: s.oneReading()}
	case errors.As(err, &te):
		return s.notWritten(te), nil
	}
	return s.say.f("The report is in %s.", "报告已写入 %s。", s.asked.Report), nil
}

func (s *session) notWritten(te *toolError) string {
	if s.say == "zh" {
		return "无法写入 " + s.asked.Report + "：它可能是只读的，请换一个文件名。"
	}
	return fmt.Sprintf("I could not write %s: %s.", s.asked.Report, strings.TrimSuffix(te.failure.Message, "."))
}

// What a submitted result may hold, in bytes: the text and the data together stay below the limit
// of a result.
const (
	maxResult = 7600
	maxData   = 4600
)

// submit ends a part by submit_result; if that fails twice, the answer is said.
func (s *session) submit(out outcome, text string) llm.Reply {
	data := s.dataFor(out)
	for _, d := range []json.RawMessage{data, nil} {
		args := map[string]any{"text": cutText(text, maxResult-len(d))}
		if d != nil {
			args["data"] = d
		}
		if len(out.missing) > 0 {
			args["missing"] = out.missing
		}
		if _, err := s.call("submit_result", args); errors.Is(err, errWant) {
			return llm.Reply{Calls: s.oneReading()}
		} else if err == nil {
			break
		}
	}
	return llm.Reply{Text: text}
}

// cutText ends a text at a line before the limit, in bytes, and says so.
func cutText(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	at := strings.LastIndexByte(s[:limit-8], '\n')
	if at < 0 {
		at = 0
	}
	return s[:at] + "\n…"
}

// handed is what a part hands over as data.
type handed struct {
	Kind     string     `json:"kind"` // findings, answer
	Findings []*finding `json:"findings,omitempty"`
	Report   string     `json:"report,omitempty"`
}

func (s *session) dataFor(out outcome) json.RawMessage {
	if s.brief.Schema != "" {
		return schemaData(s.brief.Schema, out)
	}
	h := handed{Kind: "findings", Findings: out.findings}
	if out.answer {
		h = handed{Kind: "answer", Report: s.asked.Report}
	} else if len(out.findings) == 0 {
		return nil
	}
	for size := 40; ; size /= 2 {
		raw, err := json.Marshal(h)
		if err != nil {
			return nil
		}
		if len(raw) <= maxData || size == 0 {
			return raw
		}
		for _, f := range h.Findings {
			f.shrink(size)
		}
	}
}

// shrink leaves at most so many groups and rows, and says that there are more.
func (f *finding) shrink(size int) {
	if len(f.Groups) > size {
		f.Groups, f.Complete = f.Groups[:size], false
	}
	if len(f.Rows) > size {
		f.Rows, f.Complete = f.Rows[:size], false
	}
	if f.Facts != nil {
		f.Facts.Changes = f.Facts.Changes[:min(len(f.Facts.Changes), size)]
		f.Facts.Sections = f.Facts.Sections[:min(len(f.Facts.Sections), size)]
		f.Facts.Columns = f.Facts.Columns[:min(len(f.Facts.Columns), size)]
	}
	f.Text = cutText(f.Text, 1000)
}

// solve finds the answer, or says by errWant that calls are needed first.
func (s *session) solve() (outcome, error) {
	if s.joins() {
		return s.join()
	}
	if out, ok, err := s.smallTalk(); ok || err != nil {
		return out, err
	}
	var parts, reports []string
	var out outcome
	var errs []error
	refused := 0
	for i := range s.asked.Questions {
		one, err := s.solveOne(&s.asked.Questions[i])
		errs = append(errs, err)
		if err == nil && !slices.Contains(parts, one.text) { // "which was the biggest order and who placed it" is answered once
			parts = append(parts, one.text)
			reports = append(reports, cmp.Or(one.report, one.text))
			out.findings = append(out.findings, one.findings...)
			out.partly = out.partly || (one.refused || one.partly) && !one.chat
			refused, out.chat = refused+count1(one.refused), one.chat
		}
	}
	out.refused = refused > 0 && refused == len(parts)
	out.partly = out.partly || len(s.asked.Unknown) > 0 || s.asked.Dropped > 0 || len(s.unseen) > 0
	for _, q := range s.asked.Unknown {
		parts = append(parts, s.say.f("I could not answer this part: %s", "这一部分无法回答：%s", code(q)))
	}
	if len(s.unseen) > 0 && len(parts) > 0 {
		parts = append(parts, s.sayBlind(s.unseen))
	}
	if s.asked.Dropped > 0 {
		parts = append(parts, s.say.f("I have answered the first questions only; %d more of this message are left out. Ask them again by themselves.", "只回答了前面的问题；这条消息中还有 %d 个问题没有回答，请另外再问。", s.asked.Dropped))
	}
	if reminder.MatchString(s.words) && len(parts) > 0 && refused < len(parts) {
		parts, out.partly = append(parts, s.say.noReminder()), true
	}
	if err := first(errs...); err != nil && (errors.Is(err, errWant) || len(parts) == 0) {
		return out, err
	} else if err != nil {
		parts, out.partly = append(parts, s.explain(err)), true
	}
	out.text, out.report = s.say.helpOnce(strings.Join(parts, "\n\n")), s.say.helpOnce(strings.Join(reports, "\n\n"))
	return out, nil
}

func count1(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *session) solveOne(q *question.Question) (outcome, error) {
	switch q.Intent {
	case question.Refuse:
		return s.refuse(), nil
	case question.Help:
		return outcome{text: s.say.canDo(), refused: true, chat: true}, nil
	case question.Remember:
		return s.remember(q)
	case question.Recall:
		return s.recall(q)
	case question.Forget:
		return s.forget(q)
	case question.Clock:
		return s.clock()
	case question.ListFiles:
		return s.listFiles(q)
	case question.FindFiles:
		return s.findFiles(q)
	}
	if s.pasted != "" && len(q.Files) == 0 {
		if out, ok, err := s.ofPasted(q); ok || err != nil {
			return out, err
		}
		if len(s.files()) == 0 {
			return s.noFigure(), nil
		}
	}
	files, err := s.targets(q)
	if err != nil {
		return outcome{}, err
	}
	if len(files) == 0 || q.Intent == question.Unknown && mine.MatchString(q.Text) {
		if out, ok := s.fromTalk(q); ok {
			return out, nil
		}
	}
	if len(files) == 0 || q.Intent == question.Unknown && len(q.Files) == 0 && mine.MatchString(q.Text) {
		if out, ok, err := s.fromMemory(q); ok || err != nil {
			return out, err
		}
	}
	if len(files) == 0 {
		return s.nothingToRead(q), nil
	}
	if bothTexts(q, s.twoFiles(q, files)) {
		return s.compareTexts(q, s.twoFiles(q, files))
	}
	if out, ok, err := s.notedBefore(q, files); ok || err != nil {
		return out, err
	}
	if out, ok, err := s.overTwo(q, files); ok || err != nil {
		return out, err
	}
	if out, ok, err := s.difference(q, files); ok || err != nil {
		return out, err
	}
	if q.Mark != nil {
		return s.marked(q, files)
	}
	switch q.Intent {
	case question.Elapsed:
		return s.elapsed(q, files)
	case question.Correlate:
		return s.correlate(q, files)
	case question.Compare:
		if q.Versus {
			return s.versus(q, files)
		}
		if len(files) == 1 && !q.Missing && howMuchHan.MatchString(q.Text) && q.Fn == "" { // 其他部门共有多少人
			one := *q
			one.Intent = question.Count
			return s.overFiles(&one, files)
		}
		if len(files) == 1 && isProse(files[0]) {
			return outcome{refused: true, text: s.needsModel(files[0]).Text}, nil
		}
		if q.Missing || bothWords.MatchString(q.Text) && q.Fn == "" {
			return s.compareSets(q, files)
		}
		return s.compareFiles(q, files)
	}
	return s.overFiles(q, files)
}

// compareFiles sets files side by side: by what the words count, if they say what, else by all that
// is known of them.
func (s *session) compareFiles(q *question.Question, files []string) (outcome, error) {
	part := s.goal.kind == partOfFile
	if len(files) == 1 && !part {
		if f, err := s.compareValues(q, files[0]); f != nil || err != nil {
			if err != nil {
				return outcome{}, err
			}
			return outcome{text: s.together(q, []*finding{f}, maxAnswer), findings: []*finding{f}}, nil
		}
	}
	if len(files) == 1 && !part && q.MonthTo > q.Month && q.Month > 0 && q.Since == nil && q.Until == nil && q.Unit == "" {
		one := *q
		if one.Intent, one.Unit = question.Top, rows.Month; q.Fn != "" {
			one.Intent = question.Aggregate // of a column that must be named
		}
		return s.overFiles(&one, files)
	}
	if len(files) == 1 && !part && !isProse(files[0]) && (q.Fn != "" && len(q.Levels) > 0 || q.Share) {
		one := *q
		one.Intent, one.Group = question.Top, true
		return s.overFiles(&one, files)
	}
	if len(files) < 2 && !part && (q.Month > 0 || q.Clash || monthsOf(q.Text) > 0 || q.Since != nil || q.Until != nil) {
		return outcome{refused: true, text: s.say.of("I can compare files, not two parts of one; ask for each part by itself.", "只能比较不同的文件，不能比较同一文件的两个部分；请分别提问。")}, nil
	}
	if len(files) > 1 || part && !isProse(files[0]) {
		b, err := s.bind(q, files[0])
		if err != nil {
			return outcome{}, err
		}
		own := slices.DeleteFunc(slices.Clone(b.where), func(w string) bool { return strings.HasPrefix(w, "level ") })
		one := *q
		switch {
		case q.Fn != "" && b.measure() != nil:
			one.Intent = question.Aggregate
			return s.ranked(&one, q, files)
		case len(own) > 0 && !(b.q.Level != "" && len(own) == 1 && b.column(rows.LevelField) == nil):
			one.Intent = question.Count
			return s.overFiles(&one, files)
		}
	}
	return s.overFiles(q, files)
}

var monthWord = pattern.New(`\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b|(?:\d|[一二三四五六七八九十])月|季度|\bquarters?\b`)

// monthsOf counts the months and quarters that words name.
func monthsOf(text string) int { return len(monthWord.FindAllStringIndex(text, -1)) }

// ranked answers for each file, and says first which has the larger figure.
func (s *session) ranked(one, q *question.Question, files []string) (outcome, error) {
	out, err := s.overFiles(one, files)
	if err != nil || len(files) < 2 || s.goal.kind == partOfFile || len(out.findings) != len(files) {
		return out, err
	}
	best, value := -1, 0.0
	for i, f := range out.findings {
		x, ok := rows.Number(f.Value)
		if f.Kind != "figure" || !ok {
			return out, nil
		}
		if best < 0 || !q.Asc && !lowerOf.MatchString(q.Text) && x > value || (q.Asc || lowerOf.MatchString(q.Text)) && x < value {
			best, value = i, x
		}
	}
	name := s.say.of("Highest", "最高")
	if q.Asc || lowerOf.MatchString(q.Text) {
		name = s.say.of("Lowest", "最低")
	}
	out.text = s.say.f("**%s: %s** (%s).", "**%s：%s**（%s）。", name, files[best], number(value)) + "\n" + out.text
	return out, nil
}

var howMuchHan = pattern.New(`共有(?:多少|几)`)

var lowerOf = pattern.New(`\b(?:lower|lowest|less|least|fewer|smaller|faster|shorter)\b|更?(?:低|少|小|快)`)

// overFiles answers a question file by file and puts the answers together.
func (s *session) overFiles(q *question.Question, files []string) (outcome, error) {
	fs := make([]*finding, len(files))
	var errs []error
	for i, file := range files {
		f, err := s.answer(q, file)
		var te *toolError
		switch isTool := errors.As(err, &te); {
		case isTool && !s.answersFor(file):
			f, err = nil, nil // of an earlier message: nothing was said of it
		case isTool && len(files) > 1:
			f, err = &finding{Kind: "failed", File: file, Text: s.explain(err)}, nil
		}
		fs[i] = f
		errs = append(errs, err)
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	if !slices.ContainsFunc(fs, func(f *finding) bool { return f != nil }) {
		return s.nothingToRead(q), nil
	}
	if asJSON.MatchString(q.Text) {
		if text := jsonOf(fs); text != "" {
			return outcome{text: "```json\n" + text + "\n```", report: text, findings: fs}, nil
		}
	}
	return outcome{text: s.together(q, fs, maxAnswer), report: cmp.Or(s.asTable(inFull(fs)), s.together(q, inFull(fs), 0)), findings: fs, refused: !slices.ContainsFunc(fs, found1)}, nil
}

// found1 tells a finding that answers something.
func found1(f *finding) bool { return f != nil && f.Kind != "none" && f.Kind != "failed" }

// maxAnswer is how long an answer gets before it leaves out what a report holds, in bytes.
const maxAnswer = 6000

// together says what the findings of one question amount to, in about limit bytes; 0 is no limit.
func (s *session) together(q *question.Question, fs []*finding, limit int) string {
	var all []*facts
	for _, f := range fs {
		if f != nil && f.Facts != nil {
			all = append(all, f.Facts)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(fs), func(f *finding) bool { return f == nil || f.Facts != nil })
	var parts []string
	switch {
	case len(all) > 0 && q.Intent == question.Incident:
		parts = append(parts, newStory(s.say, all).fitting(cmp.Or(limit, 1<<30)))
	case len(all) > 1 && q.Intent == question.Compare:
		parts = append(parts, s.say.compareFacts(q, all))
	default:
		for _, f := range all {
			parts = append(parts, s.say.renderFacts(f))
		}
	}
	if len(rest) > 0 {
		parts = append(parts, s.say.merge(q, withoutEmpty(rest)), s.leftOut(fs))
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return strings.Join(parts, "\n\n")
}

// leftOut names the files that had nothing to answer with, beside others that had.
func (s *session) leftOut(fs []*finding) string {
	var names []string
	for _, f := range fs {
		if f != nil && f.Kind == "none" {
			names = append(names, f.File)
		}
	}
	if len(names) == 0 || len(names) == len(fs) {
		return ""
	}
	return s.say.f("(Nothing in %s answers this.)", "（%s 中没有相关内容。）", s.say.list(names))
}

// withoutEmpty leaves out files that hold no rows, unless there is no other.
func withoutEmpty(fs []*finding) []*finding {
	if !slices.ContainsFunc(fs, found1) {
		return fs
	}
	return slices.DeleteFunc(slices.Clone(fs), func(f *finding) bool { return f.Kind == "none" })
}
