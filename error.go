package akitad

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Kind says what sort of failure an error is. Retry, fallback and the words a person reads are
// decided by the kind and never by the text. One table serves tools, models and tasks.
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

// Temporary reports whether the same request may succeed if it is simply made again later.
func (k Kind) Temporary() bool {
	switch k {
	case Timeout, RateLimited, Overloaded, Transport:
		return true
	}
	return false
}

// Error is the one error type that carries a verdict. Op names what was being done ("read config"),
// Hint says in a sentence what the reader can do about it; both may be empty.
type Error struct {
	Kind Kind
	Op   string
	Err  error
	Hint string
}

// Errorf makes an *Error of the kind with a formatted cause; %w wraps as usual.
func Errorf(kind Kind, format string, args ...any) *Error {
	return &Error{Kind: kind, Err: fmt.Errorf(format, args...)}
}

// WithHint returns a copy of e that tells its reader what to do next.
func (e *Error) WithHint(hint string) *Error {
	c := *e
	c.Hint = hint
	return &c
}

// Error gives op and cause; the kind stands in for a missing cause.
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

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// KindOf gives the kind of the outermost *Error in err's chain. A bare context error counts as
// cancelled or timeout; anything else is unknown. The kind of nil is "".
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

// Failure is an error as it is stored and sent: no Go type survives a journal.
type Failure struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`

	// Until is when the same would be possible again, if that is known.
	Until *time.Time `json:"until,omitempty"`
}

// FailureOf turns err into its stored form; nil gives nil.
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

// Err turns a stored failure back into an error of the same kind; nil gives nil.
func (f *Failure) Err() error {
	if f == nil {
		return nil
	}
	return &Error{Kind: f.Kind, Err: errors.New(f.Message), Hint: f.Hint}
}
