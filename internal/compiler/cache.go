package compiler

import (
	"container/list"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Bounds of what is kept of earlier replies.
const (
	cacheTime  = time.Hour
	cacheBytes = 16 << 10 // of one request's words; longer ones hardly come again
)

// cache holds the specs that a model made of the words that came last, in this process alone.
type cache struct {
	size int

	mu    sync.Mutex
	byKey map[string]*list.Element
	order list.List // of *made, the one used last at the front
}

// made is what a model made of words.
type made struct {
	key   string
	words string
	spec  akitad.Spec
	until time.Time
}

func newCache(size int) *cache { return &cache{size: size, byKey: map[string]*list.Element{}} }

// get gives the spec of a request that differs in white space at most. One that quotes the words with
// white space which the new words do not have is not theirs: a constraint is the person's to the byte.
func (c *cache) get(key, words string, now time.Time) (akitad.Spec, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el := c.byKey[key]
	if el == nil {
		return akitad.Spec{}, false
	}
	m := el.Value.(*made)
	if !now.Before(m.until) {
		c.drop(el)
		return akitad.Spec{}, false
	}
	if !m.fits(words) {
		return akitad.Spec{}, false
	}
	c.order.MoveToFront(el)
	return m.spec, true
}

func (c *cache) put(m *made) {
	m.spec.Inputs.Given = slices.Clip(m.spec.Inputs.Given) // readers add to it
	c.mu.Lock()
	defer c.mu.Unlock()
	if el := c.byKey[m.key]; el != nil {
		c.drop(el)
	}
	c.byKey[m.key] = c.order.PushFront(m)
	for c.order.Len() > c.size {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(el *list.Element) {
	c.order.Remove(el)
	delete(c.byKey, el.Value.(*made).key)
}

// fits reports whether everything that the spec quotes of its words stands in the new ones too.
func (m *made) fits(words string) bool {
	s := m.spec
	quotes := slices.Concat([]string{s.Goal}, s.Inputs.Given, s.Inputs.Missing, s.Constraints, s.OutputRequirements, s.Risks)
	return m.words == words || !slices.ContainsFunc(quotes, func(q string) bool {
		return strings.Contains(m.words, q) && !strings.Contains(words, q)
	})
}

// keyOf names a request by who would answer it, the words, whatever blanks they are written with, and all
// else that it says to the byte: names of files may differ in a blank.
func keyOf(first llm.Endpoint, words string, req llm.Request) string {
	parts := []string{first.Name, first.Model, req.System, plain(words)}
	for _, m := range req.Messages {
		parts = append(parts, strings.TrimPrefix(m.Text, words))
	}
	return akitad.Digest(parts...)
}

// plain gives the lines of a text that are not blank, with one blank between words.
func plain(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}
