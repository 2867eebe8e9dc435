// Package wecom connects one application of WeCom (企业微信): the service calls it with what people
// write to the application, and it answers by the service's API. Such an application talks to each
// person alone: there are no groups, no edits and no replies to a message. It does not know what a
// task is, and decides nothing about who may talk.
package wecom

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// Name is the channel's name in origins and configuration.
const Name = "wecom"

// App is what WeCom's administration shows of an application. All of it is required.
type App struct {
	CorpID  string // of the company
	AgentID string // of the application, a number
	Secret  string // of the application
	AESKey  string // the EncodingAESKey of its callback, 43 letters
	Token   string // of its callback
}

// Options tune a WeCom; the zero Options work.
type Options struct {
	URL string // of the API, default https://qyapi.weixin.qq.com
	// Rate is how many messages the application sends a second: 0 means 10. Less than 0 is no limit of
	// ours, also not of the 30 a minute that a person gets before WeCom drops the rest without a word.
	Rate    float64
	Timeout time.Duration // for one request, default 30 s; for a file ten times that
	Retry   time.Duration // the first pause after an error that passes, default 1 s
	Pause   time.Duration // how long a chat is left alone after a refusal for sending too much, default 1 min
	HTTP    *http.Client  // default one of its own
	Log     *zap.Logger   // default silent

	// Open reads a file that goes with an answer. Nil means that files are not sent.
	Open func(ctx context.Context, file akitad.File) (io.ReadCloser, error)
}

// WeCom is one application. Its methods may be called by many goroutines at once; Run only once.
type WeCom struct {
	app   App
	agent int64
	opts  Options
	crypt *crypt
	door  chathook.Door
	token *chathook.Token
	gate  *pace.Gate
	log   *zap.Logger
}

// New makes the channel of an application. A part of it that is missing or cannot be is refused: with
// an empty token or key anybody could write in the name of others.
func New(app App, opts Options) (*WeCom, error) {
	agent, err := strconv.ParseInt(app.AgentID, 10, 64)
	switch {
	case app.CorpID == "" || app.Secret == "":
		return nil, refuse("the company's id or the application's secret is empty", "Set WECOM_CORP_ID and WECOM_SECRET.")
	case err != nil:
		return nil, refuse("the application's id is no number", "Set WECOM_AGENT_ID to the AgentId that WeCom's administration shows.")
	case app.Token == "":
		return nil, refuse("the callback's token is empty, so anyone could forge messages", "Set WECOM_TOKEN.")
	}
	c, err := newCrypt(app)
	if err != nil {
		return nil, refuse(err.Error(), "Set WECOM_AES_KEY to the EncodingAESKey of the application's callback: 43 letters.")
	}
	opts.URL = strings.TrimRight(cmp.Or(opts.URL, "https://qyapi.weixin.qq.com"), "/")
	if !chatsend.Web(opts.URL) {
		return nil, refuse("the URL of the API is none", "Set WECOM_BASE_URL to something like https://qyapi.weixin.qq.com, or leave it out.")
	}
	opts.Rate = cmp.Or(opts.Rate, 10)
	opts.Timeout = cmp.Or(opts.Timeout, 30*time.Second)
	opts.Retry = cmp.Or(opts.Retry, time.Second)
	opts.Pause = cmp.Or(opts.Pause, time.Minute)
	opts.HTTP = cmp.Or(opts.HTTP, &http.Client{})
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	w := &WeCom{app: app, agent: agent, opts: opts, crypt: c, log: opts.Log}
	w.gate = pace.New(pace.Options{Rate: opts.Rate, Burst: 5, ChatRate: min(opts.Rate, personRate), ChatBurst: personBurst})
	w.door.Log = opts.Log
	w.token = chathook.NewToken(w.fetchToken)
	return w, nil
}

// WeCom drops what a person is sent beyond 30 messages a minute.
const (
	personRate  = 0.4
	personBurst = 5
)

func refuse(text, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: Name, Err: errors.New(text), Hint: hint}
}

// Check asks the service whether it takes the credentials. Nothing is changed there.
func (w *WeCom) Check(ctx context.Context) error {
	_, err := w.token.Get(ctx)
	return fail("access token", err)
}

// Name is "wecom".
func (w *WeCom) Name() string { return Name }

// SendsApart says that a file and the words that go with it come as two messages.
func (w *WeCom) SendsApart() {}

// Run hands over what people write, as long as ctx lasts.
func (w *WeCom) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	return w.door.Run(ctx, receive)
}

// Health is nil while calls are taken. Whether WeCom calls at all cannot be known.
func (w *WeCom) Health() error { return w.door.Health() }
