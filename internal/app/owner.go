package app

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/internal/bus"
	"github.com/akitad/akitad/internal/text"
)

const (
	// tellAgain is the minimum time between two notices about the same.
	tellAgain = time.Hour
	// maxUntold is the maximum number of notices that wait to be sent; further ones are only logged.
	maxUntold = 16
)

// notice is a problem that an owner must solve.
type notice struct {
	about string // what must not be told again soon
	words func(text.Lang) string
}

// keyRefused logs that an endpoint refuses its key, and has the owner told in a chat, if there is one.
func (a *App) keyRefused(_ context.Context, endpoint string, err error) {
	a.log.Error("an endpoint refuses its key: the owner must act", zap.String("endpoint", endpoint), zap.Error(err))
	a.tellOwner(notice{endpoint, func(l text.Lang) string { return l.KeyRefused(endpoint) }})
}

// callEnds logs that the calls of a tool end this process, and has the owner told in a chat, if there is one.
func (a *App) callEnds(_ context.Context, task akitad.TaskID, tool string) {
	a.log.Error("the process ends each time while a tool's call runs: the owner must act", zap.String("tool", tool), zap.String("task", string(task)))
	a.tellOwner(notice{"ends." + tool, func(l text.Lang) string { return l.CallEnds(tool, string(task)) }})
}

// tellOwner never blocks, because an agent is waiting.
func (a *App) tellOwner(n notice) {
	select {
	case a.untold <- n:
	default: // no chat service, or too many notices wait
	}
}

// ownerIDs returns the first owner of each channel, "" if it has none.
func (a *App) ownerIDs() map[string]string {
	out := map[string]string{}
	for _, s := range a.services() {
		out[s.name] = s.cfg.Owner()
	}
	return out
}

// openOwners starts sending notices to the owners of all channels, each in a private chat.
func (a *App) openOwners(all []channels.Channel) {
	a.untold = make(chan notice, maxUntold)
	a.onRun("owner", func(ctx context.Context) error {
		for {
			select {
			case n := <-a.untold:
				a.writeOwners(ctx, all, n)
			case <-ctx.Done():
				return nil
			}
		}
	})
}

func (a *App) writeOwners(ctx context.Context, all []channels.Channel, n notice) {
	mine, err := a.mayTell(ctx, n.about, time.Now())
	for _, ch := range all {
		if err != nil || !mine {
			break
		}
		var chats map[string]string
		if chats, err = a.Access[ch.Name()].OwnerChats(ctx); err != nil {
			break
		}
		for owner, chat := range chats {
			a.writeOwner(ctx, ch, owner, chat, n)
		}
	}
	if err != nil && ctx.Err() == nil {
		a.log.Warn("the owners could not be told", zap.String("about", n.about), zap.Error(err))
	}
}

// writeOwner tells one owner. If the owner has not written to the bot yet, that is possible in Telegram only,
// where the id of a private chat is that of the person.
func (a *App) writeOwner(ctx context.Context, ch channels.Channel, owner, chat string, n notice) {
	if chat == "" && ch.Name() == "telegram" {
		chat = owner
	}
	if chat == "" {
		return
	}
	to := akitad.Origin{Channel: ch.Name(), Chat: chat, Sender: owner, Lang: string(text.En)}
	_, err := ch.Final(ctx, akitad.Delivery{Kind: akitad.DeliverNotice, Reply: akitad.Reply{Origin: to, Text: n.words(text.Lang(to.Lang))}})
	if err != nil && ctx.Err() == nil {
		a.log.Warn("an owner could not be told", zap.String("channel", ch.Name()), zap.String("about", n.about), zap.Error(err))
	}
}

// mayTell reports whether this process is to tell the owner about something now: once an hour, whichever
// process finds the problem and however often it starts.
func (a *App) mayTell(ctx context.Context, about string, now time.Time) (bool, error) {
	kv, err := a.Bus.KV(ctx, "akita")
	if err != nil {
		return false, err
	}
	key := "told." + about
	body, rev, err := kv.Get(ctx, key)
	if err != nil {
		return false, err
	}
	if last, err := time.Parse(time.RFC3339, string(body)); err == nil && now.Sub(last) < tellAgain {
		return false, nil
	}
	_, err = kv.Update(ctx, key, []byte(now.UTC().Format(time.RFC3339)), rev)
	if errors.Is(err, bus.ErrConflict) {
		return false, nil
	}
	return err == nil, err
}
