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

// post sends a request without a body and reads the answer into out.
func (d *daemon) post(path string, status int, out any) answer {
	d.t.Helper()
	got := d.ask("POST", path, "", nil)
	if got.Status != status {
		d.t.Fatalf("%s: %d %s", path, got.Status, got.Body)
	}
	if out != nil {
		if err := json.Unmarshal(got.Body, out); err != nil {
			d.t.Fatal(err)
		}
	}
	return got
}

func (d *daemon) wait(id akitad.TaskID, wanted func(*journal.Task) bool) *journal.Task {
	d.t.Helper()
	t, err := d.app.Journal.Wait(d.t.Context(), id, wanted)
	if err != nil {
		d.t.Fatal(err)
	}
	return t
}

func TestRetryOverHTTP(t *testing.T) {
	script := llmtest.New(t).On(llmtest.Begins("work"),
		llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "a.txt", "content": "x"})), llmtest.FailKind(akitad.InvalidRequest),
		llmtest.FailKind(akitad.InvalidRequest), llmtest.Text("done"))
	d := start(t, script)
	c := d.client()
	id := submit(t, c, akitad.TaskRequest{Text: "work"})
	path := "/v1/tasks/" + string(id)
	d.wait(id, (*journal.Task).Final)
	var seen akitad.Task
	d.post(path+"/retry", 200, &seen)
	if seen.Attempts != 2 || seen.ID != id {
		t.Errorf("%+v", seen)
	}
	d.wait(id, func(t *journal.Task) bool { return t.Retries == 1 && t.Final() })
	for body, want := range map[string]string{`{"from":2}`: "no round 2", `{"from":-1}`: "body.from", `{"nosuch":1}`: "body.nosuch"} {
		if got := d.ask("POST", path+"/retry", body, nil); got.Status != 422 || !strings.Contains(string(got.Body), want) {
			t.Errorf("%s: %d %s", body, got.Status, got.Body)
		}
	}
	if got := d.ask("POST", path+"/retry", `{"from":1}`, nil); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	got := d.wait(id, func(t *journal.Task) bool { return t.Retries == 2 && t.Final() })
	if got.State != akitad.Completed || got.Result.Text != "done" {
		t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	for { // listings lag a little
		page, err := c.Tasks(t.Context(), client.Filter{State: "completed"})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Items) == 1 {
			if page.Items[0].Attempts != 3 {
				t.Errorf("listed with %d attempts", page.Items[0].Attempts)
			}
			break
		}
	}
	var kinds []string
	if err := c.Follow(t.Context(), id, 0, func(e akitad.Event) bool { kinds = append(kinds, string(e.Kind)); return true }); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(kinds, " "); strings.Count(all, "failed retried") != 2 || !strings.HasSuffix(all, "completed") {
		t.Errorf("the events are %q", all)
	}
	for _, action := range []string{"retry", "failover"} {
		if p := d.post(path+"/"+action, 409, nil).problem(t); p.Code != "conflict" || p.Hint == "" {
			t.Errorf("%s: %+v", action, p)
		}
	}
	var undone client.Rollback
	if d.post(path+"/rollback", 200, &undone); undone.ID != id || len(undone.Removed) != 1 || undone.Removed[0] != "a.txt" || undone.Restored == nil {
		t.Errorf("%+v", undone)
	}
	if d.post(path+"/rollback", 200, &undone); len(undone.Removed) != 0 {
		t.Errorf("a second time: %+v", undone)
	}
	none := "/v1/tasks/" + string(akitad.DeriveTaskID("nobody"))
	for _, action := range []string{"retry", "failover", "rollback"} {
		if p := d.post(none+"/"+action, 404, nil).problem(t); p.Code != "not_found" {
			t.Errorf("%s: %+v", action, p)
		}
	}
}

// A key that belongs to another request's task is a conflict that names the task.
func TestAKeyOverHTTP(t *testing.T) {
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	id := submit(t, d.client(), akitad.TaskRequest{Text: "one", IdempotencyKey: "k"})
	if again := submit(t, d.client(), akitad.TaskRequest{Text: "one", IdempotencyKey: "k"}); again != id {
		t.Errorf("the same request is %s, want %s", again, id)
	}
	p := d.ask("POST", "/v1/tasks", `{"text":"two","idempotency_key":"k"}`, nil).problem(t)
	if p.Status != 409 || p.Code != "conflict" || !strings.Contains(p.Detail, string(id)) || !strings.Contains(p.Hint, "new key") {
		t.Errorf("%+v", p)
	}
}

func TestPausingAProfileOverHTTP(t *testing.T) {
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done")))
	c := d.client()
	var a client.Agent
	for range 2 { // pausing what is paused changes nothing
		if d.post("/v1/agents/analyst/pause", 200, &a); !a.Paused || a.PausedSince == nil || a.Profile != "analyst" {
			t.Errorf("%+v", a)
		}
	}
	id := submit(t, c, akitad.TaskRequest{Text: "work", Profile: "analyst"})
	d.wait(id, func(t *journal.Task) bool { return t.Handed })
	if got, err := c.Task(t.Context(), id); err != nil || got.State != akitad.Pending || got.Reason != akitad.ReasonPaused {
		t.Errorf("%s (%s) %v", got.State, got.Reason, err)
	}
	if got := d.ask("GET", "/v1/agents", "", nil); strings.Count(string(got.Body), `"paused":true`) != 1 {
		t.Errorf("%s", got.Body)
	}
	if p := d.post("/v1/agents/nosuch/pause", 404, nil).problem(t); !strings.Contains(p.Hint, "analyst") {
		t.Errorf("%+v", p)
	}
	a = client.Agent{}
	if d.post("/v1/agents/analyst/resume", 200, &a); a.Profile == "" || a.Paused || a.PausedSince != nil {
		t.Errorf("%+v", a)
	}
	d.wait(id, (*journal.Task).Final)
}

// A profile whose tasks failed often lately is shown as degraded, since when and until when.
func TestTheHealthOfProfilesOverHTTP(t *testing.T) {
	d := start(t, llmtest.New(t).
		Always(llmtest.System("You are an analyst"), llmtest.FailKind(akitad.InvalidRequest)).
		Always(llmtest.Any, llmtest.Text("done")))
	c := d.client()
	begun := time.Now()
	for range 3 {
		d.wait(submit(t, c, akitad.TaskRequest{Text: "work", Profile: "analyst"}), (*journal.Task).Final)
	}
	page, err := client.List[client.Agent](t.Context(), c, "/v1/agents", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range page.Items {
		switch a.Profile {
		case "analyst":
			if a.Healthy || a.Error == "" || a.Since == nil || a.Since.Before(begun) || a.NextProbe == nil || !a.NextProbe.After(*a.Since) || a.Success != 0 || a.Failed != 3 {
				t.Errorf("%+v", a)
			}
		case "assistant":
			if !a.Healthy || a.Error != "" || a.Since != nil || a.NextProbe != nil || a.Success != 1 {
				t.Errorf("%+v", a)
			}
		}
	}
}

func TestTheStrategyIsKeptForAllNodes(t *testing.T) {
	d := start(t, llmtest.New(t))
	d.client()
	if got := d.ask("PUT", "/v1/strategy", `{"strategy":"hold"}`, nil); got.Status != 200 || !strings.Contains(string(got.Body), `"strategy":"hold"`) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if s, err := d.app.Controls.State(t.Context()); err != nil || s.Strategy != "hold" {
		t.Errorf("kept %+v (%v)", s, err)
	}
	if p := d.ask("PUT", "/v1/strategy", `{"strategy":"nosuch"}`, nil).problem(t); p.Status != 422 || !strings.Contains(p.Hint, "hold") {
		t.Errorf("%+v", p)
	}
	shown := d.ask("GET", "/v1/strategy", "", nil)
	if got := d.ask("PUT", "/v1/strategy", string(shown.Body), nil); got.Status != 200 || !strings.Contains(string(got.Body), `"strategy":"hold"`) {
		t.Errorf("what was shown cannot be sent back: %d %s", got.Status, got.Body)
	}
	if got := d.ask("PUT", "/v1/strategy", `{"strategy":"auto"}`, nil); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if s, err := d.app.Controls.State(t.Context()); err != nil || s.Strategy != "" {
		t.Errorf("kept %+v (%v)", s, err)
	}
}
