package sandbox_test

import (
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
)

// patience is how long a test waits for what takes milliseconds.
const patience = time.Minute

func testTime(y *yard) {
	out := y.sh("echo begun; sleep 600", sandbox.Limits{Time: 3 * time.Second})
	if !out.TimedOut || string(out.Stdout) != "begun\n" || out.ExitCode != -1 || out.Duration > patience {
		y.t.Errorf("%+v", out)
	}
}

// alive is a pipe by which programs in the sandbox show that they live: they hold it open as
// descriptor 9, and write a byte once they have begun.
type alive struct {
	y     *yard
	begun *os.File // kept open for writing too: no end before the first byte
	ended *os.File
}

const holdAlive = "exec 9>alive; echo >&9; "

func newAlive(y *yard) *alive {
	path := filepath.Join(y.dir, "alive")
	y.must(syscall.Mkfifo(path, 0o600))
	a := &alive{y: y}
	var err error
	a.begun, err = os.OpenFile(path, os.O_RDWR|syscall.O_NONBLOCK, 0)
	y.must(err)
	a.ended, err = os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	y.must(err)
	y.t.Cleanup(func() { a.begun.Close(); a.ended.Close() })
	return a
}

func (a *alive) waitBegun() error {
	err := a.begun.SetReadDeadline(time.Now().Add(patience))
	if err == nil {
		_, err = a.begun.Read(make([]byte, 1))
	}
	return err
}

// waitGone waits for the end of the last process that holds the pipe.
func (a *alive) waitGone() {
	a.y.t.Helper()
	a.begun.Close()
	a.y.must(a.ended.SetReadDeadline(time.Now().Add(patience)))
	if _, err := io.Copy(io.Discard, a.ended); err != nil {
		a.y.t.Errorf("a process of the sandbox lives on: %v", err)
	}
}

func testCancel(y *yard) {
	a := newAlive(y)
	ctx, cancel := context.WithCancel(y.t.Context())
	done := make(chan error)
	go func() {
		err := a.waitBegun()
		cancel()
		done <- err
	}()
	c := sandbox.Command{
		Argv: []string{"bash", "-c", holdAlive + "trap '' TERM INT; (setsid sleep 600 &); sleep 600"}, Dir: y.dir,
		Limits: sandbox.Limits{Time: 2 * patience},
	}
	out, err := y.box.Run(ctx, c)
	y.must(<-done)
	if akitad.KindOf(err) != akitad.Cancelled || out.ExitCode != -1 {
		y.t.Errorf("%+v, %v", out, err)
	}
	a.waitGone()
	if _, err := y.box.Run(ctx, c); akitad.KindOf(err) != akitad.Cancelled {
		y.t.Errorf("a cancelled context ran: %v", err)
	}
}

// A leader that exits while its child keeps stdout open must not hold up the caller.
func testBackground(y *yard) {
	a := newAlive(y)
	for _, script := range []string{"sleep 600 & exit 0", "setsid sleep 600 & disown; exit 0", "nohup sh -c 'sleep 600; echo late' & exit 0"} {
		out := y.sh("echo now; "+holdAlive+script, sandbox.Limits{Time: patience})
		if out.TimedOut || out.ExitCode != 0 || !strings.HasPrefix(string(out.Stdout), "now\n") {
			y.t.Errorf("%s: %+v", script, out)
		}
	}
	a.waitGone()
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
	each := "(x=$(head -c 20000000 /dev/zero | tr '\\0' x); sleep 100) & "
	out = y.sh(strings.Repeat(each, 8)+"wait", sandbox.Limits{MemoryBytes: limit, Time: patience})
	if out.Exceeded != "memory" {
		y.t.Errorf("eight processes with 20 MB each: %+v", out)
	}
}

// The bomb ends after six generations, in 64 processes that sleep: where nothing stops it, the machine
// can bear it.
func testProcesses(y *yard) {
	bomb := "f() { if [ $1 -gt 0 ]; then f $(($1-1)) | f $(($1-1)) & else sleep 100; fi; }; f 6; sleep 100"
	out := y.sh(bomb, sandbox.Limits{Processes: 20, Time: patience})
	if out.Exceeded != "processes" && !strings.Contains(string(out.Stderr), "fork") {
		y.t.Errorf("a fork bomb ended with %d, exceeded %q, timed out %v, %.200s", out.ExitCode, out.Exceeded, out.TimedOut, out.Stderr)
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
	a := newAlive(y)
	daemon := exec.Command(os.Args[0])
	daemon.Env = []string{daemonRung + "=" + levelOf(y)[0], daemonDir + "=" + y.dir, "PATH=" + os.Getenv("PATH")}
	y.must(daemon.Start())
	err := a.waitBegun()
	y.must(daemon.Process.Kill())
	_ = daemon.Wait() // it was killed; that is what it says
	y.must(err)
	a.waitGone()
}
