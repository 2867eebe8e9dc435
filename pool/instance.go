package pool

import (
	"context"
	"errors"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/workspace"
)

// Instance is an open agent of a profile. While it is lent, it also holds what belongs to the task, which
// is cleared when it is released.
type Instance struct {
	ID      string
	Profile akitad.Profile
	Tools   []tool.Tool // the profile's own; Loaded adds to them for one lease

	// Bound while lent.
	Dir     *workspace.Dir
	Session akitad.SessionKey
	Env     map[string]string // of the shell
	Loaded  []tool.Tool       // tools that the task has found and loaded
	Window  any               // state of the last window, to build the next one faster
	stops   []func() error    // background work of the task: processes, watches

	shut func(context.Context) error

	opened   bool
	uses     int
	lastUsed time.Time
	lastFor  akitad.SessionKey
}

// AtReset registers a function that is called when the instance is released.
func (i *Instance) AtReset(stop func() error) { i.stops = append(i.stops, stop) }

// Reused reports whether the instance has served another task before.
func (i *Instance) Reused() bool { return i.uses > 1 }

// reset clears everything that belongs to the task.
func (i *Instance) reset() error {
	var errs []error
	for n := len(i.stops) - 1; n >= 0; n-- {
		errs = append(errs, i.stops[n]())
	}
	if i.Dir != nil {
		errs = append(errs, i.Dir.Close())
	}
	i.Dir, i.Session, i.Env, i.Loaded, i.Window, i.stops = nil, "", nil, nil, nil, nil
	return errors.Join(errs...)
}

func (i *Instance) close(ctx context.Context) error {
	err := i.reset()
	if i.shut != nil {
		err = errors.Join(err, i.shut(ctx))
	}
	return err
}
