package sandbox

import (
	"fmt"
	"sync"
)

// capture keeps the head and the tail of what is written to it, within a limit of bytes, and beside that
// the beginning up to another, larger one.
type capture struct {
	mu    sync.Mutex
	limit int
	most  int    // bytes of whole; below limit there is none
	whole []byte // what was written first
	total int64
	head  []byte
	tail  []byte // a ring once it is full
	at    int    // where the ring begins
}

// Write never fails, so that a program is not stopped by its own noise.
func (c *capture) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(p)
	c.total += int64(n)
	if room := c.most - len(c.whole); room > 0 && c.most > c.limit {
		c.whole = append(c.whole, p[:min(room, n)]...)
	}
	if room := c.limit - c.limit/2 - len(c.head); room > 0 {
		room = min(room, len(p))
		c.head = append(c.head, p[:room]...)
		p = p[room:]
	}
	c.keepTail(p)
	return n, nil
}

func (c *capture) keepTail(p []byte) {
	size := c.limit / 2
	if len(p) > size {
		p = p[len(p)-size:]
	}
	if room := min(size-len(c.tail), len(p)); room > 0 {
		c.tail = append(c.tail, p[:room]...)
		p = p[room:]
	}
	for len(p) > 0 {
		n := copy(c.tail[c.at:], p)
		p = p[n:]
		c.at = (c.at + n) % size
	}
}

// all returns what result leaves out too, as far as it is kept: of more, the beginning and the end. It is nil
// if result leaves nothing out, or all that there is.
func (c *capture) all() []byte {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total <= int64(c.limit) || len(c.whole) == 0 {
		return nil
	}
	more := c.total - int64(len(c.whole))
	if more <= 0 {
		return c.whole
	}
	tail := append(append([]byte{}, c.tail[c.at:]...), c.tail[:c.at]...)
	tail = tail[max(0, int64(len(tail))-more):]
	out := c.whole[:len(c.whole):len(c.whole)]
	if missing := more - int64(len(tail)); missing > 0 {
		out = fmt.Appendf(out, "\n[... %d bytes left out ...]\n", missing)
	}
	return append(out, tail...)
}

// result returns what was kept; between head and tail it says how much is missing.
func (c *capture) result() (data []byte, truncated bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	data = append(data, c.head...)
	if missing := c.total - int64(len(c.head)+len(c.tail)); missing > 0 {
		truncated = true
		data = fmt.Appendf(data, "\n[... %d bytes left out ...]\n", missing)
	}
	data = append(data, c.tail[c.at:]...)
	return append(data, c.tail[:c.at]...), truncated
}
