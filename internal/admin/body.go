package admin

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
)

// maxBody bounds a request. Its files are base64: one of 64 MiB fits, more are handed in by path.
const maxBody = 96 << 20

// readable refuses what no route could read right, before one of them reads it wrong: a body that says itself
// that it is too large (any other is cut off while it is read) or that it is packed, and a query of which
// the parts that cannot be read would be passed over.
func readable(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		packed := r.Header.Get("Content-Encoding")
		_, err := url.ParseQuery(r.URL.RawQuery)
		switch {
		case r.ContentLength > maxBody:
			refuse(w, r, http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the request has %d bytes, at most %d are taken", r.ContentLength, maxBody),
				hintFor(http.StatusRequestEntityTooLarge))
		case packed != "" && !strings.EqualFold(packed, "identity"):
			w.Header().Set("Accept-Encoding", "identity")
			refuse(w, r, http.StatusUnsupportedMediaType, string(akitad.InvalidRequest), fmt.Sprintf("the content encoding %.40q is not read", packed), "send the body as it is, without Content-Encoding")
		case err != nil:
			refuse(w, r, http.StatusBadRequest, string(akitad.InvalidRequest), "the query cannot be read: "+err.Error(), "write % as %25, and ; as %3B")
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// checkText refuses a body that is not UTF-8, as JSON is: what reads it would put other characters in the
// place of the person's, without a word.
func checkText(body []byte) error {
	if utf8.Valid(body) {
		return nil
	}
	at := 0
	for at < len(body) {
		r, size := utf8.DecodeRune(body[at:])
		if r == utf8.RuneError && size == 1 {
			break
		}
		at += size
	}
	return akitad.Errorf(akitad.InvalidRequest, "the body is not UTF-8, from byte %d on", at+1).WithHint("send JSON as UTF-8")
}
