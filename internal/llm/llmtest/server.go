package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Server speaks the protocols of model vendors on loopback, streaming or not as it is asked, by a
// Script. It records every request byte for byte.
type Server struct {
	script  *Script
	latency time.Duration
	forget  bool
	tools   toolBlock

	mu       sync.Mutex
	queue    []Fault // each is committed once
	standing []Fault // committed every time
	seen     []Seen
	http     *httptest.Server
	url      string
	gone     chan struct{}
}

// Seen is one request as it came over the wire.
type Seen struct {
	Header http.Header
	Body   []byte
	At     time.Time
}

// Options of a Server.
type Options struct {
	Latency time.Duration // how long the model thinks before each answer
	Forget  bool          // keep no record of requests: for servers that answer very many
}

// NewServer starts a server that is stopped at the end of the test.
func NewServer(t testing.TB, script *Script, opts Options) *Server {
	s := newServer(script, opts)
	s.http = httptest.NewServer(s)
	s.url = s.http.URL
	t.Cleanup(s.close)
	return s
}

// Handler returns a server that somebody else lets listen, such as a process that is nothing else. Its
// URL is not known.
func Handler(script *Script, opts Options) *Server { return newServer(script, opts) }

func newServer(script *Script, opts Options) *Server {
	script.forget = opts.Forget
	return &Server{script: script, latency: opts.Latency, forget: opts.Forget, gone: make(chan struct{})}
}

func (s *Server) close() {
	close(s.gone)
	s.http.CloseClientConnections()
	s.http.Close()
}

// URL is the base URL for a client: "http://127.0.0.1:PORT/v1".
func (s *Server) URL() string { return s.url + "/v1" }

// Root is the base URL for protocols whose own paths begin with the version: "http://127.0.0.1:PORT".
func (s *Server) Root() string { return s.url }

// Next makes the next requests fail, one fault each, before the script is asked.
func (s *Server) Next(faults ...Fault) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, faults...)
	return s
}

// Always makes every request from now on meet the faults; without any, the server behaves again.
func (s *Server) Always(faults ...Fault) *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.standing = faults
	return s
}

// Seen returns every request so far.
func (s *Server) Seen() []Seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// ServeHTTP answers GET .../models, and what the paths of the protocols are posted to.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	p, ok := protocolOf(r)
	switch {
	case ok:
		s.complete(w, r, p)
	case strings.HasSuffix(r.URL.Path, "/models"):
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"scripted","object":"model"}]}`)
	default:
		p.fail(w, http.StatusNotFound, nil, "")
	}
}

func (s *Server) complete(w http.ResponseWriter, r *http.Request, p protocol) {
	var read bytes.Buffer
	read.Grow(int(min(max(r.ContentLength, 0), 1<<20)) + bytes.MinRead)
	if _, err := read.ReadFrom(r.Body); err != nil {
		return
	}
	body := read.Bytes()
	faults := s.record(r.Header, body)
	if s.early(w, r, p, faults) {
		return
	}
	req, stream, err := p.parse(s, r, body)
	if err != nil {
		p.fail(w, statusOf(err), nil, p.problem(statusOf(err), err.Error()))
		return
	}
	s.think(r.Context(), s.latency)
	turn, err := s.script.take(req)
	var reply llm.Reply
	if err == nil {
		reply, err = turn.play(r.Context(), req, round(req))
	}
	switch {
	case r.Context().Err() != nil:
	case err != nil:
		p.fail(w, statusOf(err), nil, p.problem(statusOf(err), err.Error()))
	default:
		if all := slices.Concat(faults, turn.faults); !s.early(w, r, p, turn.faults) {
			s.send(w, r, p, reply, stream, all)
		}
	}
}

// record keeps the request and gives the faults that it is to meet.
func (s *Server) record(h http.Header, body []byte) []Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.forget {
		s.seen = append(s.seen, Seen{Header: h.Clone(), Body: body, At: time.Now()})
	}
	faults := slices.Clone(s.standing)
	if len(s.queue) > 0 {
		faults = append(faults, s.queue[0])
		s.queue = s.queue[1:]
	}
	return faults
}

// early commits the faults that leave no room for an answer, and reports whether there was one.
func (s *Server) early(w http.ResponseWriter, r *http.Request, p protocol, faults []Fault) bool {
	for _, f := range faults {
		s.think(r.Context(), f.wait)
		switch {
		case f.hang:
			s.hang(r)
			return true
		case f.status != 0 && f.after == 0:
			p.fail(w, f.status, f.header, f.answer(p))
			return true
		case f.raw != nil:
			w.Header().Set("Content-Type", rawType(*f.raw))
			_, _ = io.WriteString(w, *f.raw)
			return true
		}
	}
	return false
}

// answer is the body of a refusal.
func (f Fault) answer(p protocol) string {
	if f.said != "" {
		return p.problem(f.status, f.said)
	}
	return f.body
}

func rawType(body string) string {
	if strings.HasPrefix(strings.TrimSpace(body), "{") {
		return "application/json"
	}
	if strings.HasPrefix(strings.TrimSpace(body), "<") {
		return "text/html"
	}
	return "text/event-stream"
}

// hang keeps the connection open until the client or the test has had enough.
func (s *Server) hang(r *http.Request) {
	select {
	case <-r.Context().Done():
	case <-s.gone:
	}
}

func (s *Server) think(ctx context.Context, d time.Duration) {
	if d <= 0 {
		return
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-s.gone:
	}
}

func (p protocol) fail(w http.ResponseWriter, status int, header http.Header, body string) {
	if body == "" {
		body = p.problem(status, http.StatusText(status))
	}
	for k, v := range header {
		w.Header()[k] = v
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, body)
}

func statusOf(err error) int {
	switch akitad.KindOf(err) {
	case akitad.Timeout:
		return http.StatusGatewayTimeout
	case akitad.RateLimited:
		return http.StatusTooManyRequests
	case akitad.Overloaded:
		return http.StatusServiceUnavailable
	case akitad.Transport:
		return http.StatusBadGateway
	case akitad.Auth:
		return http.StatusUnauthorized
	case akitad.Quota:
		return http.StatusPaymentRequired
	case akitad.NotFound:
		return http.StatusNotFound
	case akitad.ContextOverflow:
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

func quote(s string) string {
	text, err := json.Marshal(s)
	if err != nil {
		return `""`
	}
	return string(text)
}
