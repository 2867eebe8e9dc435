package telegram_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// spoken gives a bot to which person 7 has said something, without a poll.
func spoken(t *testing.T, opts telegram.Options) (*rig, akitad.Origin) {
	t.Helper()
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), opts)
	return r, r.hear(7)
}

// hear has a person say something, and gives where the answer goes.
func (r *rig) hear(person int64) akitad.Origin {
	id, chat := r.api.Say(person, 0, "hi", telegramtest.Said{}), strconv.FormatInt(person, 10)
	return akitad.Origin{Channel: "telegram", Chat: chat, Sender: chat, Message: strconv.Itoa(id), Lang: "en"}
}

func texts(messages []telegramtest.Message) []string {
	var out []string
	for _, m := range messages {
		out = append(out, m.Text)
	}
	return out
}

func TestLongAnswerComesInOrder(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	ctx := soon(t)
	id := must[string](t)(r.Placeholder(ctx, to, "…", ""))
	var before []int
	d := answer(to, id, "```go\n"+strings.Repeat("x := 1 // <&>\n", 700)+"```\n\nend")
	d.Notify = "Done: see above."
	d.Before = func(_ context.Context, part int) error { before = append(before, part); return nil }
	ids := must[[]string](t)(r.Final(ctx, d))
	got := r.api.FromBot(7)
	if len(got) != 4 || len(ids) != 4 || ids[0] != id || !slices.Equal(before, []int{0, 1, 2, 3}) {
		t.Fatalf("%d messages, ids %q, announced %v", len(got), ids, before)
	}
	for i, m := range got[:3] {
		if len(m.Entities) == 0 || m.Entities[0].Type != "pre" || m.Entities[0].Language != "go" || !m.Silent {
			t.Errorf("part %d = %+v", i, m.Entities)
		}
	}
	last := got[3]
	if last.Text != "Done: see above." || last.Silent || strconv.Itoa(last.ReplyTo) != to.Message {
		t.Errorf("notification = %+v", last)
	}
}

func TestAnswerGoesOnAfterACrash(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	ctx := soon(t)
	id := must[string](t)(r.Placeholder(ctx, to, "…", ""))
	d := answer(to, id, strings.Repeat("word ", 2000)+"end")
	crash := errors.New("crash")
	d.Before = func(_ context.Context, part int) error {
		if part == 1 {
			return crash
		}
		return nil
	}
	ids, err := r.Final(ctx, d)
	if !errors.Is(err, crash) || len(ids) != 1 {
		t.Fatalf("Final = %q, %v", ids, err)
	}
	d.Before = nil
	must[[]string](t)(r.Final(ctx, d)) // from the beginning: part 0 is an edit that changes nothing
	d.From, d.Repeat = 2, true         // and once more, with an intent left open at part 2
	must[[]string](t)(r.Final(ctx, d))
	got := r.api.FromBot(7)
	if len(got) != 4 || len(got[0].Edits) != 1 {
		t.Fatalf("%d messages: %.40q", len(got), texts(got))
	}
	if got[3].Text != "🔁 "+got[2].Text {
		t.Errorf("the repeated part says %.20q, the first %.20q", got[3].Text, got[2].Text)
	}
	if whole := strings.Join(texts(got[:3]), ""); whole != d.Reply.Text {
		t.Errorf("the parts do not add up: %d bytes, want %d", len(whole), len(d.Reply.Text))
	}
}

func TestRefusalsOfAnAnswer(t *testing.T) {
	bad := func(method, text string) telegramtest.Fault {
		return telegramtest.Fault{Method: method, Code: 400, Description: "Bad Request: " + text}
	}
	for _, tt := range []struct {
		name   string
		faults []telegramtest.Fault
		prep   func(*rig, int)
		want   []string // the bot's messages at the end
		calls  int      // edits and sends of the answer
	}{
		{name: "none", want: []string{"a < b"}, calls: 1},
		{name: "the markup is refused", faults: []telegramtest.Fault{bad("editMessageText", "can't parse entities: Can't find end of Bold entity at byte offset 11")}, want: []string{"a < b"}, calls: 2},
		{name: "it is shown already", faults: []telegramtest.Fault{bad("editMessageText", "message is not modified: specified new message content and reply markup are exactly the same")}, want: []string{"…"}, calls: 1},
		{name: "it is shown already, in the short form", faults: []telegramtest.Fault{bad("editMessageText", "MESSAGE_NOT_MODIFIED")}, want: []string{"…"}, calls: 1},
		{name: "nothing is seen of it", faults: []telegramtest.Fault{bad("editMessageText", "message text is empty")}, want: []string{"…"}, calls: 2},
		{
			name: "the person's message is gone too", prep: func(r *rig, id int) { r.api.Remove(7, id) }, want: []string{"a < b"}, calls: 3,
			faults: []telegramtest.Fault{bad("sendMessage", "message to be replied not found")},
		},
		{name: "the placeholder was deleted", prep: func(r *rig, id int) { r.api.Remove(7, id) }, want: []string{"a < b"}, calls: 2},
		{name: "the placeholder cannot be edited", faults: []telegramtest.Fault{bad("editMessageText", "message can't be edited")}, want: []string{"…", "a < b"}, calls: 2},
		{name: "the placeholder is another's", faults: []telegramtest.Fault{bad("editMessageText", "MESSAGE_AUTHOR_REQUIRED")}, want: []string{"…", "a < b"}, calls: 2},
		{name: "a reason that nobody knows", faults: []telegramtest.Fault{bad("editMessageText", "SOMETHING_NEW")}, want: []string{"a < b"}, calls: 2},
		{name: "an edit is refused and nobody knows why", faults: []telegramtest.Fault{{Method: "editMessageText", Code: 400, Description: "Bad Request: SOMETHING_NEW", Times: -1}}, want: []string{"…", "a < b"}, calls: 3},
		{
			name: "edit and reply are refused and nobody knows why", want: []string{"…", "a < b"}, calls: 4,
			faults: []telegramtest.Fault{{Method: "editMessageText", Code: 400, Description: "Bad Request: SOMETHING_NEW", Times: -1}, bad("sendMessage", "SOMETHING_NEW")},
		},
		{name: "the server fails", faults: []telegramtest.Fault{{Method: "editMessageText", Code: 502, Body: "<html>Bad Gateway</html>"}}, want: []string{"a < b"}, calls: 2},
		{name: "the connection breaks", faults: []telegramtest.Fault{{Method: "editMessageText", Drop: true}}, want: []string{"a < b"}, calls: 1},
		{name: "the connection breaks after the edit", faults: []telegramtest.Fault{{Method: "editMessageText", Drop: true, Apply: true}}, want: []string{"a < b"}, calls: 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, to := spoken(t, telegram.Options{})
			ctx := soon(t)
			id := must[string](t)(r.Placeholder(ctx, to, "…", ""))
			n, _ := strconv.Atoi(id)
			if tt.prep != nil {
				tt.prep(r, n)
			}
			for _, f := range tt.faults {
				r.api.Fail(f)
			}
			must[[]string](t)(r.Final(ctx, answer(to, id, "**a < b**")))
			if got := texts(r.api.FromBot(7)); !slices.Equal(got, tt.want) {
				t.Errorf("chat %q, want %q", got, tt.want)
			}
			// The placeholder was one sendMessage; a broken connection is not recorded as a call.
			if got := len(r.api.Calls("editMessageText")) + len(r.api.Calls("sendMessage")) - 1; got != tt.calls {
				t.Errorf("%d requests, want %d", got, tt.calls)
			}
		})
	}
}

func TestPlainFallbackShowsNoTags(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "sendMessage", Code: 400, Description: "Bad Request: can't parse entities: x"})
	must[[]string](t)(r.Final(soon(t), answer(to, "", "**a < b** [x](https://e.test/)")))
	got := r.api.FromBot(7)
	if len(got) != 1 || got[0].Text != "a < b x (https://e.test/)" || got[0].Mode != "" {
		t.Errorf("chat = %+v", got)
	}
	r.api.Fail(telegramtest.Fault{Method: "sendMessage", Code: 400, Description: "Bad Request: can't parse entities: x", Times: 2})
	if _, err := r.Final(soon(t), answer(to, "", "again")); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("refused twice: %v", err)
	}
	if n := len(r.api.Calls("sendMessage")); n != 4 {
		t.Errorf("%d requests, want 4: no loop", n)
	}
}

// Where the bot may not write in any form it does not try all forms, and the task knows why.
func TestWhereTheBotMayNotWrite(t *testing.T) {
	for text, want := range map[string]akitad.Kind{
		"not enough rights to send text messages to the chat": akitad.PermissionDenied,
		"have no rights to send a message":                    akitad.PermissionDenied,
		"CHAT_WRITE_FORBIDDEN":                                akitad.PermissionDenied,
		"need administrator rights in the channel chat":       akitad.PermissionDenied,
		"PEER_ID_INVALID":                                     akitad.PermissionDenied,
		"CHAT_RESTRICTED":                                     akitad.PermissionDenied,
		"chat not found":                                      akitad.NotFound,
	} {
		r, to := spoken(t, telegram.Options{})
		r.api.Fail(telegramtest.Fault{Method: "sendMessage", Code: 400, Description: "Bad Request: " + text, Times: -1})
		if _, err := r.Final(soon(t), answer(to, "", "x")); akitad.KindOf(err) != want || len(r.api.Calls("sendMessage")) != 1 {
			t.Errorf("%s: %v after %d requests, want %s after one", text, err, len(r.api.Calls("sendMessage")), want)
		}
	}
}

// Where the bot may write, but not send this file, the refusal is the file's: what comes after it may pass.
func TestWhereTheBotMayNotSendFiles(t *testing.T) {
	for _, text := range []string{
		"not enough rights to send documents to the chat", "CHAT_SEND_DOCS_FORBIDDEN", "CHAT_SEND_MEDIA_FORBIDDEN",
		"not enough rights to send photos to the chat", "not enough rights to send stickers to the chat",
	} {
		for _, names := range []string{"a.pdf", "a.png", "a.png b.png"} {
			r, to := spoken(t, telegram.Options{Open: pictures(t)})
			for _, method := range []string{"sendDocument", "sendPhoto", "sendMediaGroup"} {
				r.api.Fail(telegramtest.Fault{Method: method, Code: 400, Description: "Bad Request: " + text, Times: -1})
			}
			d := answer(to, "", "x")
			d.Reply.Files = filesOf(names)
			ids, err := r.Final(soon(t), d)
			if akitad.KindOf(err) != akitad.InvalidRequest || len(ids) != 1 || !strings.Contains(err.Error(), text) {
				t.Errorf("%s: %s: %v, %d messages", names, text, err, len(ids))
			}
		}
	}
}

func TestSendThatMayHaveArrivedIsNotRepeated(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "sendMessage", Drop: true, Apply: true})
	_, err := r.Final(soon(t), answer(to, "", "once"))
	if kind := akitad.KindOf(err); kind != akitad.Transport {
		t.Errorf("kind %q (%v), want transport", kind, err)
	}
	if got := texts(r.api.FromBot(7)); !slices.Equal(got, []string{"once"}) {
		t.Errorf("chat %q", got)
	}
}

func TestUnsentMessageIsRepeated(t *testing.T) {
	r, to := spoken(t, telegram.Options{HTTP: &http.Client{Transport: &flaky{fail: 2}}})
	must[[]string](t)(r.Final(soon(t), answer(to, "", "once")))
	if got := texts(r.api.FromBot(7)); !slices.Equal(got, []string{"once"}) {
		t.Errorf("chat %q", got)
	}
}

func TestTooManyRequestsAreWaitedOut(t *testing.T) { synctest.Test(t, waitedOut) }

func waitedOut(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{})
	to, other := r.hear(7), r.hear(8)
	id := must[string](t)(r.Placeholder(soon(t), to, "…", ""))
	r.api.Fail(telegramtest.Fault{Method: "editMessageText", Chat: 7, Code: 429, Description: "Too Many Requests: retry after 2", RetryAfter: 2})
	done := make(chan error, 1)
	go func() {
		_, err := r.Final(context.Background(), answer(to, id, "answer"))
		done <- err
	}()
	synctest.Wait() // the answer was refused, and waits
	begin := time.Now()
	must[[]string](t)(r.Final(soon(t), answer(other, "", "meanwhile")))
	if took := time.Since(begin); took != 0 {
		t.Errorf("another chat waited %v", took)
	}
	if err := r.Progress(soon(t), to, id, "dropped"); err != nil {
		t.Errorf("Progress = %v", err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	calls := r.api.Calls("editMessageText")
	if len(calls) != 2 || calls[1].At.Sub(calls[0].At) != 2*time.Second {
		t.Errorf("edits %+v, want two, 2 s apart", calls)
	}
}

func TestProgressIsDropped(t *testing.T) { synctest.Test(t, progressIsDropped) }

func progressIsDropped(t *testing.T) {
	r := virtual(t, telegramtest.Rates{}, telegram.Options{Rate: 25})
	to := r.hear(7)
	id := must[string](t)(r.Placeholder(soon(t), to, "…", ""))
	for range 20 {
		if err := r.Progress(soon(t), to, id, "more"); err != nil {
			t.Fatal(err)
		}
	}
	begin := time.Now()
	must[[]string](t)(r.Final(soon(t), answer(to, id, "answer")))
	if n := len(r.api.Calls("editMessageText")); n != 1 || time.Since(begin) != 0 {
		t.Errorf("%d edits; the answer waited %v", n, time.Since(begin))
	}
	if got := texts(r.api.FromBot(7)); !slices.Equal(got, []string{"answer"}) {
		t.Errorf("chat %q", got)
	}
}

func TestRealLimitsAreNeverMet(t *testing.T) { synctest.Test(t, limitsAreNeverMet) }

func limitsAreNeverMet(t *testing.T) {
	r := virtual(t, telegramtest.Rates{BotPerSecond: 30, ChatPerSecond: 2, GroupPerMinute: 20}, telegram.Options{Rate: 25})
	errs := make(chan error, 40)
	for i := range 40 {
		r.hear(int64(1000 + i))
		go func() {
			to := akitad.Origin{Chat: strconv.Itoa(1000 + i), Message: "1"}
			id, err := r.Placeholder(soon(t), to, "…", "")
			if err == nil {
				_ = r.Progress(soon(t), to, id, "p")
				_, err = r.Final(soon(t), answer(to, id, "done"))
			}
			errs <- err
		}()
	}
	for range 40 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	for _, c := range r.api.Calls("") {
		if c.Code != 200 {
			t.Errorf("%s was answered with %d", c.Method, c.Code)
		}
	}
}

func TestTopics(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Open: openText}).run(t, nil)
	r.api.Say(7, -1001234567890, "@akita_bot hi", telegramtest.Said{Thread: 55})
	m := next(t, r)
	if m.Origin.Thread != "55" {
		t.Fatalf("origin = %+v", m.Origin)
	}
	ctx := soon(t)
	id := must[string](t)(r.Placeholder(ctx, m.Origin, "…", ""))
	if err := r.Typing(ctx, m.Origin); err != nil {
		t.Fatal(err)
	}
	d := answer(m.Origin, id, "done")
	d.Notify, d.Reply.Files = "see above", []akitad.File{{Name: "out/a.txt"}}
	must[[]string](t)(r.Final(ctx, d))
	for _, method := range []string{"sendMessage", "sendChatAction", "sendDocument"} {
		for _, c := range r.api.Calls(method) {
			if c.Params["message_thread_id"] != "55" {
				t.Errorf("%s went to thread %q", method, c.Params["message_thread_id"])
			}
		}
	}
	got := r.api.FromBot(-1001234567890)
	if len(got) != 3 || got[1].File == nil || got[1].File.Name != "a.txt" || string(got[1].File.Bytes) != "body of out/a.txt" || !got[1].Silent {
		t.Errorf("chat = %+v", got)
	}
	general := m.Origin
	general.Thread = "1"
	must[string](t)(r.Placeholder(ctx, general, "in General", ""))
	r.api.CloseTopic(-1001234567890, 55)
	must[[]string](t)(r.Final(ctx, answer(m.Origin, "", "the topic is gone")))
	if all := r.api.FromBot(-1001234567890); all[len(all)-1].Thread != 0 || all[len(all)-1].Text != "the topic is gone" {
		t.Errorf("chat = %+v", all[len(all)-1])
	}
}

func openText(_ context.Context, f akitad.File) (io.ReadCloser, error) {
	if f.Name == "missing" {
		return nil, os.ErrNotExist
	}
	return io.NopCloser(strings.NewReader("body of " + f.Name)), nil
}

func TestGroupThatMoved(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{})
	r.api.Say(7, -40, "hi", telegramtest.Said{})
	r.api.Say(7, -1001557000001, "hi", telegramtest.Said{})
	r.api.Fail(telegramtest.Fault{Chat: -40, Code: 400, Description: "Bad Request: group chat was upgraded to a supergroup chat", MigrateTo: -1001557000001, Times: -1})
	for range 2 {
		must[[]string](t)(r.Final(soon(t), answer(akitad.Origin{Chat: "-40"}, "", "found you")))
	}
	if got := texts(r.api.FromBot(-1001557000001)); !slices.Equal(got, []string{"found you", "found you"}) {
		t.Errorf("chat %q", got)
	}
	if n := len(r.api.Calls("sendMessage")); n != 3 {
		t.Errorf("%d requests, want 3: the new id is remembered", n)
	}
}

func TestBlockedBot(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Code: 403, Description: "Forbidden: bot was blocked by the user"})
	_, err := r.Final(soon(t), answer(to, "", "x"))
	if akitad.KindOf(err) != akitad.PermissionDenied {
		t.Errorf("err = %v", err)
	}
	_, err = r.Final(soon(t), answer(akitad.Origin{Chat: "12345"}, "", "x"))
	if akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("err = %v", err)
	}
	if _, err = r.Final(soon(t), answer(akitad.Origin{Chat: "me"}, "", "x")); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("err = %v", err)
	}
}

func TestAnswerOfNothingIsNotSilent(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	must[[]string](t)(r.Final(soon(t), answer(to, "", " \n")))
	if got := texts(r.api.FromBot(7)); !slices.Equal(got, []string{"…"}) {
		t.Errorf("chat %q", got)
	}
}
