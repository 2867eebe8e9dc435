package access

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/akitad/akitad/internal/bus"
)

// record is what is kept of a channel.
type record struct {
	People  []Person          `json:"people,omitempty"`
	Denied  []Person          `json:"denied,omitempty"`
	Pending []pending         `json:"pending,omitempty"`
	Past    []pending         `json:"past,omitempty"`  // codes whose time is up, for a day
	Moved   map[string]string `json:"moved,omitempty"` // new id of a chat -> the one before
	Chats   map[string]string `json:"chats,omitempty"` // an owner -> the private chat they wrote in last
}

// Person is somebody whom an owner let in, or shut out.
type Person struct {
	ID   string    `json:"id"`
	Name string    `json:"name,omitempty"` // as the service had it then
	At   time.Time `json:"at"`
	By   string    `json:"by,omitempty"` // who decided: "cli", or "telegram:7"
}

// book keeps the record in one key of the bus.
type book struct {
	bus *bus.Bus
	key string
}

func (b book) read(ctx context.Context) (rec record, rev uint64, err error) {
	kv, err := b.bus.KV(ctx, "akita")
	if err != nil {
		return rec, 0, err
	}
	body, rev, err := kv.Get(ctx, b.key)
	if err != nil || len(body) == 0 {
		return rec, rev, err
	}
	if err := json.Unmarshal(body, &rec); err != nil {
		return rec, rev, fmt.Errorf("read %s: %w", b.key, err)
	}
	return rec, rev, nil
}

// change applies do to what is kept, by compare-and-set; do may run several times. An error of do
// leaves everything as it was.
func (b book) change(ctx context.Context, now time.Time, do func(*record) error) error {
	kv, err := b.bus.KV(ctx, "akita")
	if err != nil {
		return err
	}
	for {
		rec, rev, err := b.read(ctx)
		if err != nil {
			return err
		}
		rec.expire(now)
		if err := do(&rec); err != nil {
			return err
		}
		body, err := json.Marshal(rec)
		if err != nil {
			return fmt.Errorf("write %s: %w", b.key, err)
		}
		if _, err = kv.Update(ctx, b.key, body, rev); !errors.Is(err, bus.ErrConflict) {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
}

func (r record) knows(who []string) bool  { return holds(r.People, who) }
func (r record) denies(who []string) bool { return holds(r.Denied, who) }

func holds(list []Person, who []string) bool {
	return slices.ContainsFunc(list, func(p Person) bool { return slices.Contains(who, p.ID) })
}

func without(list []Person, id string) []Person {
	return slices.DeleteFunc(list, func(p Person) bool { return p.ID == id })
}

// names lists the ids that a chat has had, the present one first.
func (r record) names(chat string) []string {
	out := []string{chat}
	for {
		before, ok := r.Moved[out[len(out)-1]]
		if !ok || slices.Contains(out, before) {
			return out
		}
		out = append(out, before)
	}
}

// first returns the id that a chat had first.
func (r record) first(chat string) string {
	all := r.names(chat)
	return all[len(all)-1]
}
