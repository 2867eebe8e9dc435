package onebot

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

// Hook takes the WebSocket that the OneBot program opens, with its access token in the Authorization
// header or in the query.
func (o *OneBot) Hook() http.Handler { return http.HandlerFunc(o.serveHook) }

func (o *OneBot) serveHook(w http.ResponseWriter, r *http.Request) {
	if err := o.knows(given(r)); err != nil {
		_ = o.refusals.Answer(w, err)
		return
	}
	l := &link{self: r.Header.Get("X-Self-ID"), role: roleOf(r.Header.Get("X-Client-Role"))}
	ended, status := o.enter(l)
	if status != http.StatusOK {
		http.Error(w, http.StatusText(status), status)
		return
	}
	defer o.links.Done()
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{CompressionMode: websocket.CompressionDisabled})
	if err != nil {
		return // Accept has answered
	}
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.Context()))
	defer cancel()
	go func() {
		select {
		case <-ended:
		case <-ctx.Done():
		}
		cancel()
	}()
	_ = o.accept(ctx, newLink(conn, l.self, l.role))
}

// knows says why a token is not ours; nil if it is.
func (o *OneBot) knows(token string) error {
	switch {
	case token == "":
		return &chathook.Refused{Status: http.StatusUnauthorized, Why: "the access token is missing"}
	case !same(token, o.token):
		return &chathook.Refused{Status: http.StatusForbidden, Why: "the access token is wrong"}
	}
	return nil
}

// enter counts a connection that Run has to wait for. It is refused while Run is not running, and if
// it is that of another account.
func (o *OneBot) enter(l *link) (ended <-chan struct{}, status int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.running == nil:
		return nil, http.StatusServiceUnavailable
	case o.opts.URL != "":
		return nil, http.StatusNotFound
	case o.opts.Self != "" && l.self != "" && l.self != o.opts.Self,
		o.events != nil && other(l.self, o.events.self), o.actions != nil && other(l.self, o.actions.self):
		o.log.Warn("onebot connection of another account refused", zap.String("self", l.self))
		return nil, http.StatusConflict
	}
	o.links.Add(1)
	return o.running, http.StatusOK
}

func other(a, b string) bool { return a != "" && b != "" && a != b }

func roleOf(header string) role {
	switch {
	case strings.EqualFold(header, string(roleEvents)):
		return roleEvents
	case strings.EqualFold(header, string(roleActions)):
		return roleActions
	}
	return roleBoth
}

// given reads the token of a request. Old programs write Token in place of Bearer.
func given(r *http.Request) string {
	kind, token, ok := strings.Cut(r.Header.Get("Authorization"), " ")
	if ok && (strings.EqualFold(kind, "Bearer") || strings.EqualFold(kind, "Token")) {
		return strings.TrimSpace(token)
	}
	return r.URL.Query().Get("access_token")
}

// same compares in constant time, whatever the lengths.
func same(a, b string) bool {
	x, y := sha256.Sum256([]byte(a)), sha256.Sum256([]byte(b))
	return subtle.ConstantTimeCompare(x[:], y[:]) == 1
}

// dialAll keeps a connection to the OneBot program.
func (o *OneBot) dialAll(ctx context.Context) {
	retry := chatsend.Retry(o.opts.Retry)
	for ctx.Err() == nil {
		began := time.Now()
		err := o.dial(ctx)
		if ctx.Err() != nil {
			return
		}
		if time.Since(began) > chatsend.MaxRetry {
			retry.Reset()
		}
		wait := retry.NextBackOff()
		o.log.Warn("onebot connects again", zap.Duration("after", wait), zap.Error(err))
		o.mu.Lock()
		o.failure = err
		o.mu.Unlock()
		sleep.For(ctx, wait)
	}
}

func (o *OneBot) dial(ctx context.Context) error {
	conn, err := o.connect(ctx)
	if err != nil {
		return err
	}
	return o.accept(ctx, newLink(conn, o.opts.Self, roleBoth))
}

// Check connects to the program once and asks it nothing. Where the program connects to the bot, there is
// nothing to be checked.
func (o *OneBot) Check(ctx context.Context) error {
	if o.opts.URL == "" {
		return nil
	}
	conn, err := o.connect(ctx)
	if err != nil {
		return err
	}
	return conn.Close(websocket.StatusNormalClosure, "")
}

func (o *OneBot) connect(ctx context.Context) (*websocket.Conn, error) {
	dctx, cancel := context.WithTimeout(ctx, o.opts.Timeout)
	defer cancel()
	conn, resp, err := websocket.Dial(dctx, o.opts.URL, &websocket.DialOptions{
		HTTPClient: o.opts.HTTP, HTTPHeader: http.Header{"Authorization": {"Bearer " + o.token}}, CompressionMode: websocket.CompressionDisabled,
	})
	switch {
	case resp != nil && (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden):
		return nil, &akitad.Error{Kind: akitad.Auth, Op: "connect to the OneBot program", Err: errors.New("it refuses the access token"), Hint: hints[akitad.Auth]}
	case err != nil:
		return nil, &akitad.Error{Kind: akitad.Transport, Op: "connect to the OneBot program", Err: bare(err), Hint: "Check that it runs and listens at ONEBOT_URL."}
	}
	return conn, nil
}
