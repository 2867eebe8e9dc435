// Package openai speaks the chat completions protocol of OpenAI and of the many servers that follow
// it more or less. It makes one attempt per request; trying again and elsewhere is the router's.
package openai

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
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
	http   http.Client
	rawBy  string
	host   string
	plain  atomic.Bool // the server refused history as it came and took the plain form
	noOpts atomic.Bool // the server refused stream_options
	blocks toolBlocks
	large  atomic.Int64 // the last request and a quarter: room for the next one
}

// New makes a provider for the model. Nothing is sent before Generate.
func New(model string, opts Options) *Provider {
	if opts.BaseURL == "" {
		opts.BaseURL = DefaultBaseURL
	}
	if opts.HTTP == nil {
		opts.HTTP = &http.Client{Transport: transport()}
	}
	if opts.MaxAnswer <= 0 {
		opts.MaxAnswer = maxAnswer
	}
	if opts.Redact == nil {
		opts.Redact = redact.New()
	}
	opts.Redact.Add(opts.Key)
	p := &Provider{model: model, opts: opts, host: hostOf(opts.BaseURL)}
	if opts.Vendor == "" {
		p.opts.Vendor = p.host
	}
	p.rawBy = Protocol + "@" + p.opts.Vendor
	p.http = *opts.HTTP
	p.http.CheckRedirect = stay(opts.HTTP.CheckRedirect)
	return p
}

// transport is the standard one, but keeps as many idle connections as an endpoint has requests at
// once by default: with the standard two, most calls of a busy pool would begin with a handshake.
func transport() http.RoundTripper {
	standard, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t := standard.Clone()
	t.MaxIdleConnsPerHost = 64
	return t
}

func hostOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Hostname()
}

// Generate implements llm.Provider. Errors are *akitad.Error; a refusal holds an *llm.ServerError.
func (p *Provider) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	first := p.body(req, p.plain.Load())
	reply, err := p.ask(ctx, req, first)
	if err == nil || ctx.Err() != nil || akitad.KindOf(err) != akitad.InvalidRequest {
		return reply, err
	}
	if !p.noOpts.Load() && mentions(err, "stream_options") {
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
	live, watch := p.opts.Timeouts.Watch(ctx, !p.opts.NoStream)
	defer watch.Stop()
	resp, err := p.send(live, req, body)
	if err != nil {
		return llm.Reply{}, p.failed(ctx, live, err)
	}
	defer resp.Body.Close()
	reply, err := p.read(req, resp, watch)
	if err != nil {
		return llm.Reply{}, p.failed(ctx, live, err)
	}
	reply.FirstByte = watch.FirstByte()
	drain(resp.Body, watch)
	return reply, nil
}

// What may still come after an answer, and for how long it is waited for.
const (
	maxTail  = 64 << 10 // bytes
	tailTime = 100 * time.Millisecond
)

// drain reads the rest of a body whose answer is known: a connection serves the next call only if its
// body was read to the end, which often comes a little after the last word. A server that does not end
// it costs a little time and the connection.
func drain(body io.Reader, watch *llm.Watch) {
	watch.Drain(tailTime)
	_, _ = io.CopyN(io.Discard, body, maxTail)
}
