// Package chatsend has what channels share that write into chats: the parts of a delivery in their order,
// what becomes of one that is refused, what is tried again and when, and what kind an error is. It knows no chat service.
package chatsend

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
)

// RepeatMark stands before a part that may be in the chat twice.
const RepeatMark = "🔁 "

// Open reads a file that goes with an answer. Nil means that files are not sent.
type Open = func(ctx context.Context, file akitad.File) (io.ReadCloser, error)

// Files returns the files that go with a delivery: none where they cannot be read, which is logged.
func Files(d akitad.Delivery, open Open, log *zap.Logger) []akitad.File {
	if open == nil && len(d.Reply.Files) > 0 {
		log.Warn("answer without its files", zap.Int("files", len(d.Reply.Files)))
		return nil
	}
	return d.Reply.Files
}

// MaxRetry is the longest wait between two tries.
const MaxRetry = 30 * time.Second

// Retry returns waits that grow from about first (0: half a second) to about 30 s, each drawn from around its
// value.
func Retry(first time.Duration) *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	if first > 0 {
		b.InitialInterval = first
	}
	b.MaxInterval = max(MaxRetry, first)
	return b
}

// NotSent is an error after which nothing can have come into the chat.
type NotSent struct{ Err error }

// Error is that of what happened.
func (e *NotSent) Error() string { return e.Err.Error() }

// Unwrap returns what happened.
func (e *NotSent) Unwrap() error { return e.Err }

// NeverSent reports that nothing can have come into the chat: there was no access token, or no connection over which
// a request could go, or it is a NotSent.
func NeverSent(err error) bool {
	if _, ok := errors.AsType[*NotSent](err); ok {
		return true
	}
	if _, ok := errors.AsType[*chathook.TokenError](err); ok {
		return true
	}
	return neverConnected(err)
}

// neverConnected: the service was not reached, nor the proxy before it, or who answered there is not the service.
func neverConnected(err error) bool {
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && (op.Op == "dial" || op.Op == "proxyconnect") || errors.Is(err, http.ErrSchemeMismatch)
}

// Between gives the status that counts of an answer that something between us and the service gave in its place, like
// a proxy or a network that wants a login. What it says of addresses, methods, logins and connections is trouble on the
// way, which passes: 502. All else may be about the message: its size, or words that a filter dislikes.
func Between(status int) int {
	switch status {
	case http.StatusUnauthorized, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusProxyAuthRequired, http.StatusRequestTimeout,
		http.StatusMisdirectedRequest, http.StatusTooEarly, http.StatusUpgradeRequired:
		return http.StatusBadGateway
	}
	if status < http.StatusBadRequest {
		return http.StatusBadGateway
	}
	return status
}

// KindOf sorts an error that is no answer of the service.
func KindOf(err error) akitad.Kind {
	if kind := akitad.KindOf(err); kind != akitad.Unknown {
		return kind
	}
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return akitad.Timeout
	}
	return akitad.Transport
}

// Fail gives err a kind, the name of what was done and a hint, unless it has them. Nil stays nil.
func Fail(op string, err error, kind akitad.Kind, hint string) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*akitad.Error](err); ok && e.Op != "" {
		return err
	}
	return &akitad.Error{Kind: kind, Op: op, Err: err, Hint: hint}
}

// Bare takes the address out of an error, which may have a secret.
func Bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", u.Op, u.Err)
	}
	return err
}

// Web reports whether a text is an address by HTTP.
func Web(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https")
}
