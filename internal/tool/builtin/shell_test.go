package builtin_test

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool/builtin"
)

var seconds = regexp.MustCompile(`\d+\.\d s`)

func (d *desk) wantShell(command, want string) []string {
	d.t.Helper()
	r, err := d.call("run_shell", command)
	if got := seconds.ReplaceAllString(r.Text, "T"); err != nil || got != want {
		d.t.Errorf("%s gives %v and\n%q, want\n%q", command, err, got, want)
	}
	return r.Changed
}

func TestRunShell(t *testing.T) {
	d := newDesk(t)
	d.write("old", "x")
	d.write("edit", "x")
	d.wantShell(`{"command":"cat old; echo oops >&2; exit 3"}`, "exit code 3 after T\nstdout:\nx\nstderr:\noops\n")
	d.wantShell(`{"command":"true"}`, "exit code 0 after T\n")
	changed := d.wantShell(`{"command":"mkdir sub; echo 1 > sub/new; echo 2 > edit; rm old"}`, "exit code 0 after T\nchanged: edit, sub/new\nremoved: old\n")
	if !slices.Equal(changed, []string{"edit", "sub/new"}) {
		t.Errorf("changed %v", changed)
	}
	d.wantShell(`{"command":"sleep 600 & exit 0"}`, "exit code 0 after T\n")
	d.wantError("run_shell", `{"command":" "}`, akitad.InvalidRequest, "empty")
	d.wantError("run_shell", `{"command":"x","timeout_s":61}`, akitad.InvalidRequest, "at most 60")
	d.wantError("run_shell", `{"command":"rm -rf /data/old`, akitad.InvalidRequest, "nothing was run")
}

func TestRunShellTimeOut(t *testing.T) {
	d := newDesk(t)
	r, err := d.call("run_shell", `{"command":"echo begun > log; echo begun; sleep 600","timeout_s":4}`)
	if akitad.KindOf(err) != akitad.Timeout || !strings.Contains(err.Error(), "stdout:\nbegun\n") {
		t.Errorf("%v", err)
	}
	if !slices.Equal(r.Changed, []string{"log"}) {
		t.Errorf("changed %v", r.Changed)
	}
}

// The owner says how long a command may run, and the tool's schema says it to the model.
func TestRunShellTime(t *testing.T) {
	var asked sandbox.Limits
	d := newDesk(t)
	d.use(builtin.Deps{ShellTime: 90 * time.Second, Sandbox: runnerFunc(func(c sandbox.Command) sandbox.Output {
		asked = c.Limits
		return sandbox.Output{}
	})})
	for _, tt := range []struct {
		args string
		want time.Duration
	}{{`{"command":"x"}`, 90 * time.Second}, {`{"command":"x","timeout_s":61}`, 61 * time.Second}, {`{"command":"x","timeout_s":5}`, 5 * time.Second}} {
		if _, err := d.call("run_shell", tt.args); err != nil || asked.Time != tt.want {
			t.Errorf("%s: may run %v, want %v: %v", tt.args, asked.Time, tt.want, err)
		}
	}
	d.wantError("run_shell", `{"command":"x","timeout_s":91}`, akitad.InvalidRequest, "at most 90")
	d.use(builtin.Deps{ShellTime: time.Second, Sandbox: sandbox.New(sandbox.Options{Hidden: []string{d.home}})})
	d.wantError("run_shell", `{"command":"sleep 600"}`, akitad.Timeout, "stopped after 1s")
}

type runnerFunc func(sandbox.Command) sandbox.Output

func (f runnerFunc) Run(_ context.Context, c sandbox.Command) (sandbox.Output, error) {
	return f(c), nil
}

// What others write while a command waits for its place is none of its work, nor is anything if it never
// got one.
func TestRunShellCountsFromItsBeginning(t *testing.T) {
	d := newDesk(t)
	for begins, want := range map[bool][]string{true: {"mine"}, false: nil} {
		d.use(builtin.Deps{Sandbox: runnerFunc(func(c sandbox.Command) sandbox.Output {
			d.write("theirs", fmt.Sprint(begins))
			if begins {
				d.must(c.Begin())
				d.write("mine", "x")
			}
			return sandbox.Output{}
		})})
		if r, err := d.call("run_shell", `{"command":"x"}`); err != nil || !slices.Equal(r.Changed, want) {
			t.Errorf("begun %v: changed %v, want %v: %v", begins, r.Changed, want, err)
		}
	}
}

// A given file that a command changed is no work of the task, and comes back when it is placed again.
func TestRunShellLeavesGivenFiles(t *testing.T) {
	d := newDesk(t)
	d.must(d.dir.Place("given", []byte("given\n")))
	if changed := d.wantShell(`{"command":"chmod 600 given; echo mine > given"}`, "exit code 0 after T\nchanged: given\n"); len(changed) > 0 {
		t.Errorf("changed %v", changed)
	}
	d.must(d.dir.Place("given", []byte("given\n")))
	d.wantShell(`{"command":"cat given"}`, "exit code 0 after T\nstdout:\ngiven\n")
}

// brokenRunner answers every command with one output.
type brokenRunner struct {
	out sandbox.Output
	err error
}

func (b brokenRunner) Run(context.Context, sandbox.Command) (sandbox.Output, error) {
	return b.out, b.err
}

func TestRunShellWithoutSandbox(t *testing.T) {
	d := newDesk(t)
	d.use(builtin.Deps{})
	d.wantError("run_shell", `{"command":"true"}`, akitad.Unavailable, "no sandbox")
	d.use(builtin.Deps{Sandbox: sandbox.New(sandbox.Options{Rungs: []string{"none"}})})
	d.wantError("run_shell", `{"command":"true"}`, akitad.Unavailable, "no such rung")
	d.use(builtin.Deps{Sandbox: brokenRunner{out: sandbox.Output{Exceeded: "memory", ExitCode: -1, Stdout: []byte("part\n")}}})
	d.wantError("run_shell", `{"command":"true"}`, akitad.ToolFailed, "too much: memory\nexit code -1 after 0.0 s\nstdout:\npart\n")
}

// What is beyond the limit of what is shown is not lost: it comes beside.
func TestRunShellKeepsAllOutput(t *testing.T) {
	d := newDesk(t)
	r, err := d.call("run_shell", `{"command":"seq 1 400000; echo oops >&2"}`)
	if err != nil || !strings.Contains(r.Text, "bytes left out") || strings.Contains(r.Text, "\n200000\n") {
		t.Fatalf("%d bytes are shown, %v", len(r.Text), err)
	}
	for _, part := range []string{"exit code 0", "stdout:\n1\n", "\n200000\n", "\n400000\n", "stderr:\noops\n"} {
		if !strings.Contains(r.Whole, part) {
			t.Errorf("the whole output of %d bytes lacks %q", len(r.Whole), part)
		}
	}
	if r, err := d.call("run_shell", `{"command":"echo x"}`); err != nil || r.Whole != "" {
		t.Errorf("a short output is kept twice: %q, %v", r.Whole, err)
	}
}
