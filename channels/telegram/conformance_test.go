package telegram_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

func TestConformancePolling(t *testing.T) { channeltest.Run(t, setup(telegram.ModePoll)) }
func TestConformanceWebhook(t *testing.T) { channeltest.Run(t, setup(telegram.ModeWebhook)) }

func setup(mode string) channeltest.Setup {
	start := func(tb testing.TB) channeltest.Service {
		s := newService(tb, mode)
		if mode == telegram.ModeWebhook {
			return called{s}
		}
		return s
	}
	return channeltest.Setup{
		Start: start, Direct: start, People: [2]string{"7", "8"}, Group: "-1001234567890", Thread: "55", Secrets: []string{"test-token", secret},
		Redelivers: true, Names: true, Replies: true, Edits: true, Silent: true, FilesIn: true, FilesOut: true, Markup: true, Announces: true,
	}
}

// service is the fake Bot API as the suite drives it.
type service struct {
	*telegramtest.Server
	mode    string
	client  *http.Client
	bot     atomic.Pointer[telegram.Telegram] // that is called
	updates int64
}

func newService(tb testing.TB, mode string) *service {
	s := &service{mode: mode, updates: 1000}
	s.Server, s.client = telegramtest.Direct(telegramtest.Options{HTTP: &http.Client{Transport: s}})
	tb.Cleanup(s.Close)
	return s
}

// called is a service that calls the bot.
type called struct{ *service }

// polled is a bot without a hook.
type polled struct {
	channels.Channel
	channels.Companion
	channels.Fetcher
	channels.Asker
	channels.Prober
}

const hookURL = "http://hook.test/hooks/telegram"

// RoundTrip delivers to the bot's hook without a socket.
func (s *service) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	s.bot.Load().Hook().ServeHTTP(w, r)
	return w.Result(), nil // what the hook has answered has arrived
}

// Channel makes a bot.
func (s *service) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tg, err := telegram.New(s.Token, telegram.Options{
		URL: s.URL, HTTP: s.client, Rate: -1, Open: open, Poll: 5 * time.Second, Mode: s.mode, WebhookURL: hookURL, WebhookSecret: secret,
	})
	if err != nil {
		tb.Fatal(err)
	}
	s.bot.Store(tg)
	if s.mode == telegram.ModeWebhook {
		return tg
	}
	return polled{tg, tg, tg, tg, tg}
}

func id(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // of nothing: 0
	return n
}

// Say has somebody write.
func (s *service) Say(what channeltest.Said) (string, func()) {
	update := atomic.AddInt64(&s.updates, 1)
	said := telegramtest.Said{Thread: int(id(what.Thread)), ReplyTo: int(id(what.ReplyTo)), IsBot: what.Bot, UpdateID: update}
	text := what.Text
	switch {
	case what.Mention:
		text = "@akita_bot " + text
	case what.MentionAll:
		text = "@all " + text
	}
	if what.Odd {
		said.Extra = []byte(`{"telepathy":{"thought":1},"forward_origin":{"type":"dream"}}`)
	}
	for _, f := range what.Files {
		up := &telegramtest.Upload{Name: f.Name, Bytes: f.Bytes}
		switch f.Kind {
		case akitad.FilePhoto:
			said.Photo = up
		case akitad.FileVoice:
			said.Voice = up
		case akitad.FileSticker:
			said.Sticker = up
		default:
			said.File = up
		}
	}
	message := s.Server.Say(id(what.From), id(what.Chat), text, said)
	return strconv.Itoa(message), func() { s.Again(update) }
}

// Press has a button pressed.
func (s *service) Press(from, chat, message, label string) {
	for _, m := range s.Server.Chat(id(chat)) {
		for _, b := range slices.Concat(m.Buttons...) {
			if m.ID == int(id(message)) && b.Text == label {
				s.Server.Press(id(from), id(chat), m.ID, b.Data)
			}
		}
	}
}

// Chat gives what stands in a chat.
func (s *service) Chat(chat string) (out []channeltest.Message) {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	for _, m := range s.Server.Chat(id(chat)) {
		seen := channeltest.Message{ID: strconv.Itoa(m.ID), Bot: m.Bot, Text: m.Text, ReplyTo: number(m.ReplyTo), Thread: number(m.Thread), Silent: m.Silent}
		for _, b := range slices.Concat(m.Buttons...) {
			seen.Buttons = append(seen.Buttons, b.Text)
		}
		if m.File != nil {
			seen.File = &channeltest.File{Name: m.File.Name, Bytes: m.File.Bytes}
		}
		out = append(out, seen)
	}
	return out
}

// Fail orders trouble.
func (s *service) Fail(f channeltest.Fault) bool {
	fault := telegramtest.Fault{Texts: true, Chat: id(f.Chat), Times: f.Times}
	switch f.Kind {
	case channeltest.Limited:
		seconds := int(f.Wait / time.Second)
		fault.Code, fault.RetryAfter, fault.Description = 429, seconds, fmt.Sprint("Too Many Requests: retry after ", seconds)
	case channeltest.Broken:
		fault.Code, fault.Body = 502, "<html>Bad Gateway</html>"
	case channeltest.Cut:
		fault.Drop, fault.Apply = true, true
	case channeltest.Hanging:
		fault.Hang = true
	case channeltest.Refused:
		fault.Code, fault.Description = 400, "Bad Request: can't parse entities: Unsupported start tag"
	case channeltest.Gone:
		fault.Code, fault.Description = 403, "Forbidden: bot was blocked by the user"
	case channeltest.Deaf:
		if s.mode == telegram.ModeWebhook {
			return false
		}
		fault = telegramtest.Fault{Method: "getUpdates", Code: 502, Body: "<html>Bad Gateway</html>", Times: f.Times}
	default:
		return false
	}
	s.Server.Fail(fault)
	return true
}

// Call gives the request by which Telegram hands over what was said.
func (s called) Call(what channeltest.Said) *http.Request {
	update := atomic.AddInt64(&s.updates, 1)
	body := fmt.Sprintf(`{"update_id":%d,"message":{"message_id":%d,"date":1700000000,"from":{"id":%s},"chat":{"id":%s,"type":"private"},"text":%q}}`,
		update, update, what.From, what.From, what.Text)
	r := httptest.NewRequest(http.MethodPost, hookURL, strings.NewReader(body))
	r.Header.Set("X-Telegram-Bot-Api-Secret-Token", secret)
	return r
}

// Forged gives requests that Telegram did not make.
func (s called) Forged(what channeltest.Said) map[string]*http.Request {
	out := map[string]*http.Request{}
	for name, value := range map[string]string{"no secret": "", "another secret": "guess", "a part of the secret": secret[:3]} {
		out[name] = s.Call(what)
		out[name].Header.Set("X-Telegram-Bot-Api-Secret-Token", value)
	}
	return out
}
