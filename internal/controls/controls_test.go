package controls_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/controls"
	"github.com/akitad/akitad/internal/leaktest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

func opened(t *testing.T) *controls.Controls {
	t.Helper()
	c, err := controls.Open(t.Context(), bustest.New(t), controls.Options{Every: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSwitches(t *testing.T) {
	c := opened(t)
	shows := func(want string) {
		t.Helper()
		s, err := c.State(t.Context())
		if got := strings.Join(s.Profiles(), " ") + "/" + s.Strategy; err != nil || got != want {
			t.Errorf("%q (%v), want %q", got, err, want)
		}
	}
	shows("/")
	must(t, c.Pause(t.Context(), "writer"))
	must(t, c.Pause(t.Context(), "analyst"))
	must(t, c.Force(t.Context(), "offline"))
	shows("analyst writer/offline")
	before, err := c.State(t.Context())
	must(t, err)
	must(t, c.Pause(t.Context(), "writer"))
	if s, err := c.State(t.Context()); err != nil || !s.Paused["writer"].Equal(before.Paused["writer"]) {
		t.Errorf("paused again, it is paused since %s and not %s (%v)", s.Paused["writer"], before.Paused["writer"], err)
	}
	must(t, c.Resume(t.Context(), "writer"))
	must(t, c.Resume(t.Context(), "nobody"))
	must(t, c.Force(t.Context(), ""))
	shows("analyst/")
	if err := c.Pause(t.Context(), "../x"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("a name that is none: %v", err)
	}
}

// Many who switch at once lose nothing.
func TestSwitchesAtOnce(t *testing.T) {
	c := opened(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() { must(t, c.Pause(t.Context(), fmt.Sprint("p", i))) })
	}
	wg.Wait()
	if s, err := c.State(t.Context()); err != nil || len(s.Paused) != 16 {
		t.Errorf("%d of 16 are kept (%v)", len(s.Paused), err)
	}
}

// A follower is told the present state, then of each change at once and once.
func TestFollow(t *testing.T) {
	c := opened(t)
	must(t, c.Force(t.Context(), "a"))
	ctx, cancel := context.WithCancel(t.Context())
	told, ended := make(chan string, 10), make(chan error, 1)
	go func() { ended <- c.Follow(ctx, func(s controls.State) { told <- s.Strategy }) }()
	for i, want := range []string{"a", "b", "c"} {
		if i > 0 {
			must(t, c.Force(t.Context(), want))
			must(t, c.Force(t.Context(), want))
		}
		select {
		case got := <-told:
			if got != want {
				t.Errorf("told of %q, want %q", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("not told of %q", want)
		}
	}
	cancel()
	if err := <-ended; err != nil || len(told) != 0 {
		t.Errorf("%v, %d more", err, len(told))
	}
}
