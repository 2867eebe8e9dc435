package app_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/journal/projection"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What was used, by person, endpoint, role and day, is the same in a read model that is made anew from
// the journal.
func TestUsageAfterARebuild(t *testing.T) {
	home := t.TempDir()
	script := llmtest.New(t).
		Rounds(llmtest.Begins("parent"), llmtest.Calls(delegate("analyst", "child")).Using(100, 0, 10), llmtest.Text("done").Using(50, 0, 5)).
		Rounds(llmtest.Begins("child"), submitResult("found").Using(7, 0, 1))
	var before []projection.Sum
	t.Run("first", func(t *testing.T) {
		a := startIn(t, home, script, nil)
		ended(t, a, submit(t, a, akitad.TaskRequest{Text: "parent"}))
		before = usageOf(t, a, 3)
	})
	if err := os.Remove(filepath.Join(home, "data", "tasks.db")); err != nil {
		t.Fatal(err)
	}
	a := startIn(t, home, script, nil)
	after := usageOf(t, a, 3)
	if len(before) != 1 || len(after) != 1 || before[0] != after[0] || after[0].Input != 157 || after[0].Person != "http" || after[0].Endpoint != "given" || after[0].Role != "main" {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// usageOf waits until the read model has so many calls.
func usageOf(t *testing.T, a *app.App, calls int) []projection.Sum {
	t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		got, _, err := a.Projection.Usage(context.Background(), projection.UsageFilter{By: []string{"person", "endpoint", "role", "day"}})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, s := range got {
			n += s.Calls
		}
		if n >= calls {
			return got
		}
		if time.Since(began) > patience {
			t.Fatalf("%d calls are known, want %d: %+v", n, calls, got)
		}
	}
}

// What an agent used before it failed is on the bill, once, though another one ended the task. The call that
// was refused is one of the calls: who asks how often an endpoint was asked must see it, though it used nothing.
func TestUsageOfAnAgentThatWasPassedOver(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Begins("work"),
		llmtest.Text("").Using(10, 0, 1), llmtest.FailKind(akitad.InvalidRequest), llmtest.Text("done").Using(5, 0, 1))
	a := start(t, script, nil)
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "work on it", Profile: "analyst"}))
	if got.State != akitad.Completed || got.Profile != "assistant" || got.Usage.Input != 15 || got.Usage.Calls != 3 || got.Bills().Total() != got.Usage {
		t.Errorf("%s by %s: used %+v, bills %+v (%+v)", got.State, got.Profile, got.Usage, got.Bills(), got.Error)
	}
}
