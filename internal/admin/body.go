package admin

import (
	"fmt"
	"net/http"
)

// maxBody bounds a request. Its files are base64: one of 64 MiB fits, more are handed in by path.
const maxBody = 96 << 20

// bounded refuses a body that says itself that it is too large; any other is cut off while it is read.
func bounded(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > maxBody {
			refuse(w, r, http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the request has %d bytes, at most %d are taken", r.ContentLength, maxBody),
				hintFor(http.StatusRequestEntityTooLarge))
			return
		}
		next.ServeHTTP(w, r)
	})
}
