package telegramtest

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
)

// Direct makes a Server, and the HTTP client that reaches it at its URL without a socket: a test can
// have both, and the bot between them, in one bubble of virtual time.
func Direct(opts Options) (*Server, *http.Client) {
	s := New("4242:test-token", opts)
	s.URL = "http://telegram.test"
	return s, &http.Client{Transport: direct{s.Handler()}}
}

// direct is a network without sockets.
type direct struct{ server http.Handler }

func (d direct) RoundTrip(r *http.Request) (resp *http.Response, err error) {
	defer func() {
		if broken := recover(); broken != nil { // how a handler breaks the connection
			resp, err = nil, r.Context().Err()
			if err == nil {
				err = fmt.Errorf("%w: %v", io.ErrUnexpectedEOF, broken)
			}
		}
	}()
	w := httptest.NewRecorder()
	d.server.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}
