package chatsend

import (
	"context"
	"fmt"

	"github.com/akitad/akitad"
)

// Note records that a part goes in another form, and why.
type Note = func(as akitad.AmendmentForm, why error)

// Outlet brings parts into chats.
type Outlet[P any] struct {
	// Ready waits until a part would leave at once, so that one which surely did not leave is not announced as
	// one that may have. Nil is not to wait.
	Ready func(ctx context.Context, part P) error
	// Send brings a part into the chat and gives its id there; repeat says that it may be there already.
	Send func(ctx context.Context, part P, repeat bool, note Note) (id string, err error)
	// Fail gives an error its kind and the name of what was done.
	Fail func(op string, err error) error

	// Unclear reports refusals of which it is not known what to do: other words, or fewer, may be taken.
	Unclear func(error) bool
	// Less gives what goes in place of a text that was refused: itself without markup, or its halves; nil if there
	// is nothing less.
	Less func(part P) []P
	// Say gives a part that says these words in place of a text; false for a file.
	Say func(part P, words string) (P, bool)
}

// Final brings the parts of a delivery into the chat from d.From on, each announced by d.Before, and gives the
// ids of those that came there. It ends with the first that did not.
func (o Outlet[P]) Final(ctx context.Context, d akitad.Delivery, parts []P) (messages []string, err error) {
	c := &course[P]{Outlet: o, unshown: d.Unshown, amended: d.Amended}
	for c.part = max(d.From, 0); c.part < len(parts); c.part++ {
		op := fmt.Sprintf("part %d of %d", c.part, len(parts))
		if err := c.ready(ctx, parts[c.part]); err != nil {
			return messages, o.Fail(op, err)
		}
		if d.Before != nil {
			if err := d.Before(ctx, c.part); err != nil {
				return messages, fmt.Errorf("before part %d: %w", c.part, err)
			}
		}
		ids, err := c.bring(ctx, parts[c.part], d.Repeat && c.part == d.From)
		messages = append(messages, ids...)
		if err != nil {
			return messages, o.Fail(op, err)
		}
	}
	return messages, nil
}

// course is one delivery on its way.
type course[P any] struct {
	Outlet[P]
	unshown string
	amended func(akitad.Amendment)
	part    int
	gap     bool // the last that the chat shows are the words of unshown
}

func (c *course[P]) ready(ctx context.Context, part P) error {
	if c.Ready == nil {
		return nil
	}
	return c.Ready(ctx, part)
}

func (c *course[P]) note(as akitad.AmendmentForm, why error) {
	if c.amended != nil {
		c.amended(akitad.Amendment{Part: c.part, As: as, Why: why.Error()})
	}
}

// bring sends a part, or what is less than it. On an error some of it may be there.
func (c *course[P]) bring(ctx context.Context, part P, repeat bool) (ids []string, err error) {
	id, err := c.Send(ctx, part, repeat, c.note)
	if err == nil {
		c.gap = false
		return []string{id}, nil
	}
	if c.Unclear == nil || !c.Unclear(err) {
		return nil, err
	}
	less := c.Less(part)
	switch len(less) {
	case 0:
		return c.admit(ctx, part, err)
	case 1:
		c.note(akitad.AsPlain, err)
	default:
		c.note(akitad.AsPieces, err)
	}
	for _, p := range less {
		if err := c.ready(ctx, p); err != nil {
			return ids, err
		}
		some, err := c.bring(ctx, p, repeat)
		ids = append(ids, some...)
		if err != nil {
			return ids, err
		}
	}
	return ids, nil
}

// admit says that a part is not shown, once for those that follow each other. Where not even that is taken, the
// error is why the part was not.
func (c *course[P]) admit(ctx context.Context, part P, why error) (ids []string, err error) {
	said, isText := c.Say(part, c.unshown)
	if c.unshown == "" || !isText {
		return nil, why
	}
	if c.gap {
		c.note(akitad.AsNone, why)
		return nil, nil
	}
	if err := c.ready(ctx, said); err != nil {
		return nil, err
	}
	id, err := c.Send(ctx, said, false, c.note)
	switch {
	case err == nil:
		c.gap = true
		c.note(akitad.AsNotice, why)
		return []string{id}, nil
	case c.Unclear(err):
		c.note(akitad.AsNone, why)
		return nil, why
	}
	return nil, err
}
