package channels_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/faketest"
	"github.com/akitad/akitad/internal/journal"
)

const (
	anna  = 7
	boris = 8
	group = -100
	// patience is how long a test waits for what takes milliseconds, or seconds after refusals.
	patience = time.Minute
	// stranger may not talk: what he writes is in the chat, and nothing else comes of it.
	stranger = 999
)

// rig is a gateway on a real bus and a real Telegram client, against a fake Bot API. The test plays
// the orchestrator: it makes tasks of messages and writes their journals.
type rig struct {
	arrivals faketest.Changes
	t        *testing.T
	srv      *telegramtest.Server
	bus      *bus.Bus
	journal  *journal.Journal
	opts     channels.Options
	access   access.Options
	wrap     func(channels.Channel) channels.Channel
	stop     func()
	gateway  *channels.Gateway

	mu sync.Mutex
	in []akitad.Message // what came in for the orchestrator, in order
}

func newRig(t *testing.T) *rig {
	t.Helper()
	r := &rig{t: t, srv: telegramtest.Start(t, telegramtest.Options{}), bus: bustest.New(t)}
	r.access = access.Options{Allow: []string{strconv.Itoa(anna), strconv.Itoa(boris)}, Groups: []string{strconv.Itoa(group)}}
	r.journal = journal.New(r.bus, "test")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- r.bus.Consume(ctx, bus.ConsumerOptions{Stream: bus.Inbox, Durable: "accept"}, r.accept)
	}()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *rig) accept(ctx context.Context, d *bus.Delivery) {
	var m akitad.Message
	if err := json.Unmarshal(d.Body(), &m); err != nil {
		r.t.Error(err)
	}
	r.mu.Lock()
	r.in = append(r.in, m)
	r.arrivals.Touch()
	r.mu.Unlock()
	var err error
	if m.Answers == "" {
		_, _, err = r.journal.Create(ctx, m.Task, journal.SubmittedData{
			Root: m.Task, Origin: m.Origin, Session: m.Session, Text: m.Text + m.TextRef, Profile: "assistant", Files: m.Files, Notice: m.Notice,
		})
	}
	if err == nil {
		err = d.Ack(ctx)
	}
	if err != nil && ctx.Err() == nil {
		r.t.Error(err)
	}
}

// came gives what came in for the orchestrator so far.
func (r *rig) came() []akitad.Message {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.in)
}

// waitFor waits until ok says so; it is asked whenever something came in for the orchestrator.
func (r *rig) waitFor(ok func() bool) {
	r.t.Helper()
	if r.arrivals.Wait(r.ctx(), ok) != nil {
		r.t.Fatalf("came %+v", r.came())
	}
}

// start runs a new gateway on the same bus, as after a restart.
func (r *rig) start() {
	r.t.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	tg, err := telegram.New(r.srv.Token, telegram.Options{
		URL: r.srv.URL, Rate: -1, HTTP: client, Open: r.open,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	var ch channels.Channel = tg
	if r.wrap != nil {
		ch = r.wrap(ch)
	}
	if r.opts.Access == nil {
		r.opts.Access = map[string]*access.Door{"telegram": access.New(r.bus, "telegram", r.access)}
	}
	g := channels.New(r.bus, r.journal, []channels.Channel{ch}, r.opts)
	r.gateway = g
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx) }()
	stopped := false
	r.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-ended; err != nil {
			r.t.Error(err)
		}
		client.CloseIdleConnections()
	}
	r.t.Cleanup(r.stop)
}

func (r *rig) restart() { r.stop(); r.start() }

// said is a person's message and the task it becomes.
type said struct {
	id      akitad.TaskID
	message int
}

// say writes a message and gives the task that it will become.
func (r *rig) say(from int64, text string, update int64) said {
	r.t.Helper()
	msg := r.srv.Say(from, 0, text, telegramtest.Said{UpdateID: update})
	return said{akitad.DeriveTaskID("telegram", fmt.Sprintf("tg:%d", update)), msg}
}

// submit makes a task of a message without the channel.
func (r *rig) submit(chat int64, n int, text string) akitad.TaskID {
	r.t.Helper()
	return r.follow(chat, n, text, "")
}

// follow makes a task of a message that comes after another one in its session.
func (r *rig) follow(chat int64, n int, text string, before akitad.TaskID) akitad.TaskID {
	r.t.Helper()
	id := akitad.DeriveTaskID("test", strconv.FormatInt(chat, 10), strconv.Itoa(n))
	msg := r.srv.Say(stranger, chat, text, telegramtest.Said{})
	who := strconv.FormatInt(chat, 10)
	_, _, err := r.journal.Create(r.ctx(), id, journal.SubmittedData{
		Root: id, Session: akitad.DeriveSessionKey("telegram", who, ""), Text: text, Profile: "assistant", Follows: before,
		Origin: akitad.Origin{Channel: "telegram", Chat: who, Sender: who, Message: strconv.Itoa(msg), Lang: "en"},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return id
}

func (r *rig) ctx() context.Context {
	ctx, cancel := context.WithTimeout(r.t.Context(), patience)
	r.t.Cleanup(cancel)
	return ctx
}

// append adds an event to a task's journal, whatever else is being added.
func (r *rig) append(id akitad.TaskID, kind akitad.EventKind, data any) {
	r.t.Helper()
	task, err := r.journal.Wait(r.ctx(), id, (*journal.Task).Exists)
	if err != nil {
		r.t.Fatal(err)
	}
	err = r.journal.Decide(r.ctx(), task, func(*journal.Task) *journal.Decision {
		return &journal.Decision{Kind: kind, Data: data}
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) complete(id akitad.TaskID, text string) {
	r.t.Helper()
	r.append(id, journal.Completed, journal.EndData{Result: &akitad.Result{Text: text}})
}

func (r *rig) delivered(id akitad.TaskID) *journal.Task {
	r.t.Helper()
	task, err := r.journal.Wait(r.ctx(), id, func(t *journal.Task) bool { return t.Delivered })
	if err != nil {
		r.t.Fatalf("%s was never delivered: %v; the chat: %s", id, err, r.chats())
	}
	return task
}

func (r *rig) until(id akitad.TaskID, ok func(*journal.Task) bool) *journal.Task {
	r.t.Helper()
	task, err := r.journal.Wait(r.ctx(), id, ok)
	if err != nil {
		r.t.Fatalf("%s: %v; the chat: %s", id, err, r.chats())
	}
	return task
}

func (r *rig) chats() string {
	var b strings.Builder
	for _, all := range r.srv.Chats() {
		for _, m := range all {
			fmt.Fprintf(&b, "\n%d/%d bot=%v silent=%v reply=%d %q before=%q", m.Chat, m.ID, m.Bot, m.Silent, m.ReplyTo, m.Text, m.Edits)
		}
	}
	return b.String()
}

// texts gives what the bot's messages in a chat show.
func (r *rig) texts(chat int64) []string {
	var out []string
	for _, m := range r.srv.FromBot(chat) {
		out = append(out, m.Text)
	}
	return out
}

func (r *rig) want(chat int64, want ...string) {
	r.t.Helper()
	if got := r.texts(chat); fmt.Sprint(got) != fmt.Sprint(want) {
		r.t.Errorf("the bot's messages in %d are %q, want %q%s", chat, got, want, r.chats())
	}
}

// open reads a file that goes with an answer.
func (r *rig) open(ctx context.Context, f akitad.File) (io.ReadCloser, error) {
	body, err := r.bus.GetArtifact(ctx, f.Artifact)
	return io.NopCloser(bytes.NewReader(body)), err
}
