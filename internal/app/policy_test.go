package app_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// A rule that denies a tool takes it from every agent; one that names no tool stops the start.
func TestARuleThatDenies(t *testing.T) {
	open := func(tool string) ([]string, error) {
		cfg, err := config.Load(t.TempDir(), nil)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Policy.Rules = []config.Rule{{Tool: tool, Action: "deny"}}
		a, err := app.New(t.Context(), cfg, app.Options{Parts: app.Parts{Work: true}, Model: llmtest.New(t)})
		if err != nil {
			return nil, err
		}
		defer func() {
			if err := a.Close(t.Context()); err != nil {
				t.Error(err)
			}
		}()
		var names []string
		for _, tl := range a.Tools.All() {
			names = append(names, tl.Info().Name)
		}
		return names, nil
	}
	names, err := open("run_*")
	if all := strings.Join(names, " "); err != nil || strings.Contains(all, "run_") || !strings.Contains(all, "read_file") {
		t.Errorf("without run_*: %s, %v", all, err)
	}
	for _, none := range []string{"run_shel", "zzz*"} {
		if _, err := open(none); akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "protects nothing") {
			t.Errorf("%s: %v", none, err)
		}
	}
}

// What is switched off is gone from every profile, also from those that name it; the rest stays.
func TestProfilesLoseWhatIsOff(t *testing.T) {
	a := start(t, llmtest.New(t), func(c *config.Config) {
		c.Tools = config.Tools{Enabled: []string{"files", "shell", "sql_*"}, Disabled: []string{"extract", "run_*", "sql_exec"}}
	})
	for profile, want := range map[string]string{
		"operator":  "list_directory read_file write_file glob grep call_tool find_tool tool_info sql_query",
		"assistant": "list_directory read_file write_file glob grep call_tool find_tool tool_info sql_query",
		"writer":    "list_directory read_file write_file glob grep call_tool find_tool tool_info",
	} {
		i, err := a.Pool.Acquire(t.Context(), profile, "")
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, tl := range i.Tools {
			got = append(got, tl.Info().Name)
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%s has %s, want %s", profile, all, want)
		}
		a.Pool.Release(t.Context(), i)
	}
}
