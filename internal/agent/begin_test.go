package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
)

var errGone = errors.New("the process is gone")

// process is one life of a process: it ends while a call with the argument poison runs, and writes nothing more.
type process struct {
	b    *book
	mu   sync.Mutex
	ran  []string // calls, by tool and argument, in the order of their beginning
	ends context.CancelCauseFunc
}

// poisonable is a tool that ends the process that runs it when it is asked for poison.
func (p *process) poisonable(name string, change func(*tool.Info)) tool.Tool {
	f := saying(name, "", change)
	f.call = func(ctx context.Context, in tool.Input) (tool.Result, error) {
		what := name + strings.TrimSuffix(strings.TrimPrefix(string(in.Args), `{"what":"`), `"}`)
		p.mu.Lock()
		defer p.mu.Unlock()
		p.ran = append(p.ran, what)
		if !strings.HasSuffix(what, "!") {
			return tool.Result{Text: "did " + what}, nil
		}
		p.b.fail = func(akitad.EventKind) error { return errGone }
		p.ends(errGone)
		return tool.Result{}, context.Cause(ctx)
	}
	return f
}

// live runs the agent in one process after another until one survives, and returns how many there were.
func (p *process) live(t *testing.T, r *rig) (lives int) {
	t.Helper()
	for lives = 1; lives <= 10; lives++ {
		ctx, cancel := context.WithCancelCause(t.Context())
		p.ends = cancel
		_, err := r.agent.Run(ctx, r.turn, p.b)
		if cancel(nil); err == nil {
			return lives
		}
		if !errors.Is(err, errGone) {
			t.Fatal(err)
		}
		p.b = p.b.again()
	}
	t.Fatalf("no process survives: %q", p.ran)
	return 0
}

// Whatever ends the process while one of several calls runs: what had ended is on record, what had not begun is
// done, and only of what had begun and must not be made twice the outcome is unknown. A call that ends each process
// which makes it is made three times.
func TestWhatACrashLeavesOfARound(t *testing.T) {
	idem := func(i *tool.Info) { i.Idempotent = true }
	for _, tt := range []struct {
		calls string // of the tools look, scan (side by side), put and send; the one with ! ends its process
		ran   string
		comes string // which results are errors, and their kinds
		lives int
	}{
		{"send1 send! send3", "send1 send! send3", "- unknown -", 2},
		{"send! look2 send3", "send! look2 send3", "unknown - -", 2},
		{"send1 look! send3", "send1 look! look! look! send3", "- tool_failed -", 4},
		{"look1 send! look3", "look1 send! look3", "- unknown -", 2},
		{"look!", "look! look! look!", "tool_failed", 4},
		{"scan1 scan! scan3", "scan1 scan3 scan! scan1 scan3 scan! scan1 scan! scan3", "- tool_failed -", 4},
		{"scan! send2", "scan! scan! scan! send2", "tool_failed -", 4},
	} {
		p := &process{}
		tools := []tool.Tool{p.poisonable("look", readonly), p.poisonable("scan", safe), p.poisonable("put", idem), p.poisonable("send", nil)}
		var calls []akitad.Call
		for _, c := range strings.Fields(tt.calls) {
			name := strings.TrimRight(c, "123!")
			calls = append(calls, call(c, name, strings.TrimPrefix(c, name)))
		}
		var told []string
		script := llmtest.New(t, llmtest.Calls(calls...), llmtest.Text("done"))
		r := newRigTold(t, script, func(name string) { told = append(told, name) }, tools...)
		p.b = newBook(t, journal.SubmittedData{Text: "go"})
		lives := p.live(t, r)
		var comes []string
		for _, o := range p.b.Snapshot().Rounds[0].Results {
			kind := "-"
			if o.Error != nil {
				kind = string(o.Error.Kind)
			}
			comes = append(comes, kind)
		}
		ran := p.ran
		if strings.Contains(tt.calls, "scan1") { // side by side: in any order
			ran = slices.Sorted(slices.Values(ran))
			tt.ran = strings.Join(slices.Sorted(slices.Values(strings.Fields(tt.ran))), " ")
		}
		if got := strings.Join(ran, " "); got != tt.ran || strings.Join(comes, " ") != tt.comes || lives != tt.lives {
			t.Errorf("%s: ran %q, want %q; came to %q, want %q; %d processes, want %d", tt.calls, got, tt.ran, comes, tt.comes, lives, tt.lives)
		}
		if fails := strings.Contains(tt.comes, "tool_failed"); fails != (len(told) == 1) {
			t.Errorf("%s: the owner is told of %q", tt.calls, told)
		}
	}
}

// A journal of a version that did not record how calls begin says of none that it did not.
func TestARoundOfAnOlderVersion(t *testing.T) {
	p := &process{}
	send, look := p.poisonable("send", nil), p.poisonable("look", readonly)
	r := newRig(t, llmtest.New(t, llmtest.Text("done")), send, look)
	p.b = newBook(t, journal.SubmittedData{Text: "go"})
	p.b.add(p.b.Snapshot().Epoch, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{call("a", "send", "1"), call("b", "look", "2")}})
	p.b = p.b.again()
	r.run(t, p.b)
	if got := p.b.Snapshot().Rounds[0].Results; len(p.ran) != 1 || p.ran[0] != "look2" || got[0].Error == nil || got[0].Error.Kind != akitad.Unknown {
		t.Errorf("ran %q, came to %+v", p.ran, got)
	}
}

// What an agent was about to do, and had not begun, is not done by the one that takes over.
func TestWhatAnotherAgentLeavesUnbegun(t *testing.T) {
	p := &process{}
	r := newRig(t, llmtest.New(t, llmtest.Text("done")), p.poisonable("send", nil))
	p.b = newBook(t, journal.SubmittedData{Text: "go"})
	p.b.add(p.b.Snapshot().Epoch, journal.Thought, journal.ThoughtData{Round: 1, Begins: true, Calls: []akitad.Call{call("a", "send", "1")}})
	p.b.add(0, journal.Woken, journal.WokenData{To: "assistant"})
	p.b.add(0, journal.Woken, journal.WokenData{To: "analyst"})
	p.b.claim()
	r.run(t, p.b)
	if got := p.b.Snapshot().Rounds[0].Results; len(p.ran) != 0 || got[0].Error == nil || got[0].Error.Kind != akitad.Cancelled {
		t.Errorf("ran %q, came to %+v", p.ran, got)
	}
}

// What a round has come to when its process is told to stop is on record, and is not done again.
func TestAStopKeepsWhatHasEnded(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	send := count("send", nil)
	stop := saying("stop", "", readonly)
	stop.call = func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		cancel(errGone)
		return tool.Result{}, context.Cause(ctx)
	}
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "send", "x"), call("b", "stop", "x"), call("c", "send", "y")), llmtest.Text("done")), send, stop)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	if _, err := r.agent.Run(ctx, r.turn, b); !errors.Is(err, errGone) {
		t.Fatal(err)
	}
	b = b.again()
	r.turn.Tools = []tool.Tool{send, saying("stop", "stopped", readonly)}
	r.run(t, b)
	got := b.Snapshot().Rounds[0].Results
	if send.calls("x") != 1 || send.calls("y") != 1 || got[0].Error != nil || got[1].Text != "stopped" || got[2].Error != nil {
		t.Errorf("x %d times, y %d times: %+v", send.calls("x"), send.calls("y"), got)
	}
}

// A call during which the process is told to stop, however often, is not taken for what ends the process.
func TestAStopIsNoCrash(t *testing.T) {
	var stop context.CancelCauseFunc
	ran := 0
	look := saying("look", "", readonly)
	look.call = func(ctx context.Context, _ tool.Input) (tool.Result, error) {
		if ran++; ran > journal.MaxCut+2 {
			return tool.Result{Text: "seen"}, nil
		}
		stop(errGone)
		return tool.Result{}, context.Cause(ctx)
	}
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "look", "x")), llmtest.Text("done")), look)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	for range journal.MaxCut + 3 {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop = cancel
		if _, err := r.agent.Run(ctx, r.turn, b); err != nil && !errors.Is(err, errGone) {
			t.Fatal(err)
		}
		cancel(nil)
		b = b.again()
	}
	if got := b.Snapshot().Rounds[0].Results; len(got) != 1 || got[0].Text != "seen" || ran != journal.MaxCut+3 {
		t.Errorf("ran %d times, came to %+v", ran, got)
	}
}
