package commands

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/text"
)

// While an endpoint is silent, who asks how the task stands is told which.
func TestStatusNamesWhoIsSilent(t *testing.T) {
	task := &journal.Task{State: akitad.Running, Silent: &journal.StalledData{Endpoint: "big", Next: "small"}}
	if got := describe(text.En, "", task); !strings.HasSuffix(got, "big does not answer, trying small…") {
		t.Errorf("%q", got)
	}
	if task.State = akitad.Completed; strings.Contains(describe(text.En, "", task), "big") {
		t.Error("an ended task waits for an endpoint")
	}
}
