package dingtalk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
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
	return fmt.Sprintf("DingTalk answered with status %d (%s): %s", e.status, cmp.Or(e.code, "no code"), cmp.Or(e.words, "no reason given"))
}

func (e *apiError) staleToken() bool {
	return e.status == http.StatusUnauthorized || e.code == "InvalidAuthentication"
}

func staleToken(err error) bool {
	e, ok := errors.AsType[*apiError](err)
	return ok && e.staleToken()
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

// nobody is our name for what DingTalk answers as a success: the message went to no person.
const nobody = "nobody"

// unclear: the message is refused, and other words, or fewer, need not be.
func unclear(err error) bool {
	e, ok := errors.AsType[*apiError](err)
	if !ok || e.code == nobody || e.code == "robot.notInGroup" {
		return false
	}
	kind := e.kind()
	return kind == akitad.InvalidRequest || kind == akitad.PermissionDenied || kind == akitad.NotFound
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

// call makes a request with the access token, once more with a new one if that is not known any more.
func (d *DingTalk) call(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return d.token.Do(ctx, staleToken, func(token string) error {
		return d.request(ctx, d.opts.URL+path, token, "application/json", body, out)
	})
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
		return chatsend.Bare(err)
	}
	defer resp.Body.Close()
	answer := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		var e struct{ Code, Message string }
		if answer.Decode(&e) != nil || e.Code == "" {
			return &apiError{chatsend.Between(resp.StatusCode), "", "the answer is not DingTalk's"}
		}
		return &apiError{resp.StatusCode, e.Code, e.Message}
	}
	if err := answer.Decode(out); err != nil {
		return fmt.Errorf("DingTalk's answer is not understood: %w", err)
	}
	return nil
}

// kindOf sorts an error into the table that tasks use.
func kindOf(err error) akitad.Kind {
	if e, ok := errors.AsType[*apiError](err); ok && akitad.KindOf(err) != akitad.Auth {
		return e.kind()
	}
	return chatsend.KindOf(err)
}

var hints = map[akitad.Kind]string{
	akitad.Auth:             "Check DINGTALK_APP_ID and DINGTALK_APP_SECRET, the application's permission to send as a robot, and the addresses it may be called from.",
	akitad.PermissionDenied: "The person is not in the company, or the robot is not in the group.",
	akitad.RateLimited:      "DingTalk limits how often the robot may send.",
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	kind := kindOf(err)
	return chatsend.Fail("dingtalk "+op, err, kind, hints[kind])
}
