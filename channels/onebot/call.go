package onebot

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
)

// refusal is an action that the OneBot program did not carry out.
type refusal struct {
	action string
	code   int64
	words  string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("%s was refused with code %d: %s", r.action, r.code, cmp.Or(r.words, "no reason given"))
}

// call makes an action, as soon as there is a connection, and reads its data into out. An action that
// was only accepted for later (status async) gives no data.
func (o *OneBot) call(ctx context.Context, action string, params, out any) error {
	return o.callWithin(ctx, o.opts.Timeout, action, params, out)
}

func (o *OneBot) callWithin(ctx context.Context, limit time.Duration, action string, params, out any) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	l, err := o.waitActions(ctx)
	if err != nil {
		return err
	}
	r, err := l.call(ctx, "akita-"+strconv.FormatInt(o.echo.Add(1), 36), action, params)
	if err != nil {
		return err
	}
	switch {
	case r.Status == "async":
		return nil
	case r.Status != "ok" || r.Code.int() != 0:
		return &refusal{action, r.Code.int(), cmp.Or(string(r.Wording), plain(r.Message))}
	case out == nil || len(r.Data) == 0:
		return nil
	}
	if err := json.Unmarshal(r.Data, out); err != nil {
		return fmt.Errorf("the answer to %s is not understood: %w", action, err)
	}
	return nil
}

// unclear: the message is refused, and other words, or fewer, need not be.
func unclear(err error) bool {
	_, ok := errors.AsType[*refusal](err)
	kind := kindOf(err)
	return ok && (kind == akitad.InvalidRequest || kind == akitad.PermissionDenied)
}

// kindOf sorts an error into the table that tasks use. The codes are those of the protocol (1400 to
// 1404, as HTTP's) and of go-cqhttp (100 to 104); programs have more, and say by them only that an
// action failed.
func kindOf(err error) akitad.Kind {
	if r, ok := errors.AsType[*refusal](err); ok {
		switch r.code {
		case 100, 1400, 400:
			return akitad.InvalidRequest
		case 1401, 1403, 401, 403, 104:
			return akitad.Auth
		case 1404, 404:
			return akitad.Unavailable
		}
		return akitad.PermissionDenied
	}
	switch {
	case errors.Is(err, errNotSent), errors.Is(err, errLost):
		return akitad.Transport
	}
	return chatsend.KindOf(err)
}

var hints = map[akitad.Kind]string{
	akitad.Auth:             "Check ONEBOT_TOKEN, here and in the OneBot program, and that the QQ account is logged in there.",
	akitad.PermissionDenied: "QQ does not let the account write there: it may be muted, not be a friend, or be held back for sending too much.",
	akitad.Unavailable:      "The OneBot program does not know this action.",
	akitad.Transport:        "Check that the OneBot program runs and is connected.",
}

// bare takes the address out of an error: it may have a token or a picture's key in its query.
func bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		where := "its address"
		if at, bad := url.Parse(u.URL); bad == nil {
			where = at.Host
		}
		return fmt.Errorf("%s %s: %w", strings.ToLower(u.Op), where, u.Err)
	}
	return err
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	kind := kindOf(err)
	return chatsend.Fail("onebot "+op, err, kind, hints[kind])
}
