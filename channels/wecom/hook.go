package wecom

import (
	"net/http"
	"strconv"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
)

const (
	maxHook    = 1 << 20 // bytes of one call
	hookWindow = 10 * time.Minute
)

// Hook takes WeCom's calls: the check of the address, and what people write. It answers 200 with nothing
// once that is taken; WeCom waits for it for 5 s and calls again.
func (w *WeCom) Hook() http.Handler { return http.HandlerFunc(w.serveHook) }

func (w *WeCom) serveHook(rw http.ResponseWriter, r *http.Request) {
	w.door.Serve(rw, func() (m akitad.Message, ok bool, err error) {
		text, err := w.admit(rw, r)
		switch {
		case err != nil:
		case r.Method == http.MethodGet:
			rw.Header().Set("Content-Type", "text/plain; charset=utf-8")
			_, _ = rw.Write(text)
		default:
			m, ok = w.decode(text)
		}
		return m, ok, err
	})
}

// admit checks who calls, and gives what was sealed.
func (w *WeCom) admit(rw http.ResponseWriter, r *http.Request) ([]byte, error) {
	q := r.URL.Query()
	sealed := q.Get("echostr")
	switch r.Method {
	case http.MethodGet:
	case http.MethodPost:
		body, err := chathook.Body(rw, r, maxHook)
		if err != nil {
			return nil, err
		}
		outer, err := elements(body)
		if err != nil {
			return nil, &chathook.Refused{Status: http.StatusBadRequest, Why: "the body is no XML"}
		}
		sealed = outer["Encrypt"]
	default:
		return nil, &chathook.Refused{Status: http.StatusMethodNotAllowed, Why: "neither GET nor POST"}
	}
	timestamp, nonce := q.Get("timestamp"), q.Get("nonce")
	at, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case sealed == "" || err != nil:
		return nil, &chathook.Refused{Status: http.StatusBadRequest, Why: "something is missing"}
	case !w.crypt.signed(q.Get("msg_signature"), timestamp, nonce, sealed):
		return nil, &chathook.Refused{Status: http.StatusForbidden, Why: "the signature is wrong"}
	case time.Since(time.Unix(at, 0)).Abs() > hookWindow:
		return nil, &chathook.Refused{Status: http.StatusForbidden, Why: "the call is too old, or the clock is wrong"}
	}
	text, err := w.crypt.open(sealed)
	if err != nil {
		return nil, &chathook.Refused{Status: http.StatusForbidden, Why: err.Error()}
	}
	return text, nil
}
