package admin_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// projected waits until the read model has what is on record of a task.
func (d *daemon) projected(task *journal.Task) {
	d.t.Helper()
	for began := time.Now(); ; time.Sleep(time.Millisecond) {
		have, err := d.app.Projection.Cursor(d.t.Context())
		if err != nil {
			d.t.Fatal(err)
		}
		if have >= task.Seq {
			return
		}
		if time.Since(began) > time.Minute {
			d.t.Fatalf("the read model is at %d, want %d", have, task.Seq)
		}
	}
}

func read[T any](t *testing.T, a answer) (out T) {
	t.Helper()
	if err := json.Unmarshal(a.Body, &out); err != nil || a.Status >= 300 {
		t.Fatalf("%d %s (%v)", a.Status, a.Body, err)
	}
	return out
}

// A parent and its child: the stats of each have its own, those of the parent the whole tree, also while
// the child still runs; the sums over all tasks count each call once.
func TestUsageOverHTTP(t *testing.T) {
	last := llmtest.NewHold()
	d := start(t, llmtest.New(t).
		Rounds(llmtest.Begins("parent"),
			llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"})).Using(100, 40, 10), llmtest.Text("done").Using(50, 0, 5)).
		Rounds(llmtest.Begins("child"),
			llmtest.Calls(llmtest.Call("list_directory", map[string]any{"path": "."})).Using(7, 0, 1),
			llmtest.Calls(llmtest.Call("submit_result", map[string]any{"text": "found"})).Using(3, 0, 1).Held(last)))
	c := d.client()
	id := submit(t, c, akitad.TaskRequest{Text: "parent"})
	<-last.Arrived()
	s := read[client.Stats](t, d.ask("GET", "/v1/tasks/"+string(id)+"/stats", "", nil))
	if s.Usage.Input != 100 || s.Own.Usage != s.Usage || s.Tree.Usage.Input != 107 || s.Tree.Tasks != 2 || s.Tree.Calls != 2 {
		t.Errorf("while the child runs: own %+v, tree %+v", s.Own, s.Tree)
	}
	last.Release()
	parent := d.wait(id, (*journal.Task).Final)
	s = read[client.Stats](t, d.ask("GET", "/v1/tasks/"+string(id)+"/stats", "", nil))
	if len(s.Own.Bills) != 1 || s.Own.Bills[0].Role != "main" || s.Own.Bills[0].Endpoint != "given" || s.Own.Usage.Input != 150 || s.Tree.Usage != s.Usage || s.Usage.Input != 160 {
		t.Errorf("at the end: used %+v, own %+v, tree %+v", s.Usage, s.Own, s.Tree)
	}
	if s.Tree.Shown <= s.Own.Shown || s.Tree.Produced < s.Tree.Shown {
		t.Errorf("bytes: own %+v, tree %+v", s.Own, s.Tree)
	}
	d.projected(parent)
	for _, tt := range []struct{ by, want string }{
		{"", `[{"input":160,"cached":40,"output":17,"calls":4,"cost":0}]`},
		{"?by=person,role", `[{"person":"cli","role":"main","input":160,"cached":40,"output":17,"calls":4,"cost":0}]`},
		{"?by=task", `[{"task":"` + string(parent.ID) + `","input":160,"cached":40,"output":17,"calls":4,"cost":0}]`},
		{"?by=endpoint&since=2099-01-01", `[]`},
	} {
		got := d.ask("GET", "/v1/usage"+tt.by, "", nil)
		if !strings.Contains(string(got.Body), `"items":`+tt.want) {
			t.Errorf("%s: %s, want %s", tt.by, got.Body, tt.want)
		}
	}
	for _, bad := range []string{"?by=colour", "?since=monday", "?limit=0", "?cursor=x"} {
		if p := d.ask("GET", "/v1/usage"+bad, "", nil).problem(t); p.Code != "invalid_request" {
			t.Errorf("%s: %+v", bad, p)
		}
	}
	ends := read[client.Page[client.Endpoint]](t, d.ask("GET", "/v1/endpoints", "", nil))
	if e := ends.Items[0]; e.Calls != 4 || e.Failed != 0 || e.Input != 160 || e.Cached != 40 || e.Output != 17 {
		t.Errorf("endpoint %+v", e)
	}
}
