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
	pattern.New(`<function[=(]["']?([^>"'\s{()]+)["']?\)?\s*[>{]`), // also without its bracket, or with another
	pattern.New(`<(?:[\w|｜]+[:｜|])?(?:invoke|function_call|tool_call|function) name="([^"]+)"[^>]*>`),
	pattern.New(`<(?:tool_)?name>\s*([\w.-]+)\s*</(?:tool_)?name>`),
	pattern.New(`\[TOOL_CALLS\]\s*([\w.-]+)\s*(?:\[CALL_ID\][\w-]*)?(?:\[ARGS\])?`),
	pattern.New(`<\|tool_call_begin\|>\s*([\w.:-]+)\s*<\|tool_call_argument_begin\|>`),
	pattern.New(`<[｜|]tool[▁_ ]call[▁_ ]begin[｜|]>\s*(?:function<[｜|]tool[▁_ ]sep[｜|]>)?\s*([\w.-]+)\s*(?:<[｜|]tool[▁_ ]sep[｜|]>)?`),
	pattern.New(`<\|channel\|>commentary to=([\w.-]+)[^{]*<\|message\|>`),
	pattern.New(`<tool_call>\s*(?:call:)?([\w.-]+)(?::[\w.-]+)?\s*(?:<arg_key>|</tool_call>|</arg_value>|\{|` + "```" + `)`),
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
	opened    = pattern.New(`<(?:[\w|｜]+[:｜|])?(?:parameter[= ]|arg_key>|arg_value>)`)
	endTag    = pattern.New(`</|<tool_call\|>|\[/|<[｜|]tool[▁_ ]calls?[▁_ ](?:section[▁_ ])?end[｜|]>`)
)

// taggedArgs reads what follows the name of a tool; ok is false if it was cut off.
func taggedArgs(body string) (akitad.RawJSON, bool) {
	values := map[string]json.RawMessage{}
	body = mended(body)
	parameters, pairs := parameter.FindAllStringSubmatch(body, -1), argPair.FindAllStringSubmatch(body, -1)
	for _, p := range parameters {
		values[p[1]] = valueOf(p[3], strings.Contains(p[2], `string="false"`))
	}
	for _, p := range pairs {
		values[strings.TrimSpace(p[1])] = valueOf(p[2], false)
	}
	if begun := len(opened.FindAllString(body, -1)); begun > 0 {
		data, err := json.Marshal(values)
		return data, err == nil && begun == len(parameters)+2*len(pairs)
	}
	if inner := children.FindStringSubmatch(body); inner != nil {
		return childArgs(inner[1])
	}
	start := strings.IndexByte(body, '{')
	if start < 0 {
		return akitad.RawJSON("{}"), endTag.MatchString(body) // called without arguments
	}
	if start > 0 && body[start-1] == '"' { // the object as a text
		start--
	}
	return argumentsAt(body[start:])
}

// mended gives parameters in tags whose ends are missing though the call's end is there.
func mended(body string) string {
	body = lostBracket.ReplaceAllString(lostValueEnd.ReplaceAllString(body, "$1</arg_value>$2"), "$1>$2")
	all := parameterStart.FindAllStringIndex(body, -1)
	if len(all) == 0 {
		return body
	}
	last := max(all[len(all)-1][1], strings.LastIndex(body, parameterEnd)) // a value before it may look like the call's end
	at := functionEnd.FindStringIndex(body[last:])
	if at == nil {
		return body
	}
	end := last + at[0]
	begun := parameterStart.FindAllStringIndex(body[:end], -1)
	var out strings.Builder
	from := 0
	for i, b := range begun {
		to := end
		if i+1 < len(begun) {
			to = begun[i+1][0]
		}
		out.WriteString(body[from:to])
		if !strings.Contains(body[b[1]:to], parameterEnd) {
			out.WriteString(parameterEnd)
		}
		from = to
	}
	return out.String() + body[from:]
}

const parameterEnd = "</parameter>"

var (
	lostBracket    = pattern.New(`(<parameter=[\w.-]+)[ \t]*(\r?\n)`)
	lostValueEnd   = pattern.New(`(<arg_value>[^<]*)(<arg_key>|</tool_call>)`)
	functionEnd    = pattern.New(`</(?:function|invoke)>`)
	parameterStart = pattern.New(`<parameter[= ][^>]*>`)
	children       = pattern.New(`(?s)^(?:</\w+>)?\s*<(?:parameters|arguments|input)>\s*(<\w.*?)\s*</(?:parameters|arguments|input)>`)
	child          = pattern.New(`(?s)^\s*<([\w.-]+)>`)
)

// childArgs reads arguments of which each is in a tag of its own.
func childArgs(text string) (akitad.RawJSON, bool) {
	values := map[string]json.RawMessage{}
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		m := child.FindStringSubmatch(text)
		if m == nil {
			return nil, false
		}
		value, rest, ok := strings.Cut(text[len(m[0]):], "</"+m[1]+">")
		if !ok {
			return nil, false
		}
		values[m[1]], text = valueOf(value, false), rest
	}
	data, err := json.Marshal(values)
	return data, err == nil
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
		for strings.HasPrefix(block[at:], "{{") {
			at++ // as a template wrote it
		}
		raw, size := objectAt(block[at:])
		if size == 0 {
			return calls
		}
		found, ok := readObject(raw)
		if c, keyed := keyedCall(raw, names); !ok && keyed {
			calls, ok = append(calls, c), true
		}
		if !ok {
			return calls
		}
		for _, c := range found {
			calls = append(calls, akitad.Call{Tool: names.Original(c.name), Args: Arguments(string(c.args))})
		}
		block = block[at+size:]
	}
}

// objectAt reads the object that a text begins with, in JSON or as Python writes it, and how long it is; 0
// if there is none.
func objectAt(text string) (raw json.RawMessage, size int) {
	dec := json.NewDecoder(strings.NewReader(text))
	if dec.Decode(&raw) == nil {
		return raw, int(dec.InputOffset())
	}
	p := &python{text: text}
	value, ok := p.value()
	if !ok || !json.Valid([]byte(value)) {
		return nil, 0
	}
	return json.RawMessage(value), p.at
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

// pythonRest is what stands around calls where a model writes a program: remarks, what keeps the result, and
// what prints it.
var pythonRest = pattern.New(`(?m)^[ \t]*#.*$|^[ \t]*\w+[ \t]*=[ \t]*|^[ \t]*print\(\w+\)[ \t]*$`)

// taggedCallsOf reads what a tag says are calls: there, also name() is one.
func taggedCallsOf(inner string, names Names) []akitad.Call {
	inner = strings.TrimSpace(pythonRest.ReplaceAllString(inner, ""))
	if !strings.HasPrefix(inner, "[") {
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
