package orchestrator

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/text"
)

// DayBudget caps what one person's tasks may use between two midnights of this machine's clock. 0 is
// no cap. Who comes without a name, as over HTTP, shares the channel's.
type DayBudget struct {
	Tokens int     // input that no cache held, and output
	Money  float64 // in the owner's currency, by the endpoints' prices
	Warn   float64 // share at which a person in a chat is told, once a day; 0 for never
}

func (b DayBudget) none() bool { return b.Tokens <= 0 && b.Money <= 0 }

// share gives how much of the cap a usage is: from 1 on it is reached.
func (b DayBudget) share(u akitad.Usage) (share float64) {
	if b.Tokens > 0 {
		share = float64(max(0, u.Input-u.Cached)+u.Output) / float64(b.Tokens)
	}
	if b.Money > 0 {
		share = max(share, u.Cost/b.Money)
	}
	return share
}

// overDay gives the refusal for a message whose person has used up the day, nil if it may become a
// task. What is a task already stays one. The listing's figures count, which are seconds old at most;
// a task that runs is not cut off.
func (o *Orchestrator) overDay(ctx context.Context, m akitad.Message, now time.Time) (*akitad.Failure, error) {
	if o.opts.Day.none() {
		return nil, nil
	}
	if t, err := o.Journal.Load(ctx, m.Task); err != nil || t.Exists() {
		return nil, err
	}
	return o.dayFailure(ctx, m.Origin.Channel, m.Origin.Sender, now)
}

func (o *Orchestrator) dayFailure(ctx context.Context, channel, sender string, now time.Time) (*akitad.Failure, error) {
	share, reset, err := o.dayShare(ctx, channel, sender, now)
	if err != nil || share < 1 {
		return nil, err
	}
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

// dayShare gives how much of their day a person has used, and when the next one begins.
func (o *Orchestrator) dayShare(ctx context.Context, channel, sender string, now time.Time) (share float64, reset time.Time, err error) {
	y, mo, d := now.Date()
	used, err := o.Projection.Used(ctx, channel, sender, time.Date(y, mo, d, 0, 0, 0, 0, now.Location()))
	return o.opts.Day.share(used), time.Date(y, mo, d+1, 0, 0, 0, 0, now.Location()), err
}

// warnDay has a person in a chat told with a new task that most of their day is used: with the first
// task of the day that finds it so, whichever node accepts it and however often it comes.
func (o *Orchestrator) warnDay(ctx context.Context, m *akitad.Message, now time.Time) error {
	if o.opts.Day.none() || o.opts.Day.Warn <= 0 || !m.Origin.Interactive() {
		return nil
	}
	share, reset, err := o.dayShare(ctx, m.Origin.Channel, m.Origin.Sender, now)
	if err != nil || share < o.opts.Day.Warn || share >= 1 {
		return err
	}
	mine, err := o.firstToday(ctx, *m, reset)
	if mine {
		m.Notice = addNotice(m.Notice, text.Lang(m.Origin.Lang).DayNearlyUsedUp(min(99, int(100*share+0.5)), reset))
	}
	return err
}

// firstToday reports whether it is with this message that its person is told, and keeps that it is.
func (o *Orchestrator) firstToday(ctx context.Context, m akitad.Message, reset time.Time) (bool, error) {
	kv, err := o.Bus.KV(ctx, "akita")
	if err != nil {
		return false, err
	}
	key, day := "day."+akitad.Digest(m.Origin.Channel, m.Origin.Sender), reset.Format(time.DateOnly)+" "
	for {
		body, rev, err := kv.Get(ctx, key)
		if err != nil {
			return false, err
		}
		if told, today := strings.CutPrefix(string(body), day); today {
			return told == string(m.Task), nil
		}
		if _, err = kv.Update(ctx, key, []byte(day+string(m.Task)), rev); !errors.Is(err, bus.ErrConflict) {
			return err == nil, err
		}
	}
}
