package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
)

func TestAdviceOnOllama(t *testing.T) {
	for text, want := range map[string]string{
		"{name: small, protocol: openai, model: m, base_url: 'http://127.0.0.1:11434/v1'}":                "small",
		"{name: small, protocol: openai, model: m, base_url: 'http://127.0.0.1:11434/v1', window: 32000}": "",
		"{name: far, protocol: openai, model: m, base_url: 'http://127.0.0.1:1/v1', vendor: ollama}":      "far",
		"{name: far, protocol: openai, model: m, base_url: 'http://127.0.0.1:1/v1'}":                      "",
	} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "akitad.yaml"), []byte("endpoints: ["+text+"]"), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(home, nil)
		if err != nil {
			t.Fatal(err)
		}
		advice := app.Advice(cfg)
		if (want != "") != strings.Contains(advice[want], "OLLAMA_CONTEXT_LENGTH") || len(advice) > 1 {
			t.Errorf("%s: %v", text, advice)
		}
	}
}
