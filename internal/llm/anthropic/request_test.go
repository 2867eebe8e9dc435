package anthropic_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// sent gives the body that a request makes, of a server that answers.
func sent(t *testing.T, req llm.Request, opts anthropic.Options) string {
	t.Helper()
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	if _, err := provider(t, s, opts).Generate(t.Context(), req); err != nil || len(s.Seen()) != 1 {
		t.Fatalf("%d requests, %v\n%s", len(s.Seen()), err, s.Seen()[0].Body)
	}
	return string(s.Seen()[0].Body)
}

func TestHeadersAndBody(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	req := ask("hi <you>")
	req.MaxOutput, req.Choice, req.Tools = 77, llm.ChoiceNone, tools[2:4]
	if _, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()[0]
	for name, want := range map[string]string{
		"X-Akita-Role": "main", "X-Akita-Task": string(req.Task), "X-Api-Key": key, "Anthropic-Version": "2023-06-01",
		"Content-Type": "application/json", "User-Agent": "akitad", "Authorization": "",
	} {
		if got := seen.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	const mark = `,"cache_control":{"type":"ephemeral"}}`
	want := `{"model":"test-model","max_tokens":77,"stream":true,"tools":[{"name":"now","description":"Gives the time.","input_schema":{"type":"object","properties":{}}},` +
		`{"name":"search","input_schema":{"type":"object","properties":{}}` + mark + `],"tool_choice":{"type":"none"},` +
		`"system":[{"type":"text","text":"You are \u003cone\u003e \u0026 only."` + mark + `],"messages":[{"role":"user","content":[{"type":"text","text":"hi \u003cyou\u003e"` + mark + `]}]}`
	if string(seen.Body) != want {
		t.Errorf("got  %s\nwant %s", seen.Body, want)
	}
}

func TestLimitOfTheAnswer(t *testing.T) {
	for _, tt := range []struct{ asked, option, want int }{{0, 0, 4096}, {0, 9000, 9000}, {77, 9000, 77}} {
		req := ask("x")
		req.MaxOutput = tt.asked
		if body := sent(t, req, anthropic.Options{MaxOutput: tt.option}); !strings.Contains(body, fmt.Sprintf(`"max_tokens":%d,`, tt.want)) {
			t.Errorf("%+v: %s", tt, body)
		}
	}
}

// People write the address with the version or without, and some with the whole path.
func TestBaseURLs(t *testing.T) {
	var asked string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		_, _ = w.Write([]byte(events(words, say("ok"), stop)))
	}))
	defer server.Close()
	for base, want := range map[string]string{
		"": "/v1/messages", "/": "/v1/messages", "/v1": "/v1/messages", "/v1/": "/v1/messages", "/v1/messages": "/v1/messages",
		"/anthropic": "/anthropic/v1/messages", "/api/v1?beta=true": "/api/v1/messages?beta=true",
	} {
		p := provider(t, nil, anthropic.Options{BaseURL: server.URL + base})
		if _, err := p.Generate(t.Context(), ask("x")); err != nil || asked != want {
			t.Errorf("%q: asked %s (%v), want %s", base, asked, err, want)
		}
	}
}

func TestSchemasTheServiceTakes(t *testing.T) {
	for schema, want := range map[string]string{
		``:                     `{"type":"object","properties":{}}`,
		`null`:                 `{"type":"object","properties":{}}`,
		`[1]`:                  `{"type":"object","properties":{}}`,
		`{}`:                   `{"type":"object"}`,
		`{"properties": {}}`:   `{"properties":{},"type":"object"}`,
		`{"type": ["object"]}`: `{"type":"object"}`,
		`{"type":"object", "x-order":["b","a"],"anyOf":[{"required":["a"]}]}`:                         `{"type":"object","x-order":["b","a"]}`,
		`{"type": "object", "required": ["p"], "properties": {"p": {"anyOf": [{"type": "string"}]}}}`: `{"type":"object","required":["p"],"properties":{"p":{"anyOf":[{"type":"string"}]}}}`,
	} {
		req := ask("x")
		req.Tools = []llm.Tool{{Name: "t", Schema: json.RawMessage(schema)}}
		if body := sent(t, req, anthropic.Options{}); !strings.Contains(body, `"input_schema":`+want+`,"cache_control"`) {
			t.Errorf("%s: %s", schema, body)
		}
	}
}

func TestImagesAndFiles(t *testing.T) {
	req := ask("what is this?")
	req.Messages[0].Parts = []llm.Part{
		{Name: "a.png", MIME: "image/png", Data: []byte("png")},
		{Name: "a.pdf", MIME: "application/pdf", Data: []byte("pdf")},
		{Name: "a.csv", MIME: "text/csv; charset=utf-8", Data: []byte("a,b")},
		{Name: "a.tiff", MIME: "image/tiff", Data: []byte("tiff")},
		{Name: "latin.txt", MIME: "text/plain", Data: []byte("\xe4")},
		{Name: "big.png", MIME: "image/png", Data: make([]byte, 5<<20)},
	}
	body := sent(t, req, anthropic.Options{})
	at := 0
	for _, want := range []string{
		`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"cG5n"}}`,
		`{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"cGRm"},"title":"a.pdf"}`,
		`{"type":"document","source":{"type":"text","media_type":"text/plain","data":"a,b"},"title":"a.csv"}`,
		`[a.tiff (image/tiff, 4 bytes) is not shown: this model takes JPEG, PNG, GIF, WebP, PDF and text]`,
		`[latin.txt (text/plain, 1 bytes) is not shown: `,
		`[big.png (image/png, 5242880 bytes) is not shown: it is larger than the 5 MB that this model takes]`,
		`"text":"what is this?"`,
	} {
		next := strings.Index(body[at:], want)
		if next < 0 {
			t.Fatalf("no %s behind byte %d of %.3000s", want, at, body)
		}
		at += next
	}
}

// messages gives what a conversation becomes, cache markers and roles in short.
func messages(t *testing.T, ms []llm.Message) string {
	t.Helper()
	req := ask("")
	req.Messages = ms
	var body struct {
		Messages []struct {
			Role    string
			Content []struct{ Type, Text, ID, Content, Tool_use_id string } //nolint:revive
		}
	}
	if err := json.Unmarshal([]byte(sent(t, req, anthropic.Options{})), &body); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range body.Messages {
		var blocks []string
		for _, b := range m.Content {
			blocks = append(blocks, strings.TrimSpace(b.Type+" "+b.Text+b.ID+b.Tool_use_id))
		}
		out = append(out, m.Role+": "+strings.Join(blocks, ", "))
	}
	return strings.Join(out, "; ")
}

func TestConversationsTheServiceTakes(t *testing.T) {
	user := func(text string) llm.Message { return llm.Message{Speaker: llm.User, Text: text} }
	said := func(text string, ids ...string) llm.Message {
		m := llm.Message{Speaker: llm.Assistant, Text: text}
		for _, id := range ids {
			m.Calls = append(m.Calls, akitad.Call{ID: id, Tool: "read", Args: json.RawMessage(`{}`)})
		}
		return m
	}
	results := func(ids ...string) llm.Message {
		m := llm.Message{Speaker: llm.ToolReply}
		for _, id := range ids {
			m.Results = append(m.Results, akitad.Observation{Call: id, Tool: "read", Text: "r"})
		}
		return m
	}
	for _, tt := range []struct {
		name string
		in   []llm.Message
		want string
	}{
		{"nothing", nil, "user: text Go on."},
		{"blanks", []llm.Message{user(" \n"), said("\t"), user("")}, "user: text Go on."},
		{"a person twice", []llm.Message{user("a"), user("b")}, "user: text a, text b"},
		{"an empty answer", []llm.Message{user("a"), said(""), user("b")}, "user: text a, text b"},
		{"a model twice", []llm.Message{user("a"), said("b"), said("c", "1"), results("1")}, "user: text a; assistant: text b, text c, tool_use 1; user: tool_result 1"},
		{"the model first", []llm.Message{said("b"), user("c")}, "user: text Go on.; assistant: text b; user: text c"},
		{"the model last", []llm.Message{user("a"), said("b")}, "user: text a; assistant: text b; user: text Go on."},
		{"results and words", []llm.Message{user("a"), said("", "1", "2"), results("1", "2"), user("b")}, "user: text a; assistant: tool_use 1, tool_use 2; user: tool_result 1, tool_result 2, text b"},
		{"a call without its result", []llm.Message{user("a"), said("b", "1", "2"), results("2")}, "user: text a; assistant: text b, tool_use 2; user: tool_result 2"},
		{"calls without any", []llm.Message{user("a"), said("", "1"), user("b")}, "user: text a, text b"},
		{"a result without its call", []llm.Message{user("a"), results("9")}, "user: text a, text Result of read:\nr"},
		{"results that come apart", []llm.Message{user("a"), said("", "1", "2"), results("1"), results("2")}, "user: text a; assistant: tool_use 1, tool_use 2; user: tool_result 1, tool_result 2"},
	} {
		if got := messages(t, tt.in); got != tt.want {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, got, tt.want)
		}
	}
}

func TestResultsOfTools(t *testing.T) {
	req := ask("x")
	req.Messages = append(req.Messages,
		llm.Message{Speaker: llm.Assistant, Calls: []akitad.Call{{ID: "1", Tool: "read"}, {ID: "2", Tool: "read"}, {ID: "3", Tool: "read"}}},
		llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{
			{Call: "1", Text: "hello"}, {Call: "2", Text: " \n"}, {Call: "3", Error: &akitad.Failure{Kind: akitad.NotFound, Message: "no file"}},
		}})
	body := sent(t, req, anthropic.Options{})
	for _, want := range []string{
		`{"type":"tool_result","tool_use_id":"1","content":"hello"}`, `{"type":"tool_result","tool_use_id":"2","content":"(no output)"}`,
		`"tool_use_id":"3","content":"error (not_found): no file","is_error":true,"cache_control"`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// The markers stand at the ends of what stays the same and of the two newest messages of the person's
// side, whatever these hold.
func TestCacheMarkers(t *testing.T) {
	req := ask("a")
	for i := range 4 {
		c := akitad.Call{ID: fmt.Sprint("c", i), Tool: "read"}
		req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Calls: []akitad.Call{c}},
			llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: c.ID, Text: "r"}}})
	}
	body := sent(t, req, anthropic.Options{})
	if n := strings.Count(body, `"cache_control"`); n != 4 {
		t.Errorf("%d markers in %s", n, body)
	}
	for _, want := range []string{`"tool_use_id":"c3","content":"r","cache_control"`, `"tool_use_id":"c2","content":"r","cache_control"`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
}

// The limits of the service say how long to wait where Retry-After does not.
func TestWaitingForLimits(t *testing.T) {
	in := func(d time.Duration) string { return time.Now().Add(d).UTC().Format(time.RFC3339) }
	for _, tt := range []struct {
		name     string
		headers  map[string]string
		min, max time.Duration
	}{
		{"nothing said", nil, 0, 0},
		{"Retry-After first", map[string]string{"Retry-After": "7", "Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": in(time.Hour)}, 7 * time.Second, 7 * time.Second},
		{"at once", map[string]string{"Retry-After": "0", "Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": in(time.Hour)}, 0, 0},
		{
			"the longest of those used up", map[string]string{
				"Anthropic-Ratelimit-Requests-Remaining": "0", "Anthropic-Ratelimit-Requests-Reset": in(5 * time.Minute),
				"Anthropic-Ratelimit-Input-Tokens-Remaining": "0", "Anthropic-Ratelimit-Input-Tokens-Reset": in(10 * time.Minute),
				"Anthropic-Ratelimit-Output-Tokens-Remaining": "500", "Anthropic-Ratelimit-Output-Tokens-Reset": in(time.Hour),
			}, 8 * time.Minute, 10 * time.Minute,
		},
		{"never for ever", map[string]string{"Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": in(9000 * time.Hour)}, 24 * time.Hour, 24 * time.Hour},
		{"long ago", map[string]string{"Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": in(-time.Hour)}, 0, 0},
		{"nonsense", map[string]string{"Anthropic-Ratelimit-Tokens-Remaining": "0", "Anthropic-Ratelimit-Tokens-Reset": "soon"}, 0, 0},
	} {
		_, err := over(func(*http.Request) *http.Response {
			h := http.Header{}
			for k, v := range tt.headers {
				h.Set(k, v)
			}
			return &http.Response{StatusCode: 429, Header: h, Body: http.NoBody}
		}).Generate(t.Context(), ask("x"))
		if got := llm.RetryAfter(err); got < tt.min || got > tt.max || akitad.KindOf(err) != akitad.RateLimited {
			t.Errorf("%s: wait %v, want %v to %v (%v)", tt.name, got, tt.min, tt.max, err)
		}
	}
}

func TestErrorsHoldNoSecret(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Refuse(401, "invalid x-api-key: "+key))
	_, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), ask("x"))
	if strings.Contains(err.Error(), key) || !strings.Contains(err.Error(), "invalid x-api-key") || akitad.FailureOf(err).Hint == "" {
		t.Errorf("got %v", err)
	}
}
