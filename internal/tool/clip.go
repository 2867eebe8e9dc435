package tool

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// ClipBytes is the size above which a result is cut for the model: 5,000 tokens at four bytes each.
const ClipBytes = 20_000

// What of a cut result is shown, as shares of the size above which it is cut. The head is longer: it has
// titles, headers and the first error.
const (
	clipHead = 0.3
	clipTail = 0.1
)

// leastClip is the smallest size to which a result is cut, in bytes: room for what says so.
const leastClip = 400

// Clip gives what a model is shown of a result: all of it up to ClipBytes, else its head and tail
// with the number of lines and bytes between and in all. The caller keeps the whole text when cut
// is true. What is shown is never longer than the text.
func Clip(text string) (shown string, cut bool) { return ClipTo(text, ClipBytes) }

// ClipTo is Clip with another size than ClipBytes, at least 400 bytes.
func ClipTo(text string, limit int) (shown string, cut bool) {
	if limit = max(limit, leastClip); len(text) <= limit {
		return text, false
	}
	head, tail := clipStart(text, int(clipHead*float64(limit))), clipEnd(text, int(clipTail*float64(limit)))
	middle := text[len(head) : len(text)-len(tail)]
	note := fmt.Sprintf("\n[left out here: %d lines, %d bytes; the whole has %d lines, %d bytes]\n",
		lines(middle), len(middle), lines(text), len(text))
	return strings.TrimSuffix(head, "\n") + note + tail, true
}

// clipStart gives at most n bytes from the start, up to the end of a line if one is near.
func clipStart(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	if at := strings.LastIndexByte(text[:n], '\n'); at >= n/2 {
		return text[:at+1]
	}
	return text[:n]
}

// clipEnd gives at most n bytes from the end, from the start of a line if one is near.
func clipEnd(text string, n int) string {
	from := len(text) - n
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	if at := strings.IndexByte(text[from:], '\n'); at >= 0 && at < n/2 {
		return text[from+at+1:]
	}
	return text[from:]
}

// lines counts lines; a last one without an end counts too.
func lines(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
