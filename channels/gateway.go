package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/lane"
	"github.com/akitad/akitad/internal/text"
)

// Commands serves what a person types with a leading slash. handled is false for words that are no
// command.
type Commands interface {
	Run(ctx context.Context, m akitad.Message) (reply string, handled bool, err error)
}

// Options tune a Gateway. The zero value works.
type Options struct {
	Commands  Commands      // nil: commands are words like any other
	SlowAfter time.Duration // an answer later than this is announced by a notifying message, default 30 s
	PerSender bool          // in groups each sender has a session of his own
	Log       *zap.Logger
}

// maxDeliveries bounds the answers on their way at a time.
const maxDeliveries = 512

// Gateway stands between channels and the spine: what people write goes into AKITA_IN before it is
// acknowledged, and what tasks end with goes back, once, in order for each session.
type Gateway struct {
	bus      *bus.Bus
	journal  *journal.Journal
	channels []Channel
	opts     Options
	outbox   *lane.Lanes
	watches  *watches
}

// New gives a gateway for channels; Run starts it.
func New(b *bus.Bus, j *journal.Journal, channels []Channel, opts Options) *Gateway {
	opts.SlowAfter = cmp.Or(opts.SlowAfter, 30*time.Second)
	opts.Log = cmp.Or(opts.Log, zap.NewNop())
	return &Gateway{bus: b, journal: j, channels: channels, opts: opts, outbox: lane.New(maxDeliveries), watches: newWatches()}
}

// Run serves every channel until ctx ends. A channel that gives up is on the log and leaves the
// others alone.
func (g *Gateway) Run(ctx context.Context) error {
	eg, ctx := errgroup.WithContext(ctx)
	for _, ch := range g.channels {
		eg.Go(func() error { g.runChannel(ctx, ch); return nil })
		eg.Go(func() error { return g.announce(ctx, ch) })
		eg.Go(func() error { return g.deliverAll(ctx, ch) })
	}
	err := eg.Wait()
	g.outbox.Wait()
	g.watches.wait()
	return err
}

func (g *Gateway) runChannel(ctx context.Context, ch Channel) {
	err := ch.Run(ctx, func(ctx context.Context, m akitad.Message) error { return g.Receive(ctx, ch, m) })
	if err != nil && ctx.Err() == nil {
		g.opts.Log.Error("channel stopped", zap.String("channel", ch.Name()), zap.Error(err))
	}
}

// Receive takes one message of a person who may talk. When it returns nil the message is stored.
func (g *Gateway) Receive(ctx context.Context, ch Channel, m akitad.Message) error {
	m.Origin.Lang = cmp.Or(m.Origin.Lang, string(text.Detect(m.Text)))
	m.Session = g.session(m)
	m.Task = akitad.DeriveTaskID(m.Origin.Channel, m.ID)
	if m.At.IsZero() {
		m.At = time.Now().UTC()
	}
	if done, err := g.command(ctx, ch, m); done || err != nil {
		return err
	}
	if strings.TrimSpace(m.Text) == "" && len(m.Files) == 0 {
		return g.say(ctx, ch, m.Origin, m.Task, text.Lang(m.Origin.Lang).EmptyMessage())
	}
	if err := g.storeLong(ctx, &m); err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("message %s: %w", m.ID, err)
	}
	return g.bus.PublishIn(ctx, m.Origin.Channel, m.ID, body)
}

// session gives the conversation that a message belongs to.
func (g *Gateway) session(m akitad.Message) akitad.SessionKey {
	parts := []string{m.Origin.Channel, m.Origin.Chat, m.Origin.Thread}
	if g.opts.PerSender {
		parts = append(parts, m.Origin.Sender)
	}
	return akitad.DeriveSessionKey(parts...)
}

// inlineText is the longest text that travels inside a message, in bytes.
const inlineText = 16 << 10

func (g *Gateway) storeLong(ctx context.Context, m *akitad.Message) error {
	if len(m.Text) <= inlineText {
		return nil
	}
	ref, err := g.bus.PutArtifact(ctx, []byte(m.Text))
	if err == nil {
		m.Text, m.TextRef = "", ref
	}
	return err
}

func (g *Gateway) command(ctx context.Context, ch Channel, m akitad.Message) (bool, error) {
	if g.opts.Commands == nil || !strings.HasPrefix(m.Text, "/") {
		return false, nil
	}
	reply, handled, err := g.opts.Commands.Run(ctx, m)
	if err != nil || !handled {
		return handled, err
	}
	return true, g.say(ctx, ch, m.Origin, m.Task, reply)
}

// say sends a short word on the side, which is not part of any task.
func (g *Gateway) say(ctx context.Context, ch Channel, to akitad.Origin, task akitad.TaskID, words string) error {
	if words == "" {
		return nil
	}
	_, err := ch.Final(ctx, akitad.Delivery{Kind: akitad.DeliverNotice, Reply: akitad.Reply{Task: task, Origin: to, Text: words}})
	return err
}

// announce puts a placeholder into the chat of each new task and shows its progress there.
func (g *Gateway) announce(ctx context.Context, ch Channel) error {
	return g.bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Tasks, Durable: "announce-" + ch.Name(), FromNow: true, Filters: []string{"akita.task.*.ready", "akita.task.*.wait"},
	}, func(ctx context.Context, d *bus.Delivery) {
		id := taskOf(d)
		g.watches.start(id, func() { g.watch(ctx, ch, id) })
		g.settle(ctx, d)
	})
}

func taskOf(d *bus.Delivery) akitad.TaskID { return akitad.TaskID(strings.Split(d.Subject(), ".")[2]) }

func (g *Gateway) settle(ctx context.Context, d *bus.Delivery) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	if err := d.Ack(ctx); err != nil {
		g.opts.Log.Debug("delivery not settled", zap.Error(err))
	}
}

// deliverAll brings answers back. An answer that cannot be sent is tried again inside of its lane:
// giving it back would let the next answer of the same session pass.
func (g *Gateway) deliverAll(ctx context.Context, ch Channel) error {
	return g.bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Tasks, Durable: "outbox-" + ch.Name(), FromNow: true, Filters: []string{"akita.task.*.end"}, MaxAckPending: maxDeliveries,
	}, func(ctx context.Context, d *bus.Delivery) {
		id := taskOf(d)
		t, err := g.journal.Load(ctx, id)
		if err == nil && !g.owes(t, ch) {
			g.settle(ctx, d)
			return
		}
		lane := string(id)
		if err == nil {
			lane = string(t.Sub.Session)
		}
		_ = g.outbox.Go(ctx, lane, func() { // ctx ended: the end comes again
			if g.insist(ctx, d, func() error { return g.deliver(ctx, ch, id) }) {
				g.settle(ctx, d)
			}
		})
	})
}

// owes reports whether the task's answer is still to be sent through this channel.
func (g *Gateway) owes(t *journal.Task, ch Channel) bool {
	return t.Exists() && t.IsRoot() && t.Final() && t.Sub.Origin.Channel == ch.Name() && !t.Delivered
}

func (g *Gateway) insist(ctx context.Context, d *bus.Delivery, do func() error) bool {
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 15*time.Second) {
		err := do()
		switch {
		case err == nil:
			return true
		case ctx.Err() != nil:
			return false
		}
		g.opts.Log.Warn("answer not delivered, tried again", zap.String("subject", d.Subject()), zap.Error(err))
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		}
		if err := d.InProgress(); err != nil {
			g.opts.Log.Debug("delivery not kept", zap.Error(err))
		}
	}
}

// deliver sends a task's answer, from the part on that the journal says.
func (g *Gateway) deliver(ctx context.Context, ch Channel, id akitad.TaskID) error {
	t, err := g.journal.Load(ctx, id)
	if err != nil || !g.owes(t, ch) {
		return err
	}
	lang := text.Lang(t.Sub.Origin.Lang)
	del := akitad.Delivery{
		Kind: akitad.DeliverAnswer, Message: t.Placeholder, Reply: reply(t, lang), From: max(t.Parts-1, 0), Repeat: t.Parts > 0,
		Before: func(ctx context.Context, part int) error { return g.intend(ctx, t, part) },
	}
	if t.Placeholder != "" && t.Ended.Sub(t.Created) > g.opts.SlowAfter {
		del.Notify = lang.Done()
	}
	sent, err := ch.Final(ctx, del)
	if err != nil && !undeliverable(err) {
		return err
	}
	d := journal.DeliveryData{Messages: sent}
	if err != nil {
		d.Error = err.Error()
		g.opts.Log.Error("answer cannot be delivered", zap.String("task", string(id)), zap.Error(err))
	}
	return g.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Delivered {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivered, Data: d}
	})
}

// intend journals that a part is about to be sent, so that a crash while it is sent is known.
func (g *Gateway) intend(ctx context.Context, t *journal.Task, part int) error {
	return g.journal.Decide(ctx, t, func(t *journal.Task) *journal.Decision {
		if t.Parts > part {
			return nil
		}
		return &journal.Decision{Kind: journal.Delivering, Data: journal.DeliveryData{Part: part + 1}}
	})
}

// undeliverable reports errors that no repetition mends: the chat is gone, the bot was blocked.
func undeliverable(err error) bool {
	switch akitad.KindOf(err) {
	case akitad.PermissionDenied, akitad.NotFound, akitad.InvalidRequest:
		return true
	}
	return false
}

// reply makes of a task's end what the person reads.
func reply(t *journal.Task, lang text.Lang) akitad.Reply {
	r := akitad.Reply{Task: t.ID, Origin: t.Sub.Origin}
	switch {
	case t.State == akitad.WasCancelled:
		r.Text = lang.Cancelled()
	case t.Error != nil && t.Error.Kind == akitad.Expired:
		r.Text = lang.Expired(t.Created)
	case t.Error != nil:
		r.Text = lang.Failed(*t.Error)
	}
	if t.Result != nil {
		r.Partial, r.Degraded, r.Files = t.Result.Partial, t.Result.Degraded, t.Result.Artifacts
		r.Text = strings.TrimSpace(t.Result.Text + "\n\n" + r.Text)
	}
	if r.Text == "" {
		r.Text = lang.NoAnswer(len(t.Rounds))
	}
	return r
}

// Health gives what is wrong with each channel, nil for one that receives.
func (g *Gateway) Health() map[string]error {
	out := map[string]error{}
	for _, ch := range g.channels {
		var err error
		if p, ok := ch.(Prober); ok {
			err = p.Health()
		}
		out[ch.Name()] = err
	}
	return out
}

// errNotOurs says that a task belongs to another channel.
var errNotOurs = errors.New("the task came from elsewhere")
