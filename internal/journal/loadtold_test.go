package journal_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// told hands over the first n events that are stored, as a consumer is handed them.
func told(t *testing.T, b *bus.Bus, n int) (all []*bus.Delivery) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	err := b.Consume(ctx, bus.ConsumerOptions{Stream: bus.Tasks, Durable: "told", Filters: []string{"akita.task.>"}, InOrder: true}, func(_ context.Context, d *bus.Delivery) {
		if all = append(all, d); len(all) == n {
			cancel()
		}
	})
	if err != nil || len(all) < n {
		t.Fatalf("%d events of %d: %v", len(all), n, err)
	}
	return all[:n]
}

// Who is handed an event has it folded onto what this process has seen, if it comes next; else the journal is read.
func TestLoadToldFoldsTheEvent(t *testing.T) {
	b := bustest.New(t)
	writer := journal.New(b, "writer")
	before := [4]*journal.Journal{} // of processes that began before anything was written
	for i := range before {
		before[i] = journal.New(b, "reader")
	}
	id := akitad.DeriveTaskID(t.Name())
	task, _, err := writer.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := writer.Append(t.Context(), task, 0, journal.CancelAsk, journal.AskData{}); err != nil {
			t.Fatal(err)
		}
	}
	events, last := told(t, b, 4), task.Seq
	for _, tt := range []struct {
		name   string
		reader *journal.Journal
		order  []int // the events as they are handed over
		want   []uint64
	}{
		{"one after the other, and nobody is asked for more", before[0], []int{0, 1, 2, 3}, []uint64{events[0].Seq(), events[1].Seq(), events[2].Seq(), last}},
		{"again", before[1], []int{0, 1, 0}, []uint64{events[0].Seq(), events[1].Seq(), events[1].Seq()}},
		{"one was left out", before[2], []int{0, 2, 1}, []uint64{events[0].Seq(), last, last}},
		{"in the middle of it", before[3], []int{1}, []uint64{last}},
		{"written before the process began", journal.New(b, "reader"), []int{0, 1}, []uint64{last, last}},
	} {
		for i, at := range tt.order {
			got, err := tt.reader.LoadTold(t.Context(), id, events[at])
			if err != nil || got.Seq != tt.want[i] || got.Sub.Text != "go" || got.AskedCancel != (got.Seq > events[0].Seq()) {
				t.Errorf("%s: event %d of %v gives the task up to %d (%v), want %d", tt.name, at, tt.order, got.Seq, err, tt.want[i])
			}
		}
	}
}

// Who sleeps, or lags, is handed events long after others went on from them, and so is who begins by a clock that was
// set back: then the journal is read.
func TestLoadToldOfWhatIsLongPast(t *testing.T) {
	for name, ahead := range map[string]time.Duration{"an hour old": -time.Hour, "of an hour to come": time.Hour} {
		b := bustest.New(t)
		writer, reader := journal.New(b, "writer"), journal.New(b, "reader")
		id := akitad.DeriveTaskID(t.Name())
		task, _, err := writer.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
		if err == nil {
			_, err = reader.Load(t.Context(), id)
		}
		if err != nil {
			t.Fatal(err)
		}
		journal.SetBegan(reader, time.Now().Add(-2*time.Hour))
		writer.SetClock(func() time.Duration { return ahead })
		for range 2 {
			if err := writer.Append(t.Context(), task, 0, journal.CancelAsk, journal.AskData{}); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := reader.LoadTold(t.Context(), id, told(t, b, 2)[1]); err != nil || got.Seq != task.Seq {
			t.Errorf("%s: the task up to %d (%v), want %d", name, got.Seq, err, task.Seq)
		}
	}
}

// An old event may be of a task that was purged since: it does not come back to life.
func TestLoadToldDoesNotWakeTheDead(t *testing.T) {
	b := bustest.New(t)
	j := journal.New(b, "node")
	id := akitad.DeriveTaskID(t.Name())
	data, err := json.Marshal(journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(akitad.Event{V: 1, ID: "e", Kind: journal.Submitted, At: time.Now().Add(-time.Hour), Data: data})
	if err != nil {
		t.Fatal(err)
	}
	subject := "akita.task." + string(id)
	if _, err := b.Append(t.Context(), subject+".ready", subject+".>", 0, "e", body); err != nil {
		t.Fatal(err)
	}
	event := told(t, b, 1)[0]
	if got, err := j.LoadTold(t.Context(), id, event); err != nil || !got.Exists() {
		t.Errorf("before the purge: %v, %v", got.Exists(), err)
	}
	if err := j.Purge(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got, err := j.LoadTold(t.Context(), id, event); !errors.Is(err, journal.ErrBehind) || got.Exists() {
		t.Errorf("after the purge: %v, %v", got.Exists(), err)
	}
}
