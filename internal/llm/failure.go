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
