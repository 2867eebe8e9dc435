package openai

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/wire"
)

// textProtocol tells a model without tool calls of its tools: the rule, then schema and one example
// of each. The text depends on the tools alone.
func textProtocol(tools []llm.Tool) string {
	if len(tools) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n\n# Tools\nTo use a tool, end your message with one or more blocks of exactly this form, and wait:\n" +
		"<tool_call>{\"name\": \"TOOL\", \"arguments\": {...}}</tool_call>\n" +
		"Results come back in <tool_result> blocks, in the order of the calls. Without a block, your message is the final answer.\n")
	for _, t := range tools {
		b.WriteString("\n## " + llm.WireName(t.Name) + "\n" + strings.TrimSpace(t.Description) + "\n")
		if len(t.Schema) > 0 {
			b.WriteString("Arguments (JSON Schema): " + string(wire.Canonical(t.Schema)) + "\n")
		}
		b.WriteString("Example: " + textCall(llm.WireName(t.Name), exampleArgs(t.Schema)) + "\n")
	}
	return b.String()
}

func textCall(name, args string) string {
	return `<tool_call>{"name": ` + wire.Text(name) + `, "arguments": ` + args + `}</tool_call>`
}

// textCalls writes calls that another provider has received the way this one's model would have.
func textCalls(calls []akitad.Call) string {
	var b strings.Builder
	for _, c := range calls {
		b.WriteString("\n" + textCall(llm.WireName(c.Tool), wire.ArgumentsOut(c.Args)))
	}
	return b.String()
}

// textResult is a result as a message of the user, who alone can bring one; nothing in it can end it.
func textResult(o akitad.Observation) string {
	text := strings.ReplaceAll(llm.ObservationText(o), "</tool_result", `<\/tool_result`)
	return "<tool_result name=" + wire.Text(llm.WireName(o.Tool)) + ">\n" + text + "\n</tool_result>"
}
