package onebot

import (
	"context"
	"errors"

	"github.com/akitad/akitad"
)

// seen is the reaction that says that a message was taken: QQ's face of a hand that says OK.
const seen = "124"

// Typing shows a person that the bot is writing, where the OneBot program can do that: NapCat can, in
// private chats. Elsewhere it does nothing.
func (o *OneBot) Typing(ctx context.Context, to akitad.Origin) error {
	at, err := placeOf(to)
	if err != nil || at.group != "" {
		return err
	}
	return fail("typing", o.perhaps(ctx, "set_input_status", map[string]any{"user_id": scalar(at.user), "event_type": 1}))
}

// Receipt marks a person's message in a group as seen, where the OneBot program can do that.
func (o *OneBot) Receipt(ctx context.Context, to akitad.Origin) error {
	at, err := placeOf(to)
	if err != nil || at.group == "" || at.answer == "" {
		return err
	}
	return fail("receipt", o.perhaps(ctx, "set_msg_emoji_like", map[string]any{"message_id": scalar(at.answer), "emoji_id": seen}))
}

// perhaps makes an action that not every program knows, if there is a connection; one that does not know
// it is not asked again.
func (o *OneBot) perhaps(ctx context.Context, action string, params any) error {
	if _, unknown := o.unknown.get(action); unknown || !o.connected() {
		return nil
	}
	err := o.call(ctx, action, params, nil)
	if r, ok := errors.AsType[*refusal](err); ok {
		if kindOf(r) == akitad.Unavailable {
			o.unknown.put(action, true)
		}
		return nil // it is an extra
	}
	return err
}

func (o *OneBot) connected() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.actions != nil
}
