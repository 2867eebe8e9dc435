package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/akitad/akitad/internal/chatsend"
)

const (
	maxAnswer     = 64 << 20 // bytes of one answer: a hundred updates are far below
	maxRepeatable = 1 << 20  // bytes of a request that is kept so that it can be sent again
)

// doer is the HTTP client under the library. It reads each answer, so that what the API refuses
// comes back as one type of error, and it keeps the token out of all errors.
type doer struct {
	client http.Client
	token  string
}

func newDoer(client *http.Client, token string) *doer {
	d := &doer{token: token}
	if client != nil {
		d.client = *client
	}
	// The URL holds the token: it goes to no other place.
	d.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return d
}

// Do sends a request. An answer that is not "ok" is an *apiError.
func (d *doer) Do(req *http.Request) (*http.Response, error) {
	if err := makeRepeatable(req); err != nil {
		return nil, err
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, d.clean(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, d.clean(err)
	}
	if err := refusal(resp.StatusCode, body); err != nil {
		return nil, err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, nil
}

// makeRepeatable reads a small body ahead: the library streams its forms, and a streamed request
// fails when the server has just closed the idle connection it is sent on.
func makeRepeatable(req *http.Request) error {
	if req.Body == nil || req.GetBody != nil {
		return nil
	}
	ahead, err := io.ReadAll(io.LimitReader(req.Body, maxRepeatable))
	if err != nil {
		return fmt.Errorf("read request: %w", err)
	}
	if len(ahead) == maxRepeatable {
		req.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(ahead), req.Body), req.Body}
		return nil
	}
	_ = req.Body.Close() // it has been read to its end
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(ahead)), nil }
	req.Body, _ = req.GetBody()
	req.ContentLength = int64(len(ahead))
	return nil
}

// scrub takes the token out of a text.
func (d *doer) scrub(text string) string { return strings.ReplaceAll(text, d.token, "***") }

// clean takes the token out of an error and keeps its chain where the chain does not show it.
func (d *doer) clean(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		err = fmt.Errorf("%s %s: %w", strings.ToLower(u.Op), d.scrub(u.URL), u.Err)
	}
	if strings.Contains(err.Error(), d.token) {
		return errors.New(d.scrub(err.Error()))
	}
	return err
}

// apiError is what the Bot API answers when it refuses.
type apiError struct {
	code        int
	description string
	retryAfter  time.Duration
	movedTo     int64 // the group's id since it became a supergroup
}

func (e *apiError) Error() string {
	return fmt.Sprintf("telegram answered %d: %s", e.code, e.description)
}

// refusal reads an answer; nil means that it is "ok". What does not say whether it is comes from something
// in between, like a proxy.
func refusal(status int, body []byte) error {
	var answer struct {
		OK          *bool  `json:"ok"`
		Code        int    `json:"error_code"`
		Description string `json:"description"`
		Parameters  struct {
			RetryAfter json.Number `json:"retry_after"`
			MigrateTo  int64       `json:"migrate_to_chat_id"`
		} `json:"parameters"`
	}
	err := json.Unmarshal(body, &answer)
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); err != nil && !odd || answer.OK == nil {
		return &apiError{code: chatsend.Between(status), description: "the answer is not the Bot API's"}
	}
	if *answer.OK {
		return nil
	}
	if answer.Code == 0 {
		answer.Code = status
	}
	wait := answer.Parameters.RetryAfter
	if told := waitInWords.FindStringSubmatch(answer.Description); wait == "" && told != nil {
		wait = json.Number(told[1])
	}
	return &apiError{code: answer.Code, description: answer.Description, retryAfter: waitOf(wait), movedTo: answer.Parameters.MigrateTo}
}

// waitInWords finds the seconds to wait where only the description has them: "retry after 5", FLOOD_WAIT_5,
// SLOWMODE_WAIT_5.
var waitInWords = regexp.MustCompile(`(?i)(?:retry after |_WAIT_)(\d+)`)

// maxPause keeps a wait that makes no sense from lasting for ever.
const maxPause = 7 * 24 * time.Hour

// waitOf reads seconds; 0 if they are none.
func waitOf(seconds json.Number) time.Duration {
	n, err := seconds.Float64()
	if err != nil || n <= 0 {
		return 0
	}
	return time.Duration(min(n, maxPause.Seconds()) * float64(time.Second))
}

// call makes a request of a method with fields (name, value, name, value ...).
func (t *Telegram) call(ctx context.Context, method string, into any, fields ...string) error {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1]) // a bytes.Buffer takes everything
	}
	_ = form.Close()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, t.base+method, &body)
	if err != nil {
		return t.wire.clean(err)
	}
	req.Header.Set("Content-Type", form.FormDataContentType())
	resp, err := t.wire.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var answer struct {
		Result json.RawMessage `json:"result"`
	}
	text, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(text, &answer)
	}
	if err == nil {
		err = json.Unmarshal(answer.Result, into)
	}
	if err != nil {
		return fmt.Errorf("read answer of %s: %w", method, err)
	}
	return nil
}
