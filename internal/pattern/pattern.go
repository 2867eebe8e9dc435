// Package pattern holds regular expressions that are compiled when they are first used: a program that
// knows hundreds of them and needs a few starts sooner and is smaller. It adds nothing to package regexp.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for use by many goroutines; its methods are those of
// regexp.Regexp.
type Pattern struct{ compiled func() *regexp.Regexp }

// New gives the pattern of a text that must be a regular expression: else its first use panics. A test
// of the house compiles every text that is a constant.
func New(text string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
}
