package journal_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// A process that starts on much work keeps the folds of what is unfinished, and they are the journal's.
func TestWarm(t *testing.T) {
	b := bustest.New(t)
	before := journal.New(b, "before")
	var open []akitad.TaskID
	for i := range 60 {
		id := akitad.DeriveTaskID("warm", fmt.Sprint(i))
		task := submit(t, before, id)
		must(t, before.Append(t.Context(), task, 0, journal.Steered, journal.SteeredData{Text: fmt.Sprint(i)}))
		if i%3 == 0 {
			must(t, before.Append(t.Context(), task, 0, journal.Cancelled, journal.EndData{}))
		} else {
			open = append(open, id)
		}
	}
	after := journal.New(b, "after")
	if n, err := after.Warm(t.Context()); n != 0 || err != nil {
		t.Fatalf("%d tasks are kept though no work is queued, %v", n, err)
	}
	queue(t, b, 60)
	if n, err := after.Warm(t.Context()); n != len(open) || err != nil {
		t.Fatalf("%d tasks are kept of %d, %v", n, len(open), err)
	}
	if n, _ := journal.Kept(after); n != len(open) {
		t.Errorf("%d folds are kept, want %d", n, len(open))
	}
	for _, id := range open {
		warm, err := after.Load(t.Context(), id)
		must(t, err)
		fresh, err := journal.New(b, "fresh").Load(t.Context(), id)
		must(t, err)
		if !reflect.DeepEqual(warm, fresh) {
			t.Fatalf("warm  %+v\nfresh %+v", warm, fresh)
		}
	}
}

// Of a task that began before the part that is read, nothing is kept: half a journal is no fold.
func TestWarmKeepsNoHalfJournals(t *testing.T) {
	b := bustest.New(t)
	j := journal.New(b, "n")
	old := submit(t, j, akitad.DeriveTaskID("warm", "old"))
	must(t, j.Append(t.Context(), old, 0, journal.Rated, journal.RatedData{Stars: 5}))
	young := submit(t, j, akitad.DeriveTaskID("warm", "young"))
	queue(t, b, 60)
	after := journal.New(b, "after")
	if n, err := after.WarmFrom(t.Context(), old.Seq); n != 1 || err != nil {
		t.Errorf("%d tasks are kept, %v", n, err)
	}
	for _, want := range []*journal.Task{old, young} {
		if got, err := after.Load(t.Context(), want.ID); err != nil || got.Seq != want.Seq || !got.Exists() {
			t.Errorf("%+v, %v", got, err)
		}
	}
}

// One journal that cannot be read keeps none of the others from being kept.
func TestWarmLeavesOutWhatCannotBeRead(t *testing.T) {
	b := bustest.New(t)
	j := journal.New(b, "n")
	broken := akitad.DeriveTaskID("warm", "broken")
	_, _, err := j.Create(t.Context(), broken, journal.SubmittedData{Root: broken, Profile: "assistant", Text: strings.Repeat("long ", 5000)})
	must(t, err)
	must(t, b.Artifacts(t.Context(), func(a bus.StoredArtifact) error {
		_, err := b.DropArtifact(t.Context(), a)
		return err
	}))
	for i := range 30 { // in whatever order they are read
		submit(t, j, akitad.DeriveTaskID("warm", "whole", fmt.Sprint(i)))
	}
	queue(t, b, 60)
	if n, err := journal.New(b, "after").Warm(t.Context()); n != 30 || akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("%d tasks are kept, %v", n, err)
	}
}

func queue(t *testing.T, b *bus.Bus, items int) {
	t.Helper()
	for i := range items {
		must(t, b.PublishWork(t.Context(), "assistant", "normal", fmt.Sprint("t_", i), fmt.Sprint(i), []byte("1"), ""))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
