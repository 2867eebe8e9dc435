package workspace

import (
	"fmt"
	"sync"

	"github.com/akitad/akitad"
)

// writers records which running task writes which path of one folder.
type writers struct {
	mu      sync.Mutex
	running map[akitad.TaskID]int
	owner   map[string]akitad.TaskID
}

// Begin registers that a task runs in the folder until end is called; the paths that it writes meanwhile belong to
// it. end must be called when the task ends or begins to wait, so that the tasks for which it waits can write its
// files. Further calls of end do nothing.
func (d *Dir) Begin(task akitad.TaskID) (end func()) {
	w := &d.folder.writers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running == nil {
		w.running, w.owner = map[akitad.TaskID]int{}, map[string]akitad.TaskID{}
	}
	w.running[task]++
	return sync.OnceFunc(func() { w.end(task) })
}

func (w *writers) end(task akitad.TaskID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[task]--; w.running[task] > 0 {
		return
	}
	delete(w.running, task)
	for name, owner := range w.owner {
		if owner == task {
			delete(w.owner, name)
		}
	}
}

// Own reserves a path for a task as long as it runs. If another running task owns the path, the error is
// permission_denied and names both. A task for which Begin was not called owns nothing and is not refused.
func (d *Dir) Own(task akitad.TaskID, name string) error {
	name, err := clean("write", name)
	if err != nil {
		return err
	}
	w := &d.folder.writers
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.running[task] == 0 {
		return nil
	}
	if owner, ok := w.owner[name]; ok && owner != task {
		return denied("write", name, fmt.Errorf("task %s is writing it, and so is task %s", owner, task), "write to a file of your own name")
	}
	w.owner[name] = task
	return nil
}
