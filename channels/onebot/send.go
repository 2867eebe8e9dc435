package onebot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	// sendTries is how often a message is sent that was refused for a reason that may pass.
	sendTries = 3
	// unsent begins the id of a message whose number is not known: it can be neither answered nor
	// taken back.
	unsent = "later:"
)

// place is where a message goes: a group, or a person, perhaps through a group that both are in.
type place struct {
	group, user, through string
	answer               string // the person's message
}

func placeOf(o akitad.Origin) (place, error) {
	p := place{group: o.Chat, answer: o.Message}
	if user, private := strings.CutPrefix(o.Chat, privately); private {
		p = place{user: user, through: o.Thread, answer: o.Message}
	}
	if cmp.Or(p.group, p.user) == "" {
		return p, refuse(fmt.Sprintf("%q is no chat", o.Chat), "")
	}
	return p, nil
}

// target is the first half of the parameters of what goes to a chat.
type target struct {
	Group scalar `json:"group_id,omitempty"`
	User  scalar `json:"user_id,omitempty"`
}

func (p place) target() target {
	if p.group != "" {
		return target{Group: scalar(p.group)}
	}
	return target{User: scalar(p.user), Group: scalar(p.through)}
}

// action is the name of an action, which differs between groups and persons.
func (p place) action(group, private string) string {
	if p.group != "" {
		return group
	}
	return private
}

func (p place) chat() string { return cmp.Or(p.group, privately+p.user) }

// out is a segment on its way.
type out struct {
	Type string            `json:"type"`
	Data map[string]string `json:"data"`
}

// letter is one message on its way.
type letter struct {
	to     place
	class  pace.Class
	reply  bool // it answers the person's message
	repeat bool // it may be in the chat already
	body   []out
	file   *upload // in place of a message
}

// Placeholder puts a first message into the chat, as a reply to the person's, and gives its id. QQ
// notifies the person of it, and it cannot be rewritten: it is taken back when the answer is there.
func (o *OneBot) Placeholder(ctx context.Context, to akitad.Origin, text, _ string) (message string, err error) {
	at, err := placeOf(to)
	if err != nil {
		return "", err
	}
	l := letter{to: at, class: pace.Notice, reply: true, body: textOf(chunks(text)[0])}
	if err = o.room(ctx, l); err == nil {
		message, err = o.deliver(ctx, l)
	}
	return message, fail("placeholder", err)
}

// Progress shows nothing: QQ cannot edit, and a message for each step would be a nuisance.
func (o *OneBot) Progress(context.Context, akitad.Origin, string, string) error { return nil }

func textOf(text string) []out {
	return []out{{Type: "text", Data: map[string]string{"text": text}}}
}

// room waits for its turn and for a connection, so that what is announced after it leaves at once.
func (o *OneBot) room(ctx context.Context, l letter) error {
	if err := o.gate.Wait(ctx, l.to.chat(), l.class); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, o.opts.Timeout)
	defer cancel()
	_, err := o.waitActions(ctx)
	return err
}

// deliver sends a letter until it is answered. What was surely not sent, or was refused for a reason
// that may pass, is sent again; the reply is left out then, as the message it answers may be gone.
// Room for the first try was taken.
func (o *OneBot) deliver(ctx context.Context, l letter) (id string, err error) {
	retry := chatsend.Retry(o.opts.Retry)
	for try := 1; ; try++ {
		id, err = o.once(ctx, l)
		r, refused := errors.AsType[*refusal](err)
		again := errors.Is(err, errNotSent) || (refused && (l.reply || kindOf(err) == akitad.PermissionDenied))
		if err == nil || !again || try >= sendTries || ctx.Err() != nil {
			return id, err
		}
		wait := retry.NextBackOff()
		o.log.Warn("onebot message not sent, tried again", zap.String("chat", l.to.chat()), zap.Duration("after", wait), zap.Error(err))
		if refused {
			l.reply = false
			l.repeat = l.repeat || unsure(r)
			o.gate.Pause(l.to.chat(), wait)
		} else {
			sleep.For(ctx, wait)
		}
		if err := o.gate.Wait(ctx, l.to.chat(), l.class); err != nil {
			return "", err
		}
	}
}

// unsure tells refusals after which the message may be in the chat all the same: NapCat's 1200 is
// what it says of a time-out too.
func unsure(r *refusal) bool { return r.code == 1200 }

// heavy letters carry a file.
func (l letter) heavy() bool { return len(l.body) > 0 && l.body[0].Data["file"] != "" }

// once makes the request for a letter.
func (o *OneBot) once(ctx context.Context, l letter) (string, error) {
	if l.file != nil {
		return o.upload(ctx, l)
	}
	var body []out
	if l.reply && l.to.answer != "" {
		body = append(body, out{Type: "reply", Data: map[string]string{"id": l.to.answer}})
	}
	if l.repeat {
		body = append(body, textOf(chatsend.RepeatMark)...)
	}
	var sent struct {
		ID scalar `json:"message_id"`
	}
	limit := o.opts.Timeout
	if l.heavy() {
		limit *= uploads
	}
	err := o.callWithin(ctx, limit, l.to.action("send_group_msg", "send_private_msg"), struct {
		target
		Message []out `json:"message"`
	}{l.to.target(), append(body, l.body...)}, &sent)
	if err != nil {
		return "", err
	}
	if sent.ID == "" || sent.ID == "0" {
		return unsent + time.Now().UTC().Format("150405.000000"), nil
	}
	o.mine.put(string(sent.ID), true)
	return string(sent.ID), nil
}

// recall takes a placeholder back. QQ allows it for two minutes, and not everywhere: one that stays
// does no harm.
func (o *OneBot) recall(ctx context.Context, message string) {
	if message == "" || strings.HasPrefix(message, unsent) {
		return
	}
	err := o.call(ctx, "delete_msg", map[string]scalar{"message_id": scalar(message)}, nil)
	if err != nil {
		o.log.Debug("onebot placeholder stays", zap.String("message", message), zap.Error(err))
	}
}
