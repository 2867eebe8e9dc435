package channels

import (
	"context"
	"strconv"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// unpackPress lets a press take effect: those of a session in order, and beside all else that it sent. What has
// to wait for room in the chat, or for files, holds up no press, and what a press shows there holds up nothing.
func (d *desk) unpackPress(ctx context.Context, p part) {
	end := func() { d.rawLoans.end(p.del) }
	err := d.raws.Go(ctx, "presses of "+string(p.Message.Session), func() {
		show, ok := d.takeEffect(ctx, p.raw)
		if !ok {
			end() // the gateway stops: it comes again
			return
		}
		err := d.words.Go(ctx, "press of "+p.Message.ID, func() {
			lctx, cancel := d.linger(ctx)
			defer cancel()
			if show(lctx); lctx.Err() != nil {
				end()
				return
			}
			d.rawDone(ctx, p)
		})
		if err != nil {
			end()
		}
	})
	if err != nil {
		end()
	}
}

// takeEffect does what a button stands for, until that succeeds; false if ctx ends before. A press that comes
// again changes nothing. What came of it is shown by show.
func (d *desk) takeEffect(ctx context.Context, r raw) (show func(context.Context), ok bool) {
	m, p, try := r.Message, *r.Press, 0
	asker, ok := As[Asker](d.ch)
	if !ok || d.opts.Questions == nil {
		return func(context.Context) {}, true
	}
	var words, settled string
	ok = d.insist(ctx, m.Task, func(ctx context.Context) (err error) {
		if words, settled, err = d.press(ctx, m, p); err != nil {
			err = &commandError{err}
		}
		try++
		return d.passOver(ctx, r, err, try)
	})
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, tellTimeout)
		defer cancel()
		if err := asker.Pressed(ctx, m.Origin, p, words, settled); err != nil {
			d.log.Warn("press not answered", zap.String("message", m.ID), zap.Error(err))
		}
	}, ok
}

// press gives the words for who pressed, and what the message is to be from now on; empty: as it is.
func (d *desk) press(ctx context.Context, m akitad.Message, p akitad.Press) (words, settled string, err error) {
	lang := text.Lang(m.Origin.Lang)
	id, nr, _ := cutLast(p.Choice, ":")
	q, err := d.opts.Questions.Find(ctx, id)
	if akitad.KindOf(err) == akitad.NotFound || err == nil && !d.ours(q.Task) {
		return lang.PressOver(), "", nil
	}
	if err != nil {
		return "", "", err
	}
	lang = text.Lang(q.Task.Sub.Origin.Lang)
	n, bad := strconv.Atoi(nr)
	switch {
	case bad != nil || n < 0 || n >= len(q.Choices):
		return lang.PressOver(), "", nil
	case !mayAnswer(q, m.Origin):
		return lang.PressNotYours(), "", nil
	case !q.Closed:
		d.settled.add(id)
		if err := d.opts.Questions.Settle(ctx, id, q.Choices[n], m.ID); err != nil {
			return "", "", err
		}
		if q, err = d.opts.Questions.Find(ctx, id); err != nil {
			return "", "", err
		}
	}
	words, settled = outcome(q, m)
	return words, settled, nil
}
