package llm

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// An objectCall is a call as a JSON object.
type objectCall struct {
	name string
	args json.RawMessage // nil if the object has none
}

// The members of such objects: those for the name, for the arguments, and others that may stand beside.
var (
	nameKeys = []string{"name", "tool_name", "tool", "function", "function_name", "recipient_name", "action"}
	argsKeys = []string{"arguments", "parameters", "args", "input", "tool_input", "action_input", "params", "function_args", "function_arguments", "tool_args"}
	callKeys = slices.Concat(nameKeys, argsKeys, []string{"type", "id", "tool_call_id", "index", "tool_calls", "tool_uses", "function_call"})
)

// readObject reads a call: {"name": ..., "arguments": ...} under the names that models use, the same
// within "function", or a list within "tool_calls". Objects with other members are none.
func readObject(raw json.RawMessage) ([]objectCall, bool) {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil, false
	}
	for key := range members {
		if !isCallKey(key) {
			return nil, false
		}
	}
	for _, key := range []string{"tool_calls", "tool_uses"} {
		if list, ok := members[key]; ok {
			return readList(list)
		}
	}
	for _, key := range []string{"function", "function_call"} {
		if inner := members[key]; len(inner) > 0 && inner[0] == '{' {
			return readObject(inner)
		}
	}
	var c objectCall
	for _, key := range nameKeys {
		if c.name == "" {
			_ = json.Unmarshal(members[key], &c.name) // what is no text is no name
		}
	}
	for _, key := range argsKeys {
		if c.args == nil {
			c.args = members[key]
		}
	}
	return []objectCall{c}, c.name != ""
}

func isCallKey(key string) bool { return slices.Contains(callKeys, key) }

func readList(raw json.RawMessage) (calls []objectCall, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, false
	}
	for _, one := range list {
		c, ok := readObject(one)
		if !ok {
			return nil, false
		}
		calls = append(calls, c...)
	}
	return calls, true
}

// wholeCalls reads a text that is nothing but calls of offered tools: objects, or lists of them, with
// blanks, commas or semicolons between. Anything else in it, or a call without arguments, and there
// are none.
func wholeCalls(text string, names Names) (calls []akitad.Call) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimLeft(text, blanks+",;") {
		var raw json.RawMessage
		dec := json.NewDecoder(strings.NewReader(text))
		if dec.Decode(&raw) != nil {
			return nil
		}
		found, ok := readObject(raw)
		if raw[0] == '[' {
			found, ok = readList(raw)
		}
		if !ok {
			return nil
		}
		for _, c := range found {
			tool := names.Original(c.name)
			args := Arguments(string(c.args))
			if !names.Known(WireName(tool)) || c.args == nil || args[0] != '{' {
				return nil
			}
			calls = append(calls, akitad.Call{Tool: tool, Args: args})
		}
		text = text[dec.InputOffset():]
	}
	return calls
}

// A verdict says whether something begins at a place of a text that is still growing.
type verdict int

const (
	no   verdict = iota
	open         // more of the text will tell
	yes
)

// beginsCall judges whether a text may be a call in JSON, by its first member.
func beginsCall(text string) verdict {
	text = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(text, blanks), "["), blanks)
	inner, ok := strings.CutPrefix(text, "{")
	if !ok && text != "" {
		return no
	}
	inner = strings.TrimLeft(inner, blanks)
	key, ok := strings.CutPrefix(inner, `"`)
	if !ok && inner != "" {
		return no
	}
	key, _, whole := strings.Cut(key, `"`)
	switch {
	case whole && isCallKey(key):
		return yes
	case whole:
		return no
	}
	return begins(callKeys, key)
}

// begins judges whether a text is the beginning of one of the words.
func begins(words []string, text string) verdict {
	if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(w, text) }) {
		return open
	}
	return no
}

// beginsFence judges whether a text is a code fence with a call in it.
func beginsFence(text string) verdict {
	inner, ok := strings.CutPrefix(text, fence)
	if !ok {
		return begins([]string{fence}, text)
	}
	info, _, ok := strings.Cut(inner[:min(len(inner), maxBlank)], "\n")
	body := strings.TrimPrefix(inner[len(info):], "\n")
	info = strings.ToLower(strings.TrimSpace(info))
	switch {
	case !ok:
		return begins(callFences, info)
	case slices.Contains(pythonFences, info):
		return yes
	case info == "python":
		if strings.HasPrefix(body, "print(default_api.") || strings.HasPrefix(body, "default_api.") {
			return yes
		}
		return begins([]string{"print(default_api.", "default_api."}, body)
	case slices.Contains(callFences, info):
		return beginsCall(body)
	}
	return no
}
