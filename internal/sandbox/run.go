package sandbox

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

const (
	killGrace = 500 * time.Millisecond // for the streams to end after the program has
	watchTick = 50 * time.Millisecond
)

// streams are where a program's output goes, and its input.
type streams struct {
	stdin          []byte
	stdout, stderr *capture
}

func (l Limits) capture() *capture { return &capture{limit: l.OutputBytes, most: l.WholeBytes} }

func (st streams) attach(cmd *exec.Cmd) {
	if len(st.stdin) > 0 {
		cmd.Stdin = bytes.NewReader(st.stdin)
	}
	cmd.Stdout, cmd.Stderr = st.stdout, st.stderr
	cmd.WaitDelay = killGrace
}

// process is a started sandbox.
type process struct {
	cmd    *exec.Cmd
	first  int      // host pid of the first process of the namespace; its end is the end of all
	handle *os.File // pidfd of first
	status func() (code int, err error)
	close  func()
}

// hold opens a handle on the first process, so that a kill never hits another that got its pid.
func (p *process) hold(pid int) error {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return err
	}
	p.first, p.handle = pid, os.NewFile(uintptr(fd), "pidfd")
	return nil
}

// kill ends every process of the sandbox at once.
func (p *process) kill() {
	if p.handle != nil {
		_ = unix.PidfdSendSignal(int(p.handle.Fd()), unix.SIGKILL, nil, 0)
	}
	_ = p.cmd.Process.Kill()
}

// run starts the command on one rung, watches it, and waits until nothing of it is left.
func (s *Sandbox) run(ctx context.Context, r *rung, c Command) (Output, error) {
	if ctx.Err() != nil {
		return Output{ExitCode: -1}, ended(ctx)
	}
	l, err := makeLayout(s.opts.Hidden)
	if err != nil {
		return Output{}, err
	}
	if c.Dir, err = filepath.EvalSymlinks(c.Dir); err != nil {
		return Output{}, err
	}
	if l.Void, err = foreign(c.Dir); err != nil {
		return Output{}, err
	}
	// The kernel kills the program when the thread that started it ends, so that a killed daemon
	// leaves none behind. This goroutine keeps its thread until the program is gone.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if c.Network {
		theirs, stop, err := lend(s.opts.Dial)
		if err != nil {
			return Output{}, err
		}
		defer stop()
		c.proxy, c.Env = theirs, proxied(c.Env)
	}
	st := streams{c.Stdin, c.Limits.capture(), c.Limits.capture()}
	begun := time.Now()
	p, err := r.start(l, c, st)
	if err != nil {
		return Output{}, err
	}
	stopped := p.wait(ctx, c.Limits)
	out := Output{Duration: time.Since(begun), TimedOut: stopped == stopTime, ExitCode: -1}
	var cutOut, cutErr bool
	out.Stdout, cutOut = st.stdout.result()
	out.Stderr, cutErr = st.stderr.result()
	out.Truncated = cutOut || cutErr
	out.Whole = Whole{st.stdout.all(), st.stderr.all()}
	return s.conclude(ctx, p, stopped, out)
}

func (s *Sandbox) conclude(ctx context.Context, p *process, stopped stop, out Output) (Output, error) {
	defer p.close()
	switch stopped {
	case stopContext:
		return out, ended(ctx)
	case stopMemory, stopProcesses:
		out.Exceeded = string(stopped)
		return out, nil
	case stopTime:
		return out, nil
	}
	code, err := p.status()
	out.ExitCode = code
	return out, err
}

// wait returns when the program has ended or was stopped, and why. All its processes are gone.
func (p *process) wait(ctx context.Context, l Limits) stop {
	watched := make(chan stop, 1)
	done := make(chan struct{})
	go func() { watched <- p.watch(ctx, l, done) }()
	err := p.cmd.Wait()
	close(done)
	p.kill() // a background child may live on after the leader
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	return <-watched
}
