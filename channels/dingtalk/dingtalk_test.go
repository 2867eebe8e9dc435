package dingtalk_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/dingtalk"
	"github.com/akitad/akitad/channels/dingtalk/dingtalktest"
)

func connect(t *testing.T, s *dingtalktest.Server, opts dingtalk.Options) *dingtalk.DingTalk {
	t.Helper()
	opts.URL, opts.HTTP = s.Base, s.Client()
	d, err := dingtalk.New(s.AppID, s.Secret, opts)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// hear runs the robot in a bubble, has it called with an event, and gives what was handed over.
func hear(t *testing.T, s *dingtalktest.Server, event func() []byte) (got []akitad.Message, code int) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, s, dingtalk.Options{})
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			ended <- d.Run(ctx, func(_ context.Context, m akitad.Message) error { got = append(got, m); return nil })
		}()
		synctest.Wait()
		rec := httptest.NewRecorder()
		d.Hook().ServeHTTP(rec, s.Call(event()))
		code = rec.Code
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return got, code
}

func TestNewRefuses(t *testing.T) {
	for name, make := range map[string]func() error{
		"no id":     func() error { _, err := dingtalk.New("", "s", dingtalk.Options{}); return err },
		"no secret": func() error { _, err := dingtalk.New("a", "", dingtalk.Options{}); return err },
		"no URL":    func() error { _, err := dingtalk.New("a", "s", dingtalk.Options{URL: "api"}); return err },
	} {
		var e *akitad.Error
		if err := make(); !errors.As(err, &e) || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bobs is a message of Bob's as it comes along with what answers it.
func bobs(kind string, content map[string]any) map[string]any {
	return map[string]any{"msgId": "m0", "msgType": kind, "senderId": "$:LWCP_v1:$bob", "senderNick": "Bob", "createdAt": 1, "content": content}
}

// answering has the fields of a text that answers Bob.
func answering(kind string, content map[string]any) map[string]any {
	return map[string]any{"text": map[string]any{"content": "what now?", "isReplyMsg": true, "repliedMsg": bobs(kind, content)}}
}

func TestEvents(t *testing.T) {
	for _, tt := range []struct {
		name, group string
		fields      map[string]any
		text, files string
		addressed   bool
	}{
		{"private", "", nil, "hi", "", true},
		{"in a group", "cidG", nil, "hi", "", true},
		{"in a group, not to the robot", "cidG", map[string]any{"isInAtList": false}, "hi", "", false},
		{"a reply to the robot", "cidG", map[string]any{"isInAtList": false, "text": map[string]any{"content": "and?", "isReplyMsg": true, "repliedMsg": map[string]any{"msgId": "m0", "senderId": "$:LWCP_v1:$robot"}}}, "and?", "", true},
		{"a reply to somebody", "", answering("text", map[string]any{"text": "The build is red.\nAgain."}), "what now?\n\n[in reply to Bob]\n> The build is red.\n> Again.", "", true},
		{"a reply to a rich text", "", answering("richText", map[string]any{"richText": []any{map[string]any{"text": "see"}, map[string]any{"type": "picture", "downloadCode": "c7"}}}), "what now?\n\n[in reply to Bob]\n> see", "image.jpg photo c7", true},
		{"a reply to a file", "cidG", answering("file", map[string]any{"fileName": "a.xlsx", "downloadCode": "c8"}), "what now?\n\n[in reply to Bob]", "a.xlsx  c8", true},
		{"a reply to what is not known", "", answering("hologram", map[string]any{"x": 1}), "what now?\n\n[in reply to Bob]\n> [hologram]", "", true},
		{"a reply by a picture", "", map[string]any{"msgtype": "picture", "content": map[string]any{"downloadCode": "c1", "isReplyMsg": true, "repliedMsg": bobs("text", map[string]any{"text": "which?"})}}, "[in reply to Bob]\n> which?", "image.jpg photo c1", true},
		{"a command as a reply", "", map[string]any{"text": map[string]any{"content": "/help", "repliedMsg": bobs("text", map[string]any{"text": "which?"})}}, "/help", "", true},
		{"a reply to somebody that is not to the robot", "cidG", map[string]any{"isInAtList": false, "text": map[string]any{"content": "yes", "repliedMsg": bobs("text", map[string]any{"text": "which?"})}}, "yes", "", false},
		{"a picture", "", map[string]any{"msgtype": "picture", "content": map[string]any{"downloadCode": "c1", "pictureDownloadCode": "c2"}}, "", "image.jpg photo c1", true},
		{"an old picture", "", map[string]any{"msgtype": "picture", "content": map[string]any{"pictureDownloadCode": "c2"}}, "", "image.jpg photo c2", true},
		{"content as a string", "", map[string]any{"msgtype": "picture", "content": `{"downloadCode":"c1"}`}, "", "image.jpg photo c1", true},
		{
			"rich text", "", map[string]any{"msgtype": "richText", "content": map[string]any{"richText": []any{
				map[string]any{"text": "look: "}, map[string]any{"type": "picture", "downloadCode": "c1"}, map[string]any{"text": "and"}, map[string]any{"type": "picture", "downloadCode": "c2"},
			}}}, "look: and", "image.jpg photo c1, image-2.jpg photo c2", true,
		},
		{"voice that was written down", "", map[string]any{"msgtype": "audio", "content": map[string]any{"downloadCode": "c1", "recognition": "good morning", "duration": 3000}}, "good morning", "", true},
		{"voice", "", map[string]any{"msgtype": "audio", "content": map[string]any{"downloadCode": "c1"}}, "", "voice.amr voice c1", true},
		{"video", "", map[string]any{"msgtype": "video", "content": map[string]any{"downloadCode": "c1", "videoType": "mp4", "duration": "1"}}, "", "video.mp4  c1", true},
		{"a file", "", map[string]any{"msgtype": "file", "content": map[string]any{"downloadCode": "c1", "fileName": "../../plan.pdf"}}, "", "plan.pdf  c1", true},
		{"unknown", "", map[string]any{"msgtype": "hologram", "content": 7}, "[hologram]", "", true},
		{"an odd field", "", map[string]any{"isAdmin": "?", "senderNick": "Nick anna", "isInAtList": "yes"}, "hi", "", true},
		{"a file without a code", "", map[string]any{"msgtype": "file"}, "[file]", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, id := dingtalktest.New(), ""
			got, code := hear(t, s, func() []byte {
				e, msg := s.Say("anna", tt.group, "hi", tt.fields)
				id = msg
				return e
			})
			if len(got) != 1 || code != 200 {
				t.Fatalf("%+v %d", got, code)
			}
			m, chat := got[0], "anna"
			if tt.group != "" {
				chat = tt.group
			}
			var files []string
			for _, f := range m.Files {
				files = append(files, fmt.Sprintf("%s %s %s", f.Name, f.Kind, f.Remote))
			}
			if m.ID != "dt:"+id || m.Text != tt.text || strings.Join(files, ", ") != tt.files || m.Addressed != tt.addressed {
				t.Errorf("%+v files %q", m, files)
			}
			o := m.Origin
			if o.Chat != chat || o.Sender != "anna" || o.Group != (tt.group != "") || o.Name != "Nick anna" || !slices.Equal(m.Aliases, []string{"$:LWCP_v1:$anna"}) || m.At.Year() != 2000 {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	for name, fields := range map[string]map[string]any{
		"its own":              {"senderId": "$:LWCP_v1:$robot"},
		"nobody":               {"senderId": "", "senderStaffId": ""},
		"no id":                {"msgId": ""},
		"another kind of chat": {"conversationType": "3"},
	} {
		t.Run(name, func(t *testing.T) {
			s := dingtalktest.New()
			got, code := hear(t, s, func() []byte { e, _ := s.Say("anna", "", "hi", fields); return e })
			if len(got) != 0 || code != 200 {
				t.Errorf("%+v %d", got, code)
			}
		})
	}
}

func answer(to akitad.Origin, text string) akitad.Delivery {
	return akitad.Delivery{Reply: akitad.Reply{Origin: to, Text: text}}
}

var (
	anna  = akitad.Origin{Channel: "dingtalk", Chat: "anna", Sender: "anna"}
	group = akitad.Origin{Channel: "dingtalk", Chat: "cidG", Sender: "anna", Group: true}
)

func TestErrorsByKind(t *testing.T) {
	for _, tt := range []struct {
		name string
		do   func(*dingtalktest.Server)
		to   akitad.Origin
		kind akitad.Kind
	}{
		{"a wrong secret", func(s *dingtalktest.Server) { s.Secret = "another" }, anna, akitad.Auth},
		{"no permission", func(s *dingtalktest.Server) {
			s.Fail(dingtalktest.Fault{Status: 403, Code: "Forbidden.AccessDenied.AccessTokenPermissionDenied"})
		}, anna, akitad.Auth},
		{"a person outside of the company", func(*dingtalktest.Server) {}, akitad.Origin{Chat: "$:LWCP_v1:$x"}, akitad.PermissionDenied},
		{"a group that the robot is not in", func(*dingtalktest.Server) {}, akitad.Origin{Chat: "cid-closed", Group: true}, akitad.PermissionDenied},
		{"a bad request", func(s *dingtalktest.Server) {
			s.Fail(dingtalktest.Fault{Status: 400, Code: "invalidParameter", Times: -1})
		}, anna, akitad.InvalidRequest},
		{"a server that is down", func(s *dingtalktest.Server) { s.Fail(dingtalktest.Fault{Status: 502}) }, anna, akitad.Overloaded},
		{"a proxy that wants a login", func(s *dingtalktest.Server) { s.Fail(dingtalktest.Fault{Status: 407}) }, anna, akitad.Overloaded},
		{"no token to be had", func(s *dingtalktest.Server) {
			s.Fail(dingtalktest.Fault{Path: "/v1.0/oauth2/accessToken", Status: 500, Times: 3})
		}, anna, akitad.Overloaded},
		{"no chat", func(*dingtalktest.Server) {}, akitad.Origin{Group: true}, akitad.InvalidRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := dingtalktest.New()
				d := connect(t, s, dingtalk.Options{})
				tt.do(s)
				_, err := d.Final(t.Context(), answer(tt.to, "hi"))
				if akitad.KindOf(err) != tt.kind {
					t.Errorf("%v (%s), want %s", err, akitad.KindOf(err), tt.kind)
				}
				if e, ok := errors.AsType[*akitad.Error](err); ok && e.Hint == "" && (tt.kind == akitad.Auth || tt.kind == akitad.PermissionDenied) {
					t.Errorf("no hint: %v", err)
				}
			})
		})
	}
}

func TestTokenIsKeptAndFetchedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := dingtalktest.New()
		opts := dingtalk.Options{Rate: -1, Open: func(context.Context, akitad.File) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("bytes")), nil
		}}
		d := connect(t, s, opts)
		send := func(del akitad.Delivery, want int) {
			t.Helper()
			if _, err := d.Final(t.Context(), del); err != nil || s.Tokens() != want {
				t.Errorf("%v after %d tokens, want %d", err, s.Tokens(), want)
			}
		}
		send(answer(anna, "hi"), 1)
		send(answer(group, "hi"), 1)
		s.Expire()
		send(answer(group, "hi"), 2)
		s.Expire() // the old API says so in its own way
		file := answer(anna, "x")
		file.From, file.Reply.Files = 1, []akitad.File{{Name: "a.txt"}}
		send(file, 3)
		s.Fail(dingtalktest.Fault{Status: 401, Code: "InvalidAuthentication", Times: 2}) // refused again: no third try
		if _, err := d.Final(t.Context(), answer(anna, "hi")); akitad.KindOf(err) != akitad.Auth || s.Tokens() != 4 {
			t.Errorf("%v after %d tokens", err, s.Tokens())
		}
	})
}

func TestPlaceholderIsTakenBack(t *testing.T) {
	for _, to := range []akitad.Origin{anna, group} {
		t.Run(to.Chat, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := dingtalktest.New()
				d := connect(t, s, dingtalk.Options{})
				id, err := d.Placeholder(t.Context(), to, "received", "")
				if err != nil {
					t.Fatal(err)
				}
				del := answer(to, "**done**")
				del.Message = id
				if _, err := d.Final(t.Context(), del); err != nil {
					t.Fatal(err)
				}
				if all := s.Chat(to.Chat); len(all) != 2 || !all[0].Gone || !strings.Contains(all[1].Text, "done") || all[1].Title == "" {
					t.Errorf("%+v", all)
				}
			})
		})
	}
}

// Calls carry an address for answers. Nothing goes there.
func TestTheAddressOfACallIsNotUsed(t *testing.T) {
	s := dingtalktest.New()
	var to akitad.Origin
	got, _ := hear(t, s, func() []byte { e, _ := s.Say("anna", "", "hi", nil); return e })
	to = got[0].Origin
	if strings.Contains(fmt.Sprintf("%+v", got[0]), "evil.example") {
		t.Errorf("the message has it: %+v", got[0])
	}
	synctest.Test(t, func(t *testing.T) {
		if _, err := connect(t, s, dingtalk.Options{}).Final(t.Context(), answer(to, "hello")); err != nil || len(s.Calls("/v1.0/robot/oToMessages/batchSend")) != 1 {
			t.Errorf("%v", err)
		}
	})
}

func TestOwnRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, dingtalktest.New(), dingtalk.Options{})
		began := time.Now()
		for range 26 {
			if _, err := d.Final(t.Context(), answer(group, "hi")); err != nil {
				t.Fatal(err)
			}
		}
		if took := time.Since(began); took < time.Minute {
			t.Errorf("a group got 26 messages in %v", took)
		}
	})
}

func TestFlowControl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := dingtalktest.New()
		d := connect(t, s, dingtalk.Options{Pause: 7 * time.Second})
		s.Fail(dingtalktest.Fault{Status: 429, Times: 2})
		began := time.Now()
		if _, err := d.Final(t.Context(), answer(anna, "hi")); err != nil || time.Since(began) < 14*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}

func TestFilesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := dingtalktest.New()
		data := map[string]string{"p.png": "png", "LICENSE": "text", "large.bin": strings.Repeat("x", 20<<20+1)}
		d := connect(t, s, dingtalk.Options{Rate: -1, Open: func(_ context.Context, f akitad.File) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(data[f.Name])), nil
		}})
		var kinds []akitad.Kind
		for _, name := range []string{"p.png", "LICENSE", "large.bin"} {
			del := answer(anna, "x")
			del.From, del.Reply.Files = 1, []akitad.File{{Name: name}}
			_, err := d.Final(t.Context(), del)
			kinds = append(kinds, akitad.KindOf(err))
		}
		s.Fail(dingtalktest.Fault{Path: "/media/upload", Old: 40009})
		del := answer(anna, "x")
		del.From, del.Reply.Files = 1, []akitad.File{{Name: "LICENSE"}}
		_, err := d.Final(t.Context(), del)
		kinds = append(kinds, akitad.KindOf(err))
		if all := s.Chat("anna"); !slices.Equal(kinds, []akitad.Kind{"", "", akitad.InvalidRequest, akitad.InvalidRequest}) || len(all) != 2 || all[1].File.Name != "LICENSE" {
			t.Errorf("%q %d messages", kinds, len(all))
		}
	})
}

func TestFetchErrors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := connect(t, dingtalktest.New(), dingtalk.Options{})
		for _, remote := range []string{"", "expired", "gone"} {
			if _, err := d.Fetch(t.Context(), akitad.Origin{}, akitad.File{Remote: remote}); akitad.KindOf(err) != akitad.NotFound {
				t.Errorf("%q: %v (%s)", remote, err, akitad.KindOf(err))
			}
		}
	})
}

// When three chats are refused at once, it is the robot that sends too much.
func TestFlowControlOfTheRobot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := dingtalktest.New()
		d := connect(t, s, dingtalk.Options{Pause: 7 * time.Second})
		var all errgroup.Group
		for _, who := range []string{"anna", "boris", "carl"} {
			s.Fail(dingtalktest.Fault{Status: 429, Chat: who, Times: 1})
			all.Go(func() error {
				_, err := d.Final(t.Context(), answer(akitad.Origin{Channel: "dingtalk", Chat: who, Sender: who}, "hi"))
				return err
			})
		}
		synctest.Wait()
		began := time.Now()
		if _, err := d.Final(t.Context(), answer(akitad.Origin{Channel: "dingtalk", Chat: "dora", Sender: "dora"}, "hi")); err != nil || time.Since(began) < 6*time.Second {
			t.Errorf("%v after %v", err, time.Since(began))
		}
		if err := all.Wait(); err != nil {
			t.Error(err)
		}
	})
}
