package channeltest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/lane"
)

// houses checks what comes of a channel with the gateway on a real bus, in real time.
func houses(t *testing.T, s Setup) {
	for _, c := range []check{
		{"from the message to the answer", true, fromMessageToAnswer},
		{"two people at once", true, twoPeople},
		{"fifty messages of one person", true, fiftyMessages},
		{"a restart in the middle", true, restartInTheMiddle},
		{"a stranger costs nothing", true, strangerCostsNothing},
	} {
		t.Run(c.name, func(t *testing.T) { c.do(newStage(t, s, s.Start)) })
	}
}

// house is a gateway on a bus, and what stands in for the orchestrator: each message becomes a task, and a
// task works a round and ends with "re: " and the words, one after the other in a session.
type house struct {
	*stage
	bus     *bus.Bus
	journal *journal.Journal
	allow   []string
	work    *lane.Lanes
	stopped func()

	mu     sync.Mutex
	heads  map[akitad.SessionKey]akitad.TaskID
	begun  int           // tasks
	torn   bool          // the gateway was ended at work: a placeholder that it had not noted stays
	closed chan struct{} // tasks do not end while it is open; nil: they end
}

// open begins a house for who may talk; the channel runs in it.
func (s *stage) open(allow ...string) *house {
	s.t.Helper()
	h := &house{stage: s, bus: bustest.New(s.t), allow: allow, work: lane.New(1000), heads: map[akitad.SessionKey]akitad.TaskID{}}
	h.journal = journal.New(h.bus, "test")
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() {
		ended <- h.bus.Consume(ctx, bus.ConsumerOptions{Stream: bus.Inbox, Durable: "accept"}, h.accept)
	}()
	h.start()
	s.t.Cleanup(func() {
		h.stopped()
		cancel()
		if err := <-ended; err != nil {
			s.t.Error(err)
		}
		h.work.Wait()
	})
	return h
}

// start runs a gateway with the channel.
func (h *house) start() {
	name := h.ch.Name()
	g := channels.New(h.bus, h.journal, []channels.Channel{h.ch}, channels.Options{
		Access: map[string]*access.Door{name: access.New(h.bus, name, access.Options{Allow: h.allow})}, SlowAfter: time.Hour,
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- g.Run(ctx) }()
	h.stopped = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; err != nil {
			h.t.Error(err)
		}
	})
}

// restart ends gateway and channel, and begins both anew.
func (h *house) restart() {
	h.stopped()
	h.connect()
	h.start()
}

func (h *house) accept(ctx context.Context, d *bus.Delivery) {
	var m akitad.Message
	if err := json.Unmarshal(d.Body(), &m); err != nil {
		h.t.Error(err)
	}
	if slices.Contains(h.met, m.Task) {
		if err := d.Ack(ctx); err != nil && ctx.Err() == nil {
			h.t.Error(err)
		}
		return
	}
	h.mu.Lock()
	before := h.heads[m.Session]
	h.mu.Unlock()
	task, isNew, err := h.journal.Create(ctx, m.Task, journal.SubmittedData{
		Root: m.Task, Origin: m.Origin, Session: m.Session, Text: m.Text, Profile: "assistant", Follows: before,
	})
	if err == nil && isNew {
		h.mu.Lock()
		h.heads[m.Session] = m.Task
		h.begun++
		h.mu.Unlock()
		err = h.work.Go(ctx, string(m.Session), func() { h.perform(task) })
	}
	if err == nil {
		err = d.Ack(ctx)
	}
	if err != nil && ctx.Err() == nil {
		h.t.Error(err)
	}
}

func (h *house) perform(t *journal.Task) {
	h.append(t, journal.Claimed, journal.ClaimedData{Node: "test"})
	h.append(t, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "c1", Tool: "grep"}}})
	h.mu.Lock()
	closed := h.closed
	h.mu.Unlock()
	if closed != nil {
		<-closed
	}
	h.append(t, journal.Completed, journal.EndData{Result: &akitad.Result{Text: "re: " + t.Sub.Text}})
}

func (h *house) append(t *journal.Task, kind akitad.EventKind, data any) {
	err := h.journal.Decide(context.Background(), t, func(*journal.Task) *journal.Decision {
		return &journal.Decision{Kind: kind, Data: data}
	})
	if err != nil {
		h.t.Error(err)
	}
}

func (h *house) tasks() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.begun
}

// answers returns what was answered in a chat, as it stands there.
func answers(all []Message) (out []string) {
	for _, m := range all {
		if len(m.Text) > 4 && m.Text[:4] == "re: " {
			out = append(out, m.Text)
		}
	}
	return out
}

// sees waits for the answers to these words in a person's chat, and holds that they stand there once and in
// order, and that nothing else does if messages can be rewritten.
func (h *house) sees(chat string, words ...string) {
	h.t.Helper()
	var want []string
	for _, w := range words {
		want = append(want, "re: "+w)
	}
	all := h.until(chat, fmt.Sprintf("the answers %q", want), func(all []Message) bool { return len(answers(all)) >= len(want) })
	if got := answers(all); !slices.Equal(got, want) {
		h.t.Errorf("the answers are %q, want %q", got, want)
	}
	if h.Edits && !h.torn && len(all) != len(want) {
		h.t.Errorf("%d answers in %d messages: %s", len(want), len(all), show(all))
	}
}

// chatOf finds out how a person's private chat is called.
func (h *house) chatOf(person string) string {
	h.t.Helper()
	h.run()
	h.svc.Say(Said{From: person, Text: "hello"})
	m := h.next()
	for slices.Contains(h.met, akitad.DeriveTaskID(m.Origin.Channel, m.ID)) {
		m = h.next() // of the person before, delivered again: the channel was ended before the service knew that it had arrived
	}
	h.met = append(h.met, akitad.DeriveTaskID(m.Origin.Channel, m.ID))
	h.end()
	h.connect()
	return m.Origin.Chat
}

func fromMessageToAnswer(s *stage) {
	h := &house{stage: s}
	chat := h.chatOf(s.anna)
	h = s.open(s.anna)
	s.svc.Say(Said{From: s.anna, Text: "hello"})
	h.sees(chat, "hello")
}

func twoPeople(s *stage) {
	h := &house{stage: s}
	chats := map[string]string{s.anna: h.chatOf(s.anna), s.boris: h.chatOf(s.boris)}
	h = s.open(s.anna, s.boris)
	var words []string
	for i := range 10 {
		words = append(words, fmt.Sprintf("question %d", i))
		for person := range chats {
			s.svc.Say(Said{From: person, Text: words[i]})
		}
	}
	for _, chat := range chats {
		h.sees(chat, words...)
	}
}

func fiftyMessages(s *stage) {
	h := &house{stage: s}
	chat := h.chatOf(s.anna)
	h = s.open(s.anna)
	var words []string
	for i := range 50 {
		words = append(words, fmt.Sprintf("question %d", i))
		s.svc.Say(Said{From: s.anna, Text: words[i]})
	}
	h.sees(chat, words...)
}

// restartInTheMiddle ends the gateway when every message is a task and no task has ended.
func restartInTheMiddle(s *stage) {
	h := &house{stage: s}
	chat := h.chatOf(s.anna)
	h = s.open(s.anna)
	h.mu.Lock()
	h.closed = make(chan struct{})
	h.mu.Unlock()
	release := sync.OnceFunc(func() { close(h.closed) })
	defer release()
	var words []string
	for i := range 10 {
		words = append(words, fmt.Sprintf("question %d", i))
		s.svc.Say(Said{From: s.anna, Text: words[i]})
	}
	for began := time.Now(); h.tasks() < len(words) && time.Since(began) < patience; {
		wait(5 * time.Millisecond)
	}
	h.restart()
	h.torn = true
	release()
	h.sees(chat, words...)
}

func strangerCostsNothing(s *stage) {
	h := &house{stage: s}
	mine, theirs := h.chatOf(s.anna), h.chatOf(s.boris)
	h = s.open(s.anna)
	s.svc.Say(Said{From: s.boris, Text: "let me in"})
	s.svc.Say(Said{From: s.anna, Text: "hello"})
	h.sees(mine, "hello")
	if got := s.bot(theirs); len(got) != 0 || h.tasks() != 1 {
		s.t.Errorf("%d tasks; the bot told the stranger %s", h.tasks(), show(got))
	}
}
