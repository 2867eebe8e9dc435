package offline

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

var changeCue = pattern.New(`\b(?:deploy\w*|releas\w*|rollout|restart\w*|change[sd]?|upgrad\w*|config\w*|migration)\b|部署|上线|发布|变更|重启|升级|改动|配置`)

// correlate puts events in relation by their times: a change and the failures after it, what lies
// around one event, or the minutes in which several logs have errors.
func (s *session) correlate(q *question.Question, files []string) (outcome, error) {
	switch {
	case q.Near != nil:
		return s.near(q.Near, files)
	case len(q.Levels) > 0:
		return outcome{refused: true, text: s.say.of("I can relate rows of one level by time, not rows of one level to rows of another.", "只能按时间关联同一级别的行，不能把一个级别的行与另一个级别的行相互关联。")}, nil
	case eachRow(q):
		return outcome{refused: true, text: s.say.of("I can look around one event, such as the first or the last error, but not match every row of one file with the rows of another by time.", "可以查看某一个事件（例如第一个或最后一个错误）前后的情况，但不能把一个文件的每一行与另一个文件的行按时间逐一匹配。")}, nil
	case changeCue.MatchString(q.Text) && len(q.Quoted) == 0 && q.Within == "":
		return s.storyOf(q, files)
	case q.Within != "" || q.First || q.Last || len(q.Quoted) > 0 || len(files) == 1:
		return s.around(q, files)
	}
	return s.overlap(q, files)
}

var everyRow = pattern.New(`\b(?:which|what|how many|list|show|count|find)\b[^.?!]*\b(?:errors|warnings|lines|rows|requests|events|messages|failures)\b|哪些|多少|列出|统计`)

// eachRow asks for all rows of one file that stand near any row of another.
func eachRow(q *question.Question) bool {
	return len(q.Files) > 1 && q.Within != "" && !q.First && !q.Last && len(q.Quoted) == 0 && everyRow.MatchString(q.Text)
}

func (s *session) storyOf(q *question.Question, files []string) (outcome, error) {
	var all []*facts
	var errs []error
	for _, file := range files {
		f, err := s.study(q, file)
		errs = append(errs, err)
		if err == nil {
			all = append(all, f.Facts)
		}
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	return outcome{text: newStory(s.say, all).tell()}, nil
}

// anchor is the event that others are looked for around.
type anchor struct {
	event
	at   rows.Time
	file string
}

// around lists what stands near an event: the first, or last, row that the words describe.
func (s *session) around(q *question.Question, files []string) (outcome, error) {
	a, what, err := s.findAnchor(q, files)
	if err != nil {
		return outcome{}, err
	}
	if a == nil {
		return outcome{text: s.say.f("No row with a time meets this%s, so there is nothing to look around.", "没有带时间的行符合条件%s，无法查看其前后。", s.say.with(what))}, nil
	}
	w, err := time.ParseDuration(cmp.Or(q.Within, "1m"))
	if err != nil {
		return outcome{}, err
	}
	since, until := a.at, a.at
	since.At, until.At = a.at.At.Add(-w), a.at.At.Add(w+time.Millisecond)
	switch {
	case q.Before:
		until.At = a.at.At
	case afterWords.MatchString(q.Text):
		since.At = a.at.At
	}
	return s.window(q, files, a, since, until, w)
}

var afterWords = pattern.New(`\bafter\b|之后|以后|后(?:发生|出现|有|\s*\d)`)

// findAnchor finds the described row in each file, and of these the first (or last).
func (s *session) findAnchor(q *question.Question, files []string) (*anchor, string, error) {
	order := "line asc"
	if q.Last && !q.First {
		order = "line desc"
	}
	var best *anchor
	var errs []error
	what := ""
	for _, file := range s.anchorFiles(q, files) {
		b, err := s.bind(q, file)
		if err == nil {
			var t *table
			args := b.args()
			args.Order, args.Limit = order, 1
			what = b.what()
			if t, err = s.extract(args); err == nil && len(t.rows) > 0 && len(b.where) > 0 {
				best = better(best, readEvent(t, 0), file, q.Last && !q.First)
			}
		}
		errs = append(errs, err)
	}
	return best, what, first(errs...)
}

var eventWord = pattern.New(`(?i)\b(?:first|last|earliest|latest|initial|final)\b|第一|最后|首(?:个|次|条)|最早|最晚`)

// fileOfEvent is the file that the event is in: named right before it, as in Chinese, or behind it.
func fileOfEvent(q *question.Question) string {
	at := eventWord.FindStringIndex(q.Original)
	if at == nil {
		return q.Files[0]
	}
	best := q.Files[0]
	behind := len(q.Original)
	for _, f := range q.Files {
		i := strings.Index(q.Original, path.Base(f))
		if end := i + len(path.Base(f)); i >= 0 && end <= at[0] && strings.Trim(q.Original[end:at[0]], " 的里中's") == "" {
			return f
		}
		if i >= at[1] && i < behind {
			best, behind = f, i
		}
	}
	return best
}

// anchorFiles is the file of the event when the words name several, else all.
func (s *session) anchorFiles(q *question.Question, files []string) []string {
	if len(q.Files) > 1 {
		return []string{fileOfEvent(q)}
	}
	return files
}

func better(best *anchor, e *event, file string, last bool) *anchor {
	at, ok := rows.ParseTime(e.Time)
	if !ok {
		return best
	}
	a := &anchor{*e, at, file}
	if best == nil || (at.Compare(best.at) < 0) != last {
		return a
	}
	return best
}

// window lists the rows of all files between two times.
func (s *session) window(q *question.Question, files []string, a *anchor, since, until rows.Time, w time.Duration) (outcome, error) {
	since.Precision, until.Precision = rows.ToSecond, rows.ToSecond
	if len(s.names()) > len(files) && s.goal.kind == notAPart {
		files = s.names()
	}
	parts := []string{s.say.f("Around %s (%s: %s), from %s until before %s:", "围绕 %s（%s：%s），自 %s 至 %s 前：", a.Time, a.Source, code(a.Text), since.String(), until.String())}
	var errs []error
	for _, file := range files {
		t, err := s.extract(extract{Path: file, Since: since.String(), Until: until.String(), Limit: 15})
		errs = append(errs, err)
		if err == nil && t.matched() > 0 {
			f := readRows(t)
			f.File = file
			parts = append(parts, s.say.render(f))
		}
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	return outcome{text: strings.Join(parts, "\n\n")}, nil
}

// overlap tells in which minutes more than one log has errors, or rows that the words describe.
func (s *session) overlap(q *question.Question, files []string) (outcome, error) {
	var lines []*timeline
	var names []string
	var errs []error
	for _, file := range files {
		b, err := s.bind(q, file)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		where := strings.Join(b.where, " and ")
		if where == "" {
			_, where = b.errorRule()
		}
		t, err := s.errorMinutes(b, where)
		errs = append(errs, err)
		if err == nil && t != nil {
			lines, names = append(lines, t), append(names, file)
		}
	}
	if err := first(errs...); err != nil {
		return outcome{}, err
	}
	return outcome{text: s.sayOverlap(lines, names)}, nil
}

func (s *session) sayOverlap(lines []*timeline, names []string) string {
	if len(lines) < 2 {
		return s.say.of("Fewer than two of the files carry times, so nothing can be related by time.", "带时间的文件少于两个，无法按时间关联。")
	}
	parts := map[time.Time][]string{}
	var at []time.Time
	oneClock(lines)
	for i, t := range lines {
		for _, b := range t.buckets {
			key := b.at.UTC()
			if len(parts[key]) == 0 {
				at = append(at, key)
			}
			parts[key] = append(parts[key], fmt.Sprintf("%s %s (%s)", names[i], n(b.line.Count), b.line.First))
		}
	}
	sorting.By(at, time.Time.Compare)
	var shared []string
	for _, m := range at {
		if len(parts[m]) > 1 {
			shared = append(shared, "- "+minuteName(lines, m)+": "+strings.Join(parts[m], ", "))
		}
	}
	head := s.say.f("**%d** of the %d %ss with errors have them in more than one file", "**%[1]d** 个%[3]s中有多个文件同时出现错误（有错误的共 %[2]d 个）", len(shared), len(at), s.say.unit(lines[0].unit))
	if len(shared) == 0 {
		return head + s.say.of(".", "。")
	}
	return head + s.say.of(":", "：") + "\n" + strings.Join(shared[:min(len(shared), 40)], "\n")
}

// minuteName gives a minute as the first log that has it tells it.
func minuteName(lines []*timeline, at time.Time) string {
	for _, t := range lines {
		for _, b := range t.buckets {
			if b.at.Equal(at) {
				return b.line.Key
			}
		}
	}
	return at.String()
}

// oneClock puts logs without a zone on the clock of one that has it, so that their minutes meet.
func oneClock(lines []*timeline) {
	var zoned rows.Time
	for _, t := range lines {
		for _, b := range t.buckets {
			if b.when.Zone {
				zoned = b.when
			}
		}
	}
	for _, t := range lines {
		for i := range t.buckets {
			t.buckets[i].at = t.buckets[i].when.In(zoned).At
		}
	}
}

func (l say) unit(u rows.Unit) string {
	return l.of(string(u), map[rows.Unit]string{rows.Minute: "分钟", rows.Hour: "小时", rows.Day: "日"}[u])
}
