package sandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What was left in a folder is ended by whoever starts there next; what works elsewhere is not.
func TestSweep(t *testing.T) {
	bwrap, err := exec.LookPath("bwrap")
	if err != nil {
		return // the other rung leaves nothing
	}
	mine, other := t.TempDir(), t.TempDir()
	start := func(dir string) *exec.Cmd {
		dir = filepath.Join(dir, "s-1")
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		cmd := &exec.Cmd{Path: bwrap, Args: []string{"bwrap", "--ro-bind", "/", "/", "--tmpfs", "/tmp", "--die-with-parent", "--bind", dir, Home, "sleep", "600"}}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
		return cmd
	}
	left := start(mine)
	if n, err := Sweep(other); n != 0 || err != nil {
		t.Errorf("%d were ended elsewhere, %v", n, err)
	}
	if n, err := Sweep(mine); n == 0 || err != nil {
		t.Errorf("%d were ended, %v", n, err)
	}
	if err := left.Wait(); err == nil {
		t.Error("it ended by itself")
	}
}
