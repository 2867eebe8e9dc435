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
	DefaultBytes       = 5_000 // bytes; an output with an intent is filtered if it is larger
	DefaultObservation = 5_000 // tokens; an output without an intent is shortened if it is larger
	DefaultReply       = 2_000 // tokens; the longest reply
	DefaultPassages    = 5     // passages in a reply
)

// Options of New; the zero value works.
type Options struct {
	Bytes       int                   // default DefaultBytes
	Observation int                   // default DefaultObservation
	Reply       int                   // default DefaultReply
	Passages    int                   // default DefaultPassages
	Tokens      func(text string) int // counts tokens; default two bytes each, which is too many for most texts
}

// Filter shortens the outputs of tools to what their calls look for. It is safe for concurrent use.
type Filter struct{ opts Options }

// New returns a filter with the given limits; an option that is zero has its default.
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

// Find searches an output for words, for a model that looks a second time. It gives up to twice as many passages as
// Reply, also weaker ones.
func (f *Filter) Find(raw, words, ref string) string {
	return f.write(raw, newQuery(words), ref, sizes{share: 1, least: leastReply, passages: 2 * f.opts.Passages, worth: 0.1})
}

// Slice returns at most limit bytes of an output from an offset on, and a line that says which bytes these are. It cuts
// no character in half, and is shorter than what Long reports as too long.
func (f *Filter) Slice(raw string, offset, limit int) string {
	plain := valid(raw)
	from := runeStart(plain, min(max(offset, 0), len(plain)))
	text := plain[from:runeStart(plain, min(len(plain), from+max(limit, utf8.UTFMax)))]
	for n := f.opts.Tokens(text); n > f.opts.Observation*9/10 && len(text) > 1; n = f.opts.Tokens(text) {
		text = text[:runeStart(text, len(text)*f.opts.Observation/n*8/10)]
	}
	return fmt.Sprintf("%s\n[bytes %d-%d of %d]", text, from, from+len(text), len(raw))
}

// write writes a reply. If it has too many tokens, it writes it again in less room, up to four times.
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

// sizes limit a reply.
type sizes struct {
	share    int     // a reply has at most 1/share of the output's bytes,
	least    int     // or least bytes, if that is more
	passages int     // at most
	worth    float64 // a passage whose score is less than this share of the best one's is left out
}

// Sizes of a reply to an intent. It is small against the output, because most of an output is never asked for.
const (
	replyShare = 20
	leastReply = 1_200
)

// bytesFor estimates, from a sample of the text, how many bytes of it make that many tokens. The estimate is a tenth
// too low, to be on the safe side.
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

// valid replaces each byte that is not UTF-8 by a question mark, so that the offsets of all others stay the same.
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

// runeStart returns the nearest index at or before i at which a character begins.
func runeStart(s string, i int) int {
	if i >= len(s) {
		return len(s)
	}
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return max(i, 0)
}

// clip returns at most n bytes from the start of s, ending in an ellipsis if s is longer. It cuts no character in half.
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
