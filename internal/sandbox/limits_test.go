package sandbox_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
)

func testTime(y *yard) {
	out := y.sh("echo begun; sleep 600", sandbox.Limits{Time: 300 * time.Millisecond})
	if !out.TimedOut || string(out.Stdout) != "begun\n" || out.ExitCode != -1 || out.Duration > 3*time.Second {
		y.t.Errorf("%+v", out)
	}
}

func testCancel(y *yard) {
	y.box.Level() // the trial run is not what is measured
	ctx, cancel := context.WithCancel(y.t.Context())
	go func() {
		for {
			if _, err := os.Stat(filepath.Join(y.dir, "begun")); err == nil {
				cancel()
				return
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(5 * time.Millisecond):
			}
		}
	}()
	begun := time.Now()
	c := sandbox.Command{Argv: []string{"bash", "-c", "trap '' TERM INT; (setsid sleep 601 &); echo part; touch begun; sleep 600"}, Dir: y.dir}
	out, err := y.box.Run(ctx, c)
	cancel()
	if akitad.KindOf(err) != akitad.Cancelled || string(out.Stdout) != "part\n" {
		y.t.Errorf("%+v, %v", out, err)
	}
	if took := time.Since(begun); took > 3*time.Second {
		y.t.Errorf("the cancel took %v", took)
	}
	noneLeft(y, "601")
	if _, err := y.box.Run(ctx, c); akitad.KindOf(err) != akitad.Cancelled {
		y.t.Errorf("a cancelled context ran: %v", err)
	}
}

// A leader that exits while its child keeps stdout open must not hold up the caller.
func testBackground(y *yard) {
	for _, script := range []string{"sleep 602 & exit 0", "setsid sleep 602 & disown; exit 0", "nohup sh -c 'sleep 602; echo late' & exit 0"} {
		begun := time.Now()
		out := y.sh("echo now; "+script, sandbox.Limits{Time: 20 * time.Second})
		if took := time.Since(begun); took > 5*time.Second || out.TimedOut || out.ExitCode != 0 || !strings.HasPrefix(string(out.Stdout), "now\n") {
			y.t.Errorf("%s: %+v after %v", script, out, took)
		}
	}
	noneLeft(y, "602")
}

// noneLeft waits for every "sleep <arg>" on the host to be gone, and gives up after 2 s.
func noneLeft(y *yard, arg string) {
	y.t.Helper()
	for deadline := time.Now().Add(2 * time.Second); ; {
		found := ""
		lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
		y.must(err)
		for _, path := range lines {
			if data, _ := os.ReadFile(path); string(data) == "sleep\x00"+arg+"\x00" {
				found = path
			}
		}
		if found == "" {
			return
		}
		if time.Now().After(deadline) {
			y.t.Fatalf("%s is still running", found)
		}
	}
}

func testOutput(y *yard) {
	out := y.sh("echo head; head -c 3000000 /dev/zero | tr '\\0' x; echo tail; echo oops >&2", sandbox.Limits{OutputBytes: 10_000})
	text := string(out.Stdout)
	if !out.Truncated || len(text) > 10_100 || !strings.HasPrefix(text, "head\nxxx") || !strings.HasSuffix(text, "xxxtail\n") {
		y.t.Errorf("%d bytes, truncated %v: %.20q ... %q", len(text), out.Truncated, text, text[len(text)-40:])
	}
	if !strings.Contains(text, "[... 2990010 bytes left out ...]") || string(out.Stderr) != "oops\n" {
		y.t.Errorf("what is left out is not told; stderr %q", out.Stderr)
	}
}

func testFileSize(y *yard) {
	out := y.sh("trap '' XFSZ; head -c 3000000 /dev/zero > big; echo $?", sandbox.Limits{FileBytes: 1 << 20})
	info, err := os.Stat(filepath.Join(y.dir, "big"))
	y.must(err)
	if info.Size() != 1<<20 || string(out.Stdout) == "0\n" {
		y.t.Errorf("the file has %d bytes; %q", info.Size(), out.Stdout)
	}
}

// One process that asks for too much is refused by the kernel; many that do together are stopped.
func testMemory(y *yard) {
	const limit = 64 << 20
	out := y.sh("x=$(head -c 200000000 /dev/zero | tr '\\0' x); echo ${#x}", sandbox.Limits{MemoryBytes: limit})
	if out.ExitCode == 0 && strings.HasPrefix(string(out.Stdout), "200000000") {
		y.t.Errorf("one process got 200 MB: %+v", out)
	}
	each := "(x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 30) & "
	out = y.sh(strings.Repeat(each, 8)+"wait", sandbox.Limits{MemoryBytes: limit, Time: 20 * time.Second})
	if out.Exceeded != "memory" {
		y.t.Errorf("eight processes with 20 MB each: %+v", out)
	}
}

func testProcesses(y *yard) {
	out := y.sh("f() { f | f & }; f; sleep 20", sandbox.Limits{Processes: 20, Time: 15 * time.Second})
	if out.Exceeded != "processes" && !strings.Contains(string(out.Stderr), "fork") {
		y.t.Errorf("a fork bomb ended with %d, exceeded %q, timed out %v, %.200s", out.ExitCode, out.Exceeded, out.TimedOut, out.Stderr)
	}
	if out.Duration > 10*time.Second {
		y.t.Errorf("it took %v", out.Duration)
	}
}

func testScratch(y *yard) {
	for _, path := range []string{"/tmp/big", "/dev/shm/big"} {
		if out := y.sh("head -c 100000000 /dev/zero > "+path, sandbox.Limits{}); out.ExitCode == 0 {
			y.t.Errorf("100 MB fit into %s", path)
		}
	}
}

// A daemon that is killed leaves nothing running.
func testKilledDaemon(y *yard) {
	daemon := exec.Command(os.Args[0])
	daemon.Env = []string{daemonRung + "=" + levelOf(y)[0], daemonDir + "=" + y.dir, "PATH=" + os.Getenv("PATH")}
	y.must(daemon.Start())
	for deadline := time.Now().Add(10 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(filepath.Join(y.dir, "begun")); err == nil {
			break
		}
		if time.Now().After(deadline) {
			y.t.Error("the daemon did not begin")
			break
		}
	}
	y.must(daemon.Process.Kill())
	_ = daemon.Wait()
	noneLeft(y, "603")
}
