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
		{name: "lines of JSON", sent: says(text("o")) + "\n" + says(text("k")) + "\n" + stop + "\n", text: "ok"},
	} {
		t.Run(tt.name, tt.check)
	}
}
