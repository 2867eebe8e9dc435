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
)

// pending is a code that somebody was told. It also bars the same person from another one.
type pending struct {
	Code    string    `json:"code"`
	Sender  string    `json:"sender"`
	Name    string    `json:"name,omitempty"`
	Message string    `json:"message"` // the message that it answers
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
			r.Past = append(r.Past, pending{Code: p.Code, At: p.At})
		}
	}
	r.Pending = slices.DeleteFunc(r.Pending, func(p pending) bool { return now.Sub(p.At) >= codeLife })
	r.Past = slices.DeleteFunc(r.Past, func(p pending) bool { return now.Sub(p.At) >= codeKnown })
}

// isPast reports whether a code was good once, not long ago.
func (r *record) isPast(code string) bool {
	said := normal(code)
	return slices.ContainsFunc(r.Past, func(p pending) bool { return p.Code == said })
}

// offer gives the code for a stranger's message: the one that this message got before, or fresh if the
// stranger may have one now.
func (r *record) offer(m akitad.Message, fresh string, now time.Time) (code string, ok bool) {
	live := 0
	for _, p := range r.Pending {
		if now.Sub(p.At) >= codeLife {
			continue
		}
		live++
		if p.Sender == m.Origin.Sender {
			return p.Code, p.Message == m.ID
		}
	}
	if live >= maxPending {
		return "", false
	}
	r.Pending = append(slices.Clone(r.Pending), pending{Code: fresh, Sender: m.Origin.Sender, Name: m.Origin.Name, Message: m.ID, At: now})
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
