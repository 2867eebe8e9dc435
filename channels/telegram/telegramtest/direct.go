package telegramtest

import (
	"net/http"

	"github.com/akitad/akitad/internal/faketest"
)

// Direct makes a Server, and the HTTP client that reaches it at its URL without a socket: a test can
// have both, and the bot between them, in one bubble of virtual time.
func Direct(opts Options) (*Server, *http.Client) {
	s := New("4242:test-token", opts)
	s.URL = "http://telegram.test"
	return s, faketest.Client(s.Handler())
}
