package channeltest_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/channeltest"
)

// whole is all that the channel of a Fake is.
type whole interface {
	channels.Channel
	channels.Companion
	channels.Fetcher
	channels.Asker
	channels.Prober
}

type receiver = func(context.Context, akitad.Message) error

// broken is a channel that does one thing wrong.
type broken struct {
	whole
	receive  func(context.Context, akitad.Message, receiver) error
	final    func(context.Context, akitad.Delivery, whole) ([]string, error)
	progress func() error
	health   func() error
}

func (b broken) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	if b.receive == nil {
		return b.whole.Run(ctx, receive)
	}
	return b.whole.Run(ctx, func(ctx context.Context, m akitad.Message) error { return b.receive(ctx, m, receive) })
}

func (b broken) Final(ctx context.Context, d akitad.Delivery) ([]string, error) {
	if b.final == nil {
		return b.whole.Final(ctx, d)
	}
	return b.final(ctx, d, b.whole)
}

func (b broken) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	if b.progress == nil {
		return b.whole.Progress(ctx, to, message, text)
	}
	return b.progress()
}

func (b broken) Health() error {
	if b.health == nil {
		return b.whole.Health()
	}
	return b.health()
}

// changed is a fault that changes what is delivered.
func changed(change func(*akitad.Delivery)) broken {
	return broken{final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		change(&d)
		return ch.Final(ctx, d)
	}}
}

// heard is a fault that changes what is handed over.
func heard(change func(*akitad.Message)) broken {
	return broken{receive: func(ctx context.Context, m akitad.Message, next receiver) error {
		change(&m)
		return next(ctx, m)
	}}
}

// cutOff hands over a message of the first run again in the second one: so often, and by an id that ends in id.
func cutOff(text string, times int, id string) broken {
	var mu sync.Mutex
	kept := map[string]akitad.Message{}
	return broken{receive: func(ctx context.Context, m akitad.Message, next receiver) error {
		mu.Lock()
		kept[m.Text] = m
		old := kept[text]
		mu.Unlock()
		for range times {
			if m.Text == "three" {
				old.ID += id
				_ = next(ctx, old)
			}
		}
		return next(ctx, m)
	}}
}

var (
	tries atomic.Int64
	only  chan bool // held by the one that sends; made in the bubble that uses it
)

var faults = map[string]broken{
	"an id of its own for each try": heard(func(m *akitad.Message) { m.ID += fmt.Sprint(tries.Add(1)) }),
	"nothing is to the bot":         heard(func(m *akitad.Message) { m.Addressed = false }),
	"every chat is private":         heard(func(m *akitad.Message) { m.Origin.Group = false }),
	"presses are words":             heard(func(m *akitad.Message) { m.Press = nil }),
	"files have no name":            heard(func(m *akitad.Message) { m.Files = nil }),
	"replies answer nothing":        heard(func(m *akitad.Message) { m.ReplyTo = "" }),
	"topics are lost":               heard(func(m *akitad.Message) { m.Origin.Thread = "" }),
	"words are trimmed":             heard(func(m *akitad.Message) { m.Text = m.Text[:len(m.Text)/2] }),
	"taken whatever comes of it":    {receive: func(ctx context.Context, m akitad.Message, next receiver) error { _ = next(ctx, m); return nil }},
	"handed over twice": {receive: func(ctx context.Context, m akitad.Message, next receiver) error {
		_ = next(ctx, m)
		return next(ctx, m)
	}},
	"the first comes again after a restart":     cutOff("one", 1, ""),
	"the last comes twice more after a restart": cutOff("two", 2, ""),
	"the last comes by another id after a stop": cutOff("two", 1, "-2"),
	"parts are not announced":                   changed(func(d *akitad.Delivery) { d.Before = nil }),
	"a delivery begins anew":                    changed(func(d *akitad.Delivery) { d.From = 0 }),
	"repetitions look like the original":        changed(func(d *akitad.Delivery) { d.Repeat = false }),
	"files stay at home":                        changed(func(d *akitad.Delivery) { d.Reply.Files = nil }),
	"questions have no buttons":                 changed(func(d *akitad.Delivery) { d.Choices = nil }),
	"nobody is notified":                        changed(func(d *akitad.Delivery) { d.Notify = "" }),
	"the placeholder stays":                     changed(func(d *akitad.Delivery) { d.Message = "" }),
	"long answers are cut":                      changed(func(d *akitad.Delivery) { d.Reply.Text = d.Reply.Text[:min(len(d.Reply.Text), 3000)] }),
	"sent twice": {final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		_, _ = ch.Final(ctx, d)
		return ch.Final(ctx, d)
	}},
	"one chat at a time": {final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		select {
		case only <- true:
			defer func() { <-only }()
			return ch.Final(ctx, d)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}},
	"errors show the token": {final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		ids, err := ch.Final(ctx, d)
		if err != nil {
			err = fmt.Errorf("%w (with fake-secret-token)", err)
		}
		return ids, err
	}},
	"every error is final": {final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		ids, err := ch.Final(ctx, d)
		if err != nil {
			err = &akitad.Error{Kind: akitad.InvalidRequest, Err: err}
		}
		return ids, err
	}},
	"every error is an unknown one": {final: func(ctx context.Context, d akitad.Delivery, ch whole) ([]string, error) {
		ids, err := ch.Final(ctx, d)
		if err != nil {
			err = errors.New("it did not work")
		}
		return ids, err
	}},
	"progress fails":  {progress: func() error { return errors.New("not now") }},
	"progress is not": {progress: func() error { return nil }},
	"always well":     {health: func() error { return nil }},
	"never well":      {health: func() error { return errors.New("unwell") }},
}

// brokenFake is a service whose channels have one fault.
type brokenFake struct {
	*channeltest.Fake
	fault broken
}

func (f brokenFake) Channel(tb testing.TB, open channeltest.Open) channels.Channel {
	tb.Helper()
	b := f.fault
	b.whole = f.Fake.Channel(tb, open).(whole)
	return b
}

// faultVar tells the test binary to be a suite with this fault.
const faultVar = "CHANNELTEST_FAULT"

// TestSuiteFindsFaults runs the suite, in a process of its own, on channels that break one promise each.
func TestSuiteFindsFaults(t *testing.T) {
	if name := os.Getenv(faultVar); name != "" {
		setup := channeltest.FakeSetup()
		start := func(testing.TB) channeltest.Service {
			only = make(chan bool, 1)
			return brokenFake{channeltest.NewFake("fake"), faults[name]}
		}
		setup.Start, setup.Direct = start, start
		channeltest.Run(t, setup)
		return
	}
	for name := range faults {
		t.Run(name, func(t *testing.T) {
			cmd := exec.Command(os.Args[0], "-test.failfast", "-test.run", "^TestSuiteFindsFaults$")
			cmd.Env = append(os.Environ(), faultVar+"="+name)
			if out, err := cmd.CombinedOutput(); err == nil {
				t.Errorf("the suite finds nothing wrong:\n%s", out)
			}
		})
	}
}

// TestAStopMayCutOffAnAcknowledgement runs the suite on a channel that hands over the last message before a
// stop again, as services do that have not heard that it was taken.
func TestAStopMayCutOffAnAcknowledgement(t *testing.T) {
	setup := channeltest.FakeSetup()
	start := func(testing.TB) channeltest.Service {
		return brokenFake{channeltest.NewFake("fake"), cutOff("two", 1, "")}
	}
	setup.Start, setup.Direct = start, start
	channeltest.Run(t, setup)
}
