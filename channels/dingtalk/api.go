package dingtalk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// maxAnswer bounds what the API answers, in bytes, files apart.
const maxAnswer = 1 << 20

// apiError is an answer of the API that is no success.
type apiError struct {
	status int
	code   string // DingTalk's name for it
	words  string
}

func (e *apiError) Error() string {
	return fmt.Sprintf("DingTalk answered with status %d (%s): %s", e.status, orElse(e.code, "no code"), orElse(e.words, "no reason given"))
}

func (e *apiError) staleToken() bool {
	return e.status == http.StatusUnauthorized || e.code == "InvalidAuthentication"
}

func (e *apiError) limited() bool {
	return e.status == http.StatusTooManyRequests || strings.HasPrefix(e.code, "Throttling") || strings.HasPrefix(e.code, "Forbidden.AccessDenied.QpsLimit")
}

func (e *apiError) kind() akitad.Kind {
	switch {
	case e.limited():
		return akitad.RateLimited
	case e.staleToken():
		return akitad.Auth
	case e.code == "Forbidden.AccessDenied.AccessTokenPermissionDenied", e.code == "Forbidden.AccessDenied.IpNotInWhiteList":
		return akitad.Auth
	case e.status == http.StatusForbidden:
		return akitad.PermissionDenied
	case e.status == http.StatusNotFound:
		return akitad.NotFound
	case e.status >= http.StatusInternalServerError:
		return akitad.Overloaded
	}
	return akitad.InvalidRequest
}

// fetchToken gets an access token.
func (d *DingTalk) fetchToken(ctx context.Context) (string, time.Duration, error) {
	var out struct {
		Token string `json:"accessToken"`
		Life  int64  `json:"expireIn"`
	}
	body, err := json.Marshal(map[string]string{"appKey": d.app, "appSecret": d.secret})
	if err != nil {
		return "", 0, err
	}
	err = d.request(ctx, d.opts.URL+"/v1.0/oauth2/accessToken", "", "application/json", body, &out)
	if e, ok := errors.AsType[*apiError](err); ok && e.kind() == akitad.InvalidRequest {
		return "", 0, &akitad.Error{Kind: akitad.Auth, Op: "dingtalk access token", Err: e, Hint: hints[akitad.Auth]}
	}
	if err == nil && out.Token == "" {
		err = errors.New("DingTalk gave an empty access token")
	}
	return out.Token, time.Duration(out.Life) * time.Second, err
}

// tokenError: no access token could be had, so nothing was asked for.
type tokenError struct{ err error }

func (e *tokenError) Error() string { return "no access token: " + e.err.Error() }
func (e *tokenError) Unwrap() error { return e.err }

// call makes a request with the access token, once more with a new one if that is not known any more.
func (d *DingTalk) call(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return d.withToken(ctx, func(token string) error {
		return d.request(ctx, d.opts.URL+path, token, "application/json", body, out)
	})
}

func (d *DingTalk) withToken(ctx context.Context, do func(token string) error) error {
	for last := false; ; last = true {
		token, err := d.token.Get(ctx)
		if err != nil {
			return &tokenError{err}
		}
		err = do(token)
		if e, ok := errors.AsType[*apiError](err); last || !ok || !e.staleToken() {
			return err
		}
		d.token.Drop(token)
	}
}

// request makes one request and reads JSON. Its errors name no address: those may hold secrets.
func (d *DingTalk) request(ctx context.Context, address, token, contentType string, body []byte, out any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return errors.New("the request cannot be made")
	}
	req.Header.Set("Content-Type", contentType)
	if token != "" {
		req.Header.Set("x-acs-dingtalk-access-token", token)
	}
	resp, err := d.opts.HTTP.Do(req)
	if err != nil {
		return bare(err)
	}
	defer resp.Body.Close()
	answer := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		var e struct{ Code, Message string }
		_ = answer.Decode(&e) // whatever it is, it is no success
		return &apiError{resp.StatusCode, e.Code, e.Message}
	}
	if err := answer.Decode(out); err != nil {
		return fmt.Errorf("DingTalk's answer is not understood: %w", err)
	}
	return nil
}

// bare takes the address out of an error.
func bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", u.Op, u.Err)
	}
	return err
}

// neverSent: nothing can have come into the chat.
func neverSent(err error) bool {
	if _, ok := errors.AsType[*tokenError](err); ok {
		return true
	}
	if _, ok := errors.AsType[*uploadError](err); ok {
		return true
	}
	op, ok := errors.AsType[*net.OpError](err)
	return ok && op.Op == "dial"
}

// kindOf sorts an error into the table that tasks use.
func kindOf(err error) akitad.Kind {
	if e, ok := errors.AsType[*apiError](err); ok && akitad.KindOf(err) != akitad.Auth {
		return e.kind()
	}
	if kind := akitad.KindOf(err); kind != akitad.Unknown {
		return kind
	}
	if timeout := net.Error(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return akitad.Timeout
	}
	return akitad.Transport
}

var hints = map[akitad.Kind]string{
	akitad.Auth:             "Check DINGTALK_APP_ID and DINGTALK_APP_SECRET, the application's permission to send as a robot, and the addresses it may be called from.",
	akitad.PermissionDenied: "The person is not in the company, or the robot is not in the group.",
	akitad.RateLimited:      "DingTalk limits how often the robot may send.",
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	if err == nil {
		return nil
	}
	if e, ok := errors.AsType[*akitad.Error](err); ok && e.Op != "" {
		return err
	}
	kind := kindOf(err)
	return &akitad.Error{Kind: kind, Op: "dingtalk " + op, Err: err, Hint: hints[kind]}
}
