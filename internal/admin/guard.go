package admin

import (
	"crypto/sha256"
	"crypto/subtle"
	"maps"
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
	maxSeen   = 4096 // sources remembered
)

// guard lets through who has the token, from a page and under a name that are ours.
type guard struct {
	token [sha256.Size]byte
	hosts []string     // names under which the server may be addressed, without port
	hooks http.Handler // what chat services call; nil: nothing

	mu    sync.Mutex
	wrong map[string]offender
}

// offender is a source that gave wrong tokens.
type offender struct {
	times []time.Time // of the last wrong ones
	until time.Time   // locked until then
}

func newGuard(token, listen string) *guard {
	hosts := []string{"localhost", "127.0.0.1", "::1"}
	if host, _, err := net.SplitHostPort(listen); err == nil && host != "" {
		hosts = append(hosts, strings.ToLower(host))
	}
	return &guard{token: sha256.Sum256([]byte(token)), hosts: hosts, wrong: map[string]offender{}}
}

// open are the routes that need no token.
var open = []string{"/healthz", "/readyz", "/openapi.json"}

func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Content-Security-Policy", "default-src 'self'")
		if g.hooks != nil && strings.HasPrefix(r.URL.Path, "/hooks/") {
			g.hooks.ServeHTTP(w, r) // who calls it is checked by the channel
			return
		}
		switch {
		case !g.ours(r):
			refuse(w, r, http.StatusForbidden, "foreign_host", "the Host header names another server", "address the server as localhost or as configured in admin.listen")
		case !g.sameOrigin(r):
			refuse(w, r, http.StatusForbidden, "foreign_origin", "the request comes from a page of another site", "")
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
	scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	sum := sha256.Sum256([]byte(strings.TrimSpace(given)))
	switch {
	case strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(sum[:], g.token[:]) == 1:
		next.ServeHTTP(w, r)
	case scheme != "" && g.locked(source, time.Now()):
		w.Header().Set("Retry-After", "60")
		refuse(w, r, http.StatusTooManyRequests, "rate_limited", "too many wrong tokens", "wait a minute, then send the token of admin.token")
	default:
		w.Header().Set("WWW-Authenticate", "Bearer")
		refuse(w, r, http.StatusUnauthorized, "unauthorized", "the bearer token is missing or wrong", "send Authorization: Bearer with the content of admin.token in the home folder")
	}
}

// locked counts a wrong token and reports whether the source has given too many.
func (g *guard) locked(source string, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	o := g.wrong[source]
	if now.Before(o.until) {
		return true
	}
	o.times = append(slices.DeleteFunc(o.times, func(at time.Time) bool { return now.Sub(at) >= wrongSpan }), now)
	if len(o.times) >= maxWrong {
		o = offender{until: now.Add(wrongSpan)}
	}
	g.room(now)
	g.wrong[source] = o
	return now.Before(o.until)
}

// room forgets sources when there are too many: those that did nothing wrong for a while, then any.
func (g *guard) room(now time.Time) {
	if len(g.wrong) < maxSeen {
		return
	}
	maps.DeleteFunc(g.wrong, func(_ string, o offender) bool {
		return !now.Before(o.until) && (len(o.times) == 0 || now.Sub(o.times[len(o.times)-1]) >= wrongSpan)
	})
	for source := range g.wrong {
		if len(g.wrong) < maxSeen {
			return
		}
		delete(g.wrong, source)
	}
}

// ours accepts the names of this machine, the configured one, and the very address that the
// connection came in by: no name server of somebody else can make a page say that.
func (g *guard) ours(r *http.Request) bool {
	host := bare(r.Host)
	if _, port, err := net.SplitHostPort(r.Host); err == nil && strings.Trim(port, "0123456789") != "" {
		return false // no name has a colon in it
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && host == bare(local.String()) {
		return true
	}
	return slices.Contains(g.hosts, host)
}

// bare gives the host of host:port, without the brackets of IPv6.
func bare(addr string) string {
	if name, _, err := net.SplitHostPort(addr); err == nil {
		addr = name
	}
	return strings.ToLower(strings.Trim(addr, "[]"))
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
