// Package access decides who may talk to the bot of one chat service, and remembers whom an owner let in
// or shut out. It sends nothing and knows no chat service.
package access

import (
	"context"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// Options are what the owner wrote down; the zero Options let nobody talk.
type Options struct {
	Allow   []string // ids of people; the first is an owner; "*" is anyone, and makes nobody owner
	Owners  []string // ids of more owners, who may talk too
	Groups  []string // ids of groups; "*" is any. The sender must be allowed all the same
	Pairing bool     // a stranger in a private chat gets a code by which an owner can let them in

	// Person refuses what cannot be the id of a person in the service; nil takes any id.
	Person func(id string) error
	// Now tells the time; nil is the clock.
	Now func() time.Time
}

// Door is who may talk through one channel. Its methods may be called by many goroutines, and by several
// processes on one bus: what one changes counts for all at once.
type Door struct {
	channel string
	rules   rules
	check   func(id string) error
	book    book
	now     func() time.Time
	in      chan akitad.Origin
}

// maxGreetings is how many people who were let in may wait to be told.
const maxGreetings = 16

// New returns the door of a channel. What was changed by Pair, Allow, Deny and Moved is kept on the bus.
func New(b *bus.Bus, channel string, opts Options) *Door {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Door{
		channel: channel, rules: newRules(opts), check: opts.Person, book: book{bus: b, key: "access." + channel}, now: opts.Now,
		in: make(chan akitad.Origin, maxGreetings),
	}
}

// Why says for what reason a message counts or not.
type Why string

// The reasons.
const (
	Listed     Why = "listed"     // in the configuration
	Paired     Why = "paired"     // let in by an owner
	Nobody     Why = "nobody"     // the service does not say who wrote
	Stranger   Why = "stranger"   // not allowed
	Denied     Why = "denied"     // shut out
	OtherGroup Why = "group"      // the group is not allowed
	NotToUs    Why = "not_to_bot" // in a group, and not to the bot
)

// Verdict is what becomes of a message.
type Verdict struct {
	Allowed bool
	Owner   bool
	Why     Why
	Chat    string // the chat's first id, if it has had several: what conversations are named after
	Code    string // the pairing code to tell the sender; empty: they are told nothing
}

// Judge decides about a message. A stranger may be given a pairing code, which is kept before it is
// returned; the same message gets the same code again.
func (d *Door) Judge(ctx context.Context, m akitad.Message) (Verdict, error) {
	rec, _, err := d.book.read(ctx)
	if err != nil {
		return Verdict{}, err
	}
	v := d.rules.judge(rec, m)
	if id := d.rules.owner(m); v.Owner && !m.Origin.Group && rec.Chats[id] != m.Origin.Chat {
		return v, d.noteChat(ctx, id, m.Origin.Chat)
	}
	if !d.rules.mayPair(v, m) {
		return v, nil
	}
	if _, offered := rec.offer(m, "", d.now()); !offered {
		return v, nil
	}
	fresh, err := newCode()
	if err != nil {
		return v, err
	}
	err = d.book.change(ctx, d.now(), func(r *record) error {
		v = d.rules.judge(*r, m)
		if v.Code = ""; d.rules.mayPair(v, m) {
			if code, ok := r.offer(m, fresh, d.now()); ok {
				v.Code = code
			}
		}
		return nil
	})
	return v, err
}

// Moved notes that a chat got a new id: what counted for the old one counts for the new one. It may be
// told more than once. A group that is not allowed is not kept.
func (d *Door) Moved(ctx context.Context, from, to string) error {
	rec, _, err := d.book.read(ctx)
	if err != nil || from == "" || to == "" || rec.first(to) == rec.first(from) || !d.rules.group(rec, from) {
		return err
	}
	return d.book.change(ctx, d.now(), func(r *record) error {
		if r.first(from) == r.first(to) {
			return nil
		}
		if r.Moved == nil {
			r.Moved = map[string]string{}
		}
		r.Moved[to] = from
		return nil
	})
}

// noteChat keeps where an owner can be written to.
func (d *Door) noteChat(ctx context.Context, owner, chat string) error {
	return d.book.change(ctx, d.now(), func(r *record) error {
		if r.Chats == nil {
			r.Chats = map[string]string{}
		}
		r.Chats[owner] = chat
		return nil
	})
}

// OwnerChats returns the private chat of every owner, by their id; empty for one who has not written yet.
func (d *Door) OwnerChats(ctx context.Context) (map[string]string, error) {
	rec, _, err := d.book.read(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for id := range d.rules.owners.set {
		if !rec.denies([]string{id}) {
			out[id] = rec.Chats[id]
		}
	}
	return out, nil
}
