package claim

import (
	"errors"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/journal"
)

// What the journal said a moment ago is relied on; what it said too long ago is asked again, and then a
// takeover is found out before anything is done.
func TestSure(t *testing.T) {
	b := bustest.New(t)
	id := akitad.DeriveTaskID(t.Name())
	mine, theirs := journal.New(b, "n1"), journal.New(b, "n2")
	task, _, err := mine.Create(t.Context(), id, journal.SubmittedData{Root: id, Profile: "assistant", Text: "go"})
	if err == nil {
		err = mine.Append(t.Context(), task, 0, journal.Claimed, journal.ClaimedData{Node: "n1"})
	}
	if err != nil {
		t.Fatal(err)
	}
	var ended error
	c := &Claim{journal: mine, epoch: task.Epoch, fresh: time.Hour, task: task, said: time.Now(), ends: func(err error) { ended = err }}
	c.said = time.Now().Add(-2 * time.Hour)
	if err := c.Sure(t.Context()); err != nil || time.Since(c.said) > time.Minute {
		t.Errorf("a claim that is held: %v, said %s ago", err, time.Since(c.said))
	}
	other, err := theirs.Load(t.Context(), id)
	if err == nil {
		err = theirs.Append(t.Context(), other, 0, journal.Claimed, journal.ClaimedData{Node: "n2"})
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Sure(t.Context()); err != nil {
		t.Errorf("a moment after the journal said so: %v", err)
	}
	c.said = time.Now().Add(-2 * time.Hour)
	if err := c.Sure(t.Context()); !errors.Is(err, ErrLost) || !errors.Is(ended, ErrLost) {
		t.Errorf("a claim that was taken over: %v, the work ends by %v", err, ended)
	}
}
