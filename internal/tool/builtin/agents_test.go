package builtin_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/tool"
)

func TestAskUser(t *testing.T) {
	d := newDesk(t)
	const args = `{"question":"Which year?","options":["2025","2026"],"assumption":"2026"}`
	for _, channel := range []string{"http", "cli", "schedule", ""} {
		d.scope.Origin.Channel = channel
		d.wantText("ask_user", args, "nobody can be asked here; go on with: 2026\nSay in the answer that this was assumed.")
	}
	d.wantText("ask_user", `{"question":"Which?"}`, "nobody can be asked here; go on with the most likely assumption and say in the answer which it was")
	d.scope.Origin.Channel = "telegram"
	r, err := d.call("ask_user", args)
	d.must(err)
	var q tool.Question
	if r.Suspend == nil || r.Suspend.Kind != tool.SuspendAnswer || json.Unmarshal(r.Suspend.Payload, &q) != nil {
		t.Fatalf("%+v", r)
	}
	if q.Text != "Which year?" || len(q.Options) != 2 || q.Assumption != "2026" || !r.Suspend.Until.Equal(now.Add(24*time.Hour)) {
		t.Errorf("asked %+v until %v", q, r.Suspend.Until)
	}
	d.wantError("ask_user", `{"question":" "}`, akitad.InvalidRequest, "empty")
	d.scope.Depth = 1 // delegated: what it asks would reach nobody
	d.wantText("ask_user", args, "nobody can be asked here; go on with: 2026\nSay in the answer that this was assumed.")
}

func TestDelegate(t *testing.T) {
	d := newDesk(t)
	d.scope.Depth = 4
	r, err := d.call("delegate", `{"profile":"analyst","goal":"Count the errors","inputs":{"file":"a.log","n":12345678901234567890},"output_schema":{"type":"object"}}`)
	d.must(err)
	var children []tool.ChildRequest
	if r.Suspend == nil || r.Suspend.Kind != tool.SuspendChildren || json.Unmarshal(r.Suspend.Payload, &children) != nil || len(children) != 1 {
		t.Fatalf("%+v", r)
	}
	c := children[0]
	if c.Profile != "analyst" || c.Goal != "Count the errors" || c.Context != "isolated" || string(c.Schema) != `{"type":"object"}` {
		t.Errorf("child %+v", c)
	}
	if c.Inputs != `{"file":"a.log","n":12345678901234567890}` {
		t.Errorf("inputs %s", c.Inputs)
	}
	r, err = d.call("delegate", `{"profile":"analyst","goal":"x","inputs":"the file is a.log","context":"shared"}`)
	d.must(err)
	if err := json.Unmarshal(r.Suspend.Payload, &children); err != nil || children[0].Inputs != "the file is a.log" || children[0].Context != "shared" {
		t.Errorf("child %+v, %v", children, err)
	}
}

func TestDelegateRefuses(t *testing.T) {
	d := newDesk(t)
	d.scope.Path = []string{journal.PathEntry("assistant", "Do all"), journal.PathEntry("writer", "Write the  Report")}
	d.wantError("delegate", `{"profile":"writer","goal":" write the report "}`, akitad.InvalidRequest, "in a circle")
	for _, goal := range []string{"Write the report.", "“write the report”", "WRITE  the\treport!", "**Write the report:**"} {
		raw, err := json.Marshal(map[string]string{"profile": "writer", "goal": goal})
		d.must(err)
		d.wantError("delegate", string(raw), akitad.InvalidRequest, "in a circle")
	}
	d.wantError("delegate", `{"profile":"poet","goal":"x"}`, akitad.NotFound, "known: analyst, writer")
	d.wantError("delegate", `{"profile":"writer","goal":" "}`, akitad.InvalidRequest, "empty")
	d.wantError("delegate", `{"profile":"writer","goal":"x","context":"all"}`, akitad.InvalidRequest, "isolated")
	d.wantError("delegate", `{"profile":"writer","goal":"x","output_schema":{"type":"strange"}}`, akitad.InvalidRequest, "output_schema")
	d.wantError("delegate", `{"profile":"writer","goal":"write the`, akitad.InvalidRequest, "nothing was run")
	if _, err := d.call("delegate", `{"profile":"analyst","goal":"write the report"}`); err != nil {
		t.Errorf("the same goal for another profile: %v", err)
	}
	d.scope.Depth = 5
	d.wantError("delegate", `{"profile":"analyst","goal":"x"}`, akitad.InvalidRequest, "5 levels deep")
}

func TestSubmitResult(t *testing.T) {
	d := newDesk(t)
	d.write("report.md", "long")
	d.scope.Child = true
	d.scope.Schema = json.RawMessage(`{"type":"object","required":["errors"],"properties":{"errors":{"type":"integer"}}}`)
	r, err := d.call("submit_result", `{"text":"3 errors","data":{"errors":"3"},"artifacts":["./report.md"],"missing":["b.log"],"next":{"goal":"read b.log","inputs":{"n":1},"profile":"analyst"}}`)
	d.must(err)
	got, err := json.Marshal(r.Final)
	d.must(err)
	want := `{"text":"3 errors","data":{"errors":3},"artifacts":[{"name":"report.md","size":4}],"partial":true,"missing":["b.log"],` +
		`"degraded":[],"next":{"goal":"read b.log","inputs":{"n":1},"profile":"analyst"}}`
	if string(got) != want {
		t.Errorf("final %s, want %s", got, want)
	}
	r, err = d.call("submit_result", `{"text":"3 errors","data":"{\"errors\": 3}"}`)
	d.must(err)
	if string(r.Final.Data) != `{"errors":3}` || r.Final.Partial {
		t.Errorf("final %+v", r.Final)
	}
}

func TestSubmitResultRefuses(t *testing.T) {
	d := newDesk(t)
	d.must(d.dir.WriteFile("sub/x", nil))
	d.wantError("submit_result", `{"text":"`+strings.Repeat("x", 8_001)+`"}`, akitad.InvalidRequest, "write_file")
	d.wantError("submit_result", `{"text":"x","artifacts":["none.md"]}`, akitad.NotFound, "none.md")
	d.wantError("submit_result", `{"text":"x","artifacts":["../../admin.token"]}`, akitad.PermissionDenied, "leads out")
	d.wantError("submit_result", `{"text":"x","artifacts":["sub"]}`, akitad.InvalidRequest, "directory")
	d.wantError("submit_result", `{"text":"x","next":{"goal":"y","profile":"poet"}}`, akitad.NotFound, "known: analyst, writer")
	d.wantError("submit_result", `{"data":1}`, akitad.InvalidRequest, `"text" is missing`)
	d.scope.Schema = json.RawMessage(`{"type":"object","required":["errors"],"properties":{"errors":{"type":"integer"}}}`)
	d.wantError("submit_result", `{"text":"x"}`, akitad.InvalidRequest, `"data" is missing`)
	d.wantError("submit_result", `{"text":"x","data":{"errors":"many"}}`, akitad.InvalidRequest, `argument "errors" is string, want integer`)
	d.wantError("submit_result", `{"text":"x","data":{"errors":"many"}}`, akitad.InvalidRequest, `errors (integer)`)
}
