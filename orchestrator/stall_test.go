package orchestrator_test

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// silentModel never answers.
type silentModel struct{}

func (silentModel) Generate(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, ctx.Err()
}

// Who follows a task is told at once that an endpoint is silent and which one is asked in its place.
func TestASilentEndpointIsOnRecord(t *testing.T) {
	r, err := llm.NewRouter([]llm.Endpoint{
		{Name: "one", Protocol: "test", Model: "m", Provider: silentModel{}},
		{Name: "two", Protocol: "test", Model: "m", Provider: llmtest.New(t, llmtest.Text("here"))},
	}, nil, llm.RouterOptions{Ceiling: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	h := start(t, r)
	got := h.do(akitad.TaskRequest{Text: "say something"})
	var told []journal.StalledData
	after := akitad.EventKind("")
	h.each(got.ID, func(e akitad.Event) {
		var d journal.StalledData
		if e.Kind != journal.Stalled {
			if len(told) == 1 && after == "" {
				after = e.Kind
			}
			return
		}
		if err := json.Unmarshal(e.Data, &d); err != nil {
			t.Error(err)
		}
		told = append(told, d)
	})
	if got.State != akitad.Completed || got.Result.Text == "" || got.Voided != 0 {
		t.Errorf("%s %+v, %d void", got.State, got.Result, got.Voided)
	}
	if len(told) != 1 || told[0].Endpoint != "one" || told[0].Next != "two" || told[0].Waited < 50*time.Millisecond || after != journal.Completed {
		t.Errorf("told %+v, followed by %s", told, after)
	}
}
