package telegram_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var (
	_ channels.Channel   = (*telegram.Telegram)(nil)
	_ channels.Companion = (*telegram.Telegram)(nil)
	_ channels.Fetcher   = (*telegram.Telegram)(nil)
	_ channels.Prober    = (*telegram.Telegram)(nil)
)

// rig is a bot that polls a fake Bot API.
type rig struct {
	*telegram.Telegram
	api  *telegramtest.Server
	logs *observer.ObservedLogs
	got  chan akitad.Message
	stop func() error // ends Run and gives its error
}

// connect makes a bot; opts get what is missing.
func connect(t *testing.T, api *telegramtest.Server, opts telegram.Options) *rig {
	t.Helper()
	core, logs := observer.New(zap.DebugLevel)
	opts.URL, opts.Log = api.URL, zap.New(core)
	if opts.Rate == 0 {
		opts.Rate = -1
	}
	if opts.Poll == 0 {
		opts.Poll = 5 * time.Second
	}
	tg, err := telegram.New(api.Token, opts)
	if err != nil {
		t.Fatal(err)
	}
	return &rig{Telegram: tg, api: api, logs: logs, got: make(chan akitad.Message, 100)}
}

// virtual gives a bot and its server to a bubble of virtual time.
func virtual(t *testing.T, rates telegramtest.Rates, opts telegram.Options) *rig {
	t.Helper()
	api, client := telegramtest.Direct(telegramtest.Options{Rates: rates})
	opts.HTTP = client
	return connect(t, api, opts)
}

// run starts polling; by default each message goes into got.
func (r *rig) run(t *testing.T, receive func(context.Context, akitad.Message) error) *rig {
	t.Helper()
	if receive == nil {
		receive = func(_ context.Context, m akitad.Message) error { r.got <- m; return nil }
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx, receive) }()
	r.stop = sync.OnceValue(func() error {
		cancel()
		return <-ended
	})
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Errorf("Run = %v", err)
		}
	})
	return r
}

// patience is how long a test waits for what takes milliseconds, or seconds after refusals.
const patience = time.Minute

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

func next(t *testing.T, r *rig) akitad.Message {
	t.Helper()
	select {
	case m := <-r.got:
		return m
	case <-soon(t).Done():
		t.Fatal("no message came")
		return akitad.Message{}
	}
}

func answer(to akitad.Origin, placeholder, text string) akitad.Delivery {
	return akitad.Delivery{Message: placeholder, Reply: akitad.Reply{Origin: to, Text: text}}
}

func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func TestFromMessageToAnswer(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	asked := r.api.Say(7, 0, "what is **2 < 3**?", telegramtest.Said{})
	m := next(t, r)
	if m.Text != "what is **2 < 3**?" || m.Origin.Chat != "7" {
		t.Fatalf("message = %+v", m)
	}
	ctx := soon(t)
	if err := errors.Join(r.Receipt(ctx, m.Origin), r.Typing(ctx, m.Origin)); err != nil {
		t.Fatal(err)
	}
	id := must[string](t)(r.Placeholder(ctx, m.Origin, "_thinking_", ""))
	if err := r.Progress(ctx, m.Origin, id, "step 1 of 2"); err != nil {
		t.Fatal(err)
	}
	ids := must[[]string](t)(r.Final(ctx, answer(m.Origin, id, "**2 < 3** is true")))
	chat := r.api.Chat(7)
	if len(chat) != 2 || !slices.Equal(ids, []string{id}) {
		t.Fatalf("chat = %+v, ids %q", chat, ids)
	}
	got := chat[1]
	if got.Text != "2 < 3 is true" || got.Entities[0].Type != "bold" || !got.Silent || got.ReplyTo != asked {
		t.Errorf("answer = %+v", got)
	}
	if len(got.Edits) != 2 || got.Edits[0].Text != "thinking" || got.Edits[1].Text != "step 1 of 2" {
		t.Errorf("edits = %+v", got.Edits)
	}
	if chat[0].Reaction != "👀" || r.api.Typing(7) != 1 {
		t.Errorf("receipt %q, typing %d", chat[0].Reaction, r.api.Typing(7))
	}
	for _, c := range r.api.Calls("sendMessage") {
		if c.Params["link_preview_options"] != `{"is_disabled":true}` {
			t.Errorf("link previews are on: %v", c.Params)
		}
	}
	if r.Health() != nil {
		t.Errorf("Health = %v", r.Health())
	}
}

func TestUpdateIsConfirmedOnlyWhenTaken(t *testing.T) {
	api := telegramtest.Start(t, telegramtest.Options{})
	refused := make(chan string, 10)
	first := connect(t, api, telegram.Options{}).run(t, func(_ context.Context, m akitad.Message) error {
		refused <- m.ID
		return errors.New("the disk is full")
	})
	api.Say(7, 0, "one", telegramtest.Said{UpdateID: 100})
	if a, b := <-refused, <-refused; a != "tg:100" || b != "tg:100" {
		t.Errorf("handed over as %q and %q", a, b)
	}
	if h := first.Health(); h == nil || !strings.Contains(h.Error(), "cannot be taken") {
		t.Errorf("Health = %v", h)
	}
	if err := first.stop(); err != nil || api.Confirmed() != 0 {
		t.Fatalf("after the stop: %v, confirmed %d", err, api.Confirmed())
	}
	second := connect(t, api, telegram.Options{}).run(t, nil)
	if m := next(t, second); m.ID != "tg:100" || m.Text != "one" {
		t.Errorf("after the restart: %+v", m)
	}
	if err := api.Wait(soon(t), func() bool { return api.Confirmed() == 100 }); err != nil {
		t.Errorf("confirmed %d: %v", api.Confirmed(), err)
	}
}

func TestStopConfirmsWhatWasTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Rates{}, telegram.Options{})
		taken := make(chan struct{})
		r.run(t, func(ctx context.Context, _ akitad.Message) error {
			close(taken)
			<-ctx.Done() // the stop comes while the message is being taken
			return nil
		})
		r.api.Say(7, 0, "one", telegramtest.Said{UpdateID: 100})
		<-taken
		if err := r.stop(); err != nil || r.api.Confirmed() != 100 {
			t.Errorf("stop = %v, confirmed %d, want 100", err, r.api.Confirmed())
		}
	})
}

func TestOrderAndNoDuplicates(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	const n = 250 // more than one batch
	for i := range n {
		r.api.Say(int64(7+i%2), 0, fmt.Sprint(i), telegramtest.Said{})
	}
	due := map[string]int{"7": 0, "8": 1} // of each chat
	for range n {
		m := next(t, r)
		if m.Text != fmt.Sprint(due[m.Origin.Chat]) {
			t.Fatalf("chat %s says %q, want %d", m.Origin.Chat, m.Text, due[m.Origin.Chat])
		}
		due[m.Origin.Chat] += 2
	}
	if err := r.api.Wait(soon(t), func() bool { return r.api.Confirmed() == 100+n-1 }); err != nil || len(r.got) != 0 {
		t.Errorf("confirmed %d, %d messages too many", r.api.Confirmed(), len(r.got))
	}
}

func TestPoisonDoesNotBlock(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	for _, body := range []string{`{"update_id":10,"my_chat_member":{}}`, `{"message":{"message_id":{}}}`, `{"edited_message":{"message_id":5}}`} {
		must[int64](t)(r.api.Push(body))
	}
	r.api.Say(7, 0, "hi", telegramtest.Said{UpdateID: 200})
	if m := next(t, r); m.ID != "tg:200" {
		t.Errorf("message = %+v", m)
	}
	if err := r.api.Wait(soon(t), func() bool { return r.api.Confirmed() == 200 }); err != nil {
		t.Error(err)
	}
}

func TestMessageThatIsRefusedForGoodIsPassedOver(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{})
	r.run(t, func(_ context.Context, m akitad.Message) error {
		if m.Text == "bad" {
			return akitad.Errorf(akitad.InvalidRequest, "too long")
		}
		r.got <- m
		return nil
	})
	r.api.Say(7, 0, "bad", telegramtest.Said{})
	r.api.Say(7, 0, "good", telegramtest.Said{})
	if m := next(t, r); m.Text != "good" {
		t.Errorf("message = %+v", m)
	}
}

// The bot decides nothing about who may talk: it says who, where and to whom.
func TestEverybodyIsHandedOver(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	r.api.Say(8, 0, "let me in", telegramtest.Said{})
	r.api.Say(8, -50, "not to the bot", telegramtest.Said{})
	r.api.Say(7, -50, "hello @akita_bot", telegramtest.Said{})
	r.api.Say(7, -50, "a bot's words", telegramtest.Said{IsBot: true})
	r.api.Say(7, -50, "an admin's words", telegramtest.Said{AsChat: -50})
	got := map[string]akitad.Message{} // the order of different chats is not kept
	for range 4 {
		m := next(t, r)
		got[m.Text] = m
	}
	for _, want := range []struct {
		text, sender, name string
		group, addressed   bool
	}{
		{"let me in", "8", "Person 8", false, true},
		{"not to the bot", "8", "Person 8", true, false},
		{"hello", "7", "Person 7", true, true},
		{"an admin's words", "-50", "", true, false},
	} {
		m := got[want.text]
		if m.Text != want.text || m.Origin.Sender != want.sender || m.Origin.Name != want.name || m.Origin.Group != want.group || m.Addressed != want.addressed {
			t.Errorf("message = %+v, want %+v", m, want)
		}
	}
}

// The parts of an album come one by one, each with its own id, and no file is fetched before it is asked for.
func TestAlbumAndItsFiles(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	r.api.Say(7, 0, "compare", telegramtest.Said{Album: "g", UpdateID: 100, Photo: &telegramtest.Upload{Name: "x.jpg", Bytes: []byte("aa")}})
	r.api.Say(7, 0, "", telegramtest.Said{Album: "g", UpdateID: 101, File: &telegramtest.Upload{Name: "c.txt", Bytes: []byte("cc")}})
	for i, want := range []struct {
		id, text, name, body string
		kind                 akitad.FileKind
	}{{"tg:100", "compare", "photo-1.jpg", "aa", akitad.FilePhoto}, {"tg:101", "", "c.txt", "cc", ""}} {
		m := next(t, r)
		if m.ID != want.id || m.Text != want.text || m.Album != "g" || len(m.Files) != 1 || m.Files[0].Name != want.name || m.Files[0].Kind != want.kind {
			t.Fatalf("part %d = %+v", i, m)
		}
		if n := len(r.api.Calls("getFile")); n != i {
			t.Errorf("%d files fetched, want %d", n, i)
		}
		body := must[io.ReadCloser](t)(r.Fetch(soon(t), m.Origin, m.Files[0]))
		got := must[[]byte](t)(io.ReadAll(body))
		if err := body.Close(); err != nil || string(got) != want.body {
			t.Errorf("%s holds %q (%v)", want.name, got, err)
		}
	}
}

func TestFetchRefusals(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	r.api.Say(7, 0, "look", telegramtest.Said{File: &telegramtest.Upload{Name: "big.bin", Bytes: make([]byte, 20<<20+1)}})
	big := next(t, r).Files[0]
	lying := big
	lying.Size = 1
	for _, tt := range []struct {
		name  string
		file  akitad.File
		fault telegramtest.Fault
		want  akitad.Kind
	}{
		{"too large", big, telegramtest.Fault{}, akitad.InvalidRequest},
		{"larger than was said", lying, telegramtest.Fault{}, akitad.InvalidRequest},
		{"too many requests, for long", lying, telegramtest.Fault{Method: "getFile", Code: 429, RetryAfter: 3600}, akitad.RateLimited},
		{"a server that fails", lying, telegramtest.Fault{Method: "getFile", Code: 502}, akitad.Overloaded},
		{"a file that is gone", lying, telegramtest.Fault{Method: "getFile", Code: 400, Description: "Bad Request: file not found"}, akitad.NotFound},
		{"a name that is none", lying, telegramtest.Fault{Method: "getFile", Code: 400, Description: "Bad Request: invalid file_id"}, akitad.NotFound},
		{"one that comes later", lying, telegramtest.Fault{Method: "getFile", Code: 400, Description: "Bad Request: wrong file_id or the file is temporarily unavailable"}, akitad.Overloaded},
		{"trouble that passes", lying, telegramtest.Fault{Method: "getFile", Code: 400, Description: "Bad Request: timeout"}, akitad.Overloaded},
		{"too large, says the server", lying, telegramtest.Fault{Method: "getFile", Code: 400, Description: "Bad Request: file is too big"}, akitad.InvalidRequest},
	} {
		if tt.fault.Method != "" {
			r.api.Fail(tt.fault)
		}
		body, err := r.Fetch(soon(t), akitad.Origin{}, tt.file)
		if err == nil {
			_, err = io.Copy(io.Discard, body)
			_ = body.Close()
		}
		if akitad.KindOf(err) != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, err, tt.want)
		}
	}
}

// A file that is to be asked for later is asked for then, and not lost.
func TestFetchAfterARefusal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := virtual(t, telegramtest.Rates{}, telegram.Options{}).run(t, nil)
		r.api.Say(7, 0, "look", telegramtest.Said{File: &telegramtest.Upload{Name: "a.txt", Bytes: []byte("text")}})
		m := next(t, r)
		r.api.Fail(telegramtest.Fault{Method: "getFile", Code: 429, RetryAfter: 20, Times: 2})
		began := time.Now()
		body := must[io.ReadCloser](t)(r.Fetch(t.Context(), m.Origin, m.Files[0]))
		defer body.Close()
		if got := must[[]byte](t)(io.ReadAll(body)); string(got) != "text" || time.Since(began) != 40*time.Second {
			t.Errorf("bytes %q after %v", got, time.Since(began))
		}
	})
}

func TestGroupThatMoves(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	for _, body := range []string{
		`{"message":{"message_id":1,"from":{"id":7},"chat":{"id":-4001,"type":"group"},"migrate_to_chat_id":-1001557000001}}`,
		`{"message":{"message_id":2,"from":{"id":7,"is_bot":true},"chat":{"id":-1001557000001,"type":"supergroup"},"migrate_from_chat_id":-4001}}`,
	} {
		must[int64](t)(r.api.Push(body))
		if m := next(t, r); m.MovedFrom != "-4001" || m.Origin.Chat != "-1001557000001" || m.Text != "" {
			t.Errorf("%s became %+v", body, m)
		}
	}
}

// Telegram stores voices as .oga, which services that write them down do not know by that name.
func TestVoiceIsAnOgg(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{}).run(t, nil)
	r.api.Say(7, 0, "", telegramtest.Said{Voice: &telegramtest.Upload{Name: "file_12.oga", Bytes: []byte("OggS...")}})
	m := next(t, r)
	if len(m.Files) != 1 || m.Files[0].Name != "voice-1.ogg" || m.Files[0].Kind != akitad.FileVoice {
		t.Fatalf("files %+v", m.Files)
	}
	body := must[io.ReadCloser](t)(r.Fetch(soon(t), m.Origin, m.Files[0]))
	defer body.Close()
	if got := must[[]byte](t)(io.ReadAll(body)); string(got) != "OggS..." {
		t.Errorf("bytes %q", got)
	}
}
