package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
)

// Whatever stops a process after one of three calls has ended, the next request has a result for each,
// in call order and in one message, and the assistant's message is as its provider sent it.
func TestTheNextRequestAnswersEachCall(t *testing.T) {
	for _, tt := range []struct {
		name string
		mark func(*tool.Info)
		runs int    // of the first call, both processes together
		last string // what the third call came to
	}{
		{"side by side", safe, 1, "c: ok z"},
		{"one after the other", readonly, 1, "c: ok z"},
		{"with effects", nil, 1, "c: ok z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			stopped := errors.New("stopped")
			ok := count("ok", tt.mark)
			ended, inner := make(chan struct{}), ok.call
			end := sync.OnceFunc(func() { close(ended) })
			ok.call = func(ctx context.Context, in tool.Input) (tool.Result, error) {
				if strings.Contains(string(in.Args), "x") {
					defer end()
				} else if ctx.Value(firstRun{}) != nil {
					<-ended // the first one is through
					cancel(stopped)
					return tool.Result{}, context.Cause(ctx)
				}
				return inner(ctx, in)
			}
			raw := json.RawMessage(`{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s=="}]}`)
			script := llmtest.New(t, llmtest.Do(func(llm.Request) (llm.Reply, error) {
				calls := []akitad.Call{call("a", "ok", "x"), call("b", "ok", "y"), call("c", "ok", "z")}
				return llm.Reply{Calls: calls, Finish: llm.FinishCalls, Raw: raw, RawBy: "test"}, nil
			}), llmtest.Text("done"))
			r := newRig(t, script, ok)
			b := newBook(t, journal.SubmittedData{Text: "go"})
			if _, err := r.agent.Run(context.WithValue(ctx, firstRun{}, true), r.turn, b); !errors.Is(err, stopped) {
				t.Fatalf("%v, want the cause of the cancel", err)
			}
			b = b.again()
			r.run(t, b)
			got := results(b, 0)
			if len(got) != 3 || !strings.HasPrefix(got[0], "a: ") || !strings.HasPrefix(got[1], "b: ") || !strings.HasPrefix(got[2], tt.last) {
				t.Errorf("results %q", got)
			}
			if ok.calls("x") != tt.runs {
				t.Errorf("the first call ran %d times, want %d", ok.calls("x"), tt.runs)
			}
			next := script.Requests()[1].Messages
			said, replied := next[len(next)-2], next[len(next)-1]
			if replied.Speaker != llm.ToolReply || len(replied.Results) != 3 || said.RawBy != "test" || string(said.Raw) != string(raw) {
				t.Errorf("the model sees %+v and %+v", said, replied)
			}
		})
	}
}

// firstRun marks the first process's context.
type firstRun struct{}

// What has ended well counts, though the process has to stop in that very moment: it is on record, whole, and is
// neither done nor asked for again.
func TestWhatEndsAsTheProcessStops(t *testing.T) {
	long := strings.Repeat("line of output\n", 3000)
	for _, tt := range []struct {
		name   string
		calls  []akitad.Call
		rounds int // on record
		done   bool
	}{
		{"a call", []akitad.Call{call("a", "send", "x")}, 1, true},
		{"the last of two", []akitad.Call{call("a", "look", "x"), call("b", "send", "x")}, 1, true},
		{"a call before another one", []akitad.Call{call("a", "send", "x"), call("b", "look", "x")}, 1, false},
		{"a thought", []akitad.Call{call("a", "look", "thought")}, 1, false},
		{"an answer", nil, 0, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			stopped := errors.New("stopped")
			send := saying("send", long, nil)
			send.call = func(context.Context, tool.Input) (tool.Result, error) {
				cancel(stopped)
				return tool.Result{Text: long}, nil
			}
			script := llmtest.New(t, llmtest.Do(func(llm.Request) (llm.Reply, error) {
				if tt.calls == nil || tt.name == "a thought" {
					cancel(stopped)
				}
				return llm.Reply{Text: long, Calls: tt.calls}, nil
			}))
			r := newRig(t, script, send, saying("look", "seen", readonly))
			b := newBook(t, journal.SubmittedData{Text: "go", Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
			out, err := r.agent.Run(ctx, r.turn, b)
			if tt.calls == nil {
				if err != nil || out.Result == nil || r.kept.bodies[out.Result.Whole] != strings.TrimSpace(long) {
					t.Fatalf("it came to %v, and %d artifacts are kept", err, len(r.kept.bodies))
				}
			} else if !errors.Is(err, stopped) {
				t.Fatalf("%v, want the cause of the stop", err)
			}
			rounds := b.Snapshot().Rounds
			if len(rounds) != tt.rounds || tt.rounds > 0 && rounds[0].Done != tt.done {
				t.Fatalf("%+v", rounds)
			}
			if tt.done {
				if o := rounds[0].Results[len(tt.calls)-1]; o.Error != nil || r.kept.bodies[o.Artifact] != long {
					t.Errorf("%+v", o)
				}
			}
		})
	}
}
