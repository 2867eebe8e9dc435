package orchestrator_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A process dies with a message of a session on loan, and another message is waiting. On a server that
// others reach, the loan still has its time; the second message waits for the end of it, and the session
// has both in their order.
func TestAMessageWaitsForTheOneBefore(t *testing.T) {
	const ttl = 2 * time.Second
	url := bustest.Server(t)
	b := bustest.Open(t, bus.Options{URL: url, ClaimTTL: ttl})
	put := func(id string) akitad.TaskID {
		m := akitad.Message{
			ID: id, Task: akitad.DeriveTaskID(id), Session: akitad.DeriveSessionKey("chat"), Text: id, At: time.Now(),
			Origin: akitad.Origin{Channel: "telegram", Chat: "1", Sender: "7", Message: id, Lang: "en"},
		}
		body, err := json.Marshal(m)
		if err == nil {
			err = b.PublishIn(t.Context(), "telegram", id, body)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m.Task
	}
	first := put("first")
	ctx, die := context.WithTimeout(t.Context(), patience)
	defer die()
	err := b.Consume(ctx, bus.ConsumerOptions{Stream: bus.Inbox, Durable: "accept", InOrder: true}, func(context.Context, *bus.Delivery) { die() })
	if err != nil || !errors.Is(ctx.Err(), context.Canceled) {
		t.Fatalf("the first message is not on loan: %v, %v", err, ctx.Err())
	}
	second := put("second")
	h := startParts(t, t.TempDir(), llmtest.New(t), noWork, func(c *config.Config) {
		c.NATS.URL, c.Claim.TTL, c.Claim.Renew = url, ttl, ttl/4
	})
	if got := h.until(second, (*journal.Task).Exists); got.Sub.Follows != first || !h.load(first).Exists() {
		t.Errorf("the second message follows %q, want the first, %q", got.Sub.Follows, first)
	}
}
