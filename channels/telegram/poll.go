package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/akitad/akitad/internal/sorting"
	"github.com/cenkalti/backoff/v5"
	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

// Receive takes one message for good; until it returns nil, the message is handed over again.
type Receive = func(context.Context, akitad.Message) error

const (
	batchSize = 100 // updates; the most that one poll gives
	// idleReset is when the offset is forgotten: after a week without updates Telegram may go on with
	// any id (Bot API, Update.update_id), and all up to the offset is confirmed by then.
	idleReset = 6 * 24 * time.Hour
	// pollSlack is how much later than a poll ends its answer may come. Then the connection is dead.
	pollSlack = 10 * time.Second
	// stuckPause is how long after updates that move nothing on the next poll comes: they come at once.
	stuckPause = time.Second
	// allowedUpdates are what is asked for.
	allowedUpdates = `["message","edited_message","callback_query"]`
)

// poller is the loop of one Run. The library's own loop confirms an update once it is queued in
// memory; here the offset moves when the message has been taken.
type poller struct {
	*Telegram
	receive Receive
	offset  int64
	last    time.Time // when the last update came
	retry   *backoff.ExponentialBackOff
	alone   bool // as far as is known, no webhook takes the updates
}

// Run asks who the bot is and polls, or keeps the webhook, until ctx ends (nil) or the token is refused. Whatever
// else goes wrong is tried again, after at most 30 s or as long as the API asks for; Health tells
// of it meanwhile. Updates are handed over one after the other, each until receive returns nil or
// an error of kind invalid_request, which passes it over.
func (t *Telegram) Run(ctx context.Context, receive func(context.Context, akitad.Message) error) error {
	var menu sync.WaitGroup
	defer menu.Wait()
	menu.Go(func() { t.setMenus(ctx) })
	if t.opts.Mode == ModeWebhook {
		return t.listen(ctx, receive)
	}
	return t.poll(ctx, receive)
}

func (t *Telegram) poll(ctx context.Context, receive Receive) error {
	p := &poller{Telegram: t, receive: receive, last: time.Now(), retry: chatsend.Retry(0)}
	for ctx.Err() == nil {
		err := p.once(ctx)
		if err == nil {
			p.retry.Reset()
			t.setHealth(nil)
			continue
		}
		if ctx.Err() != nil {
			break
		}
		t.setHealth(fail("poll", err))
		if kindOf(err) == akitad.Auth {
			return fail("poll", err)
		}
		p.pause(ctx, err)
	}
	p.confirm(ctx)
	return nil
}

// once makes one poll and hands over what it gives.
func (p *poller) once(ctx context.Context) error {
	if err := p.identify(ctx); err != nil {
		return err
	}
	p.unhook(ctx)
	if time.Since(p.last) > idleReset {
		p.offset = 0
	}
	wait := p.opts.Poll
	if p.Health() != nil { // what is said of it must not wait for somebody to write
		wait = 0
	}
	batch, came, err := p.fetch(ctx, wait)
	if err != nil {
		p.alone = p.alone && !hookActive(err)
		return err
	}
	p.setHealth(nil)
	before := p.offset
	if err := p.hand(ctx, batch); err != nil {
		return err
	}
	if came > 0 && p.offset == before {
		p.log.Warn("telegram gives updates that cannot be confirmed, or were", zap.Int("updates", came))
		sleep.For(ctx, stuckPause)
	}
	return nil
}

// unhook takes a webhook away that may be left from another time: with one, there are no polls. What
// waits for it is kept. If it fails, the next poll tells whether there is one.
func (p *poller) unhook(ctx context.Context) {
	if p.alone {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	var ok bool
	if err := p.call(ctx, "deleteWebhook", &ok, "drop_pending_updates", "false"); err != nil {
		p.log.Info("telegram webhook not taken away", zap.Error(err))
	}
	p.alone = true
}

// identify asks once who the bot is.
func (t *Telegram) identify(ctx context.Context) error {
	if t.me().id != 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	user, err := t.api.GetMe(ctx)
	if err != nil {
		return err
	}
	t.mu.Lock()
	t.self = identity{id: user.ID, username: user.Username}
	t.mu.Unlock()
	t.log.Info("telegram bot", zap.String("username", user.Username), zap.Int64("id", user.ID))
	if t.opts.Groups && !user.CanReadAllGroupMessages {
		t.log.Warn("the bot sees only commands, mentions and replies in groups; to change that, use /setprivacy of @BotFather, then remove the bot from the group and add it again")
	}
	return nil
}

// pause waits before the next poll: as long as the API asks for, else a little longer each time.
func (p *poller) pause(ctx context.Context, err error) {
	wait, asked := pauseOf(err)
	if !asked {
		wait = p.retry.NextBackOff()
	}
	text := "telegram poll failed"
	switch {
	case hookActive(err):
		text = "telegram poll refused: a webhook is set; it is taken away"
	case conflict(err):
		text = "telegram poll refused: another program polls with this token, or a webhook is set"
	}
	p.log.Warn(text, zap.Error(err), zap.Duration("wait", wait))
	sleep.For(ctx, wait)
}

// fetch polls for updates from the offset on, for as long as poll, and says how many came, known ones
// too. It has its own request because the library has none that leaves the offset to us.
func (p *poller) fetch(ctx context.Context, poll time.Duration) (out []*models.Update, came int, err error) {
	ctx, cancel := context.WithTimeout(ctx, poll+pollSlack)
	defer cancel()
	var raw []json.RawMessage
	err = p.call(ctx, "getUpdates", &raw,
		"offset", strconv.FormatInt(p.offset, 10),
		"timeout", strconv.Itoa(int(poll.Seconds())),
		"limit", strconv.Itoa(batchSize),
		"allowed_updates", allowedUpdates)
	if err != nil {
		if ctx.Err() != nil {
			p.wire.client.CloseIdleConnections() // the next poll gets a connection of its own
		}
		return nil, 0, err
	}
	for _, body := range raw {
		if u := p.decode(body); !p.taken.has(u.ID) {
			out = append(out, u)
		}
	}
	sorting.By(out, func(a, b *models.Update) int { return cmp.Compare(a.ID, b.ID) })
	if len(out) > 0 {
		p.last = time.Now()
	}
	return out, len(raw), nil
}

// hand gives the messages of a batch to receive and moves the offset behind all that were taken. An error
// means that ctx has ended; what was taken behind one that was not comes again, with the id it had.
func (p *poller) hand(ctx context.Context, batch []*models.Update) error {
	taken, err := p.handAll(ctx, batch)
	for i, u := range batch {
		if !taken[i] {
			break
		}
		p.taken.add(u.ID)
		p.offset = max(p.offset, u.ID+1)
	}
	return err
}

// take hands over one update until it is taken.
func (p *poller) take(ctx context.Context, u *models.Update) error {
	retry := chatsend.Retry(0)
	for {
		err := p.takeOnce(ctx, p.receive, u)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		wait := retry.NextBackOff()
		p.setHealth(fmt.Errorf("telegram: messages cannot be taken: %w", err))
		p.log.Warn("telegram message not taken", zap.Int64("update", u.ID), zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
}

// messageOf gives what a person said by an update; false is nothing.
func (t *Telegram) messageOf(u *models.Update) (akitad.Message, bool) {
	msg, why := t.message(u)
	if why != "" {
		t.log.Debug("telegram update passed over", zap.Int64("update", u.ID), zap.String("why", why))
	}
	return msg, why == ""
}

// takeOnce hands over the message of an update. Nil means that it is taken, or that it never will be.
func (t *Telegram) takeOnce(ctx context.Context, receive Receive, u *models.Update) error {
	msg, ok := t.messageOf(u)
	if !ok {
		return nil
	}
	err := receive(ctx, msg)
	if akitad.KindOf(err) == akitad.InvalidRequest {
		t.log.Error("telegram message refused; passed over", zap.String("event", msg.ID), zap.Error(err))
		return nil
	}
	return err
}

// confirm tells the API, at the end of Run, what was taken. If that fails, the last messages come
// again, with the ids they had.
func (p *poller) confirm(ctx context.Context) {
	if p.offset == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	var none []json.RawMessage
	err := p.call(ctx, "getUpdates", &none, "offset", strconv.FormatInt(p.offset, 10), "timeout", "0", "limit", "1", "allowed_updates", allowedUpdates)
	if err != nil {
		p.log.Debug("telegram offset not confirmed", zap.Error(err))
	}
}
