// Package llmtest stands in for language models: a scripted Provider whose replies can be held back
// until a test releases them, and an HTTP server that speaks the vendors' protocols by the same
// scripts and misbehaves on request. It judges nothing and calls no real model.
package llmtest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Turn is what the model does when it is asked once.
type Turn struct {
	reply  llm.Reply
	err    error
	do     func(llm.Request) (llm.Reply, error)
	hold   *Hold
	faults []Fault // for Server only
}

// Text answers with text.
func Text(text string) Turn { return Turn{reply: llm.Reply{Text: text, Finish: llm.FinishStop}} }

// Calls answers with tool calls. A call without an id gets one.
func Calls(calls ...akitad.Call) Turn {
	return Turn{reply: llm.Reply{Calls: calls, Finish: llm.FinishCalls}}
}

// Call makes a tool call; args is marshalled to JSON, and must be possible to marshal.
func Call(tool string, args any) akitad.Call {
	data, err := json.Marshal(args)
	if err != nil {
		panic(fmt.Sprintf("llmtest: arguments of %s: %v", tool, err))
	}
	return akitad.Call{Tool: tool, Args: data}
}

// Fail answers with an error; a Server turns its kind into a status.
func Fail(err error) Turn { return Turn{err: err} }

// FailKind answers with an error of the kind.
func FailKind(kind akitad.Kind) Turn { return Fail(akitad.Errorf(kind, "scripted failure")) }

// Reply answers with a whole reply.
func Reply(r llm.Reply) Turn { return Turn{reply: r} }

// Do answers with what f makes of the request. It may be called by many goroutines.
func Do(f func(llm.Request) (llm.Reply, error)) Turn { return Turn{do: f} }

// Saying returns the turn with text beside its calls.
func (t Turn) Saying(text string) Turn { t.reply.Text = text; return t }

// Using returns the turn with the tokens it reports.
func (t Turn) Using(input, cached, output int) Turn {
	t.reply.Usage = akitad.Usage{Input: input, Cached: cached, Output: output}
	return t
}

// Ending returns the turn with the reason for its end.
func (t Turn) Ending(f llm.Finish) Turn { t.reply.Finish = f; return t }

// With returns the turn with faults that a Server commits when it sends it.
func (t Turn) With(faults ...Fault) Turn {
	t.faults = append(t.faults[:len(t.faults):len(t.faults)], faults...)
	return t
}

// Held returns the turn held back until h is released.
func (t Turn) Held(h *Hold) Turn { t.hold = h; return t }

// Hold keeps replies back. The same Hold may be given to several turns.
type Hold struct {
	arrived chan llm.Request
	release chan struct{}
}

// NewHold makes a Hold.
func NewHold() *Hold {
	return &Hold{arrived: make(chan llm.Request, 1024), release: make(chan struct{})}
}

// Arrived returns each request that is now held, in order.
func (h *Hold) Arrived() <-chan llm.Request { return h.arrived }

// Release lets every held reply go, and those that come later. It must be called once.
func (h *Hold) Release() { close(h.release) }

func (h *Hold) wait(ctx context.Context, req llm.Request) error {
	if h == nil {
		return nil
	}
	h.arrived <- req
	select {
	case <-h.release:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// play returns the reply of the turn to the request. round numbers call ids.
func (t Turn) play(ctx context.Context, req llm.Request, round int) (llm.Reply, error) {
	if err := t.hold.wait(ctx, req); err != nil {
		return llm.Reply{}, err
	}
	reply, err := t.reply, t.err
	if t.do != nil {
		reply, err = t.do(req)
	}
	if err != nil {
		return llm.Reply{}, err
	}
	return complete(reply, req, round), nil
}

// complete fills in what scripts leave out: finish, call ids, usage, model.
func complete(r llm.Reply, req llm.Request, round int) llm.Reply {
	calls := make([]akitad.Call, len(r.Calls))
	for i, c := range r.Calls {
		if c.ID == "" {
			c.ID = fmt.Sprintf("call_%d_%d", round, i+1)
		}
		if len(c.Args) == 0 {
			c.Args = json.RawMessage("{}")
		}
		calls[i] = c
	}
	if r.Calls != nil {
		r.Calls = calls
	}
	if r.Finish == "" {
		r.Finish = llm.FinishStop
		if len(calls) > 0 {
			r.Finish = llm.FinishCalls
		}
	}
	if r.Usage == (akitad.Usage{}) {
		r.Usage = akitad.Usage{Input: size(req) / 4, Output: 1 + len(r.Text)/4}
	}
	r.Usage.Calls = 1
	if r.Model == "" {
		r.Model = "scripted"
	}
	return r
}

func size(req llm.Request) int {
	n := len(req.System)
	for _, m := range req.Messages {
		n += len(m.Text)
		for _, o := range m.Results {
			n += len(o.Text)
		}
	}
	return n
}
