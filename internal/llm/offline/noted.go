package offline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/llm/offline/question"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// changeBefore asks what was done before something went wrong.
var changeBefore = pattern.New(`\b(?:chang\w*|deploy\w*|releas\w*|done|did|happened|upgrad\w*|modif\w*|note[sd]?|entry|event|action|work|switch\w*|rollout|config\w*)\b.*\b(?:before|prior to|preced\w+|led to|leading up to|ahead of)\b.*\b(?:errors?|fail\w*|outage|crash\w*|incident|problems?|exceptions?|alerts?|alarms?|warnings?|time-?outs?|disconnect\w*|refus\w*|trouble)\b|\b(?:before|prior to)\b.*\b(?:errors?|fail\w*|outage|crash\w*|incident|problems?)\b.*\b(?:chang\w*|deploy\w*|releas\w*|done|did|upgrad\w*|modif\w*)\b|(?:出错|报错|错误|故障|失败|异常|宕机|崩溃|超时|断开|告警)[^，。？！]{0,10}(?:之前|以前|前)[^。？！]*(?:改|变更|变动|部署|上线|发布|升级|做了|调整|操作)|(?:改|变更|部署|上线|发布|升级|调整)[^。？！]*(?:导致|引起|引发)[^。？！]*(?:出错|报错|错误|故障|失败|异常)`)

// noted is a line of a note that has a time.
type noted struct {
	at   rows.Time
	file string
	line textLine
}

// notedBefore answers what notes say was done last before the first error of a log; ok is false where notes and a log
// are not both at hand, or where this is not asked.
func (s *session) notedBefore(q *question.Question, files []string) (out outcome, ok bool, err error) {
	var notes, logs []string
	if len(files) > 0 && !slices.ContainsFunc(files, func(f string) bool { return isProse(f) != isProse(files[0]) }) { // the others lie beside it
		files = append(slices.DeleteFunc(slices.Clone(s.names()), func(f string) bool { return isProse(f) == isProse(files[0]) || f == s.asked.Report }), files...)
	}
	for _, f := range files {
		if isProse(f) {
			notes = append(notes, f)
		} else {
			logs = append(logs, f)
		}
	}
	if len(notes) == 0 || len(logs) == 0 || !changeBefore.MatchString(q.Text) || !s.has("extract") {
		return out, false, nil
	}
	var all []noted
	var errs []error
	for _, f := range notes {
		lines, err := s.readLines(f)
		errs = append(errs, err)
		all = append(all, notedIn(f, lines)...)
	}
	var parts []string
	for _, f := range logs {
		text, err := s.beforeErrorOf(q, f, all)
		parts, errs = append(parts, text), append(errs, err)
	}
	if err := first(errs...); errors.Is(err, errWant) {
		return out, false, err
	}
	if parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" }); len(parts) == 0 {
		return out, false, nil
	}
	return outcome{text: strings.Join(parts, "\n\n")}, true, nil
}

// maxBefore is how many lines of notes are shown before an error.
const maxBefore = 3

func (s *session) beforeErrorOf(q *question.Question, log string, all []noted) (string, error) {
	b, err := s.bind(&question.Question{Lang: q.Lang}, log)
	if err != nil {
		return "", err
	}
	if _, _, timed := b.timeRange(); !timed {
		return "", nil
	}
	_, where := b.errorRule()
	t, err := s.extract(extract{Path: log, Where: where, Order: "line asc", Limit: 1})
	if err != nil {
		return "", err
	}
	if t.matched() == 0 {
		return s.say.f("%s has no errors.", "%s 中没有错误。", log), nil
	}
	first := readEvent(t, 0)
	at, _, _, ok := rows.FindTime(first.Time)
	if !ok {
		return "", nil
	}
	out := []string{s.say.f("The first error of %s is at **%s** (%s): %s", "%s 中的第一个错误在 **%s**（%s）：%s", log, first.Time, first.Source, code(first.Text))}
	before := slices.DeleteFunc(slices.Clone(all), func(n noted) bool { return n.at.Compare(at) > 0 || !n.at.Date && !at.Date })
	sorting.By(before, func(x, y noted) int { return y.at.Compare(x.at) })
	if len(before) == 0 {
		return out[0] + "\n" + s.say.of("The notes say nothing that has a time before it.", "笔记中没有早于它的带时间的记录。"), nil
	}
	out = append(out, s.say.of("What the notes say before it, the last first:", "在此之前笔记中的记录，最近的在前："))
	for _, n := range before[:min(len(before), maxBefore)] {
		gap := ""
		if n.at.Precision != rows.ToDay {
			gap = s.say.f(", %s before", "，早 %s", s.say.span(at.Sub(n.at)))
		}
		out = append(out, fmt.Sprintf("> %s (%s:%d%s)", strings.TrimLeft(strings.TrimSpace(n.line.text), "-*+ "), n.file, n.line.no, gap))
	}
	out = append(out, s.say.of("That it was the cause is not said by this.", "这并不说明它就是原因。"))
	return strings.Join(out, "\n"), nil
}

// notedIn gives the lines of a note that have a time, those without a day on the day that was named last.
func notedIn(file string, lines []textLine) (out []noted) {
	day := rows.Time{}
	for _, l := range lines {
		t, ok := timeIn(l.text)
		switch {
		case !ok:
			continue
		case t.Date:
			day = t
		default:
			t = t.On(day)
		}
		if t.Precision == rows.ToDay && (mdHeading.MatchString(l.text) || len(strings.TrimSpace(l.text)) < 20) {
			continue
		}
		out = append(out, noted{t, file, l})
	}
	return out
}

// timeIn finds the time of a line, also a day without a year before its month, and in Chinese numerals.
func timeIn(text string) (rows.Time, bool) {
	plain := question.Digits(text)
	if t, _, _, ok := rows.FindTime(plain); ok {
		return t, true
	}
	if m := dayMonth.FindStringSubmatch(plain); m != nil {
		t, _, _, ok := rows.FindTime(strings.ToUpper(m[2][:1]) + m[2][1:] + " " + m[1])
		return t, ok
	}
	return rows.Time{}, false
}

var dayMonth = pattern.New(`(?i)\b(\d{1,2})(?:st|nd|rd|th)?(?: of)? (jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b`)
