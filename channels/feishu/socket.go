package feishu

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	codeTooMany  = 1000040350
	maxFrame     = 4 << 20 // bytes
	ackAfter     = 2500 * time.Millisecond
	writeTimeout = 10 * time.Second
	// tooManyTries is how often in a row the service may say that there are too many connections until
	// Run gives up: after a restart the old ones are counted for a while.
	tooManyTries = 5
	// steady is how long a connection lasts before the next attempts count anew.
	steady = time.Minute
)

// socket is the transport by long connection: it dials the service, so nothing has to reach us.
type socket struct {
	*client
	log    *zap.Logger
	health func(error) // told of each connection (nil) and of why there is none
}

// terms are what the service says of pings and reconnections, in seconds.
type terms struct {
	ReconnectCount    int
	ReconnectInterval int
	ReconnectNonce    int
	PingInterval      int
}

func (t terms) ping() time.Duration  { return within(t.PingInterval, 120, 600) }
func (t terms) retry() time.Duration { return within(t.ReconnectInterval, 30, 120) }

// nonce is the longest of the drawn waits before the first attempt after a connection was lost.
func (t terms) nonce() time.Duration {
	return time.Duration(min(max(t.ReconnectNonce, 0), 60)) * time.Second
}

func within(seconds, other, most int) time.Duration {
	if seconds <= 0 {
		seconds = other
	}
	return time.Duration(min(seconds, most)) * time.Second
}

// Run keeps a connection until ctx ends. It gives up when the service refuses the credentials, or says
// again and again that the app has too many connections.
func (s *socket) Run(ctx context.Context, handle handler) error {
	retry, many := chatsend.Retry(0), 0
	for ctx.Err() == nil {
		lived, known, err := s.once(ctx, handle)
		if ctx.Err() != nil {
			break
		}
		s.health(fail("connection", err))
		if many++; kindOf(err) != akitad.Unavailable {
			many = 0
		}
		if kindOf(err) == akitad.Auth || many >= tooManyTries {
			return fail("connection", err)
		}
		if lived > steady {
			retry.Reset()
		}
		retry.MaxInterval = known.retry()
		wait := retry.NextBackOff()
		if lived > 0 { // all clients of a server that went away do not come back at once
			wait += jitter(known.nonce())
		}
		s.log.Warn("feishu connection lost", zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
	return nil
}

// once connects and serves the connection until it ends; lived is how long that was.
func (s *socket) once(ctx context.Context, handle handler) (lived time.Duration, known terms, err error) {
	target, known, err := s.endpoint(ctx)
	if err != nil {
		return 0, known, err
	}
	conn, err := s.dial(ctx, target)
	if err != nil {
		return 0, known, err
	}
	defer conn.CloseNow()
	conn.SetReadLimit(maxFrame)
	s.health(nil)
	s.log.Info("feishu connected")
	service, _ := strconv.Atoi(target.Query().Get("service_id"))
	began := time.Now()
	l := &line{socket: s, conn: conn, service: int32(service), terms: known, heard: began, join: newJoiner(), other: make(chan struct{}, 1)}
	// What was begun to be taken goes on when the connection is lost.
	l.handle = func(_ context.Context, event []byte, done func([]byte, error)) { handle(ctx, event, done) }
	err = l.serve(ctx)
	return time.Since(began), l.known(), err
}

// endpoint asks where to connect.
func (s *socket) endpoint(ctx context.Context) (*url.URL, terms, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	out, err := s.send(ctx, jsonRequest(http.MethodPost, "/callback/ws/endpoint", map[string]string{"AppID": s.appID, "AppSecret": s.secret}), "")
	if err != nil {
		return nil, terms{}, fmt.Errorf("ask for the connection's address: %w", err)
	}
	var answer struct {
		URL          string
		ClientConfig terms
	}
	if err := json.Unmarshal(out.data, &answer); err != nil {
		return nil, terms{}, &apiError{status: http.StatusBadGateway, msg: "the connection's address cannot be read"}
	}
	target, err := url.Parse(answer.URL)
	secure := err == nil && target.Scheme == "wss"
	if plain := err == nil && target.Scheme == "ws" && !isHTTPS(s.base); !secure && !plain {
		return nil, terms{}, &apiError{status: http.StatusBadGateway, msg: "the connection's address is none that is as safe as the service's"}
	}
	return target, answer.ClientConfig, nil
}

func isHTTPS(base string) bool {
	u, err := url.Parse(base)
	return err == nil && u.Scheme == "https"
}

// dial connects. What the service refuses here it says in headers.
func (s *socket) dial(ctx context.Context, target *url.URL) (*websocket.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	// The address has a ticket in it: errors and logs name it without.
	conn, resp, err := websocket.Dial(ctx, target.String(), &websocket.DialOptions{HTTPClient: &s.http})
	if err == nil {
		return conn, nil
	}
	if resp != nil {
		if e := handshakeError(resp.Header); e != nil {
			return nil, e
		}
		return nil, &apiError{status: resp.StatusCode, msg: "the connection was refused"}
	}
	return nil, s.clean(fmt.Errorf("connect to %s: %w", target.Host, cause(err)))
}

// handshakeError reads why a connection was refused.
func handshakeError(h http.Header) error {
	status, _ := strconv.Atoi(h.Get("Handshake-Status"))
	code, _ := strconv.Atoi(h.Get("Handshake-Autherrcode"))
	switch {
	case status == 514 && code == codeTooMany:
		return &apiError{code: code, msg: "the app has too many connections"}
	case status == 514, status == 403:
		return &apiError{code: status, msg: "the connection was refused"}
	case status != 0:
		return &apiError{status: http.StatusBadGateway, code: status, msg: "the connection was refused"}
	}
	return nil
}

// cause gives what is under a failed request, without its address.
func cause(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}

// line is one connection.
type line struct {
	*socket
	conn    *websocket.Conn
	handle  handler
	service int32
	join    *joiner // the reader's alone

	mu    sync.Mutex
	terms terms
	heard time.Time     // when the last frame came
	other chan struct{} // gets a word when the interval of pings has changed
	open  int           // events that are not answered yet
	idle  chan struct{} // made when no more events are taken, closed when open is 0
}

var errDeaf = &akitad.Error{Kind: akitad.Transport, Op: "feishu connection", Err: errors.New("the service does not answer pings any more")}

// serve reads frames until the connection ends, and pings meanwhile. When ctx ends, what has been handed
// over is still answered.
func (l *line) serve(ctx context.Context) error {
	stop := ctx
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	drained := make(chan struct{})
	undo := context.AfterFunc(stop, func() {
		l.drain()
		cancel()
		close(drained)
	})
	defer func() {
		if !undo() {
			<-drained
		}
	}()
	deaf := make(chan bool, 1)
	go func() {
		err := l.ping(ctx)
		cancel()
		deaf <- errors.Is(err, errDeaf)
	}()
	err := l.read(ctx)
	cancel()
	if <-deaf { // the reader only saw the connection being closed for that
		return errDeaf
	}
	return l.clean(err)
}

func (l *line) read(ctx context.Context) error {
	for {
		_, body, err := l.conn.Read(ctx)
		if err != nil {
			return err
		}
		l.hear(nil)
		f, err := decodeFrame(body)
		if err != nil {
			l.log.Warn("feishu frame passed over", zap.Error(err), zap.Int("bytes", len(body)))
			continue
		}
		l.take(ctx, &f)
	}
}

// take does what a frame is for.
func (l *line) take(ctx context.Context, f *frame) {
	if f.method == methodControl {
		if f.get("type") == "pong" && len(f.payload) > 0 {
			l.hear(f.payload)
		}
		return
	}
	if f.method != methodData || (f.get("type") != "event" && f.get("type") != "card") {
		return
	}
	event, whole := l.join.add(time.Now(), f)
	if !whole || !l.begin() {
		return
	}
	a := &ack{line: l, frame: *f, began: time.Now()}
	// In time whatever happens: the service sends again what it gets no or a bad answer for.
	late := time.AfterFunc(ackAfter, func() { a.send(ctx, nil, errLate) })
	l.handle(ctx, event, func(answer []byte, err error) {
		late.Stop()
		a.send(ctx, answer, err)
	})
}

var errLate = errors.New("not taken in time")

// hear notes that the service lives, and its new terms if there are any.
func (l *line) hear(payload []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = time.Now()
	if payload == nil {
		return
	}
	next := l.terms
	if json.Unmarshal(payload, &next) != nil {
		return
	}
	if next.ping() != l.terms.ping() {
		select {
		case l.other <- struct{}{}:
		default:
		}
	}
	l.terms = next
}

func (l *line) known() terms {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.terms
}

// ping asks for a sign of life at the service's interval; it returns when ctx has ended, or with errDeaf
// when there was none for two and a half intervals.
func (l *line) ping(ctx context.Context) error {
	for {
		f := frame{service: l.service, method: methodControl, headers: []header{{"type", "ping"}}}
		if err := l.write(ctx, &f); err != nil {
			if errors.Is(err, context.DeadlineExceeded) {
				err = errDeaf // what is sent is not even received
			}
			return err
		}
		if !l.pause(ctx) {
			return context.Cause(ctx)
		}
		if l.silence() > l.known().ping()*5/2 {
			return errDeaf
		}
	}
}

// pause waits for the next ping, by the interval that holds at last, but not beyond the moment at which the
// service counts as gone.
func (l *line) pause(ctx context.Context) bool {
	began := time.Now()
	for {
		every := l.known().ping()
		timer := time.NewTimer(min(every-time.Since(began), every*5/2-l.silence()+time.Millisecond))
		select {
		case <-timer.C:
			return true
		case <-l.other:
			timer.Stop()
		case <-ctx.Done():
			timer.Stop()
			return false
		}
	}
}

func (l *line) silence() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.heard)
}

func (l *line) write(ctx context.Context, f *frame) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	return l.conn.Write(ctx, websocket.MessageBinary, f.encode())
}

// jitter draws a wait of at most d.
func jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return rand.N(d)
}
