package tool

import (
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// nested bounds how often call_tool may stand within call_tool.
const nested = 4

// Meant gives the call that a model made through call_tool: that of the tool itself, with its id. The
// form is taken as models write it: broken JSON is mended by the rules for the inner tool, arguments
// may be text, bear another name, or stand beside the tool's name. What names no tool stays as it is,
// and so does every other call.
func (r *Registry) Meant(c akitad.Call) akitad.Call {
	for range nested {
		inner, ok := r.inner(c)
		if !ok {
			break
		}
		c = inner
	}
	return c
}

func (r *Registry) inner(c akitad.Call) (akitad.Call, bool) {
	if c.Tool != llm.CallTool {
		return c, false
	}
	args, mended, err := parseObject(c.Args, true)
	if err != nil {
		return c, false
	}
	key, name := named(args)
	if key == "" {
		return c, false
	}
	if e, ok := r.byName[name]; !ok || !e.tool.Info().Readonly {
		if args, mended, err = parseObject(c.Args, false); err != nil {
			return c, false
		}
	}
	given, ok := givenIn(args, key, mended)
	if !ok {
		return c, false
	}
	raw, err := encode(given)
	return akitad.Call{ID: c.ID, Tool: name, Args: raw, Via: llm.CallTool}, err == nil
}

// named finds the inner tool's name, and under which key it stands.
func named(args map[string]any) (key, name string) {
	for _, key := range []string{"tool", "name", "tool_name"} {
		if name, ok := args[key].(string); ok && strings.TrimSpace(name) != "" {
			return key, strings.TrimSpace(name)
		}
	}
	return "", ""
}

// givenIn finds the inner arguments: under a key of their own, with nothing else beside it, or all
// that stands beside the name. Of JSON that had to be mended only the former counts, since a piece of
// a text may look like a key.
func givenIn(args map[string]any, name string, mended bool) (any, bool) {
	delete(args, name)
	for _, key := range []string{"args", "arguments", "parameters", "input"} {
		if v, ok := args[key]; ok && len(args) == 1 {
			if v == nil {
				v = map[string]any{}
			}
			return v, true
		}
	}
	_, unclear := args["args"]
	return args, len(args) == 0 || !mended && !unclear
}
