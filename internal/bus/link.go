package bus

import (
	"context"
	"errors"
	"sync"

	"github.com/nats-io/nats.go"
)

// errLost says that the connection was lost: what was on its way in either direction may be gone.
var errLost = errors.New("connection to NATS was lost")

// link knows whether the connection is up, and when that changes.
type link struct {
	mu      sync.Mutex
	life    context.Context // of the present connection; ended while there is none
	end     context.CancelFunc
	changed chan struct{} // closed at the next change
}

func newLink() *link {
	l := &link{changed: make(chan struct{})}
	l.life, l.end = context.WithCancel(context.Background())
	return l
}

// change gives a channel that is closed when the connection is lost or comes back next.
func (l *link) change() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.changed
}

// present gives a context that ends with the present connection; it has ended if there is none.
func (l *link) present() context.Context {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.life
}

// await waits until there is a connection and gives a context that ends with it.
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
