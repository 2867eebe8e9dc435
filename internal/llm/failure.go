package llm

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// ServerError is what a model server said when it refused a request. It stands below the
// *akitad.Error that carries the kind.
type ServerError struct {
	Status     int           // HTTP status; 0 if the error came inside of a stream
	Code       string        // the server's own code or type, if it gave one
	Message    string        // its words, redacted and cut to a few hundred bytes
	RetryAfter time.Duration // how long it asks to be left alone; 0 if it does not say
	Usage      akitad.Usage  // what the refused request used, if it says so
}

// Error gives status, code and message, as far as there are any.
func (e *ServerError) Error() string {
	parts := make([]string, 0, 3)
	if e.Status != 0 {
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("%d %s", e.Status, http.StatusText(e.Status))))
	}
	if e.Code != "" {
		parts = append(parts, e.Code)
	}
	if e.Message != "" {
		parts = append(parts, e.Message)
	}
	return strings.Join(parts, ": ")
}

// RetryAfter gives how long the server behind err asked to be left alone; 0 if it did not.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*ServerError](err); ok {
		return e.RetryAfter
	}
	return 0
}

// maxRetryAfter keeps absurd values out of duration arithmetic.
const maxRetryAfter = 24 * time.Hour

// ParseRetryAfter reads the headers Retry-After-Ms, as Azure spells it too, and Retry-After (RFC 9110, 10.2.3: seconds, also
// with a fraction or a unit as some servers send, or a date, also in the forms of RFC 3339 and of Unix), else those that say when
// a limit is reset. Many servers send the latter with every answer, so they count only if a limit is why it was refused: with
// status 429, or if nothing of it remains. A date in the past and a negative number give 0, anything above 24 h gives 24 h, and
// what cannot be read counts as absent.
func ParseRetryAfter(status int, h http.Header, now time.Time) time.Duration {
	for _, name := range []string{"Retry-After-Ms", "X-Ms-Retry-After-Ms"} {
		if wait, ok := parseWait(h.Get(name), time.Millisecond); ok {
			return wait
		}
	}
	for _, name := range []string{"Retry-After", "X-Retry-After"} {
		if wait, ok := parseRetry(h.Get(name), now); ok {
			return wait
		}
	}
	for _, name := range []string{"X-Ratelimit-Reset-After", "X-Ratelimit-Reset", "Ratelimit-Reset"} {
		limit, _, _ := strings.Cut(name, "-Reset")
		if status != http.StatusTooManyRequests && strings.TrimSpace(h.Get(limit+"-Remaining")) != "0" {
			continue
		}
		if wait, ok := parseRetry(h.Get(name), now); ok {
			return wait
		}
	}
	return 0
}

// epoch is where numbers begin that are no seconds to wait but a moment, in seconds since 1970; those from
// a thousand times of it on are in milliseconds.
const epoch = 1e9

func parseRetry(value string, now time.Time) (time.Duration, bool) {
	value = strings.Trim(value, ` "`)
	until := func(date time.Time) (time.Duration, bool) { return min(max(date.Sub(now), 0), maxRetryAfter), true }
	switch n, err := strconv.ParseInt(value, 10, 64); {
	case err == nil && n >= 1000*epoch:
		return until(time.UnixMilli(n))
	case err == nil && n >= epoch:
		return until(time.Unix(n, 0))
	}
	short := strings.Replace(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(value, "s"), "ond"), "sec"), " ", "", 1)
	if wait, ok := parseWait(short, time.Second); ok {
		return wait, true
	}
	if wait, err := time.ParseDuration(value); err == nil {
		return min(max(wait, 0), maxRetryAfter), true
	}
	if date, err := http.ParseTime(strings.Replace(value, " UTC", " GMT", 1)); err == nil {
		return until(date)
	}
	for _, form := range []string{time.RFC3339, time.RFC1123Z, time.DateTime} {
		if date, err := time.Parse(form, value); err == nil {
			return until(date)
		}
	}
	return 0, false
}

func parseWait(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return maxRetryAfter, true
	case err != nil || n != n:
		return 0, false
	case n <= 0:
		return 0, true
	case n >= float64(maxRetryAfter/unit):
		return maxRetryAfter, true
	}
	return time.Duration(n * float64(unit)), true
}

// AllFailed says that no endpoint could answer a request. It stands below an *akitad.Error of kind
// all_failed.
type AllFailed struct {
	Role  Role
	Tried []Tried      // in the order in which they were tried
	Bills akitad.Bills // of all tries, as far as their servers have told what they used
}

// Tried is one endpoint that could not answer.
type Tried struct {
	Endpoint string
	Tries    int   // attempts made; 0 if it was passed over without one
	Err      error // of the last attempt, or why there was none
}

// Error names each endpoint, how often it was tried, and its last error.
func (e *AllFailed) Error() string {
	parts := make([]string, len(e.Tried))
	for i, t := range e.Tried {
		parts[i] = fmt.Sprintf("%s (%s): %s: %v", t.Endpoint, tries(t.Tries), akitad.KindOf(t.Err), t.Err)
	}
	return "no endpoint could answer: " + strings.Join(parts, "; ")
}

func tries(n int) string {
	switch n {
	case 0:
		return "not tried"
	case 1:
		return "1 try"
	}
	return strconv.Itoa(n) + " tries"
}

// Temporary reports whether the same request may be answered later: at least one endpoint failed in
// a way that passes by itself.
func (e *AllFailed) Temporary() bool {
	for _, t := range e.Tried {
		if kind := akitad.KindOf(t.Err); kind.Temporary() || kind == akitad.Unavailable && t.Tries > 0 {
			return true
		}
	}
	return false
}

// Common gives the kind that all endpoints failed with, or all_failed if they differ.
func (e *AllFailed) Common() akitad.Kind {
	var kind akitad.Kind
	for _, t := range e.Tried {
		k := akitad.KindOf(t.Err)
		if kind != "" && k != kind {
			return akitad.AllFailed
		}
		kind = k
	}
	return kind
}

func (e *AllFailed) wrap() *akitad.Error {
	hint := "check that the endpoints are reachable, and try again later"
	if !e.Temporary() {
		hint = "check the endpoints' keys, models and base URLs"
		for _, t := range e.Tried {
			if f := akitad.FailureOf(t.Err); f != nil && f.Hint != "" {
				hint = t.Endpoint + ": " + f.Hint
				break
			}
		}
		hint += "; trying again changes nothing"
	}
	return &akitad.Error{Kind: akitad.AllFailed, Op: "ask a model", Err: e, Hint: hint}
}
