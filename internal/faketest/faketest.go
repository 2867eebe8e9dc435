// Package faketest has what the fakes of chat services share: waiting for a change, a network without
// sockets, routes by which another process plays the persons. It is not for production.
package faketest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"time"
)

// Changes lets others wait for states of a fake. The zero Changes works; its methods may be called by many
// goroutines at once.
type Changes struct {
	mu sync.Mutex
	ch chan struct{} // nil: nobody waits
}

// Touch wakes all who wait.
func (c *Changes) Touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ch != nil {
		close(c.ch)
		c.ch = nil
	}
}

// Changed gives what is closed at the next Touch.
func (c *Changes) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ch == nil {
		c.ch = make(chan struct{})
	}
	return c.ch
}

// Wait returns when ok says so; it is asked at once and after every change. The error is ctx's.
func (c *Changes) Wait(ctx context.Context, ok func() bool) error {
	for {
		changed := c.Changed()
		if ok() {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// Client reaches a handler without a socket. A handler that panics breaks the connection.
func Client(h http.Handler) *http.Client { return &http.Client{Transport: direct{h}} }

type direct struct{ server http.Handler }

// RoundTrip serves the request here.
func (d direct) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if r.Body == nil {
		r.Body = http.NoBody
	}
	defer func() {
		if broken := recover(); broken != nil {
			resp, err = nil, r.Context().Err()
			if err == nil {
				err = fmt.Errorf("%w: %v", io.ErrUnexpectedEOF, broken)
			}
		}
	}()
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}

// Break breaks the connection of a request, if it hangs when its client has given up.
func Break(r *http.Request, hang bool) {
	if hang {
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler)
}

// Show answers with JSON in which <, > and & stay as they are.
func Show(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body)
	_, _ = w.Write(bytes.TrimSpace(b.Bytes()))
}

// Route reads JSON, does something with it and shows what comes out; an error is answered 400.
func Route[T any](do func(T) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		var in T
		err := json.NewDecoder(r.Body).Decode(&in)
		if err == nil {
			var out any
			if out, err = do(in); err == nil {
				Show(w, out)
				return
			}
		}
		http.Error(w, err.Error(), http.StatusBadRequest)
	}
}

// Await serves a wait of at most a minute, or as long as the request's timeout says, until ok says so of the
// request; then, or with 504 if that never came, it shows what there is.
func (c *Changes) Await(ok func(*http.Request) bool, show func(*http.Request) any) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		timeout, err := time.ParseDuration(r.FormValue("timeout"))
		if err != nil {
			timeout = time.Minute
		}
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		if err := c.Wait(ctx, func() bool { return ok(r) }); err != nil {
			w.WriteHeader(http.StatusGatewayTimeout)
		}
		Show(w, show(r))
	}
}

// Exit prints an error that ended a server, unless that was asked to end, and gives the exit code.
func Exit(name string, err error) int {
	if err == nil || errors.Is(err, http.ErrServerClosed) {
		return 0
	}
	fmt.Fprintln(os.Stderr, name+":", err)
	return 1
}

// Announce writes where a server listens into a file, which appears with its content in one step, or to
// standard output if there is no file.
func Announce(file, url string) error {
	if file == "" {
		_, err := fmt.Println(url)
		return err
	}
	if err := os.WriteFile(file+".tmp", []byte(url), 0o600); err != nil {
		return err
	}
	return os.Rename(file+".tmp", file)
}
