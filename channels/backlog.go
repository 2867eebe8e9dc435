package channels

import (
	"context"
	"sync"

	"github.com/akitad/akitad"
)

// maxBacklog is how many messages of one session may wait for the one whose files are on their way: as many
// as may wait for its task. More of them would take the room of everybody else.
const maxBacklog = 100

// backlog counts the messages of each session that wait.
type backlog struct {
	mu sync.Mutex
	n  map[akitad.SessionKey]int
}

func newBacklog() *backlog { return &backlog{n: map[akitad.SessionKey]int{}} }

// add counts one more message that waits, done one less, and of says how many do.
func (b *backlog) add(session akitad.SessionKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n[session]++
}

func (b *backlog) done(session akitad.SessionKey) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.n[session]--; b.n[session] <= 0 {
		delete(b.n, session)
	}
}

func (b *backlog) of(session akitad.SessionKey) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n[session]
}

// crowded gives the words by which a message is refused whose session has too many that wait; empty if it
// has not.
func (d *desk) crowded(ctx context.Context, m akitad.Message) (refusal string) {
	if d.backlog.of(m.Session) < maxBacklog {
		return ""
	}
	return d.language(ctx, m).Crowded()
}
