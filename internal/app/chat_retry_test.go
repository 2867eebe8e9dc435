package app_test

import (
	"context"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

// A task from a chat that failed has said so; retried, it shows its progress in a message of its own,
// which becomes the one final answer.
func TestARetryAnswersInTheChatOnce(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.Begins("work"), llmtest.FailKind(akitad.InvalidRequest), llmtest.Text("done after all").Held(held)).
		On(llmtest.Says("next"), llmtest.Text("and on"))
	h := newChat(t, script, nil)
	h.say(anna, "work on it")
	var failed []string
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := h.srv.Wait(ctx, func() bool {
		failed = h.texts(anna)
		return len(failed) == 1 && strings.Contains(failed[0], "Every way to answer failed")
	}); err != nil {
		t.Fatalf("the person was told %q: %v", failed, err)
	}
	id := script.Requests()[0].Task
	until(t, h.App, id, func(t *journal.Task) bool { return t.Delivered })
	if err := h.Orchestrator.Retry(t.Context(), id, nil); err != nil {
		t.Fatal(err)
	}
	<-held.Arrived()
	h.sees(anna, failed[0], text.En.Received())
	held.Release()
	h.sees(anna, failed[0], "done after all")
	h.say(anna, "next")
	h.sees(anna, failed[0], "done after all", "and on")
	got := until(t, h.App, id, func(t *journal.Task) bool { return t.Delivered })
	if len(got.Sent) != 1 || got.Retries != 1 {
		t.Errorf("sent %q in retry %d", got.Sent, got.Retries)
	}
}
