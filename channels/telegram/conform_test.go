package telegram_test

import (
	"fmt"
	"net/http"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// TestChannel holds the bot to what every channel promises.
func TestChannel(t *testing.T) {
	channeltest.Run(t, channeltest.Setup{
		Start: func(tb testing.TB) channeltest.Service {
			client := &http.Client{Transport: &http.Transport{}}
			tb.Cleanup(client.CloseIdleConnections)
			return &service{api: telegramtest.Start(tb, telegramtest.Options{}), client: client}
		},
		Direct: func(testing.TB) channeltest.Service {
			api, client := telegramtest.Direct(telegramtest.Options{})
			return &service{api: api, client: client}
		},
		People: [2]string{"7", "8"}, Group: "-1000000000001", Thread: "5", Secrets: []string{"test-token"},
		Redelivers: true, Names: true, Replies: true, Edits: true, Silent: true, FilesIn: true, FilesOut: true, Markup: true, Announces: true,
	})
}

// service is the fake Bot API as the suite drives it.
type service struct {
	api    *telegramtest.Server
	client *http.Client
	odd    atomic.Int64
}

func (s *service) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	tg, err := telegram.New(s.api.Token, telegram.Options{URL: s.api.URL, Rate: -1, HTTP: s.client, Poll: 5 * time.Second, Open: open})
	if err != nil {
		tb.Fatal(err)
	}
	return tg
}

func (s *service) Say(what channeltest.Said) (message string, again func()) {
	from, chat := number(what.From), number(what.Chat)
	if what.Odd {
		_, err := s.api.Push(fmt.Sprintf(`{"message":{"message_id":%d,"date":1,"chat":{"id":%d,"type":"private"},"from":{"id":%[2]d,"first_name":"x"},"hologram":{"depth":3}}}`, 9000+s.odd.Add(1), from))
		if err != nil {
			panic(err)
		}
		return "", nil
	}
	opts := telegramtest.Said{Thread: int(number(what.Thread)), ReplyTo: int(number(what.ReplyTo)), IsBot: what.Bot}
	text := what.Text
	if what.Mention {
		text = "@akita_bot " + text
	}
	if what.MentionAll {
		text = "@all " + text
	}
	for _, f := range what.Files {
		up := &telegramtest.Upload{Name: f.Name, Bytes: f.Bytes}
		if f.Kind == akitad.FilePhoto {
			opts.Photo = up
		} else {
			opts.File = up
		}
	}
	return strconv.Itoa(s.api.Say(from, chat, text, opts)), nil
}

func number(text string) int64 {
	n, _ := strconv.ParseInt(text, 10, 64) // empty is none
	return n
}

func (s *service) Press(string, string, string, string) {}

func (s *service) Chat(chat string) (out []channeltest.Message) {
	for _, m := range s.api.Chat(number(chat)) {
		seen := channeltest.Message{ID: strconv.Itoa(m.ID), Bot: m.Bot, Text: m.Text, Silent: m.Silent}
		if m.ReplyTo != 0 {
			seen.ReplyTo = strconv.Itoa(m.ReplyTo)
		}
		if m.Thread != 0 {
			seen.Thread = strconv.Itoa(m.Thread)
		}
		if m.File != nil {
			seen.File = &channeltest.File{Name: m.File.Name, Bytes: m.File.Bytes}
		}
		out = append(out, seen)
	}
	return out
}

func (s *service) Fail(f channeltest.Fault) bool {
	fault, ok := map[channeltest.FaultKind]telegramtest.Fault{
		channeltest.Limited: {Code: 429, Description: "Too Many Requests", RetryAfter: int(f.Wait.Seconds())},
		channeltest.Broken:  {Code: 502, Body: "<html>bad gateway</html>"},
		channeltest.Cut:     {Drop: true, Apply: true},
		channeltest.Hanging: {Delay: 24 * time.Hour, Code: 500},
		channeltest.Refused: {Code: 400, Description: "Bad Request: can't parse entities: unsupported start tag"},
		channeltest.Gone:    {Code: 403, Description: "Forbidden: bot was blocked by the user"},
		channeltest.Deaf:    {Method: "getUpdates", Code: 502, Body: "<html>bad gateway</html>"},
	}[f.Kind]
	fault.Chat, fault.Times = number(f.Chat), f.Times
	if ok {
		s.api.Fail(fault)
	}
	return ok
}
