package faketest

import (
	"strconv"
	"strings"
	"time"
)

// Fresh returns a number that grows by one each second. A service that a person starts counts its ids from there, as a
// real one never gives an id twice: a daemon that has kept its home would take the ids of the last run for messages that
// it knows.
func Fresh() int {
	return int(time.Since(time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)).Seconds())
}

// File reads what is typed behind a command like ":file": a path, in quotation marks if it has spaces, and words that
// go with the file.
func File(typed string) (path, words string) {
	typed = strings.TrimSpace(typed)
	if quoted, err := strconv.QuotedPrefix(typed); err == nil && quoted[0] == '"' {
		path, _ = strconv.Unquote(quoted) // it is quoted rightly
		return path, strings.TrimSpace(typed[len(quoted):])
	}
	path, words, _ = strings.Cut(typed, " ")
	return path, strings.TrimSpace(words)
}
