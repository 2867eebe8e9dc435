package bus

import (
	"context"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/akitad/akitad"
)

// ErrConflict says that the stored state is not the one that a write expected. The write itself may have
// succeeded in an earlier try whose answer was lost: look for the id of the event.
var ErrConflict = errors.New("write conflicts with a newer one")

// Codes of the server that nats.go does not name.
const (
	codeAccountFull  jetstream.ErrorCode = 10002 // resource limits exceeded for account
	codeNotAvailable jetstream.ErrorCode = 10008 // JetStream temporarily unavailable
	codeNotLeader    jetstream.ErrorCode = 10009 // cluster cannot handle the request now
	codeNoResources  jetstream.ErrorCode = 10023
	codeMemoryFull   jetstream.ErrorCode = 10028
	codeDiskFull     jetstream.ErrorCode = 10047
	codeBadConfig    jetstream.ErrorCode = 10052
	codeStoreFailed  jetstream.ErrorCode = 10077 // the stream is at a limit and discards new messages
	codeNotUnique    jetstream.ErrorCode = 10099 // second unfiltered consumer on a work queue
	codeOverlap      jetstream.ErrorCode = 10100 // overlapping consumer on a work queue
	codeInProcess    jetstream.ErrorCode = 10158 // the same message id is being stored now
)

// apiCode returns the server's error code in err's chain, or 0.
func apiCode(err error) jetstream.ErrorCode {
	if e, ok := errors.AsType[jetstream.JetStreamError](err); ok && e.APIError() != nil {
		return e.APIError().ErrorCode
	}
	if e, ok := errors.AsType[*jetstream.APIError](err); ok {
		return e.ErrorCode
	}
	return 0
}

func conflict(err error) bool {
	switch apiCode(err) {
	case jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant:
		return true
	}
	return errors.Is(err, jetstream.ErrKeyExists)
}

// passing reports whether the same request may succeed if it is sent again: there was no answer, or the
// answer was that the server is temporarily unavailable. The request may have been carried out all the same.
func passing(err error) bool {
	switch apiCode(err) {
	case codeInProcess, codeNotAvailable, codeNotLeader:
		return true
	}
	for _, e := range []error{
		nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrReconnectBufExceeded, nats.ErrConnectionReconnecting,
		nats.ErrStaleConnection, errLost, jetstream.ErrNoStreamResponse, context.DeadlineExceeded,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// fault wraps err with its kind and op; nil stays nil.
func fault(op string, err error) error {
	if err == nil {
		return nil
	}
	if _, ok := errors.AsType[*akitad.Error](err); ok {
		return fmt.Errorf("%s: %w", op, err)
	}
	kind, hint := kindOf(err)
	return &akitad.Error{Kind: kind, Op: op, Err: err, Hint: hint}
}

func kindOf(err error) (kind akitad.Kind, hint string) {
	switch apiCode(err) {
	case codeStoreFailed, codeAccountFull, codeNoResources, codeMemoryFull, codeDiskFull:
		return akitad.Overloaded, "the stream is at its limit: wait until some of it is done, or free disk space"
	case codeBadConfig, codeNotUnique, codeOverlap, jetstream.JSErrCodeBadRequest, jetstream.JSErrCodeConsumerCreate:
		return akitad.InvalidRequest, ""
	case jetstream.JSErrCodeStreamMessageExceedsMaximum:
		return akitad.InvalidRequest, payloadHint
	case jetstream.JSErrCodeMessageNotFound, jetstream.JSErrCodeConsumerNotFound, jetstream.JSErrCodeStreamNotFound:
		return akitad.NotFound, ""
	case jetstream.JSErrCodeJetStreamNotEnabled, jetstream.JSErrCodeJetStreamNotEnabledForAccount:
		return akitad.Unavailable, "turn JetStream on in the NATS server"
	}
	return connKind(err)
}

const payloadHint = "store the body as an artifact and send its hash"

func connKind(err error) (kind akitad.Kind, hint string) {
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return akitad.InvalidRequest, payloadHint
	case errors.Is(err, context.Canceled):
		return akitad.Cancelled, ""
	case errors.Is(err, nats.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return akitad.Timeout, ""
	case errors.Is(err, nats.ErrAuthorization):
		return akitad.Auth, "put the token or the user into the NATS URL"
	case errors.Is(err, nats.ErrNoResponders), errors.Is(err, jetstream.ErrNoStreamResponse), errors.Is(err, nats.ErrConnectionClosed):
		return akitad.Unavailable, ""
	case passing(err):
		return akitad.Transport, ""
	case errors.Is(err, jetstream.ErrObjectNotFound), errors.Is(err, jetstream.ErrMsgNotFound):
		return akitad.NotFound, ""
	case errors.Is(err, jetstream.ErrTooManyStalledMsgs):
		return akitad.Overloaded, ""
	}
	return akitad.Unknown, ""
}
