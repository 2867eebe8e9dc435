package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/catalogue"
)

// maxFirstPrompt is how large the body of the first request for a few words may be, in bytes.
const maxFirstPrompt = 8 << 10

// prompt is a request's body by its parts.
type prompt struct {
	body     []byte
	Tools    []json.RawMessage
	Messages []struct{ Role, Content string }
}

func (p prompt) bytes(role string) (n int) {
	for _, m := range p.Messages {
		if m.Role == role {
			n += len(m.Content)
		}
	}
	return n
}

// functions gives the name and the description of each tool of the block.
func (p prompt) functions() map[string]string {
	out := map[string]string{}
	for _, raw := range p.Tools {
		var t struct {
			Function struct{ Name, Description string }
		}
		if json.Unmarshal(raw, &t) == nil {
			out[t.Function.Name] = t.Function.Description
		}
	}
	return out
}

// toolBytes are those of the whole block.
func (p prompt) toolBytes() (n int) {
	for _, raw := range p.Tools {
		n += len(raw)
	}
	return n
}

// firstPrompt asks a daemon with every tool, in an empty home, and gives its first request.
func firstPrompt(t testing.TB, words string) (p prompt, known []string) {
	t.Helper()
	server := llmtest.NewServer(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("pong")), llmtest.Options{})
	a := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Endpoints = []config.Endpoint{{Name: "a", Protocol: "openai", BaseURL: server.URL(), APIKey: config.NewSecret("sk-test-0123456789abcdef"), Model: "m"}}
		c.Roles = config.Roles{Main: []string{"a"}, Compiler: []string{"a"}, Planner: []string{"a"}, Summarizer: []string{"a"}, Judge: []string{"a"}}
	})
	if got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: words})); got.State != akitad.Completed || got.Profile != "assistant" {
		t.Fatalf("%s by %s: %+v", got.State, got.Profile, got.Error)
	}
	seen := server.Seen()
	if len(seen) != 1 {
		t.Fatalf("%d requests for %q", len(seen), words)
	}
	p.body = seen[0].Body
	if err := json.Unmarshal(p.body, &p); err != nil {
		t.Fatal(err)
	}
	for _, tl := range a.Tools.All() {
		known = append(known, tl.Info().Name)
	}
	return p, known
}

// The first prompt is small, and names every tool that a root task may call.
func TestFirstPromptIsSmall(t *testing.T) {
	p, known := firstPrompt(t, "ping")
	block := p.functions()
	for _, name := range known {
		ends := name == "submit_result" || name == "replan" // a root task has no use for them
		if named := block[name] != "" || strings.Contains(block[llm.CallTool], "- "+name+"("); named == ends {
			t.Errorf("%s: is named: %v", name, named)
		}
	}
	for _, name := range []string{"run_shell", "read_file", "write_file", "list_directory", "ask_user"} {
		if block[name] == "" {
			t.Errorf("%s is not in the tool block", name)
		}
	}
	if len(p.body) > maxFirstPrompt || len(p.Tools) > 10 {
		t.Errorf("the first prompt has %d bytes (at most %d) and %d tools", len(p.body), maxFirstPrompt, len(p.Tools))
	}
	t.Logf("%d bytes: system %d, %d tools %d, words and brief %d", len(p.body), p.bytes("system"), len(p.Tools), p.toolBytes(), p.bytes("user"))
}

// BenchmarkFirstPrompt measures the body of the first request for a word, and what it is made of (bytes).
func BenchmarkFirstPrompt(b *testing.B) {
	var p prompt
	for b.Loop() {
		p, _ = firstPrompt(b, "ping")
	}
	b.ReportMetric(float64(len(p.body)), "bytes")
	b.ReportMetric(float64(p.bytes("system")), "system-bytes")
	b.ReportMetric(float64(p.toolBytes()), "tool-bytes")
	b.ReportMetric(float64(len(p.functions()[llm.CallTool])), "catalogue-bytes")
	b.ReportMetric(float64(p.bytes("user")), "user-bytes")
}

// Every tool is one Go file with its description beside it, all of its arguments come from a struct, and
// its description begins with a sentence that fits a line of the catalogue.
func TestEveryToolIsAFile(t *testing.T) {
	cfg, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tools, err := app.Tools(t.Context(), cfg, "")
	if err != nil || len(tools) < 20 {
		t.Fatal(len(tools), err)
	}
	for _, tl := range tools {
		beside, err := filepath.Glob("../tool/*/" + tl.Name + ".md")
		if err != nil || len(beside) != 1 {
			t.Errorf("%s is described in %q", tl.Name, beside)
			continue
		}
		text, err := os.ReadFile(beside[0])
		if err != nil || string(text) != tl.Description {
			t.Errorf("%s is not what %s says", tl.Name, beside[0])
		}
		if _, err := os.Stat(strings.TrimSuffix(beside[0], ".md") + ".go"); err != nil {
			t.Errorf("%s: %v", tl.Name, err)
		}
		var schema struct {
			Type  string
			Other any `json:"additionalProperties"`
		}
		if err := json.Unmarshal(tl.Schema, &schema); err != nil || schema.Type != "object" || schema.Other != false {
			t.Errorf("%s takes %s", tl.Name, tl.Schema)
		}
		if line := catalogue.Line(tool.Info{Name: tl.Name, Description: tl.Description}); strings.HasSuffix(line, "…") {
			t.Errorf("the first sentence is too long: %s", line)
		}
		if tl.Category == "" || tl.Risk == "" {
			t.Errorf("%s has category %q and risk %q", tl.Name, tl.Category, tl.Risk)
		}
	}
}
