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
	if opts.Allow == nil {
		opts.Allow = []string{"7", "8"}
	}
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
	id := must[string](t)(r.Placeholder(ctx, m.Origin, "_thinking_"))
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
	for i := range n {
		if m := next(t, r); m.Text != fmt.Sprint(i) {
			t.Fatalf("message %d says %q", i, m.Text)
		}
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

func TestStrangersGetNothing(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Allow: []string{"7"}, AllowGroups: []string{"-50"}}).run(t, nil)
	r.api.Say(8, 0, "let me in", telegramtest.Said{})
	r.api.Say(8, -50, "@akita_bot let me in", telegramtest.Said{})
	r.api.Say(7, -51, "@akita_bot wrong group", telegramtest.Said{})
	r.api.Say(7, -50, "not to the bot", telegramtest.Said{})
	r.api.Say(7, -50, "hello @akita_bot", telegramtest.Said{})
	if m := next(t, r); m.Text != "hello" || m.Origin.Chat != "-50" || m.Origin.Sender != "7" {
		t.Errorf("message = %+v", m)
	}
	for _, id := range []int64{8, -50, -51} {
		if n := len(r.api.FromBot(id)); n != 0 {
			t.Errorf("the bot wrote %d messages into %d", n, id)
		}
	}
}

func TestAlbumThatComesInPieces(t *testing.T) {
	synctest.Test(t, albumInPieces)
}

func albumInPieces(t *testing.T) {
	var mu sync.Mutex
	kept := map[string]string{}
	r := virtual(t, telegramtest.Rates{}, telegram.Options{Store: func(_ context.Context, name string, body io.Reader) (akitad.File, error) {
		b, err := io.ReadAll(body)
		mu.Lock()
		defer mu.Unlock()
		kept[name] = string(b)
		return akitad.File{Name: name, Size: int64(len(b)), Artifact: "hash-" + name}, err
	}})
	picture := func(s string) *telegramtest.Upload { return &telegramtest.Upload{Name: "x.jpg", Bytes: []byte(s)} }
	api := r.api
	api.Say(7, 0, "compare", telegramtest.Said{Album: "g", Photo: picture("aa")})
	r.run(t, nil)
	if err := api.Wait(soon(t), func() bool { return len(api.Calls("getUpdates")) > 0 }); err != nil {
		t.Fatal(err)
	}
	api.Say(7, 0, "", telegramtest.Said{Album: "g", Photo: picture("bb")}) // the first poll has ended without it
	api.Say(7, 0, "", telegramtest.Said{Album: "g", File: &telegramtest.Upload{Name: "c.txt", Bytes: []byte("cc")}})
	api.Say(7, 0, "after", telegramtest.Said{})
	m := next(t, r)
	if m.Text != "compare" || len(m.Files) != 3 || m.Files[2] != (akitad.File{Name: "c.txt", Size: 2, Artifact: "hash-c.txt"}) {
		t.Errorf("message = %+v", m)
	}
	if n := next(t, r); n.Text != "after" {
		t.Errorf("then %+v", n)
	}
	mu.Lock()
	defer mu.Unlock()
	if kept["photo-1.jpg"] != "aa" || kept["photo-2.jpg"] != "bb" || kept["c.txt"] != "cc" {
		t.Errorf("stored %v", kept)
	}
}

func TestFileThatIsTooLargeIsNamed(t *testing.T) {
	store := func(context.Context, string, io.Reader) (akitad.File, error) {
		t.Error("it was stored")
		return akitad.File{}, nil
	}
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Store: store}).run(t, nil)
	r.api.Say(7, 0, "look", telegramtest.Said{File: &telegramtest.Upload{Name: "big.bin", Bytes: make([]byte, 20<<20+1)}})
	if m := next(t, r); m.Text != "look" || len(m.Files) != 1 || m.Files[0] != (akitad.File{Name: "big.bin", Size: 20<<20 + 1}) {
		t.Errorf("message = %+v", m.Files)
	}
}
