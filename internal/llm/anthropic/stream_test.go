package anthropic_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// events gives data as a stream.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\n\n")
	}
	return b.String()
}

const (
	begin = `{"type":"message_start","message":{"model":"m","content":[],"usage":{"input_tokens":3,"output_tokens":1}}}`
	words = `{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}`
	stop  = `{"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"output_tokens":9}}`
	calls = `{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}`
	end   = `{"type":"message_stop"}`
)

func say(text string) string {
	return `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}`
}

// call begins a call at index i; args adds a piece to it.
func call(i, id, tool string) string {
	return `{"type":"content_block_start","index":` + i + `,"content_block":{"type":"tool_use","id":"` + id + `","name":"` + tool + `","input":{}}}`
}

func args(i, piece string) string {
	return `{"type":"content_block_delta","index":` + i + `,"delta":{"type":"input_json_delta","partial_json":"` + piece + `"}}`
}

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
		{name: "as documented", sent: events(begin, words, `{"type":"ping"}`, say("he"), say("llo"), `{"type":"content_block_stop","index":0}`, stop, end), text: "hello"},
		{
			name: "a call in pieces", sent: events(begin, call("0", "a", "read"), args("0", ""), args("0", `{\"p\":`), args("0", `\"q\"}`), calls, end),
			calls: `read {"p":"q"}`,
		},
		{name: "beginning and end without what they tell", sent: events(`{"type":"message_start"}`, words, say("hi"), `{"type":"message_delta","usage":{"output_tokens":9}}`, end), text: "hi"},
		{name: "usage that is no usage", sent: events(`{"type":"message_start","message":{"usage":[]}}`, words, say("hi"), `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":"9"}}`, end), text: "hi"},
		{name: "content that is a text", sent: `{"type":"message","content":"hi","stop_reason":"end_turn"}`, text: "hi"},
		{name: "a call without arguments", sent: events(begin, call("0", "a", "now"), args("0", ""), calls, end), calls: `now {}`},
		{name: "a call without pieces", sent: events(begin, call("0", "a", "now"), calls, end), calls: `now {}`},
		{
			name: "arguments at the beginning", sent: events(begin, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"read","input":{"p": 1}}}`, calls, end),
			calls: `read {"p":1}`,
		},
		{
			name: "arguments missing, null", sent: events(begin, `{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"now"}}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"b","name":"now","input":null}}`, calls, end),
			calls: `now {}; now {}`,
		},
		{name: "arguments that are not JSON", sent: events(begin, call("0", "a", "read"), args("0", "{p: 1}"), calls, end), calls: `read "{p: 1}"`},
		{
			name: "pieces of two calls in turn", sent: events(begin, call("1", "a", "read"), call("2", "b", "search"), args("2", `{\"n\":`), args("1", `{\"m\":1}`), args("2", `2}`), calls, end),
			calls: `read {"m":1}; search {"n":2}`,
		},
		{
			name: "every block at index 0", sent: events(begin, words, say("I look"), call("0", "a", "read"), args("0", `{\"p\":1}`), call("0", "b", "read"), args("0", `{\"p\":2}`), calls, end),
			text: "I look", calls: `read {"p":1}; read {"p":2}`,
		},
		{name: "end_turn with a call", sent: events(begin, call("0", "a", "now"), stop, end), calls: "now {}"},
		{name: "tool_use without a call", sent: events(begin, words, say("hm"), calls, end), text: "hm"},
		{name: "nothing said", sent: events(begin, stop, end)},
		{name: "stop sequence", sent: events(begin, words, say("a"), `{"type":"message_delta","delta":{"stop_reason":"stop_sequence","stop_sequence":"x"}}`, end), text: "a"},
		{name: "paused", sent: events(begin, words, say("a"), `{"type":"message_delta","delta":{"stop_reason":"pause_turn"}}`, end), text: "a"},
		{
			name: "unknown events, blocks and pieces", sent: events(begin, `{"type":"new_event","x":[1]}`, `{"type":"content_block_start","index":0,"content_block":{"type":"hologram","data":{}}}`,
				`{"type":"content_block_delta","index":0,"delta":{"type":"hologram_delta","text":{"deep":true}}}`,
				`{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"h"}}`, `{"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{}}}`,
				`{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"i"}}`, stop, end),
			text: "hi",
		},
		{name: "text that never began", sent: events(begin, say("hi"), stop, end), text: "hi"},
		{name: "no message_start", sent: events(words, say("hi"), stop), text: "hi"},
		{name: "no message_stop", sent: events(begin, words, say("hi"), stop), text: "hi"},
		{name: "message_stop alone", sent: events(begin, words, say("hi"), end), text: "hi"},
		{name: "done", sent: events(begin, words, say("hi"), "[DONE]"), text: "hi"},
		{name: "nothing after the end", sent: events(begin, words, say("hi"), stop, end, `{"type":"error","error":{"type":"api_error","message":"late"}}`), text: "hi"},
		{name: "no blank lines", sent: "data: " + begin + "\ndata: " + words + "\ndata: " + say("a") + "\ndata: " + stop + "\ndata: " + end + "\n\n", text: "a"},
		{name: "names, CRLF, no space", sent: "event:ping\r\ndata:{\"type\":\"ping\"}\r\n\r\nevent:content_block_delta\r\ndata:" + say("a") + "\r\n\r\nevent:message_delta\r\ndata:" + stop + "\r\n\r\n", text: "a"},
		{name: "keep-alives", sent: ": hi\n\ndata:\n\ndata: : keepalive\n\nretry: 100\n\n" + events(begin, words, say("ok"), stop, end), text: "ok"},
		{name: "byte order mark", sent: "\ufeff" + events(begin, words, say("ok"), stop, end), text: "ok"},
		{name: "a line of 1.5 MB", sent: events(begin, words, say(strings.Repeat("x", 1500000)), stop, end), text: strings.Repeat("x", 1500000)},
		{name: "an error that is none", sent: events(begin, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"hi"},"error":null}`, stop, end), text: "hi"},
		{name: "thoughts in tags", sent: events(begin, words, say("<thi"), say("nk>secret</th"), say("ink>\\n\\nhello"), stop, end), text: "hello"},
		{
			name: "a call written as text", sent: events(begin, words, say("I look.<tool_call>"), say(`{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</tool_call>`), stop, end),
			text: "I look.", calls: `read {"p":"a"}`,
		},
		{
			name: "a call, and one written as text", sent: events(begin, words, say("I look.<tool_call>{\\\"name\\\":\\\"search\\\",\\\"arguments\\\":{}}</tool_call>"), call("1", "a", "now"), calls, end),
			text: "I look.", calls: "now {}",
		},
		{name: "ids that are none", sent: events(begin, call("0", "functions.now:0", "now"), call("1", "", "now"), call("2", "a", "now"), call("3", "a", "now"), calls, end), calls: "now {}; now {}; now {}; now {}"},
		{name: "whole", sent: `{"type":"message","model":"m","content":[{"type":"text","text":"a"},{"type":"tool_use","id":"x","name":"read","input":{"p": 1}}],"stop_reason":"tool_use","usage":{}}`, text: "a", calls: `read {"p":1}`},
		{name: "whole and empty", sent: `{"type":"message","model":"m","content":[],"stop_reason":"end_turn"}`},

		{name: "cut in mid-call", sent: events(begin, call("0", "a", "write_file"), args("0", `{\"path\":\"x`)), kind: akitad.Transport},
		{name: "cut behind a call", sent: events(begin, call("0", "a", "read"), args("0", `{\"p\":1}`), `{"type":"content_block_stop","index":0}`), kind: akitad.Transport},
		{name: "stopped in mid-call", sent: events(begin, call("0", "a", "write_file"), args("0", `{\"path\":\"x`), end), kind: akitad.Transport},
		{name: "done in mid-call", sent: events(begin, call("0", "a", "write_file"), args("0", `{\"path\":\"x`), "[DONE]"), kind: akitad.Transport},
		{name: "cut in mid-text", sent: events(begin, words, say("half of")), kind: akitad.Transport},
		{name: "cut in mid-event", sent: events(begin) + `data: {"type":"content_bl`, kind: akitad.Transport},
		{name: "a piece of no call", sent: events(begin, args("0", `{}`), calls, end), kind: akitad.Transport},
		{name: "nothing at all", sent: "\n", kind: akitad.Transport},
		{name: "a web page", sent: "<!doctype html><title>Sign in</title>", kind: akitad.Unavailable},
		{name: "overloaded at once", sent: "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n", kind: akitad.Overloaded},
		{name: "overloaded in mid-stream", sent: events(begin, words, say("a"), `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), kind: akitad.Overloaded},
		{name: "failed in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"api_error","message":"Internal server error"}}`), kind: akitad.Overloaded},
		{name: "throttled in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`), kind: akitad.RateLimited},
		{name: "key refused in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`), kind: akitad.Auth},
		{name: "forbidden in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"permission_error","message":"no"}}`), kind: akitad.Auth},
		{name: "unpaid in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"billing_error","message":"no"}}`), kind: akitad.Quota},
		{name: "no such model in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"not_found_error","message":"model: x"}}`), kind: akitad.NotFound},
		{name: "out of time in mid-stream", sent: events(begin, `{"type":"error","error":{"type":"timeout_error","message":"no"}}`), kind: akitad.Timeout},
		{name: "error in place of an answer", sent: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, kind: akitad.Overloaded},
		{name: "an object that is something else", sent: `{"hello":"world"}`, kind: akitad.Transport},
		{name: "refused to answer", sent: events(begin, words, say("a"), `{"type":"message_delta","delta":{"stop_reason":"refusal"}}`, end), kind: akitad.ContentFiltered},
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
	reply, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), req)
	if got := akitad.KindOf(err); got != tt.kind {
		t.Fatalf("kind %q, want %q: %v", got, tt.kind, err)
	}
	if tt.kind == "" && (reply.Text != tt.text || live.String() != tt.text || callText(reply) != tt.calls) {
		t.Errorf("text %.100q, live %.100q, calls %s; want %.100q, %s", reply.Text, live.String(), callText(reply), tt.text, tt.calls)
	}
	if tt.kind == "" {
		check(t, reply)
	} else if len(reply.Calls) > 0 {
		t.Errorf("a failure makes calls: %s", callText(reply))
	}
}

func callText(r llm.Reply) string {
	var parts []string
	for _, c := range r.Calls {
		parts = append(parts, c.Tool+" "+string(c.Args))
	}
	return strings.Join(parts, "; ")
}

func TestCutByLengthIsSaid(t *testing.T) {
	for _, reason := range []string{"max_tokens", "model_context_window_exceeded", "MAX_TOKENS", "length"} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(events(begin, call("0", "a", "write_file"), args("0", `{\"path\":\"x`), `{"type":"message_delta","delta":{"stop_reason":"`+reason+`"}}`, end)))
		reply, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), ask("x"))
		if err != nil || reply.Finish != llm.FinishLength || callText(reply) != `write_file "{\"path\":\"x"` {
			t.Errorf("%s: finish %s, calls %s, %v", reason, reply.Finish, callText(reply), err)
		}
	}
}

func TestUsage(t *testing.T) {
	for _, tt := range []struct {
		name, first, last string
		want              akitad.Usage
	}{
		{"as documented", `{"input_tokens":10,"cache_read_input_tokens":60,"cache_creation_input_tokens":30,"output_tokens":1}`, `{"output_tokens":7}`, akitad.Usage{Input: 100, Cached: 60, Output: 7, Calls: 1}},
		{"counts repeated at the end", `{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":1}`, `{"input_tokens":10,"cache_read_input_tokens":5,"output_tokens":7}`, akitad.Usage{Input: 15, Cached: 5, Output: 7, Calls: 1}},
		{"known at the end only", `{"input_tokens":0,"output_tokens":0}`, `{"input_tokens":10,"output_tokens":7}`, akitad.Usage{Input: 10, Output: 7, Calls: 1}},
		{"texts", `{"input_tokens":"10","output_tokens":"1"}`, `{"output_tokens":"7"}`, akitad.Usage{Input: 10, Output: 7, Calls: 1}},
		{"null, floats, nonsense", `{"input_tokens":10.0,"cache_read_input_tokens":null,"cache_creation_input_tokens":-4}`, `{"output_tokens":7.0}`, akitad.Usage{Input: 10, Output: 7, Calls: 1}},
		{"none", `null`, `null`, akitad.Usage{Calls: 1}},
	} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(events(`{"type":"message_start","message":{"model":"m","usage":`+tt.first+`}}`, words, say("x"), `{"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":`+tt.last+`}`, end)))
		reply, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), ask("x"))
		if err != nil || reply.Usage != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", tt.name, reply.Usage, err, tt.want)
		}
	}
}

func TestASilenceAfterTheEndIsNoFailure(t *testing.T) {
	t.Parallel()
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("whole answer")), llmtest.Options{})
	s.Always(llmtest.HangAfter(6)) // message, block, two pieces, its end, the reason; no message_stop
	reply, err := provider(t, s, anthropic.Options{}).Generate(t.Context(), ask("x"))
	if err != nil || reply.Text != "whole answer" {
		t.Errorf("%q, %v", reply.Text, err)
	}
}
