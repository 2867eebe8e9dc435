package llm

import (
	"encoding/json"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// markers begin a tool call that a model has written as text, because its server does not parse its
// dialect: Hermes and Qwen, Llama, Mistral, the XML of Anthropic's prompts, DeepSeek.
var markers = []string{
	"<tool_call>", "<function=", "<|python_tag|>", "[TOOL_CALLS]",
	"<function_calls>", "<invoke name=", "<" + space + "function_calls>", "<" + space + "invoke name=",
	"<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>",
}

const (
	space      = "antml:" // the XML name space that the tags may be in
	thinkOpen  = "<think>"
	thinkClose = "</think>"
	fence      = "```"
)

// SplitText separates what a model wrote as text: the words for a person, and the tool calls in one
// of the textual dialects. Thoughts in <think> tags are dropped, also when a template has swallowed
// the opening tag. Calls are looked for outside of code fences only; those given have no id. Without
// calls, or when no tool is offered, the text comes back as it is, apart from thoughts.
func SplitText(text string, names Names) (words string, calls []akitad.Call) {
	text = withoutThoughts(text)
	at := markerAt(text)
	if at < 0 || len(names) == 0 {
		return text, nil
	}
	calls = parseCalls(text[at:], names)
	if len(calls) == 0 && !mentions(text[at:], names) {
		return text, nil
	}
	return strings.TrimSpace(text[:at]), calls
}

func withoutThoughts(text string) string {
	trimmed := strings.TrimLeft(text, " \t\r\n")
	end := strings.Index(text, thinkClose)
	switch {
	case strings.HasPrefix(trimmed, thinkOpen) && end < 0:
		return ""
	case end >= 0 && (strings.HasPrefix(trimmed, thinkOpen) || !strings.Contains(text[:end], fence) && !strings.Contains(text[:end], "`")):
		return strings.TrimLeft(text[end+len(thinkClose):], " \t\r\n")
	}
	return text
}

// markerAt gives where the first marker outside of code stands, or -1.
func markerAt(text string) int {
	for at := 0; at < len(text); at++ {
		next := strings.IndexAny(text[at:], "<[")
		if next < 0 {
			return -1
		}
		at += next
		if hasMarker(text[at:]) && !inCode(text[:at]) {
			return at
		}
	}
	return -1
}

func hasMarker(text string) bool {
	for _, m := range markers {
		if strings.HasPrefix(text, m) {
			return true
		}
	}
	return false
}

// inCode reports whether text ends inside of a code fence or right behind a backtick.
func inCode(text string) bool {
	return strings.Count(text, fence)%2 == 1 || strings.HasSuffix(text, "`")
}

func mentions(block string, names Names) bool {
	for wire := range names {
		if strings.Contains(block, wire) {
			return true
		}
	}
	return false
}

var (
	functionTag = pattern.New(`<function=["']?([^>"'\s]+)["']?>`)
	invokeTag   = pattern.New(`<(?:\w+:)?invoke name="([^"]+)"[^>]*>`)
	mistralTag  = pattern.New(`\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?\[ARGS\]`)
	deepseekTag = pattern.New(`<｜tool▁sep｜>\s*([\w.-]+)`)
	parameter   = pattern.New(`(?s)<(?:\w+:)?parameter(?:=| name=)["']?([^>"'\s]+)["']?[^>]*>(.*?)</(?:\w+:)?parameter>`)
)

// parseCalls reads the calls of a block that begins with a marker.
func parseCalls(block string, names Names) []akitad.Call {
	for _, tag := range []*pattern.Pattern{functionTag, invokeTag, mistralTag, deepseekTag} {
		if tag.MatchString(block) {
			return taggedCalls(block, tag, names)
		}
	}
	return objectCalls(block, names)
}

// taggedCalls reads dialects in which a tag names the tool and arguments follow it: parameters in
// tags of their own, or one JSON object.
func taggedCalls(block string, tag *pattern.Pattern, names Names) (calls []akitad.Call) {
	found := tag.FindAllStringSubmatchIndex(block, -1)
	for i, m := range found {
		end := len(block)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		args, ok := taggedArgs(block[m[1]:end])
		if ok {
			calls = append(calls, akitad.Call{Tool: names.Original(block[m[2]:m[3]]), Args: args})
		}
	}
	return calls
}

func taggedArgs(body string) (akitad.RawJSON, bool) {
	if params := parameter.FindAllStringSubmatch(body, -1); params != nil {
		values := make(map[string]string, len(params))
		for _, p := range params {
			values[p[1]] = strings.TrimSuffix(strings.TrimPrefix(p[2], "\n"), "\n")
		}
		data, err := json.Marshal(values)
		return data, err == nil
	}
	start := strings.IndexByte(body, '{')
	if start < 0 {
		return akitad.RawJSON("{}"), strings.Contains(body, "</") // called without arguments
	}
	var args json.RawMessage
	if json.NewDecoder(strings.NewReader(body[start:])).Decode(&args) != nil {
		return nil, false
	}
	return Arguments(string(args)), true
}

// objectCalls reads dialects in which a call is a JSON object with a name, or a list of them.
func objectCalls(block string, names Names) (calls []akitad.Call) {
	for {
		at := strings.IndexByte(block, '{')
		if at < 0 {
			return calls
		}
		var call struct {
			Name       string          `json:"name"`
			Arguments  json.RawMessage `json:"arguments"`
			Parameters json.RawMessage `json:"parameters"`
		}
		dec := json.NewDecoder(strings.NewReader(block[at:]))
		if dec.Decode(&call) != nil || call.Name == "" {
			return calls
		}
		args := call.Arguments
		if args == nil {
			args = call.Parameters
		}
		calls = append(calls, akitad.Call{Tool: names.Original(call.Name), Args: Arguments(string(args))})
		block = block[at+int(dec.InputOffset()):]
	}
}

// Arguments gives what a model sent as arguments of a call in the form that Call.Args holds, which
// is always valid JSON: nothing or null is {}, JSON inside of a JSON string is unwrapped once, and
// text that is not JSON becomes a JSON string, for the tool layer to repair or refuse.
func Arguments(text string) akitad.RawJSON {
	text = strings.TrimSpace(text)
	if text == "" || text == "null" {
		return akitad.RawJSON("{}")
	}
	var inner string
	if json.Unmarshal([]byte(text), &inner) == nil {
		if t := strings.TrimSpace(inner); t == "" || strings.HasPrefix(t, "{") && json.Valid([]byte(t)) {
			return Arguments(t)
		}
	}
	if data, err := json.Marshal(json.RawMessage(text)); err == nil {
		return data
	}
	data, err := json.Marshal(text)
	if err != nil {
		return akitad.RawJSON("{}")
	}
	return data
}
