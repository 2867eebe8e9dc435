package openai

import (
	"bytes"
	"encoding/json"
	"slices"
	"sync"

	"github.com/akitad/akitad/internal/llm"
)

// keptBlocks is how many tool blocks a provider remembers: one for each profile that is at work.
const keptBlocks = 8

// toolBlocks are the tool blocks that were written last. A profile's block is the same in every round,
// and to bring its schemas into one form each time would cost more than all the rest of a request. The
// zero value works, for many goroutines.
type toolBlocks struct {
	mu   sync.Mutex
	kept []toolBlock // the one used last comes first
}

type toolBlock struct {
	tools []llm.Tool
	json  []byte
}

// write adds the block of the tools to a request.
func (t *toolBlocks) write(b *bytes.Buffer, tools []llm.Tool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	at := slices.IndexFunc(t.kept, func(k toolBlock) bool { return slices.EqualFunc(k.tools, tools, sameTool) })
	var block toolBlock
	if at >= 0 {
		block = t.kept[at]
		t.kept = slices.Delete(t.kept, at, at+1)
	} else {
		block = toolBlock{tools: slices.Clone(tools), json: encodeTools(tools)}
	}
	t.kept = slices.Insert(t.kept, 0, block)
	t.kept = t.kept[:min(len(t.kept), keptBlocks)]
	b.Write(block.json)
}

func sameTool(a, b llm.Tool) bool {
	return a.Name == b.Name && a.Description == b.Description && bytes.Equal(a.Schema, b.Schema)
}

func encodeTools(tools []llm.Tool) []byte {
	var b bytes.Buffer
	b.WriteString(`,"tools":[`)
	for i, t := range tools {
		if i > 0 {
			b.WriteByte(',')
		}
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		b.WriteString(`{"type":"function","function":{"name":` + text(llm.WireName(t.Name)) +
			`,"description":` + text(t.Description) + `,"parameters":`)
		b.Write(canonical(schema))
		b.WriteString(`}}`)
	}
	b.WriteByte(']')
	return b.Bytes()
}
