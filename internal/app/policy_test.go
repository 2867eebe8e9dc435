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
