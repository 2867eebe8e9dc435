package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// A source that gives ten wrong tokens within a minute is not answered for a minute, unless it
// gives the right one.
const (
	maxWrong  = 10
	wrongSpan = time.Minute
	maxSeen   = 4096 // sources remembered; the oldest goes first
)

// guard lets through who has the token, from a page and under a name that are ours.
type guard struct {
	token [sha256.Size]byte
	hosts []string // names under which the server may be addressed, without port

	mu    sync.Mutex
	wrong map[string][]time.Time
}

func newGuard(token, listen string) *guard {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" {
		hosts = append(hosts, strings.ToLower(host))
	}
	return &guard{token: sha256.Sum256([]byte(token)), hosts: hosts, wrong: map[string][]time.Time{}}
}

// open are the routes that need no token.
var open = []string{"/healthz", "/readyz", "/openapi.json"}

func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		switch {
		case !g.ours(r.Host):
			refuse(w, http.StatusForbidden, "foreign_host", "the Host header names another server", "address the server as localhost or as configured in admin.listen")
		case !g.sameOrigin(r):
			refuse(w, http.StatusForbidden, "foreign_origin", "the request comes from a page of another site", "")
		case slices.Contains(open, r.URL.Path):
			next.ServeHTTP(w, r)
		default:
			g.authorised(w, r, next)
		}
	})
}

func (g *guard) authorised(w http.ResponseWriter, r *http.Request, next http.Handler) {
	source, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		source = r.RemoteAddr
	}
	given, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	switch {
	case subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1:
		next.ServeHTTP(w, r)
	case g.locked(source, time.Now()):
		w.Header().Set("Retry-After", "60")
		refuse(w, http.StatusTooManyRequests, "rate_limited", "too many wrong tokens", "wait a minute, then send the token of admin.token")
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, http.StatusUnauthorized, "unauthorized", "the bearer token is missing or wrong", "send Authorization: Bearer with the content of admin.token in the home folder")
	}
}

// locked counts a wrong token and reports whether the source has given too many.
func (g *guard) locked(source string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	recent := slices.DeleteFunc(g.wrong[source], func(at time.Time) bool { return now.Sub(at) > wrongSpan })
	if len(recent) < maxWrong {
		recent = append(recent, now)
	}
	if len(g.wrong) >= maxSeen {
		clear(g.wrong)
	}
	g.wrong[source] = recent
	return len(recent) >= maxWrong
}

func (g *guard) ours(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return slices.Contains(g.hosts, strings.ToLower(strings.Trim(host, "[]")))
}

// sameOrigin accepts requests from no page at all, or from one that this server gave out.
func (g *guard) sameOrigin(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && u.Host == r.Host
}
