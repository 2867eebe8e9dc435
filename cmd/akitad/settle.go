package main

import (
	"context"
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/tracing"
)

// A process that ends with its task waits this long for what comes after the end.
const (
	settleTime = 3 * time.Second
	settleLook = 20 * time.Millisecond
)

// settle waits until the orchestrator has seen the task's end, which closes its trace: stopping
// sooner would leave that to the next start.
func (l *local) settle(ctx context.Context, id akitad.TaskID) error {
	ctx, cancel := context.WithTimeout(ctx, settleTime)
	defer cancel()
	tick := time.NewTicker(settleLook)
	defer tick.Stop()
	for {
		closed, err := l.closed(ctx, id)
		if closed || ctx.Err() != nil {
			return nil // the next start does what was not done in time
		}
		if err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// closed reports whether the task's own span has ended.
func (l *local) closed(ctx context.Context, id akitad.TaskID) (bool, error) {
	closed := false
	err := l.app.Bus.ReadSpans(ctx, tracing.TraceID(id), func(body []byte) error {
		var s akitad.Span
		if err := json.Unmarshal(body, &s); err != nil {
			return err
		}
		closed = closed || (s.SpanID == tracing.TaskSpanID(id) && s.End != nil)
		return nil
	})
	return closed, err
}
