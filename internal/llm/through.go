package llm

import (
	"encoding/json"

	"github.com/akitad/akitad"
)

// CallTool is the tool through which a model calls the tools that have no schema in its tool block.
const CallTool = "call_tool"

// through are the arguments of CallTool.
type through struct {
	Args akitad.RawJSON `json:"args"`
	Tool string         `json:"tool"`
}

// AsMade gives a call in the form in which the model made it: one that came through another tool as a
// call of that one, every other as it is.
func AsMade(c akitad.Call) akitad.Call {
	if c.Via == "" {
		return c
	}
	args, err := json.Marshal(through{c.Args, c.Tool})
	if err != nil {
		return c // arguments that are no JSON have no other form
	}
	return akitad.Call{ID: c.ID, Tool: c.Via, Args: args}
}

// Meant undoes AsMade: it gives the call that a well-formed call of CallTool stands for, and every
// other as it is. What a model wrote by and large is for the tool layer to make sense of.
func Meant(c akitad.Call) akitad.Call {
	var in through
	if c.Tool != CallTool || json.Unmarshal(c.Args, &in) != nil || in.Tool == "" {
		return c
	}
	return akitad.Call{ID: c.ID, Tool: in.Tool, Args: in.Args, Via: CallTool}
}
