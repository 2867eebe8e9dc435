package orchestrator_test

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/orchestrator"
)

// A task whose first event is told of before it can be read is listed as soon as it can; one that was purged
// keeps nothing waiting.
func TestALagIsNoPurge(t *testing.T) {
	ctx := t.Context()
	b := bustest.New(t)
	j := journal.New(b, "here")
	p, err := projection.Open(filepath.Join(t.TempDir(), "read.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	create := func(name string) *journal.Task {
		t.Helper()
		id := akitad.DeriveTaskID(name)
		task, _, err := j.Create(ctx, id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
		if err != nil {
			t.Fatal(err)
		}
		return task
	}
	purged, here := create("purged"), create("here")
	if err := j.Purge(ctx, purged.ID); err != nil {
		t.Fatal(err)
	}
	late := akitad.DeriveTaskID("late")
	next := here.Seq + 1
	flush := orchestrator.Feeding(orchestrator.Deps{Bus: b, Journal: j, Projection: p},
		map[akitad.TaskID]uint64{purged.ID: purged.Seq, here.ID: here.Seq, late: next}, next)
	check := func(wantErr error, rows int, cursor uint64) {
		t.Helper()
		err := flush(ctx)
		listed, _, lerr := p.List(ctx, projection.Filter{})
		at, cerr := p.Cursor(ctx)
		if !errors.Is(err, wantErr) || len(listed) != rows || at != cursor || lerr != nil || cerr != nil {
			t.Errorf("%d tasks are listed up to %d, want %d up to %d (%v)", len(listed), at, rows, cursor, errors.Join(err, lerr, cerr))
		}
	}
	check(journal.ErrBehind, 1, 0)
	if got := create("late"); got.Seq != next {
		t.Fatalf("the event is %d, not %d", got.Seq, next)
	}
	check(nil, 2, next)
}

// The journals were restored from a copy that is older than the read model: it is made again, and lists what
// there is and what comes.
func TestAReadModelThatIsAhead(t *testing.T) {
	home := t.TempDir()
	h := startParts(t, home, llmtest.New(t), noWork, nil)
	sub := journal.SubmittedData{Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"}
	before := h.create("before", sub)
	h.listed(before, anyRow)
	gone := akitad.DeriveTaskID("gone")
	if err := h.Projection.Apply(t.Context(), []projection.Row{{ID: gone, Root: gone, State: akitad.Running, Seq: 1 << 20}}, 1<<20); err != nil {
		t.Fatal(err)
	}
	h.stop()
	h = startParts(t, home, llmtest.New(t), noWork, nil)
	h.listed(before, anyRow)
	h.listed(h.create("after", sub), anyRow)
	if rows, _, err := h.Projection.List(t.Context(), projection.Filter{Root: gone}); err != nil || len(rows) != 0 {
		t.Errorf("a task that is in no journal is listed: %+v (%v)", rows, err)
	}
}
