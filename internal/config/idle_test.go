package config_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
)

// An owner who sets a key that nothing follows is told; of defaults and of keys with an effect nothing
// is said.
func TestKeysWithoutEffectAreTold(t *testing.T) {
	if l := config.WithoutEffect(load(t, t.TempDir())); len(l) > 0 {
		t.Errorf("of defaults: %+v", l)
	}
	for _, tt := range []struct{ text, want string }{
		{"queue: steer", ""},
		{"tracing: {keep: 1h}", ""},
		{"sandbox: {memory: 64MiB}", ""},
		{"sandbox: {backend: landlock}", "sandbox.backend"},
		{"sandbox: {backend: bubblewrap, max: 2, network: true}", ""},
		{"context: {strategy: mask, observation: 4000}", ""},
		{"memory: {extract: false, top: 3}", "memory.extract"},
		{"policy: {ask_time: 1m}", "policy.ask_time"},
		{"policy: {rules: [{tool: run_shell, action: deny}, {tool: web, action: allow}]}", "policy.rules[1].tool policy.rules[1].action"},
		{"mcpServers: {far: {url: 'https://x.example'}}", "mcpServers.far.url"},
		{"endpoints: [{name: a, protocol: openai, model: m, base_url: 'http://127.0.0.1:1', tags: [code], vendor: vllm, strict: on, text_tools: true}]\nroles: {main: [a]}", ""},
	} {
		cfg, err := config.Load(homeWith(t, tt.text), nil)
		if err != nil {
			t.Fatalf("%s: %v", tt.text, err)
		}
		var keys []string
		for _, l := range config.WithoutEffect(cfg) {
			keys = append(keys, l.Key)
			if !strings.HasPrefix(l.Source, "akitad.yaml:") || l.Note == "" {
				t.Errorf("%s: %+v", tt.text, l)
			}
		}
		if got := strings.Join(keys, " "); got != tt.want {
			t.Errorf("%s: without effect are %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A file that looks like the configuration and is not read is told; where only its ending is wrong, nothing
// starts.
func TestFilesThatAreNotRead(t *testing.T) {
	for _, tt := range []struct {
		files, told, refused string
	}{
		{"akitad.yaml", "", ""},
		{"config.yaml", "config.yaml", ""},
		{"akitad.yaml config.yml akita.yaml", "akita.yaml config.yml", ""},
		{"akitad.yaml akitad.yml", "akitad.yml", ""},
		{"akitad.yml", "", "akitad.yml: this file is not read; rename it to akitad.yaml"},
		{"akitad.json config.yaml", "config.yaml", "akitad.json: this file is not read"},
	} {
		home := t.TempDir()
		for f := range strings.FieldsSeq(tt.files) {
			if err := os.WriteFile(filepath.Join(home, f), []byte("queue: steer\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cfg, problems, err := config.Inspect(home, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, l := range config.WithoutEffect(cfg) {
			if l.Source == "" || !strings.Contains(l.Note, "akitad.yaml") {
				t.Errorf("%s: %+v", tt.files, l)
			}
			told = append(told, l.Key)
		}
		if got := strings.Join(told, " "); got != tt.told {
			t.Errorf("%s: told are %q, want %q", tt.files, got, tt.told)
		}
		if (tt.refused == "") != (len(problems) == 0) || tt.refused != "" && !strings.HasPrefix(problems[0].Error(), tt.refused) {
			t.Errorf("%s: refused are %v, want %q", tt.files, problems, tt.refused)
		}
	}
}

// A rule that denies holds, or the daemon does not start.
func TestRulesThatDeny(t *testing.T) {
	for rules, want := range map[string][]string{
		"{tool: run_shell, action: deny}, {tool: 'sql_*', action: deny}":  {"run_shell", "sql_*"},
		"{tool: run_shell, action: deny}, {tool: x, action: allow}":       {"run_shell"},
		"{tool: run_shell, action: deny}, {tool: x, action: ask}":         nil,
		"{risk: execute, action: ask}":                                    nil,
		"{tool: run_shell, channel: telegram, action: deny}":              nil,
		"{domain: x.example, action: deny}":                               nil,
		"{tool: run_shell, action: allow}, {tool: 'run_*', action: deny}": nil,
	} {
		cfg, err := config.Load(homeWith(t, "policy: {rules: ["+rules+"]}"), nil)
		if want == nil {
			if akitad.KindOf(err) != akitad.InvalidRequest || !strings.Contains(err.Error(), "would protect nothing") {
				t.Errorf("%s: %v", rules, err)
			}
			continue
		}
		if err != nil || !slices.Equal(cfg.Policy.Denied(), want) {
			t.Errorf("%s denies %q, %v", rules, cfg.Policy.Denied(), err)
		}
	}
}
