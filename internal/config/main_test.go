package config_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/akitad/akitad/internal/config"
)

var update = flag.Bool("update", false, "rewrite golden files")

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update to accept): %v\ngot:\n%s", file, err, got)
	}
}

// homeWith gives a home whose akitad.yaml holds text, with mode 0600.
func homeWith(t *testing.T, text string) string {
	t.Helper()
	home := t.TempDir()
	write(t, filepath.Join(home, config.FileName), text, 0o600)
	return home
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil { // it may be read-only
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}

// load reads a home that must be right.
func load(t *testing.T, home string, env ...string) config.Config {
	t.Helper()
	cfg, err := config.Load(home, env)
	if err != nil {
		t.Fatal(err)
	}
	return cfg
}
