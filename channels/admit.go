package channels

import (
	"cmp"
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/access"
	"github.com/akitad/akitad/internal/text"
)

// admit decides whether a message counts, and completes one that does. One that does not costs nothing
// but a look at the list: at most its sender is told a pairing code.
func (d *desk) admit(ctx context.Context, m akitad.Message) (_ akitad.Message, ok bool, err error) {
	if d.door == nil {
		d.log.Warn("nobody may talk through this channel: it has no access list")
		return m, false, nil
	}
	if m.MovedFrom != "" {
		return m, false, d.door.Moved(ctx, m.MovedFrom, m.Origin.Chat)
	}
	v, err := d.door.Judge(ctx, m)
	if err != nil {
		return m, false, err
	}
	m.Origin.Owner = v.Owner
	m.Origin.Lang = cmp.Or(m.Origin.Lang, string(text.Detect(m.Text)))
	m.Session = d.session(m.Origin, v.Chat)
	m.Task = akitad.DeriveTaskID(m.Origin.Channel, m.ID)
	if m.At.IsZero() {
		m.At = time.Now().UTC()
	}
	if !v.Allowed {
		return m, false, d.turnAway(ctx, m, v)
	}
	return m, true, nil
}

// turnAway tells a stranger the pairing code, if there is one, and who presses a button in a group that is
// served that it is not theirs.
func (d *desk) turnAway(ctx context.Context, m akitad.Message, v access.Verdict) error {
	d.log.Debug("message passed over", zap.String("message", m.ID), zap.String("why", string(v.Why)))
	if asker, ok := As[Asker](d.ch); ok && m.Press != nil && (v.Why == access.Stranger || v.Why == access.Denied) {
		return d.words.Go(ctx, "press of "+m.ID, func() {
			if err := asker.Pressed(ctx, m.Origin, *m.Press, text.Lang(m.Origin.Lang).PressNotYours(), ""); err != nil && ctx.Err() == nil {
				d.log.Debug("press not answered", zap.Error(err))
			}
		})
	}
	if v.Code == "" {
		return nil
	}
	d.log.Info("pairing code given", zap.String("sender", m.Origin.Sender), zap.String("name", m.Origin.Name))
	return d.say(ctx, m, text.Lang(m.Origin.Lang).Pairing(v.Code))
}

// session gives the conversation that a message belongs to; chat is the first id that its chat had. A
// private chat is of one person, even where the service numbers persons and groups alike.
func (d *desk) session(from akitad.Origin, chat string) akitad.SessionKey {
	parts := []string{from.Channel, chat, from.Thread}
	switch {
	case from.Group:
		parts = append(parts, "group")
		if d.opts.PerSender[d.ch.Name()] {
			parts = append(parts, from.Sender)
		}
	case from.Sender != chat:
		parts = append(parts, "person", from.Sender)
	}
	return akitad.DeriveSessionKey(parts...)
}

// greetAll tells those who are let in that they are, as long as ctx lasts.
func (d *desk) greetAll(ctx context.Context) {
	if d.door == nil {
		return
	}
	for {
		select {
		case to := <-d.door.LetIn():
			m := akitad.Message{ID: "let in " + to.Sender, Origin: to, Session: d.session(to, to.Chat)}
			if err := d.say(ctx, m, text.Lang(to.Lang).LetIn()); err != nil {
				return // the gateway stops
			}
		case <-ctx.Done():
			return
		}
	}
}
