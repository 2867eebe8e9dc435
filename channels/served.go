package channels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
)

// maxServed is how many commands, or parts of albums, a channel remembers to have served: enough for all that can be handed over
// again after a crash.
const maxServed = 256

// served are the newest commands that a channel has served, or parts of albums, by the tasks that their
// messages would have become. A service may hand a message over again at any time, and a second /stop would end the next task.
type served struct {
	bus *bus.Bus
	key string
}

// read gives the tasks on the list, and the revision of the list for a change of it.
func (s served) read(ctx context.Context) (kv *bus.KV, ids []akitad.TaskID, rev uint64, err error) {
	if kv, err = s.bus.KV(ctx, "akita"); err != nil {
		return nil, nil, 0, err
	}
	body, rev, err := kv.Get(ctx, s.key)
	if err == nil && len(body) > 0 {
		if err = json.Unmarshal(body, &ids); err != nil {
			err = fmt.Errorf("read %s: %w", s.key, err)
		}
	}
	return kv, ids, rev, err
}

// has reports whether all of these were served.
func (s served) has(ctx context.Context, all ...akitad.TaskID) (bool, error) {
	_, ids, _, err := s.read(ctx)
	return !slices.ContainsFunc(all, func(id akitad.TaskID) bool { return !slices.Contains(ids, id) }), err
}

// add puts tasks at the end of the list, and drops the oldest ones if it gets too long.
func (s served) add(ctx context.Context, more ...akitad.TaskID) error {
	for {
		kv, ids, rev, err := s.read(ctx)
		if err != nil {
			return err
		}
		ids = append(slices.DeleteFunc(ids, func(id akitad.TaskID) bool { return slices.Contains(more, id) }), more...)
		body, err := json.Marshal(ids[max(0, len(ids)-maxServed):])
		if err != nil {
			return fmt.Errorf("write %s: %w", s.key, err)
		}
		if _, err = kv.Update(ctx, s.key, body, rev); !errors.Is(err, bus.ErrConflict) {
			return err
		}
	}
}
