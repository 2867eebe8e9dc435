package tool

import (
	"bytes"
	"context"
	"encoding/json"
)

// intentArg is the argument by which a call says what its output is wanted for.
const intentArg = "intent"

const intentSchema = `"intent":{"type":"string","description":"what you look for: of a long output only the passages that matter come back"}`

// WithIntent gives a tool of unbounded output the optional argument intent, which is the caller's to
// read: the tool itself never sees it. One that has such an argument of its own, or takes any, is left as it is.
func WithIntent(t Tool) Tool {
	info := t.Info()
	if !info.Unbounded {
		return t
	}
	schema, ok := widened(info.Schema)
	if !ok {
		return t
	}
	info.Schema = schema
	return intended{t, info}
}

type intended struct {
	Tool
	info Info
}

func (t intended) Info() Info { return t.info }

// Call takes the intent out of the arguments.
func (t intended) Call(ctx context.Context, in Input) (Result, error) {
	var args map[string]json.RawMessage
	if bytes.Contains(in.Args, []byte(`"`+intentArg+`"`)) && json.Unmarshal(in.Args, &args) == nil {
		delete(args, intentArg)
		rest, err := json.Marshal(args)
		if err != nil {
			return Result{}, err
		}
		in.Args = rest
	}
	return t.Tool.Call(ctx, in)
}

// widened adds the argument to a schema that names its arguments and has none of that name.
func widened(schema json.RawMessage) (json.RawMessage, bool) {
	var top map[string]json.RawMessage
	if json.Unmarshal(schema, &top) != nil {
		return nil, false
	}
	props := bytes.TrimSpace(top["properties"])
	var named map[string]json.RawMessage
	if len(props) < 2 || json.Unmarshal(props, &named) != nil || named[intentArg] != nil {
		return nil, false
	}
	comma := ","
	if len(named) == 0 {
		comma = ""
	}
	top["properties"] = json.RawMessage(string(props[:len(props)-1]) + comma + intentSchema + "}")
	wide, err := json.Marshal(top)
	return wide, err == nil
}

// Intent gives what a call says that its output is wanted for; empty if it says nothing, or if the output
// of its tool is bounded.
func Intent(info Info, args json.RawMessage) string {
	if !info.Unbounded {
		return ""
	}
	var a struct {
		Intent string `json:"intent"`
	}
	if json.Unmarshal(args, &a) != nil {
		return ""
	}
	return a.Intent
}
