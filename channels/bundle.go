package channels

import (
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Parter is a Channel whose service sends files and the words that go with them as messages of their own, also where
// people see them as one.
type Parter interface {
	// SendsApart does nothing; that a channel has it says all.
	SendsApart()
}

// bundleWait is how long after a file words still belong to it. An app sends both at once; who writes the words by hand
// after the file is slower, and a file alone, whose placeholder waits for this, should have it after about a second.
const bundleWait = 800 * time.Millisecond

// bundles are the files that people sent last in private, to which words may still come. In a group words show by a
// reply what they are about, and only they are to the bot.
type bundles struct {
	mu sync.Mutex
	on map[string]bundle
}

type bundle struct {
	id   string // of its first message
	last time.Time
}

func newBundles() *bundles { return &bundles{on: map[string]bundle{}} }

// of gives the bundle that a message belongs to; empty if to none. Words end it.
func (b *bundles) of(m akitad.Message, now time.Time) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	for who, open := range b.on {
		if now.Sub(open.last) >= bundleWait {
			delete(b.on, who)
		}
	}
	who := string(m.Session) + "\x1f" + m.Origin.Sender
	open, found := b.on[who]
	switch {
	case !bundled(m):
		delete(b.on, who) // what comes behind it is about something else
		return ""
	case speaks(m):
		delete(b.on, who)
		return open.id
	case !found:
		open.id = m.ID
	}
	open.last = now
	b.on[who] = open
	return open.id
}

// bundled reports whether a message may be part of a bundle: not a command, nor what belongs somewhere else already.
func bundled(m akitad.Message) bool {
	return !m.Origin.Group && m.Press == nil && m.Album == "" && m.ReplyTo == "" && !slashed(strings.TrimSpace(m.Text))
}

// speaks reports whether a message says something, be it by voice.
func speaks(m akitad.Message) bool {
	return m.Text+m.TextRef != "" || slices.ContainsFunc(m.Files, func(f akitad.File) bool { return f.Kind == akitad.FileVoice })
}
