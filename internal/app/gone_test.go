package app_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Somebody deletes all consumers of a NATS server under a house that runs: they are made again, and what comes
// meanwhile is done.
func TestConsumersThatAreGone(t *testing.T) {
	url := bustest.Server(t)
	a := startParts(t, t.TempDir(), drillModel{}, allParts, func(c *config.Config) { c.NATS.URL, c.Admin.Listen = url, "127.0.0.1:0" })
	do := func(job string) *journal.Task {
		id, err := a.Orchestrator.Submit(t.Context(), "http", akitad.TaskRequest{Text: job})
		if err != nil {
			t.Fatal(err)
		}
		return ended(t, a, id)
	}
	do("job a rounds=2")
	nc, err := nats.Connect(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(nc.Close)
	js, err := jetstream.New(nc)
	if err != nil {
		t.Fatal(err)
	}
	gone := 0
	streams := js.ListStreams(t.Context())
	for s := range streams.Info() {
		stream, err := js.Stream(t.Context(), s.Config.Name)
		if err != nil {
			t.Fatal(err)
		}
		for c := range stream.ListConsumers(t.Context()).Info() {
			if err := stream.DeleteConsumer(t.Context(), c.Name); err != nil {
				t.Fatal(err)
			}
			gone++
		}
	}
	if got := do("job b rounds=2 split=2"); got.State != akitad.Completed || gone < 5 {
		t.Errorf("%d consumers were deleted, the task is %s %+v", gone, got.State, got.Error)
	}
}
