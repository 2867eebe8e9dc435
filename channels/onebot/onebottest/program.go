// Package onebottest is a OneBot v11 program on loopback that behaves like NapCat or Lagrange as far
// as a bot can tell: it connects, or is connected to, sends events, carries out actions, and goes
// wrong on request. It records every chat, so that tests can ask what a person has seen. There is no
// QQ behind it.
package onebottest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/akitad/akitad/internal/faketest"
)

// Options tune a Program; the zero Options work.
type Options struct {
	Self   string        // the account's number, default 10001
	Codes  bool          // messages are strings with CQ codes, not lists of segments
	Beat   time.Duration // how often it sends a sign of life; 0: never
	Old    bool          // ids and numbers in events are strings, and it knows fewer actions, as old programs do
	Recall bool          // it refuses to take messages back
}

// Program is the fake. Its methods may be called by many goroutines at once.
type Program struct {
	faketest.Changes
	// URL is where it listens for connections in forward mode (ws://...), Files where it serves files.
	URL   string
	Files string
	Token string
	Self  string

	opts Options
	web  *httptest.Server
	stop context.CancelFunc
	ctx  context.Context
	wg   sync.WaitGroup

	faults faketest.Faults[Fault]

	mu       sync.Mutex
	conns    map[*conn]bool
	chats    map[string][]*Message
	messages map[string]*Message
	next     int64
	clock    int64
	files    map[string]File
	forwards map[string]any
	calls    []Call
	deaf     time.Time // no connection is kept before
	opened   int
}

// Message is one message of a chat as it stands.
type Message struct {
	ID      string
	Chat    string // a group's number, or "user:" and a person's
	From    string
	Text    string // its texts, joined
	ReplyTo string
	Files   []File
	Through string // the group through which a stranger is written to
	Gone    bool   // it was taken back
	Bot     bool

	segments json.RawMessage
	event    json.RawMessage
}

// File is a file in a chat.
type File struct {
	Name  string
	Kind  string // of its segment, "file" for an upload
	Sub   string // sub_type of a picture
	Bytes []byte
}

// Call is one action as it arrived.
type Call struct {
	Action string
	Params map[string]json.RawMessage
	Code   int // retcode of the answer; -1: none was given
}

// Start returns a program with a token, which ends with the test.
func Start(tb testing.TB, opts Options) *Program {
	tb.Helper()
	if opts.Self == "" {
		opts.Self = "10001"
	}
	p := &Program{
		Token: "onebot-test-token", Self: opts.Self, opts: opts, conns: map[*conn]bool{},
		chats: map[string][]*Message{}, messages: map[string]*Message{}, files: map[string]File{}, forwards: map[string]any{}, next: 7000, clock: 1_700_000_000,
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	mux := http.NewServeMux()
	mux.HandleFunc("/file/{name}", p.serveFile)
	mux.HandleFunc("/", p.serveSocket)
	p.web = httptest.NewServer(mux)
	p.URL, p.Files = "ws"+p.web.URL[len("http"):], p.web.URL+"/file/"
	tb.Cleanup(func() {
		p.stop()
		p.Cut()
		p.web.Close()
		p.wg.Wait()
	})
	return p
}

func (p *Program) serveFile(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	f, ok := p.files[r.PathValue("name")]
	p.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	_, _ = w.Write(f.Bytes)
}

// serveSocket is the forward mode.
func (p *Program) serveSocket(w http.ResponseWriter, r *http.Request) {
	var err error
	switch r.Header.Get("Authorization") {
	case "Bearer " + p.Token:
	case "":
		w.WriteHeader(http.StatusUnauthorized)
		return
	default:
		w.WriteHeader(http.StatusForbidden)
		return
	}
	c := newConn("", "Universal")
	if c.ws, err = websocket.Accept(w, r, &websocket.AcceptOptions{OnPingReceived: c.pong}); err != nil {
		return
	}
	p.wg.Add(1)
	defer p.wg.Done()
	p.talk(c, make(chan struct{}))
}

// Connect opens a connection to a bot, as "Universal", "API" or "Event", and keeps it until it breaks.
// It returns once it stands.
func (p *Program) Connect(ctx context.Context, url, role string) error {
	return p.connect(ctx, url, role, p.header(role))
}

// ConnectWith is Connect with headers of one's own.
func (p *Program) ConnectWith(ctx context.Context, url string, header http.Header) error {
	return p.connect(ctx, url, header.Get("X-Client-Role"), header)
}

func (p *Program) connect(ctx context.Context, url, role string, header http.Header) error {
	c := newConn(url, role)
	ws, resp, err := websocket.Dial(ctx, url, &websocket.DialOptions{HTTPHeader: header, OnPingReceived: c.pong})
	if err != nil {
		if resp != nil {
			return fmt.Errorf("status %d: %w", resp.StatusCode, err)
		}
		return err
	}
	c.ws = ws
	ready := make(chan struct{})
	p.wg.Go(func() { p.talk(c, ready) })
	<-ready
	return nil
}

// Cut breaks all connections, without a word.
func (p *Program) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		_ = c.ws.CloseNow()
	}
}

// Connections is how many there are.
func (p *Program) Connections() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.conns)
}

// Opened is how many connections there have been.
func (p *Program) Opened() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.opened
}

// Chat returns the messages of a chat, those that were taken back too.
func (p *Program) Chat(chat string) []Message {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Message
	for _, m := range p.chats[chat] {
		out = append(out, *m)
	}
	return out
}

// Calls returns the actions of a name so far, or all for "".
func (p *Program) Calls(action string) []Call {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []Call
	for _, c := range p.calls {
		if action == "" || c.Action == action {
			out = append(out, c)
		}
	}
	return out
}

// Keep stores a file under a name, so that actions and Files give it.
func (p *Program) Keep(name string, data []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[name] = File{Name: name, Bytes: data}
}

// Forward has messages that can be passed on by an id: a list of objects with sender and message.
func (p *Program) Forward(id string, messages any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.forwards[id] = messages
}

func (p *Program) id() string {
	p.next++
	return strconv.FormatInt(p.next, 10)
}
