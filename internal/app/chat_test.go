package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

const (
	anna  = 7 // the owner
	boris = 8
	group = -100
)

// chatHouse is a whole house that a Telegram bot leads into.
type chatHouse struct {
	*app.App
	t    *testing.T
	srv  *telegramtest.Server
	stop func()
}

// chatConfig switches the channel on, pointed at the fake.
func chatConfig(c *config.Config, url, token string) {
	c.Admin.Listen = "127.0.0.1:0"
	c.Channels.Telegram = config.Channel{
		Enabled: true, Token: config.NewSecret(token), BaseURL: url,
		Allow: []string{fmt.Sprint(anna), fmt.Sprint(boris)}, AllowGroups: []string{fmt.Sprint(group)},
	}
}

func startChat(t *testing.T, home string, srv *telegramtest.Server, model llm.Provider, change func(*config.Config)) *chatHouse {
	t.Helper()
	return startChatWith(t, home, srv, app.Options{Parts: app.Parts{Orchestrate: true, Work: true, Serve: true}, Model: model}, change)
}

func startChatWith(t *testing.T, home string, srv *telegramtest.Server, opts app.Options, change func(*config.Config)) *chatHouse {
	t.Helper()
	cfg, err := config.Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace = "twin", 2*time.Second
	chatConfig(&cfg, srv.URL, srv.Token)
	if change != nil {
		change(&cfg)
	}
	a, err := app.New(t.Context(), cfg, opts)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	h := &chatHouse{App: a, t: t, srv: srv}
	stopped := false
	h.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(h.stop)
	return h
}

// newChat starts a house in a home of its own.
func newChat(t *testing.T, model llm.Provider, change func(*config.Config)) *chatHouse {
	t.Helper()
	return startChat(t, t.TempDir(), telegramtest.Start(t, telegramtest.Options{}), model, change)
}

// say writes to the bot in the person's own chat.
func (h *chatHouse) say(from int64, words string) int {
	return h.srv.Say(from, 0, words, telegramtest.Said{})
}

func (h *chatHouse) texts(chat int64) []string {
	var out []string
	for _, m := range h.srv.FromBot(chat) {
		out = append(out, m.Text)
	}
	return out
}

// sees waits until the bot's messages in a chat are as wanted.
func (h *chatHouse) sees(chat int64, want ...string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	if err := h.srv.Wait(ctx, func() bool { return slices.Equal(h.said(chat), want) }); err != nil {
		h.t.Fatalf("the bot's messages in %d are %q, want %q", chat, h.texts(chat), want)
	}
}

// said is what stands in a chat without the word that an answer is there, which comes on a slow machine.
func (h *chatHouse) said(chat int64) []string {
	return slices.DeleteFunc(h.texts(chat), func(s string) bool { return s == text.En.Done() || s == text.Zh.Done() })
}

// isAsked waits for a question behind the first message of its task, which may show any progress.
func (h *chatHouse) isAsked(chat int64, question string) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	if err := h.srv.Wait(ctx, func() bool { all := h.texts(chat); return len(all) == 2 && all[1] == question }); err != nil {
		h.t.Fatalf("the bot's messages in %d are %q, want %q behind the first", chat, h.texts(chat), question)
	}
}

// placeholder waits until the first message of a task is in the chat and on record, and gives its id.
func (h *chatHouse) placeholder(id akitad.TaskID) int {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	task, err := h.Journal.Wait(ctx, id, func(t *journal.Task) bool { return t.Placeholder != "" })
	if err != nil {
		h.t.Fatalf("the bot's first message on %s: %v", id, err)
	}
	message, err := strconv.Atoi(task.Placeholder)
	if err != nil {
		h.t.Fatal(err)
	}
	return message
}

// saw gives all the words of a request.
func saw(r llm.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Text + "\n")
	}
	return b.String()
}

func TestChatFromMessageToAnswer(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).Rounds(llmtest.Begins("what time"),
		llmtest.Calls(llmtest.Call("time", map[string]any{})), llmtest.Text("It is **noon**.").Held(held))
	h := newChat(t, script, nil)
	h.say(anna, "what time is it?")
	<-held.Arrived()
	h.sees(anna, text.En.Working(1, "time"))
	held.Release()
	h.sees(anna, "It is noon.")
	m := h.srv.FromBot(anna)[0]
	if len(m.Edits) != 2 || m.Edits[0].Text != text.En.Received() || !m.Silent {
		t.Errorf("the placeholder was %+v", m)
	}
}

func TestChatKnowsWhoMayTalk(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Says("in the group"), llmtest.Text("group answer")).
		On(llmtest.Says("and then"), llmtest.Text("second group answer")).
		On(llmtest.Says("hello"), llmtest.Text("hello Anna"))
	h := newChat(t, script, nil)
	const stranger, otherGroup = 666, -200
	h.say(stranger, "let me in")
	h.srv.Say(stranger, group, "@akita_bot let me in", telegramtest.Said{})
	h.srv.Say(anna, otherGroup, "@akita_bot here too?", telegramtest.Said{})
	h.srv.Say(anna, group, "talking to others", telegramtest.Said{})
	h.srv.Say(anna, group, "@akita_bot answer in the group", telegramtest.Said{})
	h.sees(group, "group answer")
	answer := h.srv.FromBot(group)[0].ID
	h.srv.Say(boris, group, "and then?", telegramtest.Said{ReplyTo: answer})
	h.sees(group, "group answer", "second group answer")
	h.say(anna, "hello")
	h.sees(anna, "hello Anna")
	for _, chat := range []int64{stranger, otherGroup} {
		for _, c := range h.srv.Calls("") {
			if c.Params["chat_id"] == fmt.Sprint(chat) {
				t.Errorf("the bot did %s in chat %d", c.Method, chat)
			}
		}
	}
	if n := len(script.Requests()); n != 3 {
		t.Errorf("%d model calls, want 3", n)
	}
}

// The same update again, and once more after a restart that forgot the offset, is one task.
func TestChatDuplicateUpdates(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Any, llmtest.Text("once"))
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	h := startChat(t, home, srv, script, nil)
	for range 3 {
		srv.Say(anna, 0, "go", telegramtest.Said{UpdateID: 500})
	}
	h.sees(anna, "once")
	h.stop()
	srv.Say(anna, 0, "go", telegramtest.Said{UpdateID: 500})
	again := startChat(t, home, srv, llmtest.New(t).On(llmtest.Any, llmtest.Text("next")), nil)
	srv.Say(anna, 0, "next", telegramtest.Said{UpdateID: 501})
	again.sees(anna, "once", "next")
}

// A question reaches the chat; while it waits nothing is held, and a restart in between changes
// nothing. The next message answers it and is no task of its own.
func TestChatQuestionAndAnswer(t *testing.T) {
	script := func() *llmtest.Script {
		return llmtest.New(t).
			Rounds(llmtest.Begins("deploy"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Blue or green?"})),
				llmtest.Do(func(r llm.Request) (llm.Reply, error) {
					results := r.Messages[len(r.Messages)-1].Results
					return llm.Reply{Text: "told: " + results[len(results)-1].Text, Finish: llm.FinishStop}, nil
				})).
			Always(llmtest.Begins("other"), llmtest.Text("done meanwhile"))
	}
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	one := func(c *config.Config) { c.Pool.Max = 1 }
	h := startChat(t, home, srv, script(), one)
	h.say(anna, "deploy it")
	h.isAsked(anna, "Blue or green?")
	if q := h.srv.FromBot(anna)[1]; q.Silent {
		t.Error("the question does not notify")
	}
	h.say(boris, "other work")
	h.sees(boris, "done meanwhile")
	h.stop()
	again := startChat(t, home, srv, script(), one)
	again.say(anna, "green, please")
	again.sees(anna, "told: the person answers: green, please", "Blue or green?")
	rows, err := again.Orchestrator.Queued(t.Context(), akitad.DeriveSessionKey("telegram", fmt.Sprint(anna), ""))
	if err != nil || len(rows) != 0 {
		t.Errorf("the answer waits as a task: %v (%v)", rows, err)
	}
}

// The message that answered comes once more when the task has long ended: it stays what it was.
func TestChatAnswerThatComesAgain(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("deploy"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Blue or green?"})), llmtest.Text("deployed"))
	h := newChat(t, script, nil)
	h.say(anna, "deploy it")
	h.isAsked(anna, "Blue or green?")
	origin := akitad.Origin{Channel: "telegram", Chat: fmt.Sprint(anna), Sender: fmt.Sprint(anna), Lang: "en"}
	m := akitad.Message{
		ID: "tg:777", Task: akitad.DeriveTaskID("telegram", "tg:777"), Text: "green", Origin: origin,
		Session: akitad.DeriveSessionKey("telegram", fmt.Sprint(anna), ""),
	}
	if err := h.Orchestrator.Accept(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	h.sees(anna, "deployed", "Blue or green?")
	if err := h.Orchestrator.Accept(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if task, err := h.Journal.Load(t.Context(), m.Task); err != nil || task.Exists() {
		t.Errorf("the answer became a task (%v)", err)
	}
	late := m
	late.ID, late.Task, late.Steers = "tg:778", akitad.DeriveTaskID("telegram", "tg:778"), akitad.DeriveTaskID("gone")
	if err := h.Orchestrator.Accept(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	h.sees(anna, "deployed", "Blue or green?", "deployed") // one of its own: what it steers is gone
}

// /new ends what waits for an answer: the next message is a task of its own.
func TestChatNewDropsAnOpenQuestion(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("deploy"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Blue or green?"}))).
		On(llmtest.Begins("unrelated"), llmtest.Text("an answer"))
	h := newChat(t, script, nil)
	h.say(anna, "deploy it")
	h.isAsked(anna, "Blue or green?")
	h.say(anna, "/new")
	told := text.En.NewSession() + "\n" + text.En.GivenUp("deploy it")
	h.sees(anna, text.En.Cancelled(), "Blue or green?", told)
	h.say(anna, "unrelated")
	h.sees(anna, text.En.Cancelled(), "Blue or green?", told, "an answer")
}

func TestChatBusySessionQueues(t *testing.T) {
	first := llmtest.NewHold()
	script := llmtest.New(t).On(asked("one"), llmtest.Text("answer one").Held(first)).
		On(asked("two"), llmtest.Text("answer two")).On(asked("three"), llmtest.Text("answer three")).
		On(asked("aside"), llmtest.Text("answer aside"))
	h := newChat(t, script, nil)
	h.say(anna, "one")
	<-first.Arrived()
	h.say(anna, "two")
	h.say(anna, "three")
	h.sees(anna, text.En.Received(), text.En.Queued(1), text.En.Queued(2))
	h.say(boris, "aside") // another session does not wait
	h.sees(boris, "answer aside")
	first.Release()
	h.sees(anna, "answer one", "answer two", "answer three")
	var last time.Time
	for _, m := range h.srv.FromBot(anna) {
		if end := m.Edits[len(m.Edits)-1].At; end.Before(last) {
			t.Errorf("%q came before the one above it", m.Text)
		} else {
			last = end
		}
	}
}

func TestChatStop(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).On(asked("work"), llmtest.Text("never").Held(held)).On(asked("after"), llmtest.Text("answer after"))
	h := newChat(t, script, nil)
	h.srv.Say(anna, 0, "work", telegramtest.Said{UpdateID: 500})
	<-held.Arrived()
	h.say(anna, "after")
	h.sees(anna, text.En.Received(), text.En.Queued(1))
	h.say(boris, "/stop") // somebody else's conversation
	h.sees(boris, text.En.NothingToStop())
	h.say(anna, "/stop")
	told := text.En.Stopping(string(akitad.DeriveTaskID("telegram", "tg:500")), "work", 1)
	h.sees(anna, text.En.Cancelled(), "answer after", told)
	h.say(anna, "/stop")
	h.sees(anna, text.En.Cancelled(), "answer after", told, text.En.NothingToStop())
}

func TestChatNew(t *testing.T) {
	seen := func(want int) llmtest.Turn {
		return llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			if len(r.Messages) != want {
				return llm.Reply{}, fmt.Errorf("%d messages, want %d: %+v", len(r.Messages), want, r.Messages)
			}
			return llm.Reply{Text: fmt.Sprintf("saw %d", want), Finish: llm.FinishStop}, nil
		})
	}
	script := llmtest.New(t).On(asked("one"), seen(1)).On(asked("two"), seen(3)).On(asked("three"), seen(1)).On(asked("four"), seen(1))
	h := newChat(t, script, nil)
	h.say(anna, "one")
	h.sees(anna, "saw 1")
	h.say(anna, "two")
	h.sees(anna, "saw 1", "saw 3")
	h.say(anna, "/new")
	h.sees(anna, "saw 1", "saw 3", text.En.NewSession())
	h.say(anna, "three")
	h.sees(anna, "saw 1", "saw 3", text.En.NewSession(), "saw 1")
	h.say(anna, "/new four") // words behind it begin the new conversation
	h.until(anna, func(said []string) bool {
		return len(said) == 6 && slices.Contains(said[4:], text.En.NewSession()) && slices.Contains(said[4:], "saw 1")
	}, "a new conversation and its first answer")
}

// A file that cannot be had is told, and the words are worked on without it; without words, nothing is.
func TestChatWithoutItsFile(t *testing.T) {
	h := newChat(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("an answer")), nil)
	big := json.RawMessage(`{"document":{"file_id":"x","file_name":"big.zip","file_size":50000000}}`)
	missing := text.En.FileMissing("big.zip", akitad.InvalidRequest)
	h.srv.Say(anna, 0, "look at it", telegramtest.Said{Extra: big})
	h.sees(anna, missing+text.En.WithoutIt(), "an answer")
	h.srv.Say(anna, 0, "", telegramtest.Said{Extra: big})
	h.sees(anna, missing+text.En.WithoutIt(), "an answer", missing)
	h.say(anna, "go on")
	h.sees(anna, missing+text.En.WithoutIt(), "an answer", missing, "an answer")
}

// A reply to the progress message, and /steer, correct the running task; neither is a task of its own.
func TestChatSteers(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).Rounds(llmtest.Begins("work"), llmtest.Calls(llmtest.Call("time", map[string]any{})).Held(held),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			last := saw(r)
			return llm.Reply{Text: fmt.Sprint(strings.Contains(last, "only Tuesdays"), strings.Contains(last, "and in red")), Finish: llm.FinishStop}, nil
		}))
	h := newChat(t, script, nil)
	h.srv.Say(anna, 0, "work", telegramtest.Said{UpdateID: 500})
	<-held.Arrived()
	progress := h.placeholder(akitad.DeriveTaskID("telegram", "tg:500"))
	h.srv.Say(anna, 0, "only Tuesdays", telegramtest.Said{ReplyTo: progress})
	h.sees(anna, text.En.SteerAccepted())
	h.say(anna, "/steer and in red")
	h.sees(anna, text.En.SteerAccepted(), text.En.SteerAccepted())
	held.Release()
	h.sees(anna, "true true", text.En.SteerAccepted())
	h.say(anna, "/steer too late")
	h.sees(anna, "true true", text.En.SteerAccepted(), text.En.NothingToSteer())
}

// What is told in one task is used in the next, after a restart of the whole house, by another
// instance; a line written by hand is used too; another person's is not.
func TestChatMemory(t *testing.T) {
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	first := startChat(t, home, srv, llmtest.New(t).Rounds(llmtest.Begins("remember"),
		llmtest.Calls(llmtest.Call("remember", map[string]any{"text": "Anna's cat is called Mitzi", "type": "fact"})), llmtest.Text("I will.")), nil)
	first.say(anna, "remember that my cat is called Mitzi")
	first.sees(anna, "I will.")
	first.stop()

	folder := filepath.Join(first.Config.Path.Memory, "people", "telegram@7")
	appendTo(t, filepath.Join(folder, "USER.md"), "- Anna's bicycle is red\n")
	appendTo(t, filepath.Join(first.Config.Path.Memory, "MEMORY.md"), "- The office opens at nine\n")
	facts := []string{"Mitzi", "red", "nine"}
	tell := llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		var known []string
		for _, f := range facts {
			if strings.Contains(saw(r), f) {
				known = append(known, f)
			}
		}
		return llm.Reply{Text: "known: " + strings.Join(known, " "), Finish: llm.FinishStop}, nil
	})
	second := startChat(t, home, srv, llmtest.New(t).Always(llmtest.Any, tell), nil)
	for i, tt := range []struct {
		who        int64
		ask, known string
	}{
		{anna, "what is my cat called?", "known: Mitzi red nine"},
		{anna, "write a haiku", "known: Mitzi red nine"}, // what holds for good is in every prompt
		{boris, "what is Anna's cat called?", "known: nine"},
		{boris, "what colour has Anna's bicycle?", "known: nine"},
	} {
		second.srv.Say(tt.who, 0, "/new", telegramtest.Said{})
		second.srv.Say(tt.who, 0, tt.ask, telegramtest.Said{})
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		got := ""
		err := second.srv.Wait(ctx, func() bool {
			all := second.texts(tt.who)
			n := slices.IndexFunc(all, func(s string) bool { return strings.HasPrefix(s, "known:") })
			count := 0
			for _, s := range all {
				if strings.HasPrefix(s, "known:") {
					got = s
					count++
				}
			}
			return n >= 0 && count == i%2+1
		})
		cancel()
		if err != nil {
			t.Fatalf("%s: %v: %q", tt.ask, err, second.texts(tt.who))
		}
		if got != tt.known {
			t.Errorf("%d asks %q and the model has %q, want %q", tt.who, tt.ask, got, tt.known)
		}
	}
	second.say(boris, "/memory")
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := srv.Wait(ctx, func() bool { return slices.Contains(second.texts(boris), text.En.MemoryEmpty()) }); err != nil {
		t.Errorf("Boris sees %q", second.texts(boris))
	}
}

func appendTo(t *testing.T, file, line string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
}

// No secret goes into a chat, whatever the model says or a file holds.
func TestChatIsRedacted(t *testing.T) {
	srv := telegramtest.Start(t, telegramtest.Options{})
	script := llmtest.New(t).On(llmtest.Any, llmtest.Text("the token is "+srv.Token+" and the key sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"))
	h := startChat(t, t.TempDir(), srv, script, nil)
	h.say(anna, "tell me a secret")
	h.sees(anna, "the token is [redacted] and the key [redacted]")
	for _, c := range srv.Calls("") {
		for name, value := range c.Params {
			if strings.Contains(value, srv.Token) {
				t.Errorf("%s sends the token in %s", c.Method, name)
			}
		}
	}
}

// The owner hears once that a key is refused, however many tasks find out and however often the
// house starts.
func TestChatTellsTheOwnerOfARefusedKey(t *testing.T) {
	home, srv := t.TempDir(), telegramtest.Start(t, telegramtest.Options{})
	refused := func() llm.Provider { return llmtest.New(t).Always(llmtest.Any, llmtest.FailKind(akitad.Auth)) }
	told := func(h *chatHouse) (n int) {
		for _, s := range h.texts(anna) {
			if s == text.En.KeyRefused("given") {
				n++
			}
		}
		return n
	}
	ended := func(h *chatHouse, n int) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		if err := srv.Wait(ctx, func() bool {
			return len(h.texts(boris)) == n && !slices.Contains(h.texts(boris), text.En.Received()) && told(h) > 0
		}); err != nil {
			t.Fatalf("Boris sees %q, the owner %q", h.texts(boris), h.texts(anna))
		}
	}
	srv.Say(666, anna, "a bot cannot write first", telegramtest.Said{})
	h := startChat(t, home, srv, refused(), nil)
	h.say(boris, "go")
	ended(h, 1)
	h.say(boris, "go on")
	ended(h, 2)
	h.stop()
	again := startChat(t, home, srv, refused(), nil)
	again.say(boris, "and now")
	ended(again, 3)
	again.stop()
	if n := told(again); n != 1 {
		t.Errorf("the owner was told %d times: %q", n, again.texts(anna))
	}
}

func TestChatRefusesToStartWithoutAllowList(t *testing.T) {
	cfg, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	chatConfig(&cfg, "http://127.0.0.1:9", "4242:test-token")
	cfg.Channels.Telegram.Allow = nil
	_, err = app.New(t.Context(), cfg, app.Options{Parts: app.Parts{Orchestrate: true, Serve: true}})
	if akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("started with nobody allowed: %v", err)
	}
}
