package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What the configuration says of windows holds for every agent, and what a profile says for its own.
func TestWindowsAreConfigured(t *testing.T) {
	for _, tt := range []struct {
		name    string
		context func(*config.Context)
		profile string
		stage   int    // of the first reduction
		marks   string // that a reduction leaves
	}{
		{"by default nothing this small is reduced", func(*config.Context) {}, "", 0, ""},
		{"max_tokens", func(c *config.Context) { c.MaxTokens = 16_000 }, "", 1, "left out to save room"},
		{"mask_at", func(c *config.Context) { c.MaskAt = 0.05 }, "", 1, "left out to save room"},
		{"strategy", func(c *config.Context) { c.MaxTokens, c.Strategy = 16_000, "summary" }, "", 2, "progress: pages were read"},
		{"a profile's strategy", func(c *config.Context) { c.MaxTokens = 16_000 }, "context: {strategy: summary}\n", 2, "progress: pages were read"},
		{"off", func(c *config.Context) { c.MaskAt, c.Strategy = 0.05, "off" }, "", 0, ""},
		{"observation", func(c *config.Context) { c.Observation = 200 }, "", 0, " is artifact "},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Role(llm.RoleSummarizer), llmtest.Text("progress: pages were read")).Always(llmtest.Any, llmtest.Do(reading(6)))
			home := t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, "agents"), 0o700); err != nil {
				t.Fatal(err)
			}
			own := "---\nname: assistant\ndescription: reads\n" + tt.profile + "---\nYou read.\n"
			if err := os.WriteFile(filepath.Join(home, "agents", "assistant.md"), []byte(own), 0o600); err != nil {
				t.Fatal(err)
			}
			a := startParts(t, home, script, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
				c.Context.MaskRounds, c.Context.KeepRounds = 2, 2
				tt.context(&c.Context)
			})
			task := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "read the book", Files: book()}))
			stage := 0
			if len(task.Reduced) > 0 {
				stage = task.Reduced[0].Stage
			}
			if stage != tt.stage || task.State != akitad.Completed {
				t.Errorf("%s, %d reductions, the first of stage %d, want %d", task.State, len(task.Reduced), stage, tt.stage)
			}
			if last := lastRequest(script); tt.marks != "" && !strings.Contains(last, tt.marks) {
				t.Errorf("the last request lacks %q", tt.marks)
			}
		})
	}
}

// lastRequest gives the texts of the last request.
func lastRequest(script *llmtest.Script) string {
	all := script.Requests()
	var b strings.Builder
	for _, m := range all[len(all)-1].Messages {
		b.WriteString(m.Text + "\n")
		for _, o := range m.Results {
			b.WriteString(o.Text + "\n")
		}
	}
	return b.String()
}
