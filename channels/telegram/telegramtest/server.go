// Package telegramtest is a Bot API on loopback that behaves like Telegram's as far as a bot can
// tell: long polls with offsets, conflicts, webhooks, refused markup, limits, topics, edits, buttons, files
// and menus, and trouble on request. It records every chat, so that tests can ask what a person has seen. It
// stores nothing and speaks to no network.
package telegramtest

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/faketest"
)

// Options tune a Server; the zero Options work.
type Options struct {
	Username string // of the bot; default "akita_bot"
	Rates    Rates  // default: none are held
	Privacy  bool   // the bot does not get the plain messages of groups; getMe says so
	First    int    // ids of messages, updates and presses are counted from here; see faketest.Fresh

	HTTP *http.Client // delivers to webhooks; default: one of its own
}

// Rates are the limits that the Server holds, with 429 and retry_after; 0 is no limit.
type Rates struct {
	BotPerSecond   int // in any second
	ChatPerSecond  int // in any second; with ChatBurst: in the long run
	ChatBurst      int // so many at once, then ChatPerSecond
	GroupPerMinute int // in any minute
}

// Real returns Telegram's own limits, as far as they are known (Bot FAQ, "My bot is hitting limits"): 30
// messages a second for a bot, one a second in a chat with short bursts, 20 a minute in a group.
func Real() Rates { return Rates{BotPerSecond: 30, ChatPerSecond: 1, ChatBurst: 3, GroupPerMinute: 20} }

// Server is the fake. Its methods may be called by many goroutines at once.
type Server struct {
	faketest.Changes
	// URL is where Start's server listens, without a slash at the end.
	URL   string
	Token string
	// BotID is the number before the token's colon, or 1 if there is none.
	BotID int64

	opts   Options
	done   chan struct{}
	tasks  sync.WaitGroup // webhooks that are served
	faults faketest.Faults[Fault]

	mu         sync.Mutex
	updates    []update
	nextUpdate int64
	confirmed  int64             // updates up to here were confirmed by an offset
	gone       []update          // the last that were confirmed, for repetitions
	again      []json.RawMessage // given with the next poll, whatever its offset
	polling    *poll
	hook       *hook
	allowed    []string // kinds of updates that the bot asked for last; none is all
	commands   map[string][]Command
	presses    []*Pressed
	chats      map[int64]*chat
	calls      []Call
	files      map[string]Upload
	sent       []stamp
	buckets    map[int64]bucket
	moved      map[int64]int64 // groups that got a new id
}

// Call is one request as it arrived.
type Call struct {
	Method string            `json:"method"`
	Params map[string]string `json:"params"`
	At     time.Time         `json:"at"`
	Code   int               `json:"code"` // of the answer: 200, 400 ...
}

// New makes a Server for one bot; it listens once its Handler is served.
func New(token string, opts Options) *Server {
	if opts.Username == "" {
		opts.Username = "akita_bot"
	}
	if opts.HTTP == nil {
		opts.HTTP = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	}
	id, err := strconv.ParseInt(strings.Split(token, ":")[0], 10, 64)
	if err != nil {
		id = 1
	}
	return &Server{
		Token: token, BotID: id, opts: opts, done: make(chan struct{}),
		nextUpdate: 100 + int64(opts.First), chats: map[int64]*chat{}, files: map[string]Upload{}, commands: map[string][]Command{},
		buckets: map[int64]bucket{}, moved: map[int64]int64{},
	}
}

// Start serves a new Server on loopback until the test ends.
func Start(tb testing.TB, opts Options) *Server {
	tb.Helper()
	s := New("4242:test-token", opts)
	web := httptest.NewServer(s.Handler())
	s.URL = web.URL
	tb.Cleanup(func() {
		s.Close()
		web.Close()
	})
	return s
}

// Close ends the long polls that are open, what hangs, and the delivery to a webhook.
func (s *Server) Close() {
	s.mu.Lock()
	select {
	case <-s.done:
	default:
		close(s.done)
	}
	s.mu.Unlock()
	s.tasks.Wait()
}

// WaitChat waits until the messages of a chat satisfy ok, and gives them.
func (s *Server) WaitChat(ctx context.Context, chat int64, ok func([]Message) bool) (messages []Message, err error) {
	err = s.Wait(ctx, func() bool {
		messages = s.Chat(chat)
		return ok(messages)
	})
	return messages, err
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

// Confirmed returns the id of the last update that the bot has confirmed by a higher offset.
func (s *Server) Confirmed() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.confirmed
}
