package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

// Times of an event stream: the daemon gives a sign of life every 15 s.
const (
	silence   = 45 * time.Second
	giveUp    = 60 * time.Second
	firstWait = 200 * time.Millisecond
	maxLine   = 32 << 20 // an event's data is on one line
)

// Follow returns the journal events of a task after a sequence as they come, oldest first, until fn
// returns false, the task has ended, or ctx ends. A connection that breaks is made again and goes on
// where it stood; after a minute without one the error is of kind unavailable.
func (c *Client) Follow(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool) error {
	return c.Watch(ctx, id, after, fn, func(string) {})
}

// Watch is Follow with the live text between the events, of which some may be lost.
func (c *Client) Watch(ctx context.Context, id akitad.TaskID, after uint64, fn func(akitad.Event) bool, live func(string)) error {
	s := stream{client: c, id: id, after: after, fn: fn, live: live}
	last, wait, lost := time.Now(), firstWait, false
	for {
		before := s.after
		done, err := s.connect(ctx)
		switch {
		case done:
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && !retried(err):
			return err
		}
		if s.after != before || err == nil {
			last, wait, lost = time.Now(), firstWait, false
		} else if time.Since(last) > giveUp {
			return err
		} else if !lost && c.Lost != nil {
			c.Lost(err)
			lost = true
		}
		if !sleep.For(ctx, wait) {
			return context.Cause(ctx)
		}
		wait = min(2*wait, 2*time.Second)
		c.reload()
	}
}

// retried says which failures a new connection may cure.
func retried(err error) bool {
	kind := akitad.KindOf(err)
	return kind == akitad.Unavailable || kind == akitad.Overloaded || kind.Temporary()
}

// stream is a task's events over as many connections as it takes.
type stream struct {
	client *Client
	id     akitad.TaskID
	after  uint64
	fn     func(akitad.Event) bool
	live   func(string)
	ended  bool // by the last event that matters: one that is retried goes on
}

// connect reads one connection to its end. done means that nothing more is wanted or will come.
func (s *stream) connect(ctx context.Context) (done bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(akitad.Errorf(akitad.Timeout, "the daemon gave no sign of life for %s", silence)) })
	defer quiet.Stop()
	header := http.Header{"Accept": {"text/event-stream"}}
	if s.after > 0 {
		header.Set("Last-Event-ID", strconv.FormatUint(s.after, 10))
	}
	resp, err := s.client.send(ctx, http.MethodGet, taskPath(s.id, "/events"), nil, header)
	if err != nil {
		return false, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= http.StatusBadRequest {
		body, rerr := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		return false, errors.Join(problemError(resp.StatusCode, body), rerr)
	}
	if resp.StatusCode == http.StatusNoContent {
		return true, nil
	}
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	return s.read(lines, func() { quiet.Reset(silence) })
}

func (s *stream) read(lines *bufio.Scanner, alive func()) (done bool, err error) {
	var kind, data string
	for lines.Scan() {
		alive()
		name, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case name == "event":
			kind = value
		case name == "data":
			data = value
		case name == "" && value == "" && data != "": // the blank line that ends an event
			if done, err = s.take(kind, data); done || err != nil {
				return done, err
			}
			kind, data = "", ""
		}
	}
	if s.ended {
		return true, nil
	}
	if err := lines.Err(); err != nil {
		return false, akitad.Errorf(akitad.Transport, "read the events: %w", err)
	}
	return false, nil
}

func (s *stream) take(kind, data string) (done bool, err error) {
	if kind == "live" {
		var piece struct {
			Text string `json:"text"`
		}
		if json.Unmarshal([]byte(data), &piece) == nil {
			s.live(piece.Text)
		}
		return false, nil
	}
	var e Event
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		return false, akitad.Errorf(akitad.Unknown, "an event of the daemon cannot be read: %w", err)
	}
	s.after = e.Seq
	if !s.fn(akitad.Event{Task: s.id, Seq: e.Seq, Kind: e.Kind, At: e.At, By: e.By, Data: e.Data}) {
		return true, nil
	}
	s.ended = final(e.Kind) || s.ended && e.Kind != "retried"
	return false, nil
}

// final says after which events the daemon gives no other, unless the task is retried.
func final(kind akitad.EventKind) bool {
	return kind == "completed" || kind == "failed" || kind == "cancelled"
}
