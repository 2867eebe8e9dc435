package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

// Every setting that init writes is a key, and none changes anything while it is commented out.
func TestInitFile(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{
		"as written": string(initFile),
		"all set":    regexp.MustCompile(`(?m)^#([^#])`).ReplaceAllString(string(initFile), "$1"),
	} {
		if err := os.WriteFile(filepath.Join(home, config.FileName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cfg, err := config.Load(home, []string{"OPENAI_API_KEY=sk-x"})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, l := range config.Explain(cfg) {
			if was := value(config.Defaults(), l.Key); strings.HasPrefix(l.Source, config.FileName) && was != "" && was != l.Value {
				t.Errorf("%s: %s is %q, the default is %q", name, l.Key, l.Value, was)
			}
			if name == "as written" && strings.HasPrefix(l.Source, config.FileName) {
				t.Errorf("%s is set by a comment", l.Key)
			}
		}
	}
}

// value gives the value of a plain key; those of lists have other names and defaults.
func value(cfg config.Config, key string) string {
	if strings.HasPrefix(key, "endpoints") || strings.HasPrefix(key, "roles") {
		return ""
	}
	for _, l := range config.Explain(cfg) {
		if l.Key == key {
			return l.Value
		}
	}
	return ""
}

func TestTail(t *testing.T) {
	var long strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&long, "line %d of a log that is longer than one piece\n", i)
	}
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"", 3, ""},
		{"a\n", 1, "a\n"},
		{"a\nb\nc\n", 2, "b\nc\n"},
		{"a\nb\nc\n", 3, "a\nb\nc\n"},
		{"a\nb\nc\n", 9, "a\nb\nc\n"},
		{"a\nb\nc\n", 0, ""},
		{"a\nb", 1, "b"},
		{"\n\n\n", 2, "\n\n"},
		{long.String(), 1, "line 19999 of a log that is longer than one piece\n"},
		{long.String(), 10_000, long.String()[strings.Index(long.String(), "line 10000 "):]},
	} {
		file := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		var got bytes.Buffer
		if err := tail(f, &got, tt.n); err != nil || got.String() != tt.want {
			t.Errorf("the last %d of %.20q: %.40q, want %.40q (%v)", tt.n, tt.text, got.String(), tt.want, err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAgentState(t *testing.T) {
	since := time.Date(2026, 11, 30, 10, 0, 0, 0, time.Local)
	next := since.Add(30 * time.Second)
	for want, a := range map[string]client.Agent{
		"open":                       {Healthy: true},
		"paused":                     {Healthy: true, Paused: true},
		"paused, running rounds end": {Paused: true, Busy: 1, Since: &since, NextProbe: &next},
		"degraded since 2026-11-30 10:00:00, tried again from 2026-11-30 10:00:30": {Since: &since, NextProbe: &next},
	} {
		if got := agentState(a); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
