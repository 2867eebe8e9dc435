package dingtalk

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
)

const (
	maxHook    = 1 << 20   // bytes of one call
	hookWindow = time.Hour // a call may be this much older or newer than our clock, as DingTalk says
)

// Hook takes DingTalk's calls with what people write. It answers 200 once that is taken. The signature
// is over the time alone: who has seen a call can forge another one within the hour, so the hook must
// be reached by HTTPS.
func (d *DingTalk) Hook() http.Handler { return http.HandlerFunc(d.serveHook) }

func (d *DingTalk) serveHook(w http.ResponseWriter, r *http.Request) {
	d.door.Serve(w, func() (akitad.Message, bool, error) { return d.admit(w, r) })
}

// admit checks who calls, and reads what was said.
func (d *DingTalk) admit(w http.ResponseWriter, r *http.Request) (akitad.Message, bool, error) {
	none := akitad.Message{}
	timestamp := r.Header.Get("timestamp")
	ms, err := strconv.ParseInt(timestamp, 10, 64)
	switch {
	case err != nil:
		return none, false, &chathook.Refused{Status: http.StatusUnauthorized, Why: "there is no time"}
	case !hmac.Equal([]byte(r.Header.Get("sign")), []byte(d.sign(timestamp))):
		return none, false, &chathook.Refused{Status: http.StatusForbidden, Why: "the signature is wrong"}
	case time.Since(time.UnixMilli(ms)).Abs() > hookWindow:
		return none, false, &chathook.Refused{Status: http.StatusForbidden, Why: "the call is too old, or the clock is wrong"}
	}
	body, err := chathook.Body(w, r, maxHook)
	if err != nil {
		return none, false, err
	}
	e, err := decode(body)
	switch {
	case err != nil:
		return none, false, &chathook.Refused{Status: http.StatusBadRequest, Why: "the body is no JSON"}
	case e.Robot != "" && e.Robot != d.opts.Robot && e.Robot != "normal":
		return none, false, &chathook.Refused{Status: http.StatusForbidden, Why: "the call is for another robot"}
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
