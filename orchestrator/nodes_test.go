package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/bus/bustest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A session moves from node to node: each task finds the files as the one before it left them, also where
// the folder has an older copy.
func TestASessionMovesBetweenNodes(t *testing.T) {
	url := bustest.Server(t)
	shared := func(c *config.Config) { c.NATS.URL = url }
	write := func(content string) llmtest.Turn {
		return llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "notes.txt", "content": content}))
	}
	read := llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "notes.txt"}), llmtest.Call("read_file", map[string]any{"path": "given.txt"}))
	newest := func(words string) llmtest.Match { return llmtest.Says(words) }
	script := llmtest.New(t).
		Each(newest("third message"), read, llmtest.Text("read again")).
		Each(newest("second message"), read, write("by node b"), llmtest.Text("changed")).
		Each(newest("first message"), write("by node a"), llmtest.Text("written"))
	control := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true}, shared)
	homes := map[string]string{"a": t.TempDir(), "b": t.TempDir()}
	var nodes []string
	on := func(node, words string, files []akitad.InputFile) *journal.Task {
		worker := startParts(t, homes[node], script, app.Parts{Work: true}, shared)
		defer worker.stop()
		got := control.do(akitad.TaskRequest{Text: words, Session: "s", Files: files})
		if got.State != akitad.Completed {
			t.Fatalf("%s: %s %+v", words, got.State, got.Error)
		}
		nodes = append(nodes, got.Claim.Node)
		return got
	}
	on("a", "the first message", given("given.txt", "from the person"))
	for _, then := range []struct{ node, words, want string }{{"b", "the second message", "by node a"}, {"a", "the third message", "by node b"}} {
		got := on(then.node, then.words, nil)
		seen := got.Rounds[0].Results
		if !strings.Contains(seen[0].Text, then.want) || !strings.Contains(seen[1].Text, "from the person") {
			t.Errorf("%s on node %s sees %q and %q", then.words, then.node, seen[0].Text, seen[1].Text)
		}
	}
	if nodes[0] != nodes[2] || nodes[0] == nodes[1] {
		t.Errorf("the tasks ran on %q", nodes)
	}
}

// A plan's steps on two nodes hand files to each other through the journal.
func TestStepsHandFilesOver(t *testing.T) {
	url := bustest.Server(t)
	shared := func(c *config.Config) { c.NATS.URL = url }
	hold := llmtest.NewHold()
	script := llmtest.New(t).Always(llmtest.Begins("wait"), submitResult(map[string]any{"text": "go on"}).Held(hold))
	control := startParts(t, t.TempDir(), script, app.Parts{Orchestrate: true}, shared)
	first := startParts(t, t.TempDir(), script, app.Parts{Work: true}, shared)
	id := control.submit(akitad.TaskRequest{Text: "hand over", Plan: `
steps:
  - {id: write, tool: write_file, with: {path: out.txt, content: from the first node}}
  - {id: read, tool: read_file, needs: [write, pause], with: {path: out.txt}}
  - {id: pause, agent: analyst, goal: wait for the other node, needs: [write]}
`})
	control.until(id, func(t *journal.Task) bool { return len(t.Children) > 0 && t.Children[0].Done })
	first.stop() // wherever it is
	hold.Release()
	startParts(t, t.TempDir(), script, app.Parts{Work: true}, shared)
	got := control.ended(id)
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "from the first node") || len(got.Nodes) != 2 {
		t.Errorf("%s %+v %+v, on %q", got.State, got.Result, got.Error, got.Nodes)
	}
}
