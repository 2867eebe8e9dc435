package wire

import (
	"bytes"
	"slices"
	"sync"

	"github.com/akitad/akitad/internal/llm"
)

// keptBlocks is how many tool blocks a provider remembers: one for each profile that is at work.
const keptBlocks = 8

// ToolBlocks are the tool blocks that were written last. A profile's block is the same in every round,
// and to bring its schemas into one form each time would cost more than all the rest of a request. They
// are for many goroutines.
type ToolBlocks struct {
	encode func([]llm.Tool) []byte

	mu   sync.Mutex
	kept []toolBlock // the one used last comes first
}

// NewToolBlocks makes blocks in the form that encode gives tools.
func NewToolBlocks(encode func([]llm.Tool) []byte) *ToolBlocks { return &ToolBlocks{encode: encode} }

type toolBlock struct {
	tools []llm.Tool
	json  []byte
}

// Write adds the block of the tools to a request.
func (t *ToolBlocks) Write(b *bytes.Buffer, tools []llm.Tool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.kept, func(k toolBlock) bool { return slices.EqualFunc(k.tools, tools, sameTool) })
	var block toolBlock
	if at >= 0 {
		block = t.kept[at]
		t.kept = slices.Delete(t.kept, at, at+1)
	} else {
		block = toolBlock{tools: slices.Clone(tools), json: t.encode(tools)}
	}
	t.kept = slices.Insert(t.kept, 0, block)
	t.kept = t.kept[:min(len(t.kept), keptBlocks)]
	b.Write(block.json)
}

func sameTool(a, b llm.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}
