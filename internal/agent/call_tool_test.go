package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
	"github.com/akitad/akitad/tracing"
)

// through is a call of a tool by way of call_tool, as a model makes it.
func through(name string, args map[string]any) akitad.Call {
	return llmtest.Call("call_tool", map[string]any{"tool": name, "args": args})
}

// withCatalogue gives the tools that lead to others, beside the given ones.
func withCatalogue(tools ...tool.Tool) []tool.Tool {
	return append(tools, builtins("call_tool", "find_tool", "tool_info")...)
}

func builtins(names ...string) (out []tool.Tool) {
	for _, t := range builtin.All(builtin.Deps{Profiles: func() []string { return []string{"writer"} }}) {
		if slices.Contains(names, t.Info().Name) {
			out = append(out, t)
		}
	}
	return out
}

// A call through call_tool is one of the inner tool, in the journal and in everything that follows; the
// model's own message stays as it was.
func TestCallToolIsTheInnerCall(t *testing.T) {
	look := count("look", safe)
	raw := json.RawMessage(`{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"call_tool"}}]}`)
	call := through("look", map[string]any{"what": "a"})
	call.ID = "c1"
	script := llmtest.New(t).Rounds(llmtest.Any,
		llmtest.Reply(llm.Reply{Calls: []akitad.Call{call}, Finish: llm.FinishCalls, Raw: raw, RawBy: "openai"}), llmtest.Text("done"))
	r := newRig(t, script, withCatalogue(look)...)
	reg, err := tool.NewRegistry(r.turn.Tools...)
	if err != nil {
		t.Fatal(err)
	}
	mem := &tracing.Memory{}
	tracer := tracing.New(mem, tracing.Options{})
	r.agent = agent.New(agent.Options{Model: script, Tools: reg, PutBytes: r.kept.put, Tracer: tracer})
	b := newBook(t, journal.SubmittedData{Text: "look"})
	out, err := r.agent.Run(tracer.InTask(t.Context(), taskID, taskID), r.turn, b)
	if err = errors.Join(err, tracer.Close(t.Context())); err != nil || out.Result == nil || out.Result.Text != "done" {
		t.Fatalf("%+v, %v", out, err)
	}
	round := b.Snapshot().Rounds[0]
	got := round.Thought.Calls[0]
	if got.Tool != "look" || got.ID != "c1" || string(got.Args) != `{"what":"a"}` || got.Via != "call_tool" || string(round.Thought.Raw) != string(raw) {
		t.Errorf("the journal holds %+v %s, message %s", got, got.Args, round.Thought.Raw)
	}
	if obs := round.Results[0]; obs.Call != "c1" || obs.Tool != "look" || obs.Text != "look a" || look.calls("a") != 1 {
		t.Errorf("%+v after %d calls", obs, look.calls("a"))
	}
	last := script.Requests()[1].Messages
	asked, told := last[len(last)-2], last[len(last)-1]
	if asked.Calls[0].Tool != "call_tool" || string(asked.Raw) != string(raw) || told.Results[0].Tool != "call_tool" {
		t.Errorf("the model is shown %+v and %+v", asked, told)
	}
	if spans := mem.Find(akitad.SpanTool); len(spans) != 1 || spans[0].Name != "look" || spans[0].Attributes[tracing.KeyTool] != "look" {
		t.Errorf("spans %+v", spans)
	}
}

// The process ends while a call through call_tool runs: the next one runs it again only if the inner tool may be.
func TestCallToolAfterACrash(t *testing.T) {
	for _, tt := range []struct {
		name string
		mark func(*tool.Info)
		runs int
	}{
		{"has effects", nil, 0},
		{"only reads", readonly, 1},
		{"may be repeated", func(i *tool.Info) { i.Idempotent = true }, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			send := count("send", tt.mark)
			script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(through("send", map[string]any{"what": "x"})), llmtest.Text("done"))
			r := newRig(t, script, withCatalogue(send)...)
			b := newBook(t, journal.SubmittedData{Text: "send x"})
			b.fail = func(k akitad.EventKind) error {
				if k == journal.Round {
					return errDied
				}
				return nil
			}
			if _, err := r.agent.Run(t.Context(), r.turn, b); err == nil || send.calls("x") != 1 {
				t.Fatalf("%v after %d calls", err, send.calls("x"))
			}
			next := b.again()
			r.run(t, next)
			obs := next.Snapshot().Rounds[0].Results[0]
			if again := send.calls("x") - 1; again != tt.runs || tt.runs == 0 && (obs.Error == nil || obs.Error.Kind != akitad.Unknown) {
				t.Errorf("run %d times more: %+v", again, obs)
			}
		})
	}
}

// However the model writes it, the same call is the same.
func TestCallToolCannotHideALoop(t *testing.T) {
	look := count("look", readonly)
	ways := []akitad.Call{
		llmtest.Call("look", map[string]any{"what": "a"}),
		through("look", map[string]any{"what": "a"}),
		{Tool: "call_tool", Args: json.RawMessage(`{"name":"look","arguments":"{\"what\":\"a\"}"}`)},
		{Tool: "call_tool", Args: json.RawMessage(`{"tool":"look","what":"a"}`)},
		{Tool: "call_tool", Args: json.RawMessage(`{"tool":"call_tool","args":{"tool":"look","args":{"what":"a"}}}`)},
	}
	round := 0
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(req llm.Request) (llm.Reply, error) {
		if req.Choice == llm.ChoiceNone {
			return llm.Reply{Text: "the best I have", Finish: llm.FinishStop}, nil
		}
		call := ways[round%len(ways)]
		call.ID = fmt.Sprint("c", round)
		round++
		return llm.Reply{Calls: []akitad.Call{call}, Finish: llm.FinishCalls}, nil
	}))
	r := newRig(t, script, withCatalogue(look)...)
	b := newBook(t, journal.SubmittedData{Text: "look"})
	out := r.run(t, b)
	if out.Result == nil || !out.Result.Partial || round != 5 || look.calls("a") != 2 {
		t.Errorf("%+v after %d rounds and %d calls", out.Result, round, look.calls("a"))
	}
	for i, want := range []akitad.Kind{"", "", akitad.Loop, akitad.Loop, akitad.Loop} {
		if obs := b.Snapshot().Rounds[i].Results[0]; (obs.Error == nil) != (want == "") || obs.Error != nil && obs.Error.Kind != want {
			t.Errorf("round %d: %+v, want %q", i+1, obs.Error, want)
		}
	}
}

// Direct calls and calls through call_tool form one batch: those that are safe run beside each other, every
// id has its result in call order, and the same call twice runs once.
func TestMixedBatch(t *testing.T) {
	door := make(chan struct{}) // nobody passes alone
	meet := saying("meet", "", safe)
	meet.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
		select {
		case door <- struct{}{}:
		case <-door:
		case <-time.After(time.Minute):
			return tool.Result{}, errors.New("nobody came")
		}
		return tool.Result{Text: string(in.Args)}, nil
	}
	send := count("send", nil)
	calls := []akitad.Call{
		llmtest.Call("meet", map[string]any{"n": 1}), through("meet", map[string]any{"n": 2}), through("send", map[string]any{"what": "x"}),
		through("wombat", nil), llmtest.Call("send", map[string]any{"what": "x"}), through("send", map[string]any{"n": "no"}),
	}
	for i := range calls {
		calls[i].ID = fmt.Sprint("c", i)
	}
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(calls...), llmtest.Text("done"))
	r := newRig(t, script, withCatalogue(meet, send)...)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	got := results(b, 0)
	want := []string{`c0: {"n":1}`, `c1: {"n":2}`, "c2: send x", `c3: error (not_found): there is no tool "wombat"`, "c4: send x", `c5: error (invalid_request): send: argument "n" is string, want integer`}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%q, want %q", got[i], want[i])
		}
	}
	if send.calls("x") != 1 {
		t.Errorf("sent %d times", send.calls("x"))
	}
}

// What waits for somebody else waits through call_tool too.
func TestCallToolSuspends(t *testing.T) {
	delegated := through("delegate", map[string]any{"profile": "writer", "goal": "write it"})
	asked := through("ask_user", map[string]any{"question": "blue?"})
	delegated.ID, asked.ID = "c1", "c2"
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(delegated, asked), llmtest.Text("done"))
	r := newRig(t, script, withCatalogue(builtins("delegate", "ask_user")...)...)
	b := newBook(t, journal.SubmittedData{Text: "go", Origin: akitad.Origin{Channel: "telegram"}})
	if out := r.run(t, b); !out.Waits {
		t.Fatalf("%+v", out)
	}
	open := b.Snapshot().Open
	if len(open) != 2 || open[0].Tool != "delegate" || open[1].Tool != "ask_user" || b.Snapshot().Question() != "blue?" {
		t.Fatalf("%+v", open)
	}
	b.answer("c1", "written")
	b.answer("c2", "green")
	if out := r.run(t, b); out.Result == nil || !slices.Equal(results(b, 0), []string{"c1: written", "c2: green"}) {
		t.Errorf("%+v, %q", out, results(b, 0))
	}
}

// A tool of the profile may be called in either way, wherever it stands; one that is not of the profile in none.
func TestWhatMayBeCalled(t *testing.T) {
	var own []tool.Tool
	for i := range 12 {
		own = append(own, saying(fmt.Sprint("own", i), fmt.Sprint("said ", i), readonly))
	}
	calls := []akitad.Call{llmtest.Call("own11", nil), through("own10", nil), llmtest.Call("foreign", nil), through("foreign", nil), through("own", nil), llmtest.Call("call_tool", map[string]any{"tool": ""})}
	for i := range calls {
		calls[i].ID = fmt.Sprint("c", i)
	}
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(calls...), llmtest.Text("done"))
	foreign := count("foreign", nil)
	r := newRig(t, script, withCatalogue(append(own, foreign)...)...)
	r.turn.Tools = withCatalogue(own...)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	got := results(b, 0)
	for i, want := range []string{"c0: said 11", "c1: said 10", `c2: error (not_found): there is no tool "foreign"`, `c3: error (not_found): there is no tool "foreign"`, "did you mean own0", "c5: error (invalid_request)"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("%q, want %q", got[i], want)
		}
	}
	var block []string
	for _, tl := range script.Requests()[0].Tools {
		block = append(block, tl.Name)
	}
	if slices.Contains(block, "own11") || !slices.Contains(block, "call_tool") || len(script.Requests()[0].Beside) != 12 || foreign.n[""] != 0 {
		t.Errorf("the block holds %v", block)
	}
}

// The tools of a server come and go between the tasks of a session: its tool block and system prompt stay.
func TestTheHeadStaysWhenToolsComeAndGo(t *testing.T) {
	var own, guests []tool.Tool
	for i := range 12 {
		own = append(own, saying(fmt.Sprint("own", i), "", readonly))
	}
	for i := range 40 {
		guests = append(guests, saying(fmt.Sprint("forge__do", i), "", func(i *tool.Info) { i.Server, i.Category = "forge", "mcp" }))
	}
	var heads []llm.Request
	for _, tools := range [][]tool.Tool{own, slices.Concat(guests, own), own[:12], slices.Concat(own, guests[:3])} {
		c := &first{}
		newRig(t, c, withCatalogue(tools...)...).run(t, newBook(t, journal.SubmittedData{Text: "hello"}))
		heads = append(heads, c.req)
	}
	for i, req := range heads {
		if req.System != heads[0].System || fmt.Sprint(req.Tools) != fmt.Sprint(heads[0].Tools) {
			t.Errorf("task %d has another head", i+1)
		}
		_, brief := llm.SplitBrief(req.Messages[0].Text)
		if told := strings.Contains(brief.MoreTools, "forge__do1"); told != (i%2 == 1) {
			t.Errorf("task %d is told of %q", i+1, brief.MoreTools)
		}
	}
}

// The tools that lead to others know what the task may call, and nothing else.
func TestFindAndDescribe(t *testing.T) {
	look := saying("look_around", "", readonly)
	look.info.Description = "Looks at the weather outside."
	calls := []akitad.Call{
		llmtest.Call("find_tool", map[string]any{"query": "天气"}), llmtest.Call("tool_info", map[string]any{"name": "look_around"}),
		through("tool_info", map[string]any{"name": "look_arond"}), llmtest.Call("find_tool", map[string]any{"query": "zzz"}),
	}
	for i := range calls {
		calls[i].ID = fmt.Sprint("c", i)
	}
	script := llmtest.New(t).Rounds(llmtest.Any, llmtest.Calls(calls...), llmtest.Text("done"))
	r := newRig(t, script, withCatalogue(look)...)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	for i, want := range []string{"look_around(n?, what?)", `"what":{"type":"string"}`, "did you mean look_around", "none of the 1 tools"} {
		if got := results(b, 0)[i]; !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
