package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A long output comes back as what its call wants to know; the whole is read back by the tasks around it
// and by nobody else.
func TestLongOutputIsReadBack(t *testing.T) {
	var log strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&log, "2025-05-01T08:%02d:%02dZ INFO request %d served\n", i/60, i%60, i)
		if i == 1_234 {
			log.WriteString("2025-05-01T08:20:34Z ERROR cannot renew the lease of shard 17: quorum lost\n")
		}
	}
	read := llmtest.Call("grep", map[string]any{"pattern": ".", "limit": 5000, "intent": "why could the lease not be renewed"})
	script := llmtest.New(t).
		Rounds(llmtest.All(llmtest.Begins("look at"), llmtest.Not(llmtest.Says("go on"))), llmtest.Calls(read), llmtest.Text("seen")).
		On(llmtest.All(llmtest.Begins("look at"), llmtest.Says("go on")), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child of it"})), llmtest.Text("done"))
	a := start(t, script, nil)
	id := submit(t, a, akitad.TaskRequest{Text: "look at a.log", Session: "s1", Files: []akitad.InputFile{{Name: "a.log", Content: []byte(log.String())}}})
	o := ended(t, a, id).Rounds[0].Results[0]
	if !strings.Contains(o.Text, "quorum lost") || len(o.Text) > 7_000 || o.Bytes < 90_000 || len(o.Artifact) != 64 {
		t.Fatalf("of %d bytes, artifact %q, is shown:\n%s", o.Bytes, o.Artifact, o.Text)
	}
	back := llmtest.Call("read_artifact", map[string]any{"hash": o.Artifact[:12], "find": "request 777"})
	script.Rounds(llmtest.Begins("child of it"), llmtest.Calls(back), submitResult("found")).
		Rounds(llmtest.Begins("stranger"), llmtest.Calls(back), llmtest.Text("nothing"))
	next := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "go on", Session: "s1"}))
	child, err := a.Journal.Load(t.Context(), next.Children[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := child.Rounds[0].Results[0]; got.Error != nil || !strings.Contains(got.Text, "request 777 served") {
		t.Errorf("a child of the session's next task reads %+v\n%s", got.Error, got.Text)
	}
	other := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "stranger", Session: "s2"}))
	if got := other.Rounds[0].Results[0]; got.Error == nil || got.Error.Kind != akitad.NotFound {
		t.Errorf("another session reads %+v\n%s", got.Error, got.Text)
	}
}

// The bound above which an output is shown in part is the owner's to set.
func TestBoundOfOutputs(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "a.txt"})), llmtest.Text("seen"))
	a := start(t, script, func(cfg *config.Config) { cfg.Context.Observation = 500 })
	text := strings.Repeat("a line that says little\n", 200)
	id := submit(t, a, akitad.TaskRequest{Text: "read a.txt", Files: []akitad.InputFile{{Name: "a.txt", Content: []byte(text)}}})
	if o := ended(t, a, id).Rounds[0].Results[0]; o.Artifact == "" || len(o.Text) >= o.Bytes {
		t.Errorf("of %d bytes %d are shown, artifact %q", o.Bytes, len(o.Text), o.Artifact)
	}
}
