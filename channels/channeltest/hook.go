package channeltest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
)

// hooks checks what a channel answers to those who call it.
func hooks(t *testing.T, s Setup) {
	each(t, s, []check{
		{"what is taken is answered 200, nothing else", true, hookTakes},
		{"nobody is there: 503", true, hookIdle},
		{"forged calls are refused", true, hookForged},
	})
}

// hook returns what a called channel and its service have.
func (s *stage) hook() (func(*http.Request) int, Caller, bool) {
	if s.Sockets {
		return nil, nil, false
	}
	h, ok := s.ch.(channels.Hooked)
	c, calls := s.svc.(Caller)
	if !ok || !calls {
		if ok != calls {
			s.t.Errorf("the channel has a hook: %v; the service can call it: %v", ok, calls)
		}
		return nil, nil, false
	}
	handler := h.Hook()
	return func(r *http.Request) int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w.Code
	}, c, true
}

func hookTakes(s *stage) {
	call, svc, ok := s.hook()
	if !ok {
		return
	}
	var refuse atomic.Bool
	s.runWith(func(_ context.Context, m akitad.Message) error {
		if refuse.Load() {
			return errNotNow
		}
		s.got <- m
		return nil
	})
	s.running(call, svc)
	refuse.Store(true)
	said := Said{From: s.anna, Text: "called"}
	if code := call(svc.Call(said)); code/100 == 2 {
		s.t.Errorf("what was not taken was answered %d", code)
	}
	refuse.Store(false)
	if code := call(svc.Call(said)); code != http.StatusOK {
		s.t.Errorf("what was taken was answered %d", code)
	}
	for m := s.next(); m.Text != "called"; m = s.next() {
	}
}

// running waits until the hook does not say any more that nobody is there.
func (s *stage) running(call func(*http.Request) int, svc Caller) {
	s.t.Helper()
	for began := time.Now(); time.Since(began) < patience; wait(time.Millisecond) {
		if call(svc.Call(Said{From: s.boris, Text: "running?"})) != http.StatusServiceUnavailable {
			return
		}
	}
	s.t.Fatal("the hook says that the channel does not run, and it does")
}

func hookIdle(s *stage) {
	call, svc, ok := s.hook()
	if !ok {
		return
	}
	said := Said{From: s.anna, Text: "anybody?"}
	if code := call(svc.Call(said)); code != http.StatusServiceUnavailable {
		s.t.Errorf("before Run it answers %d", code)
	}
	s.run()
	s.meet(s.anna)
	s.end()
	if code := call(svc.Call(said)); code != http.StatusServiceUnavailable {
		s.t.Errorf("after Run it answers %d", code)
	}
}

func hookForged(s *stage) {
	call, svc, ok := s.hook()
	if !ok {
		return
	}
	s.run()
	s.meet(s.anna)
	for name, r := range svc.Forged(Said{From: s.anna, Text: "I am the owner"}) {
		if code := call(r); code < 400 || code >= 500 {
			s.t.Errorf("a call with %s was answered %d", name, code)
		}
	}
	if m := s.hears(Said{Text: "a true one"}); m.Origin.Sender != s.anna {
		s.t.Errorf("%+v", m)
	}
}
