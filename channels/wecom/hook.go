package wecom

import (
	"encoding/xml"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	maxHook    = 1 << 20 // bytes of one call
	hookWindow = 10 * time.Minute
)

// Hook takes WeCom's calls: the check of the address, and what people write. It answers 200 with nothing
// once that is taken; WeCom waits for it for 5 s and calls again.
func (w *WeCom) Hook() http.Handler { return http.HandlerFunc(w.serveHook) }

// refusedCall is why a call is not one of WeCom's.
type refusedCall struct {
	status int
	why    string
}

func (r *refusedCall) Error() string { return r.why }

func (w *WeCom) serveHook(rw http.ResponseWriter, r *http.Request) {
	take, leave := w.door.Enter()
	if take == nil {
		http.Error(rw, "not running", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	text, err := w.admit(rw, r)
	if refused, ok := errors.AsType[*refusedCall](err); ok {
		w.log.Warn("wecom call refused", zap.String("why", refused.why))
		http.Error(rw, http.StatusText(refused.status), refused.status)
		return
	}
	if r.Method == http.MethodGet {
		rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = rw.Write(text)
		return
	}
	m, ok := w.decode(text)
	if !ok {
		return // nothing that a person said: 200, so that it does not come again
	}
	switch err := take(m); {
	case err == nil:
	case akitad.KindOf(err) == akitad.InvalidRequest:
		w.log.Error("wecom message refused; passed over", zap.String("event", m.ID), zap.Error(err))
	default:
		w.log.Warn("wecom message not taken", zap.String("event", m.ID), zap.Error(err))
		http.Error(rw, "not taken now", http.StatusServiceUnavailable)
	}
}

// admit checks who calls, and gives what was sealed.
func (w *WeCom) admit(rw http.ResponseWriter, r *http.Request) ([]byte, error) {
	q := r.URL.Query()
	sealed := q.Get("echostr")
	switch r.Method {
	case http.MethodGet:
	case http.MethodPost:
		body, err := io.ReadAll(http.MaxBytesReader(rw, r.Body, maxHook))
		if err != nil {
			return nil, &refusedCall{http.StatusRequestEntityTooLarge, "the body is too large or was broken off"}
		}
		var outer struct {
			Encrypt string `xml:"Encrypt"`
		}
		if err := xml.Unmarshal(body, &outer); err != nil {
			return nil, &refusedCall{http.StatusBadRequest, "the body is no XML"}
		}
		sealed = outer.Encrypt
	default:
		return nil, &refusedCall{http.StatusMethodNotAllowed, "method " + r.Method}
	}
	timestamp, nonce := q.Get("timestamp"), q.Get("nonce")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case sealed == "" || err != nil:
		return nil, &refusedCall{http.StatusBadRequest, "something is missing"}
	case !w.crypt.signed(q.Get("msg_signature"), timestamp, nonce, sealed):
		return nil, &refusedCall{http.StatusForbidden, "the signature is wrong"}
	case time.Since(time.Unix(at, 0)).Abs() > hookWindow:
		return nil, &refusedCall{http.StatusForbidden, "the call is too old, or the clock is wrong"}
	}
	text, err := w.crypt.open(sealed)
	if err != nil {
		return nil, &refusedCall{http.StatusForbidden, err.Error()}
	}
	return text, nil
}
