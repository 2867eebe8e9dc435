package feishu

import "sync"

// maxOwn is how many messages are remembered.
const maxOwn = 4096

// memo remembers one fact of each of the newest messages: that the bot wrote it, that it was taken.
type memo struct {
	mu   sync.Mutex
	own  map[string]bool
	ring []string
	next int
}

func newMemo() *memo { return &memo{own: map[string]bool{}, ring: make([]string, maxOwn)} }

func (m *memo) put(id string, own bool) {
	if id == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, known := m.own[id]; !known {
		delete(m.own, m.ring[m.next])
		m.ring[m.next] = id
		m.next = (m.next + 1) % len(m.ring)
	}
	m.own[id] = own
}

func (m *memo) get(id string) (own, known bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	own, known = m.own[id]
	return own, known
}
