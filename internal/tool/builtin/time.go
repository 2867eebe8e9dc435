package builtin

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/akitad/akitad/internal/tool"
)

//go:embed time.md
var clockText string

type clockArgs struct{}

type clock struct {
	described
	now func() time.Time
}

func newClock(now func() time.Time) tool.Tool {
	return clock{describe[clockArgs](tool.Info{
		Name: "time", Category: system, Description: clockText,
		Readonly: true, Idempotent: true, ParallelSafe: true, Risk: tool.RiskRead,
	}), now}
}

// Call tells the time.
func (t clock) Call(context.Context, tool.Input) (tool.Result, error) {
	now := t.now()
	zone, _ := now.Zone()
	text := fmt.Sprintf("now: %s\nzone: %s (UTC%s)\nweekday: %s\n", now.Format(time.RFC3339), zone, now.Format("-07:00"), now.Weekday())
	return tool.Result{Text: text}, nil
}
