package journal_test

import (
	"errors"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// Who is told of an event gets it: out of what this process has seen, which may be older than the journal, or
// else from the journal, or an error if that does not have it either.
func TestLoadAtHoldsTheEvent(t *testing.T) {
	b := bustest.New(t)
	here, there := journal.New(b, "here"), journal.New(b, "there")
	id := akitad.DeriveTaskID(t.Name())
	seen, _, err := here.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := there.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if err := there.Append(t.Context(), other, 0, journal.CancelAsk, journal.AskData{}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		told, want uint64
		err        error
	}{
		{"what was seen will do", seen.Seq, seen.Seq, nil},
		{"what was seen is too old", other.Seq, other.Seq, nil},
		{"nobody has it", other.Seq + 1, other.Seq, journal.ErrBehind},
	} {
		got, err := here.LoadAt(t.Context(), id, tt.told)
		if !errors.Is(err, tt.err) || got.Seq != tt.want {
			t.Errorf("%s: up to %d, %v; want %d, %v", tt.name, got.Seq, err, tt.want, tt.err)
		}
	}
	gone := akitad.DeriveTaskID("gone")
	if got, err := here.LoadAt(t.Context(), gone, 1); !errors.Is(err, journal.ErrBehind) || got.Exists() {
		t.Errorf("a task that is gone: %v, %v", got.Exists(), err)
	}
}
