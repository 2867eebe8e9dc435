package journal_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

func submit(t *testing.T, j *journal.Journal, id akitad.TaskID) *journal.Task {
	t.Helper()
	task, created, err := j.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err != nil || !created {
		t.Fatalf("create %s: created %v, %v", id, created, err)
	}
	return task
}

func TestCreateTwiceIsOneTask(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("twice")
	submit(t, j, id)
	again, created, err := j.Create(t.Context(), id, journal.SubmittedData{Root: id, Text: "other"})
	if err != nil || created {
		t.Fatalf("second create: created %v, %v; want false, nil", created, err)
	}
	if again.Sub.Text != "go" || again.Events != 1 {
		t.Errorf("the first journal was changed: %+v", again.Sub)
	}
}

func TestAppendConflictRefreshesAndDecideTriesAgain(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("conflict")
	a := submit(t, j, id)
	b, err := j.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), a, 0, journal.Steered, journal.SteeredData{Text: "first"}); err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), b, 0, journal.Rated, journal.RatedData{Stars: 3}); !errors.Is(err, journal.ErrConflict) {
		t.Fatalf("append on a stale fold = %v, want a conflict", err)
	}
	if len(b.Steers) != 1 || b.Rating != 0 {
		t.Fatalf("after the conflict the fold has %d steers, rating %d; want the other's event and not its own", len(b.Steers), b.Rating)
	}
	calls := 0
	if err := j.Append(t.Context(), a, 0, journal.Steered, journal.SteeredData{Text: "second"}); err != nil {
		t.Fatal(err)
	}
	err = j.Decide(t.Context(), b, func(*journal.Task) *journal.Decision {
		calls++
		return &journal.Decision{Kind: journal.Rated, Data: journal.RatedData{Stars: 4}}
	})
	if err != nil || calls != 2 || b.Rating != 4 || len(b.Steers) != 2 {
		t.Errorf("decide: %v after %d calls, rating %d, %d steers", err, calls, b.Rating, len(b.Steers))
	}
}

func TestLargePayloadsAreArtifacts(t *testing.T) {
	b := bustest.New(t)
	j := journal.New(b, "n1")
	id := akitad.DeriveTaskID("large")
	task := submit(t, j, id)
	long := strings.Repeat("ab\n", 20_000)
	if err := j.Append(t.Context(), task, 0, journal.Steered, journal.SteeredData{Text: long}); err != nil {
		t.Fatal(err)
	}
	last, ok, err := b.LastTask(t.Context(), "akita.task."+string(id)+".>")
	if err != nil || !ok || len(last.Body) > 16<<10 {
		t.Fatalf("stored event has %d bytes (%v, %v), want at most 16 KiB", len(last.Body), ok, err)
	}
	got, err := j.Load(t.Context(), id)
	if err != nil || len(got.Steers) != 1 || got.Steers[0].Text != long {
		t.Fatalf("loaded steer differs (%v)", err)
	}
}

// Any number of writers that race on one task append one after another, each on a fold that holds
// all before it.
func TestWritersRaceWithoutForks(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("race")
	submit(t, j, id)
	const writers, each = 8, 20
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			mine, err := j.Load(context.Background(), id)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range each {
				err := j.Decide(context.Background(), mine, func(*journal.Task) *journal.Decision {
					return &journal.Decision{Kind: journal.Steered, Data: journal.SteeredData{Text: fmt.Sprint(w, "-", i)}}
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	got, err := j.Load(t.Context(), id)
	if err != nil || len(got.Steers) != writers*each || got.Voided != 0 {
		t.Errorf("%d steers, %d void (%v); want %d, 0", len(got.Steers), got.Voided, err, writers*each)
	}
}

func TestWaitSeesWhatOthersAppend(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("wait")
	ready := make(chan struct{})
	var other sync.WaitGroup
	defer other.Wait() // the event may come before its writer has the answer
	other.Go(func() {
		<-ready
		task, _, err := j.Create(context.Background(), id, journal.SubmittedData{Root: id, Text: "go"})
		if err == nil {
			err = j.Append(context.Background(), task, 0, journal.Cancelled, journal.EndData{})
		}
		if err != nil {
			t.Error(err)
		}
	})
	looks := 0
	got, err := j.Wait(t.Context(), id, func(task *journal.Task) bool {
		if looks++; looks == 1 {
			close(ready)
		}
		return task.Final()
	})
	if err != nil || got.State != akitad.WasCancelled || looks < 2 {
		t.Errorf("wait: %v, state %s after %d looks", err, got.State, looks)
	}
}

func TestFollowResumesAfterASequence(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("follow")
	task := submit(t, j, id)
	first := task.Seq
	for i := range 3 {
		if err := j.Append(t.Context(), task, 0, journal.Steered, journal.SteeredData{Text: fmt.Sprint(i)}); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	err := j.Follow(t.Context(), id, first, func(e akitad.Event) bool {
		var d journal.SteeredData
		if err := json.Unmarshal(e.Data, &d); err != nil {
			t.Error(err)
		}
		got = append(got, d.Text)
		return len(got) < 3
	})
	if err != nil || strings.Join(got, ",") != "0,1,2" {
		t.Errorf("followed %v (%v), want 0,1,2", got, err)
	}
}
