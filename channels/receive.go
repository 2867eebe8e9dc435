package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/disk"
	"github.com/akitad/akitad/internal/text"
)

// receiveAll runs the channel. One that gives up is on the log.
func (d *desk) receiveAll(ctx context.Context) {
	err := d.ch.Run(ctx, d.receive)
	if err != nil && ctx.Err() == nil {
		d.log.Error("channel stopped", zap.Error(err))
	}
}

// receive takes one message of a person. When it returns nil the message is stored, or it was none for
// the bot. It waits for no chat service: the channel hands over one message at a time,
// and one chat that has to wait must not keep the others waiting.
func (d *desk) receive(ctx context.Context, m akitad.Message) error {
	m, ok, err := d.admit(ctx, m)
	if err != nil || !ok {
		return err
	}
	if m.Edited {
		return d.edited(ctx, m)
	}
	toUs := m.Addressed || !m.Origin.Group || m.Press != nil // else a part of an album, of which that shows later
	if toUs && urgent(m.Text) {
		if done, err := d.stopEarly(ctx, m); done || err != nil {
			return err
		}
		if done, err := d.command(ctx, m, func(reply string) error { return d.say(ctx, m, reply) }); done || err != nil {
			return err
		}
	}
	if strings.TrimSpace(m.Text) == "" && len(m.Files) == 0 && m.Press == nil {
		return d.say(ctx, m, d.language(ctx, m).EmptyMessage())
	}
	if m.Press == nil && !slashed(m.Text) { // a command needs no room, and may be about it
		if refusal := cmp.Or(d.full(ctx, m), d.crowded(ctx, m)); refusal != "" {
			if !toUs {
				return nil
			}
			return d.say(ctx, m, refusal)
		}
	}
	if err := d.storeRaw(ctx, m); err != nil {
		return err
	}
	if m.Press != nil || !toUs || m.Album != "" && m.Text == "" {
		return nil // one receipt is enough for an album
	}
	return d.receipt(ctx, m)
}

// edited tells once who changes a message that it was taken as it stood. The change itself comes to nothing.
func (d *desk) edited(ctx context.Context, m akitad.Message) error {
	if m.Origin.Group && !m.Addressed {
		return nil
	}
	if again, err := d.edits.has(ctx, m.Task); again || err != nil {
		return err
	}
	if err := d.edits.add(ctx, m.Task); err != nil {
		return err
	}
	return d.say(ctx, m, d.language(ctx, m).EditNotSeen())
}

// urgent reports whether words may not wait behind what the same person sent before: they end what runs.
func urgent(words string) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(words), " ")
	switch strings.ToLower(strings.Replace(first, "／", "/", 1)) {
	case "/stop", "/cancel", "/停止", "/取消":
		return true
	}
	return false
}

// slashed reports whether words have the look of a command.
func slashed(words string) bool {
	return strings.HasPrefix(words, "/") || strings.HasPrefix(words, "／")
}

// full gives the words by which a message is refused for which the disk has no room; empty if it has. A
// disk that cannot be looked at has.
func (d *desk) full(ctx context.Context, m akitad.Message) (refusal string) {
	if d.opts.Room == nil {
		return ""
	}
	err := d.opts.Room()
	if low, full := errors.AsType[*disk.Low](err); full {
		d.log.Warn("message refused", zap.String("message", m.ID), zap.Error(err))
		return d.language(ctx, m).DiskLow(low.Free, low.Reserve)
	}
	if err != nil {
		d.log.Warn("room on the disk is unknown", zap.Error(err))
	}
	return ""
}

// inlineText is the longest text that travels inside a message, in bytes.
const inlineText = 16 << 10

// store puts the message where the orchestrator finds it; the same message again changes nothing.
func (d *desk) store(ctx context.Context, m akitad.Message) error {
	m, err := d.shorten(ctx, m)
	if err != nil {
		return err
	}
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("message %s: %w", m.ID, err)
	}
	return d.bus.PublishIn(ctx, m.Origin.Channel, d.eventID(m), body)
}

// shorten keeps words that are too long to travel with a message apart from it.
func (d *desk) shorten(ctx context.Context, m akitad.Message) (akitad.Message, error) {
	if len(m.Text) <= inlineText {
		return m, nil
	}
	ref, err := d.bus.PutArtifact(ctx, []byte(m.Text))
	m.Text, m.TextRef = "", ref
	return m, err
}

// eventID is the message's id among those of all channels.
func (d *desk) eventID(m akitad.Message) string { return d.ch.Name() + "/" + m.ID }

// commandError is why a command could not be served.
type commandError struct{ err error }

func (e *commandError) Error() string { return e.err.Error() }
func (e *commandError) Unwrap() error { return e.err }

// command serves words that are a command, once; its reply is given to answer.
func (d *desk) command(ctx context.Context, m akitad.Message, answer func(reply string) error) (done bool, err error) {
	if d.opts.Commands == nil || !slashed(m.Text) {
		return false, nil
	}
	if again, err := d.served.has(ctx, m.Task); again || err != nil {
		return again, err
	}
	reply, handled, err := d.opts.Commands.Run(ctx, m)
	if err != nil {
		return false, &commandError{err}
	}
	if !handled {
		return false, nil
	}
	if reply != "" {
		if err := answer(reply); err != nil {
			return true, err
		}
	}
	if err := d.served.add(ctx, m.Task); err != nil {
		d.log.Warn("a command that was served is not noted", zap.String("message", m.ID), zap.Error(err))
	}
	return true, nil
}

// say sends a short word on the side, which is part of no task, in order for each session. It may be
// lost in a crash.
func (d *desk) say(ctx context.Context, m akitad.Message, words string) error {
	reply := akitad.Reply{Task: m.Task, Origin: m.Origin, Text: words}
	return d.words.Go(ctx, string(m.Session), func() {
		if ctx.Err() != nil {
			return
		}
		sctx, cancel := d.linger(ctx)
		defer cancel()
		if _, err := d.ch.Final(sctx, akitad.Delivery{Kind: akitad.DeliverNotice, Reply: reply}); err != nil {
			d.log.Warn("word on the side not sent", zap.String("message", m.ID), zap.Error(err))
		}
	})
}

// language gives the language in which a message is answered: the one that is set, else its own, or if it
// shows none, as a file or a voice message, the one that was written last.
func (d *desk) language(ctx context.Context, m akitad.Message) text.Lang {
	own := text.Lang(m.Origin.Lang)
	if d.opts.Language == nil || m.Session == "" {
		return own
	}
	set, spoke, err := d.opts.Language(ctx, m.Session)
	if err != nil {
		d.log.Warn("the language of a conversation is not known", zap.Error(err))
		return own
	}
	if _, sure := text.Speaks(m.Text); sure {
		spoke = ""
	}
	return text.Lang(set).Or(text.Lang(spoke).Or(own))
}

// receipt shows that a message was taken, if the channel can.
func (d *desk) receipt(ctx context.Context, m akitad.Message) error {
	c, ok := As[Companion](d.ch)
	if !ok {
		return nil
	}
	return d.words.Go(ctx, "receipt of "+m.ID, func() {
		if err := c.Receipt(ctx, m.Origin); err != nil && ctx.Err() == nil {
			d.log.Debug("receipt not shown", zap.Error(err))
		}
	})
}
