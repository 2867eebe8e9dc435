package openai

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/akitad/akitad/internal/llm/wire"
)

// part is an assistant message or a piece of one, as servers send it.
type part struct {
	Role      word            `json:"role"`
	Content   json.RawMessage `json:"content"` // string, null, a part, or a list of parts
	Text      word            `json:"text"`    // of completions that are no chat
	Refusal   word            `json:"refusal"`
	Finish    word            `json:"finish_reason"` // of servers that put it here
	Thoughts  word            `json:"reasoning_content"`
	Reasoning word            `json:"reasoning"`
	Details   list            `json:"reasoning_details"`
	Calls     callList        `json:"tool_calls"`
	Call      *functionPart   `json:"function_call"` // the form that tool_calls has replaced
}

// empty reports whether a piece says nothing.
func (p part) empty() bool {
	text, _ := contentOf(p.Content)
	return text == "" && p.Text+p.Refusal+p.Thoughts+p.Reasoning == "" && len(p.Details) == 0 && len(p.calls()) == 0
}

// calls gives the pieces of calls in either form, without those that say nothing.
func (p part) calls() []callPart {
	if p.Call != nil && len(p.Calls) == 0 {
		return []callPart{{Function: *p.Call}}
	}
	return slices.DeleteFunc(slices.Clone([]callPart(p.Calls)), callPart.empty)
}

type callPart struct {
	Index        json.RawMessage `json:"index"` // a number, or its text
	ID           word            `json:"id"`
	Function     functionPart    `json:"function"`
	functionPart                 // where servers forget what it belongs in
	Custom       functionPart    `json:"custom"` // of tools that take a text

	mended bool            // by settle
	Extra  json.RawMessage `json:"extra_content"`
}

type functionPart struct {
	Name      word            `json:"name"`
	Arguments json.RawMessage `json:"arguments"`  // string, or the object itself
	Given     json.RawMessage `json:"parameters"` // the same by the name that it has in schemas
	Input     json.RawMessage `json:"input"`      // and in other protocols
}

// at gives the index of the call that the piece belongs to; nil if it has none.
func (c callPart) at() *int { return wire.IndexOf(c.Index) }

// arguments gives the piece of arguments as text; whole says that it was sent as an object, which
// is never a piece.
func (c callPart) arguments() (piece string, whole bool) {
	if len(c.Function.Arguments) == 0 || json.Unmarshal(c.Function.Arguments, &piece) == nil {
		return piece, false
	}
	return string(wire.Canonical(c.Function.Arguments)), true
}

// contentOf reads content; had says that it was there and not null.
func contentOf(raw json.RawMessage) (text string, had bool) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", false
	}
	if json.Unmarshal(raw, &text) == nil {
		return text, true
	}
	var parts list
	if json.Unmarshal(raw, &parts) != nil {
		return "", false
	}
	for _, one := range parts {
		text += partText(one)
	}
	return text, true
}

// partText gives the text of a part; none of one that is a thought, an image or the like.
func partText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var p struct {
		Type word
		Text word
	}
	if json.Unmarshal(raw, &p) != nil || p.Type != "" && p.Type != "text" && p.Type != "output_text" {
		return ""
	}
	return string(p.Text)
}

// word is a text, and list a list, of servers that do not always send one.
type (
	word = wire.Word
	list = wire.List
)

type callList []callPart

// UnmarshalJSON implements json.Unmarshaler.
func (l *callList) UnmarshalJSON(data []byte) error {
	all, err := several[callPart](data)
	for i := range all {
		all[i].settle()
	}
	*l = all
	return err
}

// several reads a list, or what stands in place of one (see list), at one go where each element is as it should be.
func several[T any](data []byte) (all []T, err error) {
	if json.Unmarshal(data, &all) == nil {
		return all, nil
	}
	var raws list
	_ = raws.UnmarshalJSON(data) // refuses nothing
	all = nil
	for _, raw := range raws {
		var one T
		if err := json.Unmarshal(raw, &one); err != nil {
			return all, err
		}
		all = append(all, one)
	}
	return all, nil
}

// settle puts everything where it belongs.
func (c *callPart) settle() {
	f := &c.Function
	if f.Name == "" && c.Custom.Name != "" {
		*f = c.Custom
	}
	c.mended = f.Name == "" && c.Name != "" || len(f.Arguments) == 0
	f.Name = cmp.Or(f.Name, c.Name)
	for _, raw := range []json.RawMessage{f.Given, f.Input, c.functionPart.Arguments, c.Given, c.Input} {
		if len(f.Arguments) == 0 {
			f.Arguments = raw
		}
	}
}

// empty reports whether a piece says nothing of a call.
func (c callPart) empty() bool {
	piece, _ := c.arguments()
	return c.ID == "" && c.Function.Name == "" && piece == "" && len(c.Extra) == 0
}

// object is an object, in place of which some servers send an empty list or text if there is nothing.
type object[T any] struct{ it *T }

// UnmarshalJSON implements json.Unmarshaler.
func (o *object[T]) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	o.it = new(T)
	return json.Unmarshal(data, o.it)
}

type choices []choice

// parted reports whether a whole answer is spread over several choices, as Copilot sends a text and the calls behind it: they
// are not counted, as those are of which one is to be chosen.
func (l choices) parted() bool {
	return len(l) > 1 && !slices.ContainsFunc(l, func(c choice) bool {
		at := wire.IndexOf(c.Index)
		return at != nil && *at > 0
	})
}

// UnmarshalJSON implements json.Unmarshaler.
func (l *choices) UnmarshalJSON(data []byte) error {
	all, err := several[choice](data)
	*l = all
	return err
}
