package dingtalk_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/channels/dingtalk/dingtalktest"
)

// stand is the fake service as the conformance suite drives it.
type stand struct {
	*dingtalktest.Server
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
			s := dingtalktest.New()
			web := httptest.NewServer(s)
			tb.Cleanup(web.Close)
			s.Base = web.URL
			return &stand{s, web.Client(), channeltest.NewTeller(tb)}
		},
		Direct: func(tb testing.TB) channeltest.Service {
			s := dingtalktest.New()
			return &stand{s, s.Client(), channeltest.NewTeller(tb)}
		},
		People: [2]string{"anna", "boris"}, Group: "cidGroup==",
		Secrets:    []string{"dingtalk-test-secret", "access-token"},
		Redelivers: true, Names: true, FilesIn: true, FilesOut: true, Announces: true,
	}
}

func (s *stand) push(e []byte) {
	s.teller.Tell(func() *http.Request { return s.Server.Call(e) })
}

func (s *stand) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	ch, err := dingtalk.New(s.AppID, s.Secret, dingtalk.Options{
		URL: s.Base, HTTP: s.client, Rate: -1, Retry: 10 * time.Millisecond, Pause: 2 * time.Second, Open: open,
	})
	if err != nil {
		tb.Fatal(err)
	}
	s.teller.Serve(ch.Hook())
	return ch
}

func (s *stand) event(what channeltest.Said) (event []byte, id string) {
	fields := map[string]any{}
	if what.Chat != "" && !what.Mention {
		fields["isInAtList"] = false
	}
	switch {
	case what.Bot:
		fields["senderId"] = "$:LWCP_v1:$robot"
	case what.Odd:
		fields["msgtype"] = "hologram"
	case len(what.Files) > 0:
		f := what.Files[0]
		code := s.Keep(f.Name, f.Bytes)
		fields["msgtype"], fields["content"] = "file", map[string]any{"downloadCode": code, "fileName": f.Name}
		if f.Kind == akitad.FilePhoto {
			fields["msgtype"], fields["content"] = "picture", map[string]any{"downloadCode": code}
		}
	}
	return s.Server.Say(what.From, what.Chat, what.Text, fields)
}

func (s *stand) Say(what channeltest.Said) (message string, again func()) {
	e, id := s.event(what)
	s.push(e)
	return id, func() { s.push(e) }
}

func (s *stand) Press(string, string, string, string) {}

func (s *stand) Chat(chat string) (out []channeltest.Message) {
	for _, m := range s.Server.Chat(chat) {
		if m.Gone {
			continue
		}
		seen := channeltest.Message{ID: m.ID, Bot: m.From == "", Text: m.Text}
		if m.File != nil {
			seen.File = &channeltest.File{Name: path.Base(m.File.Name), Bytes: m.File.Bytes}
		}
		out = append(out, seen)
	}
	return out
}

func (s *stand) Fail(f channeltest.Fault) bool {
	trouble := dingtalktest.Fault{Chat: f.Chat, Times: f.Times}
	switch f.Kind {
	case channeltest.Limited:
		trouble.Status, trouble.Code, trouble.Wait = 403, dingtalktest.Throttled, f.Wait
	case channeltest.Broken:
		trouble.Status, trouble.Code = 503, "ServiceUnavailable"
	case channeltest.Gone:
		trouble.Status, trouble.Code = 403, "robot.notInGroup"
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

func (s *stand) Call(what channeltest.Said) *http.Request {
	e, _ := s.event(what)
	return s.Server.Call(e)
}

func (s *stand) Forged(what channeltest.Said) map[string]*http.Request {
	with := func(change func(*http.Request)) *http.Request {
		r := s.Call(what)
		change(r)
		return r
	}
	e, _ := s.event(what)
	other, _ := s.Server.Say(what.From, what.Chat, what.Text, map[string]any{"robotCode": "another"})
	return map[string]*http.Request{
		"a wrong signature": with(func(r *http.Request) { r.Header.Set("sign", "AAAA") }),
		"no signature":      with(func(r *http.Request) { r.Header.Del("sign") }),
		"another time":      with(func(r *http.Request) { r.Header.Set("timestamp", "1700000000000") }),
		"no time":           with(func(r *http.Request) { r.Header.Del("timestamp") }),
		"an old time":       s.CallAt(e, time.Now().Add(-61*time.Minute)),
		"a future time":     s.CallAt(e, time.Now().Add(61*time.Minute)),
		"another robot":     s.Server.Call(other),
		"another method":    with(func(r *http.Request) { r.Method = http.MethodGet }),
		"no JSON":           s.Server.Call([]byte("hello")),
		"too much":          with(func(r *http.Request) { r.Body = io.NopCloser(strings.NewReader(strings.Repeat(" ", 2<<20))) }),
	}
}
