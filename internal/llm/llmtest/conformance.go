package llmtest

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
)

// Asked is how a provider under test is to ask.
type Asked struct {
	NoStream bool
	Timeouts llm.Timeouts
}

// Conformance runs what every provider of a wire protocol must do, against the server's form of the
// protocol. open makes a provider of the server; it closes its idle connections at the end of the test.
func Conformance(t *testing.T, open func(t testing.TB, s *Server, how Asked) llm.Provider) {
	c := conformance{open}
	for name, how := range map[string]Asked{"streamed": {}, "whole": {NoStream: true}} {
		t.Run(name+"/text", func(t *testing.T) { c.text(t, how) })
		t.Run(name+"/length", func(t *testing.T) { c.length(t, how) })
		t.Run(name+"/calls", func(t *testing.T) { c.calls(t, how) })
		t.Run(name+"/history of another protocol", func(t *testing.T) { c.foreign(t, how) })
	}
	for name, fault := range oddities() {
		t.Run("oddity/"+name, func(t *testing.T) { c.calls(t, Asked{}, fault) })
	}
	for name, f := range failures() {
		t.Run("failure/"+name, func(t *testing.T) { c.failure(t, f) })
	}
	t.Run("retry after", c.retryAfter)
	t.Run("cancel", c.cancel)
}

// conformance holds the provider's maker.
type conformance struct {
	open func(t testing.TB, s *Server, how Asked) llm.Provider
}

// server starts a server and a provider for it.
func (c conformance) server(t *testing.T, how Asked, turns ...Turn) (*Server, llm.Provider) {
	t.Helper()
	s := NewServer(t, New(t, turns...), Options{})
	return s, c.open(t, s, how)
}

// question is a request with tools; what is asked is in every way hard to quote.
func question() llm.Request {
	return llm.Request{
		Task: "t_abcdefghijklmnopqrstuvwx", Role: llm.RoleMain, System: "You are <one> & only.",
		Messages: []llm.Message{{Speaker: llm.User, Text: "go <now> & \"现在\" \u2028"}},
		Tools: []llm.Tool{
			{Name: "read", Description: "Reads <a> file & more.", Schema: json.RawMessage(`{"type": "object", "properties": {"p": {"type": "string"}}, "required": ["p"]}`)},
			{Name: "srv__calendar.list", Description: "Lists."},
		},
	}
}

func (c conformance) text(t *testing.T, how Asked) {
	s, p := c.server(t, how, Text("Hello, wörld 你好").Using(100, 60, 7))
	var live strings.Builder
	req := question()
	req.OnText = func(s string) { live.WriteString(s) }
	got, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if got.Text != "Hello, wörld 你好" || live.String() != got.Text || got.Finish != llm.FinishStop || got.Model != "scripted" {
		t.Errorf("text %q, live %q, finish %s, model %s", got.Text, live.String(), got.Finish, got.Model)
	}
	if want := (akitad.Usage{Input: 100, Cached: 60, Output: 7, Calls: 1}); got.Usage != want {
		t.Errorf("usage %+v, want %+v", got.Usage, want)
	}
	h := s.Seen()[0].Header
	if h.Get("X-Akita-Role") != "main" || h.Get("X-Akita-Task") != string(req.Task) {
		t.Errorf("headers %v", h)
	}
	if asked := s.script.Requests()[0]; asked.System != req.System || len(asked.Messages) != 1 || asked.Messages[0].Text != req.Messages[0].Text {
		t.Errorf("the server was asked %+v", asked)
	}
}

func (c conformance) length(t *testing.T, how Asked) {
	_, p := c.server(t, how, Text("and so on and").Ending(llm.FinishLength))
	if got, err := p.Generate(t.Context(), question()); err != nil || got.Finish != llm.FinishLength {
		t.Errorf("finish %q, %v", got.Finish, err)
	}
}

// oddities are ways in which servers send what is right.
func oddities() map[string]Fault {
	return map[string]Fault{
		"not streamed": NotStreamed(), "no end": NoDone(), "no usage": NoUsage(), "ids empty": NoIDs(), "ids the same": SameIDs(),
		"comments": KeepAlive(": ping"), "empty data": KeepAlive("data:"), "comment as data": KeepAlive("data: : keepalive"),
		"crlf": CRLF(), "thoughts": Reasoning("hm <&> 完"), "index always zero": ZeroIndex(), "no index": NoIndex(), "arguments at once": ArgsObject(),
	}
}

// calls holds that calls arrive as they were made, under ids of their own, over several rounds and a
// journal, that the server takes its own messages back, and that each request begins with the one
// before it.
func (c conformance) calls(t *testing.T, how Asked, faults ...Fault) {
	want := []akitad.Call{
		Call("read", map[string]any{"p": "a<b>&c"}), Call("read", map[string]any{"p": "b"}), Call("srv__calendar.list", map[string]any{}),
	}
	s, p := c.server(t, how, Calls(want...).Saying("I look."), Calls(want...), Text("done"))
	s.Always(faults...)
	req, ids := question(), map[string]bool{}
	for round := range 2 {
		reply, err := p.Generate(t.Context(), req)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		sameCalls(t, reply, want, ids)
		req.Messages = Journalled(t, append(req.Messages, reply.Message(), answersTo(reply.Calls)))
	}
	if reply, err := p.Generate(t.Context(), req); err != nil || reply.Text != "done" {
		t.Errorf("the end: %q, %v", reply.Text, err)
	}
	if n := len(s.Seen()); n != 3 {
		t.Errorf("%d requests for 3 rounds: one was refused", n)
	}
	SamePrefix(t, s.Seen())
}

func sameCalls(t *testing.T, reply llm.Reply, want []akitad.Call, ids map[string]bool) {
	t.Helper()
	if len(reply.Calls) != len(want) || reply.Finish != llm.FinishCalls {
		t.Fatalf("finish %s, %d calls, want %d", reply.Finish, len(reply.Calls), len(want))
	}
	for i, c := range reply.Calls {
		if c.Tool != want[i].Tool || string(c.Args) != string(want[i].Args) {
			t.Errorf("call %d is %s %s, want %s %s", i, c.Tool, c.Args, want[i].Tool, want[i].Args)
		}
		if c.ID == "" || ids[c.ID] {
			t.Errorf("call %d has id %q", i, c.ID)
		}
		ids[c.ID] = true
	}
}

func answersTo(calls []akitad.Call) llm.Message {
	m := llm.Message{Speaker: llm.ToolReply}
	for _, c := range calls {
		m.Results = append(m.Results, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "result of " + c.ID})
	}
	return m
}

// Journalled returns messages as they are after a journal has kept them.
func Journalled(t *testing.T, in []llm.Message) (out []llm.Message) {
	t.Helper()
	data, err := json.Marshal(in)
	if err == nil {
		err = json.Unmarshal(data, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// cacheMarker is what may come and go between requests that are otherwise the same.
var cacheMarker = regexp.MustCompile(`,"cache_control":\{"type":"ephemeral"\}`)

// SamePrefix holds each request to begin with the bytes of the one before it, cache markers and the
// brackets at the end aside.
func SamePrefix(t testing.TB, seen []Seen) {
	t.Helper()
	for i := 1; i < len(seen); i++ {
		before := cacheMarker.ReplaceAll(seen[i-1].Body, nil)
		after := cacheMarker.ReplaceAll(seen[i].Body, nil)
		if !bytes.HasPrefix(after, bytes.TrimRight(before, "]}")) {
			t.Errorf("request %d does not begin with request %d:\n%s\n%s", i, i-1, before, after)
		}
	}
}

// foreign holds that what another protocol's model said and called is sent in this one's form.
func (c conformance) foreign(t *testing.T, how Asked) {
	s, p := c.server(t, how, Text("ok"))
	req := question()
	calls := []akitad.Call{
		{ID: "functions.read:0", Tool: "read", Args: json.RawMessage(`{"p": "a"}`)},
		{ID: "functions read 0", Tool: "srv__calendar.list", Args: json.RawMessage(`"{p: unreadable"`)},
	}
	failed := akitad.Observation{Call: calls[1].ID, Tool: calls[1].Tool, Error: &akitad.Failure{Kind: akitad.InvalidRequest, Message: "not JSON"}}
	req.Messages = append(req.Messages,
		llm.Message{Speaker: llm.Assistant, Text: "I look.", Calls: calls, RawBy: "other@elsewhere.example", Raw: json.RawMessage(`{"parts":[{"secret":"x"}]}`)},
		llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: calls[0].ID, Tool: "read", Text: "hello"}, failed}},
		llm.Message{Speaker: llm.User, Text: "and now?"})
	if _, err := p.Generate(t.Context(), req); err != nil || len(s.Seen()) != 1 {
		t.Fatalf("%d requests, %v\n%s", len(s.Seen()), err, s.Seen()[0].Body)
	}
	asked := s.script.Requests()[0].Messages
	if len(asked) != 4 || len(asked[1].Calls) != 2 || asked[1].Calls[0].Tool != "read" || asked[1].Text != "I look." {
		t.Fatalf("the server was asked %+v", asked)
	}
	if r := asked[2].Results; len(r) != 2 || r[0].Text != "hello" || r[0].Call != asked[1].Calls[0].ID || !strings.Contains(r[1].Text, "not JSON") {
		t.Errorf("the results are %+v", r)
	}
	if asked[3].Text != "and now?" || bytes.Contains(s.Seen()[0].Body, []byte("secret")) {
		t.Errorf("the request is %s", s.Seen()[0].Body)
	}
}

// failure is a fault and the kind that it is.
type failure struct {
	fault Fault
	kind  akitad.Kind
}

func failures() map[string]failure {
	return map[string]failure{
		"bad request":  {Status(400, ""), akitad.InvalidRequest},
		"key":          {Status(401, ""), akitad.Auth},
		"permission":   {Status(403, ""), akitad.Auth},
		"no money":     {Status(402, ""), akitad.Quota},
		"unknown":      {Status(404, ""), akitad.NotFound},
		"too large":    {Status(413, ""), akitad.ContextOverflow},
		"rate":         {Status(429, ""), akitad.RateLimited},
		"internal":     {Status(500, ""), akitad.Overloaded},
		"bad gateway":  {Status(502, "<html>bad gateway</html>"), akitad.Transport},
		"unavailable":  {Status(503, ""), akitad.Overloaded},
		"gateway time": {Status(504, ""), akitad.Timeout},
		"overloaded":   {Status(529, ""), akitad.Overloaded},

		"overflow of anthropic": {Refuse(400, "prompt is too long: 209353 tokens > 199999 maximum"), akitad.ContextOverflow},
		"overflow with output":  {Refuse(400, "input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000"), akitad.ContextOverflow},
		"overflow of openai":    {Refuse(400, "Your input exceeds the context window of this model."), akitad.ContextOverflow},
		"overflow of gemini":    {Refuse(400, "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."), akitad.ContextOverflow},
		"overflow of vllm":      {Refuse(400, "This model's maximum context length is 8192 tokens."), akitad.ContextOverflow},
		"overflow of qwen":      {Refuse(400, "Range of input length should be [1, 98304]"), akitad.ContextOverflow},
		"overflow of kimi":      {Refuse(400, "Invalid request: Your request exceeded model token limit: 131072"), akitad.ContextOverflow},
		"throttled by tokens":   {Refuse(429, "This request would exceed your organization's rate limit of 30,000 input tokens per minute."), akitad.RateLimited},
		"throttled by day":      {Refuse(400, "Too many tokens per day, please wait before trying again."), akitad.RateLimited},
		"throttled by size":     {Refuse(413, "Request too large on tokens per minute (TPM): Limit 6000"), akitad.RateLimited},

		"silent":           {Hang(), akitad.Timeout},
		"silent later":     {HangAfter(1), akitad.Timeout},
		"silent in a call": {HangInCall(), akitad.Timeout},
		"cut":              {CutAfter(1), akitad.Transport},
		"cut in a call":    {CutInCall(), akitad.Transport},
		"ended":            {EndAfter(1), akitad.Transport},
		"ended in a call":  {EndInCall(), akitad.Transport},
		"nothing":          {Raw(""), akitad.Transport},
		"a web page":       {Raw("<!doctype html><title>Sign in</title>"), akitad.Unavailable},
		"something else":   {Raw(`{"hello":"world"}`), akitad.Transport},

		"overloaded in a stream": {ErrorAfter(1, 529, "Overloaded"), akitad.Overloaded},
		"throttled in a stream":  {ErrorAfter(1, 429, "Rate limited upstream"), akitad.RateLimited},
		"refused in a stream":    {ErrorAfter(1, 400, "prompt is too long: 209353 tokens > 199999 maximum"), akitad.ContextOverflow},
	}
}

// patience keeps silent servers from costing a test's time; all that it bounds is a failure by time.
var patience = llm.Timeouts{FirstByte: 300 * time.Millisecond, Idle: 300 * time.Millisecond, Whole: 300 * time.Millisecond}

// failure holds that a failure has its kind, and that it never makes a call.
func (c conformance) failure(t *testing.T, f failure) {
	t.Parallel()
	how := Asked{}
	if f.kind == akitad.Timeout {
		how.Timeouts = patience
	}
	s := NewServer(t, New(nil).Always(Any, Calls(Call("read", map[string]any{"p": "all of it"}))), Options{})
	s.Always(f.fault)
	reply, err := c.open(t, s, how).Generate(t.Context(), question())
	if got := akitad.KindOf(err); got != f.kind || len(reply.Calls) > 0 {
		t.Errorf("kind %q with %d calls, want %q: %v", got, len(reply.Calls), f.kind, err)
	}
}

func (c conformance) retryAfter(t *testing.T) {
	for value, want := range map[string]time.Duration{"7": 7 * time.Second, "1.5": 1500 * time.Millisecond, "": 0} {
		s, p := c.server(t, Asked{})
		s.Next(RetryAfter(429, value))
		if _, err := p.Generate(t.Context(), question()); llm.RetryAfter(err) != want {
			t.Errorf("%q: %v", value, llm.RetryAfter(err))
		}
	}
}

func (c conformance) cancel(t *testing.T) {
	hold := NewHold()
	_, p := c.server(t, Asked{}, Text("late").Held(hold))
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := p.Generate(ctx, question())
		done <- err
	}()
	<-hold.Arrived()
	cancel()
	if err := <-done; akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("got %v", err)
	}
	hold.Release()
}
