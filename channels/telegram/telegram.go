// Package telegram connects one Telegram bot: it polls for people's messages, or has them delivered to a
// webhook, and hands each over until it is safely taken, and it writes answers by editing a placeholder, inside of the limits
// that Telegram sets. It does not know what a task is, and no type of the Bot API leaves it.
package telegram

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-telegram/bot"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/pace"
)

// Options tune a Telegram; the zero Options work.
type Options struct {
	URL string // of the Bot API; default https://api.telegram.org
	// Rate is how many messages the bot sends a second: 0 means 25, which stays below the 30 that
	// Telegram allows. With less than 0 there is no budget at all, neither for the bot nor for a chat:
	// only what the server refuses makes the bot wait.
	Rate float64
	HTTP *http.Client  // default: one of its own; redirects are never followed
	Poll time.Duration // how long one poll may last, in whole seconds; default 50 s
	Log  *zap.Logger   // default silent

	Mode          string    // ModePoll (default) or ModeWebhook
	WebhookURL    string    // with ModeWebhook: the address that leads to Hook. Required then
	WebhookSecret string    // with ModeWebhook: 1 to 256 letters, digits, _ and -. Required then
	Groups        bool      // the bot is meant to be used in groups
	Commands      []Command // of the bot's menu

	// Open reads a file that goes with an answer. Nil means that files are not sent.
	Open func(ctx context.Context, file akitad.File) (io.ReadCloser, error)
}

// The ways to receive (Options.Mode).
const (
	ModePoll    = "poll"    // ask for updates; works everywhere
	ModeWebhook = "webhook" // Telegram calls Hook
)

// Telegram is one bot. Its methods may be called by many goroutines at once; Run only once.
type Telegram struct {
	opts  Options
	base  string // URL and token, without a method: a secret
	files string // the same for downloads
	api   *bot.Bot
	wire  *doer
	gate  *pace.Gate
	log   *zap.Logger

	taken    recent
	underWay sync.Map      // the updates that calls of the webhook are bringing
	door     chathook.Door // of a webhook
	hooked   atomic.Bool   // the webhook was set by this process

	mu     sync.Mutex
	self   identity
	health error
	moved  map[int64]int64 // groups that got a new id since the start
}

// identity is who the bot is; zero until Run has asked.
type identity struct {
	id       int64
	username string
}

var (
	tokenForm  = regexp.MustCompile(`^[A-Za-z0-9:_-]+$`)
	errStarted = errors.New("has not polled yet")
)

// New makes the bot of a token. An empty token is refused.
func New(token string, opts Options) (*Telegram, error) {
	if !tokenForm.MatchString(token) {
		return nil, refuse("the bot token is missing or has letters that no token has", "Set TELEGRAM_BOT_TOKEN to the token that @BotFather gave you.")
	}
	opts.URL = strings.TrimRight(cmp.Or(opts.URL, "https://api.telegram.org"), "/")
	if u, err := url.Parse(opts.URL); err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, refuse("the URL of the Bot API is none", "Set TELEGRAM_API_URL to something like https://api.telegram.org, or leave it out.")
	}
	if err := opts.checkHook(); err != nil {
		return nil, err
	}
	opts.Poll = max(cmp.Or(opts.Poll, 50*time.Second), time.Second)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	t := &Telegram{
		opts: opts, base: opts.URL + "/bot" + token + "/", files: opts.URL + "/file/bot" + token + "/", wire: newDoer(opts.HTTP, token),
		gate: newGate(cmp.Or(opts.Rate, defaultRate)), log: opts.Log, door: chathook.Door{Refusals: chathook.Refusals{Log: opts.Log}},
		health: errStarted, moved: map[int64]int64{},
	}
	api, err := bot.New(token, bot.WithServerURL(opts.URL), bot.WithHTTPClient(opts.Poll, t.wire), bot.WithSkipGetMe(), bot.WithErrorsHandler(t.libraryError))
	if err != nil {
		return nil, refuse("the bot cannot be set up", "")
	}
	t.api = api
	return t, nil
}

func refuse(text, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: "telegram", Err: errors.New(text), Hint: hint}
}

// libraryError takes what the library cannot return: bodies that it fails to close.
func (t *Telegram) libraryError(err error) {
	t.log.Debug("telegram library", zap.String("error", t.wire.scrub(err.Error())))
}

// Name is "telegram".
func (t *Telegram) Name() string { return "telegram" }

// Check asks the service whether it takes the credentials. Nothing is changed there.
func (t *Telegram) Check(ctx context.Context) error {
	_, err := t.api.GetMe(ctx)
	return fail("getMe", err)
}

// Health is nil while the bot receives; else it says why it does not.
func (t *Telegram) Health() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.health
}

func (t *Telegram) setHealth(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.health = err
}

func (t *Telegram) me() identity {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.self
}
