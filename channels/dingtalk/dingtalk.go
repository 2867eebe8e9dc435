// Package dingtalk connects one robot of a DingTalk company application: the service calls it with what
// people write, and it answers by the service's API, never by an address that came with a call. It
// does not know what a task is, and decides nothing about who may talk.
package dingtalk

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// Name is the channel's name in origins and configuration.
const Name = "dingtalk"

// Options tune a DingTalk; the zero Options work.
type Options struct {
	URL    string // of the API; default https://api.dingtalk.com
	OldURL string // of the API that takes files; default https://oapi.dingtalk.com, or URL if that is another one
	Robot  string // the robot's code; default the application's id, which it is for robots of applications
	// Rate is how many messages the robot sends a second: 0 means 10. Less than 0 is no limit of ours,
	// also not of the 20 a minute in one chat.
	Rate    float64
	Timeout time.Duration // for one request, default 30 s; for a file ten times that
	Retry   time.Duration // the first pause after an error that passes, default 1 s
	Pause   time.Duration // how long a chat is left alone after a refusal for sending too much, default 20 s
	HTTP    *http.Client  // default one of its own
	Log     *zap.Logger   // default silent

	// Open reads a file that goes with an answer. Nil means that files are not sent.
	Open func(ctx context.Context, file akitad.File) (io.ReadCloser, error)
}

// DingTalk is one robot. Its methods may be called by many goroutines at once; Run only once.
type DingTalk struct {
	app    string
	secret string
	opts   Options
	door   chathook.Door
	token  *chathook.Token
	gate   *pace.Gate
	log    *zap.Logger
}

// Addresses of DingTalk's two APIs.
const (
	apiURL = "https://api.dingtalk.com"
	oldURL = "https://oapi.dingtalk.com"
)

// DingTalk takes 20 messages a minute from a robot in one group.
const (
	chatRate  = 1.0 / 3
	chatBurst = 5
)

// New makes the robot of an application, by the application's id (AppKey) and secret. Empty ones are
// refused: the secret is also what calls are signed with.
func New(appID, secret string, opts Options) (*DingTalk, error) {
	if appID == "" || secret == "" {
		return nil, refuse("the application's id or secret is empty", "Set DINGTALK_APP_ID and DINGTALK_APP_SECRET.")
	}
	opts.URL = cmp.Or(opts.URL, apiURL)
	if opts.OldURL == "" && strings.TrimRight(opts.URL, "/") == apiURL {
		opts.OldURL = oldURL
	}
	opts.OldURL = cmp.Or(opts.OldURL, opts.URL)
	for _, at := range []*string{&opts.URL, &opts.OldURL} {
		*at = strings.TrimRight(*at, "/")
		if !chatsend.Web(*at) {
			return nil, refuse("the URL of the API is none", "Set DINGTALK_BASE_URL to something like https://api.dingtalk.com, or leave it out.")
		}
	}
	opts.Robot = cmp.Or(opts.Robot, appID)
	opts.Rate = cmp.Or(opts.Rate, 10)
	opts.Timeout = cmp.Or(opts.Timeout, 30*time.Second)
	opts.Retry = cmp.Or(opts.Retry, time.Second)
	opts.Pause = cmp.Or(opts.Pause, 20*time.Second)
	opts.HTTP = cmp.Or(opts.HTTP, &http.Client{})
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	d := &DingTalk{app: appID, secret: secret, opts: opts, log: opts.Log}
	d.gate = pace.New(pace.Options{Rate: opts.Rate, Burst: 5, ChatRate: min(opts.Rate, chatRate), ChatBurst: chatBurst})
	d.door.Log = opts.Log
	d.token = chathook.NewToken(d.fetchToken)
	return d, nil
}

func refuse(text, hint string) error {
	return &akitad.Error{Kind: akitad.InvalidRequest, Op: Name, Err: errors.New(text), Hint: hint}
}

// Check asks the service whether it takes the credentials. Nothing is changed there.
func (d *DingTalk) Check(ctx context.Context) error {
	_, err := d.token.Get(ctx)
	return fail("access token", err)
}

// Name is "dingtalk".
func (d *DingTalk) Name() string { return Name }

// SendsApart says that a file and the words that go with it come as two messages.
func (d *DingTalk) SendsApart() {}

// Run hands over what people write, as long as ctx lasts.
func (d *DingTalk) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	return d.door.Run(ctx, receive)
}

// Health is nil while calls are taken. Whether DingTalk calls at all cannot be known.
func (d *DingTalk) Health() error { return d.door.Health() }
