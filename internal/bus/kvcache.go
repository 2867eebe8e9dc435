package bus

import (
	"maps"
	"slices"
	"sync"
)

// Limits on what is cached of a bucket; everything else is read from the server.
const (
	keptKeys  = 2048
	keptValue = 2 << 10 // bytes; a longer value is not cached
)

// kvCache caches the values of keys. It must see every change, so only the buckets of a server that no other
// process can reach have one. A nil cache is valid and empty.
type kvCache struct {
	mu    sync.Mutex
	slots map[string]*kvSlot
	clock uint64
	blind bool // there were too many doubts to keep: nothing is cached any more
}

// kvSlot is the cached state of one key. Its mark changes with each change of the key.
type kvSlot struct {
	mark  uint64
	known bool
	doubt bool   // a change whose answer was lost may still take effect
	value []byte // nil: the key does not exist
	rev   uint64
}

// get returns the cached value of a key, or else the mark that must be passed to learn after a read.
func (c *kvCache) get(key string) (value []byte, rev uint64, known bool, mark uint64) {
	if c == nil {
		return nil, 0, false, 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.slot(key)
	return slices.Clone(s.value), s.rev, s.known, s.mark
}

// change drops a key that is about to change, or may have changed. The returned mark is passed to changed.
func (c *kvCache) change(key string) (mark uint64) {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.forget(key).mark
}

// doubt stops caching a key until the next change that succeeds, because the server applies that one after
// all earlier requests.
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

// changed caches the result of a change, if it was the only change since its mark was given. Otherwise it is
// not known which change was the last, and the key is dropped again.
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

// learn caches a value that was read, unless the key has changed since the mark was given, is in doubt, or is
// cached already.
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

// slot returns a key's slot. A new slot gets a mark that was never given before.
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

// makeRoom drops all cached values, but not the doubts: a value that is read afterwards could be older than a
// change that is still to take effect. If doubts fill half of the cache, caching ends for good.
func (c *kvCache) makeRoom() {
	maps.DeleteFunc(c.slots, func(_ string, s *kvSlot) bool { return !s.doubt })
	if len(c.slots) > keptKeys/2 {
		c.blind = true
		clear(c.slots)
	}
}
