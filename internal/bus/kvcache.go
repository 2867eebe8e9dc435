package bus

import (
	"maps"
	"slices"
	"sync"
)

// What a bucket keeps in memory at most; beyond it, all is asked for anew.
const (
	keptKeys  = 2048
	keptValue = 2 << 10 // bytes; a longer value is not kept
)

// kvCache holds what keys are known to be. It is right only while every change is told to it, so only the
// buckets of a server that no other process can reach have one. A nil cache knows nothing.
type kvCache struct {
	mu    sync.Mutex
	slots map[string]*kvSlot
	clock uint64
	blind bool // there were more doubts than it keeps: it knows nothing any more
}

// kvSlot is what is known of one key. Its mark is another one after each change.
type kvSlot struct {
	mark  uint64
	known bool
	doubt bool   // a change may still come whose answer was lost
	value []byte // nil: the key is absent
	rev   uint64
}

// get gives what a key is, if that is known, and else the mark with which to tell what was read.
func (c *kvCache) get(key string) (value []byte, rev uint64, known bool, mark uint64) {
	if c == nil {
		return nil, 0, false, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slot(key)
	return slices.Clone(s.value), s.rev, s.known, s.mark
}

// change forgets a key: it is about to change, or may have. The mark is for telling what came of it.
func (c *kvCache) change(key string) (mark uint64) {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forget(key).mark
}

// doubt forgets a key until the next change that succeeds, which comes after all that were asked for before it.
func (c *kvCache) doubt(key string) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.forget(key).doubt = true
}

func (c *kvCache) forget(key string) *kvSlot {
	s := c.slot(key)
	c.clock++
	*s = kvSlot{mark: c.clock, doubt: s.doubt}
	return s
}

// changed keeps what a change made of a key, if it was the only one since its mark was given. If not, nobody knows which
// of them came last, nor what was read meanwhile: the key is forgotten once more.
func (c *kvCache) changed(key string, value []byte, rev, mark uint64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slots[key]
	if s == nil || s.mark != mark {
		c.forget(key)
		return
	}
	s.doubt = false
	if !c.blind {
		s.learn(value, rev)
	}
}

// learn keeps what was read of a key, unless it has changed since the mark was given, may still change, or more is known.
func (c *kvCache) learn(key string, value []byte, rev, mark uint64) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if s := c.slots[key]; s != nil && s.mark == mark && !s.doubt && !c.blind {
		s.learn(value, rev)
	}
}

func (s *kvSlot) learn(value []byte, rev uint64) {
	if len(value) <= keptValue && (!s.known || s.rev < rev) {
		s.known, s.value, s.rev = true, slices.Clone(value), rev
	}
}

// slot gives a key's slot. The mark of a new one is none that was ever given.
func (c *kvCache) slot(key string) *kvSlot {
	if s := c.slots[key]; s != nil {
		return s
	}
	if c.slots == nil {
		c.slots = map[string]*kvSlot{}
	}
	if len(c.slots) >= keptKeys {
		c.makeRoom()
	}
	c.clock++
	s := &kvSlot{mark: c.clock}
	c.slots[key] = s
	return s
}

// makeRoom forgets what is known, but no doubt: what is read after it could be older than a change that is still on its way.
// Where the doubts alone fill the half, it knows nothing from then on rather than something that may be wrong.
func (c *kvCache) makeRoom() {
	maps.DeleteFunc(c.slots, func(_ string, s *kvSlot) bool { return !s.doubt })
	if len(c.slots) > keptKeys/2 {
		c.blind = true
		clear(c.slots)
	}
}
