package akitad

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Kind classifies a failure. Retry, fallback and the message for a person depend on the kind and never
// on the error's text. Tools, models and tasks share the same kinds.
type Kind string

// The kinds of failure, as they appear in journals, HTTP answers and spans.
const (
	Timeout          Kind = "timeout"
	RateLimited      Kind = "rate_limited"
	Overloaded       Kind = "overloaded"
	Transport        Kind = "transport"
	Auth             Kind = "auth"
	Quota            Kind = "quota"
	InvalidRequest   Kind = "invalid_request"
	ContextOverflow  Kind = "context_overflow"
	ContentFiltered  Kind = "content_filtered"
	NotFound         Kind = "not_found"
	PermissionDenied Kind = "permission_denied"
	Unavailable      Kind = "unavailable"
	ToolFailed       Kind = "tool_failed"
	Loop             Kind = "loop"
	OverBudget       Kind = "budget"
	AllFailed        Kind = "all_failed"
	Cancelled        Kind = "cancelled"
	Expired          Kind = "expired"
	Unknown          Kind = "unknown"
)

// Kinds lists every kind, in the order of the contract.
var Kinds = []Kind{
	Timeout, RateLimited, Overloaded, Transport, Auth, Quota, InvalidRequest, ContextOverflow,
	ContentFiltered, NotFound, PermissionDenied, Unavailable, ToolFailed, Loop, OverBudget, AllFailed,
	Cancelled, Expired, Unknown,
}

// Temporary reports whether the same request may succeed when it is repeated later.
func (k Kind) Temporary() bool {
	switch k {
	case Timeout, RateLimited, Overloaded, Transport:
		return true
	}
	return false
}

// Error is the error type with a Kind. Op names the operation ("read config"), Hint is a sentence that
// says what the reader can do about the failure; both may be empty.
type Error struct {
	Kind Kind
	Op   string
	Err  error
	Hint string
}

// Errorf returns an *Error of the given kind with a formatted cause; %w wraps as in fmt.Errorf.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// WithHint returns a copy of e with the hint.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

// Error returns "op: cause". Without a cause, the kind takes its place.
func (e *Error) Error() string {
	msg := string(e.Kind)
	if e.Err != nil {
		msg = e.Err.Error()
	}
	if e.Op != "" {
		return e.Op + ": " + msg
	}
	return msg
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf returns the kind of the outermost *Error in err's chain. Without one, a context error is
// Cancelled or Timeout and every other error Unknown. The kind of nil is "".
func KindOf(err error) Kind {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	switch {
	case errors.Is(err, context.Canceled):
		return Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		return Timeout
	}
	return Unknown
}

// Failure is the form in which an error is stored in the journal and sent over the API.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`

	// Until is the time from which the same request is possible again; nil if that is not known.
	Until *time.Time `json:"until,omitempty"`
}

// FailureOf returns the stored form of err, nil for nil.
func FailureOf(err error) *Failure {
	if err == nil {
		return nil
	}
	f := &Failure{Kind: KindOf(err), Message: err.Error()}
	if e, ok := errors.AsType[*Error](err); ok {
		f.Hint = e.Hint
	}
	return f
}

// Err returns f as an error of the same kind, nil for nil.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	return &Error{Kind: f.Kind, Err: errors.New(f.Message), Hint: f.Hint}
}
