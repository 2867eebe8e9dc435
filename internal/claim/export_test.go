package claim

import (
	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// ID returns the id of the claimed task.
func (c *Claim) ID() akitad.TaskID { return c.task.ID }

// Epoch returns the sequence of the claim's event.
func (c *Claim) Epoch() uint64 { return c.epoch }

// See calls look with the current fold of the task. look must not keep or change it.
func (c *Claim) See(look func(*journal.Task)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	look(c.task)
}
