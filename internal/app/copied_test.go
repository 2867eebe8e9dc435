package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Two daemons have copies of one home and share a NATS server: the second one is told, until the first one has
// stopped, or it has a name of its own. With servers of their own they know nothing of each other.
func TestACopiedHome(t *testing.T) {
	nats := bustest.Server(t)
	open := func(home, url string) (*app.App, error) {
		cfg, err := config.Load(home, nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.NATS.URL, cfg.Admin.Listen = url, "127.0.0.1:0"
		return app.New(t.Context(), cfg, app.Options{Parts: allParts, Model: llmtest.New(t)})
	}
	shut := func(a *app.App, err error) {
		t.Helper()
		if err == nil {
			err = a.Close(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	first, copied := t.TempDir(), t.TempDir()
	a, err := open(first, nats)
	if err != nil {
		t.Fatal(err)
	}
	from, to := config.Layout(first).Node, config.Layout(copied).Node
	name, err := os.ReadFile(from)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(to), 0o700)
	}
	if err == nil {
		err = os.WriteFile(to, name, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); ; { // the first one may be slow to answer
		b, err := open(copied, nats)
		if err != nil {
			if akitad.KindOf(err) != akitad.Unavailable || !strings.Contains(akitad.FailureOf(err).Hint, to) {
				t.Errorf("the copy does not start beside it for another reason: %v", err)
			}
			break
		}
		if shut(b, nil); time.Since(began) > patience {
			t.Fatal("the copy starts beside it")
		}
	}
	shut(open(copied, ""))
	shut(a, nil)
	shut(open(copied, nats))
	if err := os.Remove(to); err != nil {
		t.Fatal(err)
	}
	a, err = open(first, nats)
	if err != nil {
		t.Fatal(err)
	}
	shut(open(copied, nats))
	shut(a, nil)
}
