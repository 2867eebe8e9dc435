package admin

import (
	"net/http"
	"time"
)

const (
	hookRead  = 30 * time.Second // in which a chat service's call must have come in whole
	hookWrite = time.Minute      // in which it must be answered
)

// timed ends connections on which a call does not come in, or out, in time.
func timed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, now := http.NewResponseController(w), time.Now()
		_ = c.SetReadDeadline(now.Add(hookRead)) // a connection that knows none has no network behind it
		_ = c.SetWriteDeadline(now.Add(hookWrite))
		defer func() {
			_ = c.SetReadDeadline(time.Time{})
			_ = c.SetWriteDeadline(time.Time{})
		}()
		next.ServeHTTP(w, r)
	})
}
