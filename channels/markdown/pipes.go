package markdown

import "strings"

// escapePipes puts a backslash before each | that stands in a span of code in a row of a table. By the
// rules it would end the cell; what models mean is `a | b`.
func escapePipes(source string) string {
	if !strings.Contains(source, "|") || !strings.Contains(source, "`") {
		return source
	}
	var b strings.Builder
	fence, inTable := "", false
	for line := range strings.Lines(source) {
		bare := strings.TrimLeft(line, " \t>")
		switch {
		case fence != "":
			if strings.HasPrefix(bare, fence) && strings.Trim(bare, fence[:1]+" \t\n") == "" {
				fence = ""
			}
		case strings.HasPrefix(bare, "```"), strings.HasPrefix(bare, "~~~"):
			fence, inTable = bare[:len(bare)-len(strings.TrimLeft(bare, bare[:1]))], false
		case isDelimiterRow(bare):
			inTable = true
		case !strings.HasPrefix(bare, "|"):
			inTable = false
		case inTable:
			line = escapedRow(line)
		}
		b.WriteString(line)
	}
	return b.String()
}

// isDelimiterRow reports whether a line stands between the head of a table and its rows.
func isDelimiterRow(line string) bool {
	return strings.HasPrefix(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: \t\n") == ""
}

// escapedRow escapes a row's pipes within spans of code that end in the row.
func escapedRow(row string) string {
	var b strings.Builder
	for {
		start := strings.IndexByte(row, '`')
		if start < 0 {
			break
		}
		ticks := row[start : len(row)-len(strings.TrimLeft(row[start:], "`"))]
		length := strings.Index(row[start+len(ticks):], ticks)
		if length < 1 || row[start+len(ticks)] == ' ' {
			b.WriteString(row[:start+len(ticks)])
			row = row[start+len(ticks):]
			continue
		}
		end := start + len(ticks) + length
		code := row[start+len(ticks) : end]
		b.WriteString(row[:start] + ticks + strings.ReplaceAll(strings.ReplaceAll(code, `\|`, "|"), "|", `\|`) + ticks)
		row = row[end+len(ticks):]
	}
	return b.String() + row
}
