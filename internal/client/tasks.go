package client

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/akitad/akitad"
)

// maxWait is the longest that a request may wait for its task.
const maxWait = 10 * time.Minute

// limitOf returns how long a request may take: a task that is waited for takes longer.
func limitOf(in any) time.Duration {
	if req, ok := in.(akitad.TaskRequest); ok {
		if wait, err := time.ParseDuration(req.Wait); err == nil && wait > 0 {
			return min(wait, maxWait) + requestTime
		}
	}
	return requestTime
}

func taskPath(id akitad.TaskID, more string) string {
	return "/v1/tasks/" + url.PathEscape(string(id)) + more
}

// Submit hands in a task, as one of the command line, and returns once it is in the journal.
func (c *Client) Submit(ctx context.Context, req akitad.TaskRequest) (akitad.TaskID, error) {
	var a Accepted
	err := c.do(ctx, http.MethodPost, "/v1/tasks?via=cli", req, &a)
	return a.ID, err
}

// Task returns one task.
func (c *Client) Task(ctx context.Context, id akitad.TaskID) (t akitad.Task, err error) {
	return t, c.do(ctx, http.MethodGet, taskPath(id, ""), nil, &t)
}

// Filter chooses tasks of a listing; empty fields choose all.
type Filter struct {
	State   string
	Session string
	Query   string
	ID      string // how the id begins
	Limit   int
	Cursor  string
}

// Tasks returns a page of tasks, the newest first.
func (c *Client) Tasks(ctx context.Context, f Filter) (Page[Summary], error) {
	q := url.Values{}
	for name, value := range map[string]string{"state": f.State, "session": f.Session, "q": f.Query, "id": f.ID, "cursor": f.Cursor} {
		if value != "" {
			q.Set(name, value)
		}
	}
	if f.Limit != 0 {
		q.Set("limit", strconv.Itoa(f.Limit))
	}
	return List[Summary](ctx, c, "/v1/tasks", q)
}

// List returns a page of any listing route.
func List[T any](ctx context.Context, c *Client, path string, q url.Values) (p Page[T], err error) {
	if len(q) > 0 {
		path += "?" + q.Encode()
	}
	return p, c.do(ctx, http.MethodGet, path, nil, &p)
}

func (c *Client) act(ctx context.Context, id akitad.TaskID, action string, in any) (t akitad.Task, err error) {
	return t, c.do(ctx, http.MethodPost, taskPath(id, "/"+action), in, &t)
}

// Cancel ends a task for good.
func (c *Client) Cancel(ctx context.Context, id akitad.TaskID) (akitad.Task, error) {
	return c.act(ctx, id, "cancel", nil)
}

// Pause holds a task once its running round has ended.
func (c *Client) Pause(ctx context.Context, id akitad.TaskID) (akitad.Task, error) {
	return c.act(ctx, id, "pause", nil)
}

// Resume lets a paused task go on.
func (c *Client) Resume(ctx context.Context, id akitad.TaskID) (akitad.Task, error) {
	return c.act(ctx, id, "resume", nil)
}

// Retry reopens a task that failed or was cancelled: after its last round that was done, or after
// round from with the files as they were then, if from is not nil.
func (c *Client) Retry(ctx context.Context, id akitad.TaskID, from *int) (akitad.Task, error) {
	if from == nil {
		return c.act(ctx, id, "retry", nil)
	}
	return c.act(ctx, id, "retry", struct {
		From int `json:"from"`
	}{*from})
}

// Failover ends a task's present attempt and starts the next agent.
func (c *Client) Failover(ctx context.Context, id akitad.TaskID) (akitad.Task, error) {
	return c.act(ctx, id, "failover", nil)
}

// Rollback undoes what a task that has ended wrote.
func (c *Client) Rollback(ctx context.Context, id akitad.TaskID) (r Rollback, err error) {
	return r, c.do(ctx, http.MethodPost, taskPath(id, "/rollback"), nil, &r)
}

// PauseAgent makes a profile take no work on any node.
func (c *Client) PauseAgent(ctx context.Context, profile string) (Agent, error) {
	return c.agent(ctx, profile, "pause")
}

// ResumeAgent lets a paused profile take work again.
func (c *Client) ResumeAgent(ctx context.Context, profile string) (Agent, error) {
	return c.agent(ctx, profile, "resume")
}

func (c *Client) agent(ctx context.Context, profile, action string) (a Agent, err error) {
	return a, c.do(ctx, http.MethodPost, "/v1/agents/"+url.PathEscape(profile)+"/"+action, nil, &a)
}

// SetStrategy forces how models are chosen on all nodes, until it is set again.
func (c *Client) SetStrategy(ctx context.Context, name string) (s Strategy, err error) {
	return s, c.do(ctx, http.MethodPut, "/v1/strategy", Strategy{Strategy: name}, &s)
}

// Steer corrects a running task, or answers its question.
func (c *Client) Steer(ctx context.Context, id akitad.TaskID, text string) (akitad.Task, error) {
	return c.act(ctx, id, "steer", struct {
		Text string `json:"text"`
	}{text})
}

// Rate returns a result 1 to 5 stars.
func (c *Client) Rate(ctx context.Context, id akitad.TaskID, stars int) (akitad.Task, error) {
	return c.act(ctx, id, "rate", struct {
		Stars int `json:"stars"`
	}{stars})
}

// Stats returns what a task used.
func (c *Client) Stats(ctx context.Context, id akitad.TaskID) (s Stats, err error) {
	return s, c.do(ctx, http.MethodGet, taskPath(id, "/stats"), nil, &s)
}

// Spec returns the compiled spec as YAML; not_found if the task has none.
func (c *Client) Spec(ctx context.Context, id akitad.TaskID) ([]byte, error) {
	return c.bytes(ctx, http.MethodGet, taskPath(id, "/spec"), nil)
}

// Plan returns the plan as YAML; not_found if the task has none.
func (c *Client) Plan(ctx context.Context, id akitad.TaskID) ([]byte, error) {
	return c.bytes(ctx, http.MethodGet, taskPath(id, "/plan"), nil)
}

// Trace returns a task's trace in a format: json (a tree), jsonl, otlp or chrome.
func (c *Client) Trace(ctx context.Context, id akitad.TaskID, format string) ([]byte, error) {
	return c.bytes(ctx, http.MethodGet, taskPath(id, "/trace?format="+url.QueryEscape(format)), nil)
}

// Artifact writes the bytes of a task's artifact to w. Bytes that are not those of the hash are an error
// of kind transport.
func (c *Client) Artifact(ctx context.Context, id akitad.TaskID, hash string, w io.Writer) error {
	resp, err := c.send(ctx, http.MethodGet, taskPath(id, "/artifacts/"+url.PathEscape(hash)), nil, nil)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode >= http.StatusBadRequest {
		body, rerr := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		return errors.Join(problemError(resp.StatusCode, body), rerr)
	}
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, sum), resp.Body); err != nil {
		return akitad.Errorf(akitad.Transport, "read artifact %s: %w", hash, err)
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != hash {
		return akitad.Errorf(akitad.Transport, "artifact %s came as %s", hash, got)
	}
	return nil
}

// Strategy returns how models are chosen.
func (c *Client) Strategy(ctx context.Context) (s Strategy, err error) {
	return s, c.do(ctx, http.MethodGet, "/v1/strategy", nil, &s)
}

// Remember keeps an entry of memory; out receives it as it is stored.
func (c *Client) Remember(ctx context.Context, in Remember, out any) error {
	return c.do(ctx, http.MethodPost, "/v1/memory", in, out)
}

// Index indexes a document.
func (c *Client) Index(ctx context.Context, d Document) (k Knowledge, err error) {
	return k, c.do(ctx, http.MethodPost, "/v1/knowledge", d, &k)
}

// Unindex removes a document, by its id or name, from the index.
func (c *Client) Unindex(ctx context.Context, source string) error {
	return c.do(ctx, http.MethodDelete, "/v1/knowledge/"+url.PathEscape(source), nil, nil)
}

// Forget removes an entry of memory.
func (c *Client) Forget(ctx context.Context, id string) error {
	return c.do(ctx, http.MethodDelete, "/v1/memory/"+url.PathEscape(id), nil, nil)
}
