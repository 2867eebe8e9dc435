// Package transcribe turns speech into text by a service with the audio API of OpenAI. It stores nothing and
// knows no chat service.
package transcribe

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	// MaxAudio is the largest recording that is sent, in bytes (OpenAI, "Speech to text": 25 MB).
	MaxAudio = 25 << 20

	maxAnswer  = 1 << 20 // bytes
	maxDetail  = 300     // bytes of a refusal that are shown in errors
	tries      = 3
	firstWait  = time.Second // first pause between two tries; it doubles, unless the service asks for a longer one
	maxWait    = 30 * time.Second
	askTimeout = 60 * time.Second
)

// Options of a Client. BaseURL and Model are required.
type Options struct {
	BaseURL string        // for example https://api.openai.com/v1
	APIKey  string        // empty sends none
	Model   string        // for example whisper-1
	Timeout time.Duration // of one try; default 60 s
	HTTP    *http.Client  // default: a new client
}

// Client is a client of one service. Its methods are safe for concurrent use.
type Client struct {
	opts Options
	url  string
}

// New returns a client. It sends nothing. Invalid options are an error of kind invalid_request.
func New(opts Options) (*Client, error) {
	u, err := url.Parse(opts.BaseURL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, akitad.Errorf(akitad.InvalidRequest, "transcription: the base URL is none").WithHint("set transcription.base_url to something like https://api.openai.com/v1")
	case opts.Model == "":
		return nil, akitad.Errorf(akitad.InvalidRequest, "transcription: there is no model").WithHint("set transcription.model, as in whisper-1")
	}
	opts.Timeout = cmp.Or(opts.Timeout, askTimeout)
	if opts.HTTP == nil {
		opts.HTTP = &http.Client{}
	}
	return &Client{opts: opts, url: strings.TrimRight(opts.BaseURL, "/") + "/audio/transcriptions"}, nil
}

// Words returns the words of a recording of at most MaxAudio bytes. The format follows from the ending of the
// name or, without one, from the first bytes. A temporary failure is tried again twice. The kind of the error is
// auth, quota, rate_limited, overloaded, timeout, transport, invalid_request (the recording) or not_found (the
// model or the address).
func (c *Client) Words(ctx context.Context, name string, audio []byte) (string, error) {
	switch {
	case len(audio) == 0:
		return "", akitad.Errorf(akitad.InvalidRequest, "transcription: %q is empty", name)
	case len(audio) > MaxAudio:
		return "", akitad.Errorf(akitad.InvalidRequest, "transcription: %q has over %d bytes", name, MaxAudio)
	}
	body, kind, err := c.form(fileName(name, audio), audio)
	if err != nil {
		return "", fmt.Errorf("transcription: %w", err)
	}
	wait := firstWait
	for try := 1; ; try++ {
		words, err := c.ask(ctx, body, kind)
		if err == nil || try == tries || !akitad.KindOf(err).Temporary() {
			return words, err
		}
		if !sleep.For(ctx, min(max(wait, asked(err)), maxWait)) {
			return "", err
		}
		wait *= 2
	}
}

// form returns the body of the request.
func (c *Client) form(name string, audio []byte) (body []byte, contentType string, err error) {
	var buf bytes.Buffer
	form := multipart.NewWriter(&buf)
	part, err := form.CreateFormFile("file", name)
	if err == nil {
		_, err = part.Write(audio)
	}
	err = errors.Join(err, form.WriteField("model", c.opts.Model), form.WriteField("response_format", "json"), form.Close())
	return buf.Bytes(), form.FormDataContentType(), err
}

func (c *Client) ask(ctx context.Context, body []byte, contentType string) (string, error) {
	tctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	req, err := http.NewRequestWithContext(tctx, http.MethodPost, c.url, bytes.NewReader(body))
	if err != nil {
		return "", fmt.Errorf("transcription: %w", err)
	}
	req.Header.Set("Content-Type", contentType)
	if c.opts.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+c.opts.APIKey)
	}
	resp, err := c.opts.HTTP.Do(req)
	if err != nil {
		return "", lost(ctx, err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	switch {
	case resp.StatusCode != http.StatusOK:
		return "", refusal(resp, answer)
	case err != nil:
		return "", lost(ctx, err)
	}
	var said struct {
		Text *string `json:"text"`
	}
	if err := json.Unmarshal(answer, &said); err != nil || said.Text == nil {
		return "", &akitad.Error{Kind: akitad.Unavailable, Op: "transcription", Err: errors.New("the answer is not that of a transcription service"), Hint: "check transcription.base_url"}
	}
	return strings.TrimSpace(*said.Text), nil
}

// lost returns the error of a request that had no answer, with its kind.
func lost(ctx context.Context, err error) error {
	kind := akitad.Transport
	switch {
	case ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled):
		kind = akitad.Cancelled
	case errors.Is(err, context.DeadlineExceeded):
		kind = akitad.Timeout
	}
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = u.Err
	}
	return &akitad.Error{Kind: kind, Op: "transcription", Err: err}
}

// refused returns the error for an answer other than 200.
type refused struct {
	status int
	detail string
	wait   time.Duration
}

func (r *refused) Error() string {
	return fmt.Sprintf("the service answered %d: %s", r.status, r.detail)
}

func asked(err error) time.Duration {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.wait
	}
	return 0
}

func refusal(resp *http.Response, answer []byte) error {
	var said struct {
		Error struct {
			Message string `json:"message"`
			Code    string `json:"code"`
			Type    string `json:"type"`
		} `json:"error"`
	}
	r := &refused{status: resp.StatusCode, detail: "no reason given"}
	if json.Unmarshal(answer, &said) == nil && said.Error.Message != "" {
		r.detail = strings.ToValidUTF8(said.Error.Message[:min(len(said.Error.Message), maxDetail)], "")
	}
	if s, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil && s > 0 {
		r.wait = time.Duration(min(s, 3600)) * time.Second
	}
	out := &akitad.Error{Kind: kindOf(resp.StatusCode), Op: "transcription", Err: r}
	switch {
	case said.Error.Code == "insufficient_quota" || said.Error.Type == "insufficient_quota":
		out.Kind = akitad.Quota
	case out.Kind == akitad.Auth:
		out.Hint = "check transcription.api_key"
	case out.Kind == akitad.NotFound:
		out.Hint = "check transcription.base_url and transcription.model"
	}
	return out
}

func kindOf(status int) akitad.Kind {
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden:
		return akitad.Auth
	case status == http.StatusPaymentRequired:
		return akitad.Quota
	case status == http.StatusNotFound, status == http.StatusMethodNotAllowed:
		return akitad.NotFound
	case status == http.StatusTooManyRequests:
		return akitad.RateLimited
	case status == http.StatusRequestTimeout, status == http.StatusGatewayTimeout:
		return akitad.Timeout
	case status >= http.StatusInternalServerError:
		return akitad.Overloaded
	case status < http.StatusBadRequest:
		return akitad.Unavailable
	}
	return akitad.InvalidRequest
}
