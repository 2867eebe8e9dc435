package sandbox_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
)

// No more programs run at a time than may; the next one waits for its place, and not past its caller.
func TestPlaces(t *testing.T) {
	y := newYard(t, sandbox.Bubblewrap)
	y.box = sandbox.New(sandbox.Options{Hidden: []string{y.home}, Max: 2})
	run := func(ctx context.Context, script string) error {
		_, err := y.box.Run(ctx, sandbox.Command{Argv: []string{"bash", "-c", script}, Dir: y.dir})
		return err
	}
	ended := make(chan error, 3)
	for _, name := range []string{"one", "two"} {
		go func() { ended <- run(t.Context(), "touch "+name+"; while [ ! -e go ]; do sleep 0.02; done") }()
	}
	there := func(name string) bool {
		_, err := os.Stat(filepath.Join(y.dir, name))
		return err == nil
	}
	for began := time.Now(); !there("one") || !there("two"); time.Sleep(10 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatal("the first two do not run")
		}
	}
	go func() { ended <- run(t.Context(), "[ -e go ] && touch three || touch early") }()
	soon, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond) // many times what such a program takes
	defer cancel()
	if err := run(soon, "touch four"); akitad.KindOf(err) != akitad.Timeout || there("four") {
		t.Errorf("without a place: %v", err)
	}
	y.must(os.WriteFile(filepath.Join(y.dir, "go"), nil, 0o600))
	for range 3 {
		y.must(<-ended)
	}
	if there("early") || !there("three") {
		t.Error("the third program did not run, or beside two")
	}
}
