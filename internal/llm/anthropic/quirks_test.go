package anthropic_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
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
	for _, tt := range []struct {
		name, sent, text, calls string
		kind                    akitad.Kind
	}{
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
	} {
		t.Run(tt.name, func(t *testing.T) {
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
				t.Errorf("text %q, live %q, calls %s; want %q, %s", reply.Text, live.String(), callText(reply), tt.text, tt.calls)
			}
		})
	}
}
