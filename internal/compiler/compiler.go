package compiler

import (
	"cmp"
	"context"
	"strings"
	"unicode"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Mode says when a model is asked.
type Mode string

// The modes of the config key compiler.
const (
	Auto   Mode = "auto"   // when the twin sees more than one goal, file or constraint, or the text is long
	Always Mode = "always" // for every message that is not a command or very short
	TwinOn Mode = "twin"   // never
)

// Where a spec came from.
const (
	SourceTwin  = "twin"
	SourceModel = "model"
)

// Limits of the rules for when a model is asked, in columns, and of its answer, in tokens.
const (
	ShortColumns = 12
	LongColumns  = 400
	MaxOutput    = 512
)

// Input is one message with what is known about it.
type Input struct {
	Text    string
	Files   []akitad.File // files given with the message
	Lang    string        // "en" or "zh"; guessed from the text if empty
	Command bool          // the text is a chat command
	Task    akitad.TaskID
	Earlier []llm.BriefTurn // the session's last turns, so that "it" can mean something
}

// Output is what became of an Input.
type Output struct {
	Spec       akitad.Spec
	Source     string       // SourceTwin or SourceModel
	Warnings   []string     // what went wrong on the way: lower-case phrases for the trace
	Usage      akitad.Usage // of the model calls
	Bills      akitad.Bills // of the same calls
	Cached     bool         // the model made the spec for the same words before
	Complexity int          // 1 to 5, see Complexity
}

// Options of a Compiler; the zero value works.
type Options struct {
	Mode Mode        // default Auto
	Log  *zap.Logger // default silent

	// First gives the endpoint that a request of the role compiler goes to first. What it made of the last
	// Cache messages is then kept for an hour, in memory. Nil, or a Cache of 0: every message is asked anew.
	First func() llm.Endpoint
	Cache int
}

// Compiler compiles messages. It is safe for concurrent use.
type Compiler struct {
	provider llm.Provider
	opts     Options
	cache    *cache // nil: off
}

// New makes a compiler that asks provider in the role compiler. A nil provider leaves the twin.
func New(provider llm.Provider, opts Options) *Compiler {
	opts.Mode = cmp.Or(opts.Mode, Auto)
	if provider == nil {
		opts.Mode = TwinOn
	}
	if opts.Log == nil {
		opts.Log = zap.NewNop()
	}
	c := &Compiler{provider: provider, opts: opts}
	if opts.First != nil && opts.Cache > 0 {
		c.cache = newCache(opts.Cache)
	}
	return c
}

// Compile makes a spec of in. What goes wrong with the model is a warning, and the twin's spec
// stands; the only error is that ctx has ended.
func (c *Compiler) Compile(ctx context.Context, in Input) (Output, error) {
	in.Lang = cmp.Or(in.Lang, guessLang(in.Text))
	spec, report := Twin(in)
	out := Output{Spec: spec, Source: SourceTwin}
	if c.wantsModel(in, report) {
		c.ask(ctx, in, &out)
	}
	if err := context.Cause(ctx); err != nil {
		return Output{}, err
	}
	out.Complexity = Complexity(out.Spec, in.Files)
	c.opts.Log.Debug("compiled", zap.String("task", string(in.Task)), zap.String("source", out.Source),
		zap.Int("complexity", out.Complexity), zap.Strings("warnings", out.Warnings))
	return out, nil
}

// wantsModel reports whether the twin is not enough.
func (c *Compiler) wantsModel(in Input, r Report) bool {
	text := strings.TrimSpace(in.Text)
	columns := Columns(text)
	if c.opts.Mode == TwinOn || in.Command || strings.HasPrefix(text, "/") || columns < ShortColumns {
		return false
	}
	return c.opts.Mode == Always || columns > LongColumns || r.Goals > 1 || r.Files > 1 || r.Constraints > 1
}

// Columns measures how much a text says: a Han character counts 3, any other 1.
func Columns(text string) int {
	n := 0
	for _, c := range text {
		n++
		if unicode.Is(unicode.Han, c) {
			n += 2
		}
	}
	return n
}

// guessLang gives "zh" for a text with at least one Han character for every ten letters, else "en".
func guessLang(text string) string {
	han, letters := 0, 0
	for _, c := range text {
		switch {
		case unicode.Is(unicode.Han, c):
			han++
		case unicode.IsLetter(c):
			letters++
		}
	}
	if han > 0 && han*10 >= letters {
		return "zh"
	}
	return "en"
}
