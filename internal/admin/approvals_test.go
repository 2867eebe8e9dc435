package admin_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func (d *daemon) approvals() []client.Approval {
	d.t.Helper()
	a := d.ask(http.MethodGet, "/v1/approvals", "", nil)
	var page client.Page[client.Approval]
	if err := json.Unmarshal(a.Body, &page); err != nil || a.Status != http.StatusOK {
		d.t.Fatalf("%d %s: %v", a.Status, a.Body, err)
	}
	return page.Items
}

// asked hands a task in and gives what it asks, once it waits.
func (d *daemon) asked(body string) client.Approval {
	d.t.Helper()
	a := d.ask(http.MethodPost, "/v1/tasks", body, nil)
	var made client.Accepted
	if err := json.Unmarshal(a.Body, &made); err != nil || a.Status != http.StatusAccepted {
		d.t.Fatalf("%d %s", a.Status, a.Body)
	}
	if _, err := d.app.Journal.Wait(d.t.Context(), made.ID, func(t *journal.Task) bool { return t.State == akitad.Waiting && t.Question() != "" }); err != nil {
		d.t.Fatal(err)
	}
	for _, q := range d.approvals() {
		if q.Task == made.ID {
			return q
		}
	}
	d.t.Fatalf("%s is not among %+v", made.ID, d.approvals())
	return client.Approval{}
}

func (d *daemon) decide(id, decision string) answer {
	body, err := json.Marshal(map[string]string{"decision": decision})
	if err != nil {
		d.t.Fatal(err)
	}
	return d.ask(http.MethodPost, "/v1/approvals/"+id, string(body), nil)
}

func TestApprovals(t *testing.T) {
	d := start(t, llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []"), llmtest.Text("steps: []")).Always(llmtest.Role(llm.RoleMain), llmtest.Text("done")))
	if got := d.ask(http.MethodGet, "/v1/approvals", "", nil); !strings.Contains(string(got.Body), `"items":[]`) {
		t.Errorf("nothing waits: %s", got.Body)
	}
	q := d.asked(`{"text":"tidy up","plan":"ask","lang":"en"}`)
	if q.Kind != "plan" || q.Asked != "tidy up" || q.Root != q.Task || q.Until == nil || strings.Join(q.Choices, " ") != "approve stop" || len(q.Who) != 0 {
		t.Errorf("%+v", q)
	}
	for id, status := range map[string]int{q.ID + "x": 404, "nothing": 404, string(q.Task) + ".00000000": 404, string(akitad.DeriveTaskID("none")) + ".00000000": 404} {
		if p := d.decide(id, "approve").problem(t); p.Status != status || p.Hint == "" {
			t.Errorf("%s: %+v", id, p)
		}
	}
	a := d.decide(q.ID, "approve")
	var got akitad.Task
	if err := json.Unmarshal(a.Body, &got); err != nil || a.Status != http.StatusOK || got.ID != q.Task {
		t.Fatalf("%d %s", a.Status, a.Body)
	}
	if done, err := d.app.Journal.Wait(t.Context(), q.Task, (*journal.Task).Final); err != nil || done.State != akitad.Completed {
		t.Fatalf("%+v %v", done, err)
	}
	for _, again := range []string{"approve", "deny"} {
		if p := d.decide(q.ID, again).problem(t); p.Status != http.StatusConflict || p.Code != "conflict" || p.Hint == "" {
			t.Errorf("decided again: %+v", p)
		}
	}
	other := d.asked(`{"text":"tidy up more","plan":"ask","lang":"zh"}`)
	if a := d.decide(other.ID, "拒绝"); a.Status != http.StatusOK {
		t.Errorf("%d %s", a.Status, a.Body)
	}
	if done, err := d.app.Journal.Wait(t.Context(), other.Task, (*journal.Task).Final); err != nil || done.State != akitad.WasCancelled {
		t.Errorf("%+v %v", done, err)
	}
}
