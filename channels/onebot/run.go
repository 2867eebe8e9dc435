package onebot

import (
	"cmp"
	"context"
	"errors"
	"time"

	"go.uber.org/zap"
	"golang.org/x/sync/errgroup"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/lane"
	"github.com/akitad/akitad/internal/sleep"
)

// Run hands over what people write, one message of a chat after the other, until ctx ends. OneBot knows no
// acknowledgement: what arrives while nothing is connected is lost, and what has arrived is handed
// over until it is taken.
func (o *OneBot) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	ended := make(chan struct{})
	o.mu.Lock()
	if o.running != nil {
		o.mu.Unlock()
		return refuse("it runs already", "")
	}
	o.running = ended
	o.mu.Unlock()
	eg, ctx := errgroup.WithContext(ctx)
	eg.Go(func() error { o.handOver(ctx, receive); return nil })
	if o.opts.URL != "" {
		eg.Go(func() error { o.dialAll(ctx); return nil })
	}
	err := eg.Wait()
	o.mu.Lock()
	o.running = nil
	o.mu.Unlock()
	close(ended)
	o.links.Wait()
	return err
}

// lastWithin is how long, at the end of Run, what has arrived may take to be handed over: nobody sends it
// again.
const lastWithin = 3 * time.Second

// maxHanded bounds the messages that are being handed over.
const maxHanded = 2048

// handOver takes events as they come, and at the end those that have arrived by then. What has to be looked up
// for a message holds up its chat alone.
func (o *OneBot) handOver(ctx context.Context, receive func(context.Context, akitad.Message) error) {
	last, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastWithin, cancel) })()
	lanes := lane.New(maxHanded)
	defer lanes.Wait()
	give := func(ctx context.Context, e event) {
		_ = lanes.Go(last, e.origin().Chat, func() { o.hand(ctx, last, e, receive) }) // else the time is up
	}
	for ctx.Err() == nil {
		select {
		case <-ctx.Done():
		case e := <-o.inbox:
			give(ctx, e)
		}
	}
	for {
		select {
		case e := <-o.inbox:
			give(last, e)
		default:
			return
		}
	}
}

func (o *OneBot) hand(ctx, last context.Context, e event, receive func(context.Context, akitad.Message) error) {
	m, twin := o.message(ctx, e)
	if _, known := o.files.get(twin); twin != "" && known {
		return
	}
	if o.insist(ctx, last, m, receive) && twin != "" {
		o.files.put(twin, true)
	}
}

// message decodes an event. twin names the file that it is about, if it is about one alone: some
// programs tell of a file in a group by a message and by a notice.
func (o *OneBot) message(ctx context.Context, e event) (m akitad.Message, twin string) {
	m = e.message(look{
		ours:   func(id string) bool { return o.ours(ctx, string(e.Self), id) },
		unfold: func(s []segment) []segment { return o.unfold(ctx, s) },
	})
	o.quote(ctx, e, &m)
	if len(m.Files) == 1 && m.Text == "" && m.Origin.Group && m.Files[0].Kind == "" {
		twin = m.Origin.Chat + "/" + m.Origin.Sender + "/" + m.Files[0].Name + "/" + m.At.String()
	}
	return m, twin
}

// insist hands a message over until it is taken, and when ctx ends once more. One that is refused for good is
// passed over.
func (o *OneBot) insist(ctx, last context.Context, m akitad.Message, receive func(context.Context, akitad.Message) error) bool {
	for retry := chatsend.Retry(o.opts.Retry); ; {
		err := receive(ctx, m)
		switch {
		case err == nil:
			return true
		case akitad.KindOf(err) == akitad.InvalidRequest:
			o.log.Error("onebot message refused; passed over", zap.String("event", m.ID), zap.Error(err))
			return false
		case ctx.Err() != nil:
			return o.insistLast(last, m, receive)
		}
		wait := retry.NextBackOff()
		o.log.Warn("onebot message not taken, handed over again", zap.String("event", m.ID), zap.Duration("after", wait), zap.Error(err))
		sleep.For(ctx, wait)
	}
}

func (o *OneBot) insistLast(ctx context.Context, m akitad.Message, receive func(context.Context, akitad.Message) error) bool {
	err := receive(ctx, m)
	if err != nil {
		o.log.Error("onebot message lost at the stop", zap.String("event", m.ID), zap.Error(err))
	}
	return err == nil
}

// ours reports whether a message is the bot's own: as far as it is remembered, else as the program
// says.
func (o *OneBot) ours(ctx context.Context, self, id string) bool {
	if mine, known := o.mine.get(id); known {
		return mine
	}
	var got struct {
		Sender sender `json:"sender"`
		User   scalar `json:"user_id"`
	}
	ctx, cancel := context.WithTimeout(ctx, o.opts.Timeout/3)
	defer cancel()
	if err := o.call(ctx, "get_msg", map[string]any{"message_id": scalar(id)}, &got); err != nil {
		o.log.Debug("onebot message not looked up", zap.String("message", id), zap.Error(err))
		return false
	}
	who := cmp.Or(string(got.Sender.User), string(got.User))
	mine := who != "" && who == self
	o.mine.put(id, mine)
	return mine
}

// accept keeps a connection in use until it is lost. A newer one of the same role takes its place.
func (o *OneBot) accept(ctx context.Context, l *link) error {
	var old []*link
	o.mu.Lock()
	if l.role != roleActions {
		old = append(old, o.events)
		o.events = l
	}
	if l.role != roleEvents {
		old = append(old, o.actions)
		o.actions = l
	}
	o.failure = nil
	o.touch()
	o.mu.Unlock()
	for _, other := range old {
		if other != nil && other != l {
			_ = other.conn.CloseNow()
		}
	}
	o.log.Info("onebot connected", zap.String("role", string(l.role)), zap.String("self", l.self))
	err := l.serve(ctx, o.opts.Ping, o.log, o.arrived)
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.events == l {
		o.events = nil
	}
	if o.actions == l {
		o.actions = nil
	}
	o.touch()
	if ctx.Err() == nil {
		o.log.Warn("onebot connection lost", zap.String("role", string(l.role)), zap.Error(err))
	}
	return err
}

// arrived queues an event of a person. With no room, the connection is not read on until there is.
func (o *OneBot) arrived(ctx context.Context, e event) {
	if e.ID != "" && (e.Post == "message" || e.Post == "message_sent") {
		o.mine.put(string(e.ID), e.User == e.Self)
	}
	if !e.fromPerson() {
		return
	}
	if o.opts.Self != "" && string(e.Self) != o.opts.Self {
		o.log.Warn("onebot event of another account", zap.String("self", string(e.Self)))
		return
	}
	select {
	case o.inbox <- e:
	case <-ctx.Done():
	}
}

// waitActions gives the connection that takes actions, as soon as there is one.
func (o *OneBot) waitActions(ctx context.Context) (*link, error) {
	for {
		o.mu.Lock()
		l, changed, why := o.actions, o.changed, o.failure
		o.mu.Unlock()
		if l != nil {
			return l, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, errors.Join(errNotSent, why)
		}
	}
}
