package redact

import (
	"regexp"
	"strings"
)

func hasDigit(s string) bool { return strings.ContainsAny(s, "0123456789") }

// word is what names in code and prose are joined from.
var word = regexp.MustCompile(`^(?:[A-Z]?[a-z]+|[A-Z]+)?[0-9]{0,4}$`)

// notWords reports whether something in s is no word and no small number.
func notWords(s string) bool {
	for part := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune("-_./~:+%=", r) }) {
		if !word.MatchString(part) && !camel(part) {
			return true
		}
	}
	return false
}

// camel reports whether s is words written together, as in code: getToken2.
func camel(s string) bool { return !hasDigit(s) || humps.MatchString(s) }

var humps = regexp.MustCompile(`^[A-Za-z][a-z]+[0-9]{0,2}(?:(?:[A-Z][a-z]{2,}|[A-Z]{2,5})[0-9]{0,2})+$`)

// random reports whether s is what a program has drawn, and not words, a placeholder or a name in code.
func random(s string) bool {
	return hasDigit(s) && notWords(s) && filledIn(s) && strings.ContainsAny(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz")
}

// made are what stands in place of a secret in examples.
var made = regexp.MustCompile(`(?i)your|example|placeholder|change_?me|xxxx|dummy|insert|redacted|\*\*\*|\.\.\.|^\$|^\{|^%[sv(]|^<|[$#]\{|\{\{|\$\(`)

// filledIn reports whether s is no placeholder.
func filledIn(s string) bool { return !made.MatchString(s) }

// password reports whether s is one: letters and digits or a long number, and no path of names as in code.
func password(s string) bool {
	return hasDigit(s) && filledIn(s) && !itself.MatchString(s) && !path.MatchString(strings.TrimRight(s, ".")) && !clock.MatchString(s)
}

// itself matches a name in code that says password once more.
var itself = regexp.MustCompile(`(?i)^(?:password|passwd|pass|pwd|pw)_?[0-9]{0,2}$`)

// clock matches times, versions and addresses, and a number that is less than nothing.
var clock = regexp.MustCompile(`^[~^v]?[0-9]*(?:[.:][0-9]*)+$|^-[0-9]+$`)

var path = regexp.MustCompile(`^[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+$|^(?:/|\./|\.\./|env:|file:)`)
