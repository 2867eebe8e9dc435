package wecom_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/wecom"
	"github.com/akitad/akitad/channels/wecom/wecomtest"
)

func body(s string) io.ReadCloser { return io.NopCloser(strings.NewReader(s)) }

func connect(t *testing.T, s *wecomtest.Server, opts wecom.Options) *wecom.WeCom {
	t.Helper()
	opts.URL, opts.HTTP = wecomtest.URL, s.Client()
	w, err := wecom.New(s.App, opts)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// hear runs the channel, lets it be called, and gives what was handed over, and the codes.
func hear(t *testing.T, w *wecom.WeCom, calls ...*http.Request) (got []akitad.Message, codes []int, bodies []string) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		var mu sync.Mutex
		go func() {
			ended <- w.Run(ctx, func(_ context.Context, m akitad.Message) error {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, m)
				return nil
			})
		}()
		synctest.Wait()
		for _, r := range calls {
			rec := httptest.NewRecorder()
			w.Hook().ServeHTTP(rec, r)
			codes, bodies = append(codes, rec.Code), append(bodies, rec.Body.String())
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return got, codes, bodies
}

// now is the time in a bubble.
var now = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

func TestNewRefuses(t *testing.T) {
	for name, change := range map[string]func(*wecom.App, *wecom.Options){
		"no company":      func(a *wecom.App, _ *wecom.Options) { a.CorpID = "" },
		"no secret":       func(a *wecom.App, _ *wecom.Options) { a.Secret = "" },
		"no agent":        func(a *wecom.App, _ *wecom.Options) { a.AgentID = "my app" },
		"no token":        func(a *wecom.App, _ *wecom.Options) { a.Token = "" },
		"a short key":     func(a *wecom.App, _ *wecom.Options) { a.AESKey = "abc" },
		"a key with junk": func(a *wecom.App, _ *wecom.Options) { a.AESKey = strings.Repeat("?", 43) },
		"no URL":          func(_ *wecom.App, o *wecom.Options) { o.URL = "qyapi" },
	} {
		app, opts := wecomtest.New().App, wecom.Options{}
		change(&app, &opts)
		var e *akitad.Error
		if _, err := wecom.New(app, opts); !errors.As(err, &e) || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestCheckOfTheAddress(t *testing.T) {
	s := wecomtest.New()
	sealed := s.Seal([]byte("1616140317555161061"), s.App.CorpID)
	q := s.Query(sealed, now)
	q.Set("echostr", sealed)
	good := httptest.NewRequest(http.MethodGet, "/hooks/wecom?"+q.Encode(), nil)
	q.Set("msg_signature", "0000")
	bad := httptest.NewRequest(http.MethodGet, "/hooks/wecom?"+q.Encode(), nil)
	_, codes, bodies := hear(t, connect(t, s, wecom.Options{}), good, bad)
	if codes[0] != 200 || bodies[0] != "1616140317555161061" || codes[1] != 403 {
		t.Errorf("%v %q", codes, bodies)
	}
}

func TestEvents(t *testing.T) {
	s := wecomtest.New()
	for _, tt := range []struct{ name, xml, text, file string }{
		{"text", `<MsgType>text</MsgType><Content><![CDATA[a < b & "c"]]></Content>`, `a < b & "c"`, ""},
		{"picture", `<MsgType>image</MsgType><PicUrl>http://x</PicUrl><MediaId>m1</MediaId>`, "", "image.jpg photo m1"},
		{"voice", `<MsgType>voice</MsgType><MediaId>m2</MediaId><Format>amr</Format>`, "", "voice.amr voice m2"},
		{"voice of another format", `<MsgType>voice</MsgType><MediaId>m2</MediaId><Format>../x</Format>`, "", "voice.amr voice m2"},
		{"video", `<MsgType>video</MsgType><MediaId>m3</MediaId><ThumbMediaId>m4</ThumbMediaId>`, "", "video.mp4  m3"},
		{"file", `<MsgType>file</MsgType><MediaId>m5</MediaId><Title>../a b.pdf</Title><FileTotalLen>12</FileTotalLen>`, "", "a b.pdf  m5"},
		{"place", `<MsgType>location</MsgType><Location_X>23.1</Location_X><Location_Y>113.2</Location_Y><Scale>15</Scale><Label>a hill</Label>`, "[location a hill 23.1,113.2]", ""},
		{"page", `<MsgType>link</MsgType><Title>T</Title><Description>D</Description><Url>https://example.com</Url>`, "T https://example.com D", ""},
		{"unknown", `<MsgType>hologram</MsgType>`, "[hologram]", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			raw := `<xml><ToUserName>c</ToUserName><FromUserName>anna</FromUserName><CreateTime>1348831860</CreateTime><MsgId>99</MsgId><AgentID>1000002</AgentID>` + tt.xml + `</xml>`
			got, codes, bodies := hear(t, connect(t, s, wecom.Options{}), s.CallText([]byte(raw), now))
			if len(got) != 1 || codes[0] != 200 || bodies[0] != "" {
				t.Fatalf("%+v %v %q", got, codes, bodies)
			}
			m, file := got[0], ""
			if len(m.Files) > 0 {
				file = fmt.Sprintf("%s %s %s", m.Files[0].Name, m.Files[0].Kind, m.Files[0].Remote)
			}
			if m.ID != "wc:99" || m.Text != tt.text || file != tt.file || m.Origin.Chat != "anna" || m.Origin.Sender != "anna" || m.At.Unix() != 1348831860 {
				t.Errorf("%+v file %q", m, file)
			}
		})
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	s := wecomtest.New()
	for name, raw := range map[string]string{
		"coming in":           `<xml><FromUserName>anna</FromUserName><MsgType>event</MsgType><Event>enter_agent</Event><AgentID>1000002</AgentID></xml>`,
		"subscribing":         `<xml><FromUserName>anna</FromUserName><MsgType>event</MsgType><Event>subscribe</Event></xml>`,
		"another application": `<xml><FromUserName>anna</FromUserName><MsgType>text</MsgType><MsgId>1</MsgId><AgentID>7</AgentID></xml>`,
		"nobody":              `<xml><MsgType>text</MsgType><MsgId>1</MsgId></xml>`,
		"no id":               `<xml><FromUserName>anna</FromUserName><MsgType>text</MsgType></xml>`,
		"a press on nothing":  `<xml><FromUserName>anna</FromUserName><MsgType>event</MsgType><Event>template_card_event</Event></xml>`,
		"no XML":              `hello`,
	} {
		t.Run(name, func(t *testing.T) {
			got, codes, _ := hear(t, connect(t, s, wecom.Options{}), s.CallText([]byte(raw), now))
			if len(got) != 0 || codes[0] != 200 {
				t.Errorf("%+v %v", got, codes)
			}
		})
	}
}

func answer(to, text string) akitad.Delivery {
	return akitad.Delivery{Reply: akitad.Reply{Origin: akitad.Origin{Channel: "wecom", Chat: to, Sender: to}, Text: text}}
}

func TestErrorsByKind(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*wecomtest.Server)
		to   string
		kind akitad.Kind
		hint string
	}{
		{"an address that is not trusted", func(s *wecomtest.Server) { s.Distrust() }, "anna", akitad.Auth, "trusted addresses"},
		{"a wrong secret", func(s *wecomtest.Server) { s.App.Secret = "another" }, "anna", akitad.Auth, "WECOM_SECRET"},
		{"a wrong company", func(s *wecomtest.Server) { s.App.CorpID = "another" }, "anna", akitad.Auth, "WECOM_CORP_ID"},
		{"a person who is not in sight", func(*wecomtest.Server) {}, "stranger", akitad.PermissionDenied, "visible range"},
		{"no permission", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Code: 48002}) }, "anna", akitad.Auth, "permissions"},
		{"a bad request", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Code: 40058, Times: -1}) }, "anna", akitad.InvalidRequest, ""},
		{"a server that is down", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Status: 502}) }, "anna", akitad.Overloaded, ""},
		{"a proxy that wants a login", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Status: 407}) }, "anna", akitad.Overloaded, ""},
		{"a service that is busy for long", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Code: -1, Times: 3}) }, "anna", akitad.Overloaded, ""},
		{"no token to be had", func(s *wecomtest.Server) { s.Fail(wecomtest.Fault{Path: "/cgi-bin/gettoken", Status: 500, Times: 3}) }, "anna", akitad.Overloaded, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := wecomtest.New()
				w := connect(t, s, wecom.Options{})
				tt.do(s)
				_, err := w.Final(t.Context(), answer(tt.to, "hi"))
				e, _ := errors.AsType[*akitad.Error](err)
				if akitad.KindOf(err) != tt.kind || e == nil || !strings.Contains(e.Hint, tt.hint) {
					t.Errorf("%v (%s), want %s", err, akitad.KindOf(err), tt.kind)
				}
				if err != nil && (strings.Contains(err.Error(), "wecom-test-secret") || strings.Contains(err.Error(), "192.0.2.1")) {
					t.Errorf("the error tells too much: %v", err)
				}
			})
		})
	}
}

func TestTokenIsKeptAndFetchedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{Rate: -1})
		send := func(want int) {
			t.Helper()
			if _, err := w.Final(t.Context(), answer("anna", "hi")); err != nil || s.Tokens() != want {
				t.Errorf("%v after %d tokens, want %d", err, s.Tokens(), want)
			}
		}
		send(1)
		send(1)
		s.Expire()
		send(2)
		time.Sleep(2 * time.Hour)
		send(3)
		s.Fail(wecomtest.Fault{Code: 40014, Times: 2}) // refused again: no third try
		if _, err := w.Final(t.Context(), answer("anna", "hi")); akitad.KindOf(err) != akitad.Auth || s.Tokens() != 4 {
			t.Errorf("%v after %d tokens", err, s.Tokens())
		}
	})
}

func TestPlaceholderIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{})
		d := answer("anna", "**done**")
		id, err := w.Placeholder(t.Context(), d.Reply.Origin, "received", "")
		if err != nil {
			t.Fatal(err)
		}
		d.Message = id
		if _, err := w.Final(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		all := s.Chat("anna")
		if len(all) != 2 || !all[0].Gone || !strings.Contains(all[1].Text, "done") || all[1].Gone {
			t.Errorf("%+v", all)
		}
	})
}

func TestOwnRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{})
		began := time.Now()
		for range 30 {
			if _, err := w.Final(t.Context(), answer("anna", "hi")); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < time.Minute {
			t.Errorf("a person got 30 messages in %v: WeCom drops more than 30 a minute", took)
		}
	})
}

func TestManyButtonsAndLongQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{Rate: -1})
		d := answer("anna", strings.Repeat("a long question. ", 60))
		for i := range 8 {
			d.Choices = append(d.Choices, akitad.Choice{ID: fmt.Sprint(i), Label: fmt.Sprint("choice ", i)})
		}
		ids, err := w.Final(t.Context(), d)
		if err != nil {
			t.Fatal(err)
		}
		var labels []string
		all := s.Chat("anna")
		for _, m := range all {
			for _, b := range m.Buttons {
				labels = append(labels, b.Text)
			}
		}
		if len(ids) != len(all) || len(labels) != 8 || labels[7] != "choice 7" || len(all[0].Buttons) != 0 {
			t.Errorf("%d ids, %+v", len(ids), all)
		}
	})
}

func TestSmallAndLargeFiles(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		data := map[string]string{"one.txt": "1", "large.bin": strings.Repeat("x", 20<<20+1), "big.png": strings.Repeat("x", 10<<20+1)}
		w := connect(t, s, wecom.Options{Rate: -1, Open: func(_ context.Context, f akitad.File) (io.ReadCloser, error) { return body(data[f.Name]), nil }})
		kinds := []akitad.Kind{}
		for _, name := range []string{"one.txt", "large.bin", "big.png"} {
			d := answer("anna", "x")
			d.From, d.Reply.Files = 1, []akitad.File{{Name: name}}
			_, err := w.Final(t.Context(), d)
			kinds = append(kinds, akitad.KindOf(err))
		}
		all := s.Chat("anna")
		if !slices.Equal(kinds, []akitad.Kind{"", akitad.InvalidRequest, ""}) || len(all) != 2 || all[0].File.Bytes[0] != '1' || all[1].Type != "file" {
			t.Errorf("%q %d messages", kinds, len(all))
		}
	})
}

func TestFetchErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{})
		for remote, want := range map[string]akitad.Kind{"": akitad.NotFound, "gone": akitad.NotFound} {
			if _, err := w.Fetch(t.Context(), akitad.Origin{}, akitad.File{Remote: remote}); akitad.KindOf(err) != want {
				t.Errorf("%q: %v (%s)", remote, err, akitad.KindOf(err))
			}
		}
		id := s.Keep("answer.json", []byte(`{"errcode":40007}`)) // a file that looks like an error
		s.Expire()
		got, err := w.Fetch(t.Context(), akitad.Origin{}, akitad.File{Remote: id})
		if err != nil {
			t.Fatal(err)
		}
		defer got.Close()
		if data, err := io.ReadAll(got); err != nil || string(data) != `{"errcode":40007}` {
			t.Errorf("%q %v", data, err)
		}
	})
}

// When three persons' messages are refused at once, it is the application that sends too much.
func TestRateOfTheApplication(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := wecomtest.New()
		w := connect(t, s, wecom.Options{Pause: 7 * time.Second})
		var all errgroup.Group
		for who, code := range map[string]int64{"anna": 45009, "boris": 45011, "carl": 45033} {
			s.Fail(wecomtest.Fault{Code: code, To: who, Times: 1})
			all.Go(func() error { _, err := w.Final(t.Context(), answer(who, "hi")); return err })
		}
		synctest.Wait()
		began := time.Now()
		if _, err := w.Final(t.Context(), answer("dora", "hi")); err != nil || time.Since(began) < 6*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := all.Wait(); err != nil {
			t.Error(err)
		}
	})
}
