package egress

import (
	"cmp"
	"fmt"
	"net/http"
	"time"

	"github.com/akitad/akitad"
)

// maxRedirects is how many redirects one request may follow.
const maxRedirects = 5

// Timeouts bound one HTTP exchange; zero means the default.
type Timeouts struct {
	TLS       time.Duration // handshake; default 10 s
	FirstByte time.Duration // from the request's end to the answer's headers; default 30 s; negative: none
	Total     time.Duration // everything, body included; default none
}

// Client returns an HTTP client on this dialer. It follows at most five redirects, each checked like
// the first address, and uses no proxy: a proxy would connect unguarded. Each call makes a client
// with connections of its own; the caller closes idle ones.
func (d *Dialer) Client(t Timeouts) *http.Client {
	return &http.Client{
		Timeout:       t.Total,
		CheckRedirect: redirect,
		Transport: &http.Transport{
			DialContext:           d.DialContext,
			ForceAttemptHTTP2:     true,
			TLSHandshakeTimeout:   cmp.Or(t.TLS, 10*time.Second),
			ResponseHeaderTimeout: max(0, cmp.Or(t.FirstByte, 30*time.Second)),
			MaxIdleConnsPerHost:   64, // as many as an endpoint has requests in flight
			IdleConnTimeout:       90 * time.Second,
			WriteBufferSize:       32 << 10, // a usual request to a model at once; a smaller one makes a copy buffer of this size for each
		},
	}
}

// redirect bounds how far a request may be sent on; the dialer checks where to. What was meant for one server
// is not told to another: net/http takes the standard headers off that hold secrets, and knows nothing of those of
// services (X-Api-Key), nor of a body that is sent on.
func redirect(req *http.Request, via []*http.Request) error {
	if len(via) > maxRedirects {
		return &akitad.Error{Kind: akitad.InvalidRequest, Op: "follow redirect", Err: fmt.Errorf("more than %d redirects", maxRedirects), Hint: "open the final address itself"}
	}
	if s := req.URL.Scheme; s != "http" && s != "https" {
		return refused("a redirect to "+s+":", "only http and https are followed")
	}
	if first := via[0]; req.URL.Host == first.URL.Host && (req.URL.Scheme == first.URL.Scheme || req.URL.Scheme == "https") {
		return nil
	}
	if req.Method != http.MethodGet && req.Method != http.MethodHead {
		return refused("a redirect to "+req.URL.Host, "what was sent is not for another server")
	}
	for name := range req.Header {
		if !told[name] {
			req.Header.Del(name)
		}
	}
	return nil
}

// told are the headers that a request keeps on its way to another server.
var told = map[string]bool{
	"Accept": true, "Accept-Encoding": true, "Accept-Language": true, "If-Modified-Since": true, "If-None-Match": true, "Range": true, "User-Agent": true,
}
