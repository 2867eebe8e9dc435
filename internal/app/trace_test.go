package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/tracing"
)

// spansOf reads a task's trace until it is whole: its TASK span has ended, and no span is open.
func spansOf(t testing.TB, a *app.App, root akitad.TaskID) []akitad.Span {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		spans := readSpans(t, a, root)
		open := slices.ContainsFunc(spans, func(s akitad.Span) bool { return s.End == nil })
		if len(spans) > 0 && !open {
			return spans
		}
		select {
		case <-time.After(20 * time.Millisecond): // spans are published asynchronously; there is nothing to subscribe to
		case <-ctx.Done():
			t.Fatalf("the trace of %s never became whole: %d spans", root, len(spans))
		}
	}
}

func readSpans(t testing.TB, a *app.App, root akitad.TaskID) []akitad.Span {
	t.Helper()
	var records []akitad.Span
	if err := a.Bus.FlushSpans(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := a.Bus.ReadSpans(t.Context(), tracing.TraceID(root), func(body []byte) error {
		var s akitad.Span
		err := json.Unmarshal(body, &s)
		records = append(records, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tracing.Merge(records)
}

// outline draws the trace as kinds and names under one another, without times and ids. Spans that
// ran beside each other are put in order of their text.
func outline(nodes []*tracing.Node, depth int) string {
	var lines []string
	for _, n := range nodes {
		s := n.Span
		line := fmt.Sprintf("%s%s %s", strings.Repeat("  ", depth), s.Kind, s.Name)
		if s.Status != tracing.StatusOK {
			line += " " + s.Status
		}
		lines = append(lines, line+"\n"+outline(n.Children, depth+1))
	}
	if len(nodes) > 0 && nodes[0].Kind == akitad.SpanTool {
		slices.Sort(lines)
	}
	return strings.Join(lines, "")
}

// One task whose trace has all twelve kinds, made by two processes: a control node that compiles,
// plans and joins, and a worker that runs the agents. The golden says what stands under what.
func TestTraceHasAllTwelveKindsAcrossTwoNodes(t *testing.T) {
	url := bustest.Server(t)
	plan := "steps:\n- id: look\n  agent: analyst\n  goal: look at a.log\n  parallel: true\n- id: tell\n  agent: assistant\n  goal: tell what was found\n  needs: [look]\n"
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text(plan)).
		On(llmtest.Begins("look at"),
			llmtest.Calls(llmtest.Call("grep", map[string]any{"pattern": "E", "mode": "count"}), llmtest.Call("time", map[string]any{})),
			llmtest.Text(""), // nudged
			llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "a.log"})),
			submitResult("1 error (a.log:1)")).
		Rounds(llmtest.Begins("tell"), llmtest.Calls(delegate("researcher", "anything known?")), submitResult("one error")).
		Rounds(llmtest.Begins("anything known"), submitResult("nothing"))
	both := func(c *config.Config) { c.NATS.URL = url; c.Rounds.Task = 3 }
	control := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true}, both)
	worker := startParts(t, t.TempDir(), script, app.Parts{Work: true}, both)
	id := submit(t, control, akitad.TaskRequest{
		Text:  "Compare a.log and b.log and c.log, find the errors in each, and write a summary to out.md",
		Files: []akitad.InputFile{{Name: "a.log", Content: []byte("E x\n")}, {Name: "b.log", Content: []byte("ok\n")}, {Name: "c.log", Content: []byte("ok\n")}},
	})
	got := ended(t, control, id)
	if got.State != akitad.Completed || got.Result.Text != "one error" {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if err := worker.Bus.FlushSpans(t.Context()); err != nil { // its own are still to be sent
		t.Fatal(err)
	}
	spans := spansOf(t, control, id)
	kinds := map[akitad.SpanKind]bool{}
	for _, s := range spans {
		kinds[s.Kind] = true
		if err := tracing.Check(s); err != nil {
			t.Errorf("%s %s: %v", s.Kind, s.Name, err)
		}
	}
	for _, k := range akitad.SpanKinds {
		if !kinds[k] {
			t.Errorf("the trace has no span of kind %s", k)
		}
	}
	golden(t, "testdata/trace.txt", []byte(outline(tracing.Tree(spans), 0)))
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (UPDATE_GOLDEN=1 to accept): %v\ngot:\n%s", file, err, got)
	}
}
