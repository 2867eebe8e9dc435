package anthropic_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/window"
)

// When the content of the file that a thinking model has only just written is left out of the window, what is
// sent is still what the service takes: the call without its content, and no thought that no longer fits it.
func TestThoughtsOfACallWhoseContentIsLeftOut(t *testing.T) {
	for name, opts := range map[string]anthropic.Options{"a budget": {Thinking: 2048}, "adaptive": {Adaptive: true}} {
		t.Run(name, func(t *testing.T) {
			content := strings.Repeat("one more line of the file\n", 4_000)
			write := llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "a.md", "content": content}))
			s := llmtest.NewServer(t, llmtest.New(t, write, llmtest.Text("done")), llmtest.Options{})
			s.Next(llmtest.Reasoning("I write it all at once"))
			p := provider(t, s, opts)
			in := window.Input{Words: "write the file", Tools: tools, Budget: 6_000}
			req, _, err := window.Build(in)
			if err != nil {
				t.Fatal(err)
			}
			reply, err := p.Generate(t.Context(), req)
			if err != nil || len(reply.Calls) != 1 || len(reply.Raw) == 0 {
				t.Fatalf("%+v, %v", reply, err)
			}
			in.Rounds = []journal.RoundState{{
				Done:    true,
				Thought: journal.ThoughtData{Round: 1, Calls: reply.Calls, Raw: reply.Raw, RawBy: reply.RawBy},
				Results: []akitad.Observation{{Call: reply.Calls[0].ID, Tool: "write_file", Text: "wrote a.md"}},
			}}
			less := window.Reducer{Options: window.Defaults(), Keep: func(_ context.Context, body []byte) (string, error) { return akitad.Digest(string(body)), nil }}
			d, done, err := less.Reduce(t.Context(), in, window.Overflow)
			if err != nil || !done || len(d.Masks) != 1 || d.Masks[0].Args == nil {
				t.Fatalf("%+v, %v, %v", d, done, err)
			}
			in.Reduced = []journal.ReducedData{d}
			if req, _, err = window.Build(in); err != nil {
				t.Fatal(err)
			}
			if _, err := p.Generate(t.Context(), req); err != nil {
				t.Fatalf("refused: %v", err)
			}
			seen := s.Seen()
			if body := string(seen[len(seen)-1].Body); len(seen) != 2 || strings.Contains(body, "one more line") || strings.Contains(body, `"signature"`) || !json.Valid([]byte(body)) {
				t.Errorf("%d requests, the last %s", len(seen), body)
			}
		})
	}
}
