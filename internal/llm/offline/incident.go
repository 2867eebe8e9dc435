package offline

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/rows"
	"github.com/akitad/akitad/internal/sorting"
)

// story is the facts of all files, put in an order that tells what happened.
type story struct {
	say     say
	detail  detail
	failed  []*facts // by when it began
	healthy []*facts // logs without a failure
	others  []*facts // notes and tables
	changes []told
}

// detail is how much a story tells of each log.
type detail int

const (
	whole  detail = iota // all that is known
	middle               // without the list of the most frequent errors
	short                // of logs that did not fail only how many errors they have
)

// told is a change and the file that tells of it.
type told struct {
	change
	at    rows.Time
	timed bool
}

func newStory(l say, all []*facts) *story {
	st := &story{say: l}
	for _, f := range all {
		switch {
		case f.Outage != nil:
			st.failed = append(st.failed, f)
		case f.Kind == "log":
			st.healthy = append(st.healthy, f)
		default:
			st.others = append(st.others, f)
		}
		for _, c := range f.Changes {
			at, ok := rows.ParseTime(c.Time)
			st.changes = append(st.changes, told{c, at, ok})
		}
	}
	sorting.By(st.failed, func(a, b *facts) int { return moment(a.Outage.From).Compare(moment(b.Outage.From)) })
	sorting.By(st.changes, func(a, b told) int { return a.at.Compare(b.at) })
	return st
}

func moment(e event) rows.Time {
	t, _ := rows.ParseTime(e.Time)
	return t
}

// tell writes the whole story: the verdict, each log, what was changed, how the times stand to each
// other.
func (st *story) tell() string {
	parts := []string{st.verdict()}
	for _, f := range slices.Concat(st.failed, st.healthy) {
		parts = append(parts, st.chapter(f))
	}
	parts = append(parts, st.before(), st.order())
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// fitting tells the story in as much detail as fits into limit bytes.
func (st *story) fitting(limit int) string {
	text := ""
	for st.detail = whole; st.detail <= short; st.detail++ {
		if text = st.tell(); len(text) <= limit {
			break
		}
	}
	return text
}

// serviceOf names a log's service: its file's name without the ending.
func serviceOf(f *facts) string { return baseName(f.File) }

// who names what failed in a log: the services that it names in a column, else the log itself.
func (f *facts) who(l say) string {
	var names []string
	for _, g := range f.mainParts() {
		names = append(names, fmt.Sprintf("%s (%s)", g.Key, n(g.Count)))
	}
	if len(names) == 0 {
		return serviceOf(f)
	}
	return l.f("%s in %s", "%[2]s 中的 %[1]s", l.list(names), f.File)
}

// verdict is the short answer.
func (st *story) verdict() string {
	l := st.say
	logs := len(st.failed) + len(st.healthy)
	if logs == 0 {
		return l.of("None of the files is a log, so nothing can be said about failures.", "文件中没有日志，无法判断故障。")
	}
	if logs == 1 && len(st.failed) == 1 && len(st.failed[0].Parts) > 0 {
		return st.oneLog(st.failed[0]) + st.lastChange()
	}
	if len(st.failed) == 0 {
		return l.f("**No failure found** in %s: errors, where there are any, are few and do not pile up.", "**未发现故障**（共 %s 份日志）：即使有错误也很少，且没有集中出现。", l.of(plural(logs, "log"), n(logs)))
	}
	var names []string
	for _, f := range st.failed {
		names = append(names, l.f("%s (from %s, %s)", "%s（自 %s 起，%s）", f.who(l), f.Outage.From.Time, f.Outage.From.Source))
	}
	return l.f("**%d of %d failed: %s.**", "**%[2]d 个中有 %[1]d 个发生故障：%[3]s。**", len(st.failed), logs, l.list(names)) + st.lastChange()
}

func (st *story) lastChange() string {
	c, _, ok := st.lastBefore()
	if !ok {
		return ""
	}
	return " " + st.say.f("The last change before it, at %s (%s): %s.", "此前最近的一次变更，%s（%s）：%s。", c.Time, c.Source, c.brief())
}

// oneLog is the verdict on a single log that names several services.
func (st *story) oneLog(f *facts) string {
	var names []string
	for _, g := range f.mainParts() {
		names = append(names, st.say.f("%s (%s, first %s)", "%s（%s，首 %s）", g.Key, st.say.errorsOf(g.Count), g.First))
	}
	return st.say.f("**%d of %d in %s failed: %s.**", "**%[3]s 的 %[2]d 个中有 %[1]d 个发生故障：%[4]s。**", len(names), f.Services, f.File, st.say.list(names))
}

// mainParts are the services with a part of a log's errors worth naming.
func (f *facts) mainParts() []groupLine {
	return slices.DeleteFunc(slices.Clone(f.Parts), func(g groupLine) bool {
		return g.Key == "" || float64(g.Count) < mainShare*float64(f.Errors)
	})
}

// brief is a change in one line, each of its statements with its place. A line that holds little
// more than the time gives way to the lines around it.
func (c told) brief() string {
	var parts []string
	if len(c.Details) == 0 || len(timeLabel.ReplaceAllString(c.Text, "")) > 24 {
		parts = append(parts, fmt.Sprintf("%s (%s)", c.Text, c.Source))
	}
	for _, d := range c.Details {
		if len(parts) < 4 && (len(c.Details) < 4 || !strings.HasPrefix(strings.ToLower(d.Text), "deploy")) {
			parts = append(parts, fmt.Sprintf("%s (%s)", d.Text, d.Source))
		}
	}
	return strings.Join(parts, "; ")
}

// timeLabel is a time and the word that announces it.
var timeLabel = pattern.New(`(?i)^(?:\p{L}+\s*[:：]\s*)?[\d\-/:.T年月日 ]+(?:Z|UTC|[+-]\d\d:?\d\d)?`)

// lastBefore gives the last timed change before the first failure, and how long before it was.
func (st *story) lastBefore() (told, time.Duration, bool) {
	if len(st.failed) == 0 {
		return told{}, 0, false
	}
	onset := moment(st.failed[0].Outage.From)
	for _, c := range slices.Backward(st.changes) {
		if !c.timed || c.at.Compare(onset) > 0 {
			continue
		}
		return c, onset.Sub(c.at), true
	}
	return told{}, 0, false
}

// span says a duration in minutes and seconds.
func (l say) span(d time.Duration) string {
	d = d.Round(time.Second)
	if d < 0 {
		d = -d
	}
	h, m, s := int(d.Hours()), int(d.Minutes())%60, int(d.Seconds())%60
	switch {
	case h > 0:
		return l.f("%d h %d min", "%d 小时 %d 分", h, m)
	case m > 0:
		return l.f("%d min %d s", "%d 分 %d 秒", m, s)
	}
	return l.f("%d s", "%d 秒", s)
}

// chapter tells one log.
func (st *story) chapter(f *facts) string {
	l := st.say
	lines := []string{fmt.Sprintf("## %s (%s)", serviceOf(f), f.File)}
	lines = append(lines, l.sizeLine(f))
	if st.detail == short && f.Outage == nil {
		return strings.Join(append(lines, l.errorLines(f)[0]), "\n")
	}
	if o := f.Outage; o != nil {
		lines = append(lines, l.outageLine(o))
		for _, c := range o.Causes {
			lines = append(lines, "- "+l.f("Why: %s, %s (first %s, last %s)", "原因：%s，%s（首 %s，末 %s）", code(c.Key), l.timesOf(c.Count), c.First, c.Last))
		}
	} else if f.Errors > 0 {
		lines = append(lines, "- "+l.f("Not counted as failed: its errors are %s of its rows and do not pile up.", "不算故障：错误占全部行的 %s，且没有集中出现。", share100(f.Errors, f.Rows)))
	}
	lines = append(lines, l.errorLines(f)...)
	for _, g := range f.Parts {
		lines = append(lines, "- "+l.f("%s %s: %s, %s (first %s, last %s)", "%s %s：%s，%s（首 %s，末 %s）", f.By, l.key("", g.Key), l.errorsOf(g.Count), g.Files, g.First, g.Last))
	}
	if (f.Outage == nil || !f.Outage.Whole) && st.detail == whole {
		lines = append(lines, l.topLines(f)...)
	}
	return strings.Join(append(lines, l.slowestLine(f)...), "\n")
}

// shortFacts is what a comparison shows of one file.
func (l say) shortFacts(f *facts) string {
	if f.Kind != "log" {
		return l.renderFacts(f)
	}
	lines := append([]string{"## " + f.File, l.sizeLine(f)}, l.errorLines(f)...)
	return strings.Join(append(lines, l.slowestLine(f)...), "\n")
}

func (l say) timesOf(count int) string {
	return l.of(plural(count, "time"), n(count)+" 次")
}

func share100(part, all int) string {
	if all == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(all))
}

func (l say) outageLine(o *outage) string {
	if o.Whole {
		return "- " + l.f("Failed: %s, from %s (%s) to %s (%s), without a quiet time to tell it from.", "发生故障：%s，自 %s（%s）至 %s（%s），没有可区分的平静时段。", l.errorsOf(o.Errors), o.From.Time, o.From.Source, o.To.Time, o.To.Source)
	}
	return "- " + l.f("Failed from %s (%s) to %s (%s): %s of the kinds below.", "故障时段：%s（%s）至 %s（%s），下列各类共 %s。", o.From.Time, o.From.Source, o.To.Time, o.To.Source, l.errorsOf(o.Errors))
}

func (l say) errorsOf(count int) string {
	return l.of(plural(count, "error"), n(count)+" 个错误")
}

// sizeLine says how large a log is and what levels it has.
func (l say) sizeLine(f *facts) string {
	out := "- " + l.f("%s", "%s", l.of(plural(f.Lines, "line"), n(f.Lines)+" 行"))
	if f.From != "" {
		out += l.f(", %s to %s", "，%s 至 %s", f.From, f.To)
	}
	if f.Range != "" {
		out += l.f("; looked at %s: %s", "；只看 %s：%s", f.Range, l.of(plural(f.Rows, "row"), n(f.Rows)+" 行"))
	}
	if len(f.Levels) > 0 {
		var named, none []string
		for _, g := range f.Levels {
			if g.Key == "" {
				none = append(none, l.f("without level %s", "无级别 %s", n(g.Count)))
				continue
			}
			named = append(named, g.Key+" "+n(g.Count))
		}
		out += l.f("; levels: %s", "；级别：%s", strings.Join(append(named, none...), ", "))
	}
	if len(f.Statuses) > 0 {
		out += l.f("; statuses: %s", "；状态码：%s", strings.Join(l.countsOf(f.Statuses[:min(len(f.Statuses), 8)]), ", "))
	}
	if f.Malformed > 0 {
		out += l.f("; %s not readable as log lines (lines %s)", "；%s 行无法识别（行号 %s）", n(f.Malformed), f.At)
	}
	return out
}

// errorLines say how many errors there are, when, and how dense.
func (l say) errorLines(f *facts) []string {
	var out []string
	rule := map[string]string{"level": l.of("level ERROR or above", "级别 ERROR 或更高"), "status": l.of("status 500 or above", "状态码 500 或以上"), "words": l.of("lines with words for errors", "含错误字样的行")}[f.Rule]
	if f.Errors == 0 {
		out = append(out, "- "+l.f("Errors (%s): 0", "错误（%s）：0", rule))
	} else {
		out = append(out, "- "+l.f("Errors (%s): %s; first %s (%s), last %s (%s)", "错误（%s）：%s；首个 %s（%s），最后 %s（%s）", rule, n(f.Errors), f.First.Time, f.First.Source, f.Last.Time, f.Last.Source))
	}
	if f.Peak != nil {
		out = append(out, "- "+l.f("Peak: %s in %s (first %s)", "峰值：%[2]s 有 %[1]s（首 %[3]s）", l.errorsOf(f.Peak.Count), f.Peak.Key, f.Peak.First))
	}
	return out
}

func (l say) topLines(f *facts) []string {
	if len(f.Top) == 0 {
		return nil
	}
	out := []string{"- " + l.of("Most frequent errors:", "最常见的错误：")}
	for _, g := range f.Top {
		out = append(out, "  - "+l.f("%s: %s (first %s, last %s)", "%s：%s（首 %s，末 %s）", code(g.Key), l.timesOf(g.Count), g.First, g.Last))
	}
	return out
}

func (l say) slowestLine(f *facts) []string {
	if f.Slowest == nil {
		return nil
	}
	return []string{"- " + l.f("Slowest: %s %s (%s), %s", "最慢：%s %s（%s），%s", f.Slowest.Value, f.Unit, f.Slowest.Source, code(f.Slowest.Text))}
}

// before lists what was changed, each with its place.
func (st *story) before() string {
	l := st.say
	if len(st.changes) == 0 {
		return l.of("## What changed before\nNone of the files tells of a change.", "## 之前的变更\n文件中没有提到任何变更。")
	}
	lines := []string{l.of("## What changed", "## 变更")}
	for _, c := range st.changes {
		text := c.Text
		if c.timed && !hasTime(text) {
			text = c.Time + ": " + text
		}
		lines = append(lines, fmt.Sprintf("- %s (%s)", text, c.Source))
		for _, d := range c.Details {
			lines = append(lines, fmt.Sprintf("  - %s (%s)", d.Text, d.Source))
		}
	}
	return strings.Join(lines, "\n")
}

func hasTime(text string) bool {
	_, _, _, ok := rows.FindTime(text)
	return ok
}

// order puts the changes and the failures on one line of time. It says what came after what, not
// that one caused the other.
func (st *story) order() string {
	if len(st.failed) == 0 {
		return ""
	}
	l := st.say
	lines := []string{l.of("## In order", "## 时间顺序")}
	c, d, ok := st.lastBefore()
	if ok {
		lines = append(lines, l.f("- %s (%s): %s", "- %s（%s）：%s", c.Time, c.Source, c.brief()))
	}
	for i, f := range st.failed {
		o := f.Outage
		line := "- " + l.f("%s: %s starts to fail (%s)", "%s：%s 开始故障（%s）", o.From.Time, f.who(l), o.From.Source)
		switch {
		case ok && i == 0:
			line += l.f(", %s after the change", "，在变更之后 %s", l.span(d))
		case i > 0:
			line += l.f(", %s after %s", "，在 %[2]s 之后 %[1]s", l.span(moment(o.From).Sub(moment(st.failed[0].Outage.From))), serviceOf(st.failed[0]))
		}
		lines = append(lines, line+l.named(f, st))
	}
	if ok {
		lines = append(lines, l.of("That the failure follows the change is shown by the times; that it was caused by it is not.", "时间只能说明故障发生在变更之后，不能证明由其引起。"))
	}
	return strings.Join(lines, "\n")
}

// named says which other service a failing one names in its errors.
func (l say) named(f *facts, st *story) string {
	for _, other := range slices.Concat(st.failed, st.healthy) {
		name := serviceOf(other)
		if other == f || len(name) < 3 {
			continue
		}
		for _, c := range f.Outage.Causes {
			if strings.Contains(strings.ToLower(c.Key), strings.ToLower(name)) {
				return l.f("; its errors name %s (%s)", "；其错误中提到 %s（%s）", name, c.First)
			}
		}
	}
	return ""
}
