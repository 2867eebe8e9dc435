package openai_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
)

// TestWireOfOthers feeds further bytes as servers, gateways and proxies send them.
func TestWireOfOthers(t *testing.T) {
	for _, tt := range []onWire{
		// Calls that servers count or name in their own way.
		{
			name: "three calls in one chunk, all index zero", sent: events(
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}},{"index":0,"id":"b","function":{"name":"read","arguments":"{\"p\":2}"}},{"index":0,"id":"c","function":{"name":"search","arguments":"{}"}}]}}]}`, end, closed),
			calls: `read {"p":1}; read {"p":2}; search {}`,
		},
		{
			name: "no index, no id, two names", sent: events(call(`"function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"function":{"name":"search","arguments":"{\"q\":2}"}`), end, closed),
			calls: `read {"p":1}; search {"q":2}`,
		},
		{
			name: "no index, the same tool twice, without id", sent: events(call(`"function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"function":{"name":"read","arguments":"{\"p\":2}"}`), end, closed),
			calls: `read {"p":1}; read {"p":2}`,
		},
		{
			name: "index from one", sent: events(call(`"index":1,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":1,"function":{"arguments":"1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "index as text and as float", sent: events(call(`"index":"0","id":"a","function":{"name":"read","arguments":"{"}`), call(`"index":0.0,"function":{"arguments":"}"}`), end, closed),
			calls: "read {}",
		},
		{
			name: "index null", sent: events(call(`"index":null,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":null,"id":null,"function":{"name":null,"arguments":"1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "empty id with the pieces", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), call(`"index":0,"id":"","function":{"name":"","arguments":"{\"p\":1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "type with every piece", sent: events(call(`"index":0,"id":"a","type":"function","function":{"name":"read"}`), call(`"index":0,"type":"function","function":{"arguments":"{\"p\":1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "the name after the arguments", sent: events(call(`"index":0,"id":"a","function":{"arguments":"{\"p\":1}"}`), call(`"index":0,"function":{"name":"read","arguments":""}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "an object in two chunks of the same call", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":{}}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":{"p":1}}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "arguments as a list", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":[]}`), end, closed),
			calls: `read []`,
		},
		{
			name: "arguments that grow", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{name: "summed up at the end", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"1}"}`),
			`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}}]},"finish_reason":"tool_calls"}]}`, closed), calls: `read {"p":1}`},
		{name: "the arguments once more", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":""}`), call(`"index":0,"function":{"arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"1}"}`), call(`"index":0,"function":{"arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "a brace, then all of the arguments", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{"}`), call(`"index":0,"function":{"arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}`},
		{name: "an object within the arguments as a piece", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":"}`), call(`"index":0,"function":{"arguments":"{\"x\":1}"}`), call(`"index":0,"function":{"arguments":"}"}`), end, closed), calls: `read {"p":{"x":1}}`},
		{name: "two alike calls", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), call(`"index":1,"id":"b","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed), calls: `read {"p":1}; read {"p":1}`},
		{name: "a message at the end", sent: events(say("hel"), say("lo"), `{"choices":[{"message":{"role":"assistant","content":null},"delta":{},"finish_reason":"stop"}]}`, closed), text: "hello"},
		{
			name: "legacy function_call in pieces", sent: events(`{"choices":[{"delta":{"function_call":{"name":"read","arguments":""}}}]}`, `{"choices":[{"delta":{"function_call":{"arguments":"{\"p\":1}"}}}]}`, `{"choices":[{"delta":{},"finish_reason":"function_call"}]}`, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "the call and its text in one dialect and the protocol", sent: events(say(`<tool_call>{\"name\":\"read\",\"arguments\":{\"p\":1}}</tool_call>`), call(`"index":0,"id":"a","function":{"name":"read","arguments":"{\"p\":1}"}`), end, closed),
			calls: `read {"p":1}`,
		},
		{
			name: "a dialect across chunks", sent: events(say("Let me see."), say("<|tool_calls_sec"), say("tion_begin|><|tool_call_begin|>functions.read:0<|tool_call_argument_begin|>{"), say(`\"p\":1}<|tool_call_end|><|tool_calls_section_end|>`), stop, closed),
			text: "Let me see.", calls: `read {"p":1}`,
		},
		{name: "channels across chunks", sent: events(say("<|chan"), say("nel|>analysis<|mess"), say("age|>secret<|end|><|start|>assist"), say("ant<|channel|>final<|message|>Hel"), say("lo<|return|>"), stop, closed), text: "Hello"},
		{name: "an end of a template", sent: events(say("Hello"), say("<|im"), say("_end|>"), stop, closed), text: "Hello"},
		{name: "arguments in single quotes", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{'p': 1}"}`), end, closed), calls: `read "{'p': 1}"`},
		{name: "a name with blanks", sent: events(call(`"index":0,"id":"a","function":{"name":" read ","arguments":"{}"}`), end, closed), calls: "read {}"},
		{name: "a name in the format's own name space", sent: events(call(`"index":0,"id":"a","function":{"name":"functions.read","arguments":"{}"}`), end, closed), calls: "read {}"},
		{name: "a name with a token behind it", sent: events(call(`"index":0,"id":"a","function":{"name":"read<|channel|>commentary","arguments":"{}"}`), end, closed), calls: "read {}"},
		{name: "tool_calls as an object", sent: events(`{"choices":[{"delta":{"tool_calls":{"index":0,"id":"a","function":{"name":"read","arguments":"{}"}}}}]}`, end, closed), calls: "read {}"},
		{name: "ids as numbers", sent: events(call(`"index":0,"id":1,"function":{"name":"read","arguments":"{}"}`), call(`"index":1,"id":2,"function":{"name":"search","arguments":"{}"}`), end, closed), calls: "read {}; search {}"},

		// The end.
		{name: "empty finish reason", sent: events(`{"choices":[{"delta":{"content":"ok"},"finish_reason":""}]}`, closed), text: "ok"},
		{name: "finish in capitals", sent: events(say("ok"), `{"choices":[{"delta":{},"finish_reason":"STOP"}]}`, closed), text: "ok"},
		{name: "an end of turn", sent: events(say("ok"), `{"choices":[{"delta":{},"finish_reason":"eos"}]}`, closed), text: "ok"},
		{name: "finish before the last text", sent: events(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}`, say("b"), closed), text: "ab"},
		{name: "done twice", sent: events(say("ok"), closed, closed), text: "ok"},
		{name: "data twice", sent: "data: data: " + say("ok") + "\n\ndata: data: [DONE]\n\n", text: "ok"},
		{name: "a chunk without delta behind the end", sent: events(say("ok"), stop, `{"id":"","choices":[{"finish_reason":null,"index":0,"content_filter_offsets":{"check_offset":1}}],"model":""}`, closed), text: "ok"},
		{name: "a tag behind a name", sent: events(call(`"index":0,"id":"a","function":{"name":"now</arg_value>","arguments":"{}"}`), end, closed), calls: "now {}"},
		{
			name: "several calls in one", sent: events(call(`"index":0,"id":"a","function":{"name":"multi_tool_use.parallel","arguments":"{\"tool_uses\":[{\"recipient_name\":\"functions.read\",\"parameters\":{\"p\":1}},{\"recipient_name\":\"functions.now\"}]}"}`), end, closed),
			calls: `read {"p":1}; now {}`,
		},
		{name: "done with blanks", sent: events(say("ok"), " [DONE] "), text: "ok"},
		{name: "done in quotes", sent: events(say("ok"), stop, `"[DONE]"`), text: "ok"},
		{name: "done as an object", sent: events(say("ok"), stop, `{"done":true}`), text: "ok"},
		{name: "finish beside an error of nothing", sent: events(say("ok"), `{"error":null,"choices":[{"delta":null,"finish_reason":"stop"}]}`, closed), text: "ok"},
		{name: "an error number of nothing", sent: events(`{"error":0,"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`, closed), text: "ok"},
		{name: "usage before the finish", sent: events(`{"choices":[],"usage":{"prompt_tokens":3}}`, say("ok"), stop, closed), text: "ok"},
		{name: "usage beside an empty delta, no choices key", sent: events(say("ok"), stop, `{"usage":{"prompt_tokens":3}}`, closed), text: "ok"},
		{name: "choices null", sent: events(`{"choices":null}`, say("ok"), stop, closed), text: "ok"},
		{name: "a choice without delta", sent: events(`{"choices":[{"index":0}]}`, say("ok"), stop, closed), text: "ok"},
		{name: "cost and metadata chunks", sent: events(say("ok"), stop, `{"cost":0.001,"id":"x"}`, `{"choices":[],"x_groq":{"id":"y"}}`, closed), text: "ok"},
		{name: "timings", sent: events(say("ok"), `{"choices":[{"delta":{},"finish_reason":"stop"}],"timings":{"prompt_ms":1.5}}`, closed), text: "ok"},

		// What stands between.
		{name: "keep-alive comments", sent: ": OPENROUTER PROCESSING\n\n" + events(say("o")) + ": OPENROUTER PROCESSING\n\n" + events(say("k"), stop, closed), text: "ok"},
		{name: "keep-alive words", sent: "data: keep-alive\n\ndata: ping\n\n" + events(say("ok"), stop, closed), text: "ok"},
		{name: "keep-alive objects", sent: events(`{"type":"ping"}`, `{}`, say("ok"), `{"object":"heartbeat"}`, stop, closed), text: "ok"},
		{name: "blank lines only", sent: "\n\n\n\n" + events(say("ok"), stop, closed), text: "ok"},
		{name: "lone carriage returns", sent: strings.ReplaceAll(events(say("ok"), stop, closed), "\n", "\r"), text: "ok"},
		{name: "event and id lines with each", sent: "id: 1\nevent: message\ndata: " + say("o") + "\n\nid: 2\nevent: message\ndata: " + say("k") + "\n\nevent: done\ndata: [DONE]\n\n", text: "ok"},
		{name: "a chunk over two data lines", sent: "data: {\"choices\":[{\"delta\":\ndata: {\"content\":\"ok\"}}]}\n\n" + events(stop, closed), text: "ok"},
		{name: "two chunks on one line", sent: "data: " + say("o") + say("k") + "\n\n" + events(stop, closed), text: "ok"},
		{name: "data with capitals", sent: "Data: " + say("no") + "\n\n" + events(say("ok"), stop, closed), text: "ok"},
		{name: "lines of JSON without events", sent: say("o") + "\n" + say("k") + "\n" + stop + "\n", text: "ok"},
		{name: "a whole answer in a stream", sent: events(`{"choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`, closed), text: "ok"},
		{name: "a whole answer in place of a stream", sent: `{"choices":[{"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}`, text: "ok"},
		{name: "a completion that is no chat", sent: events(`{"choices":[{"text":"o"}]}`, `{"choices":[{"text":"k","finish_reason":"stop"}]}`, closed), text: "ok"},
		{name: "content as an object", sent: events(`{"choices":[{"delta":{"content":{"type":"text","text":"ok"}}}]}`, stop, closed), text: "ok"},
		{name: "content as a number", sent: events(`{"choices":[{"delta":{"content":7}}]}`, stop, closed), text: ""},
		{name: "an escaped surrogate across chunks", sent: events(`{"choices":[{"delta":{"content":"\ud83d\ude00"}}]}`, stop, closed), text: "😀"},
		{name: "reasoning by another name", sent: events(`{"choices":[{"delta":{"reasoning":"hm","content":""}}]}`, say("ok"), stop, closed), text: "ok"},
		{name: "thinking by a third", sent: events(`{"choices":[{"delta":{"thinking":"hm","reasoning_text":"hm"}}]}`, say("ok"), stop, closed), text: "ok"},
		{name: "the words in reasoning alone", sent: events(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, stop, closed), text: ""},

		// Failures.
		{name: "error event", sent: events(say("a")) + "event: error\ndata: {\"message\":\"Overloaded\",\"code\":529}\n\n", kind: akitad.Overloaded},
		{name: "error event in words", sent: events(say("a")) + "event: error\ndata: Rate limit exceeded, retry later\n\n", kind: akitad.RateLimited},
		{name: "error as a text in mid-stream", sent: events(say("a"), `{"error":"upstream request timeout"}`), kind: akitad.Timeout},
		{name: "error beside choices", sent: events(`{"choices":[{"delta":{"content":""},"finish_reason":"error"}],"error":{"code":502,"message":"Provider disconnected"}}`, closed), kind: akitad.Transport},
		{name: "error in the choice", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"error","error":{"code":429,"message":"Rate limited"}}]}`, closed), kind: akitad.RateLimited},
		{name: "error in the choice of a whole answer", sent: `{"choices":[{"error":{"code":503,"message":"no instances"},"message":{"role":"assistant","content":""},"finish_reason":"error"}]}`, kind: akitad.Overloaded},
		{name: "code and message alone", sent: events(`{"code":"InvalidApiKey","message":"Invalid API-key provided.","request_id":"x"}`), kind: akitad.Auth},
		{name: "success false", sent: `{"success":false,"code":401,"msg":"令牌验证失败"}`, kind: akitad.Auth},
		{name: "status in base_resp in mid-stream", sent: events(say("a"), `{"choices":[],"base_resp":{"status_code":1002,"status_msg":"rate limit"}}`), kind: akitad.RateLimited},
		{name: "a page in mid-stream", sent: events(say("a")) + "<html><body>502 Bad Gateway</body></html>", kind: akitad.Transport},
		{name: "words in place of an answer", sent: "upstream connect error or disconnect/reset before headers", kind: akitad.Transport},
		{name: "two calls, the second cut", sent: events(call(`"index":0,"id":"a","function":{"name":"read","arguments":"{}"}`), call(`"index":1,"id":"b","function":{"name":"write_file","arguments":"{\"path\":\"x"}`)), kind: akitad.Transport},
		{name: "done behind a name without arguments, cut", sent: events(call(`"index":0,"id":"a","function":{"name":"write_file","arguments":"{"}`), closed), kind: akitad.Transport},
		{name: "filtered by another name", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"SAFETY"}]}`, closed), kind: akitad.ContentFiltered},
		{name: "filtered, and why", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"content_filter: RECITATION"}]}`, closed), kind: akitad.ContentFiltered},
		{name: "a call filtered, and why", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"function_call_filter: UNEXPECTED_TOOL_CALL"}]}`, closed), kind: akitad.Transport},
		{name: "refused for what it says", sent: events(say("a"), `{"choices":[{"delta":{},"finish_reason":"refusal"}]}`, closed), text: "a"},
		{name: "an empty list", sent: "[]", kind: akitad.Transport},
		{name: "a list of errors", sent: `{"errors":[{"message":"Too many requests","code":429}],"success":false,"result":null}`, kind: akitad.RateLimited},
		{name: "a call of no tool", sent: events(call(`"index":0,"id":"a","function":{"name":"","arguments":"{\"p\":1}"}`), end, closed), kind: akitad.Transport},
		{name: "a call of no tool in a whole answer", sent: `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"a","function":{"name":" ","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`, kind: akitad.Transport},
		{name: "null", sent: "null", kind: akitad.Transport},
		{name: "choices of nothing", sent: `{"choices":[]}`, kind: akitad.Transport},
	} {
		t.Run(tt.name, tt.check)
	}
}
