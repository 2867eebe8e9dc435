package memory_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/memory"
)

func writer(dir, name string, n, limit int) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("MEMORY_TEST_JOB=%s %s %d %d", dir, name, n, limit))
	return cmd
}

// check reads the folder anew and looks for every acknowledged text, once, and for no torn line.
func checkWhole(t *testing.T, dir string, acked []string) {
	t.Helper()
	m := open(t, dir, memory.Options{})
	have := map[string]int{}
	entries, err := m.List(t.Context(), memory.Query{})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		have[e.Text]++
		if strings.HasPrefix(e.ID, "h") && strings.Contains(e.Text, "Writer") && e.From == "" && e.At.IsZero() {
			t.Errorf("torn line %q", e.Text)
		}
	}
	for _, text := range acked {
		if have[text] != 1 {
			t.Errorf("%q is there %d times", text, have[text])
		}
	}
}

func TestFiftyWriters(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	var wg sync.WaitGroup
	var acked []string
	for w := range 50 {
		for i := range 3 {
			acked = append(acked, fmt.Sprintf("Writer %d keeps number %d of the zebra house", w, i))
		}
		wg.Go(func() {
			for i := range 3 {
				text := fmt.Sprintf("Writer %d keeps number %d of the zebra house", w, i)
				if _, err := m.Remember(t.Context(), memory.Entry{Text: text}); err != nil {
					t.Error(err)
				}
				m.Recall(t.Context(), memory.Query{Text: "zebra"})
			}
		})
	}
	wg.Wait()
	checkWhole(t, dir, acked)
}

func TestFiftyWritersOfOneFact(t *testing.T) {
	m := open(t, t.TempDir(), memory.Options{})
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() { keep(t, m, of(anna, "User lives in Oslo")) })
	}
	wg.Wait()
	wantTexts(t, "entries", listed(t, m, memory.Query{Person: anna}), "User lives in Oslo")
}

func TestManyProcesses(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	var mu sync.Mutex
	var acked []string
	for w := range 8 {
		wg.Go(func() {
			out, err := writer(dir, fmt.Sprint("p", w), 10, 0).Output()
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			acked = append(acked, lines(out)...)
		})
	}
	wg.Wait()
	if len(acked) != 80 {
		t.Errorf("%d writes were acknowledged, want 80", len(acked))
	}
	checkWhole(t, dir, acked)
}

func lines(out []byte) []string {
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

// A writer killed at any point loses nothing that it acknowledged, and leaves no half file.
func TestKilledWriter(t *testing.T) {
	dir := t.TempDir()
	var acked []string
	for round := range 12 {
		cmd := writer(dir, fmt.Sprint("k", round), 100000, 0)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		r := bufio.NewScanner(out)
		for i := 0; i < 3+round && r.Scan(); i++ {
			acked = append(acked, r.Text())
		}
		cmd.Process.Kill()
		for r.Scan() {
			acked = append(acked, r.Text())
		}
		cmd.Wait()
		checkWhole(t, dir, acked)
	}
	// What the killed ones left behind is in nobody's way.
	m := open(t, dir, memory.Options{})
	keep(t, m, memory.Entry{Text: "Life goes on"})
}

// When the disk takes no more, the write fails with a clear error and the file stays as it was.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	var errs bytes.Buffer
	cmd := writer(dir, "full", 1000, 3000)
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err == nil {
		t.Fatal("1000 entries fitted into 3000 bytes")
	}
	if !strings.Contains(errs.String(), "file too large") {
		t.Errorf("the writer ended with %s", errs.String())
	}
	acked := lines(out)
	if len(acked) < 5 {
		t.Fatalf("only %d entries before the disk was full", len(acked))
	}
	checkWhole(t, dir, acked)
	if left, _ := filepath.Glob(filepath.Join(dir, ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWaitForALockEndsWithTheContext(t *testing.T) {
	dir := t.TempDir()
	m := open(t, dir, memory.Options{})
	keep(t, m, memory.Entry{Text: "The cellar is locked"})
	unlock := lockOf(t, dir)
	defer unlock()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.Remember(ctx, memory.Entry{Text: "The attic is open"})
	wantKind(t, err, akitad.Cancelled)
}

func TestUnreadableFileIsReported(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "MEMORY.md"), "- zebra one\n")
	if err := os.Symlink("/etc/hostname", filepath.Join(dir, "out.md")); err != nil {
		t.Fatal(err)
	}
	m := open(t, dir, memory.Options{})
	hits, err := m.Recall(t.Context(), memory.Query{Text: "zebra"})
	wantKind(t, err, akitad.Unavailable)
	if len(hits) != 1 {
		t.Errorf("the readable file gave %v", hits)
	}
	if got := m.Core(memory.Query{}); got != "- zebra one\n" {
		t.Errorf("core is %q", got)
	}
}
