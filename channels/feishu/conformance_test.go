package feishu_test

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// quick is a ladder of redeliveries for tests.
var quick = slices.Repeat([]time.Duration{200 * time.Millisecond}, 100)

// service is the fake as the conformance suite drives it.
type service struct {
	*feishutest.Server
	client *http.Client
	hook   *hookOf // of the channel that runs; nil: the long connection
}

// hookOf passes events on to the channel of the moment.
type hookOf struct{ now http.Handler }

func (h *hookOf) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.now.ServeHTTP(w, r) }

// dialled is a Feishu that its service does not call.
type dialled struct {
	channels.Channel
	channels.Fetcher
	channels.Asker
	channels.Companion
	channels.Prober
}

func (s *service) options(open channeltest.Open) feishu.Options {
	return feishu.Options{URL: s.URL, Rate: -1, HTTP: s.client, Open: open, EncryptKey: s.EncryptKey, VerifyToken: s.VerifyToken}
}

func (s *service) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	s.alone(tb)
	f, err := feishu.New(s.AppID, s.Secret, s.options(open))
	if err != nil {
		tb.Fatal(err)
	}
	return dialled{f, f, f, f, f}
}

// alone breaks the connections of the channel before and waits until the service has noticed: what it writes
// into one whose other end has gone comes again, but behind what was said later.
func (s *service) alone(tb testing.TB) {
	tb.Helper()
	s.Drop()
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	if err := s.Wait(ctx, func() bool { return s.Connected() == 0 }); err != nil {
		tb.Fatal("the channel before left a connection:", err)
	}
}

func said(what channeltest.Said) feishutest.Said {
	out := feishutest.Said{
		From: what.From, Chat: what.Chat, Text: what.Text, Thread: what.Thread, ReplyTo: what.ReplyTo, Mention: what.Mention,
		MentionAll: what.MentionAll, Bot: what.Bot,
	}
	if what.Odd {
		out.Type, out.Raw = "hologram", `{"key":"v"}`
	}
	for _, f := range what.Files {
		kind := map[akitad.FileKind]string{akitad.FilePhoto: "image", akitad.FileVoice: "audio"}[f.Kind]
		out.File = &feishutest.Upload{Kind: kind, Name: f.Name, Bytes: f.Bytes}
	}
	return out
}

func (s *service) Say(what channeltest.Said) (string, func()) {
	id := s.Server.Say(said(what))
	return id, func() { s.Again(id, said(what)) }
}

func (s *service) Press(from, chat, message, label string) {
	s.Server.Press(from, chat, message, label)
}

func (s *service) Chat(chat string) (out []channeltest.Message) {
	for _, m := range s.Server.Chat(chat) {
		one := channeltest.Message{ID: m.ID, Bot: m.Bot, Text: m.Text, ReplyTo: m.Parent, Thread: m.Thread}
		if m.File != nil {
			one.File = &channeltest.File{Name: m.File.Name, Bytes: m.File.Bytes}
		}
		for _, b := range m.Buttons {
			one.Buttons = append(one.Buttons, b.Label)
		}
		out = append(out, one)
	}
	return out
}

func (s *service) Fail(f channeltest.Fault) bool {
	one := feishutest.Fault{Chat: f.Chat, Times: f.Times}
	switch f.Kind {
	case channeltest.Limited:
		one.Code, one.Reset = 230020, int(f.Wait.Seconds())
	case channeltest.Broken:
		one.Code, one.Status = 2200, http.StatusInternalServerError
	case channeltest.Cut:
		one.Drop, one.Apply = true, true
	case channeltest.Hanging:
		one.Hang = true
	case channeltest.Refused:
		one.Code, one.Formatted = 230099, true
	case channeltest.Gone:
		one.Code = 230002
	case channeltest.Deaf:
		if s.hook != nil {
			return false
		}
		s.Server.Fail(feishutest.Fault{Method: "endpoint", Status: http.StatusBadGateway, Times: f.Times})
		s.Drop()
		return true
	}
	s.Server.Fail(one)
	return true
}

func setup() channeltest.Setup {
	return channeltest.Setup{
		Start: func(tb testing.TB) channeltest.Service {
			return &service{Server: feishutest.Start(tb, feishutest.Options{Ladder: quick, Ping: 1})}
		},
		Direct: func(tb testing.TB) channeltest.Service {
			s, client := feishutest.Direct(tb, feishutest.Options{Ladder: quick})
			return &service{Server: s, client: client}
		},
		People: [2]string{"ou_anna", "ou_boris"}, Group: "oc_group", Thread: "omt_topic", Secrets: []string{"fake-app-secret", "t-fake", "ticket-of-"},
		Redelivers: true, Replies: true, Edits: true, Keys: true, FilesIn: true, FilesOut: true, Markup: true, Announces: true,
	}
}

func TestConformance(t *testing.T) { channeltest.Run(t, setup()) }

// In real time, and by sockets, too.
func TestConformanceBySockets(t *testing.T) {
	s := setup()
	s.Direct = nil
	channeltest.Run(t, s)
}

// called is the service that calls the channel.
type called struct{ *service }

func (c called) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	opts := c.options(open)
	opts.Mode = feishu.ModeWebhook
	f, err := feishu.New(c.AppID, c.Secret, opts)
	if err != nil {
		tb.Fatal(err)
	}
	c.hook.now = f.Hook()
	return f
}

func (c called) Call(what channeltest.Said) *http.Request {
	return c.Request(c.Event(said(what)), time.Now())
}

func (c called) Forged(what channeltest.Said) map[string]*http.Request {
	body := c.Event(said(what))
	edited := func(edit func(*http.Request)) *http.Request {
		r := c.Request(body, time.Now())
		edit(r)
		return r
	}
	return map[string]*http.Request{
		"no signature":    edited(func(r *http.Request) { r.Header.Del("X-Lark-Signature") }),
		"a wrong one":     edited(func(r *http.Request) { r.Header.Set("X-Lark-Signature", feishutest.Sign("1", "n", "another key", nil)) }),
		"another's nonce": edited(func(r *http.Request) { r.Header.Set("X-Lark-Request-Nonce", "other") }),
		"an old time":     c.Request(body, time.Now().Add(-61*time.Minute)),
		"a time to come":  c.Request(body, time.Now().Add(61*time.Minute)),
	}
}

func TestConformanceOfWebhook(t *testing.T) {
	s := setup()
	start := func(opts feishutest.Options) (feishutest.Options, *hookOf) {
		h := &hookOf{now: http.NotFoundHandler()}
		opts.Hook, opts.Ladder = h, quick
		return opts, h
	}
	s.Start = func(tb testing.TB) channeltest.Service {
		opts, h := start(feishutest.Options{})
		return called{&service{Server: feishutest.Start(tb, opts), hook: h}}
	}
	s.Direct = func(tb testing.TB) channeltest.Service {
		opts, h := start(feishutest.Options{})
		server, client := feishutest.Direct(tb, opts)
		return called{&service{Server: server, client: client, hook: h}}
	}
	channeltest.Run(t, s)
}
