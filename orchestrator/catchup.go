package orchestrator

import (
	"context"

	"github.com/akitad/akitad"
)

// CatchUp brings the read model up to the current end of the journals and returns. It is for a process that
// lists tasks without running an orchestrator.
func (o *Orchestrator) CatchUp(ctx context.Context) error {
	cursor, err := o.cursor(ctx)
	if err != nil {
		return err
	}
	f := &feeder{o: o, dirty: map[akitad.TaskID]uint64{}, cursor: cursor}
	if err := o.Bus.ScanTasks(ctx, []string{"akita.task.>"}, cursor+1, f.saw); err != nil {
		return err
	}
	return f.flush(ctx)
}
