// Package onebot connects one QQ account through a program that speaks OneBot v11 (NapCat, Lagrange,
// go-cqhttp and others do): over a WebSocket that the program opens to us, or that we open to it. It
// does not know what a task is, and reads no file of the machine that the program names.
package onebot

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/pace"
)

// Name is the channel's name in origins and configuration.
const Name = "onebot"

// Options tune a OneBot; the zero Options work, in reverse mode.
type Options struct {
	// URL is where the OneBot program listens, like ws://127.0.0.1:3001: then we connect to it. Empty
	// means that it connects to Hook.
	URL  string
	Self string // the account's number; empty: the one that connects first, while it is connected
	// Rate is how many messages the account sends a second: 0 means 2, which QQ has been seen to
	// bear; less than 0 is no limit of ours.
	Rate    float64
	Timeout time.Duration // for one action, and for a connection to be there, default 30 s
	Ping    time.Duration // how often a connection is tried, default 30 s; one that does not answer for as long is given up
	Retry   time.Duration // the first pause after a refusal or a lost connection, default 1 s; it doubles up to 30 s
	MaxFile int64         // the most bytes of a file, in and out, default 30 MB
	HTTP    *http.Client  // for connections and downloads; default one of its own
	Log     *zap.Logger   // default silent

	// Open reads a file that goes with an answer. Nil means that files are not sent.
	Open func(ctx context.Context, file akitad.File) (io.ReadCloser, error)
}

// OneBot is one account. Its methods may be called by many goroutines at once; Run only once.
type OneBot struct {
	token string
	opts  Options
	gate  *pace.Gate
	log   *zap.Logger
	inbox chan event
	mine  *memo[bool] // whether a message is the bot's own, by its id
	files *memo[bool] // files that were handed over, as some programs tell of them twice
	echo  atomic.Int64

	refusals chathook.Refusals // of connections

	unknown *memo[bool] // actions that the program does not know

	mu      sync.Mutex
	changed chan struct{} // closed when a connection comes or goes, and replaced
	running chan struct{} // closed when Run ends; nil before Run and after it
	links   sync.WaitGroup
	events  *link
	actions *link
	failure error // why there is no connection, in forward mode
}

// New makes the channel of an account. token is the access token that the OneBot program was given
// too; without one anybody could write in the name of others, so it is refused if empty.
func New(token string, opts Options) (*OneBot, error) {
	if strings.TrimSpace(token) == "" {
		return nil, refuse("the access token is empty, so anyone could forge messages", "Set ONEBOT_TOKEN, here and in the OneBot program.")
	}
	if opts.URL != "" {
		u, err := url.Parse(opts.URL)
		if err != nil || u.Host == "" || (u.Scheme != "ws" && u.Scheme != "wss" && u.Scheme != "http" && u.Scheme != "https") {
			return nil, refuse("the address of the OneBot program is none", "Set ONEBOT_URL to something like ws://127.0.0.1:3001, or leave it out.")
		}
	}
	opts.Rate = cmp.Or(opts.Rate, 2)
	opts.Timeout = cmp.Or(opts.Timeout, 30*time.Second)
	opts.Ping = cmp.Or(opts.Ping, 30*time.Second)
	opts.Retry = cmp.Or(opts.Retry, time.Second)
	opts.MaxFile = cmp.Or(opts.MaxFile, 30<<20)
	opts.HTTP = cmp.Or(opts.HTTP, &http.Client{})
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	chatRate := min(opts.Rate, 1)
	return &OneBot{
		token: token, opts: opts, log: opts.Log, refusals: chathook.Refusals{Log: opts.Log}, changed: make(chan struct{}),
		gate:  pace.New(pace.Options{Rate: opts.Rate, Burst: 3, ChatRate: chatRate, ChatBurst: 3}),
		inbox: make(chan event, 1024), mine: newMemo[bool](4096), files: newMemo[bool](256), unknown: newMemo[bool](16),
	}, nil
}

func refuse(text, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: Name, Err: errors.New(text), Hint: hint}
}

// Name is "onebot".
func (o *OneBot) Name() string { return Name }

// Health is nil while events come; else it says why they do not.
func (o *OneBot) Health() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.running == nil:
		return errors.New("has not started")
	case o.events == nil && o.failure != nil:
		return o.failure
	case o.events == nil && o.opts.URL == "":
		return errors.New("no OneBot program is connected: it is to open a WebSocket to /hooks/onebot with the access token")
	case o.events == nil:
		return errors.New("not connected to the OneBot program yet")
	case o.actions == nil:
		return errors.New("the OneBot program sends events but takes no actions: let it connect as Universal, or as API too")
	case o.events.offline.Load():
		return errors.New("the OneBot program says that the QQ account is offline: log in there")
	}
	return nil
}

// touch wakes who waits for a connection; the caller holds the lock.
func (o *OneBot) touch() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// memo keeps the newest values of a bounded number of keys.
type memo[V any] struct {
	mu    sync.Mutex
	limit int
	order []string
	value map[string]V
}

func newMemo[V any](limit int) *memo[V] { return &memo[V]{limit: limit, value: map[string]V{}} }

func (m *memo[V]) put(key string, v V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.value[key]; !ok {
		m.order = append(m.order, key)
	}
	m.value[key] = v
	if len(m.order) > m.limit {
		delete(m.value, m.order[0])
		m.order = m.order[1:]
	}
}

func (m *memo[V]) get(key string) (V, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := m.value[key]
	return v, ok
}
