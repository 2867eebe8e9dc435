package access

import (
	"crypto/rand"
	"crypto/subtle"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

const (
	// alphabet has 32 characters, none of which is taken for another: no 0 O 1 I.
	alphabet   = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	codeLength = 8
	codeLife   = time.Hour
	codeKnown  = 24 * time.Hour // how long an old code is told from one that never was
	maxPending = 3              // codes of a channel at a time
	// codeOwn is how long nobody else can have a code's place: as long as it takes to tell it to an owner. From
	// then on somebody new gets the place of the oldest, so that three strangers do not shut out all others.
	codeOwn = 10 * time.Minute
)

// pending is a code that somebody was told. It also bars the same person from another one.
type pending struct {
	Code    string    `json:"code"`
	Sender  string    `json:"sender"`
	Name    string    `json:"name,omitempty"`
	Message string    `json:"message"` // the message that it answers
	Chat    string    `json:"chat,omitempty"`
	Lang    string    `json:"lang,omitempty"`
	At      time.Time `json:"at"`
}

func newCode() (string, error) {
	var raw [codeLength]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return "", err
	}
	for i, b := range raw {
		raw[i] = alphabet[int(b)%len(alphabet)]
	}
	return string(raw[:]), nil
}

// expire ends the codes whose time is up. For a day it is known that they were codes.
func (r *record) expire(now time.Time) {
	for _, p := range r.Pending {
		if now.Sub(p.At) >= codeLife {
			r.Past = append(r.Past, p.past())
		}
	}
	r.Pending = slices.DeleteFunc(r.Pending, func(p pending) bool { return now.Sub(p.At) >= codeLife })
	r.Past = slices.DeleteFunc(r.Past, func(p pending) bool { return now.Sub(p.At) >= codeKnown })
}

// past is what is kept of a code that is not good any more.
func (p pending) past() pending { return pending{Code: p.Code, Sender: p.Sender, At: p.At} }

// isPast reports whether a code was good once, not long ago.
func (r *record) isPast(code string) bool {
	said := normal(code)
	return slices.ContainsFunc(r.Past, func(p pending) bool { return p.Code == said })
}

// offer returns the code for a stranger's message: the one that this message got before, or fresh if the
// stranger may have one now.
func (r *record) offer(m akitad.Message, fresh string, now time.Time) (code string, ok bool) {
	live, prompted := []pending{}, false
	for _, p := range append(slices.Clone(r.Past), r.Pending...) {
		prompted = prompted || p.Sender == m.Origin.Sender && now.Sub(p.At) < codeLife
	}
	for _, p := range r.Pending {
		if p.Sender == m.Origin.Sender && now.Sub(p.At) < codeLife {
			return p.Code, p.Message == m.ID
		}
		if now.Sub(p.At) < codeLife {
			live = append(live, p)
		}
	}
	full := len(live) >= maxPending
	if prompted || full && now.Sub(live[0].At) < codeOwn {
		return "", false
	}
	if full {
		r.Past = append(slices.Clone(r.Past), live[0].past())
		live = live[1:]
	}
	r.Pending = append(live, pending{
		Code: fresh, Sender: m.Origin.Sender, Name: m.Origin.Name, Message: m.ID, At: now, Chat: m.Origin.Chat, Lang: m.Origin.Lang,
	})
	return fresh, true
}

// redeem takes the person whom a code was given out of those who wait. All codes are compared, each in
// the same time.
func (r *record) redeem(code string) (pending, bool) {
	said := []byte(normal(code))
	at := -1
	for i, p := range r.Pending {
		if subtle.ConstantTimeCompare(said, []byte(p.Code)) == 1 {
			at = i
		}
	}
	if at < 0 {
		return pending{}, false
	}
	found := r.Pending[at]
	r.Pending = slices.Delete(r.Pending, at, at+1)
	return found, true
}

// normal is a code as it was made, however it was typed: in small letters, with blanks or hyphens.
func normal(code string) string {
	return strings.Map(func(c rune) rune {
		if c == '-' || c == ' ' || c == '\t' || c == '\n' || c == '\r' {
			return -1
		}
		return c
	}, strings.ToUpper(code))
}
