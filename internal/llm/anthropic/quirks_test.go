package anthropic_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// TestWireOfOthers feeds what proxies and other servers that speak this protocol make of it.
func TestWireOfOthers(t *testing.T) {
	for _, tt := range []struct {
		name, sent, text, calls string
		kind                    akitad.Kind
	}{} {
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
