package channeltest

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// patience is how long a test waits for what takes milliseconds, or seconds after refusals.
const patience = 2 * time.Minute

// Run holds a channel to all that the port promises, and to what comes of it with the gateway.
func Run(t *testing.T, s Setup) {
	t.Run("receive", func(t *testing.T) { receives(t, s) })
	t.Run("send", func(t *testing.T) { sends(t, s) })
	t.Run("trouble", func(t *testing.T) { troubles(t, s) })
	t.Run("life", func(t *testing.T) { lives(t, s) })
	t.Run("hook", func(t *testing.T) { hooks(t, s) })
	t.Run("house", func(t *testing.T) { houses(t, s) })
}

// check is one promise.
type check struct {
	name string
	when bool // the service has what it takes
	do   func(*stage)
}

// each runs the checks that concern the service, each with a service of its own, in virtual time if it can.
func each(t *testing.T, s Setup, checks []check) {
	for _, c := range checks {
		if !c.when {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			if s.Direct == nil {
				c.do(newStage(t, s, s.Start))
				return
			}
			synctest.Test(t, func(t *testing.T) { c.do(newStage(t, s, s.Direct)) })
		})
	}
}

// stage is a service and the channel that is connected to it.
type stage struct {
	Setup
	t     *testing.T
	svc   Service
	ch    channels.Channel
	anna  string
	boris string
	files map[string][]byte // of answers, by their hash

	got  chan akitad.Message
	stop func()          // ends Run; nil if it does not run
	met  []akitad.TaskID // of messages before the house: a service may send them to it once more

	mu     sync.Mutex
	errors []error // all that were given
}

func newStage(t *testing.T, s Setup, start func(testing.TB) Service) *stage {
	t.Helper()
	st := &stage{Setup: s, t: t, svc: start(t), anna: s.People[0], boris: s.People[1], files: map[string][]byte{}, got: make(chan akitad.Message, 1000)}
	st.connect()
	t.Cleanup(func() {
		st.end()
		st.secretsKept()
	})
	return st
}

// connect makes the channel anew.
func (s *stage) connect() {
	s.end()
	s.ch = s.svc.Channel(s.t, func(_ context.Context, f akitad.File) (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(s.files[f.Artifact])), nil
	})
}

// run starts the channel; each message goes into got.
func (s *stage) run() *stage {
	s.runWith(func(_ context.Context, m akitad.Message) error { s.got <- m; return nil })
	return s
}

func (s *stage) runWith(receive func(context.Context, akitad.Message) error) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	ch := s.ch
	go func() { ended <- ch.Run(ctx, receive) }()
	s.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if s.note(err) != nil {
				s.t.Errorf("Run = %v after its context ended, want nil", err)
			}
		case <-time.After(patience):
			s.t.Errorf("Run has not ended %v after its context", patience)
		}
	})
}

func (s *stage) end() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
}

// note keeps an error for the look at secrets.
func (s *stage) note(err error) error {
	if err != nil {
		s.mu.Lock()
		s.errors = append(s.errors, err)
		s.mu.Unlock()
	}
	return err
}

func (s *stage) secretsKept() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, err := range s.errors {
		for _, secret := range s.Secrets {
			if text := fmt.Sprintf("%v %+v", err, err); strings.Contains(text, secret) {
				s.t.Errorf("an error shows a secret: %s", strings.ReplaceAll(text, secret, "SECRET"))
			}
		}
	}
}

func (s *stage) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	s.t.Cleanup(cancel)
	return ctx
}

// next returns the next message that was handed over.
func (s *stage) next() akitad.Message {
	s.t.Helper()
	select {
	case m := <-s.got:
		return m
	case <-time.After(patience):
		s.t.Fatal("no message came")
		return akitad.Message{}
	}
}

// hears has somebody write and gives the message that is handed over.
func (s *stage) hears(what Said) akitad.Message {
	s.t.Helper()
	if what.From == "" {
		what.From = s.anna
	}
	s.svc.Say(what)
	m := s.next()
	if !strings.Contains(m.Text, what.Text) {
		s.t.Fatalf("%q was said, %q was handed over", what.Text, m.Text)
	}
	return m
}

// meet returns the origin of a person's message.
func (s *stage) meet(person string) akitad.Origin {
	s.t.Helper()
	return s.hears(Said{From: person, Text: "hello"}).Origin
}

// until waits for what is seen in a chat.
func (s *stage) until(chat string, what string, ok func([]Message) bool) []Message {
	s.t.Helper()
	for began := time.Now(); time.Since(began) < patience; {
		if all := s.bot(chat); ok(all) {
			return all
		}
		wait(5 * time.Millisecond)
	}
	s.t.Fatalf("%s never came; the bot's messages: %s", what, show(s.bot(chat)))
	return nil
}

func wait(d time.Duration) { <-time.After(d) }

// bot returns the bot's messages in a chat.
func (s *stage) bot(chat string) []Message {
	return slices.DeleteFunc(s.svc.Chat(chat), func(m Message) bool { return !m.Bot })
}

func (s *stage) message(chat, id string) Message {
	s.t.Helper()
	all := s.svc.Chat(chat)
	at := slices.IndexFunc(all, func(m Message) bool { return m.ID == id })
	if at < 0 {
		s.t.Fatalf("there is no message %q in the chat: %s", id, show(all))
	}
	return all[at]
}

func show(all []Message) string {
	var b strings.Builder
	for _, m := range all {
		text := []rune(m.Text)
		fmt.Fprintf(&b, "\n  %s bot=%v silent=%v reply=%q buttons=%q %q", m.ID, m.Bot, m.Silent, m.ReplyTo, m.Buttons, string(text[:min(len(text), 80)]))
		if m.File != nil {
			fmt.Fprintf(&b, " file %s (%d bytes)", m.File.Name, len(m.File.Bytes))
		}
	}
	return b.String()
}

func (s *stage) placeholder(to akitad.Origin, text string) string {
	s.t.Helper()
	id, err := s.ch.Placeholder(s.ctx(), to, text, "")
	if s.note(err) != nil {
		s.t.Fatalf("placeholder: %v", err)
	}
	return id
}

func (s *stage) final(d akitad.Delivery) []string {
	s.t.Helper()
	ids, err := s.ch.Final(s.ctx(), d)
	if s.note(err) != nil {
		s.t.Fatalf("final: %v", err)
	}
	return ids
}

// answer makes a delivery of a task of its own: a service that knows messages by keys tells them apart.
func answer(to akitad.Origin, placeholder, text string) akitad.Delivery {
	return akitad.Delivery{Message: placeholder, Reply: akitad.Reply{Task: nextTask(), Origin: to, Text: text}}
}

var tasks atomic.Int64

func nextTask() akitad.TaskID { return akitad.TaskID(fmt.Sprintf("t_%d", tasks.Add(1))) }

// insist delivers as the gateway does: after an error, on from the part that was announced last.
func (s *stage) insist(d akitad.Delivery) (ids []string) {
	s.t.Helper()
	at := 0
	d.Before = func(_ context.Context, part int) error { at = part; return nil }
	for range 10 {
		some, err := s.ch.Final(s.ctx(), d)
		ids = append(ids, some...)
		if s.note(err) == nil {
			return ids
		}
		if !akitad.KindOf(err).Temporary() {
			s.t.Errorf("an error that passes is of kind %s: %v", akitad.KindOf(err), err)
		}
		d.From, d.Repeat = at, true
		wait(100 * time.Millisecond)
	}
	s.t.Fatal("not delivered after ten tries")
	return nil
}
