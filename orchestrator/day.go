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

// DayBudget limits what the tasks of one person may use on one day of this machine's local time. 0 means no
// limit. Requests without a sender, as over HTTP, share one budget per channel.
type DayBudget struct {
	Tokens int     // input tokens that were not cached, and output tokens
	Money  float64 // cost by the endpoints' prices, in their currency
	Warn   float64 // share at which a person in a chat is told, once a day; 0 means never
}

func (b DayBudget) none() bool { return b.Tokens <= 0 && b.Money <= 0 }

// share returns the usage as a share of the limit; from 1 on the limit is reached.
func (b DayBudget) share(u akitad.Usage) (share float64) {
	if b.Tokens > 0 {
		share = float64(max(0, u.Input-u.Cached)+u.Output) / float64(b.Tokens)
	}
	if b.Money > 0 {
		share = max(share, u.Cost/b.Money)
	}
	return share
}

// overDay returns the refusal of a message whose sender has used up the day's budget, nil if it may become a
// task. A message that is a task already is not refused, and a running task is not ended. The figures are
// those of the task list, which may be a few seconds old.
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

// checkDay refuses a request before it becomes a task.
func (o *Orchestrator) checkDay(ctx context.Context, m akitad.Message) error {
	why, err := o.overDay(ctx, m, time.Now())
	if err != nil || why == nil {
		return err
	}
	return why.Err()
}

// dayShare returns the share of the day's budget that a person has used, and when the next day begins.
func (o *Orchestrator) dayShare(ctx context.Context, channel, sender string, now time.Time) (share float64, reset time.Time, err error) {
	y, mo, d := now.Date()
	used, err := o.Projection.Used(ctx, channel, sender, time.Date(y, mo, d, 0, 0, 0, 0, now.Location()))
	return o.opts.Day.share(used), time.Date(y, mo, d+1, 0, 0, 0, 0, now.Location()), err
}

// warnDay adds a notice to the message of a person in a chat that most of the day's budget is used. It does so
// for one message a day, whichever node accepts it and however often it is delivered.
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

// firstToday reports whether this is the message of the day with which the person is told, and records that.
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
