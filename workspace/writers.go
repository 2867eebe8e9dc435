package workspace

import (
	"fmt"
	"sync"

	"github.com/akitad/akitad"
)

// writers knows which running task writes which path of one folder.
type writers struct {
	mu      sync.Mutex
	running map[akitad.TaskID]int
	owner   map[string]akitad.TaskID
}

// Begin says that a task runs in the folder from now until end is called: what it writes meanwhile
// is its own. A task that gives its place back, to wait or for good, must call end, so that those
// it waits for may go on with its files. Calls of end after the first do nothing.
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

// Own makes a path the task's own for as long as it runs. While another running task owns it, the
// answer is permission_denied naming both. A task that never began owns nothing and is not refused.
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
