package onebottest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// Reconnect is how often a Program that was told to keep a connection tries again.
const Reconnect = 5 * time.Millisecond

// keeper is a bot that a program keeps connected to.
type keeper struct {
	url  string
	done chan struct{}
}

// Serve serves a bot's hook on loopback and gives its address.
func Serve(tb testing.TB, hook http.Handler) string {
	tb.Helper()
	web := httptest.NewServer(hook)
	tb.Cleanup(web.Close)
	return "ws" + web.URL[len("http"):] + "/hooks/onebot"
}

// KeepConnected opens a connection to a bot's hook and opens it again whenever it breaks, until the test or
// stop ends it.
func (p *Program) KeepConnected(tb testing.TB, url, role string) (stop func()) {
	tb.Helper()
	k := &keeper{url: url, done: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.keepConnected(k, role)
	}()
	stop = sync.OnceFunc(func() {
		close(k.done)
		<-ended
	})
	tb.Cleanup(stop)
	return stop
}

func (p *Program) keepConnected(k *keeper, role string) {
	tick := time.NewTicker(Reconnect)
	defer tick.Stop()
	for {
		select {
		case <-k.done:
			return
		case <-p.ctx.Done():
			return
		case <-tick.C:
		}
		if p.ConnectedTo(k.url, role) || p.isDeaf() {
			continue
		}
		ctx, cancel := context.WithTimeout(p.ctx, time.Minute)
		_ = p.connect(ctx, k.url, role, p.header(role))
		cancel()
	}
}

func (p *Program) header(role string) http.Header {
	return http.Header{"Authorization": {"Bearer " + p.Token}, "X-Self-ID": {p.Self}, "X-Client-Role": {role}, "User-Agent": {"onebottest"}}
}

// ConnectedTo reports whether a connection of the role to an address stands.
func (p *Program) ConnectedTo(url, role string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for c := range p.conns {
		if c.url == url && c.role == role {
			return true
		}
	}
	return false
}

// Deafen breaks all connections and keeps none for a time.
func (p *Program) Deafen(d time.Duration) {
	p.mu.Lock()
	p.deaf = time.Now().Add(d)
	p.mu.Unlock()
	p.Cut()
}

func (p *Program) isDeaf() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return time.Now().Before(p.deaf)
}
