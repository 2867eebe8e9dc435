package builtin

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sandbox"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/workspace"
)

//go:embed run_shell.md
var runShellText string

const (
	shellTime  = 60 * time.Second // unless the owner says otherwise
	shellSpare = 5 * time.Second  // to set up the sandbox and to look at the folder
	maxChanged = 20               // names of changed files that are told
)

type runShellArgs struct {
	Command string `json:"command"`
	Timeout int    `json:"timeout_s,omitempty" jsonschema:"seconds until it is stopped" default:"60" minimum:"1" maximum:"60"`
}

type runShell struct {
	described
	runner Runner
	most   time.Duration // a command may run
	net    bool
}

// shellNetwork is what the model is told of the network where there is one.
const shellNetwork = "of the network only public addresses, by HTTP (port 80) and HTTPS (port 443) through the proxy that http_proxy and https_proxy name"

// newRunShell gives the tool. A command may wait for its place in the sandbox as long as it may run.
func newRunShell(deps Deps) tool.Tool {
	most, words := max(cmp.Or(deps.ShellTime, shellTime), time.Second).Truncate(time.Second), runShellText
	if deps.Network {
		words = strings.Replace(words, "no network", shellNetwork, 1)
	}
	d := describe[runShellArgs](tool.Info{
		Name: "run_shell", Category: shell, Description: words, Timeout: 2*most + shellSpare, Risk: tool.RiskExecute,
		Unbounded: true,
	})
	d.info.Schema = bytes.ReplaceAll(d.info.Schema, []byte("60"), strconv.AppendInt(nil, int64(most/time.Second), 10))
	return runShell{d, deps.Sandbox, most, deps.Network}
}

// Call runs the command. A command that fails is no error; one that is stopped is, with its output
// so far in the message.
func (t runShell) Call(ctx context.Context, in tool.Input) (tool.Result, error) {
	var a runShellArgs
	if err := t.args(in, &a); err != nil {
		return tool.Result{}, err
	}
	if err := t.check(a, in.Scope); err != nil {
		return tool.Result{}, err
	}
	limit := time.Duration(a.Timeout) * time.Second
	if limit <= 0 {
		limit = t.most
	}
	var before workspace.Mark // when it begins: what others write while it waits for its place is not its work
	out, err := t.runner.Run(ctx, sandbox.Command{
		Argv: []string{"/bin/sh", "-c", a.Command}, Dir: in.Scope.Dir.Path(), Limits: sandbox.Limits{Time: limit}, Network: t.net,
		Begin: func() (err error) {
			if before, err = in.Scope.Dir.Mark(); err != nil {
				return err
			}
			return in.Scope.Keep()
		},
	})
	var changed, removed []string
	if before != nil {
		var merr error
		if changed, removed, merr = in.Scope.Dir.Since(before); merr != nil {
			changed, removed = nil, nil
		}
	}
	r := tool.Result{Changed: readable(in.Scope.Dir, changed), Untrusted: t.net || anyFromChat(in.Scope)}
	if err != nil {
		return r, err
	}
	r.Text, r.Exit = describeRun(out, changed, removed), out.ExitCode
	if out.Truncated {
		r.Whole = describeRun(whole(out), changed, removed)
	}
	return r, stoppedBy(out, limit, r.Text)
}

// whole gives the output with all that is kept of it in place of what is shown.
func whole(out sandbox.Output) sandbox.Output {
	for part, all := range map[*[]byte][]byte{&out.Stdout: out.Whole.Stdout, &out.Stderr: out.Whole.Stderr} {
		if all != nil {
			*part = all
		}
	}
	return out
}

func (t runShell) check(a runShellArgs, s tool.Scope) error {
	switch {
	case strings.TrimSpace(a.Command) == "":
		return akitad.Errorf(akitad.InvalidRequest, "run_shell: the command is empty")
	case s.Dir == nil:
		return akitad.Errorf(akitad.Unavailable, "run_shell: the task has no folder")
	case t.runner == nil:
		return akitad.Errorf(akitad.Unavailable, "run_shell: no sandbox is set up, so no program is run").WithHint("go on with the file tools")
	}
	return nil
}

// describeRun words what came of a run.
func describeRun(out sandbox.Output, changed, removed []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit code %d after %.1f s\n", out.ExitCode, out.Duration.Seconds())
	for _, part := range []struct {
		name string
		data []byte
	}{{"stdout", out.Stdout}, {"stderr", out.Stderr}} {
		if len(part.data) > 0 {
			text := strings.ToValidUTF8(string(part.data), "\uFFFD")
			fmt.Fprintf(&b, "%s:\n%s\n", part.name, strings.TrimSuffix(text, "\n"))
		}
	}
	tellNames(&b, "changed", changed)
	tellNames(&b, "removed", removed)
	return b.String()
}

func tellNames(b *strings.Builder, what string, names []string) {
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(b, "%s: %s", what, strings.Join(names[:min(maxChanged, len(names))], ", "))
	if more := len(names) - maxChanged; more > 0 {
		fmt.Fprintf(b, " and %d more", more)
	}
	b.WriteString("\n")
}

// stoppedBy gives the error of a command that was not let to its end.
func stoppedBy(out sandbox.Output, limit time.Duration, text string) error {
	shown, _ := tool.Clip(text)
	switch {
	case out.TimedOut:
		return akitad.Errorf(akitad.Timeout, "run_shell: stopped after %v with all it had started\n%s", limit, shown).
			WithHint("do less at a time; nothing runs on after the call")
	case out.Exceeded != "":
		return akitad.Errorf(akitad.ToolFailed, "run_shell: stopped, it used too much: %s\n%s", out.Exceeded, shown).
			WithHint("do it in smaller parts")
	}
	return nil
}

// readable leaves out what cannot be read back, such as a link to the outside, and given files:
// their original content stays on record.
func readable(d *workspace.Dir, names []string) (kept []string) {
	for _, name := range names {
		if given, err := d.Given(name); err != nil || given {
			continue
		}
		f, err := d.Open(name)
		if err != nil {
			continue
		}
		f.Close()
		kept = append(kept, name)
	}
	return kept
}

// anyFromChat reports whether the folder holds files that were sent in a chat: a command may have
// read any of them.
func anyFromChat(s tool.Scope) bool {
	if !s.Origin.Interactive() {
		return false
	}
	all, err := s.Dir.Files()
	for _, f := range all {
		if f.Mode == "ro" {
			return true
		}
	}
	return err != nil
}
