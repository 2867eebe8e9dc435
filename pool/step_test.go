package pool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
)

func step(s akitad.Step) journal.SubmittedData {
	s.ID = "s"
	text := s.Prompt
	if text == "" {
		text = "run the tool " + s.Tool
	}
	return journal.SubmittedData{Text: text, Step: &s, Parent: parentID, Depth: 1, Profile: "operator", Call: "s"}
}

func TestToolStep(t *testing.T) {
	schema := json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)
	echo := newFake("echo", readonly, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: string(in.Args)}, nil
	})
	echo.info.Schema = schema
	write := newFake("write", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: "wrote", Changed: []string{"out.txt", "gone.txt"}, Untrusted: true}, in.Scope.Dir.WriteFile("out.txt", []byte("x"))
	})
	broken := newFake("broken", nil, func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{}, akitad.Errorf(akitad.ToolFailed, "the disk is on fire")
	})
	exits := newFake("exits", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: "exit code 3\nno such host", Exit: 3, Changed: []string{"half.txt"}}, in.Scope.Dir.WriteFile("half.txt", []byte("x"))
	})
	ask := newFake("ask", nil, func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
	})
	h := newHouse(t, llmtest.New(t), echo, write, broken, exits, ask).run(pool.WorkerOptions{}) // a model that is asked fails the test
	for _, tt := range []struct {
		name string
		step akitad.Step
		data string
		kind akitad.Kind
		says string
	}{
		{"arguments are coerced, JSON is data", akitad.Step{Tool: "echo", With: map[string]any{"n": "7"}}, `{"n":7}`, "", ""},
		{"text is no data", akitad.Step{Tool: "write"}, "", "", ""},
		{"bad arguments", akitad.Step{Tool: "echo", With: map[string]any{"n": "many"}}, "", akitad.InvalidRequest, `"n"`},
		{"no arguments", akitad.Step{Tool: "echo"}, "", akitad.InvalidRequest, `"n"`},
		{"no such tool", akitad.Step{Tool: "none"}, "", akitad.NotFound, "none"},
		{"a tool that fails says why", akitad.Step{Tool: "broken"}, "", akitad.ToolFailed, "on fire"},
		{"so does a program that ends badly", akitad.Step{Tool: "exits"}, "", akitad.ToolFailed, "no such host"},
		{"nobody can be waited for", akitad.Step{Tool: "ask"}, "", akitad.InvalidRequest, "waits"},
	} {
		got := h.do(tt.name, step(tt.step))
		if tt.kind == "" && (got.Result == nil || string(got.Result.Data) != tt.data) {
			t.Errorf("%s: %s %+v %+v", tt.name, got.State, got.Result, got.Error)
		}
		if tt.kind != "" && (got.Error == nil || got.Error.Kind != tt.kind || !strings.Contains(got.Error.Message, tt.says)) {
			t.Errorf("%s: %+v, want %s: %s", tt.name, got.Error, tt.kind, tt.says)
		}
		if got.Claims != 1 {
			t.Errorf("%s: %d claims", tt.name, got.Claims)
		}
	}
	if broken.calls() != 1 {
		t.Errorf("the broken tool ran %d times", broken.calls())
	}
	if half := h.load(akitad.DeriveTaskID(t.Name(), "so does a program that ends badly")); len(half.Files) != 1 || half.Files[0].Name != "half.txt" {
		t.Errorf("what a failed program wrote: %+v", half.Files)
	}
	got := h.load(akitad.DeriveTaskID(t.Name(), "text is no data"))
	if len(got.Files) != 1 || got.Files[0].Name != "out.txt" || len(got.Result.Artifacts) != 1 || !got.Tainted {
		t.Errorf("what others must know: files %+v, artifacts %+v, tainted %v", got.Files, got.Result.Artifacts, got.Tainted)
	}
}

// A worker dies at each point of a tool step's way. What may have run is not run again, unless that is harmless.
func TestToolStepAfterACrash(t *testing.T) {
	send := newFake("send", nil, says("sent"))
	look := newFake("look", readonly, says("seen"))
	put := newFake("put", func(i *tool.Info) { i.Idempotent = true }, says("put"))
	var told []string
	h := newHouse(t, llmtest.New(t), send, look, put).run(pool.WorkerOptions{Ends: func(_ context.Context, _ akitad.TaskID, tool string) { told = append(told, tool) }})
	claimed := func(id akitad.TaskID) { h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"}) }
	thought := func(id akitad.TaskID) {
		h.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "s", Tool: "send"}}})
	}
	cutOff := func(id akitad.TaskID, times int) {
		claimed(id)
		claimed(id)
		thought(id)
		for range times - 1 {
			h.append(id, journal.Begun, journal.BegunData{Round: 1, Calls: []string{"s"}})
		}
	}
	for _, tt := range []struct {
		name, tool string
		before     func(akitad.TaskID)
		text       string
		kind       akitad.Kind
		runs       *fake
		more       int
	}{
		{"claimed and no more", "send", claimed, "sent", "", &send, 1},
		{"about to run", "send", func(id akitad.TaskID) { claimed(id); thought(id) }, "", akitad.Unknown, &send, 0},
		{"has run and is on record", "send", func(id akitad.TaskID) {
			claimed(id)
			thought(id)
			h.append(id, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "s", Text: "sent before"}}})
		}, "sent before", "", &send, 0},
		{"has failed and is on record", "send", func(id akitad.TaskID) {
			claimed(id)
			thought(id)
			h.append(id, journal.Round, journal.RoundData{Round: 1, Results: []akitad.Observation{{Call: "s", Error: &akitad.Failure{Kind: akitad.ToolFailed, Message: "exit code 1", Hint: "see"}}}})
		}, "", akitad.ToolFailed, &send, 0},
		{"reading again is harmless", "look", claimed, "seen", "", &look, 1},
		{"so is putting the same", "put", claimed, "put", "", &put, 1},
		{"reading was cut off twice", "look", func(id akitad.TaskID) { cutOff(id, 2) }, "seen", "", &look, 1},
		{"reading was cut off three times", "look", func(id akitad.TaskID) { cutOff(id, 3) }, "", akitad.Unknown, &look, 0},
	} {
		id := h.submit(tt.name, step(akitad.Step{Tool: tt.tool}))
		ready := h.load(id).Activation
		tt.before(id)
		ran := tt.runs.calls()
		h.dispatch(id)
		got := h.ended(id)
		switch {
		case tt.runs.calls()-ran != tt.more:
			t.Errorf("%s: ran %d times, want %d", tt.name, tt.runs.calls()-ran, tt.more)
		case tt.kind != "" && (got.Error == nil || got.Error.Kind != tt.kind || got.Error.Hint == ""):
			t.Errorf("%s: %s %+v", tt.name, got.State, got.Error)
		case tt.kind == "" && (got.Result == nil || got.Result.Text != tt.text):
			t.Errorf("%s: %s %+v %+v", tt.name, got.State, got.Result, got.Error)
		case got.Activation != ready:
			t.Errorf("%s: activation %d became %d", tt.name, ready, got.Activation)
		}
	}
	if len(told) != 1 || told[0] != "look" {
		t.Errorf("the owner is told of %q", told)
	}
}

func TestStepTimeout(t *testing.T) {
	slow := newFake("slow", readonly, func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		<-ctx.Done()
		return tool.Result{}, ctx.Err()
	})
	h := newHouse(t, llmtest.New(t), slow).run(pool.WorkerOptions{})
	got := h.do("x", step(akitad.Step{Tool: "slow", Timeout: "100ms"}))
	if got.State != akitad.Failed || got.Error.Kind != akitad.Timeout || !strings.Contains(got.Error.Message, "100ms") {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

func TestModelStep(t *testing.T) {
	for _, tt := range []struct {
		name   string
		turns  []llmtest.Turn
		schema string
		text   string
		data   string
		kind   akitad.Kind
	}{
		{"text", []llmtest.Turn{llmtest.Text(" a summary ")}, "", "a summary", "", ""},
		{"data without a schema", []llmtest.Turn{llmtest.Text(`[1,2]`)}, "", "[1,2]", "[1,2]", ""},
		{"data", []llmtest.Turn{llmtest.Text(`{"n":"5"}`)}, string(numberSchema), `{"n":"5"}`, `{"n":5}`, ""},
		{"data in a fence", []llmtest.Turn{llmtest.Text("```json\n{\"n\": 5}\n```")}, string(numberSchema), "```json\n{\"n\": 5}\n```", `{"n":5}`, ""},
		{"two corrections", []llmtest.Turn{llmtest.Text("five"), llmtest.Text(""), llmtest.Text(`{"n":5}`)}, string(numberSchema), `{"n":5}`, `{"n":5}`, ""},
		{"cut data is no data", []llmtest.Turn{llmtest.Text(`{"n":5}`).Ending(llm.FinishLength), llmtest.Text(`{"n":55}`)}, string(numberSchema), `{"n":55}`, `{"n":55}`, ""},
		{"never", []llmtest.Turn{llmtest.Text("a"), llmtest.Text("b"), llmtest.Text("c")}, string(numberSchema), "", "", akitad.ToolFailed},
		{"always empty", []llmtest.Turn{llmtest.Text(""), llmtest.Text(" "), llmtest.Text("")}, "", "", "", akitad.ToolFailed},
		{"no model", []llmtest.Turn{llmtest.FailKind(akitad.InvalidRequest)}, "", "", "", akitad.InvalidRequest},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t, tt.turns...)
			h := newHouse(t, script).run(pool.WorkerOptions{})
			sub := step(akitad.Step{Model: "judge", Prompt: "sum it up"})
			sub.Profile, sub.Schema, sub.Results = "assistant", json.RawMessage(tt.schema), []journal.NamedResult{{Name: "a", Text: "found 5"}}
			got := h.do("x", sub)
			switch {
			case tt.kind != "" && (got.Error == nil || got.Error.Kind != tt.kind):
				t.Errorf("%s %+v", got.State, got.Error)
			case tt.kind == "" && (got.Result == nil || got.Result.Text != tt.text || string(got.Result.Data) != tt.data):
				t.Errorf("%s %+v %+v", got.State, got.Result, got.Error)
			}
			reqs := script.Requests()
			if len(reqs) != len(tt.turns) || (tt.kind != akitad.InvalidRequest && got.Usage.Calls != len(tt.turns)) {
				t.Errorf("%d requests, %d on record, want %d", len(reqs), got.Usage.Calls, len(tt.turns))
			}
			for i, req := range reqs {
				words, brief := llm.SplitBrief(req.Messages[0].Text)
				if req.Role != llm.RoleJudge || words != "sum it up" || len(brief.Results) != 1 || len(req.Tools) != 0 {
					t.Errorf("request %d: role %s, %q, %+v", i+1, req.Role, words, brief)
				}
				if i > 0 && fmt.Sprint(req.Messages[:len(reqs[i-1].Messages)]) != fmt.Sprint(reqs[i-1].Messages) {
					t.Errorf("request %d does not begin with the one before it", i+1)
				}
			}
		})
	}
}
