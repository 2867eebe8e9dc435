// Package anthropic speaks Anthropic's Messages protocol, which other vendors serve too. It makes one
// attempt per request; trying again and elsewhere is the router's.
package anthropic

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
	"github.com/akitad/akitad/internal/redact"
)

// Protocol is the name of this protocol in configuration.
const Protocol = "anthropic"

// DefaultBaseURL is where Anthropic itself is reached.
const DefaultBaseURL = "https://api.anthropic.com"

// version is the one that the protocol has had since 2023; the service asks for it by date.
const version = "2023-06-01"

// defaultOutput stands where nobody says how long an answer may be: the protocol demands a limit, and
// every model takes this one.
const defaultOutput = 4096

// Options are what a Provider can do without.
type Options struct {
	BaseURL  string       // with or without the version: "http://host:8000", ".../v1"; default DefaultBaseURL
	Key      string       // sent as x-api-key
	HTTP     *http.Client // default: the standard transport with 64 idle connections a host
	Timeouts llm.Timeouts
	Redact   *redact.Redactor // applied to error messages; it learns Key

	// NoStream asks for whole answers. A stream shows within seconds that a server hangs, so
	// streaming is the default whether or not anybody listens.
	NoStream bool
	// MaxOutput is the limit of an answer, in tokens, where the request has none; default 4096.
	MaxOutput int
	// Thinking is how many tokens the model may think before it answers, beside those of the answer;
	// 0 asks for no thoughts. The service's least is 1024.
	Thinking int
	// Adaptive leaves it to the model whether it thinks, and how long.
	Adaptive bool
	// MaxAnswer bounds an answer in bytes as they come, whole or in events; default 64 MiB. A longer one
	// fails with kind unavailable.
	MaxAnswer int
	// Vendor names whose messages may be sent back as they came; default the host of BaseURL.
	Vendor string
}

// maxRequest is how many bytes a request may have, by the service's documentation.
const maxRequest = 32_000_000

// Provider is one model at one server. It is safe for use by many goroutines and remembers nothing of
// requests.
type Provider struct {
	model  string
	opts   Options
	path   string // below the base URL
	rawBy  string
	server *wire.Server
	blocks *wire.ToolBlocks
	large  atomic.Int64 // the last request and a quarter: room for the next one
}

// New makes a provider for the model. Nothing is sent before Generate.
func New(model string, opts Options) *Provider {
	opts.BaseURL = cmp.Or(opts.BaseURL, DefaultBaseURL)
	opts.MaxOutput = cmp.Or(opts.MaxOutput, defaultOutput)
	opts.Vendor = cmp.Or(opts.Vendor, wire.Host(opts.BaseURL))
	header := http.Header{}
	header.Set("Anthropic-Version", version)
	if opts.Key != "" {
		header.Set("X-Api-Key", opts.Key)
	}
	return &Provider{
		model: model, opts: opts, path: pathBelow(opts.BaseURL), rawBy: Protocol + "@" + opts.Vendor,
		blocks: wire.NewToolBlocks(encodeTools),
		server: wire.New(model, wire.Options{
			BaseURL: opts.BaseURL, Example: DefaultBaseURL, Variable: "ANTHROPIC_MODEL", Header: header, Secret: opts.Key, HTTP: opts.HTTP,
			Timeouts: opts.Timeouts, Redact: opts.Redact, NoStream: opts.NoStream, MaxAnswer: opts.MaxAnswer, MaxRequest: maxRequest,
		}),
	}
}

// pathBelow gives what a base URL lacks of the path: people write it with the version and without.
func pathBelow(base string) string {
	u, err := url.Parse(base)
	switch {
	case err != nil:
		return "v1/messages"
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/messages"):
		return ""
	case strings.HasSuffix(strings.TrimRight(u.Path, "/"), "/v1"):
		return "messages"
	}
	return "v1/messages"
}

// Generate implements llm.Provider. Errors are *akitad.Error; a refusal holds an *llm.ServerError. A
// server that refuses the history as it came gets it once more in the plain form, without thoughts: it
// may have another idea of what a signature is worth.
func (p *Provider) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	first := p.body(req, asItCame)
	reply, err := p.ask(ctx, req, first)
	if err == nil || ctx.Err() != nil || akitad.KindOf(err) != akitad.InvalidRequest {
		return reply, err
	}
	second := p.body(req, plain)
	if bytes.Equal(first, second) {
		return llm.Reply{}, err
	}
	if reply, again := p.ask(ctx, req, second); again == nil {
		return reply, nil
	}
	return llm.Reply{}, err
}

func (p *Provider) ask(ctx context.Context, req llm.Request, body []byte) (llm.Reply, error) {
	return p.server.Ask(ctx, req, p.path, body, func(from *wire.Answer) (llm.Reply, error) {
		if from.Whole {
			return p.readWhole(req, from)
		}
		return p.readStream(req, from)
	})
}
