package openai_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/openai"
)

// send writes the parts and a flush after each.
func send(w http.ResponseWriter, parts ...string) {
	for _, p := range parts {
		_, _ = io.WriteString(w, p)
		w.(http.Flusher).Flush()
	}
}

// counting starts a server that counts its connections.
func counting(t *testing.T, handler http.HandlerFunc) (*openai.Provider, *atomic.Int32) {
	t.Helper()
	var opened atomic.Int32
	server := httptest.NewUnstartedServer(handler)
	server.Config.ConnState = func(_ net.Conn, s http.ConnState) {
		if s == http.StateNew {
			opened.Add(1)
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return openai.New("m", openai.Options{BaseURL: server.URL, Key: key, HTTP: &http.Client{Transport: transport}, MaxAnswer: 2 << 20}), &opened
}

// The end of a body comes a little after the last word; the connection serves the next call too.
func TestConnectionsAreUsedAgain(t *testing.T) {
	p, opened := counting(t, func(w http.ResponseWriter, _ *http.Request) {
		send(w, events(say("ok"), stop), events(closed))
		<-time.After(2 * time.Millisecond)
		send(w, "\n")
	})
	const some = 10 // a busy machine may be slower than the wait for the end, now and then
	began, calls := time.Now(), int32(0)
	for calls-opened.Load() < some {
		if reply, err := p.Generate(t.Context(), ask("x")); err != nil || reply.Text != "ok" {
			t.Fatalf("%q, %v", reply.Text, err)
		}
		if calls++; time.Since(began) > time.Minute {
			t.Fatalf("%d connections for %d calls", opened.Load(), calls)
		}
	}
}

// A server that does not end what it has said all of holds nobody up.
func TestAnswersThatDoNotEnd(t *testing.T) {
	for name, rest := range map[string]func(http.ResponseWriter, *http.Request){
		"silence": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"blanks": func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				send(w, "\n")
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, _ := counting(t, func(w http.ResponseWriter, r *http.Request) {
				send(w, events(say("ok"), stop), events(closed))
				rest(w, r)
			})
			soon, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			reply, err := p.Generate(soon, ask("x"))
			if err != nil || reply.Text != "ok" {
				t.Errorf("%q, %v", reply.Text, err)
			}
		})
	}
}

// An answer without end is given up, whatever it is made of.
func TestAnswersWithoutEnd(t *testing.T) {
	const piece = 64 << 10
	long := strings.Repeat("and so on ", piece/10)
	for name, again := range map[string]string{
		"deltas":                   events(say(long)),
		"one event of many lines":  "data: \"" + long + "\n",
		"comments":                 ": " + long + "\n\n",
		"a whole answer in blanks": strings.Repeat(" ", piece),
	} {
		t.Run(name, func(t *testing.T) {
			var sent atomic.Int64
			p, _ := counting(t, func(w http.ResponseWriter, r *http.Request) {
				if strings.HasPrefix(again, " ") {
					send(w, `{"choices":[`)
				}
				for r.Context().Err() == nil && sent.Load() < 512*piece {
					send(w, again)
					sent.Add(int64(len(again)))
				}
			})
			_, err := p.Generate(t.Context(), ask("x"))
			if akitad.KindOf(err) != akitad.Unavailable || !strings.Contains(err.Error(), "longer than 2 MiB") {
				t.Errorf("after %d MiB: %v", sent.Load()>>20, err)
			}
		})
	}
}
