package channels_test

import (
	"testing"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// The embedded server leaves these behind for a moment, or for good.
		goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.(*ipQueue[...]).push"),
		goleak.IgnoreAnyFunction("github.com/nats-io/nats-server/v2/server.getHash"),
	)
}
