// Package pattern is regular expressions that are compiled when they are first used. It adds nothing to
// what they match.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first used, so that a program with
// many of them starts at once. It may be used by several goroutines.
type Pattern struct{ compiled func() *regexp.Regexp }

// New gives an expression in RE2 syntax; one that does not compile panics when it is used.
func New(expr string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// MatchString tells whether s holds a match.
func (r *Pattern) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString gives the first match in s; "" if there is none.
func (r *Pattern) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringIndex gives where the first match in s begins and ends; nil if there is none.
func (r *Pattern) FindStringIndex(s string) []int { return r.compiled().FindStringIndex(s) }

// FindStringSubmatch gives the first match in s and its groups; nil if there is none.
func (r *Pattern) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindStringSubmatchIndex gives where the first match in s and its groups begin and end.
func (r *Pattern) FindStringSubmatchIndex(s string) []int {
	return r.compiled().FindStringSubmatchIndex(s)
}

// FindAllString gives at most n matches in s; all if n is below 0.
func (r *Pattern) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// FindAllStringIndex gives where at most n matches in s begin and end; all if n is below 0.
func (r *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// FindAllIndex is FindAllStringIndex of bytes.
func (r *Pattern) FindAllIndex(b []byte, n int) [][]int { return r.compiled().FindAllIndex(b, n) }

// FindAllStringSubmatch gives at most n matches in s and their groups; all if n is below 0.
func (r *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return r.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex gives where at most n matches in s and their groups begin and end.
func (r *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString gives s with each match replaced; $1 in repl is the first group.
func (r *Pattern) ReplaceAllString(s, repl string) string {
	return r.compiled().ReplaceAllString(s, repl)
}

// ReplaceAllStringFunc gives s with each match replaced by what repl makes of it.
func (r *Pattern) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, repl)
}
