package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/pattern"
)

// isMark reports whether a word says how something went, as the output of builds and tests does.
func isMark(w string) bool {
	switch w {
	case "pass", "passed", "fail", "failed", "failure", "failures", "error", "errors", "warn", "warning", "warnings",
		"skip", "skipped", "panic", "fatal", "deprecated":
		return true
	}
	return false
}

// hanMarks are the same in Chinese.
var hanMarks = [...]string{"错误", "警告", "失败", "成功"}

// closing matches lines that sum up a run, such as "12 passed, 1 failed".
var closing = pattern.New(`(?i)\b\d+\s+(?:\w+\s+)?(?:passed|passing|failed|failing|failures?|errors?|warnings?|skipped|tests?|vulnerabilit(?:y|ies)|packages?|files?|problems?|insertions?|deletions?|modules?)\b|\btotal\b|\bfound \d|coverage`)

const (
	maxMarked  = 400   // bytes of a line that are searched for marks
	maxClosing = 2_000 // lines at the end that are searched for sums
	maxSums    = 3     // lines that sum up, in a reply
)

// marked returns a line with the eight most frequent marks and the number of lines that have each; "" if none has.
func (d *document) marked() string {
	n := map[string]int{}
	for i := range d.lines {
		for _, m := range marksOf(clip(d.lineText(i), maxMarked)) {
			n[m]++
		}
	}
	order := slices.SortedFunc(mapKeys(n), func(a, b string) int { return cmp.Or(cmp.Compare(n[b], n[a]), strings.Compare(a, b)) })
	var parts []string
	for _, m := range order[:min(8, len(order))] {
		parts = append(parts, fmt.Sprintf("%s ×%d", m, n[m]))
	}
	if len(parts) == 0 {
		return ""
	}
	return "lines with " + strings.Join(parts, ", ")
}

// marksOf returns the marks of a line as they are written, each once.
func marksOf(text string) (out []string) {
	wide := false
	for i := 0; i < len(text); {
		if !isLetter(text[i]) {
			wide = wide || text[i] >= utf8.RuneSelf
			i++
			continue
		}
		from := i
		for i < len(text) && isLetter(text[i]) {
			i++
		}
		if w := text[from:i]; i-from >= 4 && i-from <= 10 && isMark(strings.ToLower(w)) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	if !wide {
		return out
	}
	for _, m := range hanMarks {
		if strings.Contains(text, m) {
			out = append(out, m)
		}
	}
	return out
}

func isLetter(c byte) bool { return class(c) == lower || class(c) == upper }

// sums returns the last lines that sum up, in order.
func (d *document) sums() (out []string) {
	for i := len(d.lines) - 1; i >= max(0, len(d.lines)-maxClosing) && len(out) < maxSums; i-- {
		if text := strings.TrimSpace(d.lineText(i)); len(text) <= 160 && closing.MatchString(text) {
			out = append(out, text)
		}
	}
	slices.Reverse(out)
	return out
}
