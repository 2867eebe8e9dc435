// Package openai speaks the chat completions protocol of OpenAI and of the many servers that follow
// it more or less. It makes one attempt per request; trying again and elsewhere is the router's.
package openai

import (
	"bytes"
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
	// MaxAnswer bounds an answer in bytes as they come, whole or in chunks; default 64 MiB. A longer one
	// fails with kind unavailable.
	MaxAnswer int
	// Vendor names whose messages may be sent back as they came; default the host of BaseURL.
	Vendor string
}

// Provider is one model at one server. It is safe for use by many goroutines. It remembers nothing
// of requests, only which of two forms of history the server takes.
type Provider struct {
	model  string
	opts   Options
	server *wire.Server
	rawBy  string
	host   string
	plain  atomic.Bool // the server refused history as it came and took the plain form
	noOpts atomic.Bool // the server refused stream_options
	blocks *wire.ToolBlocks
	large  atomic.Int64 // the last request and a quarter: room for the next one
}

// New makes a provider for the model. Nothing is sent before Generate.
func New(model string, opts Options) *Provider {
	if opts.BaseURL == "" {
		opts.BaseURL = DefaultBaseURL
	}
	p := &Provider{model: model, opts: opts, host: wire.Host(opts.BaseURL), blocks: wire.NewToolBlocks(encodeTools)}
	if opts.Vendor == "" {
		p.opts.Vendor = p.host
	}
	p.rawBy = Protocol + "@" + p.opts.Vendor
	header := http.Header{}
	if opts.Key != "" {
		header.Set("Authorization", "Bearer "+opts.Key)
	}
	p.server = wire.New(model, wire.Options{
		BaseURL: opts.BaseURL, Example: DefaultBaseURL, Header: header, Secret: opts.Key, HTTP: opts.HTTP,
		Timeouts: opts.Timeouts, Redact: opts.Redact, NoStream: opts.NoStream, MaxAnswer: opts.MaxAnswer,
	})
	return p
}

// Generate implements llm.Provider. Errors are *akitad.Error; a refusal holds an *llm.ServerError.
func (p *Provider) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	first := p.body(req, p.plain.Load())
	reply, err := p.ask(ctx, req, first)
	if err == nil || ctx.Err() != nil || akitad.KindOf(err) != akitad.InvalidRequest {
		return reply, err
	}
	if !p.noOpts.Load() && wire.Mentions(err, "stream_options") {
		p.noOpts.Store(true)
		return p.ask(ctx, req, p.body(req, p.plain.Load()))
	}
	return p.otherForm(ctx, req, first, err)
}

// otherForm makes a refused request once more with its history in the other form: some servers take
// no null content, no unknown field, no arguments that are not JSON.
func (p *Provider) otherForm(ctx context.Context, req llm.Request, refused []byte, err error) (llm.Reply, error) {
	other := !p.plain.Load()
	body := p.body(req, other)
	if bytes.Equal(body, refused) {
		return llm.Reply{}, err
	}
	reply, again := p.ask(ctx, req, body)
	if again != nil {
		return llm.Reply{}, err
	}
	p.plain.Store(other)
	return reply, nil
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
