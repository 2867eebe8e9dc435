package channels_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/channels/dingtalk/dingtalktest"
	"github.com/akitad/akitad/channels/feishu"
	"github.com/akitad/akitad/channels/feishu/feishutest"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/channels/onebot/onebottest"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/channels/wecom/wecomtest"
)

// refuser is a chat service that refuses texts for reasons that nobody has told.
type refuser struct {
	channels.Channel
	to     akitad.Origin
	markup string                                   // is in what a formatted text is sent as
	refuse func(n int, when func(text string) bool) // by the nth reason, every text that when says
	shown  func() []string                          // what the bot's messages say, in order
}

// refusals is how many reasons there are of each service.
const refusals = 25

func unclearTelegram(t *testing.T) refuser {
	srv := telegramtest.Start(t, telegramtest.Options{})
	srv.Say(7, 0, "hi", telegramtest.Said{})
	ch := must(telegram.New(srv.Token, telegram.Options{URL: srv.URL, Rate: -1}))(t)
	codes := []int{400, 400, 400, 400, 400, 402, 403, 405, 406, 413, 414, 418, 422, 431, 451}
	words := []string{"Bad Request: MESSAGE_WEIRD", "Bad Request: wrong vibes", "Bad Request: can't parse quantum entity", "Bad Request: TEXT_DISLIKED", "", "Forbidden: this text is not nice"}
	return refuser{
		ch,
		akitad.Origin{Channel: "telegram", Chat: "7"},
		"<b>",
		func(n int, when func(string) bool) {
			srv.Fail(telegramtest.Fault{Texts: true, Code: codes[n%len(codes)], Description: words[n%len(words)], Times: -1, When: when})
		},
		func() []string { return textsOf(srv.FromBot(7), func(m telegramtest.Message) string { return m.Text }) },
	}
}

func unclearFeishu(t *testing.T) refuser {
	srv := feishutest.Start(t, feishutest.Options{})
	ch := must(feishu.New(srv.AppID, srv.Secret, feishu.Options{URL: srv.URL, Rate: -1}))(t)
	srv.Say(feishutest.Said{From: "ou_7", Text: "hi"})
	chat := feishutest.Private("ou_7")
	return refuser{
		ch,
		akitad.Origin{Channel: "feishu", Chat: chat},
		"markdown",
		func(n int, when func(string) bool) {
			f := feishutest.Fault{Code: 231000 + 17*n, Msg: fmt.Sprint("reason ", n), Status: []int{200, 400, 403, 404, 413}[n%5], Times: -1, When: when}
			if n%7 == 6 { // something on the way refuses it
				f.Code, f.Status, f.Body = 0, 403, "<html>no</html>"
			}
			srv.Fail(f)
		},
		func() []string {
			return textsOf(srv.FromBot(chat), func(m feishutest.Message) string { return m.Text })
		},
	}
}

func unclearDingTalk(t *testing.T) refuser {
	srv := dingtalktest.New()
	ch := must(dingtalk.New(srv.AppID, srv.Secret, dingtalk.Options{URL: dingtalktest.URL, HTTP: srv.Client(), Rate: -1, Retry: time.Millisecond}))(t)
	return refuser{
		ch,
		akitad.Origin{Channel: "dingtalk", Chat: "anna"},
		"**",
		func(n int, when func(string) bool) {
			srv.Fail(dingtalktest.Fault{Status: []int{400, 403, 404, 406, 413, 422}[n%6], Code: fmt.Sprint("Strange.Reason", n), Times: -1, When: when})
		},
		func() []string {
			return textsOf(srv.Chat("anna"), func(m dingtalktest.Message) string { return m.Text })
		},
	}
}

func unclearWeCom(t *testing.T) refuser {
	srv := wecomtest.New()
	ch := must(wecom.New(srv.App, wecom.Options{URL: wecomtest.URL, HTTP: srv.Client(), Rate: -1, Retry: time.Millisecond}))(t)
	return refuser{
		ch,
		akitad.Origin{Channel: "wecom", Chat: "anna"},
		"**",
		func(n int, when func(string) bool) {
			f := wecomtest.Fault{Code: int64(44000 + 113*n), Times: -1, When: when}
			if n%5 == 4 { // something on the way refuses it
				f = wecomtest.Fault{Status: []int{403, 406, 413, 422, 451}[n/5], Times: -1, When: when}
			}
			srv.Fail(f)
		},
		func() []string { return textsOf(srv.Chat("anna"), func(m wecomtest.Message) string { return m.Text }) },
	}
}

func unclearOneBot(t *testing.T) refuser {
	srv := onebottest.Start(t, onebottest.Options{})
	ch := must(onebot.New(srv.Token, onebot.Options{URL: srv.URL, Rate: -1, Retry: time.Millisecond}))(t)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- ch.Run(ctx, func(context.Context, akitad.Message) error { return nil }) }()
	t.Cleanup(func() { cancel(); <-ended })
	return refuser{
		ch,
		akitad.Origin{Channel: "onebot", Chat: "user:7"},
		`"reply"`,
		func(n int, when func(string) bool) {
			srv.Fail(onebottest.Fault{Sends: true, Code: []int{100, 102, 110, 120, 1200, 1404000, 34, -1, 299, 10_003}[n%10] + n/10*7, Times: -1, When: when})
		},
		func() []string {
			return textsOf(srv.Chat("user:7"), func(m onebottest.Message) string { return m.Text })
		},
	}
}

func must[C channels.Channel](ch C, err error) func(*testing.T) C {
	return func(t *testing.T) C {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return ch
	}
}

func textsOf[M any](all []M, text func(M) string) (out []string) {
	for _, m := range all {
		out = append(out, text(m))
	}
	return out
}

var numbered = regexp.MustCompile(`w\d{4}`)

// No word of an answer is lost when a service refuses it and nobody knows why: it comes without markup, in pieces, or,
// where one word is what is refused, with a line in the place of what stands around it.
func TestUnclearRefusalsLoseNoWords(t *testing.T) {
	var answer strings.Builder
	var all []string
	for i := range 300 {
		all = append(all, fmt.Sprintf("w%04d", i))
		fmt.Fprintf(&answer, "**%s** ", all[i])
		if i%50 == 49 {
			answer.WriteString("\n\n")
		}
	}
	const line = "SOMETHING IS NOT SHOWN"
	cases := []struct {
		what  string
		when  func(text string) bool
		least int // words that are shown
		lines int
		fails bool
	}{
		{"markup", nil, 300, 0, false},
		{"one word", func(text string) bool { return strings.Contains(text, "w0122") }, 200, 1, false},
		{"length", func(text string) bool { return len(numbered.FindAllString(text, -1)) > 90 }, 300, 0, false},
		{"all texts", func(string) bool { return true }, 0, 0, true},
		{"all but the line", func(text string) bool { return !strings.Contains(text, line) }, 0, 1, false},
	}
	for name, open := range map[string]func(*testing.T) refuser{
		"telegram": unclearTelegram, "feishu": unclearFeishu, "dingtalk": unclearDingTalk, "wecom": unclearWeCom, "onebot": unclearOneBot,
	} {
		t.Run(name, func(t *testing.T) {
			for n := range refusals {
				tt := cases[n%len(cases)]
				what := tt.what
				r := open(t)
				if tt.when == nil {
					tt.when = func(text string) bool { return strings.Contains(text, r.markup) }
				}
				r.refuse(n, tt.when)
				amended := 0
				d := akitad.Delivery{
					Reply: akitad.Reply{Task: "t_1", Origin: r.to, Text: answer.String()}, Unshown: line, Amended: func(akitad.Amendment) { amended++ },
				}
				ctx, cancel := context.WithTimeout(t.Context(), patience)
				_, err := r.Final(ctx, d)
				cancel()
				shown := strings.Join(r.shown(), "\n")
				words := numbered.FindAllString(shown, -1)
				if tt.fails != (err != nil) || err != nil && akitad.KindOf(err).Temporary() {
					t.Fatalf("reason %d refuses %s: %v", n, what, err)
				}
				if got := strings.Count(shown, line); len(words) < tt.least || !slices.IsSorted(words) || got != tt.lines || len(slices.Compact(words)) != len(words) {
					t.Errorf("reason %d refuses %s: %d words, %d lines, want %d and %d, each once, in order: %.300s", n, what, len(words), got, tt.least, tt.lines, shown)
				}
				if amended == 0 && r.markup != `"reply"` {
					t.Errorf("reason %d refuses %s: nothing is on record", n, what)
				}
			}
		})
	}
}
