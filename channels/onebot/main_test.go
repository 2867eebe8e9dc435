package onebot_test

import (
	"context"
	"testing"
	"time"

	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/onebot"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

var (
	_ channels.Channel = (*onebot.OneBot)(nil)
	_ channels.Fetcher = (*onebot.OneBot)(nil)
	_ channels.Hooked  = (*onebot.OneBot)(nil)
	_ channels.Prober  = (*onebot.OneBot)(nil)
)

// patience is how long a test waits for what takes milliseconds.
const patience = 2 * time.Minute

func soon(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	tb.Cleanup(cancel)
	return ctx
}
