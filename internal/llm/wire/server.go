// Package wire is what the protocols of model vendors share: one request over HTTP under its limits,
// the event streams that answer it, what refusals mean, and JSON that survives a journal. It knows
// nobody's messages, and tries nothing twice.
package wire

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/redact"
)

// Options are what a Server can do without, but for BaseURL.
type Options struct {
	BaseURL    string
	Example    string       // a base URL as it should be, for hints
	Variable   string       // of the environment that names the model, for hints
	Header     http.Header  // goes with each request: the key, a version
	Secret     string       // the key: taken out of error messages
	HTTP       *http.Client // default: the standard transport with 64 idle connections a host
	Timeouts   llm.Timeouts
	Redact     *redact.Redactor // applied to error messages; it learns Secret
	NoStream   bool             // answers come whole, so that their time is that of Timeouts.Whole
	MaxRequest int              // bytes of a request that the server takes; 0 if it does not say
	MaxAnswer  int              // bytes of an answer, whole or in pieces; default 64 MiB
}

// Server is one model at one address. It is safe for use by many goroutines and remembers nothing.
type Server struct {
	model string
	opts  Options
	http  http.Client
}

// New makes a server for the model. Nothing is sent before Ask.
func New(model string, opts Options) *Server {
	if opts.HTTP == nil {
		opts.HTTP = &http.Client{Transport: transport()}
	}
	if opts.MaxAnswer <= 0 {
		opts.MaxAnswer = maxAnswer
	}
	if opts.Redact == nil {
		opts.Redact = redact.New()
	}
	opts.Redact.Add(opts.Secret)
	s := &Server{model: model, opts: opts, http: *opts.HTTP}
	s.http.CheckRedirect = stay(opts.HTTP.CheckRedirect)
	return s
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

// Host gives the name of the host that a base URL leads to, without its port; the text itself if it
// is no URL.
func Host(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return base
	}
	return u.Hostname()
}

// tooLarge refuses a request that the server would refuse, without sending it: for its files, if they are most
// of it, else as too much text.
func (s *Server) tooLarge(req llm.Request, size int) error {
	if s.opts.MaxRequest <= 0 || size <= s.opts.MaxRequest {
		return nil
	}
	files, sum := 0, 0
	for _, m := range req.Messages {
		for _, p := range m.Parts {
			files, sum = files+1, sum+len(p.Data)
		}
	}
	const mb = 1_000_000
	if sum*4/3 < size/2 {
		return &akitad.Error{Kind: akitad.ContextOverflow, Op: "ask " + s.model, Err: fmt.Errorf("the request has %d MB, and its server takes %d MB", size/mb, s.opts.MaxRequest/mb), Hint: hints[akitad.ContextOverflow]}
	}
	return &akitad.Error{
		Kind: akitad.InvalidRequest, Op: "ask " + s.model,
		Err:  fmt.Errorf("the %d files have %d MB together, %d MB as they are sent, and the model's server takes %d MB a request", files, sum/mb, size/mb, s.opts.MaxRequest/mb),
		Hint: "send fewer or smaller files at a time",
	}
}

// Ask posts the body to the path below the base URL, once, and gives what read makes of the answer. An
// answer that is empty, a web page or a refusal does not come to read. path may end in a query. Errors are
// *akitad.Error; a refusal holds an *llm.ServerError.
func (s *Server) Ask(ctx context.Context, req llm.Request, path string, body []byte, read func(*Answer) (llm.Reply, error)) (llm.Reply, error) {
	if err := s.tooLarge(req, len(body)); err != nil {
		return llm.Reply{}, err
	}
	live, watch := s.opts.Timeouts.Watch(ctx, !s.opts.NoStream)
	defer watch.Stop()
	resp, err := s.send(live, req, path, body)
	if err != nil {
		reply := llm.Reply{}
		if refusal, ok := errors.AsType[*llm.ServerError](err); ok {
			reply.Usage = refusal.Usage
		}
		return reply, s.failed(ctx, live, err)
	}
	defer resp.Body.Close()
	answer, err := s.open(resp, watch)
	if err != nil {
		return llm.Reply{}, s.failed(ctx, live, err)
	}
	reply, err := read(answer)
	if err != nil {
		return llm.Reply{Usage: reply.Usage}, s.failed(ctx, live, err)
	}
	reply.FirstByte = watch.FirstByte()
	drain(resp.Body, watch)
	return reply, nil
}
