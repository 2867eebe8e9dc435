package orchestrator

import (
	"context"
	"time"

	"github.com/akitad/akitad"
)

// DayBudget caps what one person's tasks may use between two midnights of this machine's clock. 0 is
// no cap. Who comes without a name, as over HTTP, shares the channel's.
type DayBudget struct {
	Tokens int     // input that no cache held, and output
	Money  float64 // in the owner's currency, by the endpoints' prices
}

// over reports whether a usage has reached the cap.
func (b DayBudget) over(u akitad.Usage) bool {
	tokens := max(0, u.Input-u.Cached) + u.Output
	return b.Tokens > 0 && tokens >= b.Tokens || b.Money > 0 && u.Cost >= b.Money
}

// overDay gives the refusal for a message whose person has used up the day, nil if it may become a
// task. What is a task already stays one. The listing's figures count, which are seconds old at most;
// a task that runs is not cut off.
func (o *Orchestrator) overDay(ctx context.Context, m akitad.Message, now time.Time) (*akitad.Failure, error) {
	if o.opts.Day == (DayBudget{}) {
		return nil, nil
	}
	if t, err := o.Journal.Load(ctx, m.Task); err != nil || t.Exists() {
		return nil, err
	}
	return o.dayFailure(ctx, m.Origin.Channel, m.Origin.Sender, now)
}

func (o *Orchestrator) dayFailure(ctx context.Context, channel, sender string, now time.Time) (*akitad.Failure, error) {
	y, mo, d := now.Date()
	used, err := o.Projection.Used(ctx, channel, sender, time.Date(y, mo, d, 0, 0, 0, 0, now.Location()))
	if err != nil || !o.opts.Day.over(used) {
		return nil, err
	}
	reset := time.Date(y, mo, d+1, 0, 0, 0, 0, now.Location())
	return &akitad.Failure{
		Kind: akitad.OverBudget, Message: "the budget for today is used up; it begins anew at " + reset.Format(time.RFC3339),
		Hint: "try again then, or raise budgets.person_tokens or budgets.person_money", Until: &reset,
	}, nil
}

// checkDay refuses a request at the door, so that it need not become a task to be told.
func (o *Orchestrator) checkDay(ctx context.Context, m akitad.Message) error {
	why, err := o.overDay(ctx, m, time.Now())
	if err != nil || why == nil {
		return err
	}
	return why.Err()
}
