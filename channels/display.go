package channels

import (
	"context"
	"sync"
	"time"

	"github.com/akitad/akitad/internal/sleep"
)

// showEvery is how soon one line of progress may follow another in a chat: chat services allow about one
// message a second to a chat, and nobody reads faster.
const showEvery = time.Second

// display shows the newest line of a task's progress: one that comes too soon waits, and is dropped if a
// newer one comes meanwhile.
type display struct {
	show func(line string)

	mu   sync.Mutex
	line string        // to be shown; empty is none
	news chan struct{} // holds one when there is a line
}

func newDisplay(show func(line string)) *display {
	return &display{show: show, news: make(chan struct{}, 1)}
}

// set makes line the next one to show. One that was not shown yet is lost.
func (p *display) set(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// take gives the line to show, once.
func (p *display) take() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line
	p.line = ""
	return line
}

// run shows lines until ctx ends; then nothing of it is on its way any more.
func (p *display) run(ctx context.Context) {
	for ctx.Err() == nil {
		select {
		case <-p.news:
		case <-ctx.Done():
			return
		}
		if line := p.take(); line != "" && ctx.Err() == nil {
			p.show(line)
		}
		sleep.For(ctx, showEvery)
	}
}
