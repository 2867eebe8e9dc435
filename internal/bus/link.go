package bus

import (
	"context"
	"errors"
	"sync"

	"github.com/nats-io/nats.go"
)

// errLost says that the connection was lost. Messages in transit, in either direction, may be lost.
var errLost = errors.New("connection to NATS was lost")

// link tracks whether the connection is up.
type link struct {
	mu      sync.Mutex
	life    context.Context // ends with the current connection; already ended while there is none
	end     context.CancelFunc
	changed chan struct{} // closed at the next change
}

func newLink() *link {
	l := &link{changed: make(chan struct{})}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// change returns a channel that is closed at the next loss or return of the connection.
func (l *link) change() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// present returns a context that ends with the current connection; it has already ended if there is none.
func (l *link) present() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life
}

// await waits for a connection and returns a context that ends with it.
func (l *link) await(ctx context.Context, closed <-chan struct{}) (life context.Context, err error) {
	for {
		l.mu.Lock()
		life, changed := l.life, l.changed
		l.mu.Unlock()
		if life.Err() == nil {
			return life, nil
		}
		select {
		case <-changed:
		case <-closed:
			return nil, nats.ErrConnectionClosed
		case <-ctx.Done():
			return nil, errors.Join(errLost, ctx.Err())
		}
	}
}

func (l *link) lost() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
	l.turn()
}

func (l *link) back() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.end()
	l.life, l.end = context.WithCancel(context.Background())
	l.turn()
}

func (l *link) turn() {
	close(l.changed)
	l.changed = make(chan struct{})
}
