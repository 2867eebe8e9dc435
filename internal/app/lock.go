package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/akitad/akitad"
)

// ErrLocked says that another process uses the home.
var ErrLocked = errors.New("the home is in use")

// lock takes the home for this process. A home that another process holds is an error of kind
// unavailable that names it.
func lock(file string) (unlock func() error, err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(file, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		holder := readHolder(file)
		return nil, errors.Join(f.Close(), akitad.Errorf(akitad.Unavailable, "another akitad (process %s) uses %s: %w", holder, filepath.Dir(filepath.Dir(file)), ErrLocked).
			WithHint("talk to it with akitad run or the HTTP API, stop it, or choose another home with AKITA_HOME"))
	}
	if err := f.Truncate(0); err == nil {
		_, err = f.WriteAt([]byte(fmt.Sprint(os.Getpid())), 0)
		if err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	return f.Close, nil // closing gives the lock back
}

// takeName makes the node's name this process's. Who has a copy of the home, and shares the NATS server, has it too.
func (a *App) takeName(ctx context.Context) error {
	taken, err := a.Bus.TakeName(ctx, a.Node)
	if err != nil || !taken {
		return err
	}
	return akitad.Errorf(akitad.Unavailable, "another akitad on this NATS server is node %s too: is one home a copy of the other?", a.Node).
		WithHint("remove " + a.Config.Path.Node + " if this home is to be one of its own, or stop the other one")
}

func readHolder(file string) string {
	b, err := os.ReadFile(file)
	if pid := strings.TrimSpace(string(b)); err == nil && pid != "" {
		return pid
	}
	return "unknown"
}
