package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

const greet = `goal: greet somebody
params:
  who: {type: string}
  times: {type: integer, default: 1}
steps:
  - {id: hello, tool: write_file, with: {path: hello.txt, content: "${{ params.who }} x${{ params.times }}"}}
`

func (c *chat) prepare(name, body string) {
	c.t.Helper()
	if err := os.MkdirAll(c.Config.Path.Flows, 0o700); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(c.Config.Path.Flows, name+".yaml"), []byte(body), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

// A flow asked for in a chat is the person's own task; no model is asked.
func TestFlow(t *testing.T) {
	c := newChat(t, llmtest.New(t))
	c.want("7", "/flow", text.En.NoFlows())
	c.prepare("greet", greet)
	c.prepare("broken", "steps: 3\n")
	c.want("7", "/flow", text.En.FlowBroken("broken", "read plan: line 1: steps must be a list, not text")+"\n"+text.En.FlowLine("greet", "[times=…] who=…", "greet somebody")+
		"\n/flow [NAME key=value] - prepared flows, or run one")
	for words, content := range map[string]string{
		`/flow greet who=Anna times=3`:   "Anna x3",
		`/flow greet who="Anna and Bo"`:  "Anna and Bo x1",
		"/flow greet\nwho=“安娜 和 波”":      "安娜 和 波 x1",
		`/flow greet times=2 who='a=b'`:  "a=b x2",
		`/flow greet who="half a quote`:  "",
		`/flow greet who=Anna times=two`: "",
	} {
		m := from("7", words)
		got, handled, err := c.commands.Run(t.Context(), m)
		if err != nil || !handled {
			t.Fatalf("%s: %v", words, err)
		}
		if content == "" {
			if !strings.HasPrefix(got, "I did not start the flow greet: ") {
				t.Errorf("%s gives %q", words, got)
			}
			continue
		}
		if got != "" {
			t.Fatalf("%s gives %q", words, got)
		}
		task := c.until(m.Task, func(t *journal.Task) bool { return t.Exists() && t.Final() })
		if task.State != akitad.Completed || task.Sub.Text != words || task.Sub.Origin.Sender != "7" || task.Sub.Session != m.Session {
			t.Errorf("%s ends as %s %+v", words, task.State, task.Error)
		}
		if task.Sub.FlowHash != flow.HashOf(greet) || len(task.Planned.Plan.Steps) != 1 {
			t.Errorf("%s ran %s", words, task.Sub.FlowHash)
		}
		d, err := c.Workspace.Dir(task.Sub.Folder)
		if err != nil {
			t.Fatal(err)
		}
		if body, err := d.ReadFile("hello.txt"); err != nil || string(body) != content {
			t.Errorf("%s wrote %q (%v), want %q", words, body, err, content)
		}
		d.Close()
	}
	c.want("7", "/flow nosuch", text.En.NoSuchFlow("nosuch"))
	for words, part := range map[string]string{"/flow greet": `"who"`, "/flow greet who": "key=value: who", "/flow greet who=a who=b": "who=… who=…", "/flow greet who=a wo=b": `"wo"`, "/flow broken": "broken"} {
		if got := c.run("7", words); !strings.Contains(got, part) || !strings.HasPrefix(got, "I did not start") {
			t.Errorf("%s gives %q, want %q", words, got, part)
		}
	}
	m := from("7", "/flow nosuch")
	m.Origin.Lang = "zh"
	if got, _, err := c.commands.Run(t.Context(), m); err != nil || got != text.Zh.NoSuchFlow("nosuch") {
		t.Errorf("in Chinese: %q (%v)", got, err)
	}
}

// Commands that begin new work take none when the disk is nearly full, and say so.
func TestADiskWithoutRoom(t *testing.T) {
	c := newChatOn(t, llmtest.New(t), func(cfg *config.Config) { cfg.Disk.Reserve = 1 << 60 })
	c.prepare("greet", greet)
	for _, words := range []string{"/plan tidy up", "/flow greet who=Anna"} {
		for _, lang := range []text.Lang{text.En, text.Zh} {
			m := from("7", words)
			m.Origin.Lang = string(lang)
			got, handled, err := c.commands.Run(t.Context(), m)
			begin, _, _ := strings.Cut(lang.DiskLow(0, 0), "0")
			if err != nil || !handled || !strings.HasPrefix(got, begin) {
				t.Errorf("%s in %s gives %q, %v", words, lang, got, err)
			}
		}
	}
	c.want("7", "/flow nosuch", text.En.NoSuchFlow("nosuch"))
	c.want("7", "/status", text.En.Idle())
}
