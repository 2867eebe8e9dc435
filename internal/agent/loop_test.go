package agent_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
	"github.com/akitad/akitad/internal/tool"
)

func call(id, name, what string) akitad.Call {
	c := llmtest.Call(name, map[string]any{"what": what})
	c.ID = id
	return c
}

func TestTextAloneEndsTheTask(t *testing.T) {
	r := newRig(t, llmtest.New(t, llmtest.Text(" Paris. ").Using(10, 0, 2)))
	b := newBook(t, journal.SubmittedData{Text: "capital of France?"})
	out := r.run(t, b)
	if out.Result == nil || out.Result.Text != "Paris." || out.Result.Partial || out.Usage.Calls != 1 || out.Usage.Input != 10 {
		t.Errorf("%+v, usage %+v", out.Result, out.Usage)
	}
	if n := len(b.Snapshot().Rounds); n != 0 {
		t.Errorf("%d rounds are recorded; the end is the caller's one append", n)
	}
}

// Every call id has exactly one result, in call order, whatever became of each call, and the next round
// begins after all of them.
func TestEveryCallHasOneResultInOrder(t *testing.T) {
	bad := saying("bad", "", readonly)
	bad.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{}, akitad.Errorf(akitad.ToolFailed, "broke").WithHint("mend it")
	}
	script := llmtest.New(t,
		llmtest.Calls(call("a", "ok", "1"), call("b", "bad", "2"), call("c", "none", "3"), call("d", "ok", "4"),
			akitad.Call{ID: "e", Tool: "ok", Args: []byte(`{"n":"many"}`)}),
		llmtest.Text("done"))
	ok := count("ok", nil)
	r := newRig(t, script, ok, bad)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	got := b.Snapshot().Rounds[0].Results
	if len(got) != 5 {
		t.Fatalf("%d results: %+v", len(got), got)
	}
	for i, want := range []struct {
		call, text string
		kind       akitad.Kind
	}{
		{"a", "ok 1", ""},
		{"b", "error (tool_failed): broke\nhint: mend it", akitad.ToolFailed},
		{"c", "use one of: ok, bad", akitad.NotFound},
		{"d", "ok 4", ""},
		{"e", "\"n\"", akitad.InvalidRequest},
	} {
		kind := akitad.Kind("")
		if got[i].Error != nil {
			kind = got[i].Error.Kind
		}
		if got[i].Call != want.call || !strings.Contains(got[i].Text, want.text) || kind != want.kind {
			t.Errorf("result %d: %s %q (%s), want %s %q (%s)", i, got[i].Call, got[i].Text, kind, want.call, want.text, want.kind)
		}
	}
	next := script.Requests()[1].Messages
	if last := next[len(next)-1]; last.Speaker != llm.ToolReply || len(last.Results) != 5 {
		t.Errorf("the model sees %+v", last)
	}
}

// Parallel safe neighbours run beside each other, eight at most; what is not safe runs alone.
func TestParallelSafeCallsRunTogether(t *testing.T) {
	for _, tt := range []struct {
		name  string
		calls int
		mark  func(*tool.Info)
		most  int32
	}{{"safe", 20, safe, 8}, {"few", 3, safe, 3}, {"not safe", 5, readonly, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var running, most atomic.Int32
				gate := make(chan struct{})
				slow := saying("slow", "", tt.mark)
				slow.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
					n := running.Add(1)
					defer running.Add(-1)
					for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
					}
					<-gate
					return tool.Result{Text: string(in.Args)}, nil
				}
				var calls []akitad.Call
				for i := range tt.calls {
					calls = append(calls, call(fmt.Sprint("c", i), "slow", fmt.Sprint(i)))
				}
				r := newRig(t, llmtest.New(nil, llmtest.Calls(calls...), llmtest.Text("done")), slow)
				b := newBook(t, journal.SubmittedData{Text: "go"})
				done := make(chan struct{})
				go func() { defer close(done); r.run(t, b) }()
				for range tt.calls {
					synctest.Wait()
					gate <- struct{}{}
				}
				<-done
				if most.Load() != tt.most {
					t.Errorf("%d ran at once, want %d", most.Load(), tt.most)
				}
				for i, got := range results(b, 0) {
					if want := fmt.Sprintf(`c%d: {"what":"%d"}`, i, i); got != want {
						t.Errorf("result %d is %q, want %q", i, got, want)
					}
				}
			})
		})
	}
}

// The same call twice in a batch runs once, whatever the order of its keys, and both ids are answered.
func TestTheSameCallTwiceRunsOnce(t *testing.T) {
	w := count("write", nil)
	first := akitad.Call{ID: "a", Tool: "write", Args: []byte(`{"n":1,"what":"x"}`)}
	again := akitad.Call{ID: "b", Tool: "write", Args: []byte(`{ "what":"x", "n":1.0 }`)}
	r := newRig(t, llmtest.New(t, llmtest.Calls(first, again, call("c", "write", "y")), llmtest.Text("done")), w)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	if w.calls("x") != 1 || w.calls("y") != 1 {
		t.Errorf("x ran %d times, y %d times", w.calls("x"), w.calls("y"))
	}
	if got := results(b, 0); !slices.Equal(got, []string{"a: write x", "b: write x", "c: write y"}) {
		t.Errorf("%q", got)
	}
}

// A reply that the length limit cut never runs a call that may change something.
func TestACutReplyChangesNothing(t *testing.T) {
	w, look := count("write", nil), count("look", readonly)
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "write", "x"), call("b", "look", "y")).Ending(llm.FinishLength), llmtest.Text("done")), w, look)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	got := b.Snapshot().Rounds[0].Results
	if w.calls("x") != 0 || look.calls("y") != 1 || got[0].Error == nil || !strings.Contains(got[0].Text, "cut") {
		t.Errorf("write ran %d times, look %d times; %+v", w.calls("x"), look.calls("y"), got)
	}
}

func TestEmptyReplies(t *testing.T) {
	empty := llmtest.Text(" \n").Using(7, 0, 0)
	for _, tt := range []struct {
		name    string
		turns   []llmtest.Turn
		want    string // of the answer
		partial bool
		calls   int
	}{
		{"once", []llmtest.Turn{empty, llmtest.Text("here")}, "here", false, 2},
		{"twice", []llmtest.Turn{empty, empty}, "could not come to an answer", true, 2},
		{"nothing that can be seen", []llmtest.Turn{llmtest.Text("\u200b\u200b\ufeff"), llmtest.Text("```\n\u00a0\n```")}, "could not come to an answer", true, 2},
		{"a sign is an answer", []llmtest.Turn{llmtest.Text("\u200b👍")}, "👍", false, 1},
		{"a mark is an answer", []llmtest.Turn{llmtest.Text("?")}, "?", false, 1},
		{"once more after work", []llmtest.Turn{empty, llmtest.Calls(call("a", "look", "x")), empty, llmtest.Text("there")}, "there", false, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t, tt.turns...)
			r := newRig(t, script, saying("look", "seen", readonly))
			b := newBook(t, journal.SubmittedData{Text: "go"})
			out := r.run(t, b)
			if !strings.Contains(out.Result.Text, tt.want) || out.Result.Partial != tt.partial || len(script.Requests()) != tt.calls {
				t.Errorf("%+v after %d calls", out.Result, len(script.Requests()))
			}
			if used := b.Snapshot().Usage.Add(out.Usage); used.Calls != tt.calls {
				t.Errorf("%d calls are on record, want %d: %+v", used.Calls, tt.calls, used)
			}
			for _, req := range script.Requests() {
				for _, m := range req.Messages {
					if m.Speaker == llm.Assistant && m.Text == "" && len(m.Calls) == 0 {
						t.Errorf("an empty reply is in the prompt: %+v", req.Messages)
					}
				}
			}
		})
	}
}

// At the cap one last call, with the tools still in the prompt and calls forbidden, gives what there is.
func TestTheCap(t *testing.T) {
	script := llmtest.New(t)
	for i := range 5 {
		script.On(llmtest.Any, llmtest.Calls(call(fmt.Sprint("c", i), "look", fmt.Sprint(i))))
	}
	script.On(llmtest.Any, llmtest.Text("as far as I came"))
	r := newRig(t, script, saying("look", "seen", readonly))
	r.turn.Rounds = 5
	b := newBook(t, journal.SubmittedData{Text: "go"})
	out := r.run(t, b)
	if !out.Result.Partial || out.Result.Text != "as far as I came" || len(out.Result.Missing) != 1 {
		t.Errorf("%+v", out.Result)
	}
	reqs := script.Requests()
	for i, req := range reqs {
		last := i == len(reqs)-1
		if (req.Choice == llm.ChoiceNone) != last || len(req.Tools) != 1 {
			t.Errorf("request %d: choice %q, %d tools", i+1, req.Choice, len(req.Tools))
		}
		words := req.Messages[len(req.Messages)-1].Text
		if strings.Contains(words, "finish soon") != (i+1 == 4) {
			t.Errorf("request %d of 5 rounds ends with %q; the warning belongs to round 4", i+1, words)
		}
	}
}

// A warning is given once, also if the rounds after it are another process's.
func TestTheWarningIsGivenOnce(t *testing.T) {
	script := llmtest.New(t)
	for i := range 9 {
		script.On(llmtest.Any, llmtest.Calls(call(fmt.Sprint("c", i), "ask", fmt.Sprint(i))))
	}
	script.On(llmtest.Any, llmtest.Text("done"))
	ask := saying("ask", "", readonly)
	ask.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
	}
	r := newRig(t, script, ask)
	r.turn.Rounds = 10
	b := newBook(t, journal.SubmittedData{Text: "go"})
	for i := range 9 {
		if out := r.run(t, b); !out.Waits {
			t.Fatalf("round %d: %+v", i+1, out)
		}
		b.answer(fmt.Sprint("c", i), "yes")
		b = b.again()
	}
	r.run(t, b)
	warned := 0
	reqs := script.Requests()
	for _, m := range reqs[len(reqs)-1].Messages {
		warned += strings.Count(m.Text, "finish soon")
	}
	if warned != 1 {
		t.Errorf("warned %d times", warned)
	}
}

// The mark of the warning may be passed over: by a question to the person in that round, or by a cap
// that is lower after a restart. It is then given in the next round.
func TestTheWarningIsNotMissed(t *testing.T) {
	script := llmtest.New(t)
	for i := range 4 {
		script.On(llmtest.Any, llmtest.Calls(call(fmt.Sprint("c", i), "ask", fmt.Sprint(i))))
	}
	script.On(llmtest.Any, llmtest.Text("done"))
	ask := saying("ask", "", readonly)
	ask.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
	}
	r := newRig(t, script, ask)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	for i := range 4 {
		r.turn.Rounds = 10 // warned of at 8
		r.run(t, b)
		b.answer(fmt.Sprint("c", i), "yes")
	}
	r.turn.Rounds = 5 // would have been warned of at 4
	r.run(t, b)
	reqs := script.Requests()
	if words := reqs[4].Messages[len(reqs[4].Messages)-1].Text; !strings.Contains(words, "Round 5 of 5: finish soon") {
		t.Errorf("round 5 of 5 begins with %q", words)
	}
}

// The next agent has the rounds to itself.
func TestTheCapIsOfOneAgent(t *testing.T) {
	script := llmtest.New(t)
	for i := range 9 {
		script.On(llmtest.Any, llmtest.Calls(call(fmt.Sprint("c", i), "ask", fmt.Sprint(i))))
	}
	script.On(llmtest.Any, llmtest.Text("as far as I came"))
	ask := saying("ask", "", readonly)
	ask.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendAnswer}}, nil
	}
	r := newRig(t, script, ask)
	r.turn.Rounds = 5
	b := newBook(t, journal.SubmittedData{Text: "go"})
	b.add(0, journal.Woken, journal.WokenData{To: "assistant"})
	b.claim()
	for i := range 9 {
		if i == 4 {
			b.add(0, journal.Woken, journal.WokenData{To: "analyst"})
			b.claim()
		}
		if out := r.run(t, b); !out.Waits {
			t.Fatalf("round %d: %+v", i+1, out.Result)
		}
		b.answer(fmt.Sprint("c", i), "yes")
	}
	if out := r.run(t, b); out.Result == nil || !out.Result.Partial || out.Result.Missing[0] != text.En.RoundsUsedUp(5) {
		t.Errorf("after its 5 rounds: %+v", out.Result)
	}
	for i, req := range script.Requests() {
		words := req.Messages[len(req.Messages)-1].Text
		if strings.Contains(words, "finish soon") != (i == 3 || i == 7) {
			t.Errorf("round %d begins with %q", i+1, words)
		}
	}
}

// A disk without room is no verdict on the work: the task is given back, and nothing is told to the model.
func TestAFullDiskIsNoObservation(t *testing.T) {
	full := saying("write", "", nil)
	full.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{}, &akitad.Error{Kind: akitad.Unavailable, Op: "write a.txt", Err: &fs.PathError{Op: "write", Path: "a.txt", Err: syscall.ENOSPC}}
	}
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "write", "x"))), full)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	if _, err := r.agent.Run(t.Context(), r.turn, b); !errors.Is(err, agent.ErrStore) {
		t.Errorf("a full disk gives %v", err)
	}
	if rounds := b.Snapshot().Rounds; len(rounds) != 1 || rounds[0].Done {
		t.Errorf("%+v", rounds)
	}
}

// After a crash between a call and its record, of a call with effects the outcome is unknown; those before it were
// put on record when it began.
func TestResumeAfterACrash(t *testing.T) {
	look, put, send := count("look", readonly), count("put", func(i *tool.Info) { i.Idempotent = true }), count("send", nil)
	script := llmtest.New(t, llmtest.Calls(call("a", "look", "x"), call("b", "put", "x"), call("c", "send", "x")), llmtest.Text("done"))
	r := newRig(t, script, look, put, send)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	b.fail = func(k akitad.EventKind) error {
		if k == journal.Round {
			return errors.New("the process is gone")
		}
		return nil
	}
	if _, err := r.agent.Run(t.Context(), r.turn, b); !errors.Is(err, agent.ErrStore) {
		t.Fatalf("a record that cannot be written gives %v", err)
	}
	b = b.again()
	r.run(t, b)
	if look.calls("x") != 1 || put.calls("x") != 1 || send.calls("x") != 1 {
		t.Errorf("look ran %d times, put %d, send %d; want 1, 1, 1", look.calls("x"), put.calls("x"), send.calls("x"))
	}
	got := b.Snapshot().Rounds[0].Results
	if len(got) != 3 || got[2].Error == nil || got[2].Error.Kind != akitad.Unknown || !strings.Contains(got[2].Text, "look at the state") {
		t.Errorf("%+v", got)
	}
}

// A cancel in the midst of three calls leaves no half round: the next process gives each its one result.
func TestInterruptedBatch(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("stopped")
	first, second := count("first", readonly), saying("second", "", readonly)
	second.call = func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		cancel(stopped)
		return tool.Result{}, context.Cause(ctx)
	}
	script := llmtest.New(t, llmtest.Calls(call("a", "first", "x"), call("b", "second", "x"), call("c", "first", "y")), llmtest.Text("done"))
	r := newRig(t, script, first, second)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	if _, err := r.agent.Run(ctx, r.turn, b); !errors.Is(err, stopped) {
		t.Fatalf("%v, want the cause of the cancel", err)
	}
	if first.calls("y") != 0 || b.Snapshot().Rounds[0].Done {
		t.Errorf("the batch went on after the cancel: %+v", b.Snapshot().Rounds)
	}
	b = b.again()
	r.run(t, b)
	if got := results(b, 0); len(got) != 3 || !strings.HasPrefix(got[1], "b: ") {
		t.Errorf("%q", got)
	}
}

func TestPauseAndDrainStopAtTheBoundary(t *testing.T) {
	for _, how := range []string{"pause", "drain"} {
		t.Run(how, func(t *testing.T) {
			stop := make(chan struct{})
			var b *book
			look := saying("look", "", readonly)
			look.call = func(context.Context, tool.Input) (tool.Result, error) {
				if how == "pause" {
					b.add(0, journal.Paused, journal.AskData{})
				} else {
					close(stop)
				}
				return tool.Result{Text: "seen"}, nil
			}
			script := llmtest.New(t, llmtest.Calls(call("a", "look", "x")))
			r := newRig(t, script, look)
			r.turn.Stop = stop
			b = newBook(t, journal.SubmittedData{Text: "go"})
			out := r.run(t, b)
			if out.Paused != (how == "pause") || out.Drained != (how == "drain") || out.Result != nil {
				t.Errorf("%+v", out)
			}
			if rounds := b.Snapshot().Rounds; len(rounds) != 1 || !rounds[0].Done {
				t.Errorf("the running round did not end: %+v", rounds)
			}
		})
	}
}

// A correction is seen in the next round; one that comes while the model writes its last words is seen
// too, and those words are not the answer.
func TestSteersAreSeen(t *testing.T) {
	var b *book
	script := llmtest.New(t,
		llmtest.Calls(call("a", "look", "x")),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			if last := r.Messages[len(r.Messages)-1]; !strings.Contains(last.Text, "only Tuesdays") {
				return llm.Reply{}, fmt.Errorf("round 2 ends with %q", last.Text)
			}
			b.steer("and in French")
			return llm.Reply{Text: "too soon", Finish: llm.FinishStop}, nil
		}),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: "saw " + r.Messages[len(r.Messages)-1].Text, Finish: llm.FinishStop}, nil
		}))
	look := saying("look", "", readonly)
	look.call = func(context.Context, tool.Input) (tool.Result, error) {
		b.steer("only Tuesdays")
		return tool.Result{Text: "seen"}, nil
	}
	r := newRig(t, script, look)
	b = newBook(t, journal.SubmittedData{Text: "go"})
	out := r.run(t, b)
	if !strings.Contains(out.Result.Text, "and in French") || out.Steers != 2 || out.Usage.Calls != 2 {
		t.Errorf("%+v, %d steers, usage %+v", out.Result, out.Steers, out.Usage)
	}
}
