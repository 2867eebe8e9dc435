package admin_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/admin"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/client"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) { leaktest.Main(m) }

// daemon is a whole daemon on a scripted model.
type daemon struct {
	t     *testing.T
	app   *app.App
	token string
}

func start(t *testing.T, model llm.Provider) *daemon {
	t.Helper()
	return startOn(t, model, func(*config.Config) {})
}

func startOn(t *testing.T, model llm.Provider, change func(*config.Config)) *daemon {
	t.Helper()
	cfg, err := config.Load(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	cfg.Compiler, cfg.Stop.Grace, cfg.Admin.Listen = "twin", 2*time.Second, "127.0.0.1:0"
	change(&cfg)
	a, err := app.New(t.Context(), cfg, app.Options{Parts: app.Parts{Orchestrate: true, Work: true, Serve: true}, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ran := make(chan error, 1)
	go func() { ran <- a.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ran; err != nil {
			t.Error(err)
		}
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
		http.DefaultClient.CloseIdleConnections()
	})
	token, err := config.AdminToken(cfg.Path.Token)
	if err != nil {
		t.Fatal(err)
	}
	return &daemon{t: t, app: a, token: token.Reveal()}
}

type answer struct {
	Status int
	Type   string
	Header http.Header
	Body   []byte
}

// problem reads the answer as one.
func (a answer) problem(t *testing.T) client.Problem {
	t.Helper()
	var p client.Problem
	if err := json.Unmarshal(a.Body, &p); err != nil || a.Type != "application/problem+json" || p.Status != a.Status {
		t.Fatalf("%d %s %s is no problem (%v)", a.Status, a.Type, a.Body, err)
	}
	return p
}

// ask sends a request with the token; change may be nil.
func (d *daemon) ask(method, path, body string, change func(*http.Request)) answer {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), method, d.app.Admin.URL()+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+d.token)
	if change != nil {
		change(req)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		d.t.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header.Get("Content-Type"), resp.Header, text}
}

func (d *daemon) client() *client.Client {
	d.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		c, err := client.ForHome(d.app.Config.Path)
		if err == nil && c.Ready(d.t.Context()) == nil {
			d.t.Cleanup(c.Close)
			return c
		}
		if time.Now().After(deadline) {
			d.t.Fatalf("the daemon is not ready: %v", err)
		}
		time.Sleep(time.Millisecond)
	}
}

func paused(t *journal.Task) bool { return t.IsPaused && t.State == akitad.Waiting }

func submit(t *testing.T, c *client.Client, req akitad.TaskRequest) akitad.TaskID {
	t.Helper()
	id, err := c.Submit(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func TestProblems(t *testing.T) {
	d := start(t, llmtest.New(t))
	d.client()
	none := "t_aaaaaaaaaaaaaaaaaaaaaaaa"
	for _, tt := range []struct {
		method, path, body string
		status             int
		code               string
		says               string // in detail
		hint               string // in hint
	}{
		{"POST", "/v1/tasks", `{"text":""}`, 422, "invalid_request", "the text is empty", "say what is wanted"},
		{"POST", "/v1/tasks", `{"text":"  \n "}`, 422, "invalid_request", "the text is empty", ""},
		{"POST", "/v1/tasks", `{"text":"\u200b\u00a0\ufeff "}`, 422, "invalid_request", "the text is empty", ""},
		{"POST", "/v1/tasks", `{}`, 422, "invalid_request", "the text is empty", ""},
		{"POST", "/v1/tasks", ``, 400, "invalid_request", "body is required", ""},
		{"POST", "/v1/tasks", `{"text":"a`, 400, "invalid_request", "line 1, byte 10", "JSON object"},
		{"POST", "/v1/tasks", "{\"text\":\"a\",\n\"b\" 5}", 400, "invalid_request", "line 2, byte 5", ""},
		{"POST", "/v1/tasks", `["text"]`, 422, "invalid_request", "expected object", ""},
		{"POST", "/v1/tasks", `{"text":5}`, 422, "invalid_request", "body.text expected string", "openapi"},
		{"POST", "/v1/tasks", `{"text":"x","nosuch":1}`, 422, "invalid_request", "body.nosuch unexpected", ""},
		{"POST", "/v1/tasks", `{"text":"x","profile":"nosuch"}`, 422, "invalid_request", `"nosuch"`, "known profiles: analyst"},
		{"POST", "/v1/tasks", `{"flow":"nosuch"}`, 404, "not_found", `"nosuch"`, "flows are"},
		{"POST", "/v1/tasks", `{"flow":"../x"}`, 404, "not_found", `"../x"`, ""},
		{"POST", "/v1/tasks", `{"text":"x","plan":"steps: 5"}`, 422, "invalid_request", "line 1", "mend the plan"},
		{"POST", "/v1/tasks", `{"text":"x","plan":"steps: [{id: a, tool: nosuch}]"}`, 422, "invalid_request", "nosuch", ""},
		{"POST", "/v1/tasks", `{"text":"x","priority":"urgent"}`, 422, "invalid_request", "body.priority", ""},
		{"POST", "/v1/tasks", `{"text":"x","budget":{"calls":-3}}`, 422, "invalid_request", "body.budget.calls", ""},
		{"POST", "/v1/tasks", `{"text":"x","budget":{"input_tokens":-1}}`, 422, "invalid_request", "body.budget.input_tokens", ""},
		{"POST", "/v1/tasks", `{"text":"x","budget":{"rounds":61}}`, 422, "invalid_request", "body.budget.rounds", ""},
		{"POST", "/v1/tasks", "{\"text\":\"caf\xe9\"}", 400, "invalid_request", "not UTF-8, from byte 13 on", "JSON"},
		{"POST", "/v1/tools/time", "{\"zone\":\"\xff\"}", 400, "invalid_request", "not UTF-8, from byte 10 on", ""},
		{"GET", "/v1/tasks?limit=5&q=100%", "", 400, "invalid_request", "cannot be read", "%25"},
		{"GET", "/v1/tasks?state=failed;limit=5", "", 400, "invalid_request", "semicolon", "%3B"},
		{"POST", "/v1/tasks", `{"text":"x","budget":{"money":3}}`, 422, "invalid_request", "body.budget.money", ""},
		{"POST", "/v1/tasks", `{"text":"x","wait":"soon"}`, 422, "invalid_request", `wait "soon"`, "30s"},
		{"POST", "/v1/tasks", `{"text":"x","wait":"11m"}`, 422, "invalid_request", "10m", ""},
		{"POST", "/v1/tasks", `{"text":"x","wait":"-1s"}`, 422, "invalid_request", "wait", ""},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"name":"../up","content":"YQ=="}]}`, 422, "invalid_request", "../up", ""},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"name":"a\u0000b","content":"YQ=="}]}`, 422, "invalid_request", "cannot be a file's name", ""},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"name":"a","content":"YQ=="},{"name":"./a","content":"Yg=="}]}`, 422, "invalid_request", "two files", "name of its own"},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"name":"a","content":"YQ==","path":"/etc/hosts"}]}`, 422, "invalid_request", "both a content and a path", "one of the two"},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"path":"doc.go"}]}`, 422, "invalid_request", "relative", "absolute"},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"name":"a","content":"*"}]}`, 422, "invalid_request", "base64", ""},
		{"POST", "/v1/tasks", `{"text":"x","params":{"a":1}}`, 422, "invalid_request", "no flow that takes them", "name the flow"},
		{"POST", "/v1/tasks", `{"text":"x","output_schema":["a"]}`, 422, "invalid_request", "output_schema: it is no object", "JSON Schema"},
		{"POST", "/v1/tasks/17/steer", `{"text":"x"}`, 404, "not_found", `"17"`, "t_"},
		{"POST", "/v1/tasks/17/rollback", "", 404, "not_found", `"17"`, "t_"},
		{"POST", "/v1/agents/..%2fx/pause", "", 404, "not_found", `"../x"`, "known profiles"},
		{"GET", "/v1/usage?since=2026-12-01&until=2026-11-30", "", 422, "invalid_request", "is after", "swap"},
		{"POST", "/v1/tasks", `{"text":"x","files":[{"path":"/no/such/file"}]}`, 422, "invalid_request", "/no/such/file", ""},
		{"POST", "/v1/tasks", `{"text":"` + strings.Repeat("x", 1<<20+1) + `"}`, 422, "invalid_request", "1048577 bytes", "file"},
		{"POST", "/v1/tasks/" + none + "/steer", `{"text":"` + strings.Repeat("x", 2<<20) + `"}`, 413, "too_large", "too large", "files"},
		{"GET", "/v1/tasks?state=done", "", 422, "invalid_request", "", ""},
		{"GET", "/v1/tasks?limit=0", "", 422, "invalid_request", "limit", ""},
		{"GET", "/v1/tasks?cursor=nosuch", "", 422, "invalid_request", "cursor", ""},
		{"GET", "/v1/tasks/17", "", 404, "not_found", `"17"`, "t_"},
		{"GET", "/v1/tasks/" + none, "", 404, "not_found", none, "/v1/tasks"},
		{"GET", "/v1/tasks/" + none + "/events", "", 404, "not_found", none, ""},
		{"GET", "/v1/tasks/" + none + "/trace", "", 404, "not_found", none, ""},
		{"POST", "/v1/tasks/" + none + "/cancel", "", 404, "not_found", none, ""},
		{"POST", "/v1/tasks/" + none + "/steer", `{"text":"x"}`, 404, "not_found", none, ""},
		{"POST", "/v1/tasks/" + none + "/steer", `{"text":""}`, 422, "invalid_request", "body.text", ""},
		{"POST", "/v1/tasks/" + none + "/rate", `{"stars":9}`, 422, "invalid_request", "body.stars", ""},
		{"POST", "/v1/memory", `{"text":"x","type":"nosuch"}`, 422, "invalid_request", "body.type", ""},
		{"DELETE", "/v1/memory/nosuch", "", 404, "not_found", "nosuch", ""},
		{"GET", "/v1/nosuch", "", 404, "no_route", "/v1/nosuch", "openapi"},
		{"GET", "/", "", 404, "no_route", "no dashboard; akitad task watch", ""},
		{"GET", "/v1/schedules/s1/runs", "", 404, "no_route", "no schedules; let another program", "openapi"},
		{"DELETE", "/v1/tasks", "", 405, "no_method", "DELETE", "use GET, POST"},
	} {
		t.Run(tt.method+" "+tt.path+" "+tt.body[:min(len(tt.body), 40)], func(t *testing.T) {
			got := d.ask(tt.method, tt.path, tt.body, nil)
			p := got.problem(t)
			if p.Status != tt.status || p.Code != tt.code || !strings.Contains(p.Detail, tt.says) || !strings.Contains(p.Hint, tt.hint) {
				t.Errorf("%s", got.Body)
			}
		})
	}
	d.client() // it is ready still
}

func TestWhoIsLetIn(t *testing.T) {
	d := start(t, llmtest.New(t))
	header := func(name, value string) func(*http.Request) {
		return func(r *http.Request) { r.Header.Set(name, value) }
	}
	host := func(name string) func(*http.Request) { return func(r *http.Request) { r.Host = name } }
	port := d.app.Admin.URL()[strings.LastIndex(d.app.Admin.URL(), ":"):]
	for _, tt := range []struct {
		name   string
		path   string
		change func(*http.Request)
		status int
		code   string
	}{
		{"the token", "/v1/tasks", nil, 200, ""},
		{"no token", "/v1/tasks", func(r *http.Request) { r.Header.Del("Authorization") }, 401, "unauthorized"},
		{"the token after a small scheme", "/v1/tasks", header("Authorization", "bearer "+d.token), 200, ""},
		{"the token alone", "/v1/tasks", header("Authorization", d.token), 401, "unauthorized"},
		{"the token after another scheme", "/v1/tasks", header("Authorization", "Basic "+d.token), 401, "unauthorized"},
		{"a wrong token", "/v1/tasks", header("Authorization", "Bearer wrong"), 401, "unauthorized"},
		{"the token in the URL", "/v1/tasks?token=" + d.token, func(r *http.Request) { r.Header.Del("Authorization") }, 401, "unauthorized"},
		{"probes need none", "/healthz", func(r *http.Request) { r.Header.Del("Authorization") }, 200, ""},
		{"nor does the contract", "/openapi.json", func(r *http.Request) { r.Header.Del("Authorization") }, 200, ""},
		{"localhost", "/v1/tasks", host("localhost" + port), 200, ""},
		{"another host", "/v1/tasks", host("evil.example" + port), 403, "foreign_host"},
		{"another host at a probe", "/healthz", host("evil.example"), 403, "foreign_host"},
		{"an address that is not the connection's", "/v1/tasks", host("10.1.2.3" + port), 403, "foreign_host"},
		{"a host behind our port", "/healthz", host("localhost" + port + ".evil.example"), 403, "foreign_host"},
		{"a packed body", "/v1/tasks", header("Content-Encoding", "gzip"), 415, "invalid_request"},
		{"a body that is packed as nothing", "/v1/tasks", header("Content-Encoding", "identity"), 200, ""},
		{"our own page", "/v1/tasks", header("Origin", "http://127.0.0.1"+port), 200, ""},
		{"another page", "/v1/tasks", header("Origin", "http://evil.example"), 403, "foreign_origin"},
		{"a page of another port", "/v1/tasks", header("Origin", "http://127.0.0.1:1"), 403, "foreign_origin"},
		{"a page without a name", "/v1/tasks", header("Origin", "null"), 403, "foreign_origin"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := d.ask("GET", tt.path, "", tt.change)
			if got.Status != tt.status || (tt.code != "" && got.problem(t).Code != tt.code) {
				t.Errorf("%d %s", got.Status, got.Body)
			}
		})
	}
}

func TestTenWrongTokensLock(t *testing.T) {
	d := start(t, llmtest.New(t))
	wrong := func(r *http.Request) { r.Header.Set("Authorization", "Bearer guess") }
	for range 9 {
		if got := d.ask("GET", "/v1/tasks", "", wrong); got.Status != http.StatusUnauthorized {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	for range 3 {
		got := d.ask("GET", "/v1/tasks", "", wrong)
		if got.Status != http.StatusTooManyRequests || got.Header.Get("Retry-After") != "60" || got.problem(t).Code != "rate_limited" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if got := d.ask("GET", "/v1/tasks", "", nil); got.Status != http.StatusOK {
		t.Errorf("the right token is refused: %d %s", got.Status, got.Body)
	}
}

func TestWaitAndIdempotency(t *testing.T) {
	hold := llmtest.NewHold()
	d := start(t, llmtest.New(t).
		On(llmtest.Begins("quick"), llmtest.Text("done")).
		On(llmtest.Begins("slow"), llmtest.Text("done at last").Held(hold)))
	d.client()
	got := d.ask("POST", "/v1/tasks", `{"text":"quick","wait":"2m","idempotency_key":"k"}`, nil)
	var task akitad.Task
	if err := json.Unmarshal(got.Body, &task); err != nil || got.Status != 200 || task.State != akitad.Completed || task.Result.Text != "done" {
		t.Fatalf("%d %s (%v)", got.Status, got.Body, err)
	}
	again := d.ask("POST", "/v1/tasks", `{"text":"quick","idempotency_key":"k"}`, nil)
	var accepted client.Accepted
	if err := json.Unmarshal(again.Body, &accepted); err != nil || again.Status != 202 || accepted.ID != task.ID {
		t.Errorf("%d %s, want 202 and %s (%v)", again.Status, again.Body, task.ID, err)
	}
	inHeader := func(r *http.Request) {
		r.Header.Set("Idempotency-Key", "k")
		r.Header.Set("Content-Type", "Application/JSON; charset=UTF-8")
	}
	again = d.ask("POST", "/v1/tasks", "\ufeff"+`{"text":"quick","files":[]}`, inHeader)
	if err := json.Unmarshal(again.Body, &accepted); err != nil || again.Status != 202 || accepted.ID != task.ID {
		t.Errorf("by the header: %d %s, want 202 and %s (%v)", again.Status, again.Body, task.ID, err)
	}
	for _, body := range []string{`{"text":"quick","files":[{"name":"a","content":""}]}`, `{"text":"quick","session":"s"}`, `{"text":"quick","output_schema":{"type":"object"}}`} {
		if p := d.ask("POST", "/v1/tasks", body, inHeader).problem(t); p.Status != 409 {
			t.Errorf("%s: %+v", body, p)
		}
	}
	if p := d.ask("POST", "/v1/tasks", `{"text":"quick","idempotency_key":"j"}`, inHeader).problem(t); p.Status != 422 {
		t.Errorf("two keys: %+v", p)
	}
	slow := d.ask("POST", "/v1/tasks", `{"text":"slow","wait":"1ms"}`, nil)
	if err := json.Unmarshal(slow.Body, &accepted); err != nil || slow.Status != 202 || !accepted.ID.Valid() {
		t.Errorf("%d %s (%v)", slow.Status, slow.Body, err)
	}
	if show := d.ask("GET", "/v1/tasks/"+string(accepted.ID), "", nil); show.Status != 200 {
		t.Errorf("a task just made: %d %s", show.Status, show.Body)
	}
	<-hold.Arrived()
	hold.Release()
}

// The time limit for a body ends with the body: a request that waits for its task outlives it, and a
// body that does not come is given up.
func TestBodyTime(t *testing.T) {
	const within = time.Second
	hold := llmtest.NewHold()
	d := start(t, llmtest.New(t).On(llmtest.Begins("slow"), llmtest.Text("done at last").Held(hold)))
	d.client()
	a := d.app
	s, err := admin.New(admin.Deps{
		Bus: a.Bus, Journal: a.Journal, Projection: a.Projection, Orchestrator: a.Orchestrator, Profiles: a.Profiles,
		Router: a.Router, Memory: a.Memory,
	}, admin.Options{Listen: "127.0.0.1:0", Token: d.token, BodyTime: within})
	if err != nil {
		t.Fatal(err)
	}
	h := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		h.Close()
		if err := s.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	send := func(body io.Reader) (*http.Response, error) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, h.URL+"/v1/tasks", body)
		if err != nil {
			return nil, err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "Bearer "+d.token)
		return h.Client().Do(req)
	}
	go func() {
		<-hold.Arrived()
		time.AfterFunc(2*within, hold.Release)
	}()
	resp, err := send(strings.NewReader(`{"text":"slow","wait":"2m"}`))
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%+v, %v; want the task's end", resp, err)
	}
	_ = resp.Body.Close()
	never, end := io.Pipe()
	resp, err = send(never)
	if err == nil {
		if resp.StatusCode != http.StatusRequestTimeout {
			t.Errorf("a body that does not come: %d, want 408", resp.StatusCode)
		}
		_ = resp.Body.Close()
	}
	_ = end.Close()
}

// A body that says that it is too large is refused before any of it is read.
func TestTooLarge(t *testing.T) {
	d := start(t, llmtest.New(t))
	conn, err := net.Dial("tcp", strings.TrimPrefix(d.app.Admin.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, err = fmt.Fprintf(conn, "POST /v1/tasks HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", d.token, 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusRequestEntityTooLarge || !bytes.Contains(body, []byte(`"code":"too_large"`)) || !resp.Close {
		t.Errorf("%d %s, close %v (%v)", resp.StatusCode, body, resp.Close, err)
	}
}

// sse reads events from a response until it ends or n have come.
func sse(t *testing.T, r io.Reader, n int) (events []string, last string) {
	t.Helper()
	lines := bufio.NewScanner(r)
	for lines.Scan() && len(events) < n {
		if kind, ok := strings.CutPrefix(lines.Text(), "event: "); ok {
			events = append(events, kind)
		}
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			last = id
		}
	}
	return events, last
}

func (d *daemon) events(id akitad.TaskID, last string) *http.Response {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, d.app.Admin.URL()+"/v1/tasks/"+string(id)+"/events", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// A reader that comes back with the last id it has gets the rest, each event once, up to the end.
func TestEventsResume(t *testing.T) {
	hold := llmtest.NewHold()
	d := start(t, llmtest.New(t).On(llmtest.Begins("work"), llmtest.Text("done").Held(hold)))
	id := submit(t, d.client(), akitad.TaskRequest{Text: "work"})
	<-hold.Arrived()
	first := d.events(id, "")
	if got := first.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Errorf("content type %q", got)
	}
	if head := d.ask("HEAD", "/v1/tasks/"+string(id)+"/events", "", nil); head.Status != http.StatusOK || head.Type != "text/event-stream" {
		t.Errorf("the head alone: %d %s", head.Status, head.Type)
	}
	begun, last := sse(t, first.Body, 4)
	if !slices.Equal(begun, []string{"submitted", "claimed", "compiled", "planned"}) {
		t.Fatalf("first %v", begun)
	}
	_ = first.Body.Close()
	second := d.events(id, last)
	hold.Release()
	rest, end := sse(t, second.Body, 100)
	rest = slices.DeleteFunc(rest, func(kind string) bool { return kind == "live" })
	if len(rest) < 2 || rest[0] != "woken" || rest[len(rest)-1] != "completed" {
		t.Errorf("then %v", rest)
	}
	whole, _ := sse(t, d.events(id, "").Body, 100)
	if want := slices.Concat(begun, rest); !slices.Equal(whole, want) {
		t.Errorf("from the start %v, want %v", whole, want)
	}
	if tail, _ := sse(t, d.events(id, last).Body, 100); !slices.Equal(tail, rest) {
		t.Errorf("after the end %v, want %v", tail, rest)
	}
	if nothing := d.events(id, end); nothing.StatusCode != http.StatusNoContent {
		t.Errorf("past the end: %d, want 204", nothing.StatusCode)
	}
	if bad := d.events(id, "x"); bad.StatusCode != http.StatusUnprocessableEntity {
		t.Errorf("a bad id: %d, want 422", bad.StatusCode)
	}
}

func TestLiveText(t *testing.T) {
	hold := llmtest.NewHold()
	d := start(t, llmtest.New(t).On(llmtest.Begins("work"), llmtest.Text("done").Held(hold)))
	c := d.client()
	id := submit(t, c, akitad.TaskRequest{Text: "work"})
	<-hold.Arrived()
	var heard strings.Builder
	release := sync.OnceFunc(hold.Release)
	err := c.Watch(t.Context(), id, 0, func(e akitad.Event) bool {
		if e.Kind == "claimed" {
			// The stream has begun, so what is said now is heard.
			if err := d.app.Bus.Live(string(id), []byte("half a word")); err != nil {
				t.Error(err)
			}
		}
		return true
	}, func(text string) {
		heard.WriteString(text)
		release()
	})
	if err != nil || !strings.HasPrefix(heard.String(), "half a word") {
		t.Errorf("heard %q (%v)", heard.String(), err)
	}
}

func TestActions(t *testing.T) {
	hold := llmtest.NewHold()
	d := start(t, llmtest.New(t).Rounds(llmtest.Begins("work"),
		llmtest.Calls(llmtest.Call("time", map[string]any{})).Held(hold), llmtest.Text("done")))
	c := d.client()
	id := submit(t, c, akitad.TaskRequest{Text: "work"})
	<-hold.Arrived()
	if p := d.ask("POST", "/v1/tasks/"+string(id)+"/rate", `{"stars":5}`, nil).problem(t); p.Code != "conflict" || !strings.Contains(p.Hint, "once it has ended") {
		t.Errorf("rating what has no result yet: %+v", p)
	}
	if _, err := c.Steer(t.Context(), id, "in UTC"); err != nil {
		t.Error(err)
	}
	if _, err := c.Pause(t.Context(), id); err != nil {
		t.Error(err)
	}
	hold.Release()
	if _, err := d.app.Journal.Wait(t.Context(), id, paused); err != nil {
		t.Fatal(err)
	}
	if got, err := c.Task(t.Context(), id); err != nil || got.State != akitad.Waiting || got.Reason != akitad.ReasonPaused {
		t.Errorf("paused: %s %s %v", got.State, got.Reason, err)
	}
	if _, err := c.Resume(t.Context(), id); err != nil {
		t.Error(err)
	}
	if err := c.Follow(t.Context(), id, 0, func(akitad.Event) bool { return true }); err != nil {
		t.Fatal(err)
	}
	got, err := c.Rate(t.Context(), id, 4)
	if err != nil || got.State != akitad.Completed || got.Rating != 4 {
		t.Errorf("%s rated %d (%v)", got.State, got.Rating, err)
	}
	path := "/v1/tasks/" + string(id)
	for action, body := range map[string]string{"/rate": `{"stars":5.0}`, "/rollback": "null"} {
		if a := d.ask("POST", path+action, body, nil); a.Status != http.StatusOK {
			t.Errorf("%s %s: %d %s", action, body, a.Status, a.Body)
		}
	}
	if p := d.ask("POST", path+"/retry", "null", nil).problem(t); p.Code != "conflict" {
		t.Errorf("a retry with a body of nothing: %+v", p)
	}
	for action, body := range map[string]string{"/pause": "", "/resume": "", "/steer": `{"text":"x"}`} {
		p := d.ask("POST", path+action, body, nil).problem(t)
		if p.Status != 409 || p.Code != "conflict" || p.Detail != "task "+string(id)+" has ended (completed)" || p.Hint != "start a new task" {
			t.Errorf("%s of what has ended: %+v", action, p)
		}
	}
	if got, err := c.Cancel(t.Context(), id); err != nil || got.State != akitad.Completed {
		t.Errorf("cancelling what has ended: %s %v", got.State, err)
	}
	st, err := c.Stats(t.Context(), id)
	if err != nil || st.Rounds != 1 || st.Calls != 1 || st.Failed != 0 {
		t.Errorf("stats %+v (%v)", st, err)
	}
	if len(st.Budget) != 4 || st.Budget[1] != (client.Limit{Name: "calls", Used: st.Usage.Calls, Limit: 400, Left: 400 - st.Usage.Calls}) {
		t.Errorf("budget %+v, usage %+v", st.Budget, st.Usage)
	}
}

func TestDocuments(t *testing.T) {
	d := start(t, llmtest.New(t).On(llmtest.Begins("work"), llmtest.Text("done")))
	c := d.client()
	id := submit(t, c, akitad.TaskRequest{Text: "work"})
	if err := c.Follow(t.Context(), id, 0, func(akitad.Event) bool { return true }); err != nil {
		t.Fatal(err)
	}
	if spec, err := c.Spec(t.Context(), id); err != nil || !bytes.HasPrefix(spec, []byte("task_type: ")) {
		t.Errorf("spec %s (%v)", spec, err)
	}
	if _, err := c.Plan(t.Context(), id); akitad.KindOf(err) != akitad.NotFound {
		t.Errorf("a plan that there is not: %v", err)
	}
	for _, format := range []string{"json", "jsonl", "otlp", "chrome"} {
		body, err := c.Trace(t.Context(), id, format)
		if err != nil || !bytes.Contains(body, []byte("PROMPT")) {
			t.Errorf("%s: %.80s (%v)", format, body, err)
		}
	}
	if _, err := c.Trace(t.Context(), id, "xml"); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("an unknown format: %v", err)
	}
	hash, err := d.app.Bus.PutArtifact(t.Context(), []byte("bytes"))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.ask("GET", "/v1/tasks/"+string(id)+"/artifacts/"+hash, "", nil); string(got.Body) != "bytes" || got.Type != "application/octet-stream" {
		t.Errorf("artifact: %d %s %s", got.Status, got.Type, got.Body)
	}
}

// The routes of the contract, from the document that the daemon gives out.
func TestContract(t *testing.T) {
	d := start(t, llmtest.New(t))
	got := d.ask("GET", "/openapi.json", "", nil)
	var doc struct {
		Paths      map[string]map[string]json.RawMessage
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(got.Body, &doc); err != nil {
		t.Fatal(err)
	}
	var routes []string
	for path, methods := range doc.Paths {
		for m := range methods {
			routes = append(routes, fmt.Sprintf("%-30s %s", path, strings.ToUpper(m)))
		}
	}
	slices.Sort(routes)
	golden(t, "testdata/routes.txt", []byte(strings.Join(routes, "\n")+"\n"))
	if _, ok := doc.Components.Schemas["ErrorModel"]; ok || doc.Components.Schemas["Problem"] == nil {
		t.Error("the contract describes other errors than the API gives")
	}
}

func golden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update to accept): %v\ngot:\n%s", file, err, got)
	}
}

func TestListenAddresses(t *testing.T) {
	for _, tt := range []struct {
		opts admin.Options
		kind akitad.Kind
		says string
	}{
		{admin.Options{Listen: "127.0.0.1:0"}, akitad.InvalidRequest, "token"},
		{admin.Options{Listen: "nowhere", Token: "x"}, akitad.InvalidRequest, "nowhere"},
		{admin.Options{Listen: "0.0.0.0:0", Token: "x"}, akitad.InvalidRequest, "TLS"},
		{admin.Options{Listen: ":0", Token: "x"}, akitad.InvalidRequest, "TLS"},
		{admin.Options{Listen: "127.0.0.1:99999", Token: "x"}, akitad.Unavailable, "99999"},
	} {
		_, err := admin.New(admin.Deps{}, tt.opts)
		if akitad.KindOf(err) != tt.kind || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v: %v", tt.opts, err)
		}
	}
}
