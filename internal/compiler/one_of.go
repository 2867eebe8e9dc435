package compiler

import "github.com/akitad/akitad/internal/pattern"

// oneOf is a choice of expressions, cut where one of all would be too long to read, and for the quick way of
// package regexp. Its methods are named as those of a pattern.
type oneOf []*pattern.Pattern

// MatchString reports whether one of them matches s.
func (o oneOf) MatchString(s string) bool {
	for _, p := range o {
		if p.MatchString(s) {
			return true
		}
	}
	return false
}

// FindStringIndex gives the first match in s of any; nil if there is none.
func (o oneOf) FindStringIndex(s string) []int {
	var first []int
	for _, p := range o {
		if m := p.FindStringIndex(s); m != nil && (first == nil || m[0] < first[0]) {
			first = m
		}
	}
	return first
}

// FindAllStringIndex gives the matches of each, at most n of it, which may overlap those of another.
func (o oneOf) FindAllStringIndex(s string, n int) [][]int {
	var all [][]int
	for _, p := range o {
		all = append(all, p.FindAllStringIndex(s, n)...)
	}
	return all
}

// finder finds words in a text.
type finder interface {
	FindStringIndex(s string) []int
	FindAllStringIndex(s string, n int) [][]int
}
