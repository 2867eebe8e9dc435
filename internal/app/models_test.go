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

const coder = "---\nname: coder\ndescription: writes code\nmodel: b\n---\nWrite code.\n"

// twoModels is a house with the endpoints a and b, of which b is tagged code. Each model answers with
// its name.
func twoModels(t *testing.T, files map[string]string) *app.App {
	t.Helper()
	home := t.TempDir()
	for name, text := range files {
		file := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	url := func(name string) string {
		words := llm.Reply{Text: "from " + name, Finish: llm.FinishStop}
		return llmtest.NewServer(t, llmtest.New(t).
			Rounds(llmtest.Begins("hand it on"), llmtest.Calls(delegate("analyst", "look")), llmtest.Do(told)).
			Rounds(llmtest.Begins("look"), submitResult("child from "+name)).
			Always(llmtest.Any, llmtest.Reply(words)), llmtest.Options{}).URL()
	}
	key := config.NewSecret("sk-test-0123456789abcdef")
	return startParts(t, home, nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Endpoints = []config.Endpoint{
			{Name: "a", Protocol: "openai", BaseURL: url("a"), APIKey: key, Model: "m"},
			{Name: "b", Protocol: "openai", BaseURL: url("b"), APIKey: key, Model: "m", Tags: []string{"code"}},
		}
		both := []string{"a", "b"}
		c.Roles = config.Roles{Main: both, Compiler: both, Planner: both, Summarizer: both, Judge: []string{"b"}}
	})
}

// told answers with the last result of a tool.
func told(req llm.Request) (llm.Reply, error) {
	text := ""
	for _, m := range req.Messages {
		for _, o := range m.Results {
			text = o.Text
		}
	}
	return llm.Reply{Text: text, Finish: llm.FinishStop}, nil
}

func TestWhoChoosesTheModel(t *testing.T) {
	a := twoModels(t, map[string]string{"agents/coder.md": coder})
	step := func(more string) string {
		return "goal: g\nsteps:\n- id: one\n  " + strings.ReplaceAll(more, "\n", "\n  ") + "\n"
	}
	for _, tt := range []struct {
		name string
		req  akitad.TaskRequest
		want string
	}{
		{"nobody", akitad.TaskRequest{Text: "say who you are"}, "from a"},
		{"the request, an endpoint", akitad.TaskRequest{Text: "say who you are", Model: "b"}, "from b"},
		{"the request, a role", akitad.TaskRequest{Text: "say who you are", Model: "judge"}, "from b"},
		{"the request, a tag", akitad.TaskRequest{Text: "say who you are", Tags: []string{"code"}}, "from b"},
		{"the request, for the child too", akitad.TaskRequest{Text: "hand it on", Model: "b"}, "child from b"},
		{"the profile", akitad.TaskRequest{Text: "say who you are", Profile: "coder"}, "from b"},
		{"the request before the profile", akitad.TaskRequest{Text: "say who you are", Profile: "coder", Model: "a"}, "from a"},
		{"a model step", akitad.TaskRequest{Plan: step("model: b\nprompt: who")}, "from b"},
		{"a model step by tag", akitad.TaskRequest{Plan: step("model: main\ntags: [code]\nprompt: who")}, "from b"},
		{"an agent step, before the request", akitad.TaskRequest{Plan: step("agent: analyst\ngoal: look\nmodel: a"), Model: "b"}, "child from a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ended(t, a, submit(t, a, tt.req))
			if got.State != akitad.Completed || !strings.Contains(got.Result.Text, tt.want) || len(got.Result.Degraded) != 0 {
				t.Errorf("%s: %+v %+v, want %q", got.State, got.Result, got.Error, tt.want)
			}
		})
	}
}

// What there is not is refused before a task is made, with what there is.
func TestUnknownModels(t *testing.T) {
	a := twoModels(t, map[string]string{"agents/coder.md": strings.Replace(coder, "model: b", "model: gpt", 1)})
	for _, tt := range []struct {
		req  akitad.TaskRequest
		what string
		hint string
	}{
		{akitad.TaskRequest{Text: "x", Model: "gpt"}, `no role or endpoint is called "gpt"`, "judge, a, b"},
		{akitad.TaskRequest{Text: "x", Tags: []string{"vision"}}, "no endpoint has the tags vision", "known tags: code"},
		{akitad.TaskRequest{Text: "x", Profile: "coder"}, `no role or endpoint is called "gpt"`, "judge, a, b"},
		{akitad.TaskRequest{Plan: "goal: g\nsteps:\n- {id: one, model: gpt, prompt: p}\n"}, `model "gpt" is not known. Known are a, b,`, ""},
		{akitad.TaskRequest{Plan: "goal: g\nsteps:\n- {id: one, agent: analyst, goal: p, tags: [vision]}\n"}, `no endpoint has the tag "vision"`, ""},
	} {
		_, err := a.Orchestrator.Submit(t.Context(), "http", tt.req)
		if err == nil || !strings.Contains(err.Error(), tt.what) || !strings.Contains(hints(err), tt.hint) {
			t.Errorf("%+v: %v (%s)", tt.req, err, hints(err))
		}
	}
}

func hints(err error) string {
	if many, ok := err.(interface{ Unwrap() []error }); ok && len(many.Unwrap()) > 0 {
		err = many.Unwrap()[0]
	}
	return akitad.FailureOf(err).Hint
}
