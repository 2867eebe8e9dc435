package anthropic_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
)

const (
	begun = "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":1}}}\n\n"
	piece = "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"hello\"}}\n\n"
	ended = "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n"
	whole = "event: message\ndata: {\"type\":\"message\",\"content\":[{\"type\":\"text\",\"text\":\"hello\"}],\"stop_reason\":\"end_turn\"}\n\n"
	alive = "event: message\ndata: {\"ok\":1}\n\n"
)

// TestWireOfOthers feeds what proxies and other servers that speak this protocol make of it.
func TestWireOfOthers(t *testing.T) {
	for _, tt := range []onWire{
		{name: "a message in place of a stream", sent: whole, text: "hello"},
		{name: "a message before its end", sent: begun + piece + whole + ended, text: "hello"},
		{name: "a message behind its end", sent: begun + piece + ended + whole, text: "hello"},
		{name: "a keep-alive before all", sent: alive + begun + piece + ended, text: "hello"},
		{name: "a keep-alive within", sent: begun + alive + piece + alive + ended, text: "hello"},
		{name: "an end by another name", sent: begun + piece + strings.Replace(ended, "end_turn", "content_filter", 1), kind: akitad.ContentFiltered},
		{name: "an end by failure", sent: begun + piece + strings.Replace(ended, "end_turn", "error", 1), kind: akitad.Transport},
		{name: "half a character at a time", sent: begun + strings.Replace(piece, "hello", `\ud83d`, 1) + strings.Replace(piece, "hello", `\ude00`, 1) + ended, text: "😀"},
		{name: "an index in words", sent: begun + strings.Replace(piece, `"index":0`, `"index":"0"`, 1) + ended, text: "hello"},
		{name: "a number that is none", sent: begun + strings.Replace(piece, `"index":0`, `"index":0,"score":NaN`, 1) + ended, text: "hello"},
		{name: "a number for a text", sent: events(begin, words, `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":42}}`, stop, end), text: "42"},
		{name: "an object for a piece of arguments", sent: events(begin, call("0", "a", "read"), `{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":{"p":1}}}`, calls, end), calls: `read {"p":1}`},
		{
			name: "a call that the server makes itself", text: "found", sent: events(begin, `{"type":"content_block_start","index":0,"content_block":{"type":"server_tool_use","id":"a","name":"web_search","input":{}}}`,
				args("0", `{\"q\":1}`), `{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"found"}}`, stop, end),
		},
		{name: "a beginning without its block", sent: events(begin, `{"type":"content_block_start","index":0}`, say("hello"), stop, end), text: "hello"},
		{name: "an end that is a word for none", sent: events(begin, words, `{"type":"message_delta","delta":{"stop_reason":"null"}}`, say("hello"), stop, end), text: "hello"},
		{name: "types in the names alone", sent: strings.NewReplacer(`"type":"content_block_delta",`, "", `"type":"message_delta",`, "").Replace(begun + piece + ended), text: "hello"},
		{name: "a line of JSON for each event", sent: begin + "\n" + words + "\n" + say("hello") + "\n" + stop + "\n" + end + "\n", text: "hello"},
		{name: "an empty object, then the pieces", sent: events(begin, call("0", "a", "read"), args("0", `{}`), args("0", `{\"p\":`), args("0", `1}`), calls, end), calls: `read {"p":1}`},
		{name: "an empty object and nothing", sent: events(begin, call("0", "a", "read"), args("0", `{}`), calls, end), calls: `read {}`},
		{name: "wrapped by a gateway", sent: `{"code":200,"msg":"ok","data":{"type":"message","content":[{"type":"text","text":"hello"}],"stop_reason":"end_turn"}}`, text: "hello"},
		{name: "an end by time", sent: begun + piece + strings.Replace(ended, "end_turn", "timeout", 1), kind: akitad.Transport},
		{name: "a whole message whose content is an object", sent: `{"type":"message","content":{"type":"text","text":"hello"},"stop_reason":"end_turn"}`, text: "hello"},
	} {
		t.Run(tt.name, tt.check)
	}
}
