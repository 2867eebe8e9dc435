package telegram

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	secretHeader = "X-Telegram-Bot-Api-Secret-Token"
	maxUpdate    = 1 << 20 // bytes of one update; Telegram's own are far below
	// hookCheck is how often it is looked at whether the webhook is still ours.
	hookCheck = 5 * time.Minute
)

// secretForm is what setWebhook takes as secret_token.
var secretForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,256}$`)

// checkHook says what is missing for a webhook.
func (o Options) checkHook() error {
	switch o.Mode {
	case "", ModePoll:
		return nil
	case ModeWebhook:
	default:
		return refuse(fmt.Sprintf("%q is no way to receive", o.Mode), "Set channels.telegram.mode to poll or to webhook.")
	}
	if u, err := url.Parse(o.WebhookURL); err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http") {
		return refuse("the address of the webhook is none", "Set channels.telegram.webhook_url to the https address that leads to /hooks/telegram.")
	}
	if !secretForm.MatchString(o.WebhookSecret) {
		return refuse("the webhook's secret is missing or has letters that Telegram does not take", "Set channels.telegram.webhook_secret to 1 to 256 letters, digits, _ and -.")
	}
	return nil
}

// listen sets the webhook and keeps it until ctx ends (nil) or the token is refused.
func (t *Telegram) listen(ctx context.Context, receive Receive) error {
	retry := chatsend.Retry(0)
	for ctx.Err() == nil {
		err := t.hookOnce(ctx, receive)
		wait := hookCheck
		switch {
		case err == nil:
			retry.Reset()
		case kindOf(err) == akitad.Auth:
			t.setHealth(fail("webhook", err))
			t.door.Shut()
			return fail("webhook", err)
		case ctx.Err() == nil:
			t.setHealth(fail("webhook", err))
			var asked bool
			if wait, asked = pauseOf(err); !asked {
				wait = retry.NextBackOff()
			}
			t.log.Warn("telegram webhook not set", zap.Error(err), zap.Duration("wait", wait))
		}
		sleep.For(ctx, wait)
	}
	t.door.Shut()
	return nil
}

// hookInfo is what Telegram says of the webhook.
type hookInfo struct {
	URL     string `json:"url"`
	Pending int    `json:"pending_update_count"`
	Failed  string `json:"last_error_message"`
	At      int64  `json:"last_error_date"`
}

// hookOnce makes sure that the webhook is set, and later that it is still ours and works.
func (t *Telegram) hookOnce(ctx context.Context, receive Receive) error {
	if err := t.identify(ctx); err != nil {
		return err
	}
	t.door.Open(ctx, receive)
	if !t.hooked.Load() {
		return t.setHook(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	var info hookInfo
	if err := t.call(ctx, "getWebhookInfo", &info); err != nil {
		if api, ok := errors.AsType[*apiError](err); ok && api.code == http.StatusUnauthorized {
			return err
		}
		t.log.Info("telegram webhook not looked at", zap.Error(err)) // messages may come all the same
		return nil
	}
	if info.URL != t.opts.WebhookURL {
		t.log.Warn("telegram webhook was taken away; it is set again")
		return t.setHook(ctx)
	}
	t.setHealth(nil)
	if info.Pending > 0 && time.Since(time.Unix(info.At, 0)) < hookCheck {
		t.log.Warn("telegram cannot deliver to the webhook", zap.String("error", info.Failed), zap.Int("pending", info.Pending))
		t.setHealth(fmt.Errorf("telegram: %d updates wait, for Telegram cannot deliver them to the webhook: %s", info.Pending, info.Failed))
	}
	return nil
}

func (t *Telegram) setHook(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	var ok bool
	err := t.call(ctx, "setWebhook", &ok, "url", t.opts.WebhookURL, "secret_token", t.opts.WebhookSecret, "allowed_updates", allowedUpdates)
	if err != nil {
		return err
	}
	t.hooked.Store(true)
	t.log.Info("telegram webhook set", zap.String("url", t.opts.WebhookURL))
	t.setHealth(nil)
	return nil
}

// Hook serves the webhook: 401 without the secret, 413 above 1 MB, 200 once an update was taken or is
// none of ours, and 503 while it cannot be taken, or another call brings it, so that Telegram delivers it again.
func (t *Telegram) Hook() http.Handler { return http.HandlerFunc(t.serveHook) }

func (t *Telegram) serveHook(w http.ResponseWriter, r *http.Request) {
	if !t.knowsSecret(r) {
		t.door.Answer(w, &chathook.Refused{Status: http.StatusUnauthorized, Why: "the secret token is missing or wrong"})
		return
	}
	var update int64 // 0 if it is another call's
	defer func() { t.underWay.Delete(update) }()
	taken := t.door.Serve(w, func() (m akitad.Message, ok bool, err error) {
		body, err := chathook.Body(w, r, maxUpdate)
		if err != nil {
			return m, false, err
		}
		u := t.decode(body)
		if _, twice := t.underWay.LoadOrStore(u.ID, true); twice && u.ID != 0 {
			return m, false, &chathook.Refused{Status: http.StatusServiceUnavailable, Why: "another call brings the same update"}
		}
		if update = u.ID; update != 0 && t.taken.has(update) {
			return m, false, nil
		}
		m, ok = t.messageOf(u)
		return m, ok, nil
	})
	if taken {
		t.taken.add(update)
	}
}

// knowsSecret compares in a time that does not tell how much of the secret was right.
func (t *Telegram) knowsSecret(r *http.Request) bool {
	if t.opts.Mode != ModeWebhook {
		return false
	}
	got, want := sha256.Sum256([]byte(r.Header.Get(secretHeader))), sha256.Sum256([]byte(t.opts.WebhookSecret))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}
