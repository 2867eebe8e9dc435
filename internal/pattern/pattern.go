// Package pattern holds regular expressions that are compiled when they are first used: a program that
// knows hundreds of them and needs a few starts sooner and is smaller. It adds nothing to package regexp.
package pattern

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression. It is safe for use by many goroutines; its methods are those of
// regexp.Regexp.
type Pattern struct {
	text    string
	look    sync.Once
	need    need
	compile sync.Once
	re      *regexp.Regexp
}

// New gives the pattern of a text that must be a regular expression: else its first use panics. A test
// of the house compiles every text that is a constant.
//
// It is so short that a pattern in a package's variable is data of the program, and nothing runs for it
// at start: with sync.OnceValue each has three functions of its own where calls are inlined.
func New(text string) *Pattern { return &Pattern{text: text} }

// compiled gives the expression itself.
func (p *Pattern) compiled() *regexp.Regexp {
	p.compile.Do(func() { p.re = regexp.MustCompile(p.text) })
	return p.re
}

// may reports whether s has what every match has. Most patterns are tried on texts that have none of their
// words: such a one is not even compiled.
func (p *Pattern) may(s string) bool {
	p.look.Do(func() { p.need = needOf(p.text) })
	return p.need.in(s)
}
