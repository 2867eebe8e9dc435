package journal_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// A journal that keeps folds gives the same ones as a journal that has seen nothing, whoever appended
// in between, here or elsewhere; and no reader's fold changes by what another reader does with its own.
func TestKeptFoldsAreTheJournalAlways(t *testing.T) {
	b := bustest.New(t)
	here, there := journal.New(b, "here"), journal.New(b, "there")
	run := 0
	rapid.Check(t, func(rt *rapid.T) {
		run++
		ids := []akitad.TaskID{akitad.DeriveTaskID("kept", fmt.Sprint(run), "a"), akitad.DeriveTaskID("kept", fmt.Sprint(run), "b")}
		for _, id := range ids {
			if _, _, err := here.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"}); err != nil {
				rt.Fatal(err)
			}
		}
		held := map[*journal.Task]string{}
		for step := range rapid.IntRange(1, 25).Draw(rt, "steps") {
			j := rapid.SampledFrom([]*journal.Journal{here, there}).Draw(rt, "journal")
			task, err := j.Load(t.Context(), rapid.SampledFrom(ids).Draw(rt, "task"))
			if err != nil {
				rt.Fatal(err)
			}
			if kind, payload := anyEvent(rt, step); kind != "" {
				if err := j.Append(t.Context(), task, 0, kind, payload); err != nil {
					rt.Fatal(err)
				}
			}
			held[task] = fmt.Sprintf("%+v", visible(task))
		}
		for task, was := range held {
			if now := fmt.Sprintf("%+v", visible(task)); now != was {
				rt.Fatalf("a fold that nobody touched changed from\n%s\nto\n%s", was, now)
			}
		}
		for _, id := range ids {
			kept, err := here.Load(t.Context(), id)
			fresh, ferr := journal.New(b, "new").Load(t.Context(), id)
			if err != nil || ferr != nil || !reflect.DeepEqual(kept, fresh) {
				rt.Fatalf("kept %+v\nfresh %+v (%v, %v)", kept, fresh, err, ferr)
			}
		}
	})
}

// visible is what a fold says, by value.
func visible(task *journal.Task) any {
	return []any{task.Seq, task.State, task.Steers, task.Degraded, task.Rounds, task.Open, task.Skipped, task.Rating, task.Files}
}

// anyEvent draws something to append, or nothing.
func anyEvent(rt *rapid.T, step int) (akitad.EventKind, any) {
	name := fmt.Sprint("s", step)
	switch rapid.IntRange(0, 6).Draw(rt, "event") {
	case 0:
		return journal.Steered, journal.SteeredData{Text: name}
	case 1:
		return journal.Rated, journal.RatedData{Stars: 1 + step%5}
	case 2:
		return journal.Thought, journal.ThoughtData{Round: step, Calls: []akitad.Call{{ID: name, Tool: "t"}}, Degraded: []akitad.Degradation{{From: name}}}
	case 3:
		return journal.Round, journal.RoundData{
			Round: step, Results: []akitad.Observation{{Call: name}}, Open: []journal.OpenCall{{ID: name}}, Files: []akitad.File{{Name: name}},
		}
	case 4:
		return journal.Delegated, journal.DelegatedData{Skipped: []journal.StepNote{{Step: name}}}
	case 5:
		return journal.Answered, journal.AnsweredData{Call: fmt.Sprint("s", step-1), Observation: akitad.Observation{Text: name}}
	}
	return "", nil
}

// A purged journal is gone at once in the process that purged it.
func TestPurgedTaskIsGone(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("purged")
	submit(t, j, id)
	if err := j.Purge(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if got, err := j.Load(t.Context(), id); err != nil || got.Exists() {
		t.Errorf("after the purge: exists %v, %v", got.Exists(), err)
	}
}

// Far more than is kept goes through, from many readers at once, and every fold is right.
func TestKeptFoldsAreBounded(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	text := strings.Repeat("x", 15<<10)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				id := akitad.DeriveTaskID("bounded", fmt.Sprint(w), fmt.Sprint(i))
				if _, _, err := j.Create(t.Context(), id, journal.SubmittedData{Root: id, Text: text}); err != nil {
					t.Error(err)
				}
				if got, err := j.Load(t.Context(), id); err != nil || got.Sub.Text != text {
					t.Errorf("task %d of %d: %d bytes, %v", i, w, len(got.Sub.Text), err)
				}
			}
		})
	}
	wg.Wait()
	if folds, bytes := journal.Kept(j); bytes > 4<<20 || folds > 4<<20/len(text) || folds < 100 {
		t.Errorf("%d folds of %d bytes are kept", folds, bytes)
	}
}

// Many writers of one process decide about the same task at once, each on a fold of its own.
func TestKeptFoldsAreNotShared(t *testing.T) {
	j := journal.New(bustest.New(t), "n1")
	id := akitad.DeriveTaskID("shared")
	submit(t, j, id)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 20 {
				task, err := j.Load(t.Context(), id)
				if err != nil {
					t.Error(err)
					return
				}
				if err := steer(t, j, task, fmt.Sprint(w, "-", i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got, err := j.Load(t.Context(), id); err != nil || len(got.Steers) != 80 {
		t.Errorf("%d corrections are in the journal, want 80 (%v)", len(got.Steers), err)
	}
}

// steer appends a correction, unless the fold has it already.
func steer(t *testing.T, j *journal.Journal, task *journal.Task, text string) error {
	return j.Decide(t.Context(), task, func(task *journal.Task) *journal.Decision {
		d := journal.SteeredData{Text: text}
		if slices.Contains(task.Steers, d) {
			return nil
		}
		return &journal.Decision{Kind: journal.Steered, Data: d}
	})
}
