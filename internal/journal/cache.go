package journal

import (
	"container/list"
	"sync"
	"time"

	"github.com/akitad/akitad"
)

// Limits on the folds that a Journal keeps. A kept fold takes about twice the size of its payloads in memory.
const (
	keptBytes = 4 << 20     // payload bytes of all kept folds
	keptOne   = 512 << 10   // a larger fold is not kept
	keptFor   = time.Minute // a fold that is not used for this long is dropped: another process may have purged the task
)

// kept is a cache of recent folds, so that loading a task again reads only its new events. Folds are copied
// on the way in and out. The zero value is an empty cache.
type kept struct {
	mu    sync.Mutex
	byID  map[akitad.TaskID]*list.Element
	order list.List // of *keptFold, most recently used first
	bytes int
}

type keptFold struct {
	task *Task
	used time.Time
}

// get returns a copy of a task's kept fold, nil if there is none.
func (k *kept) get(id akitad.TaskID, now time.Time) *Task {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.expire(now)
	el := k.byID[id]
	if el == nil {
		return nil
	}
	k.order.MoveToFront(el)
	f := folded(el)
	f.used = now
	return f.task.clone()
}

// put keeps a copy of t, unless a newer fold of the task is kept.
func (k *kept) put(t *Task, now time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if el := k.byID[t.ID]; el != nil {
		if folded(el).task.Seq > t.Seq {
			return
		}
		k.drop(el)
	}
	k.expire(now)
	if !t.Exists() || t.bytes > keptOne {
		return
	}
	if k.byID == nil {
		k.byID = map[akitad.TaskID]*list.Element{}
	}
	k.byID[t.ID] = k.order.PushFront(&keptFold{t.clone(), now})
	for k.bytes += t.bytes; k.bytes > keptBytes; {
		k.drop(k.order.Back())
	}
}

// forget drops a task's fold.
func (k *kept) forget(id akitad.TaskID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if el := k.byID[id]; el != nil {
		k.drop(el)
	}
}

// expire drops folds that were not used for keptFor.
func (k *kept) expire(now time.Time) {
	for el := k.order.Back(); el != nil && now.Sub(folded(el).used) > keptFor; el = k.order.Back() {
		k.drop(el)
	}
}

func (k *kept) drop(el *list.Element) {
	t := folded(el).task
	k.order.Remove(el)
	delete(k.byID, t.ID)
	k.bytes -= t.bytes
}

func folded(el *list.Element) *keptFold { return el.Value.(*keptFold) }
