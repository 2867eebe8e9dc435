package wecom

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
)

// maxAnswer bounds what the API answers, in bytes, files apart.
const maxAnswer = 1 << 20

// apiError is an answer of the API that is no success.
type apiError struct {
	status int // of HTTP, if that was no 200
	code   int64
	words  string
}

func (e *apiError) Error() string {
	if e.status != 0 {
		return fmt.Sprintf("WeCom answered with status %d", e.status)
	}
	return fmt.Sprintf("WeCom answered with error %d: %s", e.code, e.words)
}

// answer is what every answer of the API has.
type answer struct {
	Code    int64  `json:"errcode"`
	Message string `json:"errmsg"`
}

func (a answer) err() error {
	if a.Code == 0 {
		return nil
	}
	words, _, _ := strings.Cut(a.Message, ",") // what follows names addresses and the request
	return &apiError{code: a.Code, words: words}
}

// fetchToken gets an access token.
func (w *WeCom) fetchToken(ctx context.Context) (string, time.Duration, error) {
	var out struct {
		answer
		Token string `json:"access_token"`
		Life  int64  `json:"expires_in"`
	}
	q := url.Values{"corpid": {w.app.CorpID}, "corpsecret": {w.app.Secret}}
	if err := w.request(ctx, http.MethodGet, "/cgi-bin/gettoken?"+q.Encode(), "", nil, &out); err != nil {
		return "", 0, err
	}
	if err := out.err(); err != nil {
		return "", 0, err
	}
	if out.Token == "" {
		return "", 0, errors.New("WeCom gave an empty access token")
	}
	return out.Token, time.Duration(out.Life) * time.Second, nil
}

// call makes a request with the access token, with a new one if WeCom no longer knows it.
func (w *WeCom) call(ctx context.Context, path string, q url.Values, in any, out interface{ err() error }) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return w.token.Do(ctx, staleToken, func(token string) error {
		q := clone(q, token)
		if err := w.request(ctx, http.MethodPost, path+"?"+q.Encode(), "application/json", body, out); err != nil {
			return err
		}
		return out.err()
	})
}

func clone(q url.Values, token string) url.Values {
	out := url.Values{"access_token": {token}}
	for k, v := range q {
		out[k] = v
	}
	return out
}

// request makes one request and reads JSON. Its errors name no address: those hold secrets.
func (w *WeCom) request(ctx context.Context, method, path, contentType string, body []byte, out any) error {
	resp, err := w.send(ctx, method, path, contentType, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxAnswer)).Decode(out); err != nil {
		return fmt.Errorf("WeCom's answer is not understood: %w", err)
	}
	return nil
}

func (w *WeCom) send(ctx context.Context, method, path, contentType string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.opts.URL+path, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the request cannot be made")
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := w.opts.HTTP.Do(req)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return nil, fmt.Errorf("%s %s: %w", method, strings.SplitN(path, "?", 2)[0], err)
	}
	if resp.StatusCode != http.StatusOK {
		resp.Body.Close()
		return nil, &apiError{status: chatsend.Between(resp.StatusCode)}
	}
	return resp, nil
}

// upload puts a file into WeCom for three days and gives its id there.
func (w *WeCom) upload(ctx context.Context, kind, name string, data []byte) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	head := textproto.MIMEHeader{}
	head.Set("Content-Disposition", fmt.Sprintf(`form-data; name="media"; filename=%q; filelength=%d`, name, len(data)))
	head.Set("Content-Type", "application/octet-stream")
	part, err := form.CreatePart(head)
	if err == nil {
		_, err = part.Write(data)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return "", err
	}
	var out struct {
		answer
		ID string `json:"media_id"`
	}
	err = w.token.Do(ctx, staleToken, func(token string) error {
		q := url.Values{"access_token": {token}, "type": {kind}}
		if err := w.request(ctx, http.MethodPost, "/cgi-bin/media/upload?"+q.Encode(), form.FormDataContentType(), body.Bytes(), &out); err != nil {
			return err
		}
		return out.err()
	})
	return out.ID, err
}

func codeOf(err error) int64 {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e.code
	}
	return 0
}

// staleToken: the access token is not known (any more).
func staleToken(err error) bool {
	switch codeOf(err) {
	case 40014, 42001, 41001:
		return true
	}
	return false
}

// unclear: the message is refused, and other words, or fewer, need not be.
func unclear(err error) bool {
	e, ok := errors.AsType[*apiError](err)
	return ok && e.kind() == akitad.InvalidRequest
}

// kindOf sorts an error into the table that tasks use, by WeCom's list of error codes.
func kindOf(err error) akitad.Kind {
	if e, ok := errors.AsType[*apiError](err); ok {
		return e.kind()
	}
	return chatsend.KindOf(err)
}

func (e *apiError) kind() akitad.Kind {
	switch {
	case e.status >= http.StatusInternalServerError, e.code == -1:
		return akitad.Overloaded
	case e.status == http.StatusTooManyRequests:
		return akitad.RateLimited
	case e.status != 0:
		return akitad.InvalidRequest
	}
	switch e.code {
	case 45009, 45011, 45033, 45047:
		return akitad.RateLimited
	case 40001, 40013, 40014, 41001, 41002, 41004, 42001, 48002, 60020, 301002:
		return akitad.Auth
	case 81013, 60111, 40003, 46004:
		return akitad.PermissionDenied
	case 40007:
		return akitad.NotFound
	}
	return akitad.InvalidRequest
}

// hints say what an operator can do, by the code and else by the kind.
func hint(err error) string {
	switch codeOf(err) {
	case 60020:
		return "Add this machine's public address to the application's trusted addresses (企业可信IP) in WeCom's administration."
	case 81013, 60111, 40003, 46004:
		return "The person is not, or no longer, in the application's visible range."
	case 48002, 301002:
		return "The application may not do that: look at its permissions in WeCom's administration, and at WECOM_AGENT_ID."
	}
	switch kindOf(err) {
	case akitad.Auth:
		return "Check WECOM_CORP_ID, WECOM_SECRET and WECOM_AGENT_ID."
	case akitad.RateLimited:
		return "WeCom limits how often the application may send."
	}
	return ""
}

// fail gives err its kind, the name of what was done and a hint. Nil stays nil.
func fail(op string, err error) error {
	return chatsend.Fail("wecom "+op, err, kindOf(err), hint(err))
}
