// Package client is what the command line uses to talk to a daemon over HTTP, and the shapes of the
// API's answers. It keeps nothing and decides nothing.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

// Daemon is the file by which the command line finds the daemon of a home.
type Daemon struct {
	PID     int       `json:"pid"`
	URL     string    `json:"url"`
	Started time.Time `json:"started"`
	Cert    string    `json:"cert,omitempty"` // PEM file of the certificate that the daemon shows
}

// Limits of a request.
const (
	dialTime    = 2 * time.Second
	requestTime = 60 * time.Second
	readyTime   = 5 * time.Second
	maxAnswer   = 64 << 20 // bytes of an answer that is kept in memory
)

// Client talks to the daemon of one home. It is safe for concurrent use.
type Client struct {
	// Lost, if it is set before a task is followed, is told once of each time in which the daemon cannot be
	// reached, when it begins.
	Lost func(error)

	path  config.Paths
	token config.Secret
	http  *http.Client

	mu  sync.Mutex
	now Daemon
}

// ForHome returns a client for the daemon that said last that it serves this home; whether it answers
// is for Ready. No such daemon is an error of kind unavailable.
func ForHome(path config.Paths) (*Client, error) {
	d, err := find(path.Daemon)
	if err != nil {
		return nil, err
	}
	return open(d, path)
}

// At returns a client for what serves the home at this URL.
func At(url string, path config.Paths) (*Client, error) { return open(Daemon{URL: url}, path) }

func open(d Daemon, path config.Paths) (*Client, error) {
	token, err := config.AdminToken(path.Token)
	if err != nil {
		return nil, err
	}
	tls, err := pinned(d.Cert)
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		DialContext: (&net.Dialer{Timeout: dialTime}).DialContext, TLSHandshakeTimeout: dialTime,
		ResponseHeaderTimeout: maxWait + requestTime, TLSClientConfig: tls, Proxy: nil, MaxIdleConnsPerHost: 4, IdleConnTimeout: 10 * time.Second,
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // the token goes nowhere else
	return &Client{path: path, token: token, now: d, http: &http.Client{Transport: transport, CheckRedirect: stay}}, nil
}

// NoDaemon is the error for a command that needs a running daemon.
func NoDaemon(err error) error {
	return akitad.Errorf(akitad.Unavailable, "this needs a running daemon: %w", err).WithHint("start it with: akitad serve")
}

// ErrNoDaemon says that no daemon serves the home.
var ErrNoDaemon = errors.New("no daemon serves this home")

func find(file string) (Daemon, error) {
	var d Daemon
	body, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) {
		return d, NoDaemon(ErrNoDaemon)
	}
	if err == nil {
		err = json.Unmarshal(body, &d)
	}
	if err == nil && d.URL == "" {
		err = errors.New("it names no address")
	}
	if err != nil {
		return d, NoDaemon(fmt.Errorf("%w: %s: %w", ErrNoDaemon, file, err))
	}
	return d, nil
}

// Close ends the connections that are kept open. The command line leaves that to the end of its process; a program that
// makes many clients, such as a test, closes each.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// URL returns where the daemon listens.
func (c *Client) URL() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.URL
}

// reload looks where the daemon listens now: one that was started again may have another port.
func (c *Client) reload() {
	if d, err := find(c.path.Daemon); err == nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.now = d
	}
}

// Ready returns nil if the daemon answers and takes work.
func (c *Client) Ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	return c.do(ctx, http.MethodGet, "/readyz", nil, nil)
}

// Health returns how the daemon stands, ready or not.
func (c *Client) Health(ctx context.Context) (r Ready, err error) {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	resp, err := c.send(ctx, http.MethodGet, "/readyz", nil, nil)
	if err != nil {
		return r, err
	}
	defer func() { _ = resp.Body.Close() }()
	return r, json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(&r)
}

// do makes a request with a JSON body (none if in is nil) and reads the JSON answer into out (not
// read if nil). An answer that is a problem comes back as an *akitad.Error.
func (c *Client) do(ctx context.Context, method, path string, in, out any) error {
	body, err := c.bytes(ctx, method, path, in)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(body, out); err != nil {
		return akitad.Errorf(akitad.Transport, "the daemon's answer to %s %s is not as expected: %w", method, path, err).
			WithHint("daemon and command line may be of different versions")
	}
	return nil
}

// bytes makes a request within the time limit and gives the answer's body.
func (c *Client) bytes(ctx context.Context, method, path string, in any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, limitOf(in))
	defer cancel()
	resp, err := c.send(ctx, method, path, in, nil)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, akitad.Errorf(akitad.Transport, "read the daemon's answer: %w", err)
	}
	if resp.StatusCode >= http.StatusBadRequest {
		return nil, problemError(resp.StatusCode, body)
	}
	return body, nil
}

// send makes a request; the caller closes the body.
func (c *Client) send(ctx context.Context, method, path string, in any, header http.Header) (*http.Response, error) {
	var body io.Reader
	if in != nil {
		text, err := json.Marshal(in)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.URL()+path, body)
	if err != nil {
		return nil, err
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if in != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("Authorization", "Bearer "+c.token.Reveal())
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, lost(ctx, err)
	}
	return resp, nil
}

// lost tells a request that was given up from a daemon that is not there.
func lost(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("ask the daemon: %w", context.Cause(ctx))
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return NoDaemon(fmt.Errorf("%w: %w", ErrNoDaemon, err))
}

// problemError turns a problem answer back into an error of its kind.
func problemError(status int, body []byte) error {
	var p Problem
	if err := json.Unmarshal(body, &p); err != nil || p.Code == "" {
		return akitad.Errorf(akitad.Unknown, "the daemon answered %d %s", status, http.StatusText(status))
	}
	text := p.Detail
	if all := strings.Join(p.Errors, "; "); all != "" && all != text {
		text += ": " + all
	}
	return akitad.Errorf(kindOf(p.Code), "%s", text).WithHint(p.Hint)
}

// kindOf returns the kind that a problem's code stands for.
func kindOf(code string) akitad.Kind {
	switch code {
	case "unauthorized", "foreign_host", "foreign_origin":
		return akitad.PermissionDenied
	case "too_large", "no_method", "conflict":
		return akitad.InvalidRequest
	case "no_route":
		return akitad.NotFound
	case "disk_low":
		return akitad.Overloaded
	}
	if kind := akitad.Kind(code); slices.Contains(akitad.Kinds, kind) {
		return kind
	}
	return akitad.Unknown
}
