package builtin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
)

const digest = "goal: count the\n  day's errors\nparams:\n  day: {type: string, enum: [mon, tue], default: mon}\n  top: {type: integer, description: how many}\nsteps:\n  - {id: a, tool: time}\n"

func withFlows(t *testing.T) (*desk, flow.Shelf) {
	d := newDesk(t)
	s := flow.Shelf{Folder: filepath.Join(d.home, "flows")}
	d.use(builtin.Deps{Sandbox: sandbox.New(sandbox.Options{}), Flows: s})
	d.scope.Profile = "writer"
	d.wantText("list_flows", `{}`, "there are no flows")
	d.must(os.MkdirAll(s.Folder, 0o700))
	for name, body := range map[string]string{"digest": digest, "bad": "steps: 1\n", "plain": "steps:\n  - {id: a, tool: time}\n"} {
		d.must(os.WriteFile(filepath.Join(s.Folder, name+".yaml"), []byte(body), 0o600))
	}
	return d, s
}

func TestListFlows(t *testing.T) {
	d, _ := withFlows(t)
	d.wantText("list_flows", `{}`, "digest - count the day's errors; params: day (string, default \"mon\", one of [\"mon\",\"tue\"]), top (integer, required, how many)\nplain")
}

// The child carries the flow as it stands when the call is made.
func TestRunFlow(t *testing.T) {
	d, s := withFlows(t)
	r, err := d.call("run_flow", `{"name":"digest","params":{"top":3}}`)
	d.must(err)
	var children []tool.ChildRequest
	if r.Suspend == nil || r.Suspend.Kind != tool.SuspendChildren || json.Unmarshal(r.Suspend.Payload, &children) != nil || len(children) != 1 {
		t.Fatalf("%+v", r)
	}
	c := children[0]
	if c.Profile != "writer" || c.Flow != "digest" || c.Plan != digest || c.FlowHash != flow.HashOf(digest) || c.Params["top"] != 3.0 || c.Goal != `run the flow digest with {"top":3}` {
		t.Errorf("child %+v", c)
	}
	d.wantError("run_flow", `{"name":"nosuch"}`, akitad.NotFound, "bad, digest, plain")
	d.wantError("run_flow", `{"name":"../agents/x"}`, akitad.NotFound, "there is no flow")
	d.wantError("run_flow", `{"name":"bad"}`, akitad.InvalidRequest, "flow bad")
	d.wantError("run_flow", `{"name":"digest"}`, akitad.InvalidRequest, `"top"`)
	d.wantError("run_flow", `{"name":"digest","params":{"top":"many"}}`, akitad.InvalidRequest, `"top"`)
	d.wantError("run_flow", `{"name":"digest","params":{"top":1,"day":"sun"}}`, akitad.InvalidRequest, `"day"`)
	d.scope.Path = []string{journal.PathEntry("assistant", "x"), journal.PathEntry("analyst", flow.Goal("plain", nil))}
	d.wantError("run_flow", `{"name":"plain"}`, akitad.InvalidRequest, "in a circle")
	d.scope.Depth = 4
	d.wantError("run_flow", `{"name":"digest","params":{"top":3}}`, akitad.InvalidRequest, "4 levels deep")
	before, _ := d.tools.Get("run_flow")
	d.must(os.Remove(filepath.Join(s.Folder, "digest.yaml")))
	if after, _ := d.tools.Get("run_flow"); after.Info().Description != before.Info().Description || string(after.Info().Schema) != string(before.Info().Schema) {
		t.Error("the tool's description depends on the files")
	}
}
