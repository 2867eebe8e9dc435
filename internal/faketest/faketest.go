// Package faketest has what the fakes of chat services share: waiting for a change, an HTTP client without
// sockets, and routes by which another process acts for the people in the chats. It is for tests only.
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

// Changes lets goroutines wait for a state of a fake. The zero value works, and its methods are safe for
// concurrent use.
type Changes struct {
	mu sync.Mutex
	ch chan struct{} // closed at the next change; nil while no goroutine waits
}

// Touch reports a change: it wakes all waiting goroutines.
func (c *Changes) Touch() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ch != nil {
		close(c.ch)
		c.ch = nil
	}
}

// Changed returns a channel that is closed at the next Touch.
func (c *Changes) Changed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ch == nil {
		c.ch = make(chan struct{})
	}
	return c.ch
}

// Wait returns nil once ok is true, which is checked at once and after every Touch, or ctx's cause when ctx ends.
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

// Client returns an HTTP client that calls the handler directly. If the handler panics, the client sees a broken connection.
func Client(h http.Handler) *http.Client { return &http.Client{Transport: direct{h}} }

type direct struct{ server http.Handler }

// RoundTrip calls the handler with the request.
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

// Break breaks the connection of a request: at once or, with hang, once the client has given up.
func Break(r *http.Request, hang bool) {
	if hang {
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler)
}

// Show answers with body as JSON, without escaping <, > and &.
func Show(w http.ResponseWriter, body any) {
	w.Header().Set("Content-Type", "application/json")
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(body)
	_, _ = w.Write(bytes.TrimSpace(b.Bytes()))
}

// Route returns a handler that decodes the request's JSON, calls do and shows its result; errors are answered with 400.
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

// Await returns a handler that waits until ok is true of the request, for a minute or the request's parameter
// timeout. Then it answers with the value of show, with status 504 if the time was over.
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

// Exit returns the exit code for the error of a server, and prints the error. A server that was shut down exits with 0.
func Exit(name string, err error) int {
	if err == nil || errors.Is(err, http.ErrServerClosed) {
		return 0
	}
	fmt.Fprintln(os.Stderr, name+":", err)
	return 1
}

// Announce writes the URL of a server to a file, which appears atomically, or to standard output if file is
// empty.
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
