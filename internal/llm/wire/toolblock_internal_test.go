package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/akitad/akitad/internal/llm"
)

// Whatever was written before, a block is what its tools say, and what is kept stays bounded.
func TestToolBlocks(t *testing.T) {
	kept := NewToolBlocks(func(tools []llm.Tool) []byte { return Marshal(tools) })
	block := func(n int, schema string) []llm.Tool {
		return []llm.Tool{{Name: "read"}, {Name: fmt.Sprint("tool", n), Description: "does it", Schema: json.RawMessage(schema)}}
	}
	for i := range 3 * keptBlocks {
		for _, schema := range []string{`{"type":"object"}`, `{"type": "object", "properties": {}}`} {
			tools := block(i%(keptBlocks+2), schema)
			var got bytes.Buffer
			kept.Write(&got, tools)
			if want := Marshal(tools); !bytes.Equal(got.Bytes(), want) {
				t.Fatalf("wrote %s, want %s", got.Bytes(), want)
			}
		}
	}
	if len(kept.kept) != keptBlocks {
		t.Errorf("%d blocks are kept, want %d", len(kept.kept), keptBlocks)
	}
	var b bytes.Buffer
	again := block(1, `{"type":"object"}`)
	kept.Write(&b, again)
	if n := testing.AllocsPerRun(100, func() { b.Reset(); kept.Write(&b, again) }); n > 0 {
		t.Errorf("a known block costs %v allocations", n)
	}
}
