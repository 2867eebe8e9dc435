package window

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/llm"
)

// What stands around the texts of a request, in tokens.
const (
	perMessage = 4     // what the protocol puts around a message, a tool, a call or a result
	perOutside = 29    // the lines that mark a result as coming from outside
	perImage   = 1_500 // an image of the usual size, by the rules of the large vendors
)

// Load is the estimated size of a text or a request in tokens, by script: how many tokens a Han
// character takes differs between models far more than anything else.
type Load struct {
	Wide float64 // Han, kana and hangul
	Rest float64
}

// Add gives the sum of two loads.
func (l Load) Add(m Load) Load { return Load{l.Wide + m.Wide, l.Rest + m.Rest} }

// Tokens gives the load as a number of tokens, as long as no model's own counts are known.
func (l Load) Tokens() int { return int(l.Wide + l.Rest + 0.5) }

// Tokens estimates the tokens of a text.
func Tokens(text string) int { return loadOf(text).Tokens() }

// Counter remembers the loads of texts, so that a conversation that grows is not counted from its
// beginning again and again. A nil one works and remembers nothing. It is for one goroutine at a time.
type Counter struct {
	Shared *Loads // what conversations have in common is counted once for all of them; nil for each
	known  map[string]Load
}

// Loads are the loads of texts that many conversations begin with: system prompts and tools. The zero value
// works, for any number of goroutines.
type Loads struct {
	mu    sync.Mutex
	known map[string]Load
}

// mostLoads is how many texts Loads remembers. With one more, it forgets all of them and begins anew.
const mostLoads = 1000

func (l *Loads) of(text string) Load {
	l.mu.Lock()
	n, ok := l.known[text]
	l.mu.Unlock()
	if ok {
		return n
	}
	n = loadOf(text)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.known == nil || len(l.known) >= mostLoads {
		l.known = map[string]Load{}
	}
	l.known[text] = n
	return n
}

// common counts a text that other conversations have too.
func (c *Counter) common(text string) Load {
	if c == nil || c.Shared == nil {
		return c.load(text)
	}
	return c.Shared.of(text)
}

// worthKnowing is the smallest text whose load is remembered, in bytes. A shorter one is counted again each
// time.
const worthKnowing = 256

func (c *Counter) load(text string) Load {
	if c == nil || len(text) < worthKnowing {
		return loadOf(text)
	}
	n, ok := c.known[text]
	if !ok {
		if c.known == nil {
			c.known = map[string]Load{}
		}
		n = loadOf(text)
		c.known[text] = n
	}
	return n
}

// Request estimates a whole request: system prompt, tools and messages.
func (c *Counter) Request(req llm.Request) Load {
	n := c.common(req.System)
	for _, t := range req.Tools {
		n = n.Add(c.common(t.Name)).Add(c.common(t.Description)).Add(c.common(string(t.Schema))).Add(Load{Rest: perMessage})
	}
	for _, m := range req.Messages {
		n = n.Add(c.message(m))
	}
	return n
}

func (c *Counter) message(m llm.Message) Load {
	n := c.load(m.Text).Add(Load{Rest: perMessage})
	shown := len(m.Text)
	for _, p := range m.Parts {
		n = n.Add(loadOfPart(p))
	}
	for _, call := range m.Calls {
		n = n.Add(c.load(call.Tool)).Add(c.load(string(call.Args))).Add(Load{Rest: perMessage})
		shown += len(call.Args)
	}
	for _, r := range m.Results {
		n = n.Add(c.load(r.Text)).Add(Load{Rest: perMessage})
		if r.Untrusted {
			n.Rest += perOutside
		}
	}
	return n.Add(Load{Rest: hidden(m, shown)})
}

// hidden estimates the tokens of what a provider's own form of a message holds beside the shown bytes of words
// and calls: the model's thoughts and their signatures, at four bytes a token. A quarter is added to the shown
// bytes, because JSON escapes some of them.
func hidden(m llm.Message, shown int) float64 {
	frame := 200 + 120*len(m.Calls) // names of fields and ids, which the provider does not count as they stand
	return float64(max(0, len(m.Raw)-shown*5/4-frame)) / 4
}

func loadOfPart(p llm.Part) Load {
	if strings.HasPrefix(p.MIME, "text/") {
		return loadOf(string(p.Data))
	}
	return Load{Rest: perImage}
}

// Tokens a character or a piece of text, fitted to the vocabularies of two widely used models on prose,
// code, data and logs. A Han character is counted for a model that knows it badly; most know it better,
// which their own counts tell.
const (
	wideTokens    = 1.7
	foreignTokens = 0.4  // a letter of another script, or with an accent
	signTokens    = 1.2  // a sign or a picture that is no letter
	wordLetters   = 8    // letters of a word that are one token
	restLetters   = 6.0  // further letters a token
	noiseLetters  = 1.75 // letters a token where letters and digits mix: hashes, keys, ids
	shortParts    = 4    // letters from which on a part is a word, though digits are next to it
	digitGroup    = 3    // digits a token
	joiner        = 0.25 // one of / . _ - before a word, which mostly belongs to it
	punctuation   = 0.9  // one or two other marks
	moreMarks     = 3.0  // further marks of a run a token
	lineBreak     = 0.3  // after a mark, with which it mostly goes together
	breaks        = 8    // line breaks of a run that are one token at most
	spaces        = 32   // spaces of a run that are one token at most
)

// class is the kind of a character, as far as it matters to a tokenizer.
type class byte

const (
	none class = iota
	letter
	digit
	mark
	space
	newline
	wide
	foreign
)

// ascii gives the class of each character below 128.
var ascii = func() (table [utf8.RuneSelf]class) {
	for i := range table {
		r := rune(i)
		switch {
		case r == '\n':
			table[i] = newline
		case r == ' ' || r == '\t' || r == '\r':
			table[i] = space
		case 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			table[i] = letter
		case '0' <= r && r <= '9':
			table[i] = digit
		default:
			table[i] = mark
		}
	}
	return table
}()

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		return ascii[r]
	}
	if r >= 0x1100 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || 0x3000 <= r && r <= 0x303f || 0xff00 <= r && r <= 0xffef {
		return wide
	}
	return foreign
}

// loadOf goes through the runs of characters of one class.
func loadOf(text string) (n Load) {
	before := none
	for at := 0; at < len(text); {
		c, next, end, count := run(text, at)
		if c == wide {
			n.Wide += float64(count) * wideTokens
		} else {
			n.Rest += weigh(c, text[at:end], count, before, next)
		}
		before, at = c, end
	}
	return n
}

// run gives the class of the character at from, where the run of that class ends, how many characters
// it has, and the class of what comes after it.
func run(text string, from int) (c, next class, end, count int) {
	for end = from; end < len(text); count++ {
		k, size := none, 1
		if b := text[end]; b < utf8.RuneSelf {
			k = ascii[b]
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(text[end:])
			k = classOf(r)
		}
		if c == none {
			c = k
		} else if k != c {
			return c, k, end, count
		}
		end += size
	}
	return c, none, end, count
}

// weigh gives the tokens of a run that stands between runs of two other classes.
func weigh(c class, text string, count int, before, next class) float64 {
	switch c {
	case letter:
		return word(text, before == digit || next == digit)
	case digit:
		return float64((count + digitGroup - 1) / digitGroup)
	case mark:
		return marks(text, next)
	case newline:
		if before == mark {
			return lineBreak + float64((count-1)/breaks)
		}
		return 1 + float64((count-1)/breaks)
	case space:
		if count == 1 && next != digit && next != newline && next != none {
			return 0 // it belongs to the word behind it
		}
		n := 1 + float64((count-1)/spaces)
		if count > 1 && next == digit {
			n++ // the last one belongs to no number
		}
		return n
	}
	if r, _ := utf8.DecodeRuneInString(text); !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return float64(count) * signTokens
	}
	return float64(count) * foreignTokens
}

// word weighs letters: names in camel case by their parts, and what looks drawn by lot as such.
func word(text string, noisy bool) (n float64) {
	parts, from, shortest, odd := 1, 0, len(text), false
	for i := 1; i <= len(text); i++ {
		if i < len(text) && (text[i] >= 'a' || text[i-1] < 'a') {
			continue
		}
		n += 1 + float64(max(0, i-from-wordLetters))/restLetters
		shortest = min(shortest, i-from)
		odd = odd || i-from > 1 && text[i-1] >= 'a' && text[from+1] < 'a' // more than the first letter is large
		from = i
		if i < len(text) {
			parts++
		}
	}
	if noisy && len(text) > 2 && (shortest < shortParts || odd) || parts*3 > len(text) && parts > 1 {
		return max(1, float64(len(text))/noiseLetters)
	}
	return n
}

func marks(text string, next class) float64 {
	switch {
	case len(text) == 1 && next == letter && strings.Contains("/._-", text):
		return joiner
	case len(text) == 1 && next == letter:
		return punctuation - 0.1
	case len(text) <= 2:
		return punctuation
	}
	return punctuation + float64(len(text)-2)/moreMarks
}
