package dingtalk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

const (
	maxHook    = 1 << 20   // bytes of one call
	hookWindow = time.Hour // a call may be this much older or newer than our clock, as DingTalk says
)

// Hook takes DingTalk's calls with what people write. It answers 200 once that is taken. The signature
// is over the time alone: who has seen a call can forge another one within the hour, so the hook must
// be reached by HTTPS.
func (d *DingTalk) Hook() http.Handler { return http.HandlerFunc(d.serveHook) }

// refusedCall is why a call is not one of DingTalk's.
type refusedCall struct {
	status int
	why    string
}

func (r *refusedCall) Error() string { return r.why }

func (d *DingTalk) serveHook(w http.ResponseWriter, r *http.Request) {
	take, leave := d.door.Enter()
	if take == nil {
		http.Error(w, "not running", http.StatusServiceUnavailable)
		return
	}
	defer leave()
	m, ok, err := d.admit(w, r)
	if refused, is := errors.AsType[*refusedCall](err); is {
		d.log.Warn("dingtalk call refused", zap.String("why", refused.why))
		http.Error(w, http.StatusText(refused.status), refused.status)
		return
	}
	if !ok {
		return // nothing that a person said: 200, so that it does not come again
	}
	switch err := take(m); {
	case err == nil:
	case akitad.KindOf(err) == akitad.InvalidRequest:
		d.log.Error("dingtalk message refused; passed over", zap.String("event", m.ID), zap.Error(err))
	default:
		d.log.Warn("dingtalk message not taken", zap.String("event", m.ID), zap.Error(err))
		http.Error(w, "not taken now", http.StatusServiceUnavailable)
	}
}

// admit checks who calls, and reads what was said.
func (d *DingTalk) admit(w http.ResponseWriter, r *http.Request) (akitad.Message, bool, error) {
	none := akitad.Message{}
	if r.Method != http.MethodPost {
		return none, false, &refusedCall{http.StatusMethodNotAllowed, "method " + r.Method}
	}
	timestamp := r.Header.Get("timestamp")
	ms, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case err != nil:
		return none, false, &refusedCall{http.StatusUnauthorized, "there is no time"}
	case !hmac.Equal([]byte(r.Header.Get("sign")), []byte(d.sign(timestamp))):
		return none, false, &refusedCall{http.StatusForbidden, "the signature is wrong"}
	case time.Since(time.UnixMilli(ms)).Abs() > hookWindow:
		return none, false, &refusedCall{http.StatusForbidden, "the call is too old, or the clock is wrong"}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxHook))
	if err != nil {
		return none, false, &refusedCall{http.StatusRequestEntityTooLarge, "the body is too large or was broken off"}
	}
	e, err := decode(body)
	switch {
	case err != nil:
		return none, false, &refusedCall{http.StatusBadRequest, "the body is no JSON"}
	case e.Robot != "" && e.Robot != d.opts.Robot && e.Robot != "normal":
		return none, false, &refusedCall{http.StatusForbidden, "the call is for another robot"}
	}
	m, ok := e.message()
	return m, ok, nil
}

// sign is DingTalk's signature for a time.
func (d *DingTalk) sign(timestamp string) string {
	mac := hmac.New(sha256.New, []byte(d.secret))
	mac.Write([]byte(timestamp + "\n" + d.secret))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
