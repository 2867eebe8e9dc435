package access

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/akitad/akitad"
)

// Pair lets in whoever was told this code within the last hour, whatever the case of its letters; by
// says who decided. A code that is not known is not_found, one whose time is up expired.
func (d *Door) Pair(ctx context.Context, code, by string) (Person, error) {
	var in Person
	var was pending
	err := d.book.change(ctx, d.now(), func(r *record) error {
		p, ok := r.redeem(code)
		was = p
		if !ok && r.isPast(code) {
			return akitad.Errorf(akitad.Expired, "the pairing code is too old").
				WithHint("codes are good for one hour; the person gets a new one by writing to the bot again")
		}
		if !ok {
			return akitad.Errorf(akitad.NotFound, "no such pairing code").
				WithHint("codes are good for one hour and once; the person gets a new one by writing to the bot again")
		}
		in = Person{ID: p.Sender, Name: p.Name, At: d.now().UTC(), By: by}
		r.People = append(without(r.People, in.ID), in)
		return nil // who is shut out has no code
	})
	if err == nil {
		d.greet(was)
	}
	return in, err
}

// Allow lets a person in by their id, and ends what Deny did. What is no id of a person in the service is
// invalid_request.
func (d *Door) Allow(ctx context.Context, id, by string) error {
	id, err := personID(id)
	if err == nil && d.check != nil {
		err = d.check(id)
	}
	if err != nil {
		return err
	}
	var was pending
	err = d.book.change(ctx, d.now(), func(r *record) error {
		name := r.name(id)
		r.Denied = without(r.Denied, id)
		was = r.dropPending(id)
		if !holds(r.People, []string{id}) {
			r.People = append(r.People, Person{ID: id, Name: name, At: d.now().UTC(), By: by})
		}
		return nil
	})
	if err == nil {
		d.greet(was)
	}
	return err
}

// LetIn gives, one after the other, where those can be told who were let in by this Door after they had been
// given a code. Who is let in by another process is not among them.
func (d *Door) LetIn() <-chan akitad.Origin { return d.in }

func (d *Door) greet(p pending) {
	if p.Chat == "" {
		return
	}
	select {
	case d.in <- akitad.Origin{Channel: d.channel, Chat: p.Chat, Sender: p.Sender, Name: p.Name, Lang: p.Lang}:
	default: // nobody tells them: they find out when they write
	}
}

// Deny shuts a person out, also one whom the configuration lists; but not the only owner that is left, which
// is invalid_request.
func (d *Door) Deny(ctx context.Context, id, by string) error {
	id, err := personID(id)
	if err != nil {
		return err
	}
	return d.book.change(ctx, d.now(), func(r *record) error {
		if d.rules.onlyOwner(*r, id) {
			return akitad.Errorf(akitad.InvalidRequest, "%s is the only owner", id).
				WithHint("name another owner in the configuration first, or take this one out of it")
		}
		name := r.name(id)
		r.People = without(r.People, id)
		r.dropPending(id)
		if !holds(r.Denied, []string{id}) {
			r.Denied = append(r.Denied, Person{ID: id, Name: name, At: d.now().UTC(), By: by})
		}
		return nil
	})
}

// name returns the name by which a person is on record, "" if there is none.
func (r *record) name(id string) string {
	for _, p := range append(slices.Clone(r.People), r.Denied...) {
		if p.ID == id && p.Name != "" {
			return p.Name
		}
	}
	for _, p := range r.Pending {
		if p.Sender == id {
			return p.Name
		}
	}
	return ""
}

// dropPending takes a person's code away, and gives it.
func (r *record) dropPending(id string) (was pending) {
	kept := r.Pending[:0]
	for _, p := range r.Pending {
		if p.Sender != id {
			kept = append(kept, p)
		} else {
			was = p
		}
	}
	r.Pending = kept
	return was
}

// maxID is the longest id of a person, in bytes.
const maxID = 128

func personID(id string) (string, error) {
	id = strings.TrimSpace(id)
	bad := strings.IndexFunc(id, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }) >= 0
	if id == "" || id == "*" || len(id) > maxID || bad {
		return "", akitad.Errorf(akitad.InvalidRequest, "%q is no id of a person", id).
			WithHint("give the id that /id shows; anyone at once is allowed in the configuration only")
	}
	return id, nil
}

// Listing is who may talk, and who asks to.
type Listing struct {
	Allow   []string // of the configuration, and so are Owners and Groups
	Owners  []string
	Groups  []string
	Pairing bool
	People  []Person  // let in since
	Denied  []Person  // shut out since
	Waiting []Waiting // who was told a code
}

// Waiting is somebody who was told a pairing code. The code itself stays with them: only who has it from
// them can use it.
type Waiting struct {
	ID    string
	Name  string
	Since time.Time
	Until time.Time
}

// List returns all of it.
func (d *Door) List(ctx context.Context) (Listing, error) {
	rec, _, err := d.book.read(ctx)
	if err != nil {
		return Listing{}, err
	}
	rec.expire(d.now())
	out := Listing{
		Allow: d.rules.allow.list(), Owners: d.rules.owners.list(), Groups: d.rules.groups.list(), Pairing: d.rules.pairing,
		People: rec.People, Denied: rec.Denied,
	}
	for _, p := range rec.Pending {
		out.Waiting = append(out.Waiting, Waiting{ID: p.Sender, Name: p.Name, Since: p.At.UTC(), Until: p.At.Add(codeLife).UTC()})
	}
	return out, nil
}
