package rows

import (
	"bytes"
	"path"
	"strings"
)

// sampleLines gives the first 300 lines at most of the beginning of a text. If the text goes on, the last line is
// dropped, because it may not be whole.
func sampleLines(head []byte) []string {
	text := string(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	if len(head) == 64<<10 {
		if at := strings.LastIndexByte(text, '\n'); at > 0 {
			text = text[:at]
		}
	}
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return lines[:min(len(lines), 300)]
}

// Detect finds the format of a text by its name and its beginning. CSV is chosen if a delimiter splits
// the lines evenly and the first one names columns; Log if most lines that begin a record are log lines;
// CSV if a delimiter splits the lines evenly; else Text.
func Detect(name string, head []byte) Format {
	lines := sampleLines(head)
	switch strings.ToLower(path.Ext(name)) {
	case ".csv", ".tsv":
		return CSV
	case ".md", ".markdown":
		return Markdown
	case ".jsonl", ".ndjson":
		return JSONL
	}
	d := sniffCSV(name, lines)
	if d.sure && d.header && namesColumns(lines[0], d.delim) {
		return CSV // even if its rows begin with a time and a level, as log lines do
	}
	if logShare(lines) >= 0.5 {
		return Log
	}
	if d.sure {
		return CSV
	}
	return Text
}

// namesColumns reports whether a line has three fields or more and is neither a log line nor JSON.
func namesColumns(line string, delim byte) bool {
	fields, _ := splitRecord(line, delim)
	return len(fields) >= 3 && line[0] != '{' && line[0] != '[' && logShare([]string{line}) == 0 && !isContinuation(line)
}

// logShare is the share of log lines among the lines that are not continuations.
func logShare(lines []string) float64 {
	var hits, all int
	p := newLogParser()
	var row Row
	for _, line := range lines {
		if strings.TrimSpace(line) == "" || isContinuation(line) {
			continue
		}
		all++
		row.reset("", 0, line)
		if p.parse(line, &row) && (row.HasTime || len(row.Fields) > 2) {
			hits++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(hits) / float64(all)
}
