package openai_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
	"github.com/akitad/akitad/internal/llm/wire"
)

// whole gives an answer in one piece with these members of its message.
func whole(members string) string {
	return `{"choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant",` + members + `}}]}`
}

// finish gives a chunk that ends the answer.
func finish(reason string) string {
	return `{"choices":[{"delta":{},"finish_reason":"` + reason + `"}]}`
}

// More of what servers do, by what it is about.
var habits = map[string][]onWire{
	"index": {
		{name: "out of order", sent: events(call(`"index":1,"id":"b","function":{"name":"search","arguments":"{\"y\":2}"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"x\":1}"}`), end, closed), calls: `read {"x":1}; search {"y":2}`},
		{name: "from one on", sent: events(call(`"index":1,"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"index":2,"id":"b","function":{"name":"search","arguments":"{}"}`), end, closed), calls: "read {}; search {}"},
		{name: "with gaps", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"x\":"}`), call(`"index":7,"id":"b","function":{"name":"search","arguments":"{\"y\":"}`), call(`"index":0,"function":{"arguments":"1}"}`), call(`"index":7,"function":{"arguments":"2}"}`), end, closed), calls: `read {"x":1}; search {"y":2}`},
		{name: "the tail under another", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"index":0,"id":"b","function":{"name":"search","arguments":""}`), call(`"index":1,"function":{"arguments":"{\"q\":2}"}`), end, closed), calls: `read {"p":1}; search {"q":2}`},
		{name: "another with each piece of one id", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\""}`), call(`"index":1,"id":"a","function":{"arguments":":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "of a choice, as text", sent: events(`{"choices":[{"index":"0","delta":{"content":"a"}},{"index":"1","delta":{"content":"z"}}]}`, `{"choices":[{"index":0.0,"delta":{"content":"b"},"finish_reason":"stop"}]}`), text: "ab"},
		{name: "as text", sent: events(call(`"index":"0","id":"a","function":{"name":"read","arguments":"{\"x\":"}`), call(`"index":"0","function":{"arguments":"1}"}`), call(`"index":"1","id":"b","function":{"name":"now","arguments":"{}"}`), end, closed), calls: `read {"x":1}; now {}`},
		{name: "null", sent: events(call(`"index":null,"id":"a","function":{"name":"read","arguments":"{\"x\":1"}`), call(`"index":null,"id":null,"function":{"name":null,"arguments":"}"}`), end, closed), calls: `read {"x":1}`},
		{name: "zero, three calls, pieces, ids in the first of each", sent: events(
			call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), call(`"index":0,"function":{"arguments":"{\"p\":1}"}`),
			call(`"index":0,"id":"b","function":{"name":"read","arguments":""}`), call(`"index":0,"function":{"arguments":"{\"p\":2}"}`),
			call(`"index":0,"id":"c","function":{"name":"now","arguments":""}`), call(`"index":0,"function":{"arguments":"{}"}`), end, closed), calls: `read {"p":1}; read {"p":2}; now {}`},
	},
	"ids": {
		{name: "the same, no index", sent: events(call(`"id":"x","function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"id":"x","function":{"name":"read","arguments":"{\"p\":2}"}`), end, closed), calls: `read {"p":1}; read {"p":2}`},
		{name: "the same, index zero", sent: events(call(`"index":0,"id":"x","function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"index":0,"id":"x","function":{"name":"now","arguments":"{}"}`), end, closed), calls: `read {"p":1}; now {}`},
		{name: "none, no index", sent: events(call(`"function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"function":{"name":"read","arguments":"{\"p\":2}"}`), end, closed), calls: `read {"p":1}; read {"p":2}`},
		{name: "a number", sent: events(call(`"index":0,"id":7,"function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"id":7,"function":{"arguments":"1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "empty in later pieces", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"id":"","function":{"name":"","arguments":"1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "a call under two indexes", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"index":1,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "a call summed up at the end", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"1}"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
	},
	"arguments": {
		{name: "object in a list of one call", sent: whole(`"content":null,"tool_calls":{"id":"a","function":{"name":"read","arguments":{"p":"a"}}}`), calls: `read {"p":"a"}`},
		{name: "empty object, then the object", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":{}}`), call(`"index":0,"function":{"arguments":{"p":1}}`), end, closed), calls: `read {"p":1}`},
		{name: "an empty object, then pieces", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"index":0,"function":{"arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "an empty object, then all of it", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "beside the function", sent: events(call(`"index":0,"id":"a","name":"read","arguments":"{\"p\":1}"`), end, closed), calls: `read {"p":1}`},
		{name: "as parameters", sent: whole(`"content":null,"tool_calls":[{"id":"a","function":{"name":"read","parameters":{"p":1}}}]`), calls: `read {"p":1}`},
		{name: "calls of nothing", sent: events(`{"choices":[{"delta":{"content":"a","tool_calls":[null]}}]}`, `{"choices":[{"delta":{"tool_calls":[{}]}}]}`, call(`"index":0,"type":"function"`), stop), text: "a"},
		{name: "a call of nothing beside one", sent: whole(`"content":null,"tool_calls":[null,{"id":"a","function":{"name":"now","arguments":"{}"}}]`), calls: "now {}"},
		{name: "character by character", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), call(`"index":0,"function":{"arguments":"{"}`), call(`"index":0,"function":{"arguments":"\""}`), call(`"index":0,"function":{"arguments":"p\":"}`), call(`"index":0,"function":{"arguments":"1"}`), call(`"index":0,"function":{"arguments":"}"}`), end, closed), calls: `read {"p":1}`},
		{name: "name in each chunk, pieces that are JSON by themselves", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"1"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"}"}`), end, closed), calls: `read {"p":1}`},
		{name: "cut in an escape over chunks", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":\"a\\"}`), call(`"index":0,"function":{"arguments":"nb\"}"}`), end, closed), calls: `read {"p":"a\nb"}`},
		{name: "null at first", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":null}`), call(`"index":0,"function":{"arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "whole, empty text", sent: whole(`"content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"now","arguments":""}}]`), calls: "now {}"},
		{name: "name with a name space", sent: events(call(`"index":0,"id":"a","function":{"name":"functions.read","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "name with a tag behind", sent: events(call(`"index":0,"id":"a","function":{"name":"read<|channel|>json","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
	},
	"the old form": {
		{name: "streamed", sent: events(`{"choices":[{"delta":{"function_call":{"name":"read","arguments":""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":"{\"p\":"}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":"1}"}}}]}`, finish("function_call"), closed), calls: `read {"p":1}`},
		{name: "whole", sent: whole(`"content":null,"function_call":{"name":"read","arguments":"{\"p\":1}"}`), calls: `read {"p":1}`},
		{name: "beside the new one", sent: whole(`"content":null,"function_call":{"name":"read","arguments":"{\"p\":1}"},"tool_calls":[{"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}]`), calls: `read {"p":1}`},
		{name: "no chat at all", sent: `{"choices":[{"text":"hello","finish_reason":"stop"}]}`, text: "hello"},
		{name: "no chat at all, streamed", sent: events(`{"choices":[{"text":"hel"}]}`, `{"choices":[{"text":"lo","finish_reason":"stop"}]}`, closed), text: "hello"},
		{name: "message in place of delta", sent: events(`{"choices":[{"message":{"role":"assistant","content":"hel"}}]}`, `{"choices":[{"message":{"content":"lo"},"finish_reason":"stop"}]}`), text: "hello"},
	},
	"no events": {
		{name: "a line for each chunk", sent: say("hel") + "\n" + say("lo") + "\n" + stop + "\n", text: "hello"},
		{name: "a line for each chunk, and calls", sent: call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`) + "\n" + call(`"index":0,"function":{"arguments":"1}"}`) + "\n" + end, calls: `read {"p":1}`},
		{name: "a line for each chunk, and the end", sent: say("hi") + "\n" + stop + "\n[DONE]\n", text: "hi"},
		{name: "a line for each chunk, cut off", sent: say("hel") + "\n" + `{"choices":[{"del`, kind: akitad.Transport},
		{name: "a line for each chunk, no end", sent: say("hel") + "\n" + say("lo"), kind: akitad.Transport},
		{name: "a line for each chunk behind a comment", sent: ": hello\n\n" + say("hel") + "\n" + say("lo") + "\n" + stop + "\n", text: "hello"},
		{name: "a line for each chunk, then an error", sent: say("hel") + "\n" + `{"error":{"message":"overloaded","code":"server_error"}}`, kind: akitad.Overloaded},
		{name: "a completion in a list", sent: "[" + whole(`"content":"hi"`) + "]", text: "hi"},
		{name: "a completion in a list, with calls", sent: "[" + whole(`"content":null,"tool_calls":[{"id":"a","type":"function","function":{"name":"now","arguments":"{}"}}]`) + "]", calls: "now {}"},
		{name: "chunks in a list", sent: "[" + say("hel") + "," + say("lo") + "," + stop + "]", text: "hello"},
		{name: "an error in a list", sent: `[{"error":{"message":"Please retry in 3s","code":429}}]`, kind: akitad.RateLimited},
		{name: "an empty list", sent: "[]", kind: akitad.Transport},
	},
	"errors by the name of their event": {
		{name: "a message alone", sent: "event: error\ndata: {\"message\":\"The server is overloaded\"}\n\n", kind: akitad.Overloaded},
		{name: "words", sent: events(say("hel")) + "event: error\ndata: rate limit reached\n\n", kind: akitad.RateLimited},
		{name: "nobody knows which", sent: "event: error\ndata: {\"message\":\"oops\"}\n\n", kind: akitad.Unknown},
		{name: "other events are none", sent: "event: ping\ndata: {\"message\":\"overloaded\"}\n\n" + events(say("hi"), stop, closed), text: "hi"},
		{name: "nor is what follows one of another name", sent: "event: error\n\n" + events(say("hi"), stop, closed), text: "hi"},
	},
	"content": {
		{name: "whole, in parts", sent: whole(`"content":[{"type":"text","text":"hel"},{"type":"text","text":"lo"}]`), text: "hello"},
		{name: "a thought among parts", sent: whole(`"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"hi"}]`), text: "hi"},
		{name: "one part", sent: whole(`"content":{"type":"text","text":"hi"}`), text: "hi"},
		{name: "texts in a list", sent: whole(`"content":["he","llo"]`), text: "hello"},
		{name: "output text", sent: whole(`"content":[{"type":"output_text","text":"hi"}]`), text: "hi"},
		{name: "null and calls", sent: events(`{"choices":[{"delta":{"role":"assistant","content":null}}]}`, call(`"index":0,"id":"a","function":{"name":"now","arguments":"{}"}`), end, closed), calls: "now {}"},
		{name: "null and nothing", sent: whole(`"content":null`)},
		{name: "missing", sent: whole(`"refusal":null`)},
		{name: "reasoning beside it", sent: events(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, `{"choices":[{"delta":{"reasoning":"hm","reasoning_details":[{"type":"x"}]}}]}`, say("hi"), stop, closed), text: "hi"},
		{name: "reasoning that is no text", sent: events(`{"choices":[{"delta":{"reasoning":{"content":"hm"},"reasoning_details":null}}]}`, say("hi"), stop, closed), text: "hi"},
		{name: "a thought in whole text", sent: whole(`"content":"<think>\nhm\n</think>\n\nhi"`), text: "hi"},
		{name: "a thought without its opening, whole", sent: whole(`"content":"hm\n</think>\n\nhi"`), text: "hi"},
		{name: "a thought and a call in text", sent: events(say("<think>hm</think>"), say("<tool_call>{\\\"name\\\":\\\"now\\\","), say("\\\"arguments\\\":{}}</tool_call>"), stop, closed), calls: "now {}"},
		{name: "a call in text, said to be one", sent: events(say("[TOOL_CALLS]now{}"), end, closed), calls: "now {}"},
	},
	"events": {
		{name: "comments in between", sent: ": OPENROUTER PROCESSING\n\n" + events(say("a")) + ": x\n" + events(say("b"), closed), text: "ab"},
		{name: "comment as data in between", sent: events(say("a")) + "data: : ping\n\ndata: ping\n\ndata: null\n\n" + events(say("b"), closed), text: "ab"},
		{name: "ping as an object", sent: events(`{"type":"ping"}`, `{"status":"processing"}`, `{"object":"chat.completion.chunk"}`, say("a"), closed), text: "a"},
		{name: "carriage returns alone", sent: "data:" + say("a") + "\r\rdata:" + say("b") + "\r\rdata:[DONE]\r\r", text: "ab"},
		{name: "a chunk on several data lines", sent: "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\ndata: \"hi\"}}]}\n\ndata: [DONE]\n\n", text: "hi"},
		{name: "byte order mark and CRLF", sent: "\ufeffdata:" + say("a") + "\r\n\r\ndata: [DONE]\r\n\r\n", text: "a"},
		{name: "byte order mark before JSON", sent: "\ufeff" + whole(`"content":"hi"`), text: "hi"},
		{name: "usage in each chunk", sent: events(`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":1,"completion_tokens":1}}`, `{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"completion_tokens":2}}`, closed), text: "ab"},
		{name: "usage that is no usage", sent: events(say("a"), stop, `{"choices":[],"usage":[]}`, `{"choices":[],"usage":"none"}`, `{"choices":[],"usage":{"prompt_tokens":"x","prompt_tokens_details":[]}}`, closed), text: "a"},
		{name: "one choice without a list", sent: events(`{"choices":{"delta":{"content":"a"}}}`, stop, closed), text: "a"},
		{name: "deltas that are no objects", sent: events(say("a"), `{"choices":[{"delta":[]}]}`, `{"choices":[{"delta":"","finish_reason":"stop"}]}`, closed), text: "a"},
		{name: "usage first", sent: events(`{"choices":[],"usage":{"prompt_tokens":1}}`, say("a"), stop), text: "a"},
		{name: "done in capitals of its own event", sent: "event: done\ndata: [DONE]\n\n", kind: akitad.Transport},
		{name: "done and more", sent: events(say("a"), "[DONE]") + "data: {\"x\":\n\n", text: "a"},
		{name: "blanks around", sent: "\n\n data: x\n\n" + events("  "+say("a")+"  ", closed), text: "a"},
	},
	"the end": {
		{name: "eos", sent: events(say("a"), finish("eos")), text: "a"},
		{name: "end_turn", sent: events(say("a"), finish("end_turn")), text: "a"},
		{name: "stop_sequence", sent: events(say("a"), finish("STOP_SEQUENCE")), text: "a"},
		{name: "empty reason, then done", sent: events(say("a"), finish(""), closed), text: "a"},
		{name: "a call, stop, no done", sent: events(call(`"index":0,"id":"a","function":{"name":"now","arguments":"{}"}`), stop), calls: "now {}"},
		{name: "a call, no reason, done", sent: events(call(`"index":0,"id":"a","function":{"name":"now","arguments":"{}"}`), closed), calls: "now {}"},
		{name: "a call, no reason, no done", sent: events(call(`"index":0,"id":"a","function":{"name":"now","arguments":"{}"}`)), kind: akitad.Transport},
		{name: "cut after the second call began", sent: events(call(`"index":0,"id":"a","function":{"name":"now","arguments":"{}"}`), call(`"index":1,"id":"b","function":{"name":"write_file","arguments":"{\"p"}`)), kind: akitad.Transport},
		{name: "cut in a chunk of a call", sent: events(say("a")) + `data: {"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"write_file","argu`, kind: akitad.Transport},
		{name: "aborted", sent: events(say("a"), finish("abort"), closed), kind: akitad.Transport},
		{name: "sensitive", sent: events(say("a"), finish("sensitive"), closed), kind: akitad.ContentFiltered},
		{name: "whole without a reason", sent: `{"choices":[{"message":{"content":"hi"}}]}`, text: "hi"},
		{name: "whole, reason null", sent: `{"choices":[{"message":{"content":"hi"},"finish_reason":null}]}`, text: "hi"},
	},
	"errors in a 200": {
		{name: "object", sent: `{"error":{"message":"Rate limit reached","type":"rate_limit_error"}}`, kind: akitad.RateLimited},
		{name: "text", sent: `{"error":"You exceeded your current quota"}`, kind: akitad.Quota},
		{name: "code and message", sent: `{"code":401,"message":"no"}`, kind: akitad.Auth},
		{name: "code and msg", sent: `{"code":"503","msg":"busy"}`, kind: akitad.Overloaded},
		{name: "type error", sent: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, kind: akitad.Overloaded},
		{name: "base_resp", sent: `{"id":"x","choices":null,"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}`, kind: akitad.Quota},
		{name: "base_resp of a success", sent: `{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"base_resp":{"status_code":0,"status_msg":""}}`, text: "hi"},
		{name: "detail", sent: `{"detail":"Not authenticated: invalid api key"}`, kind: akitad.Auth},
		{name: "with empty choices", sent: `{"choices":[],"error":{"code":502,"message":"Provider returned error"}}`, kind: akitad.Transport},
		{name: "overflow", sent: `{"error":{"code":400,"message":"maximum context length is 8192 tokens"}}`, kind: akitad.ContextOverflow},
		{name: "streamed object", sent: events(say("a"), `{"error":{"message":"The server had an error","type":"server_error"}}`), kind: akitad.Overloaded},
		{name: "streamed text", sent: events(say("a"), `{"error":"Rate limit exceeded"}`), kind: akitad.RateLimited},
		{name: "streamed code and message", sent: events(`{"code":429,"message":"slow down"}`), kind: akitad.RateLimited},
		{name: "streamed type error", sent: "event: error\n" + events(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), kind: akitad.Overloaded},
		{name: "streamed base_resp", sent: events(`{"choices":null,"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`, closed), kind: akitad.RateLimited},
		{name: "streamed with a choice", sent: events(`{"error":{"code":429,"message":"slow"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`), kind: akitad.RateLimited},
		{name: "web page", sent: "\n<html><body>502</body></html>", kind: akitad.Unavailable},
		{name: "plain words", sent: "upstream connect error or disconnect/reset before headers", kind: akitad.Transport},
		{name: "empty list", sent: "[]", kind: akitad.Transport},
		{name: "empty object", sent: "{}", kind: akitad.Transport},
	},
}

func TestHabits(t *testing.T) {
	for about, all := range habits {
		for _, tt := range all {
			t.Run(about+"/"+tt.name, tt.check)
		}
	}
}

func TestLengthByManyNames(t *testing.T) {
	for _, reason := range []string{"length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens"} {
		s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
		s.Next(llmtest.Raw(events(say("half"), finish(reason), closed)))
		reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x"))
		if err != nil || reply.Finish != "length" || reply.Text != "half" {
			t.Errorf("%s: %q, finish %s, %v", reason, reply.Text, reply.Finish, err)
		}
	}
}

// Servers that read the calls of the history take names of the wire and arguments that are an object: what
// a model once wrote otherwise must not spoil all that follows.
func TestHistoryIsSendable(t *testing.T) {
	for _, tt := range []struct{ name, args, want string }{
		{"read", `{"p": "a",}`, `"name":"read","arguments":"{\"unreadable\":\"{\\\"p\\\": \\\"a\\\",}\"}"`},
		{"read", `"{\"p\":1}"`, `"name":"read","arguments":"{\"p\":1}"`},
		{"read", `[1]`, `"name":"read","arguments":"{\"unreadable\":[1]}"`},
		{"read</arg_value>", `{}`, `"name":"read","arguments":"{}"`},
		{"functions.read", `{"p": 1}`, `"name":"read","arguments":"{\"p\": 1}"`},
	} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("done")), llmtest.Options{})
		s.Next(llmtest.Raw(events(call(`"index":0,"id":"a","function":{"name":"`+tt.name+`","arguments":`+string(wire.Marshal(tt.args))+`}`), end, closed)))
		p := provider(t, s, openai.Options{})
		req := ask("go")
		reply, err := p.Generate(t.Context(), req)
		if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Tool != "read" {
			t.Fatalf("%s: %s, %v", tt.args, dump(reply.Calls), err)
		}
		req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
		if _, err := p.Generate(t.Context(), req); err != nil {
			t.Fatal(err)
		}
		if body := string(s.Seen()[1].Body); !strings.Contains(body, tt.want) {
			t.Errorf("%s %s: no %s in %s", tt.name, tt.args, tt.want, body)
		}
	}
}
