package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// raw is a message as it was taken from the channel. Whether it is for the bot, and a press, stand beside it, since the
// JSON of a message has neither: both are done with when a task is made of it.
type raw struct {
	Message   akitad.Message `json:"message"`
	Addressed bool           `json:"addressed,omitempty"`
	Press     *akitad.Press  `json:"press,omitempty"`
	Bundle    string         `json:"bundle,omitempty"` // shared by files and the words that go with them

	parts []akitad.TaskID // of an album or a bundle: what each part would have become
}

// storeRaw keeps a message before anything slow is done with it: only then may the channel acknowledge it. The same message
// again changes nothing, because the stream knows its id.
func (d *desk) storeRaw(ctx context.Context, m akitad.Message) error {
	m, err := d.shorten(ctx, m)
	if err != nil {
		return err
	}
	r := raw{Message: m, Addressed: m.Addressed, Press: m.Press}
	if _, apart := As[Parter](d.ch); apart {
		r.Bundle = d.bundles.of(m, time.Now())
	}
	body, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("message %s: %w", m.ID, err)
	}
	return d.bus.PublishRaw(ctx, d.ch.Name(), d.eventID(m), body)
}

// unpackAll makes messages for the orchestrator of what people sent: in order for each session, and
// sessions beside each other, so that what takes long for one holds up nobody else.
func (d *desk) unpackAll(ctx context.Context) error {
	return d.bus.Consume(ctx, bus.ConsumerOptions{
		Stream: bus.Raw, Durable: "raw-" + d.ch.Name(), Filters: []string{"akita.raw." + d.ch.Name()}, MaxAckPending: maxRaw, Alone: true,
	}, d.unpack)
}

// unpack puts one delivery into the lane of its session, which goes on when this returns. A part of an album whose other
// parts are in a lane already only joins them. The delivery is settled when all is done with its message, and stays on loan
// until then.
func (d *desk) unpack(ctx context.Context, del *bus.Delivery) {
	if !d.rawLoans.take(del) {
		return // it waits in its lane already
	}
	p := part{del: del}
	if err := json.Unmarshal(del.Body(), &p.raw); err != nil {
		d.log.Error("message cannot be read and is dropped", zap.Error(err))
		d.rawDone(ctx, p)
		return
	}
	if p.Press != nil {
		d.unpackPress(ctx, p)
		return
	}
	parcel, isNew := d.albums.add(p, time.Now())
	if !isNew {
		return // it goes with its album
	}
	d.backlog.add(p.Message.Session)
	if err := d.raws.Go(ctx, string(p.Message.Session), func() { d.unpackOne(ctx, parcel) }); err != nil {
		d.albums.end(parcel)
		d.backlog.done(p.Message.Session)
		for _, p := range parcel.all() { // the gateway stops: they come again
			d.rawLoans.end(p.del)
		}
	}
}

// unpackOne waits until a parcel is whole and does with it what is to be done, until that succeeds.
func (d *desk) unpackOne(ctx context.Context, p *parcel) {
	whole, stopped := d.gather(ctx, p)
	d.albums.end(p)
	parts := p.all()
	defer d.backlog.done(parts[0].Message.Session)
	if whole && !stopped {
		order(parts)
		try := 0
		whole = d.insist(ctx, parts[0].Message.Task, func(ctx context.Context) error {
			rest, err := d.rest(ctx, parts)
			if err != nil {
				return err
			}
			r := join(rest)
			try++
			return d.passOver(ctx, r, d.unwrap(ctx, r), try)
		})
	}
	for _, one := range slices.Backward(parts) { // the one whose task it is comes again as long as any other may
		if whole {
			d.rawDone(ctx, one)
		} else {
			d.rawLoans.end(one.del)
		}
	}
}

// commandTries is how often a command is tried that fails, in about three seconds: whatever it is that fails,
// what its sender writes next must not wait for ever.
const commandTries = 5

// passOver gives up a message that no repetition makes good, and tells its sender; then there is no error. Any other error
// it gives back, and the message is tried again.
func (d *desk) passOver(ctx context.Context, r raw, err error, try int) error {
	kind := akitad.KindOf(err)
	_, command := errors.AsType[*commandError](err)
	vain := kind == akitad.InvalidRequest || command && try >= commandTries && !kind.Temporary()
	if err == nil || ctx.Err() != nil || !vain {
		return err
	}
	d.log.Error("message passed over", zap.String("message", r.Message.ID), zap.Error(err))
	return d.tell(ctx, r.Message, []string{d.language(ctx, r.Message).Failed(*akitad.FailureOf(err))})
}

// rawDone settles a message with which all is done: it does not come again.
func (d *desk) rawDone(ctx context.Context, p part) {
	d.settle(p.del)
	d.rawLoans.end(p.del)
}

// unwrap does what one message calls for. It may be done again from the beginning after a crash: nothing of
// it is lost, and no task comes of it twice.
func (d *desk) unwrap(ctx context.Context, r raw) error {
	if r.Message.Origin.Group && !r.Addressed {
		return d.passBy(ctx, r)
	}
	m, err := d.lengthen(ctx, r.Message)
	if err != nil {
		return err
	}
	m, told, err := d.bring(ctx, m)
	if err != nil {
		return err
	}
	done, err := d.command(ctx, m, func(reply string) error { return d.tell(ctx, m, []string{reply}) })
	if done || err != nil {
		return err
	}
	return d.unwrapWords(ctx, r, m, told)
}

// passBy leaves an album alone that is not to the bot, which shows only when all of it is there. If some of it was
// taken before, its sender is told that the rest came too late.
func (d *desk) passBy(ctx context.Context, r raw) error {
	d.log.Debug("album passed over: it is not to the bot", zap.String("message", r.Message.ID))
	_, err := d.again(ctx, r)
	return err
}

// unwrapWords makes of m, which is no command, what the orchestrator takes. told is what the person is to hear about
// its files so far.
func (d *desk) unwrapWords(ctx context.Context, r raw, m akitad.Message, told []string) error {
	m.Origin.Lang = string(d.language(ctx, m))
	m.Notice = ""        // it was for a command
	if slashed(m.Text) { // receive let it pass without a look at the disk, since it might have been a command
		if refusal := d.full(ctx, m); refusal != "" {
			return d.tell(ctx, m, []string{refusal})
		}
	}
	if again, err := d.again(ctx, r); again || err != nil {
		return err
	}
	m, more, stopped, err := d.unpackUnlessStopped(ctx, m)
	if stopped || err != nil {
		return err
	}
	told = append(told, more...)
	if strings.TrimSpace(m.Text) == "" && len(m.Files) == 0 {
		return d.tell(ctx, m, told)
	}
	return d.handOver(ctx, r, m, told)
}

// unpackUnlessStopped does what unpackFiles does, until the person says that it should stop.
func (d *desk) unpackUnlessStopped(ctx context.Context, m akitad.Message) (_ akitad.Message, told []string, stopped bool, err error) {
	hctx, halting := d.halts.begin(ctx, m)
	m, told, err = d.unpackFiles(hctx, m)
	if d.halts.end(halting) {
		return m, nil, true, nil
	}
	if ctx.Err() != nil {
		err = cmp.Or(err, context.Cause(ctx))
	}
	return m, told, false, err
}

// handOver stores a message for the orchestrator, with what its sender is told. The parts of an album are noted
// before, so that one of them that comes again, or late, makes no task of its own.
func (d *desk) handOver(ctx context.Context, r raw, m akitad.Message, told []string) error {
	m, err := d.notify(ctx, m, told)
	if err != nil {
		return err
	}
	m, err = d.numbered(ctx, m)
	if err != nil {
		return err
	}
	if len(r.parts) > 0 {
		if err := d.joined.add(ctx, r.parts...); err != nil {
			return err
		}
	}
	return d.store(ctx, m)
}

// again reports whether a message has become a task already: it came again, or it is a part of an album whose
// others have. The sender of such a part is told.
func (d *desk) again(ctx context.Context, r raw) (bool, error) {
	m := r.Message
	was, err := d.journal.Load(ctx, m.Task)
	if err != nil {
		return false, err
	}
	if !was.Exists() {
		return d.wasBundled(ctx, r)
	}
	known, err := d.joined.has(ctx, r.parts...)
	if err != nil || known {
		return true, err
	}
	return true, d.tell(ctx, m, []string{d.language(ctx, m).AlbumLate(len(r.parts))})
}

// rest leaves out of a bundle what has become a task before, if its first file came again: what was sent behind it is new.
func (d *desk) rest(ctx context.Context, parts []part) ([]part, error) {
	if parts[0].Bundle == "" || len(parts) == 1 {
		return parts, nil
	}
	was, err := d.journal.Load(ctx, parts[0].Message.Task)
	if err != nil || !was.Exists() {
		return parts, err
	}
	rest := parts[:0:0]
	for _, p := range parts[1:] {
		known, err := d.joined.has(ctx, p.Message.Task)
		if err != nil {
			return nil, err
		}
		if !known {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		return parts[:1], nil
	}
	return rest, nil
}

// wasBundled reports whether a message went with a file before: it has no task of its own that would tell. It comes
// alone: as long as the bundle may come again, its first file does.
func (d *desk) wasBundled(ctx context.Context, r raw) (bool, error) {
	if _, apart := As[Parter](d.ch); !apart || len(r.parts) > 0 {
		return false, nil
	}
	return d.joined.has(ctx, r.Message.Task)
}

// bring fetches the files that go with a command: some make a task of them.
func (d *desk) bring(ctx context.Context, m akitad.Message) (_ akitad.Message, told []string, err error) {
	if d.opts.Commands == nil || !slashed(m.Text) || len(m.Files) == 0 {
		return m, nil, nil
	}
	files, missing, err := d.fetchAll(ctx, m)
	if err != nil {
		return m, nil, err
	}
	m.Files = files
	told = lostWords(d.language(ctx, m), missing, true)
	m.Notice = strings.Join(told, "\n")
	return m, told, nil
}

// lengthen brings back words that were kept apart.
func (d *desk) lengthen(ctx context.Context, m akitad.Message) (akitad.Message, error) {
	if m.TextRef == "" {
		return m, nil
	}
	body, err := d.bus.GetArtifact(ctx, m.TextRef)
	if akitad.KindOf(err) == akitad.NotFound { // to try again would hold up the session for ever
		return m, &akitad.Error{Kind: akitad.InvalidRequest, Op: "text of message " + m.ID, Err: err}
	}
	if err != nil {
		return m, fmt.Errorf("text of message %s: %w", m.ID, err)
	}
	m.Text, m.TextRef = string(body), ""
	return m, nil
}

// notify has the person told what there is to tell about a message: with the task that it becomes, or at
// once if a task runs that it may answer or correct.
func (d *desk) notify(ctx context.Context, m akitad.Message, words []string) (akitad.Message, error) {
	if len(words) == 0 {
		return m, nil
	}
	if d.opts.Running != nil {
		if _, busy, err := d.opts.Running(ctx, m.Session); err != nil || busy {
			if err != nil {
				return m, err
			}
			return m, d.tell(ctx, m, words)
		}
	}
	m.Notice = strings.Join(words, "\n")
	return m, nil
}

// tellTimeout is how long a word on the side may take; the chat may have to wait.
const tellTimeout = time.Minute

// tell sends words that belong to no task. If the chat cannot be written to they are lost: nobody waits
// for them.
func (d *desk) tell(ctx context.Context, m akitad.Message, words []string) error {
	if len(words) == 0 {
		return nil
	}
	tctx, cancel := context.WithTimeout(ctx, tellTimeout)
	defer cancel()
	reply := akitad.Reply{Task: m.Task, Origin: m.Origin, Text: strings.Join(words, "\n")}
	if _, err := d.ch.Final(tctx, akitad.Delivery{Kind: akitad.DeliverNotice, Reply: reply}); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		d.log.Warn("word on the side not sent", zap.String("message", m.ID), zap.Error(err))
	}
	return nil
}
