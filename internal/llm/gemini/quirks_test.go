package gemini_test

import (
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// TestWireOfOthers feeds what proxies and other servers that speak this protocol make of it.
func TestWireOfOthers(t *testing.T) {
	for _, tt := range []onWire{
		{name: "finish by the number of a filter", sent: events(says(text("hi")), `{"candidates":[{"finish_reason":3}]}`), kind: akitad.ContentFiltered},
		{name: "finish by the number of an end", sent: events(says(text("hi")), `{"candidates":[{"finishReason":1}]}`), text: "hi"},
		{name: "finish by the number of a length", sent: events(says(text("hi")), `{"candidates":[{"finish_reason":2}]}`), text: "hi", finish: llm.FinishLength},
		{name: "names as in Python", sent: events(`{"candidates":[{"content":{"parts":[{"function_call":{"name":"read","args":{"p":"a"}}}]},"finish_reason":"STOP"}]}`), calls: `read {"p":"a"}`},
		{name: "wrapped chunks", sent: events(`{"response":`+says(text("ok"))+`}`, `{"response":`+stop+`}`), text: "ok"},
		{name: "wrapped as a whole", sent: `{"response":` + says(text("ok")) + `}`, text: "ok"},
		{name: "a candidate in place of a list", sent: events(`{"candidates":{"content":{"parts":{"text":"ok"}},"finishReason":"STOP"}}`), text: "ok"},
		{name: "a thought that is true in words", sent: events(says(`{"text":"hm","thought":"true"}`), says(text("ok")), stop), text: "ok"},
		{name: "an index in words", sent: events(`{"candidates":[{"index":"1","content":{"parts":[{"text":"no"}]}},{"index":"0","content":{"parts":[{"text":"ok"}]}}]}`, stop), text: "ok"},
		{name: "a number for a text", sent: events(says(`{"text":42}`), stop), text: "42"},
		{name: "half a character at a time", sent: events(says(text(`\ud83d`)), says(text(`\ude00`)), stop), text: "😀"},
		{name: "a number that is none", sent: events(`{"candidates":[{"avgLogprobs":NaN,"content":{"parts":[{"text":"ok"}]}}]}`, stop), text: "ok"},
		{name: "wrapped by a gateway", sent: `{"code":0,"msg":"success","data":` + says(text("o")) + `}` + stop, text: "o"},
		{name: "done for an end", sent: events(says(text("ok")), "[DONE]"), text: "ok"},
		{name: "done and nothing", sent: events("[DONE]"), kind: akitad.Transport},
		{name: "a call once more, by its id", sent: events(says(`{"functionCall":{"id":"x","name":"read","args":{"p":"a"}}}`), says(`{"functionCall":{"id":"x","name":"read","args":{"p": "a"}}}`), stop), calls: `read {"p":"a"}`},
		{name: "two calls of one id", sent: events(says(`{"functionCall":{"id":"x","name":"read","args":{"p":"a"}}}`, `{"functionCall":{"id":"x","name":"read","args":{"p":"b"}}}`), stop), calls: `read {"p":"a"}; read {"p":"b"}`},
		{name: "the same call twice without ids", sent: events(says(`{"functionCall":{"name":"now"}}`, `{"functionCall":{"name":"now"}}`), stop), calls: "now {}; now {}"},
		{name: "handed over to people", sent: events(says(text("h")), ends("ESCALATION")), kind: akitad.ContentFiltered},
		{name: "an armour of Google's cloud", sent: events(says(text("h")), ends("MODEL_ARMOR")), kind: akitad.ContentFiltered},
		{name: "a block as in Python", sent: events(`{"prompt_feedback":{"block_reason":"SAFETY"}}`), kind: akitad.ContentFiltered},
		{name: "a thought as in Python", sent: events(says(`{"text":"hm","thought":true,"thought_signature":"c2ln"}`), says(`{"text":"a_b \"c_d\": e"}`), stop), text: `a_b "c_d": e`},
		{name: "arguments by other names", sent: events(says(`{"functionCall":{"name":"read","arguments":{"p":"a"}}}`, `{"functionCall":{"name":"read","parameters":{"p_q":"b"}}}`), stop), calls: `read {"p":"a"}; read {"p_q":"b"}`},
		{name: "a reason with its type", sent: events(says(text("hi")), ends("FINISH_REASON_STOP")), text: "hi"},
		{name: "a reason in small letters", sent: events(says(text("hi")), ends("safety")), kind: akitad.ContentFiltered},
		{name: "the number of a filter of either service", sent: events(says(text("hi")), `{"candidates":[{"finishReason":8}]}`), kind: akitad.ContentFiltered},
		{name: "a number that the services use for two things", sent: events(says(text("hi")), `{"candidates":[{"finishReason":9}]}`), kind: akitad.Unknown},
		{name: "an error in a wrapping", sent: events(`{"response":{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}}`), kind: akitad.Overloaded},
		{name: "lines of JSON", sent: says(text("o")) + "\n" + says(text("k")) + "\n" + stop + "\n", text: "ok"},
	} {
		t.Run(tt.name, tt.check)
	}
}

// TestUsageOfOthers reads counts under the names that the services and what stands before them have for them.
func TestUsageOfOthers(t *testing.T) {
	for name, tt := range map[string]struct {
		sent string
		want akitad.Usage
	}{
		"tools and thoughts":   {`"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":2,"thoughtsTokenCount":5,"toolUsePromptTokenCount":3}`, akitad.Usage{Input: 13, Output: 7, Calls: 1}},
		"as in Python":         {`"usage_metadata":{"prompt_token_count":10,"candidates_token_count":2,"cached_content_token_count":4}`, akitad.Usage{Input: 10, Cached: 4, Output: 2, Calls: 1}},
		"nonsense":             {`"usageMetadata":{"promptTokenCount":"many","candidatesTokenCount":2}`, akitad.Usage{Output: 2, Calls: 1}},
		"texts":                {`"usageMetadata":{"promptTokenCount":"10","candidatesTokenCount":"2"}`, akitad.Usage{Input: 10, Output: 2, Calls: 1}},
		"no numbers of tokens": {`"usageMetadata":{"promptTokenCount":-1e300,"candidatesTokenCount":1e300}`, akitad.Usage{Calls: 1}},
		"a list":               {`"usageMetadata":[]`, akitad.Usage{Calls: 1}},
	} {
		reply, err := canned(events(`{"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}],`+tt.sent+`}`)).Generate(t.Context(), ask("x"))
		if err != nil || reply.Usage != tt.want {
			t.Errorf("%s: %+v, %v; want %+v", name, reply.Usage, err, tt.want)
		}
	}
}
