package offline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/akitad/akitad/internal/rows"
)

// fnName says a figure's name.
func (l say) fnName(fn string) string {
	names := map[string][2]string{
		"sum": {"sum", "总和"}, "avg": {"average", "平均值"}, "min": {"smallest", "最小值"}, "max": {"largest", "最大值"},
		"median": {"median", "中位数"}, "distinct": {"number of different values", "不同值的个数"},
	}
	if n, ok := names[fn]; ok {
		return l.of(n[0], n[1])
	}
	return strings.ToUpper(fn)
}

// with says " (X)" or nothing.
func (l say) with(what string) string {
	if what == "" {
		return ""
	}
	return l.f(" (%s)", "（%s）", what)
}

// render says one finding.
func (l say) render(f *finding) string {
	var out string
	switch f.Kind {
	case "count":
		out = l.renderCount(f)
	case "figure":
		out = l.renderFigure(f)
	case "groups":
		out = l.renderGroups(f)
	case "rows":
		out = l.renderRows(f)
	case "facts":
		out = l.renderFacts(f.Facts)
	default:
		out = f.Text
	}
	if f.Gap {
		out += l.gapLine(f)
	}
	for _, m := range f.More {
		out += "\n\n" + l.render(m)
	}
	return out + l.renderNotes(f.Notes)
}

// gapLine tells by how much the first of a ranking leads the second.
func (l say) gapLine(f *finding) string {
	var values []string
	for _, g := range f.Groups {
		values = append(values, g.Value)
	}
	if at := slices.Index(f.Columns, f.Column); at >= 0 {
		for _, r := range f.Rows {
			values = append(values, r.Cells[at])
		}
	}
	if len(values) < 2 {
		return "\n" + l.of("There is no second to compare it with.", "没有第二名可比较。")
	}
	a, ok1 := rows.Number(values[0])
	z, ok2 := rows.Number(values[1])
	if !ok1 || !ok2 {
		return "\n" + l.of("By how much it leads cannot be told: the values are no plain numbers.", "无法得出相差多少：这些值不是单纯的数字。")
	}
	return "\n" + l.f("The first and the second are **%s** apart.", "第一名与第二名相差 **%s**。", fixed(max(a-z, z-a), max(rows.Decimals(values[0]), rows.Decimals(values[1]))))
}

func (l say) renderNotes(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return "\n\n" + l.f("Note: %s.", "说明：%s。", strings.Join(notes, l.of("; ", "；")))
}

func (l say) renderCount(f *finding) string {
	where := ""
	if f.Count > 0 {
		where = l.f("; first %s, last %s", "；第一处 %s，最后一处 %s", f.First, f.Last)
	}
	parts := ""
	if len(f.Parts) > 1 {
		parts = l.of(": ", "：") + strings.Join(l.countsOf(f.Parts), ", ")
	}
	if f.All > 0 {
		parts += l.f(", %s of %s", "，占 %[2]s的 %[1]s", share100(f.Count, f.All), plainRows(l, f.All))
	}
	rows := ""
	if len(f.Rows) > 0 {
		rows = "\n" + strings.Join(l.rowList(f), "\n")
	}
	if l == "zh" {
		return fmt.Sprintf("%s 中共有 **%s** 行%s%s%s。", f.File, n(f.Count), l.with(f.What), parts, where) + rows
	}
	return fmt.Sprintf("**%s** of %s%s%s%s.", plural(f.Count, f.unit()), f.File, l.with(f.What), parts, where) + rows
}

// unit is what a count counts.
func (f *finding) unit() string {
	if f.Fn == "lines" {
		return "line"
	}
	return "row"
}

func (l say) countsOf(gs []groupLine) []string {
	var out []string
	for _, g := range gs {
		out = append(out, g.Key+" "+n(g.Count))
	}
	return out
}

func (l say) renderFigure(f *finding) string {
	if f.Value == "" || f.Count == 0 {
		return l.f("%s holds no value of %s%s, so there is no %s.", "%s 中没有 %s 的值%s，无法得出%s。", f.File, f.Column, l.with(f.What), l.fnName(f.Fn))
	}
	src := l.f("over %s, %s to %s", "共 %s，%s 至 %s", l.of(plural(f.Count, "row"), n(f.Count)+" 行"), f.First, f.Last)
	return l.f("The %s of %s in %s%s: **%s** (%s).", "%[3]s 中 %[2]s 的%[1]s%[4]s：**%[5]s**（%[6]s）。", l.fnName(f.Fn), l.shownName(f.Column), f.File, l.with(f.What), f.Value, src)
}

// measureOf says what a group's figure is.
func (l say) measureOf(f *finding) string {
	switch {
	case f.Fn == "rate":
		return l.of("share of the rows", "行数占比")
	case f.Column == "":
		return l.of("rows", "行数")
	}
	return l.f("%s of %s", "%[2]s的%[1]s", l.fnName(f.Fn), l.shownName(f.Column))
}

// picked are the groups to show: as many as were asked for, and those level with the last of them
// if one was asked for.
func picked(f *finding) []groupLine {
	count := shownGroups
	if isBucket(f.By) {
		count = 62
	}
	if f.N > 0 {
		count = f.N
	}
	count = min(count, len(f.Groups))
	for f.N == 1 && count < len(f.Groups) && f.Groups[count].Value == f.Groups[0].Value {
		count++
	}
	return f.Groups[:count]
}

// shownBy writes what groups are by.
func (l say) shownBy(by string) string {
	parts := strings.Split(by, ",")
	for i := range parts {
		parts[i] = l.shownName(parts[i])
	}
	return strings.Join(parts, ", ")
}

func isBucket(by string) bool {
	u, _, _ := strings.Cut(by, ",")
	u, _, _ = strings.Cut(u, "(")
	switch rows.Unit(u) {
	case rows.Minute, rows.Hour, rows.Day, rows.Month, rows.Year:
		return true
	}
	return false
}

func (l say) renderGroups(f *finding) string {
	gs := picked(f)
	if len(gs) == 0 {
		return l.f("No row of %s%s.", "%s 中没有符合条件的行%s。", f.File, l.with(f.What))
	}
	var b strings.Builder
	b.WriteString(l.f("%s, %s by %s%s, %s in %s:", "%s：%s，按 %s%s，共 %s、%s：", f.File, l.measureOf(f), l.shownBy(f.By), l.with(f.What), plainRows(l, f.Count), l.of(plural(f.Total, "group"), n(f.Total)+" 组")))
	for i, g := range gs {
		fmt.Fprintf(&b, "\n%d. %s: **%s**", i+1, l.key(f.By, g.Key), cmp.Or(g.Value, l.of("no value", "无值")))
		if f.Column != "" {
			b.WriteString(l.f(" (%s)", "（%s）", plainRows(l, g.Count)))
		}
		if f.All > 0 {
			fmt.Fprintf(&b, " = %s", f.shareOf(g))
		}
		if g.Files != "" {
			fmt.Fprintf(&b, " [%s]", g.Files)
		}
		b.WriteString(l.f(" (first %s, last %s)", "（首 %s，末 %s）", g.First, g.Last))
	}
	if len(gs) < f.Total {
		b.WriteString(l.f("\n(%s)", "\n（%s）", l.of(strings.Replace(plural(f.Total-len(gs), "group"), " ", " more ", 1), "另有 "+n(f.Total-len(gs))+" 组")))
	}
	return b.String()
}

// shareOf is a group's part of the sum of all groups.
func (f *finding) shareOf(g groupLine) string {
	sum := 0.0
	for _, o := range f.Groups {
		x, _ := rows.Number(o.Value)
		sum += x
	}
	x, _ := rows.Number(g.Value)
	if sum == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%.1f %%", 100*x/sum)
}

// key sets messages as code; an empty name is said to be so.
func (l say) key(by, key string) string {
	if strings.TrimSpace(key) == "" {
		return l.of("(none)", "（空）")
	}
	if by == rows.MessageField {
		return code(key)
	}
	return key
}

func (l say) renderRows(f *finding) string {
	if len(f.Rows) == 0 {
		return l.f("No row of %s%s: **0**.", "%s 中没有符合条件的行%s：**0**。", f.File, l.with(f.What))
	}
	out := l.rowsTitle(f) + "\n" + strings.Join(l.rowList(f), "\n")
	if more := f.Count - len(f.Rows); more > 0 && f.Fn == "" && f.N == 0 {
		out += l.f("\n(%s; a file holds all of them: ask for the same again, written to `all.csv`)", "\n（另有 %s；写入文件可得到全部：请再问一次，并要求写入 `all.csv`）", l.of(plural(more, "more row"), n(more)+" 行"))
	}
	return out
}

func (l say) rowsTitle(f *finding) string {
	switch f.Fn {
	case "max", "min":
		order := l.of("largest", "最大")
		if f.Asc {
			order = l.of("smallest", "最小")
		}
		if len(f.Rows) == 1 {
			return l.f("The %s %s in %s%s is **%s**:", "%[3]s 中 %[2]s %[1]s的值%[4]s：**%[5]s**：", order, f.Column, f.File, l.with(f.What), f.Value)
		}
		if f.N == 1 {
			shown := ""
			if len(f.Rows) < f.Level {
				shown = l.f(", the first %d", "，列出前 %d 行", len(f.Rows))
			}
			return l.f("The %s %s in %s%s is **%s**, in %s%s:", "%[3]s 中 %[2]s %[1]s的值%[4]s：**%[5]s**，共 %[6]s%[7]s：", order, f.Column, f.File, l.with(f.What), f.Value, plainRows(l, max(f.Level, len(f.Rows))), shown)
		}
		return l.f("The %d rows of %s with the %s %s%s (of %s):", "%[2]s 中 %[4]s %[3]s的 %[1]d 行%[5]s（共 %[6]s 行）：", len(f.Rows), f.File, order, f.Column, l.with(f.What), n(f.Count))
	case "first", "last", "first and last":
		return l.endsTitle(f)
	}
	more := ""
	if len(f.Rows) < f.Count {
		more = l.f(", the first %d", "，列出前 %d 行", len(f.Rows))
	}
	if l == "zh" {
		return fmt.Sprintf("%s 中共 **%s** 行%s%s：", f.File, n(f.Count), l.with(f.What), more)
	}
	return fmt.Sprintf("**%s** of %s%s%s:", plural(f.Count, "row"), f.File, l.with(f.What), more)
}

func (l say) endsTitle(f *finding) string {
	name := map[string]string{"first": l.of("first", "第一行"), "last": l.of("last", "最后一行"), "first and last": l.of("first and last", "第一行和最后一行")}[f.Fn]
	if f.N > 1 {
		name = map[string]string{"first": l.of("first", "最前"), "last": l.of("last", "最后"), "first and last": l.of("first and last", "最前和最后")}[f.Fn] + l.f(" %d", "的 %d 行", f.N)
	}
	return l.f("The %s of the %s of %s%s:", "%[3]s 中%[4]s共 %[2]s，%[1]s：", name, plainRows(l, f.Count), f.File, l.with(f.What))
}

// rowList writes each row as its source and its cells: what logs share stands bare, other columns
// with their names.
func (l say) rowList(f *finding) []string {
	var out []string
	for _, r := range f.Rows {
		var parts []string
		for i, c := range f.Columns {
			if i >= len(r.Cells) || r.Cells[i] == "" || r.Cells[i] == "-" {
				continue
			}
			parts = append(parts, cellText(l.shownName(c), r.Cells[i]))
		}
		out = append(out, fmt.Sprintf("- %s: %s", r.Source, strings.Join(parts, " ")))
	}
	return out
}

func cellText(column, value string) string {
	switch {
	case column == rows.TimeField, column == rows.LevelField:
		return value
	case column == rows.MessageField, column == "text":
		return code(value)
	}
	return column + "=" + value
}
