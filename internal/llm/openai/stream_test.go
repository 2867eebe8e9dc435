package openai_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

// events gives data lines as a stream.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

// call gives a chunk with one piece of a call.
func call(fields string) string { return `{"choices":[{"delta":{"tool_calls":[{` + fields + `}]}}]}` }

const (
	end    = `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`
	stop   = `{"choices":[{"delta":{},"finish_reason":"stop"}]}`
	closed = `[DONE]`
)

func say(text string) string { return `{"choices":[{"delta":{"content":"` + text + `"}}]}` }

// onWire is what a server sends, and what is to come of it.
type onWire struct {
	name  string
	sent  string
	text  string
	calls string // "tool args; tool args"
	kind  akitad.Kind
}

// TestWire feeds bytes as servers have sent them.
func TestWire(t *testing.T) {
	for _, tt := range []onWire{
		{
			name: "two calls in one chunk without index", sent: events(
				`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"x\":1}"}},{"id":"b","function":{"name":"search","arguments":"{\"y\":2}"}}]}}]}`, end, closed),
			calls: `read {"x":1}; search {"y":2}`,
		},
		{
			name: "one call a chunk without index", sent: events(
				call(`"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"id":"b","function":{"name":"search","arguments":"{}"}`), end, closed),
			calls: "read {}; search {}",
		},
		{
			name: "pieces without index or id", sent: events(
				call(`"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"function":{"arguments":"\"q\"}"}`), end, closed),
			calls: `read {"p":"q"}`,
		},
		{
			name: "index zero, pieces in between", sent: events(
				call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"1}"}`),
				call(`"index":0,"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}`), end, closed),
			calls: `read {"p":1}; read {"p":2}`,
		},
		{
			name: "interleaved by index", sent: events(
				call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), call(`"index":1,"id":"b","function":{"name":"search","arguments":""}`),
				call(`"index":1,"function":{"arguments":"{\"n\":"}`), call(`"index":0,"function":{"arguments":"{\"m\":1}"}`), call(`"index":1,"function":{"arguments":"2}"}`), end, closed),
			calls: `read {"m":1}; search {"n":2}`,
		},
		{
			name: "an id with every piece", sent: events(
				call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}`), call(`"index":0,"id":"zz","function":{"arguments":":1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "name repeated", sent: events(
				call(`"index":0,"id":"a","function":{"name":"search","arguments":"{"}`), call(`"index":0,"id":"a","function":{"name":"search","arguments":"}"}`), end, closed),
			calls: "search {}",
		},
		{
			name: "name in pieces", sent: events(
				call(`"index":0,"id":"a","function":{"name":"sea","arguments":""}`), call(`"index":0,"function":{"name":"rch","arguments":"{}"}`), end, closed),
			calls: "search {}",
		},
		{
			name: "name growing", sent: events(
				call(`"index":0,"id":"a","function":{"name":"sea","arguments":""}`), call(`"index":0,"function":{"name":"search","arguments":"{}"}`), end, closed),
			calls: "search {}",
		},
		{
			name: "arguments as object", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":{"city":"Oslo"}}`), end, closed),
			calls: `read {"city":"Oslo"}`,
		},
		{
			name: "arguments null, empty, missing", sent: events(
				call(`"index":0,"id":"a","function":{"name":"now","arguments":null}`), call(`"index":1,"id":"b","function":{"name":"now","arguments":""}`),
				call(`"index":2,"id":"c","function":{"name":"now"}`), end, closed),
			calls: "now {}; now {}; now {}",
		},
		{
			name: "arguments encoded twice", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"\"{\\\"p\\\":1}\""}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "arguments that are not JSON", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{p: 1}"}`), end, closed),
			calls: `read "{p: 1}"`,
		},
		{
			name: "stop with calls", sent: events(say("let me look"), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), stop, closed),
			text: "let me look", calls: "read {}",
		},
		{name: "tool_calls without any", sent: events(`{"choices":[{"delta":{"content":""},"finish_reason":"tool_calls"}]}`, closed)},
		{name: "comment wrapped as data", sent: "data: : keepalive\n\n" + events(say("ok"), closed), text: "ok"},
		{name: "empty data", sent: "data:\n\n" + events(say("ok"), closed), text: "ok"},
		{name: "comments and retry lines", sent: ": hi\n\nretry: 100\nid: 7\n\n" + events(say("ok"), closed), text: "ok"},
		{name: "no space, CRLF, named events", sent: "data:" + say("a") + "\r\n\r\nevent: ping\r\ndata:" + say("b") + "\r\n\r\ndata:[DONE]\r\n\r\n", text: "ab"},
		{name: "no blank lines", sent: "data: " + say("a") + "\ndata: " + say("b") + "\ndata: [DONE]\n\n", text: "ab"},
		{name: "no line end at the end", sent: "data: " + say("a") + "\n\ndata: " + stop, text: "a"},
		{name: "byte order mark", sent: "\ufeff" + events(say("ok"), closed), text: "ok"},
		{name: "a line of 1.5 MB", sent: events(say(strings.Repeat("x", 1500000)), closed), text: strings.Repeat("x", 1500000)},
		{name: "usage with empty choices", sent: events(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}]}`, `{"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}`, closed), text: "hi"},
		{name: "first chunk with empty choices", sent: events(`{"choices":[],"prompt_filter_results":[]}`, say("hi"), closed), text: "hi"},
		{name: "null everywhere", sent: events(`{"choices":[{"delta":{"role":null,"content":"hi","tool_calls":null,"refusal":null},"finish_reason":null}],"usage":null,"error":null}`, closed), text: "hi"},
		{name: "an error field that is empty", sent: events(`{"error":"","choices":[{"delta":{"content":"h"}}]}`, `{"error":{},"choices":[{"delta":{"content":"i"}}]}`, closed), text: "hi"},
		{name: "content in parts", sent: events(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"hi"}]}}]}`, closed), text: "hi"},
		{name: "other choices", sent: events(`{"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"yes"}}]}`, closed), text: "yes"},
		{name: "a refusal in words", sent: events(`{"choices":[{"delta":{"refusal":"I cannot."},"finish_reason":"stop"}]}`, closed), text: "I cannot."},
		{name: "thoughts in tags", sent: events(say("<thi"), say("nk>secret</th"), say("ink>\\n\\nhello"), stop, closed), text: "hello"},
		{name: "done without finish", sent: events(say("ok"), closed), text: "ok"},
		{name: "finish without done", sent: events(say("ok"), stop), text: "ok"},

		{name: "cut in mid-call", sent: events(call(`"index":0,"id":"a","function":{"name":"write_file","arguments":"{\"path\":\"x"}`)), kind: akitad.Transport},
		{name: "done in mid-call", sent: events(call(`"index":0,"id":"a","function":{"name":"write_file","arguments":"{\"path\":\"x"}`), closed), kind: akitad.Transport},
		{name: "cut in mid-text", sent: events(say("half of")), kind: akitad.Transport},
		{name: "cut in mid-chunk", sent: "data: " + say("a") + "\n\ndata: {\"choices\":[{\"del", kind: akitad.Transport},
		{name: "nothing at all", sent: "\n", kind: akitad.Transport},
		{name: "a line without end", sent: "data: " + strings.Repeat("x", 33<<20), kind: akitad.Transport},
		{name: "a web page", sent: "<!doctype html><title>Sign in</title>", kind: akitad.Unavailable},
		{name: "error in mid-stream", sent: events(say("a"), `{"error":{"code":502,"message":"upstream went away"}}`), kind: akitad.Transport},
		{name: "overloaded in mid-stream", sent: events(say("a"), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), kind: akitad.Overloaded},
		{name: "bare error in mid-stream", sent: events(say("a")) + "{\n  \"error\": {\n    \"code\": 429,\n    \"message\": \"Rate limited upstream\"\n  }\n}\n", kind: akitad.RateLimited},
		{name: "error instead of an answer", sent: `{"error":{"code":429,"message":"Rate limited upstream"}}`, kind: akitad.RateLimited},
		{name: "error as text", sent: `{"error":"model is not loaded: internal error"}`, kind: akitad.Overloaded},
		{name: "error in a list", sent: `[{"error":{"code":503,"message":"The model is overloaded.","status":"UNAVAILABLE"}}]`, kind: akitad.Overloaded},
		{name: "an object that is something else", sent: `{"hello":"world"}`, kind: akitad.Transport},
		{name: "filtered", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"content_filter"}]}`, closed), kind: akitad.ContentFiltered},
		{name: "out of resources", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]}`, closed), kind: akitad.Overloaded},
		{name: "finished with an error", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"error"}]}`, closed), kind: akitad.Transport},
	} {
		t.Run(tt.name, tt.check)
	}
}

func (tt onWire) check(t *testing.T) {
	t.Parallel()
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Raw(tt.sent))
	var live strings.Builder
	req := ask("x")
	req.OnText = func(s string) { live.WriteString(s) }
	reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), req)
	if got := akitad.KindOf(err); got != tt.kind {
		t.Fatalf("kind %q, want %q: %v", got, tt.kind, err)
	}
	if tt.kind == "" && (reply.Text != tt.text || live.String() != tt.text || callText(reply) != tt.calls) {
		t.Errorf("text %.100q, live %.100q, calls %s; want %.100q, %s", reply.Text, live.String(), callText(reply), tt.text, tt.calls)
	}
}

func callText(r llm.Reply) string {
	var parts []string
	for _, c := range r.Calls {
		parts = append(parts, c.Tool+" "+string(c.Args))
	}
	return strings.Join(parts, "; ")
}

func TestUsageOfVendors(t *testing.T) {
	for _, tt := range []struct {
		name, sent string
		want       akitad.Usage
	}{
		{"openai", `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":6}}}`, akitad.Usage{Input: 10, Cached: 6, Output: 2, Calls: 1}},
		{"deepseek", `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"prompt_cache_hit_tokens":4}}`, akitad.Usage{Input: 10, Cached: 4, Output: 2, Calls: 1}},
		{"moonshot", `{"choices":[{"delta":{},"usage":{"prompt_tokens":10,"completion_tokens":2,"cached_tokens":3}}]}`, akitad.Usage{Input: 10, Cached: 3, Output: 2, Calls: 1}},
		{"groq", `{"choices":[{"delta":{}}],"x_groq":{"id":"r","usage":{"prompt_tokens":10,"completion_tokens":2}}}`, akitad.Usage{Input: 10, Output: 2, Calls: 1}},
		{"floats", `{"choices":[],"usage":{"prompt_tokens":10.0,"completion_tokens":2.0,"prompt_tokens_details":null}}`, akitad.Usage{Input: 10, Output: 2, Calls: 1}},
		{"texts", `{"choices":[],"usage":{"prompt_tokens":"10","completion_tokens":"2","prompt_tokens_details":[]}}`, akitad.Usage{Input: 10, Output: 2, Calls: 1}},
		{"nothing behind it", `{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2}}` + "\n\ndata: " + `{"choices":[],"usage":{"prompt_tokens":0}}` + "\n\ndata: " + `{"choices":[],"usage":{}}`, akitad.Usage{Input: 10, Output: 2, Calls: 1}},
		{"nonsense", `{"choices":[],"usage":{"prompt_tokens":-1,"completion_tokens":-2,"cached_tokens":9}}`, akitad.Usage{Calls: 1}},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(events(say("x"), stop, tt.sent, closed)))
		reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
		if err != nil || reply.Usage != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, reply.Usage, err, tt.want)
		}
	}
}

func TestCutByLengthIsSaid(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Raw(events(call(`"index":0,"id":"a","function":{"name":"write_file","arguments":"{\"path\":\"x"}`),
		`{"choices":[{"delta":{},"finish_reason":"length"}]}`, closed)))
	reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
	if err != nil || reply.Finish != llm.FinishLength || callText(reply) != `write_file "{\"path\":\"x"` {
		t.Errorf("finish %s, calls %s, %v", reply.Finish, callText(reply), err)
	}
}

func TestServersThatSaySilent(t *testing.T) {
	for name, fault := range map[string]llmtest.Fault{
		"before the first byte": llmtest.Hang(),
		"in mid-stream":         llmtest.HangAfter(2),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("a long answer")), llmtest.Options{})
			s.Always(fault)
			_, err := provider(t, s, openai.Options{Timeouts: short}).Generate(t.Context(), ask("x"))
			if akitad.KindOf(err) != akitad.Timeout {
				t.Errorf("streaming: %v", err)
			}
			s.Always(llmtest.Hang())
			_, err = provider(t, s, openai.Options{Timeouts: short, NoStream: true}).Generate(t.Context(), ask("x"))
			if akitad.KindOf(err) != akitad.Timeout {
				t.Errorf("not streaming: %v", err)
			}
		})
	}
}

func TestASilenceAfterTheEndIsNoFailure(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("whole answer")), llmtest.Options{})
	s.Always(llmtest.HangAfter(4)) // role, two pieces of text, finish; neither usage nor [DONE]
	reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
	if err != nil || reply.Text != "whole answer" {
		t.Errorf("%q, %v", reply.Text, err)
	}
}

func TestConnectionsThatBreak(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("a long answer")), llmtest.Options{})
	s.Next(llmtest.CutAfter(2))
	if _, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x")); akitad.KindOf(err) != akitad.Transport {
		t.Errorf("cut: %v", err)
	}
	nobody := openai.New("m", openai.Options{BaseURL: "http://127.0.0.1:1/v1", Key: key})
	if _, err := nobody.Generate(t.Context(), ask("x")); akitad.KindOf(err) != akitad.Transport || strings.Contains(err.Error(), key) {
		t.Errorf("refused: %v", err)
	}
}
