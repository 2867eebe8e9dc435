package builtin_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
)

// replan ends the step with what it has, as a partial result that says why.
func TestReplan(t *testing.T) {
	d := newDesk(t)
	r, err := d.call("replan", `{"reason":" the log is empty ","found":"no rows"}`)
	if err != nil || r.Final == nil {
		t.Fatalf("%+v, %v", r, err)
	}
	if f := *r.Final; f.Replan != "the log is empty" || f.Text != "no rows" || !f.Partial || len(f.Missing) != 1 || f.Next != nil {
		t.Errorf("the step ends with %+v", f)
	}
	d.wantError("replan", `{"reason":"  "}`, akitad.InvalidRequest, "reason is empty")
	d.wantError("replan", `{"found":"x"}`, akitad.InvalidRequest, "reason")
	d.wantError("replan", `{"reason":"r","found":"`+strings.Repeat("x", 8000)+`"}`, akitad.InvalidRequest, "write_file")
}
