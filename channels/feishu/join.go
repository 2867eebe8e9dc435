package feishu

import (
	"bytes"
	"strconv"
	"time"
)

const (
	joinWindow = 5 * time.Second // fragments that come later than this are not joined
	maxParts   = 256             // fragments of one event
	maxJoined  = 8 << 20         // bytes of the fragments that are held at a time
	maxJoins   = 64              // events that are held at a time
)

// joiner puts events together that come in several frames. Time is passed in.
type joiner struct {
	open map[string]*puzzle
	size int
}

type puzzle struct {
	parts [][]byte
	left  int
	size  int
	began time.Time
}

func newJoiner() *joiner { return &joiner{open: map[string]*puzzle{}} }

// add takes a frame's payload and gives the whole event once all of it is there. Fragments that make no
// sense are dropped: the service sends the event again.
func (j *joiner) add(now time.Time, f *frame) (whole []byte, ok bool) {
	sum, serr := strconv.Atoi(f.get("sum"))
	if serr != nil || sum <= 1 {
		return f.payload, true
	}
	seq, err := strconv.Atoi(f.get("seq"))
	id := f.get("message_id")
	if err != nil || seq < 0 || seq >= sum || sum > maxParts || id == "" {
		return nil, false
	}
	j.expire(now)
	p := j.open[id]
	if p == nil || len(p.parts) != sum {
		j.forget(id)
		p = &puzzle{parts: make([][]byte, sum), left: sum, began: now}
		j.open[id] = p
	}
	if p.parts[seq] == nil {
		p.parts[seq] = append([]byte{}, f.payload...)
		p.left--
		p.size += len(f.payload)
		j.size += len(f.payload)
	}
	if p.left > 0 {
		j.shrink()
		return nil, false
	}
	j.forget(id)
	return bytes.Join(p.parts, nil), true
}

func (j *joiner) expire(now time.Time) {
	for id, p := range j.open {
		if now.Sub(p.began) > joinWindow {
			j.forget(id)
		}
	}
}

// shrink drops the oldest when too much is held.
func (j *joiner) shrink() {
	for len(j.open) > maxJoins || j.size > maxJoined {
		oldest := ""
		for id, p := range j.open {
			if oldest == "" || p.began.Before(j.open[oldest].began) {
				oldest = id
			}
		}
		j.forget(oldest)
	}
}

func (j *joiner) forget(id string) {
	if p := j.open[id]; p != nil {
		j.size -= p.size
		delete(j.open, id)
	}
}
