package markdown

import (
	"regexp"
	"strings"
)

// escapePipes puts a backslash before each | that stands in a span of code, or in an address, in a row of a
// table. By the rules it would end the cell; what models mean is `a | b`.
func escapePipes(source string) string {
	if !strings.Contains(source, "|") || !strings.ContainsAny(source, "`(") {
		return source
	}
	var b strings.Builder
	fence, inTable := "", false
	last := "" // it may turn out to be a table's head
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
			if !inTable && pipes(last) != pipes(bare) {
				last = escapedRow(last)
			}
			inTable = true
		case !strings.HasPrefix(bare, "|"):
			inTable = false
		case inTable:
			line = escapedRow(line)
		}
		b.WriteString(last)
		last = line
	}
	return b.String() + last
}

// pipes counts those of a row that end a cell.
func pipes(row string) int { return strings.Count(row, "|") - strings.Count(row, `\|`) }

// isDelimiterRow reports whether a line stands between the head of a table and its rows.
func isDelimiterRow(line string) bool {
	return strings.HasPrefix(line, "|") && strings.Contains(line, "-") && strings.Trim(line, "|-: \t\n") == ""
}

// addressed is where a link leads.
var addressed = regexp.MustCompile(`\]\([^()\s]+\)`)

// escapedRow escapes a row's pipes within addresses, and within spans of code that end in the row.
func escapedRow(row string) string {
	row = addressed.ReplaceAllStringFunc(row, escaped)
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
		b.WriteString(row[:start] + ticks + escaped(row[start+len(ticks):end]) + ticks)
		row = row[end+len(ticks):]
	}
	return b.String() + row
}

func escaped(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, `\|`, "|"), "|", `\|`)
}
