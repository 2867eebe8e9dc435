package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// Whatever was written before, a block is what its tools say, and what is kept stays bounded.
func TestToolBlocks(t *testing.T) {
	var kept toolBlocks
	block := func(n int, schema string) []llm.Tool {
		return []llm.Tool{{Name: "read"}, {Name: fmt.Sprint("tool", n), Description: "does it", Schema: json.RawMessage(schema)}}
	}
	for i := range 3 * keptBlocks {
		for _, schema := range []string{`{"type":"object"}`, `{"type": "object", "properties": {}}`} {
			tools := block(i%(keptBlocks+2), schema)
			var got bytes.Buffer
			kept.write(&got, tools)
			if want := encodeTools(tools); !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("wrote %s, want %s", got.Bytes(), want)
			}
		}
	}
	if len(kept.kept) != keptBlocks {
		t.Errorf("%d blocks are kept, want %d", len(kept.kept), keptBlocks)
	}
	var b bytes.Buffer
	again := block(1, `{"type":"object"}`)
	kept.write(&b, again)
	if n := testing.AllocsPerRun(100, func() { b.Reset(); kept.write(&b, again) }); n > 0 {
		t.Errorf("a known block costs %v allocations", n)
	}
}
