package app_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// maxFirstPrompt is how large the body of the first request for a few words may be, in bytes.
const maxFirstPrompt = 8 << 10

// prompt is a request's body by its parts.
type prompt struct {
	body  []byte
	Tools []struct {
		Function struct{ Name, Description string }
	}
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
	block, catalogue := map[string]bool{}, ""
	for _, tl := range p.Tools {
		block[tl.Function.Name] = true
		if tl.Function.Name == llm.CallTool {
			catalogue = tl.Function.Description
		}
	}
	for _, name := range known {
		ends := name == "submit_result" || name == "replan" // a root task has no use for them
		if named := block[name] || strings.Contains(catalogue, "- "+name+"("); named == ends {
			t.Errorf("%s: is named: %v", name, named)
		}
	}
	for _, name := range []string{"run_shell", "read_file", "write_file", "list_directory", "ask_user"} {
		if !block[name] {
			t.Errorf("%s is not in the tool block", name)
		}
	}
	if len(p.body) > maxFirstPrompt || len(p.Tools) > 10 {
		t.Errorf("the first prompt has %d bytes (at most %d) and %d tools", len(p.body), maxFirstPrompt, len(p.Tools))
	}
	t.Logf("%d bytes: system %d, %d tools, catalogue %d, words and brief %d", len(p.body), p.bytes("system"), len(p.Tools), len(catalogue), p.bytes("user"))
}
