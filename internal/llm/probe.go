package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/akitad/akitad"
)

// ProbeTime is how long an endpoint may take for all that a Probe asks of it.
const ProbeTime = 30 * time.Second

// Sign says whether something works: what an endpoint was not asked, or could not show, is not known.
type Sign string

// The signs.
const (
	Works    Sign = "yes"
	Broken   Sign = "no"
	NotKnown Sign = "unknown"
)

// Probe is what one endpoint showed when it was tried. Problem is the first thing that went wrong, "" if
// nothing did.
type Probe struct {
	Endpoint    string      `json:"endpoint"`
	Protocol    string      `json:"protocol"`
	Model       string      `json:"model"`
	Reachable   Sign        `json:"reachable"`
	KeyAccepted Sign        `json:"key_accepted"`
	ToolCall    Sign        `json:"tool_call"` // it came back, with valid arguments, and its result was taken
	Streaming   Sign        `json:"streaming"`
	Usage       Sign        `json:"usage_reported"`
	FirstByteMS float64     `json:"first_byte_ms,omitempty"` // of the first request
	TotalMS     float64     `json:"total_ms"`                // of all requests
	Kind        akitad.Kind `json:"kind,omitempty"`          // of the problem
	Problem     string      `json:"problem,omitempty"`
	Hint        string      `json:"hint,omitempty"`
}

// probeTool is what the model is asked to call. Its arguments show whether types come through.
var probeTool = Tool{
	Name: "note_number", Description: "Notes a number under a word.",
	Schema: json.RawMessage(`{"type":"object","properties":{"word":{"type":"string"},"number":{"type":"integer"}},"required":["word","number"],"additionalProperties":false}`),
}

const (
	probeSystem = "You are being tried out. Do exactly what is asked, and nothing else."
	probeAsk    = "Call the tool note_number once, with the word akita and the number 7."
	probeCount  = "Now write the numbers from one to twenty as English words, separated by blanks."
	probeOutput = 2048 // tokens: models that think first need room for it
)

// silentFor is why a probe was cut off.
func silentFor(limit time.Duration) error {
	return akitad.Errorf(akitad.Timeout, "no answer within %s", limit).WithHint("something takes the connection and then says nothing: see whether the model is loaded and the server not busy, and whether base_url leads to it")
}

// Try asks an endpoint for one tool call, then gives it the result and has it count, so that its text
// streams in pieces. An offline endpoint is not asked: it works wherever akitad does. All of it takes
// ProbeTime at most, or as long as the endpoint may be silent, if that is longer.
func Try(ctx context.Context, e Endpoint) Probe {
	p := Untried(e, nil)
	if e.Offline {
		p.Reachable, p.KeyAccepted, p.ToolCall = Works, Works, Works
		return p
	}
	limit := max(ProbeTime, e.FirstByte)
	ctx, cancel := context.WithTimeoutCause(ctx, limit, silentFor(limit))
	defer cancel()
	start := time.Now()
	p.ask(ctx, e)
	p.TotalMS = milliseconds(time.Since(start))
	return p
}

// Untried is the Probe of an endpoint that cannot be asked anything, for the reason given.
func Untried(e Endpoint, why error) Probe {
	p := Probe{
		Endpoint: e.Name, Protocol: e.Protocol, Model: e.Model, Reachable: NotKnown, KeyAccepted: NotKnown, ToolCall: NotKnown,
		Streaming: NotKnown, Usage: NotKnown,
	}
	if f := akitad.FailureOf(why); f != nil {
		p.Kind, p.Problem, p.Hint = f.Kind, f.Message, f.Hint
	}
	return p
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func (p *Probe) ask(ctx context.Context, e Endpoint) {
	req := (&endpoint{Endpoint: e}).fit(Request{
		Role: RoleMain, System: probeSystem, Tools: []Tool{probeTool}, MaxOutput: probeOutput,
		Messages: []Message{{Speaker: User, Text: probeAsk}},
	})
	reply, err := e.Provider.Generate(ctx, req)
	if err != nil {
		p.refused(ctx, err)
		return
	}
	p.Reachable, p.KeyAccepted = Works, Works
	p.FirstByteMS = milliseconds(reply.FirstByte)
	p.Usage = sign(reply.Usage.Input > 0 && reply.Usage.Output > 0)
	p.called(reply)
	p.count(ctx, e, answered(req, reply))
}

func sign(ok bool) Sign {
	if ok {
		return Works
	}
	return Broken
}

// refused reads why there was no answer.
func (p *Probe) refused(ctx context.Context, err error) {
	p.blame(ctx, err)
	_, spoke := errors.AsType[*ServerError](err)
	switch {
	case p.Kind == akitad.Auth:
		p.Reachable, p.KeyAccepted = Works, Broken
	case spoke, p.Kind == akitad.Unavailable: // a web page, or a way to elsewhere
		p.Reachable = Works
	case p.Kind == akitad.Transport, p.Kind == akitad.Timeout:
		p.Reachable = Broken
	}
}

// blame keeps the first problem.
func (p *Probe) blame(ctx context.Context, err error) {
	if p.Problem != "" {
		return
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	f := akitad.FailureOf(err)
	p.Kind, p.Problem, p.Hint = f.Kind, f.Message, f.Hint
}

// called looks at the call that was asked for.
func (p *Probe) called(r Reply) {
	at := slices.IndexFunc(r.Calls, func(c akitad.Call) bool { return c.Tool == probeTool.Name })
	if at < 0 {
		p.ToolCall = Broken
		p.blame(context.Background(), akitad.Errorf(akitad.ToolFailed, "it was asked for a tool call and answered %q", brief(r.Text)).
			WithHint("take another model, or one whose server has tool calls switched on"))
		return
	}
	var args struct {
		Word   string `json:"word"`
		Number *int   `json:"number"`
	}
	err := json.Unmarshal(r.Calls[at].Args, &args)
	if err == nil && (args.Word == "" || args.Number == nil) {
		err = errors.New("an argument is missing")
	}
	p.ToolCall = sign(err == nil)
	if err != nil {
		p.blame(context.Background(), akitad.Errorf(akitad.ToolFailed, "the arguments of its tool call are not valid (%w): %s", err, brief(string(r.Calls[at].Args))))
	}
}

func brief(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if runes := []rune(s); len(runes) > 80 {
		return string(runes[:80]) + "…"
	}
	return s
}

// answered gives the conversation with a result for every call, and what is asked next.
func answered(req Request, r Reply) Request {
	if r.Text != "" || len(r.Calls) > 0 { // no vendor takes an empty message
		req.Messages = append(req.Messages, r.Message())
	}
	if len(r.Calls) > 0 {
		results := make([]akitad.Observation, len(r.Calls))
		for i, c := range r.Calls {
			results[i] = akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "noted"}
		}
		req.Messages = append(req.Messages, Message{Speaker: ToolReply, Results: results})
	}
	req.Messages = append(req.Messages, Message{Speaker: User, Text: probeCount})
	return req
}

// count sees whether the result of the call is taken, and whether text comes in pieces.
func (p *Probe) count(ctx context.Context, e Endpoint, req Request) {
	pieces := 0
	req.Choice, req.OnText = ChoiceNone, func(string) { pieces++ }
	reply, err := e.Provider.Generate(ctx, req)
	if err != nil {
		p.blame(ctx, fmt.Errorf("after its tool call: %w", err))
		if p.ToolCall == Works {
			p.ToolCall = Broken
		}
		return
	}
	if reply.Text != "" {
		p.Streaming = sign(pieces > 1)
	}
}

// OK reports whether the endpoint can serve: with tools, if it is to.
func (p Probe) OK(tools bool) bool {
	return p.Reachable == Works && p.KeyAccepted == Works && (p.ToolCall == Works || !tools)
}
