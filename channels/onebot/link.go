package onebot

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"
)

// role is what a connection carries.
type role string

const (
	roleEvents  role = "Event"
	roleActions role = "API"
	roleBoth    role = "Universal"
)

// link is one WebSocket to the OneBot program.
type link struct {
	conn *websocket.Conn
	self string // the account's number, empty if not known
	role role
	done chan struct{} // closed when the connection is lost

	offline atomic.Bool  // the program says that the account is
	beat    atomic.Int64 // when the last sign of life came, in nanoseconds
	every   atomic.Int64 // how often they come, in nanoseconds; 0 if they do not

	mu      sync.Mutex
	pending map[string]chan response
}

// response is the answer to an action.
type response struct {
	Status  string          `json:"status"`
	Code    scalar          `json:"retcode"`
	Data    json.RawMessage `json:"data"`
	Echo    scalar          `json:"echo"`
	Message json.RawMessage `json:"message"`
	Wording scalar          `json:"wording"`
}

const (
	// maxFrame is the longest frame that is read: files may come in base64.
	maxFrame     = 64 << 20
	writeTimeout = 2 * time.Minute
)

func newLink(conn *websocket.Conn, self string, r role) *link {
	conn.SetReadLimit(maxFrame)
	return &link{conn: conn, self: self, role: r, done: make(chan struct{}), pending: map[string]chan response{}}
}

// errNotSent: no byte of the action has left.
var errNotSent = errors.New("there is no connection to the OneBot program")

// errLost: the connection broke after an action was sent, so it may have been carried out.
var errLost = errors.New("the connection to the OneBot program was lost before it answered")

// call makes an action and gives the answer. ctx bounds the wait; what is being written is written
// to its end, as half a frame would break the connection.
func (l *link) call(ctx context.Context, echo, action string, params any) (response, error) {
	body, err := json.Marshal(struct {
		Action string `json:"action"`
		Params any    `json:"params"`
		Echo   string `json:"echo"`
	}{action, params, echo})
	if err != nil {
		return response{}, err
	}
	answer := make(chan response, 1)
	l.expect(echo, answer)
	defer l.expect(echo, nil)
	select {
	case <-l.done:
		return response{}, errNotSent
	default:
	}
	wctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	if err := l.conn.Write(wctx, websocket.MessageText, body); err != nil {
		return response{}, fmt.Errorf("%w: %w", errLost, err)
	}
	select {
	case r := <-answer:
		return r, nil
	case <-l.done:
		return response{}, errLost
	case <-ctx.Done():
		return response{}, fmt.Errorf("%s was not answered: %w", action, ctx.Err())
	}
}

func (l *link) expect(echo string, answer chan response) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if answer == nil {
		delete(l.pending, echo)
		return
	}
	l.pending[echo] = answer
}

// answered gives a response to who waits for it. A late or a strange one is dropped.
func (l *link) answered(r response) {
	l.mu.Lock()
	answer := l.pending[string(r.Echo)]
	delete(l.pending, string(r.Echo))
	l.mu.Unlock()
	if answer != nil {
		answer <- r
	}
}

// serve reads until the connection is lost or ctx ends, and says why it ended.
func (l *link) serve(ctx context.Context, every time.Duration, log *zap.Logger, take func(context.Context, event)) error {
	ctx, cancel := context.WithCancelCause(ctx)
	alive := make(chan struct{})
	go func() {
		defer close(alive)
		cancel(l.watch(ctx, every))
	}()
	err := l.read(ctx, log, take)
	cancel(nil)
	<-alive
	close(l.done)
	_ = l.conn.CloseNow()
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.Canceled) {
		return cause
	}
	return err
}

func (l *link) read(ctx context.Context, log *zap.Logger, take func(context.Context, event)) error {
	for {
		_, body, err := l.conn.Read(ctx)
		if err != nil {
			return err
		}
		l.beat.Store(time.Now().UnixNano())
		e, r, err := decodeFrame(body)
		switch {
		case err != nil:
			log.Warn("onebot frame not understood", zap.Int("bytes", len(body)), zap.Error(err))
		case e.Post == "":
			l.answered(r)
		case e.Post == "meta_event":
			l.sign(e)
		default:
			take(ctx, e)
		}
	}
}

// decodeFrame reads an event, or, if its Post is empty, the answer to an action.
func decodeFrame(body []byte) (event, response, error) {
	var e event
	if err := json.Unmarshal(body, &e); err != nil {
		return e, response{}, err
	}
	if e.Post != "" {
		return e, response{}, nil
	}
	var r response
	err := json.Unmarshal(body, &r)
	return e, r, err
}

// sign takes a sign of life.
func (l *link) sign(e event) {
	if e.Meta != "heartbeat" {
		return
	}
	if ms := e.Interval.int(); ms > 0 && ms < int64(time.Hour/time.Millisecond) {
		l.every.Store(ms * int64(time.Millisecond))
	}
	status := loose[struct{ Online, Good *bool }](e.Status)
	l.offline.Store(status.Online != nil && !*status.Online)
}

// missedBeats is how many signs of life in a row may be missing.
const missedBeats = 3

// watch returns when the connection no longer answers, with why, or when ctx ends, with nil.
func (l *link) watch(ctx context.Context, every time.Duration) error {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if beat := time.Duration(l.every.Load()); beat > 0 && time.Since(time.Unix(0, l.beat.Load())) > missedBeats*max(beat, every) {
			return errors.New("the OneBot program sends no signs of life any more")
		}
		pctx, cancel := context.WithTimeout(ctx, every)
		err := l.conn.Ping(pctx)
		cancel()
		if err != nil && ctx.Err() == nil {
			return fmt.Errorf("the OneBot program does not answer pings: %w", err)
		}
	}
}
