// Package openai speaks the chat completions protocol of OpenAI and of the many servers that follow
// it more or less. It makes one attempt per request; trying again and elsewhere is the router's.
package openai

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"sync/atomic"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/redact"
)

// Protocol is the name of this protocol in configuration.
const Protocol = "openai"

// DefaultBaseURL is where OpenAI itself is reached.
const DefaultBaseURL = "https://api.openai.com/v1"

// Options are what a Provider can do without.
type Options struct {
	BaseURL  string       // up to and including the version: "http://host:8000/v1"; default DefaultBaseURL
	Key      string       // sent as bearer; local servers need none
	HTTP     *http.Client // default: the standard transport with 64 idle connections a host
	Timeouts llm.Timeouts
	Redact   *redact.Redactor // applied to error messages; it learns Key

	// NoStream asks for whole answers. A stream shows within seconds that a server hangs, so
	// streaming is the default whether or not anybody listens.
	NoStream bool
	// TextTools describes tools in the system prompt and reads calls from the text, for models
	// whose server has no tool calls.
	TextTools bool
	// DropReasoning leaves reasoning fields out of the messages that are sent back, for servers
	// that refuse them. By default they go back to the server that sent them, and to no other.
	DropReasoning bool
	// Strict is for servers whose function schemas may be strict: StrictAuto (default) where the vendor
	// has them, StrictOn, StrictOff. A tool whose schema cannot be strict is sent as it is.
	Strict string
	// NoParts sends no images and files, but what there is to say of them.
	NoParts bool
	// Learned is told, once each, what a refusal has taught about the server; may be nil.
	Learned func(what string)
	// MaxAnswer bounds an answer in bytes as they come, whole or in chunks; default 64 MiB. A longer one
	// fails with kind unavailable.
	MaxAnswer int
	// Vendor names whose habits the server has, one of config.ModelVendors, and whose messages may be sent back as
	// they came; by default the host of BaseURL says both.
	Vendor string
}

// The values of Options.Strict.
const (
	StrictAuto = "auto"
	StrictOn   = "on"
	StrictOff  = "off"
)

// Provider is one model at one server. It is safe for use by many goroutines. It remembers nothing
// of requests, only what the server takes.
type Provider struct {
	model   string
	opts    Options
	server  *wire.Server
	vendor  vendor
	name    string // of the vendor, or the host
	manners manners
	blocks  map[form]*wire.ToolBlocks
	large   atomic.Int64 // the last request and a quarter: room for the next one
}

// New makes a provider for the model. Nothing is sent before Generate.
func New(model string, opts Options) *Provider {
	if opts.BaseURL == "" {
		opts.BaseURL = DefaultBaseURL
	}
	p := &Provider{model: model, opts: opts, vendor: vendorOf(opts.Vendor, opts.BaseURL), blocks: newBlocks()}
	p.name = cmp.Or(opts.Vendor, wire.Host(opts.BaseURL))
	header := http.Header{}
	if opts.Key != "" {
		header.Set("Authorization", "Bearer "+opts.Key)
	}
	p.server = wire.New(model, wire.Options{
		BaseURL: opts.BaseURL, Example: DefaultBaseURL, Variable: "OPENAI_MODEL", Header: header, Secret: opts.Key, HTTP: opts.HTTP,
		Timeouts: opts.Timeouts, Redact: opts.Redact, NoStream: opts.NoStream, MaxAnswer: opts.MaxAnswer,
	})
	return p
}

// maxLessons bounds how often one request is made again because a refusal taught something.
const maxLessons = 6

// Generate implements llm.Provider. Errors are *akitad.Error; a refusal holds an *llm.ServerError.
func (p *Provider) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	for range maxLessons {
		body := p.body(req, p.manners.plain.Load())
		reply, err := p.ask(ctx, req, body)
		switch {
		case err == nil || ctx.Err() != nil:
			return reply, err
		case p.learn(req, err):
			continue
		case akitad.KindOf(err) == akitad.InvalidRequest:
			return p.otherForm(ctx, req, body, err)
		}
		return reply, err
	}
	return p.ask(ctx, req, p.body(req, p.manners.plain.Load()))
}

// otherForm makes a refused request once more with its history in the other form: some servers take
// no null content, no unknown field, no arguments that are not JSON.
func (p *Provider) otherForm(ctx context.Context, req llm.Request, refused []byte, err error) (llm.Reply, error) {
	other := !p.manners.plain.Load()
	body := p.body(req, other)
	if bytes.Equal(body, refused) {
		return llm.Reply{}, err
	}
	reply, again := p.ask(ctx, req, body)
	if again != nil {
		return llm.Reply{}, err
	}
	p.manners.plain.Store(other)
	return reply, nil
}

// textual reports whether tools are described and called in the text.
func (p *Provider) textual() bool { return p.opts.TextTools || p.manners.textTools.Load() }

// strict reports whether schemas are sent as strict ones where that is possible.
func (p *Provider) strict() bool {
	wanted := p.opts.Strict == StrictOn || p.opts.Strict != StrictOff && p.vendor.strict
	return wanted && !p.manners.loose.Load() && !p.manners.simple.Load()
}

// rawBy names the form of the messages that this server sends: one that calls tools in the text
// writes others.
func (p *Provider) rawBy() string {
	if p.textual() {
		return Protocol + "-text@" + p.name
	}
	return Protocol + "@" + p.name
}

// ask makes one HTTP request.
func (p *Provider) ask(ctx context.Context, req llm.Request, body []byte) (llm.Reply, error) {
	return p.server.Ask(ctx, req, "chat/completions", body, func(a *wire.Answer) (llm.Reply, error) {
		if a.Whole {
			return p.readWhole(req, a)
		}
		return p.readStream(req, a)
	})
}
