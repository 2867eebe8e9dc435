// Package filter makes of a tool's long output what a model should see of it: the passages that
// answer an intent, counts that answer common questions, and where the whole can be read. It is
// pure: it reads no file, keeps nothing and knows no tool.
package filter

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Defaults of Options.
const (
	DefaultBytes       = 5_000 // with an intent, what is larger is filtered
	DefaultObservation = 5_000 // tokens; without an intent, what is larger is shortened
	DefaultReply       = 2_000 // tokens of a reply to an intent
	DefaultPassages    = 5
)

// Options of New; the zero value works.
type Options struct {
	Bytes       int                   // default DefaultBytes
	Observation int                   // default DefaultObservation
	Reply       int                   // default DefaultReply
	Passages    int                   // default DefaultPassages
	Tokens      func(text string) int // counts tokens; default two bytes each, which is too many for most texts
}

// Filter shortens outputs. It may be shared.
type Filter struct{ opts Options }

// New makes a filter.
func New(opts Options) *Filter {
	opts.Bytes = cmp.Or(opts.Bytes, DefaultBytes)
	opts.Observation = cmp.Or(opts.Observation, DefaultObservation)
	opts.Reply = cmp.Or(opts.Reply, DefaultReply)
	opts.Passages = cmp.Or(opts.Passages, DefaultPassages)
	if opts.Tokens == nil {
		opts.Tokens = func(text string) int { return (len(text) + 1) / 2 }
	}
	return &Filter{opts}
}

// Long reports whether an output is too long to be shown as it is: then the caller keeps it and shows
// what Reply gives.
func (f *Filter) Long(raw, intent string) bool {
	if strings.TrimSpace(intent) != "" {
		return len(raw) > f.opts.Bytes
	}
	return len(raw) > f.opts.Observation && f.opts.Tokens(raw) > f.opts.Observation
}

// Reply returns what is shown of an output that is kept whole under the name ref: valid UTF-8, never
// longer than the output nor than Options.Reply, and saying what it leaves out. With an intent these are
// the passages that answer it; without one, or if nothing does, head and tail; of a list always a few
// rows and the total.
func (f *Filter) Reply(raw, intent, ref string) string {
	q := newQuery(intent)
	s := sizes{share: replyShare, least: leastReply, passages: f.opts.Passages, worth: 0.35}
	if q.empty() {
		s.share = 1
	}
	return f.write(raw, q, ref, s)
}

// Find searches an output for words and gives more of what fits than Reply does: a second look.
func (f *Filter) Find(raw, words, ref string) string {
	return f.write(raw, newQuery(words), ref, sizes{share: 1, least: leastReply, passages: 2 * f.opts.Passages, worth: 0.1})
}

// Slice returns at most limit bytes of an output from an offset on, whole characters only, and which they
// are. It is never so long that it would have to be shortened again.
func (f *Filter) Slice(raw string, offset, limit int) string {
	plain := valid(raw)
	from := runeStart(plain, min(max(offset, 0), len(plain)))
	text := plain[from:runeStart(plain, min(len(plain), from+max(limit, utf8.UTFMax)))]
	for n := f.opts.Tokens(text); n > f.opts.Observation*9/10 && len(text) > 1; n = f.opts.Tokens(text) {
		text = text[:runeStart(text, len(text)*f.opts.Observation/n*8/10)]
	}
	return fmt.Sprintf("%s\n[bytes %d-%d of %d]", text, from, from+len(text), len(raw))
}

// write words a reply, and again in less room as long as it has too many tokens.
func (f *Filter) write(raw string, q query, ref string, s sizes) (text string) {
	d := read(raw)
	r := &reply{doc: d, ref: ref, sizes: s, room: min(max(len(raw)/s.share, s.least), f.bytesFor(d.plain, f.opts.Reply))}
	for range 4 {
		text = r.text(q)
		n := f.opts.Tokens(text)
		if n <= f.opts.Reply {
			break
		}
		r.room = r.room * f.opts.Reply / n * 9 / 10
	}
	if len(text) >= len(raw) {
		return valid(raw)
	}
	return text
}

// sizes say how much a reply may hold.
type sizes struct {
	share    int // at most this part of the output: 1/share
	least    int // but as many bytes
	passages int
	worth    float64 // the part of the best score below which a passage is not worth its bytes
}

// A reply is to be small against the output, as most of it is never asked for again.
const (
	replyShare = 20
	leastReply = 1_200
)

// bytesFor returns how many bytes of a text of this kind are that many tokens.
func (f *Filter) bytesFor(text string, tokens int) int {
	sample := middle(text, 4_000)
	n := f.opts.Tokens(sample)
	if n == 0 {
		return tokens
	}
	return tokens * len(sample) / n * 9 / 10
}

// middle returns at most n bytes from the middle of a text, whole characters only.
func middle(text string, n int) string {
	if len(text) <= n {
		return text
	}
	from := (len(text) - n) / 2
	return text[runeStart(text, from):runeStart(text, from+n)]
}

// valid puts a question mark in place of each byte that is no UTF-8, so that all others stay where they are.
func valid(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := []byte(s)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 {
			b[i] = '?'
		}
		i += n
	}
	return string(b)
}

// runeStart returns the nearest place at or before i where a character begins.
func runeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return max(i, 0)
}

// clip returns at most n bytes from the start of s, whole characters only, with a sign if it is cut.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if n <= len(more) {
		return s[:runeStart(s, max(n, 0))]
	}
	return s[:runeStart(s, n-len(more))] + more
}

const more = "…"
