package pool

import (
	"context"
	"errors"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/workspace"
)

// Instance is a live agent of a profile. What belongs to one task is bound to it while it is lent
// and gone when it comes back.
type Instance struct {
	ID      string
	Profile akitad.Profile
	Tools   []tool.Tool // the profile's own; Loaded adds to them for one lease

	// Bound while lent.
	Dir     *workspace.Dir
	Session akitad.SessionKey
	Env     map[string]string // of the shell
	Loaded  []tool.Tool       // found and loaded by the task
	Window  any               // what the last window left to build the next one faster
	stops   []func() error    // background work of the task: processes, watches

	shut func(context.Context) error

	opened   bool
	uses     int
	lastUsed time.Time
	lastFor  akitad.SessionKey
}

// AtReset registers what must be stopped when the instance is given back.
func (i *Instance) AtReset(stop func() error) { i.stops = append(i.stops, stop) }

// Reused reports whether another task was served by this instance before.
func (i *Instance) Reused() bool { return i.uses > 1 }

// reset makes the instance as clean as a new one.
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
