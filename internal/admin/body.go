package admin

import (
	"fmt"
	"io"
	"net/http"
	"time"
)

// maxBody bounds a request. Its files are base64: one of 64 MiB fits, more are handed in by path.
const maxBody = 96 << 20

// patient bounds the size of a body and the time in which it must come. The time limit is lifted once
// the body is there: left in place it would cut off a request that waits for its task.
func (s *Server) patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength > maxBody {
			refuse(w, http.StatusRequestEntityTooLarge, "too_large", fmt.Sprintf("the request has %d bytes, at most %d are taken", r.ContentLength, maxBody),
				hintFor(http.StatusRequestEntityTooLarge))
			return
		}
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &timedBody{ReadCloser: http.MaxBytesReader(w, r.Body, maxBody+1), within: s.opts.BodyTime, limit: http.NewResponseController(w).SetReadDeadline}
		}
		next.ServeHTTP(w, r)
	})
}

// timedBody is a body that must end some time after it is first read.
type timedBody struct {
	io.ReadCloser
	within time.Duration
	limit  func(time.Time) error
	begun  bool
}

// Read reads on; where the connection knows no time limits there are none.
func (b *timedBody) Read(p []byte) (int, error) {
	if !b.begun {
		b.begun = true
		_ = b.limit(time.Now().Add(b.within))
	}
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.limit(time.Time{})
	}
	return n, err
}
