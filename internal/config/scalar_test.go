package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/config"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]config.Size{
		"0": 0, "1": 1, "20MB": 20_000_000, "64 MiB": 64 << 20, "64mib": 64 << 20, "1GiB": 1 << 30, "5kb": 5000, " 7 B ": 7,
		"": -1, "MB": -1, "-1": -1, "1.5MB": -1, "1TB": -1, "9999999999GB": -1, "1 000": -1, "x": -1,
	} {
		got, err := config.ParseSize(text)
		if (err != nil) != (want < 0) || err == nil && got != want {
			t.Errorf("ParseSize(%q) = %d, %v, want %d", text, got, err, want)
		}
	}
}

func TestSizeReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := config.Size(rapid.Int64Range(0, 1<<50).Draw(t, "size"))
		if got, err := config.ParseSize(s.String()); err != nil || got != s {
			t.Fatalf("%d is %q, which reads as %d, %v", s, s.String(), got, err)
		}
	})
}

// Whatever the file holds, Load gives a configuration or a one-line-per-problem error, never a panic.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(full), "AKITA_POOL_MAX=3")
	f.Add([]byte(broken), "AKITA_ENDPOINTS=[{name: a}]")
	for _, s := range []string{"", "---\n---\n", "? [a]\n: b", "a: &a [*a]", "pool: {max: 0x10}", "- - - -", "[[[[[[", "\xff\xfe", "pool:\n  max: |\n    1", "{a: 1, a: 2}", "key: !!binary x", "queue: 'a\n\n b'", "%YAML 1.2\n---\nqueue: steer"} {
		f.Add([]byte(s), s)
	}
	home := f.TempDir()
	path := filepath.Join(home, config.FileName)
	f.Fuzz(func(t *testing.T, text []byte, variable string) {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(home, []string{variable})
		if err == nil {
			if len(cfg.Endpoints) == 0 || cfg.Roles.Main[len(cfg.Roles.Main)-1] != cfg.Endpoints[len(cfg.Endpoints)-1].Name && len(cfg.Endpoints) == 1 {
				t.Errorf("endpoints %+v, roles %+v", cfg.Endpoints, cfg.Roles)
			}
			config.Explain(cfg)
			return
		}
		if strings.TrimSpace(err.Error()) == "" || utf8.Valid(text) && !utf8.ValidString(err.Error()) && utf8.ValidString(variable) {
			t.Errorf("error text %q", err)
		}
	})
}
