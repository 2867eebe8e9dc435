package feishu

import (
	"cmp"
	"context"
	"encoding/json"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

// Receive takes one message for good; until it returns nil, the message is handed over again.
type Receive = func(context.Context, akitad.Message) error

func zapMessage(id string) zap.Field { return zap.String("message", id) }
func zapError(err error) zap.Field   { return zap.Error(err) }

// intake is what one Run does with events.
type intake struct {
	*Feishu
	receive Receive
	seen    *memo // messages that were taken
}

// laneWithin is how long an event may wait for a place in line before the service has to send it again.
const laneWithin = time.Second

// handle takes one event: messages of one chat in their order, the others meanwhile. It is a handler.
func (in *intake) handle(ctx context.Context, body []byte, done func([]byte, error)) {
	e, err := decodeEvent(body)
	if err != nil {
		in.log.Warn("feishu event passed over", zap.String("event", e.id), zap.String("kind", e.kind), zap.Error(err))
		done(nil, nil)
		return
	}
	switch {
	case e.message != nil:
		in.inLane(ctx, "chat "+string(e.message.Chat), done, func() { done(nil, in.message(ctx, e.message)) })
	case e.press != nil:
		in.takePress(ctx, e.press, done)
	default:
		in.log.Debug("feishu event passed over", zap.String("kind", e.kind))
		done(nil, nil)
	}
}

func (in *intake) inLane(ctx context.Context, key string, done func([]byte, error), work func()) bool {
	short, cancel := context.WithTimeout(ctx, laneWithin)
	defer cancel()
	err := in.lanes.Go(short, key, work)
	if err != nil {
		done(nil, err)
	}
	return err == nil
}

// message hands a person's message over. Nil means that it is stored, or that it never will be.
func (in *intake) message(ctx context.Context, m *incoming) error {
	if why := in.leaveOut(m); why != "" {
		in.log.Debug("feishu message passed over", zapMessage(string(m.ID)), zap.String("why", why))
		return nil
	}
	return in.give(ctx, in.convert(ctx, m))
}

// leaveOut says why a message is no person's; "" if it is. Two bots that answer each other would not stop.
func (in *intake) leaveOut(m *incoming) string {
	switch {
	case m.senderType == "app", m.senderType == "bot":
		return "a bot wrote it"
	case m.sender.Open == "" || string(m.sender.Open) == in.me():
		return "no person wrote it"
	case m.Type == "system":
		return "a service message"
	}
	return ""
}

// give calls receive until it has taken the message or ctx ends: what comes later in the same chat must
// not pass it. Meanwhile the service, which gets no acknowledgement, sends it again; once it was taken
// that changes nothing.
func (in *intake) give(ctx context.Context, msg akitad.Message) error {
	if taken, _ := in.seen.get(msg.ID); taken {
		return nil
	}
	retry := chatsend.Retry(0)
	retry.InitialInterval = 100 * time.Millisecond
	for {
		err := in.receive(ctx, msg)
		switch {
		case err == nil:
			in.seen.put(msg.ID, true)
			in.taken()
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case akitad.KindOf(err) == akitad.InvalidRequest:
			in.log.Error("feishu message refused; passed over", zap.String("event", msg.ID), zap.Error(err))
			return nil
		}
		in.notTaken(err)
		wait := retry.NextBackOff()
		in.log.Warn("feishu message not taken", zap.String("event", msg.ID), zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
}

// convert makes the message that the house knows.
func (in *intake) convert(ctx context.Context, m *incoming) akitad.Message {
	r := &reader{message: string(m.ID), mentions: m.Mentions}
	text := ""
	if m.Type == "merge_forward" {
		text, r.files = in.forward(ctx, string(m.ID))
	} else {
		text = named(r.read(string(m.Type), []byte(m.Content)), m.Mentions, in.me())
	}
	msg := akitad.Message{
		// Not the event's id: the service sends one message by several events, up to seven hours apart.
		ID: "fs:" + string(m.ID), Text: text, Files: r.files, ReplyTo: string(m.Parent), At: cmp.Or(m.at(), time.Now().UTC()),
		Addressed: in.addressed(ctx, m), Aliases: m.sender.others(),
		Origin: akitad.Origin{
			Channel: in.Name(), Chat: string(m.Chat), Thread: string(m.Thread), Sender: string(m.sender.Open),
			Message: string(m.ID), Group: m.group(),
		},
	}
	in.quote(ctx, m, &msg)
	return msg
}

// addressed reports whether a message is to the bot: by a mention, or as an answer to what it said.
func (in *intake) addressed(ctx context.Context, m *incoming) bool {
	if m.addressed || mentioned(m.Mentions, in.me()) {
		return true
	}
	if m.Parent == "" || !m.group() {
		return false
	}
	own, known := in.own.get(string(m.Parent))
	if known {
		return own
	}
	return in.wroteIt(ctx, string(m.Parent))
}

// wroteIt asks the service whether the bot wrote a message, and remembers the answer.
func (in *intake) wroteIt(ctx context.Context, id string) bool {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	items, err := in.ask(ctx, id)
	if err != nil {
		in.log.Warn("feishu message not found out about; taken as not the bot's", zapMessage(id), zap.Error(err))
	}
	if err != nil && kindOf(err).Temporary() {
		return false
	}
	own := false
	for _, m := range items {
		own = own || m.ID == id && in.wrote(m)
	}
	in.own.put(id, own)
	return own
}

// takePress hands a pressed button over and answers with the words of Pressed, if they come in time.
func (in *intake) takePress(ctx context.Context, p *pressed, done func([]byte, error)) {
	if p.value.Choice == "" || p.value.Chat != p.chat || p.person.Open == "" {
		in.log.Info("feishu button passed over: it is not where the bot put it", zapMessage(p.message))
		done(nil, nil)
		return
	}
	id := cmp.Or(p.event, p.message+":"+string(p.person.Open)+":"+p.value.Choice)
	wait := in.presses.open(id)
	inLine := in.inLane(ctx, "press "+id, done, func() {
		defer in.presses.close(id, wait)
		if err := in.give(ctx, in.press(p, id)); err != nil {
			done(nil, err)
			return
		}
		done(wait.words(ctx), nil)
	})
	if !inLine {
		in.presses.close(id, wait)
	}
}

func (in *intake) press(p *pressed, id string) akitad.Message {
	return akitad.Message{
		ID: "fs:press:" + id, At: time.Now().UTC(), Addressed: true, Aliases: p.person.others(),
		Press: &akitad.Press{Event: id, Message: p.message, Choice: p.value.Choice},
		Origin: akitad.Origin{
			Channel: in.Name(), Chat: p.chat, Thread: p.value.Thread, Sender: string(p.person.Open), Message: p.message, Group: p.value.Group,
		},
	}
}

// identify asks who the bot is until it is known: without that no mention could be told.
func (f *Feishu) identify(ctx context.Context) error {
	retry := chatsend.Retry(0)
	for ctx.Err() == nil && f.me() == "" {
		err := f.askMe(ctx)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return nil
		}
		f.setHealth(fail("ask who the bot is", err))
		if kindOf(err) == akitad.Auth {
			return fail("ask who the bot is", err)
		}
		wait := retry.NextBackOff()
		f.log.Warn("feishu bot not known", zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
	return nil
}

func (f *Feishu) askMe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	out, err := f.wire.Call(ctx, request{method: "GET", path: "/open-apis/bot/v3/info"})
	if err != nil {
		return err
	}
	var answer struct {
		Bot struct {
			Open string `json:"open_id"`
			Name string `json:"app_name"`
		} `json:"bot"`
	}
	if err := json.Unmarshal(out.data, &answer); err != nil || answer.Bot.Open == "" {
		return &apiError{status: 502, msg: "the answer does not say who the bot is"}
	}
	f.mu.Lock()
	f.self = answer.Bot.Open
	f.mu.Unlock()
	f.log.Info("feishu bot", zap.String("name", answer.Bot.Name), zap.String("id", answer.Bot.Open))
	return nil
}
