package channels

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/sleep"
	"github.com/akitad/akitad/internal/sorting"
)

const (
	// albumWait is how long after its last part an album counts as whole, and maxAlbumWait how long after
	// its first one at the latest.
	albumWait    = time.Second
	maxAlbumWait = 30 * time.Second
)

// part is one message that a channel handed over, and its loan.
type part struct {
	raw
	del *bus.Delivery
}

// number is the part's place among the messages of its chat, where these are numbered: the parts of an album may be
// handed over in any order.
func (p part) number() int {
	n, err := strconv.Atoi(p.Message.Origin.Message)
	if err != nil || p.Message.Album == "" {
		return 0
	}
	return n
}

// parcel is what becomes one message: a message, or the parts of an album or a bundle.
type parcel struct {
	key   string // of the album or bundle; empty: a message that is whole
	parts []part
	first time.Time // when the first and the last part came
	last  time.Time
	mu    *sync.Mutex
}

// all gives the parts that have come so far, in the order in which they came.
func (p *parcel) all() []part {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.parts)
}

// albums are those whose parts still come. The time counts from when parts come in, however long it takes
// until it is the album's turn.
type albums struct {
	mu sync.Mutex
	on map[string]*parcel
}

func newAlbums() *albums { return &albums{on: map[string]*parcel{}} }

// add puts a part to its album, or begins a parcel; isNew is the latter.
func (a *albums) add(p part, now time.Time) (_ *parcel, isNew bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	key := p.parcelKey()
	if open := a.on[key]; key != "" && open != nil {
		open.parts, open.last = append(open.parts, p), now
		return open, false
	}
	begun := &parcel{key: key, parts: []part{p}, first: now, last: now, mu: &a.mu}
	if key != "" {
		a.on[key] = begun
	}
	return begun, true
}

// wait returns when a parcel is whole; false if ctx ended before.
func (a *albums) wait(ctx context.Context, p *parcel) bool {
	for {
		left := a.left(p, time.Now())
		if left <= 0 {
			return ctx.Err() == nil
		}
		if !sleep.For(ctx, left) {
			return false
		}
	}
}

// left says how long to wait for more parts; at 0 the parcel is closed to them.
func (a *albums) left(p *parcel, now time.Time) time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	if p.key == "" {
		return 0
	}
	wait := albumWait
	if newest := p.parts[len(p.parts)-1]; newest.Bundle != "" {
		wait = bundleWait
		if speaks(newest.Message) {
			wait = 0
		}
	}
	left := min(p.last.Add(wait).Sub(now), p.first.Add(maxAlbumWait).Sub(now))
	if left <= 0 && a.on[p.key] == p {
		delete(a.on, p.key)
	}
	return left
}

// end closes a parcel to further parts.
func (a *albums) end(p *parcel) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.on[p.key] == p {
		delete(a.on, p.key)
	}
}

// albumKey is what the parts of an album share, and no other album does; empty for what is none.
func albumKey(m akitad.Message) string {
	if m.Album == "" {
		return ""
	}
	return strings.Join([]string{string(m.Session), m.Origin.Sender, m.Album}, "\x1f")
}

// parcelKey is what the parts of one parcel share; empty for a message that is whole.
func (r raw) parcelKey() string {
	if r.Bundle != "" {
		return strings.Join([]string{string(r.Message.Session), r.Message.Origin.Sender, "bundle", r.Bundle}, "\x1f")
	}
	return albumKey(r.Message)
}

// join makes one message of parts, always with the same id for the same album: a part that comes late
// starts nothing, and its sender is told. A bundle has the id of its first part: words that come late are a message of
// their own. The words, and with them whom the album is for, may stand at any of its parts.
func join(parts []part) raw {
	order(parts)
	out := parts[0].raw
	if out.Message.Album == "" && len(parts) == 1 {
		return out
	}
	m, seen := &out.Message, map[string]bool{out.Message.ID: true}
	if m.Album != "" {
		m.ID = "album:" + akitad.Digest(albumKey(*m))
		m.Task = akitad.DeriveTaskID(m.Origin.Channel, m.ID)
	}
	m.Files = slices.Clone(m.Files)
	out.parts = []akitad.TaskID{parts[0].Message.Task}
	for _, p := range parts[1:] {
		if seen[p.Message.ID] {
			continue
		}
		seen[p.Message.ID] = true
		out.parts = append(out.parts, p.Message.Task)
		out.Addressed = out.Addressed || p.Addressed
		m.Files = append(m.Files, p.Message.Files...)
		m.ReplyTo = cmp.Or(m.ReplyTo, p.Message.ReplyTo)
		if words := p.Message; words.Text+words.TextRef != "" {
			switch {
			case begins(words.Text, m.Text) && m.TextRef == "":
				m.Text, m.TextRef, m.Origin.Lang = words.Text, words.TextRef, words.Origin.Lang
			case m.TextRef+words.TextRef == "" && !begins(m.Text, words.Text):
				m.Text += "\n" + words.Text
			}
		}
	}
	return out
}

// order sorts parts as they were sent.
func order(parts []part) {
	sorting.By(parts, func(a, b part) int {
		return cmp.Or(cmp.Compare(a.number(), b.number()), cmp.Compare(a.del.Seq(), b.del.Seq()))
	})
}

// begins reports whether the first lines of words are first; nothing begins everything. Each part of an album may say
// again from whom the album was forwarded.
func begins(words, first string) bool {
	return first == "" || words == first || strings.HasPrefix(words, first+"\n")
}
