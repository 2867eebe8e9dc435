package rows

import (
	"strconv"
	"strings"
)

// fence follows the code fences of a Markdown text.
type fence struct{ mark string }

// inside takes a line and tells whether it belongs to a fenced block, its fences included.
func (f *fence) inside(line string) bool {
	s := strings.TrimLeft(line, " ")
	for _, c := range []string{"```", "~~~"} {
		if !strings.HasPrefix(s, c) {
			continue
		}
		run := s[:len(s)-len(strings.TrimLeft(s, c[:1]))]
		switch {
		case f.mark == "":
			f.mark = run
		case strings.HasPrefix(run, f.mark) && strings.TrimSpace(s[len(run):]) == "":
			f.mark = ""
		}
		return true
	}
	return f.mark != ""
}

// heading reads "## Title"; depth 0 is none.
func heading(line string) (depth int, title string) {
	s := strings.TrimLeft(line, " ")
	if len(line)-len(s) > 3 {
		return 0, ""
	}
	depth = len(s) - len(strings.TrimLeft(s, "#"))
	if depth < 1 || depth > 6 || len(s) > depth && s[depth] != ' ' && s[depth] != '\t' {
		return 0, ""
	}
	return depth, strings.TrimSpace(strings.TrimRight(strings.TrimSpace(s[depth:]), "#"))
}

// readHeadings gives one row per heading: its depth, title and the number of lines until the next.
func (rd *reading) readHeadings() error {
	var f fence
	var last *Row
	flush := func(end int) error {
		if last == nil {
			return nil
		}
		rd.row = *last
		rd.row.add("lines", strconv.Itoa(end-last.Line-1))
		return rd.emit()
	}
	for {
		line, err := rd.lines.next()
		if err != nil {
			if ferr := flush(rd.lines.n + 1); ferr != nil {
				return ferr
			}
			return err
		}
		depth, title := 0, ""
		if !f.inside(line) {
			depth, title = heading(line)
		}
		if depth == 0 {
			rd.stats.Skipped++
			continue
		}
		if err := flush(rd.lines.n); err != nil {
			return err
		}
		last = &Row{File: rd.name, Line: rd.lines.n, Text: line}
		last.add("depth", strconv.Itoa(depth))
		last.add("title", title)
	}
}

// readMarkdown gives the rows of the pipe tables, each with the heading it stands under.
func (rd *reading) readMarkdown() error {
	var f fence
	section, prev := "", ""
	for {
		line, err := rd.lines.next()
		if err != nil {
			return err
		}
		if f.inside(line) {
			rd.stats.Skipped++
			continue
		}
		if depth, title := heading(line); depth > 0 {
			section = title
		}
		rd.stats.Skipped++
		if isDelimiterRow(line) && strings.Contains(prev, "|") {
			if err := rd.table(columnNames(cells(prev), true), section); err != nil {
				return err
			}
			line = ""
		}
		prev = line
	}
}

// table reads the rows below a table's delimiter row, until a line without a bar.
func (rd *reading) table(names []string, section string) error {
	for {
		line, err := rd.lines.next()
		if err != nil {
			return err
		}
		if strings.TrimSpace(line) == "" || !strings.Contains(line, "|") {
			rd.lines.back(line)
			return nil
		}
		rd.start(line)
		rd.fillCSV(names, fit(cells(line), len(names)), rd.lines.n)
		if section != "" {
			rd.row.addNew("section", section)
		}
		if err := rd.emit(); err != nil {
			return err
		}
	}
}

// fit cuts or pads a row to the table's width, as Markdown does.
func fit(fields []string, n int) []string {
	for len(fields) < n {
		fields = append(fields, "")
	}
	return fields[:n]
}

func isDelimiterRow(line string) bool {
	s := strings.TrimSpace(line)
	return strings.Contains(s, "-") && strings.ContainsAny(s, "|") && strings.Trim(s, "|-: \t") == ""
}

// cells splits a table row at its bars; an escaped bar, or one in code, is text.
func cells(line string) []string {
	s := strings.TrimSpace(line)
	s = strings.TrimPrefix(s, "|")
	if strings.HasSuffix(s, "|") && !strings.HasSuffix(s, `\|`) {
		s = s[:len(s)-1]
	}
	var out []string
	var b strings.Builder
	code := false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == '|':
			b.WriteByte('|')
			i++
		case s[i] == '`':
			code = !code
			b.WriteByte('`')
		case s[i] == '|' && !code:
			out = append(out, strings.TrimSpace(b.String()))
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(out, strings.TrimSpace(b.String()))
}
