package channels_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/journal"
)

// buttonsOf answers questions by presses.
type buttonsOf struct {
	mu      sync.Mutex
	task    *journal.Task
	answers map[string]string
	by      map[string]string
}

func (b *buttonsOf) Of(*journal.Task) []channels.Question { return nil }

func (b *buttonsOf) Find(_ context.Context, id string) (channels.Question, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	answer, closed := b.answers[id]
	return channels.Question{ID: id, Text: id, Choices: []string{"Yes", "No"}, Asker: true, Task: b.task, Closed: closed, Answer: answer, By: b.by[id]}, nil
}

func (b *buttonsOf) Settle(_ context.Context, id, choice, message string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, closed := b.answers[id]; !closed {
		b.answers[id], b.by[id] = choice, message
	}
	return nil
}

// A press takes effect at once and is acknowledged at once, whatever of its session waits for room in the chat: a word
// on the side, or what another press is to show. Of two presses the first one counts.
func TestPressesWaitForNothing(t *testing.T) {
	r, s := puppetRig(t)
	from := akitad.Origin{Channel: "telegram", Chat: "7", Sender: "7"}
	asks := &buttonsOf{answers: map[string]string{}, by: map[string]string{}}
	asks.task = &journal.Task{ID: "t", Sub: journal.SubmittedData{Root: "t", Origin: from}}
	r.opts.Questions = asks
	full := make(chan struct{})
	defer close(full)
	shown := make(chan string, 9)
	r.wrap = func(channels.Channel) channels.Channel {
		return pressable{s, func(message string) { shown <- message; <-full }}
	}
	r.opts.Commands = slowSay{full}
	r.start()
	press := func(nr int, question, choice string) {
		s.say(anna, nr, func(m *akitad.Message) {
			m.Text, m.Press = "", &akitad.Press{Event: "e" + question, Message: question + choice, Choice: question + ":" + choice}
		})
	}
	s.say(anna, 1, func(m *akitad.Message) { m.Text = "/slow" }) // waits for room in the session's lane
	press(2, "first", "0")
	press(3, "first", "1")
	press(4, "second", "1")
	var got []string
	for range 3 {
		select {
		case message := <-shown:
			got = append(got, message)
		case <-r.ctx().Done():
			t.Fatalf("shown so far: %q", got)
		}
	}
	if all := strings.Join(got, " "); !strings.Contains(all, "first0") || !strings.Contains(all, "first1") || !strings.Contains(all, "second1") {
		t.Errorf("shown: %q", got)
	}
	asks.mu.Lock()
	defer asks.mu.Unlock()
	if asks.answers["first"] != "Yes" || asks.answers["second"] != "No" {
		t.Errorf("answers: %q", asks.answers)
	}
}

// slowSay is a command whose reply finds no room.
type slowSay struct{ room <-chan struct{} }

func (c slowSay) Run(_ context.Context, m akitad.Message) (string, bool, error) {
	<-c.room
	return "done", m.Text == "/slow", nil
}
