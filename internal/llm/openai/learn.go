package openai

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/pattern"
)

// manners are what a server takes and what not, as far as it shows. They only ever change once, after
// a refusal, and hold until the process ends.
type manners struct {
	plain      atomic.Bool  // it refused history as it came and took the plain form
	noUsage    atomic.Bool  // no stream_options
	otherLimit atomic.Bool  // the other one of max_tokens and max_completion_tokens
	maxOutput  atomic.Int64 // tokens: more it does not write; 0 if not known
	textTools  atomic.Bool  // no tool calls: the text protocol
	noChoice   atomic.Bool  // no tool_choice
	loose      atomic.Bool  // no strict schemas
	simple     atomic.Bool  // only simple schemas
	noSystem   atomic.Bool  // no system message
	noParts    atomic.Bool  // no images or files
	filled     atomic.Bool  // reasoning_content of messages with calls may not be empty
	nothing    atomic.Bool  // content of messages with calls may not be an empty text, but null
}

// A lesson is what a refusal may teach, if its words say so and what it is about was in the request.
type lesson struct {
	name    string
	says    *pattern.Pattern
	concern func(p *Provider, req llm.Request) bool
	learn   func(p *Provider, said string) bool // false if nothing was new
}

func once(flag func(*manners) *atomic.Bool) func(*Provider, string) bool {
	return func(p *Provider, _ string) bool { return !flag(&p.manners).Swap(true) }
}

var (
	saysNoUsage = pattern.New(`stream_options|include_usage`)
	saysLimit   = pattern.New(`(?s)max_(?:completion_)?tokens.*(?:unsupported|not supported|unrecognized|unknown|not permitted|extra|unexpected|instead|not allowed)` +
		`|(?:unsupported|not supported|unrecognized|unknown|extra|unexpected|not permitted).*max_(?:completion_)?tokens`)
	saysMost    = pattern.New(`(?:at most|maximum (?:value )?(?:of|is)|less than or equal to|<=|\[\d+, ?)\s*(\d{3,7})`)
	saysNoTools = pattern.New(`does(?: not|n't) support (?:tools?|functions?)|(?:tools?|functions?)(?: use| calls?| calling)? (?:is|are) not (?:supported|enabled|available)` +
		`|support tool use|unsupported.{0,30}\btools\b|tool choice requires --enable-auto|tools param requires --jinja|'?tools'? is not supported`)
	saysChoice   = pattern.New(`tool_choice`)
	saysStrict   = pattern.New(`strict|additionalproperties|invalid schema|'required' is required`)
	saysSchema   = pattern.New(`schema|\$ref|\bparameters\b|oneof|anyof`)
	saysNoSystem = pattern.New(`system role (?:is )?not supported|does not support '?system'?|system message(?:s)? (?:is|are) not supported|role.{0,20}system.{0,30}not supported`)
	saysNoParts  = pattern.New(`image|vision|multi-?modal|content parts?|must be a string|expected a? ?string|\bfile\b`)
	saysNoEmpty  = pattern.New(`(?:content|text).{0,60}(?:non-?empty|not be (?:empty|blank)|is empty|is blank|cannot be empty|minimum length|at least 1)`)
	saysFill     = pattern.New(`reasoning_content.{0,60}(?:missing|must be passed back)`)
)

// lessons are asked in this order.
func lessons() []lesson {
	tools := func(p *Provider, req llm.Request) bool { return len(req.Tools) > 0 && !p.textual() }
	return []lesson{
		{"no stream_options", saysNoUsage, func(p *Provider, _ llm.Request) bool { return !p.opts.NoStream }, once(func(m *manners) *atomic.Bool { return &m.noUsage })},
		{"the other name of the output limit", saysLimit, hasLimit, once(func(m *manners) *atomic.Bool { return &m.otherLimit })},
		{"a lower output limit", saysMost, hasLimit, (*Provider).learnMost},
		{"no tool calls", saysNoTools, tools, once(func(m *manners) *atomic.Bool { return &m.textTools })},
		{"no tool_choice", saysChoice, func(_ *Provider, req llm.Request) bool { return req.Choice == llm.ChoiceNone }, once(func(m *manners) *atomic.Bool { return &m.noChoice })},
		{"no strict schemas", saysStrict, func(p *Provider, req llm.Request) bool { return p.strict() && tools(p, req) }, once(func(m *manners) *atomic.Bool { return &m.loose })},
		{"no images or files", saysNoParts, hasParts, once(func(m *manners) *atomic.Bool { return &m.noParts })},
		{"no system message", saysNoSystem, func(_ *Provider, req llm.Request) bool { return req.System != "" }, once(func(m *manners) *atomic.Bool { return &m.noSystem })},
		{"no empty reasoning_content", saysFill, func(p *Provider, _ llm.Request) bool { return p.vendor.thoughts == needed }, once(func(m *manners) *atomic.Bool { return &m.filled })},
		{"no empty content", saysNoEmpty, callsInSilence, once(func(m *manners) *atomic.Bool { return &m.nothing })},
		{"simple schemas only", saysSchema, tools, once(func(m *manners) *atomic.Bool { return &m.simple })},
	}
}

func hasLimit(_ *Provider, req llm.Request) bool { return req.MaxOutput > 0 }

func hasParts(p *Provider, req llm.Request) bool {
	return !p.opts.NoParts && slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return len(m.Parts) > 0 })
}

// callsInSilence reports whether the history has calls without a word beside them.
func callsInSilence(_ *Provider, req llm.Request) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return m.Text == "" && len(m.Calls) > 0 })
}

// learn reports whether a refusal taught something with which the request may be made again.
func (p *Provider) learn(req llm.Request, err error) bool {
	said, ok := refusal(err)
	if !ok {
		return false
	}
	for _, l := range lessons() {
		if l.concern(p, req) && l.says.MatchString(said) && l.learn(p, said) {
			if p.opts.Learned != nil {
				p.opts.Learned(l.name)
			}
			return true
		}
	}
	return false
}

// refusal gives the words in which a server refused a request for what is in it.
func refusal(err error) (string, bool) {
	said, status, ok := wire.Said(err)
	switch kind := akitad.KindOf(err); {
	case !ok:
		return "", false
	case kind == akitad.InvalidRequest, kind == akitad.NotFound && status == 404, kind == akitad.Overloaded && (status == 500 || status == 501):
		return strings.ToLower(said), true
	}
	return "", false
}

// learnMost takes over the limit that a server names.
func (p *Provider) learnMost(said string) bool {
	if !strings.Contains(said, "max_") && !strings.Contains(said, "completion tokens") && !strings.Contains(said, "output") {
		return false
	}
	m := saysMost.FindStringSubmatch(said)
	if m == nil {
		return false
	}
	var most int64
	for _, digit := range m[1] {
		most = most*10 + int64(digit-'0')
	}
	before := p.manners.maxOutput.Swap(most)
	return before == 0 || most < before
}
