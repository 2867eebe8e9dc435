package offline

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// errWant says that a script cannot go on before the calls in session.want are answered. Scripts
// are straight code that is run from its start for every request: a call that was already answered
// gives its result at once, so no call is ever made twice and the place where a script stands need
// not be kept.
var errWant = errors.New("a call is not answered yet")

// toolError is a call that failed.
type toolError struct {
	tool    string
	failure *akitad.Failure
	path    string // the file that it was about, if it was about one
}

func (e *toolError) Error() string { return e.tool + ": " + e.failure.Message }

// has tells whether a tool may be called.
func (s *session) has(name string) bool {
	return s.offered(name) || slices.Contains(s.req.Beside, name)
}

// offered tells whether a tool is in the tool block; others are called through call_tool.
func (s *session) offered(name string) bool {
	return slices.ContainsFunc(s.req.Tools, func(t llm.Tool) bool { return t.Name == name })
}

// maxCalls is how many calls one round makes.
const maxCalls = 24

// call gives the result of a tool call, errWant if it has yet to be made, or a *toolError. args is
// a struct or map that becomes the JSON arguments.
func (s *session) call(tool string, args any) (string, error) {
	raw, err := encode(args)
	if err != nil {
		return "", err
	}
	key := canonical(raw)
	id := callID(tool, key)
	obs, ok := s.byID[id]
	if !ok {
		obs, ok = s.byArgs[tool+" "+key]
	}
	if ok {
		if obs.Error != nil {
			return "", &toolError{tool, obs.Error, pathOf(raw)}
		}
		return obs.Text, nil
	}
	if !s.has(tool) {
		return "", &toolError{tool, &akitad.Failure{Kind: akitad.Unavailable, Message: "the tool is not at hand"}, ""}
	}
	c := akitad.Call{ID: id, Tool: tool, Args: raw}
	if !s.offered(tool) {
		c.Via = llm.CallTool
	}
	s.wish(llm.AsMade(c))
	return "", errWant
}

func asToolError(err error) (*toolError, bool) {
	var te *toolError
	ok := errors.As(err, &te)
	return te, ok
}

func pathOf(args json.RawMessage) string {
	var v struct{ Path string }
	if json.Unmarshal(args, &v) != nil {
		return ""
	}
	return v.Path
}

// encode writes JSON as people would, with < and > as they are.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// callID derives a call's id from what it asks, so that the same call is known by it.
func callID(tool, args string) string { return "call_" + akitad.Digest(tool, args)[:12] }

func (s *session) wish(c akitad.Call) {
	for _, w := range s.want {
		if w.ID == c.ID {
			return
		}
	}
	if len(s.want) < maxCalls {
		s.want = append(s.want, c)
	}
}

// first gives the error that matters most among several steps of one script: a failure before a
// missing result would hide that others are still wanted, so errWant comes first.
func first(errs ...error) error {
	var failed error
	for _, err := range errs {
		if errors.Is(err, errWant) {
			return errWant
		}
		if failed == nil {
			failed = err
		}
	}
	return failed
}
