package channeltest

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/faketest"
)

// FakeGroup is a group of a Fake, with the topic FakeThread.
const (
	FakeGroup  = "g1"
	FakeThread = "topic"
)

// Fake is a chat service in memory, and its channels: everything a chat service can have, without sockets.
// Private chats are called "dm-" and the person's id.
type Fake struct {
	faketest.Changes
	name string

	mu      sync.Mutex
	events  []akitad.Message
	taken   int // so many of events
	next    int
	chats   map[string][]*Message
	choices map[string][]akitad.Choice // of messages with buttons
	remote  map[string]File
	faults  []*Fault
	typing  map[string]int
}

// NewFake returns a service whose channels have this name.
func NewFake(name string) *Fake {
	return &Fake{
		name: name, chats: map[string][]*Message{}, choices: map[string][]akitad.Choice{},
		remote: map[string]File{}, typing: map[string]int{},
	}
}

// FakeSetup is what a Fake can.
func FakeSetup() Setup {
	start := func(testing.TB) Service { return NewFake("fake") }
	return Setup{
		Start: start, Direct: start, People: [2]string{"anna", "boris"}, Group: FakeGroup, Thread: FakeThread, Secrets: []string{fakeSecret},
		Redelivers: true, Names: true, Replies: true, Edits: true, Silent: true, FilesIn: true, FilesOut: true, Markup: true, Announces: true,
	}
}

// Channel returns a channel of the service.
func (f *Fake) Channel(_ testing.TB, open Open) channels.Channel {
	return &fakeChannel{f: f, open: open, paused: map[string]time.Time{}, health: errNotRunning}
}

func (f *Fake) id() string {
	f.next++
	return strconv.Itoa(f.next)
}

// Say has somebody write.
func (f *Fake) Say(what Said) (message string, again func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	chat := what.Chat
	if chat == "" {
		chat = "dm-" + what.From
	}
	m := &Message{ID: f.id(), Text: what.Text, ReplyTo: what.ReplyTo, Thread: what.Thread}
	answers := slices.ContainsFunc(f.chats[chat], func(o *Message) bool { return o.ID == what.ReplyTo && o.Bot })
	f.chats[chat] = append(f.chats[chat], m)
	event := akitad.Message{
		ID: "event-" + m.ID, Text: what.Text, ReplyTo: what.ReplyTo, Addressed: what.Mention || answers, At: time.Now().UTC(), Files: f.keep(what.Files),
		Origin: akitad.Origin{
			Channel: f.name, Chat: chat, Thread: what.Thread, Sender: what.From, Message: m.ID, Group: what.Chat != "", Name: "Person " + what.From,
		},
	}
	if what.Bot || what.Odd {
		return m.ID, func() {}
	}
	f.push(event)
	return m.ID, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.push(event)
	}
}

func (f *Fake) push(event akitad.Message) {
	f.events = append(f.events, event)
	f.Touch()
}

func (f *Fake) keep(files []File) (out []akitad.File) {
	for _, file := range files {
		id := "remote-" + f.id()
		f.remote[id] = file
		out = append(out, akitad.File{Name: file.Name, Remote: id, Kind: file.Kind, Size: int64(len(file.Bytes))})
	}
	return out
}

// Press has from press a button. One that is not there is not pressed.
func (f *Fake) Press(from, chat, message, label string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.choices[message] {
		if c.Label != label {
			continue
		}
		id := "press-" + f.id()
		f.push(akitad.Message{
			ID: id, At: time.Now().UTC(), Press: &akitad.Press{Event: id, Message: message, Choice: c.ID},
			Origin: akitad.Origin{Channel: f.name, Chat: chat, Sender: from, Message: message, Group: !strings.HasPrefix(chat, "dm-"), Name: "Person " + from},
		})
		return
	}
}

// Chat returns what stands in a chat.
func (f *Fake) Chat(chat string) (out []Message) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.chats[chat] {
		out = append(out, *m)
	}
	return out
}

// Typing says how often the bot was seen typing in a chat.
func (f *Fake) Typing(chat string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.typing[chat]
}

// Fail orders trouble. A Fake can have all of it.
func (f *Fake) Fail(trouble Fault) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = append(f.faults, &trouble)
	f.Touch()
	return true
}

// Heal takes back all trouble.
func (f *Fake) Heal() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.faults = nil
	f.Touch()
}

// strike returns the trouble that a request meets; the zero Fault is none. The caller holds the lock.
func (f *Fake) strike(chat string, meets func(FaultKind) bool) Fault {
	for i, o := range f.faults {
		if o.Chat != "" && o.Chat != chat || !meets(o.Kind) {
			continue
		}
		if o.Times > 0 {
			if o.Times--; o.Times == 0 {
				f.faults = slices.Delete(f.faults, i, i+1)
			}
		}
		return *o
	}
	return Fault{}
}

// put is the request by which a message comes into a chat, or is rewritten.
func (f *Fake) put(ctx context.Context, chat string, m Message, formatted bool, choices []akitad.Choice) (id string, err error) {
	f.mu.Lock()
	trouble := f.strike(chat, func(k FaultKind) bool { return k != Deaf && (k != Refused || formatted) })
	if trouble.Kind != "" && trouble.Kind != Cut {
		f.mu.Unlock()
		return "", suffer(ctx, trouble)
	}
	defer f.mu.Unlock()
	defer f.Touch()
	m.Bot = true
	for _, c := range choices {
		m.Buttons = append(m.Buttons, c.Label)
	}
	if m.ID == "" {
		m.ID = f.id()
		f.chats[chat] = append(f.chats[chat], &m)
	} else if !f.rewrite(chat, m) {
		return "", &fakeError{kind: akitad.NotFound}
	}
	f.choices[m.ID] = choices
	if trouble.Kind == Cut {
		return "", &fakeError{kind: akitad.Transport}
	}
	return m.ID, nil
}

func (f *Fake) rewrite(chat string, m Message) bool {
	for _, o := range f.chats[chat] {
		if o.ID == m.ID {
			o.Text, o.Buttons = m.Text, m.Buttons
			return true
		}
	}
	return false
}

// suffer is what a request meets that is not taken.
func suffer(ctx context.Context, trouble Fault) error {
	switch trouble.Kind {
	case Limited:
		return &fakeError{kind: akitad.RateLimited, wait: trouble.Wait}
	case Broken:
		return &fakeError{kind: akitad.Overloaded}
	case Refused:
		return &fakeError{kind: akitad.InvalidRequest, markup: true}
	case Gone:
		return &fakeError{kind: akitad.PermissionDenied}
	}
	<-ctx.Done()
	return ctx.Err()
}

// fakeError is what the service answers when it refuses.
type fakeError struct {
	kind   akitad.Kind
	wait   time.Duration
	markup bool
}

func (e *fakeError) Error() string { return fmt.Sprintf("the fake service answered: %s", e.kind) }
