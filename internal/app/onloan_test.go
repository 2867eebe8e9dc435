package app_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// onLoan follows what a house has on loan from its NATS server, and holds each of its writes against that: what
// the house writes is what some message asks for, and until the server has stored it nobody may have
// acknowledged that message.
type onLoan struct {
	t *testing.T

	mu    sync.Mutex
	loans map[string]string // by consumer and position: what it is about
	open  map[string]write  // by the inbox for the server's answer
	seen  map[string]int    // writes of each kind, and messages by consumer
}

// write is something that a house has the server store, and what may ask for it.
type write struct {
	what    string
	because []string
}

func (l *onLoan) look(m wired) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case !m.sent && strings.HasPrefix(m.reply, "$JS.ACK."):
		l.lent(m)
	case !m.sent:
		if w, ok := l.open[m.subject]; ok {
			l.asked(w, "when it is stored")
			delete(l.open, m.subject)
		}
	case strings.HasPrefix(m.subject, "$JS.ACK."):
		if _, at, _ := lender(m.subject); string(m.body) != "+WPI" {
			delete(l.loans, at)
		}
	default:
		if w := written(m); w.what != "" {
			l.seen[w.what]++
			l.asked(w, "when it is sent")
			l.open[m.reply] = w
		}
	}
}

// lender gives the consumer that a message came from, and its place there.
func lender(reply string) (consumer, at string, ok bool) {
	f := strings.Split(reply, ".")
	if len(f) != 9 {
		return "", "", false
	}
	return f[3], f[3] + " " + f[5], true
}

func (l *onLoan) lent(m wired) {
	consumer, at, _ := lender(m.reply)
	last := m.subject[strings.LastIndexByte(m.subject, '.')+1:]
	switch {
	case consumer == "accept":
		last = string(decodeAs[akitad.Message](m.body).Task)
	case strings.HasPrefix(consumer, "raw-"):
		consumer = "raw"
		last = string(decodeAs[struct{ Message akitad.Message }](m.body).Message.Task)
	case strings.HasPrefix(consumer, "work-"):
		consumer = "work"
	case consumer == "dispatch", strings.HasPrefix(consumer, "outbox-"), strings.HasPrefix(consumer, "announce-"):
		consumer, _, _ = strings.Cut(consumer, "-")
		last = strings.Split(m.subject, ".")[2] + " " + strings.Fields(at)[1]
	case consumer != "due":
		return // nobody settles what it reads
	}
	l.seen[consumer]++
	l.loans[at] = consumer + " " + last
}

func decodeAs[T any](body []byte) (v T) {
	_ = json.Unmarshal(body, &v)
	return v
}

// asked checks that a message is on loan that asks for the write.
func (l *onLoan) asked(w write, when string) {
	for _, loan := range l.loans {
		for _, want := range w.because {
			if loan == want || strings.HasPrefix(loan, want+" ") {
				return
			}
		}
	}
	l.t.Errorf("%s: %s none of %q is on loan, which asks for it; on loan is %q", w.what, when, w.because, slices.Sorted(maps.Values(l.loans)))
}

// written says what a message writes and which others may ask for it; nothing if it is none of those.
func written(m wired) write {
	part := strings.Split(m.subject, ".")
	if part[0] != "akita" {
		return write{}
	}
	switch id := part[len(part)-1]; part[1] {
	case "in":
		return write{"message", []string{"raw " + string(decodeAs[akitad.Message](m.body).Task)}}
	case "work":
		return write{"item", []string{"dispatch " + id + " " + strings.Fields(string(m.body))[0]}}
	case "timer":
		return write{"timer", []string{"dispatch " + id, "due " + id}}
	case "task":
		e := decodeAs[akitad.Event](m.body)
		return write{string(e.Kind), askingFor(part[2], e)}
	}
	return write{}
}

// askingFor gives what may have an event appended to a task.
func askingFor(id string, e akitad.Event) []string {
	switch {
	case e.Epoch != 0, e.Kind == journal.Claimed:
		return []string{"work " + id}
	case e.Kind == journal.Submitted:
		if d := decodeAs[journal.SubmittedData](e.Data); d.Parent != "" {
			return []string{"work " + string(d.Parent)}
		}
		return []string{"accept " + id}
	case e.Kind == journal.ChildDone:
		return []string{"dispatch " + string(decodeAs[journal.ChildDoneData](e.Data).Child), "dispatch " + id}
	case e.Kind == journal.Woken:
		if d := decodeAs[journal.WokenData](e.Data); strings.HasPrefix(d.Reason, "its turn") {
			return []string{"dispatch", "accept " + id}
		}
		return []string{"due " + id}
	case e.Kind == journal.Answered:
		d := decodeAs[journal.AnsweredData](e.Data)
		return []string{"accept " + string(akitad.DeriveTaskID("telegram", d.Message)), "due " + id}
	case e.Kind == journal.Steered:
		return []string{"accept " + string(akitad.DeriveTaskID("telegram", decodeAs[journal.SteeredData](e.Data).Message))}
	case e.Kind == journal.Delivering:
		return []string{"announce " + id, "outbox " + id}
	case e.Kind == journal.Delivered:
		return []string{"outbox " + id}
	}
	return nil
}

func (l *onLoan) done() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.loans) == 0 && len(l.open) == 0
}

// Whoever is given a message acknowledges it when what it asks for is stored, and not before: the intake of a
// chat, the acceptance, the dispatch, timers, the workers, and the outbox. In the end all is acknowledged.
func TestWorkIsStoredBeforeItIsAcknowledged(t *testing.T) {
	first, tries := llmtest.NewHold(), make(chan struct{}, 1)
	script := llmtest.New(t).
		Always(asked("later"), llmtest.Do(func(llm.Request) (llm.Reply, error) {
			select {
			case tries <- struct{}{}:
				return llm.Reply{}, akitad.Errorf(akitad.Unavailable, "not now")
			default:
				return llm.Reply{Text: "at last", Finish: llm.FinishStop}, nil
			}
		})).
		Rounds(llmtest.Begins("divide"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "a part"})), llmtest.Text("divided").Held(first)).
		Rounds(llmtest.Begins("a part"), llmtest.Calls(llmtest.Call("submit_result", map[string]any{"text": "a part is done"}))).
		Rounds(llmtest.Begins("ask me"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Blue?"})), llmtest.Text("painted"))
	l := &onLoan{t: t, loans: map[string]string{}, open: map[string]write{}, seen: map[string]int{}}
	url := newWire(t, bustest.StartNode(t, t.TempDir(), "127.0.0.1:0").Addr, l.look)
	opts := app.Options{Parts: app.Parts{Orchestrate: true, Work: true, Serve: true}, Model: script, Hold: []time.Duration{time.Millisecond}}
	h := startChatWith(t, t.TempDir(), telegramtest.Start(t, telegramtest.Options{}), opts, func(c *config.Config) { c.NATS.URL = url })
	h.say(anna, "divide it")
	<-first.Arrived()
	h.say(anna, "later, please")
	h.until(anna, func(all []string) bool { return len(all) == 2 }, "two")
	first.Release()
	h.until(anna, func(all []string) bool { return slices.Contains(all, "divided") && slices.Contains(all, "at last") }, "both answers")
	h.say(boris, "ask me")
	h.until(boris, func(all []string) bool { return slices.Contains(all, "Blue?") }, "the question")
	h.say(boris, "yes")
	h.until(boris, func(all []string) bool { return slices.Contains(all, "painted") }, "its answer")
	for began := time.Now(); !l.done(); time.Sleep(time.Millisecond) {
		if time.Since(began) > patience {
			t.Fatalf("never acknowledged: %q, without an answer: %v", slices.Sorted(maps.Values(l.loans)), l.open)
		}
	}
	h.stop()
	for _, want := range []string{
		"accept", "raw", "dispatch", "due", "work", "outbox", "announce", "message", "item", "timer", "submitted", "claimed",
		"planned", "thought", "round", "delegated", "child_done", "waiting", "woken", "answered", "completed", "delivering", "delivered",
	} {
		if l.seen[want] == 0 {
			t.Errorf("nothing was seen of %s", want)
		}
	}
	t.Log(fmt.Sprint(l.seen))
}
