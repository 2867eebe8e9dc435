package feishutest

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// event is one that has to be delivered until it is acknowledged.
type event struct {
	id    string
	body  []byte
	tries int
	began time.Time     // of the last try
	acked chan struct{} // closed then
	bad   chan struct{} // gets a refusal of the last try
}

// delivery is one try.
type delivery struct{ event *event }

// ackWithin is how long the service waits for the answer to an event.
const ackWithin = 3 * time.Second

// push has an event delivered, and again along the ladder; the caller holds the lock.
func (s *Server) push(kind string, body any) *event {
	s.next++
	e := &event{id: fmt.Sprintf("ev_%d", s.next), acked: make(chan struct{}), bad: make(chan struct{}, 1)}
	e.body = encode(map[string]any{
		"schema": "2.0",
		"header": map[string]string{
			"event_id": e.id, "event_type": kind, "create_time": strconv.FormatInt(time.Now().UnixMilli(), 10),
			"token": s.VerifyToken, "app_id": s.AppID, "tenant_key": "tenant",
		},
		"event": body,
	})
	s.start(e)
	return e
}

func (s *Server) start(e *event) {
	s.events[e.id] = e
	if s.holding {
		s.held = append(s.held, e)
		return
	}
	s.queue <- delivery{e}
	s.tasks.Go(func() { s.pursue(e) })
}

// Push delivers an event as it is given: "raw" in place of the body of one.
func (s *Server) Push(raw string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	s.start(&event{id: fmt.Sprintf("ev_%d", s.next), body: []byte(raw), acked: make(chan struct{}), bad: make(chan struct{}, 1)})
}

// Hold keeps events back until Release, which delivers them, the last one first if it is to be so.
func (s *Server) Hold() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = true
}

// Release ends Hold.
func (s *Server) Release(reverse bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = false
	held := s.held
	s.held = nil
	for i := range held {
		e := held[i]
		if reverse {
			e = held[len(held)-1-i]
		}
		s.start(e)
	}
}

// pursue delivers an event along the ladder until it is acknowledged.
func (s *Server) pursue(e *event) {
	for _, wait := range s.Ladder {
		if s.answered(e) {
			return
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-e.acked:
			timer.Stop()
			return
		case <-s.done:
			timer.Stop()
			return
		}
		s.queue <- delivery{e}
	}
}

// answered waits for the answer to the last try.
func (s *Server) answered(e *event) bool {
	timer := time.NewTimer(ackWithin)
	defer timer.Stop()
	select {
	case <-e.acked:
		return true
	case <-s.done:
		return true
	case <-e.bad:
	case <-timer.C:
	}
	return false
}

// pump makes the deliveries, one after the other.
func (s *Server) pump() {
	waiting, cancel := context.WithCancel(context.Background())
	defer cancel()
	s.tasks.Go(func() { <-s.done; cancel() })
	for {
		select {
		case d := <-s.queue:
			// Without a connection events wait here, in their order. The service itself loses the order.
			if s.Hook == nil && s.Wait(waiting, func() bool { return s.Connected() > 0 }) != nil {
				return
			}
			s.mu.Lock()
			d.event.began = time.Now()
			d.event.tries++
			s.mu.Unlock()
			if s.Hook != nil {
				s.call(d.event)
			} else {
				s.send(d.event)
			}
		case <-s.done:
			return
		}
	}
}

// ack takes the answer to an event.
func (s *Server) ack(id string, code int, data string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.events[id]
	if e == nil {
		return
	}
	after := time.Since(e.began)
	s.acks = append(s.acks, Ack{Event: id, Code: code, Data: data, After: after, Late: after > ackWithin})
	s.Touch()
	if code != http.StatusOK {
		select {
		case e.bad <- struct{}{}:
		default:
		}
		return
	}
	select {
	case <-e.acked:
	default:
		close(e.acked)
	}
}

// send writes an event into the newest connection, cut into frames; without one it is lost for now.
func (s *Server) send(e *event) {
	s.mu.Lock()
	var to *line
	if n := len(s.lines); n > 0 {
		to = s.lines[n-1]
	}
	half := to != nil && to.frozen
	size := len(e.body)
	if s.Fragment > 0 {
		size = s.Fragment
	}
	s.mu.Unlock()
	if to == nil || half {
		return
	}
	sum := max(1, (len(e.body)+size-1)/max(size, 1))
	for seq := range sum {
		part := e.body[seq*size : min((seq+1)*size, len(e.body))]
		f := frame{
			SeqID: uint64(seq + 1), LogID: 77, Service: serviceID, Method: 1, Payload: part,
			Headers: map[string]string{"type": "event", "message_id": e.id, "sum": strconv.Itoa(sum), "seq": strconv.Itoa(seq), "trace_id": "trace-" + e.id},
		}
		to.write(f)
	}
}

// call delivers an event to the webhook. While nobody is there it waits, so that events keep their order;
// the service itself loses it.
func (s *Server) call(e *event) {
	for {
		w := httptest.NewRecorder()
		s.Hook.ServeHTTP(w, s.Request(e.body, time.Now()))
		if w.Code != http.StatusServiceUnavailable || !s.pause() {
			s.ack(e.id, w.Code, w.Body.String())
			return
		}
	}
}

// pause waits a little for a client that is not there; false at the end.
func (s *Server) pause() bool {
	timer := time.NewTimer(10 * time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.done:
		return false
	}
}

// Request returns the webhook request of an event, encrypted and signed as the service does it.
func (s *Server) Request(body []byte, at time.Time) *http.Request {
	raw := encode(map[string]string{"encrypt": Encrypt(s.EncryptKey, body)})
	r := httptest.NewRequest(http.MethodPost, "/hooks/feishu", bytes.NewReader(raw))
	stamp, nonce := strconv.FormatInt(at.Unix(), 10), "n-"+strconv.Itoa(len(body))
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Lark-Request-Timestamp", stamp)
	r.Header.Set("X-Lark-Request-Nonce", nonce)
	r.Header.Set("X-Lark-Signature", Sign(stamp, nonce, s.EncryptKey, raw))
	return r
}

// Encrypt closes an event as the service does: base64 of a random vector and AES-256-CBC.
func Encrypt(key string, body []byte) string {
	pad := aes.BlockSize - len(body)%aes.BlockSize
	body = append(append([]byte{}, body...), bytes.Repeat([]byte{byte(pad)}, pad)...)
	sum := sha256.Sum256([]byte(key))
	block, err := aes.NewCipher(sum[:])
	if err != nil {
		panic(err) // the key has the right length
	}
	out := make([]byte, aes.BlockSize+len(body))
	_, _ = rand.Read(out[:aes.BlockSize])
	cipher.NewCBCEncrypter(block, out[:aes.BlockSize]).CryptBlocks(out[aes.BlockSize:], body)
	return base64.StdEncoding.EncodeToString(out)
}

// Sign returns the signature of a webhook request.
func Sign(stamp, nonce, key string, raw []byte) string {
	sum := sha256.Sum256(append([]byte(stamp+nonce+key), raw...))
	return hex.EncodeToString(sum[:])
}

func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only our own types come here
	}
	return bytes.TrimSpace(b.Bytes())
}

// serviceID is what the connection's address and its frames name.
const serviceID = 33

// line is one long connection.
type line struct {
	conn   *websocket.Conn
	out    chan struct{} // held by who writes
	frozen bool          // half open
}

func (l *line) write(f frame) {
	l.out <- struct{}{}
	defer func() { <-l.out }()
	ctx, cancel := context.WithTimeout(context.Background(), ackWithin)
	defer cancel()
	_ = l.conn.Write(ctx, websocket.MessageBinary, f.encode())
}

// open counts a connection, unless the server is closed.
func (s *Server) open(l *line) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.done:
		return false
	default:
	}
	s.lines = append(s.lines, l)
	s.tasks.Add(1)
	s.Touch()
	return true
}

// connect serves the long connection.
func (s *Server) connect(w http.ResponseWriter, r *http.Request) {
	if f, met := s.faults.Meet(func(f Fault) bool { return f.meets("connect", "", "") }); met {
		w.Header().Set("Handshake-Status", strconv.Itoa(f.Status))
		w.Header().Set("Handshake-Autherrcode", strconv.Itoa(f.Code))
		w.WriteHeader(http.StatusForbidden)
		return
	}
	if r.URL.Query().Get("ticket") != s.ticket() || r.URL.Query().Get("service_id") != strconv.Itoa(serviceID) {
		w.Header().Set("Handshake-Status", "514")
		w.WriteHeader(http.StatusForbidden)
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	conn.SetReadLimit(8 << 20)
	l := &line{conn: conn, out: make(chan struct{}, 1)}
	if !s.open(l) {
		_ = conn.CloseNow()
		return
	}
	defer s.tasks.Done()
	s.listen(l)
	s.mu.Lock()
	for i, o := range s.lines {
		if o == l {
			s.lines = append(s.lines[:i:i], s.lines[i+1:]...)
			break
		}
	}
	s.Touch()
	s.mu.Unlock()
	_ = conn.CloseNow()
}

// listen reads what the client says, until the connection ends.
func (s *Server) listen(l *line) {
	for {
		_, body, err := l.conn.Read(context.Background())
		if err != nil {
			return
		}
		s.mu.Lock()
		frozen := l.frozen
		s.mu.Unlock()
		if frozen { // it arrives, as far as the sender can tell, and nobody is there: half open
			continue
		}
		f, ok := decode(body)
		switch {
		case !ok:
			s.note("bad frame")
		case f.Method == 0 && f.Headers["type"] == "ping":
			s.note("ping")
			l.write(frame{Service: f.Service, Headers: map[string]string{"type": "pong"}, Payload: encode(s.terms())})
		case f.Method == 1:
			s.frameAck(f)
		}
	}
}

// frameAck checks the answer to an event: it is the frame itself, with a payload of its own.
func (s *Server) frameAck(f frame) {
	var p struct {
		Code int    `json:"code"`
		Data string `json:"data"`
	}
	data := []byte{}
	err := json.Unmarshal(f.Payload, &p)
	if err == nil {
		data, err = base64.StdEncoding.DecodeString(p.Data)
	}
	id := f.Headers["message_id"]
	if err != nil || f.Headers["type"] != "event" || f.LogID != 77 || f.Service != serviceID || !strings.HasPrefix(f.Headers["trace_id"], "trace-") || f.Headers["biz_rt"] == "" {
		s.note("bad ack")
		return
	}
	s.ack(id, p.Code, string(data))
}

// note records what came over the long connection as a call.
func (s *Server) note(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{Method: method, At: time.Now()})
	s.Touch()
}

func (s *Server) ticket() string { return "ticket-of-" + s.AppID }

func (s *Server) terms() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return map[string]int{"ReconnectCount": -1, "ReconnectInterval": 120, "ReconnectNonce": s.Nonce, "PingInterval": s.Ping}
}

// Drop breaks all long connections.
func (s *Server) Drop() {
	s.mu.Lock()
	lines := append([]*line(nil), s.lines...)
	s.mu.Unlock()
	for _, l := range lines {
		_ = l.conn.CloseNow()
	}
}

// SetPing tells clients another interval, in seconds, with the next pong.
func (s *Server) SetPing(seconds int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.Ping = seconds
}

// Freeze makes the connections that there are half open: nothing is answered, written or closed any more,
// until Thaw.
func (s *Server) Freeze() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lines {
		l.frozen = true
	}
}

// Thaw ends Freeze.
func (s *Server) Thaw() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, l := range s.lines {
		l.frozen = false
	}
}

// Tell writes a message of the service's own into all connections: a frame of control with these headers.
func (s *Server) Tell(headers map[string]string, payload string) {
	s.mu.Lock()
	lines := append([]*line(nil), s.lines...)
	s.mu.Unlock()
	for _, l := range lines {
		l.write(frame{Service: serviceID, Headers: headers, Payload: []byte(payload)})
	}
}
