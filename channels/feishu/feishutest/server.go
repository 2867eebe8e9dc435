// Package feishutest is a Feishu open platform on loopback that behaves like the service as far as a bot
// can tell: tokens, the long connection with its frames, signed and encrypted webhooks, messages, cards,
// files, limits and redeliveries. It records every chat, so that tests can ask what a person has seen. It
// stores nothing and speaks to no network.
package feishutest

import (
	"cmp"
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

// Options tune a Server; the zero Options work.
type Options struct {
	AppID       string // default "cli_0123456789abcdef"
	Secret      string // default "fake-app-secret"
	Bot         string // the bot's open_id; default "ou_bot"
	First       int    // ids of messages and events are counted from here; see faketest.Fresh
	EncryptKey  string // of webhooks; default "fake-encrypt-key"
	VerifyToken string // of webhooks; default "fake-verify-token"

	Ping     int             // seconds between pings that the clients are told; default 120
	Nonce    int             // seconds, the longest drawn wait before a reconnection; default 0
	Ladder   []time.Duration // waits between deliveries that are not acknowledged; default 15 s, 5 min, 1 h, 6 h
	Fragment int             // the most bytes of an event in one frame; 0: events are not cut
	Rates    bool            // 5 messages a second and chat, and 50 a second for the app, are all it takes
	Hook     http.Handler    // events are delivered to it, and not by the long connection
}

// ladder is the service's own (open.feishu.cn, event subscription: retries).
var ladder = []time.Duration{15 * time.Second, 5 * time.Minute, time.Hour, 6 * time.Hour}

// Server is the fake. Its methods may be called by many goroutines at once.
type Server struct {
	faketest.Changes
	// URL is where Start's server listens, without a slash at the end.
	URL string
	Options

	done   chan struct{}
	queue  chan delivery
	tasks  sync.WaitGroup
	faults faketest.Faults[Fault]

	mu      sync.Mutex
	next    int
	tokens  map[string]bool // those that are good
	expired int             // HTTP status of the answer to a token that is not good
	chats   map[string]*chat
	byID    map[string]*Message
	byUUID  map[string]stampedID
	uploads map[string]Upload
	calls   []Call
	sent    []stamp
	events  map[string]*event
	lines   []*line
	acks    []Ack
	held    []*event // those that Hold keeps
	holding bool
}

// Call is one request of the API as it arrived.
type Call struct {
	Method string            `json:"method"` // what it asks for: "send", "reply", "patch" ...
	Path   string            `json:"path"`
	Query  map[string]string `json:"query,omitempty"`
	Body   string            `json:"body"` // empty for uploads
	Size   int               `json:"size"` // bytes of the body
	At     time.Time         `json:"at"`
	Code   int               `json:"code"` // of the answer; 0 is a success
}

// Ack is one answer to an event.
type Ack struct {
	Event string        `json:"event"`
	Code  int           `json:"code"`
	Data  string        `json:"data,omitempty"` // what the client answered, decoded
	After time.Duration `json:"after"`
	Late  bool          `json:"late"` // after more than 3 s
}

// New makes a Server for one app; it listens once its Handler is served.
func New(opts Options) *Server {
	opts.AppID = cmp.Or(opts.AppID, "cli_0123456789abcdef")
	opts.Secret = cmp.Or(opts.Secret, "fake-app-secret")
	opts.Bot = cmp.Or(opts.Bot, "ou_bot")
	opts.EncryptKey = cmp.Or(opts.EncryptKey, "fake-encrypt-key")
	opts.VerifyToken = cmp.Or(opts.VerifyToken, "fake-verify-token")
	opts.Ping = cmp.Or(opts.Ping, 120)
	if opts.Ladder == nil {
		opts.Ladder = ladder
	}
	s := &Server{
		Options: opts, next: opts.First, done: make(chan struct{}), queue: make(chan delivery, 10_000),
		tokens: map[string]bool{}, expired: http.StatusBadRequest, chats: map[string]*chat{}, byID: map[string]*Message{},
		byUUID: map[string]stampedID{}, uploads: map[string]Upload{}, events: map[string]*event{},
	}
	s.tasks.Go(s.pump)
	return s
}

// Start serves a new Server on loopback until the test ends.
func Start(tb testing.TB, opts Options) *Server {
	tb.Helper()
	s := New(opts)
	web := httptest.NewServer(s.Handler())
	s.URL = web.URL
	tb.Cleanup(func() {
		s.Close()
		web.Close()
	})
	return s
}

// Direct serves a new Server without a socket until the test ends, and gives the client that reaches it
// at its URL: for bubbles of virtual time.
func Direct(tb testing.TB, opts Options) (*Server, *http.Client) {
	tb.Helper()
	s := New(opts)
	s.URL = "http://feishu.test"
	pipes := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	web := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: time.Minute}
	var serving sync.WaitGroup
	serving.Go(func() { _ = web.Serve(pipes) })
	transport := &http.Transport{DialContext: pipes.dial}
	tb.Cleanup(func() {
		transport.CloseIdleConnections()
		s.Close()
		_ = web.Close()
		serving.Wait()
	})
	return s, &http.Client{Transport: transport}
}

// pipeListener gives the two ends of pipes to a server and its clients.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case l.conns <- theirs:
		return ours, nil
	case <-l.done:
	case <-ctx.Done():
	}
	return nil, net.ErrClosed
}

// Accept returns the server's end of the next pipe.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is no address.
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

// Close ends all connections and deliveries.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.done:
	default:
		close(s.done)
	}
	s.mu.Unlock()
	s.Drop()
	s.tasks.Wait()
}

// Calls returns the requests for a method so far, or all for "".
func (s *Server) Calls(method string) []Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []Call
	for _, c := range s.calls {
		if method == "" || c.Method == method {
			out = append(out, c)
		}
	}
	return out
}

// Acks returns the answers to events so far.
func (s *Server) Acks() []Ack {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Ack(nil), s.acks...)
}

// Connected tells how many long connections there are.
func (s *Server) Connected() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.lines)
}

// ExpireTokens ends all tokens that were given out; requests with them are answered 99991663 with this
// HTTP status: the service uses 200 and 400.
func (s *Server) ExpireTokens(status int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.tokens)
	s.expired = status
}
