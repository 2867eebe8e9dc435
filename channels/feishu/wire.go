package feishu

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/chathook"
	"github.com/akitad/akitad/internal/chatsend"
)

// maxAnswer bounds one JSON answer, in bytes: a forward of a hundred messages is far below.
const maxAnswer = 8 << 20

// encode gives v as JSON in which <, > and & stay single bytes.
func encode(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // only our own types come here
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// client makes requests, with a token that it keeps fresh, and keeps secrets out of all errors.
type client struct {
	http   http.Client
	base   string
	appID  string
	secret string
	token  *chathook.Token
}

func newClient(base, appID, secret string, h *http.Client) *client {
	c := &client{base: base, appID: appID, secret: secret}
	c.token = chathook.NewToken(c.newToken)
	if h != nil {
		c.http = *h
	}
	// Token and secret go to no other place.
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// Call makes a request; if the token is refused, once more with a new one.
func (c *client) Call(ctx context.Context, r request) (response, error) {
	var out response
	err := c.token.Do(ctx, tokenRefused, func(token string) (err error) {
		out, err = c.send(ctx, r, token)
		return err
	})
	return out, err
}

// send makes one request with a token; an empty one is none.
func (c *client) send(ctx context.Context, r request, token string) (response, error) {
	target := c.base + r.path
	if len(r.query) > 0 {
		target += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, target, bytes.NewReader(r.body))
	if err != nil {
		return response{}, c.clean(err)
	}
	if r.kind != "" {
		req.Header.Set("Content-Type", r.kind)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return response{}, c.clean(err)
	}
	if r.file && isFile(resp) {
		return response{file: resp.Body}, nil
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return response{}, c.clean(err)
	}
	data, err := c.read(resp, body)
	return response{data: data}, err
}

// isFile tells a file from a refusal, which may come with any status.
func isFile(resp *http.Response) bool {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	return resp.StatusCode == http.StatusOK && (kind != "application/json" || resp.Header.Get("Content-Disposition") != "")
}

// read takes an answer apart. Refusals come with any status, with their code in the body.
func (c *client) read(resp *http.Response, body []byte) (json.RawMessage, error) {
	var answer struct {
		Code *int            `json:"code"`
		Msg  string          `json:"msg"`
		Data json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(body, &answer); err != nil || answer.Code == nil {
		return nil, &apiError{status: chatsend.Between(resp.StatusCode), msg: "the answer is not the API's", reset: resetOf(resp)}
	}
	if *answer.Code != 0 {
		return nil, &apiError{status: resp.StatusCode, code: *answer.Code, msg: c.scrub(answer.Msg), reset: resetOf(resp)}
	}
	if answer.Data == nil {
		return body, nil // the token's fields stand beside the code
	}
	return answer.Data, nil
}

// resetOf reads how long the service wants to be left alone; 0 if it does not say.
func resetOf(resp *http.Response) time.Duration {
	text := cmp.Or(resp.Header.Get("X-Ogw-Ratelimit-Reset"), resp.Header.Get("Retry-After"))
	seconds, err := strconv.ParseFloat(text, 64)
	if err != nil || !(seconds > 0) {
		return 0
	}
	return min(time.Duration(seconds*float64(time.Second)), maxPause)
}

func (c *client) newToken(ctx context.Context) (string, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	out, err := c.send(ctx, jsonRequest(http.MethodPost, "/open-apis/auth/v3/tenant_access_token/internal",
		map[string]string{"app_id": c.appID, "app_secret": c.secret}), "")
	if err != nil {
		return "", 0, fmt.Errorf("get a token: %w", err)
	}
	var token struct {
		Value  string `json:"tenant_access_token"`
		Expire int64  `json:"expire"` // seconds
	}
	if err := json.Unmarshal(out.data, &token); err != nil || token.Value == "" {
		return "", 0, &apiError{status: http.StatusBadGateway, msg: "no token in the answer"}
	}
	return token.Value, time.Duration(min(token.Expire, 86400)) * time.Second, nil
}

// scrub takes secrets out of a text.
func (c *client) scrub(text string) string {
	for _, secret := range []string{c.secret, c.token.Last()} {
		if secret != "" {
			text = strings.ReplaceAll(text, secret, "***")
		}
	}
	return text
}

// clean takes secrets out of an error and keeps its chain where the chain does not show them. The query
// of an address may be one: that of the long connection has a ticket.
func (c *client) clean(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		where, _, _ := strings.Cut(u.URL, "?")
		err = fmt.Errorf("%s %s: %w", strings.ToLower(u.Op), c.scrub(where), u.Err)
	}
	if text := err.Error(); c.scrub(text) != text {
		return errors.New(c.scrub(text))
	}
	return err
}
