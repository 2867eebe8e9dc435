package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
)

// Every setting that init writes is a key, and none changes anything while it is commented out.
func TestInitFile(t *testing.T) {
	home := t.TempDir()
	usual, err := config.Load(home, nil)
	if err != nil {
		t.Fatal(err)
	}
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
			if was := value(usual, l.Key); strings.HasPrefix(l.Source, config.FileName) && was != "" && was != l.Value {
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

// What the operating system refuses is a failure; exit code 4 is for what a policy refuses.
func TestExitCodes(t *testing.T) {
	system := &akitad.Error{Kind: akitad.PermissionDenied, Op: "make the home folder", Err: &fs.PathError{Op: "mkdir", Path: "/x", Err: syscall.EACCES}}
	for _, tt := range []struct {
		err  error
		want int
	}{
		{errors.New("x"), exitFailed},
		{usage("x"), exitUsage},
		{errNoDaemon{errors.New("x")}, exitDaemon},
		{akitad.Errorf(akitad.PermissionDenied, "policy keeps run_shell from being used"), exitRefused},
		{system, exitFailed},
		{fmt.Errorf("start: %w", system), exitFailed},
	} {
		if got := exitCode(tt.err); got != tt.want {
			t.Errorf("%v: exit %d, want %d", tt.err, got, tt.want)
		}
	}
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Whatever a command prints, it has failed if nobody could get it.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range [][]string{{"version"}, {"--version"}, {"config", "explain"}, {"config", "explain", "--json"}, {"doctor"}, {"spec", "count it"}, {"--help"}, {"tool", "ls"}} {
		var stderr bytes.Buffer
		env := environment{Env: []string{"AKITA_HOME=" + t.TempDir()}, Stdin: strings.NewReader(""), Stdout: full{}, Stderr: &stderr}
		if got := run(t.Context(), args, env); got != exitFailed || !strings.Contains(stderr.String(), "no space left") {
			t.Errorf("%v: exit %d, %s", args, got, stderr.String())
		}
	}
}

func TestFileNames(t *testing.T) {
	dir := t.TempDir()
	spaced := filepath.Join(dir, "my sales.csv")
	if err := os.WriteFile(spaced, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string][]string{
		"": {}, "a.log b.log": {"a.log", "b.log"}, spaced: {spaced}, spaced + "\n" + spaced + "\n": {spaced, spaced}, filepath.Join(dir, "no such.csv"): {filepath.Join(dir, "no"), "such.csv"},
	} {
		if got := splitFiles(text); !slices.Equal(got, want) {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// Words that are not UTF-8 would be passed on as other words; file names may be any bytes.
func TestWordsThatAreNotUTF8(t *testing.T) {
	latin := "caf\xe9"
	for _, tt := range []struct {
		stdin string
		args  []string
	}{
		{"", []string{"run", latin}},
		{latin, []string{"run", "-"}},
		{"", []string{"run", "--flow", "x", "-p", "a=" + latin}},
		{"", []string{"flow", "run", "x", "a=" + latin}},
		{latin, []string{"spec", "-"}},
		{"", []string{"memory", "add", latin}},
		{"", []string{"memory", "add", ""}},
		{"", []string{"task", "steer", "t_aaaaaaaaaaaaaaaaaaaaaaaa", latin}},
	} {
		home := t.TempDir()
		if err := os.MkdirAll(filepath.Join(home, "flows"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, "flows", "x.yaml"), []byte("params: {a: {type: string}}\nsteps: []\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		env := environment{Env: []string{"AKITA_HOME=" + home}, Stdin: strings.NewReader(tt.stdin), Stdout: &stdout, Stderr: &stderr}
		if got := run(t.Context(), tt.args, env); got != exitUsage {
			t.Errorf("%q: exit %d, %s", tt.args, got, stderr.String())
		}
	}
}
