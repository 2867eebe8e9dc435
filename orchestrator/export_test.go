package orchestrator

import (
	"context"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
)

// EndedRuns lets the tests look at what tells a plan that one of its steps has ended.
var EndedRuns = endedRuns

// Feeding gives what writes the listings, told of an event of each of some tasks.
func Feeding(d Deps, told map[akitad.TaskID]uint64, cursor uint64) func(context.Context) error {
	f := &feeder{o: &Orchestrator{Deps: d}, news: make(chan struct{}, 1), dirty: told, cursor: cursor}
	return f.flush
}

// PassTurn passes a session's turn on as the end of a task does whose fold is t.
func (o *Orchestrator) PassTurn(ctx context.Context, t *journal.Task) error {
	return o.passTurn(ctx, t)
}

// RungAt gives the time for which a timer counts.
var RungAt = rungAt

// AcceptWithoutTurn accepts a message where no turn ever comes.
func AcceptWithoutTurn(ctx context.Context) error {
	o := &Orchestrator{accepting: make(chan struct{})}
	return o.acceptInTurn(ctx, akitad.Message{})
}
