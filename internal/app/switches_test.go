package app_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// Each layer can be switched off, and a task with long outputs that takes many rounds still completes.
func TestEveryLayerCanBeSwitchedOff(t *testing.T) {
	var page strings.Builder
	for i := range 1_000 {
		fmt.Fprintf(&page, "line %d of the page says little\n", i)
	}
	for name, change := range map[string]func(*config.Config){
		"all on":      func(*config.Config) {},
		"compiler":    func(c *config.Config) { c.Compiler, c.CompilerCache = "twin", 0 },
		"planner":     func(c *config.Config) { c.Plan = "off" },
		"filter":      func(c *config.Config) { c.Context.Filter = "off" },
		"masking":     func(c *config.Config) { c.Context.Strategy = "summary" },
		"summaries":   func(c *config.Config) { c.Context.Strategy = "mask" },
		"both":        func(c *config.Config) { c.Context.Strategy = "window" },
		"supervision": func(c *config.Config) { c.Supervise = "off" },
		"disclosure":  func(c *config.Config) { c.Tools.Disabled = []string{"call_tool", "find_tool", "tool_info"} },
		"all but force": func(c *config.Config) {
			c.Plan, c.Context.Filter, c.Context.Strategy, c.Supervise = "off", "off", "window", "off"
		},
	} {
		t.Run(name, func(t *testing.T) {
			script := llmtest.New(t).
				Always(llmtest.Role(llm.RoleCompiler), llmtest.Text("task_type: analysis\ngoal: read the pages\n")).
				Always(llmtest.Role(llm.RoleSummarizer), llmtest.Text("## Progress\npages were read")).
				Always(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).
				On(llmtest.Role(llm.RoleMain), append(pages(30), llmtest.Text("all read"))...)
			a := start(t, script, func(c *config.Config) {
				c.Compiler, c.Context.MaxTokens, c.Rounds.Task, c.Rounds.Chat = "always", 24_000, 60, 60
				change(c)
			})
			id := submit(t, a, akitad.TaskRequest{Text: "read the pages and compare them, then write down what differs", Files: []akitad.InputFile{
				{Name: "page.txt", Content: []byte(page.String())},
			}})
			got := ended(t, a, id)
			if got.State != akitad.Completed || got.Result.Text != "all read" || got.Result.Partial || len(got.Rounds) < 30 {
				t.Errorf("%s after %d rounds: %+v, %+v", got.State, len(got.Rounds), got.Result, got.Error)
			}
			if len(got.Reduced) == 0 {
				t.Error("the window was never too large: this proves nothing")
			}
		})
	}
}

// pages are rounds that each read another part of a long file, in turns more than is shown whole and less.
func pages(n int) (out []llmtest.Turn) {
	for i := range n {
		out = append(out, llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "page.txt", "offset": 1 + i, "limit": 120 + 200*(i%2), "intent": fmt.Sprint("page ", i)})))
	}
	return out
}

// With supervision off nobody stops a model that repeats itself; with it on the third time is refused.
func TestSupervisionOff(t *testing.T) {
	for state, want := range map[string]bool{"on": true, "off": false} {
		same := llmtest.Calls(llmtest.Call("read_file", map[string]any{"path": "a.txt"}))
		script := llmtest.New(t).Rounds(llmtest.Any, same, same, same, llmtest.Text("read"))
		a := start(t, script, func(c *config.Config) { c.Supervise = state })
		got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "read a.txt", Files: []akitad.InputFile{{Name: "a.txt", Content: []byte("hi")}}}))
		if refused := got.Rounds[2].Results[0].Error != nil; refused != want {
			t.Errorf("supervision %s: the third call was refused: %v", state, refused)
		}
	}
}

// With the filter off a long output is shown by its two ends, whatever its call looks for.
func TestFilterOff(t *testing.T) {
	text := strings.Repeat("a line that says little\n", 2_000) + "the lease was lost: quorum\n" + strings.Repeat("a line that says less\n", 2_000)
	for state, want := range map[string]bool{"on": true, "off": false} {
		read := llmtest.Calls(llmtest.Call("grep", map[string]any{"pattern": ".", "limit": 5000, "intent": "why the lease was lost"}))
		a := start(t, llmtest.New(t).Rounds(llmtest.Any, read, llmtest.Text("seen")), func(c *config.Config) { c.Context.Filter = state })
		got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "read a.txt", Files: []akitad.InputFile{{Name: "a.txt", Content: []byte(text)}}}))
		o := got.Rounds[0].Results[0]
		if found := strings.Contains(o.Text, "quorum"); found != want || o.Artifact == "" || len(o.Text) >= o.Bytes {
			t.Errorf("filter %s: found %v, of %d bytes %d are shown, artifact %q", state, found, o.Bytes, len(o.Text), o.Artifact)
		}
	}
}

// With the planner off no planner is asked, however much there is to do.
func TestPlannerOff(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Text("done"))
	a := start(t, script, func(c *config.Config) { c.Plan = "off" })
	text := "Compare a.csv, b.csv and c.csv, write the report to report.md, then write a summary to summary.md and list the risks."
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: text}))
	for _, req := range script.Requests() {
		if req.Role == llm.RolePlanner {
			t.Error("the planner was asked")
		}
	}
	if got.Compiled.Complexity < 3 || got.Planned == nil || got.Planned.Reason != "the planner is switched off" {
		t.Errorf("complexity %d, planned %+v", got.Compiled.Complexity, got.Planned)
	}
}
