package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad/internal/config"
)

// Telegram calls https only; plain http to this machine serves tests. A list of choices has no empty name.
func TestTelegramWebhookAddress(t *testing.T) {
	for yaml, want := range map[string]string{
		"webhook_url: http://bot.example/hooks/telegram":    "not https",
		"webhook_url: https://bot.example/hooks/telegram":   "",
		"webhook_url: http://127.0.0.1:8080/hooks/telegram": "",
		"mode: push": "write one of: poll, webhook",
	} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "akitad.yaml"), []byte("channels:\n  telegram:\n    "+yaml+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, problems, err := config.Inspect(home, nil)
		var all []string
		for _, p := range problems {
			all = append(all, p.What+"; "+p.Fix)
		}
		got := strings.Join(all, "\n")
		if err != nil || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, %v; want %q", yaml, got, err, want)
		}
	}
}
