package llm

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pattern"
)

// nameTags are the forms in which a tag names the tool, the more telling ones first.
var nameTags = []*pattern.Pattern{
	pattern.New(`<function=["']?([^>"'\s]+)["']?>`),
	pattern.New(`<(?:[\w|｜]+[:｜|])?invoke name="([^"]+)"[^>]*>`),
	pattern.New(`\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?`),
	pattern.New(`<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>`),
	pattern.New(`<[｜|]tool[▁_]call[▁_]begin[｜|]>\s*(?:function<[｜|]tool[▁_]sep[｜|]>)?\s*([\w.-]+)\s*(?:<[｜|]tool[▁_]sep[｜|]>)?`),
	pattern.New(`<\|channel\|>commentary to=([\w.-]+)[^{]*<\|message\|>`),
	pattern.New(`<tool_call>\s*(?:call:)?([\w.-]+)\s*(?:<arg_key>|</tool_call>|\{)`),
}

// parseCalls reads the calls of a block that begins with a marker.
func parseCalls(block string, names Names) []akitad.Call {
	for _, tag := range nameTags {
		if tag.MatchString(block) {
			return taggedCalls(block, tag, names)
		}
	}
	calls := taggedPython(block, names)
	if len(calls) == 0 {
		calls = objectCalls(block, names)
	}
	if len(calls) == 0 {
		calls = brokenCalls(block, names)
	}
	return calls
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
		if args, ok := taggedArgs(block[m[3]:end]); ok {
			calls = append(calls, akitad.Call{Tool: names.Original(block[m[2]:m[3]]), Args: args})
		}
	}
	return calls
}

var (
	parameter = pattern.New(`(?s)<(?:[\w|｜]+[:｜|])?parameter(?:=| name=)["']?([^>"'\s]+)["']?([^>]*)>(.*?)</(?:[\w|｜]+[:｜|])?parameter>`)
	argPair   = pattern.New(`(?s)<arg_key>(.*?)</arg_key>\s*<arg_value>(.*?)</arg_value>`)
	opened    = pattern.New(`<(?:[\w|｜]+[:｜|])?(?:parameter[= ]|arg_value>)`)
	endTag    = pattern.New(`</|<tool_call\|>|\[/|<[｜|]tool[▁_]calls?[▁_](?:section[▁_])?end[｜|]>`)
)

// taggedArgs reads what follows the name of a tool; ok is false if it was cut off.
func taggedArgs(body string) (akitad.RawJSON, bool) {
	values := map[string]json.RawMessage{}
	parameters, pairs := parameter.FindAllStringSubmatch(body, -1), argPair.FindAllStringSubmatch(body, -1)
	for _, p := range parameters {
		values[p[1]] = valueOf(p[3], strings.Contains(p[2], `string="false"`))
	}
	for _, p := range pairs {
		values[strings.TrimSpace(p[1])] = valueOf(p[2], false)
	}
	if begun := len(opened.FindAllString(body, -1)); begun > 0 {
		data, err := json.Marshal(values)
		return data, err == nil && begun == len(parameters)+len(pairs)
	}
	start := strings.IndexByte(body, '{')
	if start < 0 {
		return akitad.RawJSON("{}"), endTag.MatchString(body) // called without arguments
	}
	return argumentsAt(body[start:])
}

// valueOf gives the value of a parameter in tags: JSON where the dialect says so, else the text, which
// the tool's schema may make a number of.
func valueOf(text string, isJSON bool) json.RawMessage {
	text = strings.TrimSuffix(strings.TrimPrefix(text, "\n"), "\n")
	if isJSON && json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	data, err := json.Marshal(text)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return data
}

// argumentsAt reads the object that a text begins with, or, if it is broken, all up to the tag that
// ends the call, for the tool layer to repair. Without that end it was cut off.
func argumentsAt(text string) (akitad.RawJSON, bool) {
	var args json.RawMessage
	if json.NewDecoder(strings.NewReader(text)).Decode(&args) == nil {
		return Arguments(string(args)), true
	}
	end := endTag.FindStringIndex(text)
	if end == nil {
		return nil, false
	}
	return Arguments(strings.TrimRight(text[:end[0]], blanks+"`")), true
}

// objectCalls reads dialects in which calls are JSON objects with a name, or lists of them.
func objectCalls(block string, names Names) (calls []akitad.Call) {
	for {
		at := strings.IndexByte(block, '{')
		if at < 0 {
			return calls
		}
		var raw json.RawMessage
		dec := json.NewDecoder(strings.NewReader(block[at:]))
		if dec.Decode(&raw) != nil {
			return calls
		}
		found, ok := readObject(raw)
		if !ok {
			return calls
		}
		for _, c := range found {
			calls = append(calls, akitad.Call{Tool: names.Original(c.name), Args: Arguments(string(c.args))})
		}
		block = block[at+int(dec.InputOffset()):]
	}
}

var beforePython = pattern.New(`^(?:<[^>]*>|\[TOOL_\w+\])\s*`)

// taggedPython reads calls in the form of Python between the tags of a dialect.
func taggedPython(block string, names Names) []akitad.Call {
	m := beforePython.FindStringIndex(block)
	if m == nil {
		return nil
	}
	inner := block[m[1]:]
	ends := endOfPython.FindAllStringIndex(inner, -1)
	if len(ends) == 0 {
		return taggedCallsOf(inner, names)
	}
	// An argument may hold what looks like an end.
	for _, end := range [][]int{ends[0], ends[len(ends)-1]} {
		if calls := taggedCallsOf(inner[:end[0]], names); len(calls) > 0 {
			return calls
		}
	}
	return nil
}

// taggedCallsOf reads what a tag says are calls: there, also name() is one.
func taggedCallsOf(inner string, names Names) []akitad.Call {
	if inner = strings.TrimSpace(inner); !strings.HasPrefix(inner, "[") {
		inner = "[" + inner + "]"
	}
	return pythonCalls(inner, names)
}

var endOfPython = pattern.New(`</[\w:｜|-]+>|<\|[\w/]+\|>|\[/TOOL_\w+\]|\[END_TOOL_\w+\]`)

var brokenCall = regexp.MustCompile(`"(?:name|tool_name|tool)"\s*:\s*"([^"]+)"\s*,\s*"(?:arguments|parameters|args)"\s*:\s*\{`)

// brokenCalls reads one call whose arguments are not JSON, but end where the call does.
func brokenCalls(block string, names Names) []akitad.Call {
	m := brokenCall.FindStringSubmatchIndex(block)
	if m == nil {
		return nil
	}
	body := block[m[1]-1:]
	end := endTag.FindStringIndex(body)
	if end == nil {
		return nil
	}
	args, ok := strings.CutSuffix(strings.TrimRight(body[:end[0]], blanks), "}") // that of the call
	if !ok || len(brokenCall.FindAllString(block, 2)) > 1 {
		return nil
	}
	return []akitad.Call{{Tool: names.Original(block[m[2]:m[3]]), Args: Arguments(args)}}
}
