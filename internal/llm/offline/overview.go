package offline

import (
	"fmt"
	"strings"
)

// renderFacts tells one file by itself.
func (l say) renderFacts(f *facts) string {
	switch f.Kind {
	case "log":
		return newStory(l, []*facts{f}).alone(f)
	case "table":
		return l.tableFacts(f)
	}
	return l.noteFacts(f)
}

// alone is the chapter of a single log, with the changes that it tells of.
func (st *story) alone(f *facts) string {
	out := st.chapter(f)
	if len(f.Changes) > 0 {
		out += "\n\n" + st.before()
	}
	return out
}

func (l say) tableFacts(f *facts) string {
	lines := []string{l.f("## %s\n- %s, %d columns", "## %s\n- %s，%d 列", f.File, l.of(plural(f.Rows, "row"), n(f.Rows)+" 行"), len(f.Columns))}
	if f.From != "" {
		lines[0] += l.f(", %s to %s", "，%s 至 %s", f.From, f.To)
	}
	if f.Malformed > 0 {
		lines = append(lines, "- "+l.f("%d lines do not fit the columns (lines %s)", "%d 行与列不符（行号 %s）", f.Malformed, f.At))
	}
	for _, c := range f.Columns {
		lines = append(lines, l.f("- %s: %s", "- %s：%s", c.Key, c.Value))
	}
	return strings.Join(lines, "\n") + l.f("\n(source: %s:1 to %s:%d)", "\n（来源：%s:1 至 %s:%d）", f.File, f.File, f.Lines)
}

func (l say) noteFacts(f *facts) string {
	lines := []string{l.f("## %s\n- %s", "## %s\n- %s", f.File, l.of(plural(f.Lines, "line"), n(f.Lines)+" 行"))}
	for _, s := range f.Sections {
		line := fmt.Sprintf("- %s (%s)", s.Text, s.Source)
		if s.Value != "" {
			line = fmt.Sprintf("- %s: %s (%s)", s.Text, s.Value, s.Source)
		}
		lines = append(lines, line)
	}
	if len(f.Changes) > 0 {
		lines = append(lines, l.of("- Dated statements:", "- 带时间的记述："))
		for _, c := range f.Changes {
			lines = append(lines, fmt.Sprintf("  - %s (%s)", c.Text, c.Source))
		}
	}
	return strings.Join(lines, "\n")
}
