package wecom_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/channels/wecom/wecomtest"
)

// stand is the fake service as the conformance suite drives it.
type stand struct {
	*wecomtest.Server
	url    string
	client *http.Client
	teller *channeltest.Teller
}

func TestConformance(t *testing.T) { channeltest.Run(t, setup()) }

func TestConformanceOverSockets(t *testing.T) {
	s := setup()
	s.Direct = nil
	channeltest.Run(t, s)
}

func setup() channeltest.Setup {
	return channeltest.Setup{
		Start: func(tb testing.TB) channeltest.Service {
			s := wecomtest.New()
			web := httptest.NewServer(s)
			tb.Cleanup(web.Close)
			return &stand{s, web.URL, web.Client(), channeltest.NewTeller(tb)}
		},
		Direct: func(tb testing.TB) channeltest.Service {
			s := wecomtest.New()
			return &stand{s, wecomtest.URL, s.Client(), channeltest.NewTeller(tb)}
		},
		People:     [2]string{"anna", "boris"},
		Secrets:    []string{"wecom-test-secret", "access-token", "wecom-callback-token"},
		Redelivers: true, FilesIn: true, FilesOut: true, Announces: true,
	}
}

func (s *stand) push(e wecomtest.Event) {
	s.teller.Tell(func() *http.Request { return s.Server.Call(e) })
}

func (s *stand) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	ch, err := wecom.New(s.App, wecom.Options{
		URL: s.url, HTTP: s.client, Rate: -1, Retry: 10 * time.Millisecond, Pause: 2 * time.Second, Open: open,
	})
	if err != nil {
		tb.Fatal(err)
	}
	s.teller.Serve(ch.Hook())
	return ch
}

func (s *stand) event(what channeltest.Said) wecomtest.Event {
	switch {
	case what.Bot: // there are none; this is told of who comes in
		e := s.SayEvent(what.From, wecomtest.Event{Type: "event", Event: "enter_agent"})
		return e
	case what.Odd:
		return s.SayEvent(what.From, wecomtest.Event{Type: "hologram"})
	case len(what.Files) > 0:
		f := what.Files[0]
		e := wecomtest.Event{Type: "file", Title: f.Name, Size: len(f.Bytes), MediaID: s.Keep(f.Name, f.Bytes)}
		if f.Kind == akitad.FilePhoto {
			e.Type, e.Title = "image", ""
		}
		return s.SayEvent(what.From, e)
	}
	return s.Server.Say(what.From, what.Text)
}

func (s *stand) Say(what channeltest.Said) (message string, again func()) {
	e := s.event(what)
	s.push(e)
	return e.ID, func() { s.push(e) }
}

func (s *stand) Press(from, _, message, label string) {
	if e, ok := s.Server.Press(from, message, label); ok {
		s.push(e)
	}
}

func (s *stand) Chat(chat string) (out []channeltest.Message) {
	for _, m := range s.Server.Chat(chat) {
		if m.Gone {
			continue
		}
		seen := channeltest.Message{ID: m.ID, Bot: m.From == "", Text: m.Text}
		if m.File != nil {
			seen.File = &channeltest.File{Name: m.File.Name, Bytes: m.File.Bytes}
		}
		for _, b := range m.Buttons {
			seen.Buttons = append(seen.Buttons, b.Text)
		}
		out = append(out, seen)
	}
	return out
}

func (s *stand) Fail(f channeltest.Fault) bool {
	trouble := wecomtest.Fault{To: f.Chat, Times: f.Times}
	switch f.Kind {
	case channeltest.Limited:
		trouble.Code, trouble.Wait = 45009, f.Wait
	case channeltest.Broken:
		trouble.Code = -1
	case channeltest.Gone:
		trouble.Code = 81013
	case channeltest.Cut:
		trouble.Cut, trouble.Apply = true, true
	case channeltest.Hanging:
		trouble.Hang = true
	default:
		return false
	}
	s.Server.Fail(trouble)
	return true
}

func (s *stand) Call(what channeltest.Said) *http.Request { return s.Server.Call(s.event(what)) }

func (s *stand) Forged(what channeltest.Said) map[string]*http.Request {
	wrong := func(key, value string) *http.Request {
		r := s.Call(what)
		q := r.URL.Query()
		q.Set(key, value)
		r.URL.RawQuery = q.Encode()
		return r
	}
	other := httptest.NewRequest(http.MethodPost, "/hooks/wecom", nil)
	sealed := s.Seal([]byte("<xml><FromUserName>anna</FromUserName><MsgType>text</MsgType><MsgId>1</MsgId><Content>x</Content></xml>"), "wwothercorp")
	other.URL.RawQuery = s.Query(sealed, time.Now()).Encode()
	other.Body = body("<xml><Encrypt>" + sealed + "</Encrypt></xml>")
	bare := httptest.NewRequest(http.MethodPost, "/hooks/wecom?"+s.Query("", time.Now()).Encode(), strings.NewReader("<xml><FromUserName>anna</FromUserName></xml>"))
	large := s.Call(what)
	large.Body = body("<xml><Encrypt>" + strings.Repeat("A", 2<<20) + "</Encrypt></xml>")
	return map[string]*http.Request{
		"a wrong signature": wrong("msg_signature", strings.Repeat("0", 40)),
		"no signature":      wrong("msg_signature", ""),
		"another time":      wrong("timestamp", "1700000000"),
		"no time":           wrong("timestamp", "soon"),
		"another nonce":     wrong("nonce", "x"),
		"an old time":       s.CallText([]byte("<xml/>"), time.Now().Add(-time.Hour)),
		"a future time":     s.CallText([]byte("<xml/>"), time.Now().Add(time.Hour)),
		"another company":   other,
		"nothing sealed":    bare,
		"too much":          large,
		"no XML":            httptest.NewRequest(http.MethodPost, "/hooks/wecom", strings.NewReader("{}")),
		"another method":    httptest.NewRequest(http.MethodDelete, "/hooks/wecom", nil),
	}
}
