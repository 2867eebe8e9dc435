// Package feishu connects one Feishu or Lark app: it takes people's messages over the service's long
// connection or by its webhook, acknowledges each once it is safely taken, and writes answers as cards,
// inside of the limits that the service sets. It speaks the wire protocol itself, does not know what a
// task is, and decides nothing about who may talk.
package feishu

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/lane"
	"github.com/akitad/akitad/internal/pace"
)

// The two ways in which the service brings events.
const (
	ModeWebSocket = "websocket" // we dial the service: no address of our own is needed
	ModeWebhook   = "webhook"   // the service calls Hook
)

// Options tune a Feishu; the zero Options work.
type Options struct {
	URL  string // of the service; default https://open.feishu.cn, for Lark https://open.larksuite.com
	Mode string // ModeWebSocket (default) or ModeWebhook
	// EncryptKey and VerifyToken are those of the app's event subscription; ModeWebhook requires both.
	EncryptKey  string
	VerifyToken string
	// Rate is how many messages the bot sends a second: 0 means 16, which stays below the 1000 a minute
	// that the service allows. With less than 0 there is no budget at all, neither for the bot nor for a
	// chat: only what the service refuses makes the bot wait.
	Rate float64
	HTTP *http.Client // default: one of its own; redirects are never followed
	Log  *zap.Logger  // default silent

	// Open reads a file that goes with an answer. Nil means that files are not sent.
	Open func(ctx context.Context, file akitad.File) (io.ReadCloser, error)
}

// Feishu is one bot. Its methods may be called by many goroutines at once; Run only once.
type Feishu struct {
	client  *client
	appID   string
	opts    Options
	log     *zap.Logger
	wire    transport
	hook    *hook // nil if the service does not call
	gate    *pace.Gate
	lanes   *lane.Lanes
	own     *memo
	dead    *memo // messages that take no more edits
	presses *presses
	uploads chan struct{} // a place for each file that is in memory

	mu     sync.Mutex
	self   string // the bot's open_id; "" until it is known
	health error
}

var errStarted = errors.New("is not connected yet")

const (
	defaultURL = "https://open.feishu.cn"
	// maxEvents bounds the events that are held at a time.
	maxEvents = 512
	// maxUploads bounds the files that are in memory at a time.
	maxUploads = 2
)

// New makes the bot of an app. Empty credentials are refused, and a webhook that anybody could call.
func New(appID, secret string, opts Options) (*Feishu, error) {
	opts.URL = strings.TrimRight(cmp.Or(opts.URL, defaultURL), "/")
	opts.Mode = cmp.Or(opts.Mode, ModeWebSocket)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	u, err := url.Parse(opts.URL)
	switch {
	case appID == "" || secret == "":
		return nil, refuse("the app id or the app secret is missing", "Set FEISHU_APP_ID and FEISHU_APP_SECRET to those that the app's page at the open platform shows.")
	case err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https"):
		return nil, refuse("the URL of the service is none", "Set FEISHU_BASE_URL to https://open.feishu.cn or https://open.larksuite.com, or leave it out.")
	case opts.Mode != ModeWebSocket && opts.Mode != ModeWebhook:
		return nil, refuse("the mode is neither websocket nor webhook", "Set channels.feishu.mode to websocket or webhook, or leave it out.")
	case opts.Mode == ModeWebhook && (opts.EncryptKey == "" || opts.VerifyToken == ""):
		return nil, refuse("webhook mode has no encrypt key or no verification token, so anyone could forge messages", "Set channels.feishu.encrypt_key and .verify_token to those of the app's event subscription.")
	}
	f := &Feishu{
		appID: appID, opts: opts, log: opts.Log, gate: newGate(cmp.Or(opts.Rate, defaultRate)), lanes: lane.New(maxEvents),
		own: newMemo(), dead: newMemo(), presses: newPresses(), uploads: make(chan struct{}, maxUploads), health: errStarted,
	}
	c := newClient(opts.URL, appID, secret, opts.HTTP)
	f.client = c
	if opts.Mode == ModeWebhook {
		f.hook = &hook{client: c, log: f.log, door: chathook.Door{Refusals: chathook.Refusals{Log: f.log}}, health: f.setHealth, encryptKey: opts.EncryptKey, verifyToken: opts.VerifyToken}
		f.wire = f.hook
		return f, nil
	}
	f.wire = &socket{client: c, log: f.log, health: f.setHealth}
	return f, nil
}

// Check asks the service whether it takes the credentials. Nothing is changed there.
func (f *Feishu) Check(ctx context.Context) error {
	_, err := f.client.token.Get(ctx)
	return fail("get a token", err)
}

// Name is "feishu".
func (f *Feishu) Name() string { return "feishu" }

// SendsApart says that a file and the words that go with it come as two messages.
func (f *Feishu) SendsApart() {}

// Run asks who the bot is and takes events until ctx ends (nil), or until the service refuses the
// credentials. Whatever else goes wrong is tried again; Health tells of it meanwhile. Messages of one
// chat are handed over one after the other. What receive does not take is not acknowledged: the service
// sends it again after 15 s, 5 min, 1 h and 6 h. An error of kind invalid_request passes it over.
func (f *Feishu) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	if err := f.identify(ctx); err != nil || ctx.Err() != nil {
		return err
	}
	in := &intake{Feishu: f, receive: receive, seen: newMemo()}
	err := f.wire.Run(ctx, in.handle)
	f.lanes.Wait()
	if ctx.Err() != nil {
		f.setHealth(errStarted)
	}
	return err
}

// Hook takes the events that the service sends by HTTP in ModeWebhook; else it answers 404.
func (f *Feishu) Hook() http.Handler {
	if f.hook == nil {
		return http.NotFoundHandler()
	}
	return f.hook
}

// Health is nil while the bot receives; else it says why it does not.
func (f *Feishu) Health() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.health
}

func (f *Feishu) setHealth(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.health = err
}

// notTaken and taken keep Health true while messages come that cannot be stored.
func (f *Feishu) notTaken(err error) { f.setHealth(&untaken{err}) }

func (f *Feishu) taken() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ours := f.health.(*untaken); ours {
		f.health = nil
	}
}

// untaken is the health of a bot whose messages cannot be stored.
type untaken struct{ err error }

func (u *untaken) Error() string { return "feishu: messages cannot be taken: " + u.err.Error() }
func (u *untaken) Unwrap() error { return u.err }

func (f *Feishu) me() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.self
}
