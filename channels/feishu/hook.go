package feishu

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad/internal/chathook"
)

const (
	maxHook    = 1 << 20   // bytes of one event: its words are at most 150 KB
	hookWindow = time.Hour // a request may be this much older or newer than our clock
)

// hook is the transport by webhook: the service calls us.
type hook struct {
	*client
	log         *zap.Logger
	health      func(error)
	encryptKey  string
	verifyToken string

	door   chathook.Door
	handle handler // of the Run that keeps the door open
}

// Run takes events until ctx ends.
func (h *hook) Run(ctx context.Context, handle handler) error {
	h.handle = handle
	if !h.door.Open(ctx, nil) {
		return refuse("it runs already", "")
	}
	h.health(nil)
	<-ctx.Done()
	h.door.Shut()
	return nil
}

// ServeHTTP takes one event: 200 means that it is stored.
func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ctx, _, leave := h.door.Enter()
	if ctx == nil {
		http.Error(w, "not running", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	event, err := h.admit(w, r)
	if h.door.Answer(w, err) {
		return
	}
	if event.challenge != "" {
		answer(w, encode(map[string]string{"challenge": event.challenge}))
		return
	}
	h.hand(ctx, w, event.body)
}

// hand waits until the event is stored, but not longer than the service does: it sends again what was
// not answered.
func (h *hook) hand(ctx context.Context, w http.ResponseWriter, body []byte) {
	type outcome struct {
		answer []byte
		err    error
	}
	done := make(chan outcome, 1)
	late := time.NewTimer(ackAfter)
	defer late.Stop()
	h.handle(ctx, body, func(answer []byte, err error) { done <- outcome{answer, err} })
	var out outcome
	select {
	case out = <-done:
	case <-late.C:
		out.err = errLate
	}
	if out.err != nil {
		h.log.Warn("feishu event not taken; it comes again", zap.Error(out.err))
		http.Error(w, "not taken", http.StatusInternalServerError)
		return
	}
	if out.answer == nil {
		out.answer = []byte("{}")
	}
	answer(w, out.answer)
}

func answer(w http.ResponseWriter, body []byte) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(body)
}

// opened is a request that was checked: an event, or the challenge by which the service sees whose
// address it is.
type opened struct {
	body      []byte
	challenge string
}

// admit reads and checks one request. Everything but a challenge must be signed with the encrypt key,
// and all must have the verification token inside.
func (h *hook) admit(w http.ResponseWriter, r *http.Request) (opened, error) {
	raw, err := chathook.Body(w, r, maxHook)
	if err != nil {
		return opened{}, err
	}
	var envelope struct {
		Encrypt string `json:"encrypt"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return opened{}, &chathook.Refused{Status: http.StatusBadRequest, Why: "the body is no JSON"}
	}
	signed := h.signed(r.Header, raw, time.Now())
	body := raw
	if envelope.Encrypt != "" {
		// With another key the padding looks right once in a while, but what comes out is no JSON.
		if body, err = decrypt(h.encryptKey, envelope.Encrypt); err != nil || !json.Valid(body) {
			return opened{}, &chathook.Refused{Status: http.StatusUnauthorized, Why: errDecrypt.Error()}
		}
	}
	return h.check(body, signed)
}

// check looks at what a request says of itself.
func (h *hook) check(body []byte, signed error) (opened, error) {
	var head struct {
		Type      string `json:"type"`
		Token     string `json:"token"`
		Challenge string `json:"challenge"`
		Header    struct {
			Token string `json:"token"`
		} `json:"header"`
	}
	if err := json.Unmarshal(body, &head); err != nil {
		return opened{}, &chathook.Refused{Status: http.StatusBadRequest, Why: "the event is no JSON"}
	}
	token := head.Token
	if head.Header.Token != "" {
		token = head.Header.Token
	}
	switch {
	case !same(h.verifyToken, token):
		return opened{}, &chathook.Refused{Status: http.StatusForbidden, Why: "the verification token is not ours"}
	case head.Type == "url_verification":
		return opened{challenge: head.Challenge}, nil // not signed by the service
	case signed != nil:
		return opened{}, signed
	}
	return opened{body: body}, nil
}

// signed checks time and signature of a request's headers over its raw body.
func (h *hook) signed(header http.Header, raw []byte, now time.Time) error {
	stamp, nonce := header.Get("X-Lark-Request-Timestamp"), header.Get("X-Lark-Request-Nonce")
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > hookWindow {
		return &chathook.Refused{Status: http.StatusUnauthorized, Why: "the time of the request is missing or not ours"}
	}
	if !same(signature(stamp, nonce, h.encryptKey, raw), header.Get("X-Lark-Signature")) {
		return &chathook.Refused{Status: http.StatusUnauthorized, Why: "the signature is wrong"}
	}
	return nil
}
