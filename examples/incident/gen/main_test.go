package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func TestRun(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	err := run([]string{"-seed", "3", "-format", "json", "-services", "left, right", "-out", filepath.Join(dir, "logs"), "-truth", filepath.Join(dir, "truth.json")}, &out)
	if err != nil || out.Len() == 0 {
		t.Fatalf("%v, %q", err, out.String())
	}
	for _, name := range []string{"logs/left.log", "logs/right.log", "logs/deploy.md", "truth.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
	if err := run([]string{"-format", "xml", "-out", dir}, &out); err == nil {
		t.Error("an unknown format passes")
	}
	if err := run([]string{"-nope"}, &out); err == nil {
		t.Error("an unknown flag passes")
	}
}
