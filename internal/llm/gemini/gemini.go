// Package gemini speaks generateContent, the protocol of Google's Gemini models. It makes one attempt
// per request; trying again and elsewhere is the router's.
package gemini

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync/atomic"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/pattern"
	"github.com/akitad/akitad/internal/redact"
)

// Protocol is the name of this protocol in configuration.
const Protocol = "gemini"

// DefaultBaseURL is where Google's own service is reached.
const DefaultBaseURL = "https://generativelanguage.googleapis.com/v1beta"

// Options are what a Provider can do without.
type Options struct {
	BaseURL  string       // with or without the version at its end, which is v1beta if it names none; default DefaultBaseURL
	Key      string       // sent as header, never in the address
	HTTP     *http.Client // default: the standard transport with 64 idle connections a host
	Timeouts llm.Timeouts
	Redact   *redact.Redactor // applied to error messages; it learns Key

	// NoStream asks for whole answers. A stream shows within seconds that a server hangs, so
	// streaming is the default whether or not anybody listens.
	NoStream bool
	// MaxAnswer bounds an answer in bytes as they come; default 64 MiB. A longer one fails with kind
	// unavailable.
	MaxAnswer int
	// Thinking is what the model is told of its thinking; zero leaves it to the service.
	Thinking Thinking
	// Vendor names whose messages may be sent back as they came; default the host of BaseURL.
	Vendor string
}

// Thinking says how long a model may think: tokens, -1 for as long as it likes, or, of newer models, a level
// (low, high).
type Thinking struct {
	Budget int
	Level  string
}

// Provider is one model at one server. It is safe for use by many goroutines. It remembers nothing
// of requests, only whether the server wants calls to be signed.
type Provider struct {
	model  string
	opts   Options
	server *wire.Server
	rawBy  string
	signs  atomic.Bool // the server has refused a call without a signature
	blocks *wire.ToolBlocks
	large  atomic.Int64 // the last request and a quarter: room for the next one
}

// New makes a provider for the model ("gemini-2.5-flash", "tunedModels/mine"). Nothing is sent before
// Generate.
func New(model string, opts Options) *Provider {
	if opts.BaseURL == "" {
		opts.BaseURL = DefaultBaseURL
	}
	if opts.Vendor == "" {
		opts.Vendor = wire.Host(opts.BaseURL)
	}
	header := http.Header{}
	if opts.Key != "" {
		header.Set("x-goog-api-key", opts.Key)
	}
	return &Provider{
		model: model, opts: opts, rawBy: Protocol + "@" + opts.Vendor, blocks: wire.NewToolBlocks(encodeTools),
		server: wire.New(model, wire.Options{
			BaseURL: versioned(opts.BaseURL), Example: DefaultBaseURL, Variable: "GEMINI_MODEL", Header: header, Secret: opts.Key, HTTP: opts.HTTP,
			Timeouts: opts.Timeouts, Redact: opts.Redact, NoStream: opts.NoStream, MaxAnswer: opts.MaxAnswer, MaxRequest: maxRequest,
		}),
	}
}

var version = pattern.New(`/v\d+[a-z0-9]*/?$`)

// versioned gives the base URL with the version at the end of its path.
func versioned(base string) string {
	u, err := url.Parse(base)
	if err != nil || version.MatchString(u.Path) {
		return base
	}
	return u.JoinPath(path.Base(DefaultBaseURL)).String()
}

// path gives where the model is asked, below the base URL.
func (p *Provider) path() string {
	model := p.model
	if !strings.Contains(model, "/") {
		model = "models/" + model
	}
	if p.opts.NoStream {
		return model + ":generateContent"
	}
	return model + ":streamGenerateContent?alt=sse"
}

// Generate implements llm.Provider. Errors are *akitad.Error; a refusal holds an *llm.ServerError.
func (p *Provider) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	form := asCame
	if p.signs.Load() {
		form = signed
	}
	body := p.body(req, form)
	reply, err := p.ask(ctx, req, body)
	if err == nil || ctx.Err() != nil || akitad.KindOf(err) != akitad.InvalidRequest || !aboutSignature(err) {
		return reply, err
	}
	return p.sign(ctx, req, form, body, err)
}

// sign makes a request once more whose calls the server has refused for their signatures: with a mark
// where there is none, then with the mark on all of them.
func (p *Provider) sign(ctx context.Context, req llm.Request, form form, refused []byte, err error) (llm.Reply, error) {
	for form++; form <= rebuilt; form++ {
		body := p.body(req, form)
		if bytes.Equal(body, refused) {
			continue
		}
		if reply, again := p.ask(ctx, req, body); again == nil {
			p.signs.Store(true)
			return reply, nil
		}
		refused = body
	}
	return llm.Reply{}, err
}

func aboutSignature(err error) bool {
	for _, name := range []string{"thought_signature", "thoughtSignature", "hought signature"} {
		if wire.Mentions(err, name) {
			return true
		}
	}
	return false
}

func (p *Provider) ask(ctx context.Context, req llm.Request, body []byte) (llm.Reply, error) {
	return p.server.Ask(ctx, req, p.path(), body, func(in *wire.Answer) (llm.Reply, error) { return p.read(req, in) })
}
