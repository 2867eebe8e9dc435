package app_test

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What was said long ago in short messages is still there, in short; the newest twenty turns are whole,
// and up to nine more, for older ones leave ten at once.
func TestALongSessionIsRemembered(t *testing.T) {
	var asked atomic.Pointer[llm.Request]
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		asked.Store(&r)
		return llm.Reply{Text: "ok", Finish: llm.FinishStop}, nil
	}))
	a := start(t, script, nil)
	const turns = 90
	for i := range turns {
		words := fmt.Sprintf("note %d", i)
		if i == 0 {
			words = "the code word is heron"
		}
		if got := ended(t, a, submit(t, a, akitad.TaskRequest{Session: "s", Text: words})); got.State != akitad.Completed {
			t.Fatalf("%d: %s %+v", i, got.State, got.Error)
		}
	}
	last := asked.Load()
	if n := len(last.Messages); n != 1+2*29+1 {
		t.Errorf("%d messages", n)
	}
	if head := last.Messages[0].Text; !strings.Contains(head, "- said: the code word is heron") || !strings.Contains(head, "- said: note 59\n") || strings.Contains(head, "note 60") {
		t.Errorf("the older ones: %s", head)
	}
}
