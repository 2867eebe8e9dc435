package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/guard"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/tracing"
)

// circler is a model that makes the same rounds of calls over and over, until calls are forbidden.
type circler struct {
	rounds [][]akitad.Call
	usage  akitad.Usage
	last   string // its words when it may not call any more
	then   func() // after each reply; may be nil
	asked  []llm.Request
}

func (c *circler) Generate(_ context.Context, req llm.Request) (llm.Reply, error) {
	n := len(c.asked)
	c.asked = append(c.asked, req)
	if c.then != nil {
		c.then()
	}
	reply := llm.Reply{Usage: c.usage, Finish: llm.FinishStop, Text: c.last, Endpoint: "one"}
	reply.Usage.Calls = 1
	if req.Choice == llm.ChoiceNone || n > 60 {
		return reply, nil
	}
	reply.Text, reply.Finish = "", llm.FinishCalls
	for i, made := range c.rounds[n%len(c.rounds)] {
		made.ID = fmt.Sprintf("c%d-%d", n, i)
		reply.Calls = append(reply.Calls, made)
	}
	return reply, nil
}

func one(name, args string) []akitad.Call {
	return []akitad.Call{{Tool: name, Args: json.RawMessage(args)}}
}

// drive runs the task to its end. With restarts, each round is another process's.
func drive(t *testing.T, r *rig, model *circler, b *book, restarts bool) (agent.Outcome, *book, error) {
	t.Helper()
	for {
		stop := make(chan struct{})
		r.turn.Stop = stop
		if restarts {
			model.then = func() {
				select {
				case <-stop:
				default:
					close(stop)
				}
			}
		}
		out, err := r.agent.Run(t.Context(), r.turn, b)
		if !out.Drained {
			return out, b, err
		}
		b = b.again()
	}
}

// kinds gives, round by round, what the calls came to: ok or the kind of the error.
func kinds(b *book) []string {
	var out []string
	for _, round := range b.Snapshot().Rounds {
		var each []string
		for _, o := range round.Results {
			if o.Error == nil {
				each = append(each, "ok")
			} else {
				each = append(each, string(o.Error.Kind))
			}
		}
		out = append(out, strings.Join(each, "+"))
	}
	return out
}

func notes(b *book) []string {
	var out []string
	for _, round := range b.Snapshot().Rounds {
		for _, n := range round.Thought.Notes {
			if !strings.HasPrefix(n, "\n") { // the brief
				out = append(out, fmt.Sprintf("%d %s", round.Thought.Round, n))
			}
		}
	}
	return out
}

// Who goes in circles is told, then refused, then stopped with the best answer, and whether each round
// is another process's makes no difference.
func TestLoopsEnd(t *testing.T) {
	for _, tt := range []struct {
		name   string
		rounds [][]akitad.Call
		runs   int // of the tool for x
		want   string
	}{
		{"the same call with the same result", [][]akitad.Call{one("read", `{"what":"x"}`)}, 2, "ok ok loop loop loop"},
		{"keys in another order", [][]akitad.Call{one("read", `{"what":"x","n":1}`), one("read", `{"n":1.0,"what":"x"}`)}, 2, "ok ok loop loop loop"},
		{"a file spelled in several ways", [][]akitad.Call{one("read", `{"what":"x","path":"a/b.txt"}`), one("read", `{"what":"x","path":"./a/b.txt"}`), one("read", `{"path":" a/c/../b.txt","what":"x"}`), one("read", `{"path":"a//b.txt","what":"x"}`), one("read", `{"path":"a/b.txt/","what":"x"}`)}, 2, "ok ok loop loop loop"},
		{"two calls in turn", [][]akitad.Call{one("read", `{"what":"x"}`), one("read", `{"what":"y"}`)}, 2, "ok ok ok ok loop loop loop loop loop loop"},
		{"a wide round", [][]akitad.Call{{one("read", `{"what":"x"}`)[0], one("send", `{"what":"x"}`)[0]}}, 3, "ok+ok ok+ok ok+loop loop+loop loop+loop"},
		{"a tool that there is none of", [][]akitad.Call{one("none", `{}`)}, 0, "not_found not_found loop loop loop"},
	} {
		for _, restarts := range []bool{false, true} {
			t.Run(fmt.Sprint(tt.name, ", restarts ", restarts), func(t *testing.T) {
				read, send := count("read", safe), count("send", nil)
				model := &circler{rounds: tt.rounds, last: "as far as I came"}
				r := newRig(t, model, read, send)
				out, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), restarts)
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(kinds(b), " "); got != tt.want {
					t.Errorf("the calls came to %s, want %s", got, tt.want)
				}
				if read.calls("x") != tt.runs {
					t.Errorf("it ran %d times, want %d", read.calls("x"), tt.runs)
				}
				if out.Result == nil || !out.Result.Partial || out.Result.Text != "as far as I came" || !strings.Contains(strings.Join(out.Result.Missing, ""), "repeated itself") {
					t.Errorf("it ended with %+v", out.Result)
				}
				last := model.asked[len(model.asked)-1]
				if words := last.Messages[len(last.Messages)-1].Text; !strings.Contains(words, "You were stopped") || len(last.Tools) != 2 {
					t.Errorf("the last request ends with %q and has %d tools", words, len(last.Tools))
				}
			})
		}
	}
}

func TestARefusedCallShowsWhatIsKnown(t *testing.T) {
	read := saying("read", "the file's text", readonly)
	inner := read.call
	read.call = func(ctx context.Context, in tool.Input) (tool.Result, error) {
		res, err := inner(ctx, in)
		res.Untrusted = true
		return res, err
	}
	model := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}, last: "done"}
	r := newRig(t, model, read)
	_, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
	if err != nil {
		t.Fatal(err)
	}
	o := b.Snapshot().Rounds[2].Results[0]
	if o.Error == nil || o.Error.Kind != akitad.Loop || !strings.Contains(o.Text, "the file's text") || !strings.Contains(o.Text, "2 times") || !o.Untrusted {
		t.Errorf("%+v", o)
	}
	if got := notes(b); len(got) == 0 || !strings.HasPrefix(got[0], "3 [You made the same call twice") {
		t.Errorf("the agent was told %q", got)
	}
}

// What looks alike and is not: these run to the cap, each call for itself.
func TestWhatIsNoLoop(t *testing.T) {
	n := 0
	poll := saying("poll", "", readonly)
	poll.call = func(context.Context, tool.Input) (tool.Result, error) {
		n++
		return tool.Result{Text: fmt.Sprint(n, " of 100")}, nil
	}
	var files [][]akitad.Call
	for i := range 16 {
		files = append(files, one("write", fmt.Sprintf(`{"what":"same","n":%d}`, i)))
	}
	var mended [][]akitad.Call
	for i := range 8 {
		mended = append(mended, one("write", fmt.Sprintf(`{"what":"edit","n":%d}`, i)), one("check", `{}`))
	}
	together := [][]akitad.Call{one("check", `{}`), one("check", `{}`)}
	for i := range 14 {
		together = append(together, []akitad.Call{one("write", fmt.Sprintf(`{"what":"edit","n":%d}`, i))[0], one("check", `{}`)[0]})
	}
	for name, rounds := range map[string][][]akitad.Call{
		"a change and its check in one round": together, "polling": {one("poll", `{}`)}, "writes to different files": files, "a check after each change": mended,
	} {
		t.Run(name, func(t *testing.T) {
			check := saying("check", "", nil)
			check.call = func(context.Context, tool.Input) (tool.Result, error) {
				return tool.Result{}, akitad.Errorf(akitad.ToolFailed, "it fails")
			}
			model := &circler{rounds: rounds, last: "enough"}
			r := newRig(t, model, poll, count("write", nil), check)
			r.turn.Rounds = 16
			out, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
			if err != nil {
				t.Fatal(err)
			}
			if got := kinds(b); len(got) != 16 || strings.Contains(strings.Join(got, " "), "loop") {
				t.Errorf("the calls came to %v", got)
			}
			if got := strings.Join(out.Result.Missing, ""); !strings.Contains(got, "16 rounds") {
				t.Errorf("it ended for %q", got)
			}
		})
	}
}

// What is refused stays refused for the process that finishes the round of one that died.
func TestARefusalOutlivesItsProcess(t *testing.T) {
	read := count("read", safe)
	model := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}, last: "done"}
	r := newRig(t, model, read)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	b.fail = func(k akitad.EventKind) error {
		if k == journal.Round && len(b.Snapshot().Rounds) == 3 {
			return errors.New("the process is gone")
		}
		return nil
	}
	if _, err := r.agent.Run(t.Context(), r.turn, b); !errors.Is(err, agent.ErrStore) {
		t.Fatal(err)
	}
	b = b.again()
	if r.run(t, b); read.calls("x") != 2 || kinds(b)[2] != "loop" {
		t.Errorf("it ran %d times, the calls came to %v", read.calls("x"), kinds(b))
	}
}

// A program that fails as it failed before has done nothing new, whatever times, processes, addresses and ids it names.
// Where nothing failed, a time may be all that goes on.
func TestTimesAreNoNews(t *testing.T) {
	for _, tt := range []struct {
		text string // with the number of the run
		want int    // runs of 4
	}{
		{"exit code 1 after 0.%[1]d s\nstderr:\nno\n", 2},
		{"exit code 0 after 0.%[1]d s\nok\n", 2},
		{"exit code 2 after 0.1 s\n2026-12-01T1%[1]d:00:00Z error: no rule", 2},
		{"exit code 2 after 0.1 s\n2026/12/01 10:00:0%[1]d [400%[1]d] error: no rule", 2},
		{"exit code 1 after 0.1 s\n--- FAIL: TestX (0.0%[1]ds)\nFAIL\tx\t1.%[1]d1s", 2},
		{"exit code 2 after 0.1 s\npanic: nil at 0xc00%[1]d1e000 in /tmp/go-build%[1]d/x, pid %[1]d", 2},
		{"exit code 1 after 0.1 s\nrequest 7f3a000%[1]d-8c2e-4b5d-9a6f-0e1d2c3b4a59 failed", 2},
		{"exit code 2 after 0.1 s\ngoroutine %[1]d [running]: container 4f00000000a%[1]d", 2},
		{"exit code 7 after 0.1 s\nfrom 127.0.0.1:4000%[1]d: refused", 2},
		{"exit code 1 after 0.1 s\n%[1]d of 9 tests failed", 4},
		{"exit code 1 after 0.1 s\nmain.go:1%[1]d:7: no such name", 4},
		{"exit code 0 after 0.1 s\n10:00:0%[1]d", 4},
		{"queued, checked at 10:00:0%[1]d", 4},
	} {
		n := 0
		run := saying("run", "", nil)
		run.call = func(context.Context, tool.Input) (tool.Result, error) {
			n++
			return tool.Result{Text: fmt.Sprintf(tt.text, n)}, nil
		}
		model := &circler{rounds: [][]akitad.Call{one("run", `{"what":"make"}`)}, last: "it does not build"}
		r := newRig(t, model, run)
		r.turn.Rounds = 5
		_, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
		if err != nil || min(n, 4) != tt.want {
			t.Errorf("%q ran %d times, %v, %v", tt.text, n, kinds(b), err)
		}
	}
}

// Who went in circles and has nothing to say has failed; the agent that takes over begins anew and is
// told why.
func TestALoopWithoutAnAnswerIsAFailure(t *testing.T) {
	model := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}}
	r := newRig(t, model, count("read", safe))
	out, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
	if akitad.KindOf(err) != akitad.Loop || out.Result != nil || out.Usage.Calls != 1 {
		t.Fatalf("%v, %+v", err, out)
	}
	d := akitad.Degradation{Layer: "agent", From: "assistant", To: "analyst", Kind: akitad.Loop, Reason: err.Error()}
	b.add(0, journal.Woken, journal.WokenData{To: "assistant"}) // planned
	b.claim()
	b.add(0, journal.Woken, journal.WokenData{To: "analyst", Degraded: &d})
	b.claim()
	next := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}, last: "mine"}
	r.agent = newAgent(t, next, r.kept, r.turn.Tools)
	if out, b, err = drive(t, r, next, b, false); err != nil || out.Result.Text != "mine" {
		t.Fatalf("%v, %+v", err, out.Result)
	}
	if got := kinds(b)[5:]; strings.Join(got, " ") != "ok ok loop loop loop" {
		t.Errorf("the second agent's calls came to %v", got)
	}
	if got := b.Snapshot().Rounds[5].Thought.Notes; len(got) == 0 || !strings.Contains(got[0], "take over from the agent assistant") {
		t.Errorf("it was told %q", got)
	}
}

// Each intervention is on record, by the contract of its kind.
func TestInterventionsAreSpans(t *testing.T) {
	mem := &tracing.Memory{}
	tracer := tracing.New(mem, tracing.Options{})
	model := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}, last: "done"}
	r := newRig(t, model, count("read", safe))
	reg, err := tool.NewRegistry(r.turn.Tools...)
	if err != nil {
		t.Fatal(err)
	}
	r.agent = agent.New(agent.Options{Model: model, Tools: reg, PutBytes: r.kept.put, Tracer: tracer})
	b := newBook(t, journal.SubmittedData{Text: "go"})
	if _, err := r.agent.Run(tracer.InTask(t.Context(), taskID, taskID), r.turn, b); err != nil {
		t.Fatal(err)
	}
	if err := tracer.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range mem.Find(akitad.SpanSupervision) {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
		got = append(got, fmt.Sprint(s.Attributes["pattern"], ": ", s.Attributes["action"]))
	}
	slices.Sort(got)
	want := []string{"loop: nudge", "loop: refuse", "loop: refuse", "loop: refuse", "loop: stop", "no progress: nudge"}
	if !slices.Equal(got, want) {
		t.Errorf("on record: %q, want %q", got, want)
	}
}

// An endpoint whose answers lead nowhere is to be avoided, from the switch on.
func TestEndpointSwitch(t *testing.T) {
	var rounds [][]akitad.Call
	for i := range 20 {
		rounds = append(rounds, one("none", fmt.Sprintf(`{"n":%d}`, i)))
	}
	model := &circler{rounds: rounds, last: "no"}
	_, b, err := drive(t, newRig(t, model, count("read", safe)), model, newBook(t, journal.SubmittedData{Text: "go"}), true)
	if err != nil || len(b.Snapshot().Rounds) != 10 {
		t.Fatalf("%d rounds, %v", len(b.Snapshot().Rounds), err)
	}
	for i, req := range model.asked {
		if want := map[bool]string{true: "one"}[i >= 7]; req.Avoid != want {
			t.Errorf("request %d avoids %q, want %q", i+1, req.Avoid, want)
		}
	}
}

func TestOnlySoManyTasks(t *testing.T) {
	hand := saying("delegate", "", safe)
	hand.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Suspend: &tool.Suspend{Kind: tool.SuspendChildren, Payload: []byte(`[]`)}}, nil
	}
	model := &circler{rounds: [][]akitad.Call{{one("delegate", `{"what":"a"}`)[0], one("delegate", `{"what":"b"}`)[0], one("delegate", `{"what":"c"}`)[0], one("delegate", `{"what":"d"}`)[0]}}}
	r := newRig(t, model, hand)
	r.turn.Budget = func(context.Context, *journal.Task) (guard.Limits, guard.Spend) {
		return guard.Limits{Tasks: 64}, guard.Spend{Tasks: 62}
	}
	b := newBook(t, journal.SubmittedData{Text: "go"})
	if out := r.run(t, b); !out.Waits {
		t.Fatalf("%+v", out)
	}
	task := b.Snapshot()
	if got := kinds(b)[0]; got != "ok+ok+budget+budget" || len(task.Open) != 2 {
		t.Errorf("the delegations came to %s, %d are open", got, len(task.Open))
	}
}
