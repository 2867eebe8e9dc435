package orchestrator_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A new task knows what was answered before as many failures as a bad day has, and does not read all that
// ever failed to find it.
func TestFailuresBeforeATask(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: fmt.Sprint("heron: ", strings.Contains(fmt.Sprint(r.Messages), "heron")), Finish: llm.FinishStop}, nil
	}))
	h := start(t, script)
	ended := func(name, words string, follows akitad.TaskID, kind akitad.EventKind, end journal.EndData) akitad.TaskID {
		t.Helper()
		id := akitad.DeriveTaskID(t.Name(), name)
		task, _, err := h.Journal.Create(t.Context(), id, journal.SubmittedData{Root: id, Folder: "f", Session: "s", Follows: follows, Queued: true, Text: words, Profile: "assistant"})
		ok(t, err)
		ok(t, h.Journal.Append(t.Context(), task, 0, kind, end))
		return id
	}
	head := ended("first", "the code word is heron", "", journal.Completed, journal.EndData{Result: &akitad.Result{Text: "noted"}})
	for i := range 201 {
		if i == 200 {
			near := h.create("near", journal.SubmittedData{Follows: head})
			if got := h.ended(near); got.Result == nil || got.Result.Text != "heron: true" {
				t.Errorf("after 200 failures: %+v %+v", got.Result, got.Error)
			}
		}
		head = ended(fmt.Sprint(i), "what is it?", head, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.Unavailable, Message: "no model"}})
	}
	far := h.create("far", journal.SubmittedData{Follows: head})
	if got := h.ended(far); got.Result == nil || got.Result.Text != "heron: false" {
		t.Errorf("after 201 failures: %+v %+v", got.Result, got.Error)
	}
}
