package pool

import (
	"context"
	"errors"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/workspace"
)

// Instance is an open agent of a profile. While it is lent, it also holds the folder of the task's session.
type Instance struct {
	ID      string
	Profile akitad.Profile
	Tools   []tool.Tool
	Dir     *workspace.Dir // set by the borrower; closed and cleared when the instance is released

	shut func(context.Context) error // closes what the tools hold; may be nil

	opened   bool
	uses     int
	lastUsed time.Time
	lastFor  akitad.SessionKey
}

// Reused reports whether the instance has served another task before.
func (i *Instance) Reused() bool { return i.uses > 1 }

// reset clears everything that belongs to the task.
func (i *Instance) reset() error {
	dir := i.Dir
	i.Dir = nil
	if dir == nil {
		return nil
	}
	return dir.Close()
}

func (i *Instance) close(ctx context.Context) error {
	err := i.reset()
	if i.shut != nil {
		err = errors.Join(err, i.shut(ctx))
	}
	return err
}
