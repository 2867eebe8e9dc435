package onebot_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/channels/onebot/onebottest"
)

// rig is an account whose program is a fake.
type rig struct {
	*onebot.OneBot
	t    *testing.T
	p    *onebottest.Program
	hook string
	got  chan akitad.Message
}

func fast() onebot.Options {
	return onebot.Options{Rate: -1, Retry: 5 * time.Millisecond, Timeout: patience}
}

// connect runs an account in reverse mode; nothing is connected yet.
func connect(t *testing.T, po onebottest.Options, opts onebot.Options) *rig {
	t.Helper()
	p := onebottest.Start(t, po)
	if opts.URL == "program" {
		opts.URL = p.URL
	}
	o, err := onebot.New(p.Token, opts)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{OneBot: o, t: t, p: p, got: make(chan akitad.Message, 100)}
	r.hook = onebottest.Serve(t, o.Hook())
	return r
}

func (r *rig) run(receive func(context.Context, akitad.Message) error) *rig {
	if receive == nil {
		receive = func(_ context.Context, m akitad.Message) error { r.got <- m; return nil }
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx, receive) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			r.t.Errorf("Run = %v", err)
		}
	})
	r.until("Run to begin", func() bool { err := r.Health(); return err == nil || err.Error() != "has not started" })
	return r
}

// until polls what no event tells of.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for ctx := soon(r.t); !ok(); {
		select {
		case <-tick.C:
		case <-ctx.Done():
			r.t.Fatalf("waited in vain for %s; health: %v", what, r.Health())
		}
	}
}

// join connects the program and waits until it counts.
func (r *rig) join(roles ...string) *rig {
	r.t.Helper()
	for _, role := range roles {
		if err := r.p.Connect(soon(r.t), r.hook, role); err != nil {
			r.t.Fatal(err)
		}
	}
	r.until("a healthy connection", func() bool { return r.Health() == nil })
	return r
}

func (r *rig) next() akitad.Message {
	r.t.Helper()
	select {
	case m := <-r.got:
		return m
	case <-time.After(patience):
		r.t.Fatal("no message came")
		return akitad.Message{}
	}
}

// meet gives the origin of a message of person 7.
func (r *rig) meet(group string) akitad.Origin {
	r.t.Helper()
	r.p.Say("7", group, onebottest.At(r.p.Self), onebottest.Text(" hello"))
	return r.next().Origin
}

func (r *rig) answer(to akitad.Origin, placeholder, text string) ([]string, error) {
	return r.Final(soon(r.t), akitad.Delivery{Message: placeholder, Reply: akitad.Reply{Origin: to, Text: text}})
}

func TestNewRefuses(t *testing.T) {
	for name, make := range map[string]func() error{
		"no token":     func() error { _, err := onebot.New(" ", onebot.Options{}); return err },
		"no address":   func() error { _, err := onebot.New("t", onebot.Options{URL: "://"}); return err },
		"other scheme": func() error { _, err := onebot.New("t", onebot.Options{URL: "ftp://host"}); return err },
	} {
		var e *akitad.Error
		if err := make(); !errors.As(err, &e) || e.Kind != akitad.InvalidRequest || e.Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhoMayConnect(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast())
	bearer := func(token string) http.Header {
		return http.Header{"Authorization": {token}, "X-Self-Id": {r.p.Self}, "X-Client-Role": {"Universal"}}
	}
	if err := r.p.ConnectWith(soon(t), r.hook, bearer("Bearer "+r.p.Token)); err == nil || !strings.Contains(err.Error(), "status 503") {
		t.Errorf("before Run: %v", err)
	}
	r.run(nil)
	for _, tt := range []struct {
		name, url string
		header    http.Header
		want      string
	}{
		{"no token", r.hook, http.Header{}, "status 401"},
		{"wrong token", r.hook, bearer("Bearer nope"), "status 403"},
		{"a token of another form", r.hook, bearer("Basic " + r.p.Token), "status 401"},
		{"wrong token in the query", r.hook + "?access_token=nope", http.Header{}, "status 403"},
		{"token in the query", r.hook + "?access_token=" + r.p.Token, http.Header{"X-Self-Id": {r.p.Self}}, ""},
		{"Token", r.hook, bearer("Token " + r.p.Token), ""},
		{"another account", r.hook, http.Header{"Authorization": {"Bearer " + r.p.Token}, "X-Self-Id": {"66"}}, "status 409"},
		{"a page of another site", r.hook + "?access_token=" + r.p.Token, http.Header{"Origin": {"https://evil.example"}}, "status 403"},
	} {
		err := r.p.ConnectWith(soon(t), tt.url, tt.header)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		r.until("the connection to count", func() bool { return tt.want != "" || r.Health() == nil })
	}
	resp, err := http.Get("http" + strings.TrimPrefix(r.hook, "ws") + "?access_token=" + r.p.Token)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusUpgradeRequired {
		t.Errorf("a call that is no WebSocket is answered %d", resp.StatusCode)
	}
}

func TestTwoConnections(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil)
	if err := r.p.Connect(soon(t), r.hook, "Event"); err != nil {
		t.Fatal(err)
	}
	r.until("events alone", func() bool { err := r.Health(); return err != nil && strings.Contains(err.Error(), "takes no actions") })
	r.join("API")
	to := r.meet("99")
	if _, err := r.answer(to, "", "hi"); err != nil || len(r.p.Chat("99")) != 2 {
		t.Errorf("%v %+v", err, r.p.Chat("99"))
	}
}

func TestANewerConnectionTakesThePlace(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	r.join("Universal")
	r.until("the old one to end", func() bool { return r.p.Connections() == 1 })
	to := r.meet("")
	if _, err := r.answer(to, "", "hi"); err != nil {
		t.Error(err)
	}
}

func TestHalfOpenConnectionsAreGivenUp(t *testing.T) {
	opts := fast()
	opts.Ping = 50 * time.Millisecond
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	r.p.Silence()
	r.until("the connection to be given up", func() bool { return r.Health() != nil })
}

func TestMissingSignsOfLife(t *testing.T) {
	opts := fast()
	opts.Ping = 50 * time.Millisecond
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	beat := r.p.Beat(true)
	beat["interval"] = 1
	r.p.Push(beat)
	r.until("the connection to be given up", func() bool { return r.Health() != nil })
}

func TestOfflineAccount(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	r.p.Push(r.p.Beat(false))
	r.until("it to be told", func() bool { err := r.Health(); return err != nil && strings.Contains(err.Error(), "offline") })
	r.p.Push(r.p.Beat(true))
	r.until("it to be over", func() bool { return r.Health() == nil })
}

func TestForward(t *testing.T) {
	opts := fast()
	opts.URL = "program"
	r := connect(t, onebottest.Options{}, opts).run(nil)
	r.until("a connection", func() bool { return r.Health() == nil })
	r.p.Cut()
	r.until("a second connection", func() bool { return r.p.Opened() == 2 && r.p.Connections() == 1 })
	to := r.meet("")
	if _, err := r.answer(to, "", "hi"); err != nil {
		t.Error(err)
	}
	if err := r.p.Connect(soon(t), r.hook, "Universal"); err == nil || !strings.Contains(err.Error(), "status 404") {
		t.Errorf("the hook in forward mode: %v", err)
	}
}

func TestForwardWithAWrongToken(t *testing.T) {
	p := onebottest.Start(t, onebottest.Options{})
	opts := fast()
	opts.URL = p.URL
	o, err := onebot.New("wrong", opts)
	if err != nil {
		t.Fatal(err)
	}
	r := (&rig{OneBot: o, t: t, p: p}).run(nil)
	r.until("the refusal", func() bool { return akitad.KindOf(r.Health()) == akitad.Auth })
	if strings.Contains(r.Health().Error(), "wrong") {
		t.Errorf("the token is shown: %v", r.Health())
	}
}

// An address may have secrets in its query: no error shows it.
func TestAddressesAreNotShown(t *testing.T) {
	opts := fast()
	opts.URL = "ws://127.0.0.1:1/?access_token=hidden-token"
	o, err := onebot.New("hidden-token", opts)
	if err != nil {
		t.Fatal(err)
	}
	r := (&rig{OneBot: o, t: t}).run(nil)
	r.until("a failure", func() bool { return akitad.KindOf(r.Health()) == akitad.Transport })
	_, failed := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal").
		Fetch(soon(t), akitad.Origin{}, akitad.File{Remote: `{"k":"record","u":"http://127.0.0.1:1/x?rkey=hidden-token"}`})
	for _, err := range []error{r.Health(), failed} {
		if err == nil || strings.Contains(err.Error(), "hidden-token") || !strings.Contains(err.Error(), "127.0.0.1:1") {
			t.Errorf("the error is %v", err)
		}
	}
}

func TestPlaceholderIsTakenBack(t *testing.T) {
	for _, stays := range []bool{false, true} {
		t.Run(fmt.Sprint(stays), func(t *testing.T) {
			r := connect(t, onebottest.Options{Recall: stays}, fast()).run(nil).join("Universal")
			to := r.meet("99")
			id, err := r.Placeholder(soon(t), to, "received", "")
			if err != nil {
				t.Fatal(err)
			}
			if err := r.Progress(soon(t), to, id, "step 1"); err != nil {
				t.Error(err)
			}
			if _, err := r.answer(to, id, "**done**"); err != nil {
				t.Fatal(err)
			}
			all := r.p.Chat("99")
			if len(all) != 3 || all[1].Gone == stays || all[2].Text != "done" || all[2].ReplyTo != to.Message || all[1].ReplyTo != to.Message {
				t.Errorf("%+v", all)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	for _, tt := range []struct {
		name  string
		fault onebottest.Fault
		kind  akitad.Kind
		texts []string
	}{
		{"one that passes", onebottest.Fault{Sends: true, Code: 1200}, "", []string{"🔁 hi"}},
		{"one of another code that passes", onebottest.Fault{Sends: true, Code: 120, Times: 2}, "", []string{"hi"}},
		{"muted", onebottest.Fault{Sends: true, Code: 120, Times: -1}, akitad.PermissionDenied, nil},
		{"bad parameters", onebottest.Fault{Sends: true, Code: 1400, Times: -1}, akitad.InvalidRequest, nil},
		{"not logged in", onebottest.Fault{Sends: true, Code: 1403, Times: -1}, akitad.Auth, nil},
		{"later", onebottest.Fault{Sends: true, Async: true, Apply: true}, "", []string{"hi"}},
		{"cut before", onebottest.Fault{Sends: true, Cut: true}, akitad.Transport, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
			to := r.meet("99")
			r.p.Fail(tt.fault)
			ids, err := r.answer(to, "", "hi")
			if akitad.KindOf(err) != tt.kind || len(ids) != len(tt.texts) || slices.Contains(ids, "") {
				t.Errorf("%q, %v (%s)", ids, err, akitad.KindOf(err))
			}
			var texts []string
			for _, m := range r.p.Chat("99")[1:] {
				texts = append(texts, m.Text)
			}
			if !slices.Equal(texts, tt.texts) {
				t.Errorf("the chat has %q, want %q", texts, tt.texts)
			}
		})
	}
}

func TestTimeOut(t *testing.T) {
	opts := fast()
	opts.Timeout = 50 * time.Millisecond
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	to := r.meet("99")
	r.p.Fail(onebottest.Fault{Sends: true, Hang: true})
	if _, err := r.answer(to, "", "hi"); akitad.KindOf(err) != akitad.Timeout {
		t.Errorf("%v (%s)", err, akitad.KindOf(err))
	}
}

func TestAnswersInAnyOrder(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	to := r.meet("")
	r.p.Fail(onebottest.Fault{Sends: true, Delay: 200 * time.Millisecond})
	slow := make(chan []string, 1)
	go func() {
		ids, _ := r.answer(to, "", "slow")
		slow <- ids
	}()
	if err := r.p.Wait(soon(t), func() bool { return len(r.p.Calls("send_private_msg")) == 1 }); err != nil {
		t.Fatal(err)
	}
	quick, err := r.answer(to, "", "quick")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, m := range r.p.Chat("user:7") {
		texts[m.ID] = m.Text
	}
	if got := <-slow; len(got) != 1 || texts[got[0]] != "slow" || texts[quick[0]] != "quick" {
		t.Errorf("slow %q quick %q in %v", got, quick, texts)
	}
}

// A part is announced only when it can leave: without a connection nothing may have arrived.
func TestNothingIsAnnouncedWithoutAConnection(t *testing.T) {
	opts := fast()
	opts.Timeout = 20 * time.Millisecond
	r := connect(t, onebottest.Options{}, opts).run(nil)
	announced := false
	_, err := r.Final(soon(t), akitad.Delivery{
		Reply:  akitad.Reply{Origin: akitad.Origin{Chat: "user:7"}, Text: "hi"},
		Before: func(context.Context, int) error { announced = true; return nil },
	})
	if akitad.KindOf(err) != akitad.Transport || announced {
		t.Errorf("%v, announced %v", err, announced)
	}
}

func TestAStrangerIsAnsweredThroughTheGroup(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	r.p.SayAs("7", "", map[string]any{"sub_type": "group", "sender": map[string]any{"nickname": "Anna", "group_id": 99}}, onebottest.Text("hello"))
	if _, err := r.answer(r.next().Origin, "", "hi"); err != nil {
		t.Fatal(err)
	}
	if all := r.p.Chat("user:7"); len(all) != 2 || all[1].Through != "99" {
		t.Errorf("%+v", all)
	}
}

func TestReplyToAnUnknownMessageIsLookedUp(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	to := r.meet("99")
	ids, err := r.answer(to, "", "mine")
	if err != nil {
		t.Fatal(err)
	}
	again := connect(t, onebottest.Options{}, fast()) // knows nothing of what was sent
	again.p = r.p
	again.run(nil).join("Universal")
	r.p.Say("8", "99", onebottest.Reply(ids[0]), onebottest.Text("and?"))
	r.p.Say("8", "99", onebottest.Reply(to.Message), onebottest.Text("and?"))
	r.p.Say("8", "99", onebottest.Reply("404404"), onebottest.Text("and?"))
	for i, want := range []bool{true, false, false} {
		if m := again.next(); m.Addressed != want {
			t.Errorf("reply %d: addressed %v, want %v", i, m.Addressed, want)
		}
	}
	if n := len(r.p.Calls("get_msg")); n != 3 && n != 4 { // the first account looks the unknown one up too
		t.Errorf("%d look-ups, want 3 or 4", n)
	}
}

// A look-up that is not answered holds up its own chat, in order, and no other.
func TestALookUpHoldsUpItsChatAlone(t *testing.T) {
	opts := fast()
	opts.Timeout = 3 * patience // a third of it is a look-up's
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	r.p.Fail(onebottest.Fault{Action: "get_msg", Hang: true})
	r.p.Say("8", "99", onebottest.Reply("404404"), onebottest.Text("who was that"))
	r.p.Say("8", "99", onebottest.At(r.p.Self), onebottest.Text(" behind it"))
	r.until("the look-up", func() bool { return len(r.p.Calls("get_msg")) == 1 })
	for i := range 20 {
		r.p.Say(fmt.Sprint(100+i), "", onebottest.Text("another chat"))
	}
	for range 20 {
		if m := r.next(); m.Text != "another chat" {
			t.Errorf("%q came", m.Text)
		}
	}
	r.p.Cut() // which ends the look-up
	r.join("Universal")
	for _, want := range []string{"who was that", "behind it"} {
		if m := r.next(); m.Text != want {
			t.Errorf("%q came, want %q", m.Text, want)
		}
	}
}

func TestAFileIsToldOfOnce(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	r.p.Push(map[string]any{"post_type": "notice", "notice_type": "group_upload", "time": 1_800_000_000, "self_id": 10001, "group_id": 99, "user_id": 7, "file": map[string]any{"id": "/f1", "name": "a.txt", "size": 3, "busid": 102}})
	r.p.SayAs("7", "99", map[string]any{"time": 1_800_000_000}, onebottest.Segment{Type: "file", Data: map[string]any{"file": "a.txt", "file_id": "/f1"}})
	r.p.Say("7", "99", onebottest.Text("next"))
	if m := r.next(); len(m.Files) != 1 {
		t.Errorf("%+v", m)
	}
	if m := r.next(); m.Text != "next" {
		t.Errorf("told again: %+v", m)
	}
}

func TestFetch(t *testing.T) {
	opts := fast()
	opts.MaxFile = 100
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	r.p.Keep("small", []byte("small"))
	r.p.Keep("large", bytes.Repeat([]byte("x"), 101))
	for _, tt := range []struct {
		name, remote, want string
		kind               akitad.Kind
	}{
		{"by its address", `{"k":"image","u":"` + r.p.Files + `small"}`, "small", ""},
		{"by its name, when the address is gone", `{"k":"image","u":"` + r.p.Files + `gone","f":"small"}`, "small", ""},
		{"voice", `{"k":"record","f":"small"}`, "small", ""},
		{"a group's file", `{"k":"file","i":"small","g":"99","b":"102"}`, "small", ""},
		{"too large at its address", `{"k":"image","u":"` + r.p.Files + `large"}`, "", akitad.InvalidRequest},
		{"too large from the program", `{"k":"record","f":"large"}`, "", akitad.InvalidRequest},
		{"not there", `{"k":"file","i":"nothing"}`, "", akitad.NotFound},
		{"no file", `?`, "", akitad.InvalidRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body, err := r.Fetch(soon(t), akitad.Origin{}, akitad.File{Remote: tt.remote})
			var got []byte
			if err == nil {
				got, err = io.ReadAll(body)
				body.Close()
			}
			if string(got) != tt.want || akitad.KindOf(err) != tt.kind {
				t.Errorf("%q, %v (%s)", got, err, akitad.KindOf(err))
			}
		})
	}
	if _, err := r.Fetch(soon(t), akitad.Origin{}, akitad.File{Size: 101, Remote: `{"k":"image","f":"small"}`}); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("a file that says it is too large: %v", err)
	}
}

// A path that the program names is never opened, even if there is such a file here.
func TestNoPathIsOpened(t *testing.T) {
	r := connect(t, onebottest.Options{Old: true}, fast()).run(nil).join("Universal")
	r.p.Keep("small", []byte("small"))
	body, err := r.Fetch(soon(t), akitad.Origin{}, akitad.File{Remote: `{"k":"image","f":"small"}`})
	if err != nil {
		t.Fatal(err) // it gives an address too
	}
	body.Close()
	if _, err := r.Fetch(soon(t), akitad.Origin{}, akitad.File{Remote: `{"k":"image","f":"/etc/hostname","u":"file:///etc/hostname"}`}); err == nil {
		t.Error("a path was opened")
	}
}

func TestStickersVoiceAndRefusedFiles(t *testing.T) {
	opts := fast()
	opts.Open = func(_ context.Context, f akitad.File) (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("bytes of " + f.Name)), nil
	}
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	to := r.meet("99")
	_, err := r.Final(soon(t), akitad.Delivery{Reply: akitad.Reply{Origin: to, Text: "here", Files: []akitad.File{
		{Name: "s.webp", Kind: akitad.FileSticker}, {Name: "v.mp3", Kind: akitad.FileVoice}, {Name: "out/p.png"}, {Name: "out/t.csv"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range r.p.Chat("99")[2:] {
		f := m.Files[0]
		got = append(got, f.Kind+f.Sub+" "+f.Name+" "+string(f.Bytes))
	}
	want := []string{"image1  bytes of s.webp", "record  bytes of v.mp3", "image  bytes of out/p.png", "file t.csv bytes of out/t.csv"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	r.p.Fail(onebottest.Fault{Action: "upload_group_file", Code: 120, Times: -1})
	_, err = r.Final(soon(t), akitad.Delivery{From: 1, Reply: akitad.Reply{Origin: to, Text: "x", Files: []akitad.File{{Name: "t.csv"}}}})
	if akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("a refused file must not hold up what comes after it: %v (%s)", err, akitad.KindOf(err))
	}
}

func TestOwnRate(t *testing.T) {
	opts := fast()
	opts.Rate = 50
	r := connect(t, onebottest.Options{}, opts).run(nil).join("Universal")
	to := r.meet("99")
	began := time.Now()
	for range 5 { // a chat's burst is 3, and then one a second
		if _, err := r.answer(to, "", "hi"); err != nil {
			t.Fatal(err)
		}
	}
	if took := time.Since(began); took < 1900*time.Millisecond {
		t.Errorf("five messages to one chat went within %v", took)
	}
}

func TestTypingAndReceipts(t *testing.T) {
	for _, old := range []bool{false, true} {
		t.Run(fmt.Sprint(old), func(t *testing.T) {
			r := connect(t, onebottest.Options{Old: old}, fast()).run(nil)
			private, shared := akitad.Origin{Chat: "user:7", Message: "1"}, akitad.Origin{Chat: "99", Message: "1", Group: true}
			do := func() {
				t.Helper()
				for _, to := range []akitad.Origin{private, shared} {
					if err := errors.Join(r.Typing(soon(t), to), r.Receipt(soon(t), to)); err != nil {
						t.Error(err)
					}
				}
			}
			do() // without a connection nothing is waited for
			r.join("Universal")
			do()
			do()
			want := 2
			if old {
				want = 1 // a program that does not know the action is asked once
			}
			if a, b := len(r.p.Calls("set_input_status")), len(r.p.Calls("set_msg_emoji_like")); a != want || b != want {
				t.Errorf("%d and %d actions, want %d each", a, b, want)
			}
		})
	}
}

func TestForwardedMessagesAreRead(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	r.p.Forward("abc", []any{map[string]any{"sender": map[string]any{"nickname": "B"}, "message": "hi"}, map[string]any{"sender": map[string]any{"nickname": "C"}, "content": []any{onebottest.Text("yo")}}})
	for id, want := range map[string]string{"abc": "[forwarded messages]\nB: hi\nC: yo", "gone": "[forwarded messages]"} {
		r.p.Say("7", "", onebottest.Segment{Type: "forward", Data: map[string]any{"id": id}})
		if m := r.next(); m.Text != want {
			t.Errorf("%q, want %q", m.Text, want)
		}
	}
}

// A message that the person took back cannot be answered, but the answer arrives all the same.
func TestReplyToWhatIsGone(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast()).run(nil).join("Universal")
	to := r.meet("99")
	to.Message = "404404"
	if _, err := r.answer(to, "", "hi"); err != nil {
		t.Fatal(err)
	}
	if all := r.p.Chat("99"); len(all) != 2 || !strings.Contains(all[1].Text, "hi") || all[1].ReplyTo != "" {
		t.Errorf("%+v", all)
	}
}

// Nobody sends again what has arrived, so the end of Run hands it over.
func TestTheEndHandsOverWhatHasArrived(t *testing.T) {
	r := connect(t, onebottest.Options{}, fast())
	ctx, stop := context.WithCancel(t.Context())
	entered := make(chan struct{}, 10)
	var got []string
	ended := make(chan error, 1)
	go func() {
		ended <- r.Run(ctx, func(ctx context.Context, m akitad.Message) error {
			entered <- struct{}{}
			if len(entered) == 1 { // the first try of the first one lasts until the stop
				<-ctx.Done()
				return context.Cause(ctx)
			}
			got = append(got, m.Text)
			return nil
		})
	}()
	r.until("the start", func() bool { return r.Health() == nil || r.p.Connect(soon(t), r.hook, "Universal") == nil })
	for _, words := range []string{"a", "b", "c"} {
		r.p.Say("7", "", onebottest.Text(words))
	}
	r.until("the first message", func() bool { return len(entered) == 1 })
	to := akitad.Origin{Channel: "onebot", Chat: "user:7", Sender: "7"}
	if _, err := r.Placeholder(soon(t), to, "its answer comes behind the events", ""); err != nil {
		t.Fatal(err)
	}
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if !slices.Equal(got, []string{"a", "b", "c"}) {
		t.Errorf("handed over %q", got)
	}
}
