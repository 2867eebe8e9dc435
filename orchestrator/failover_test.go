package orchestrator_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/tracing"
)

// watched is a model that tells of a call that is cut off.
type watched struct {
	llm.Provider
	cut chan struct{}
}

func (w watched) Generate(ctx context.Context, req llm.Request) (llm.Reply, error) {
	reply, err := w.Provider.Generate(ctx, req)
	if err != nil && ctx.Err() != nil {
		w.cut <- struct{}{}
	}
	return reply, err
}

// failover hands a task over once somebody says that he runs the next agent: a worker that has just
// started does so a little later.
func failover(h *house, id akitad.TaskID) {
	h.t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		err := h.Orchestrator.Failover(h.t.Context(), id)
		if err == nil {
			return
		}
		if !strings.Contains(err.Error(), "no worker runs") || time.Since(began) > patience {
			h.t.Fatal(err)
		}
	}
}

// tookOver checks the end of a task that went from one agent to the next by request.
func tookOver(t *testing.T, got *journal.Task, from, to, text string) {
	t.Helper()
	if got.State != akitad.Completed || !strings.HasPrefix(got.Result.Text, text) || got.Profile != to || got.Voided != 0 || got.View().Attempts != 2 {
		t.Fatalf("%s by %s, %+v %+v, %d void, %d attempts", got.State, got.Profile, got.Result, got.Error, got.Voided, got.View().Attempts)
	}
	if d := got.Result.Degraded; len(d) != 1 || d[0].Layer != "agent" || d[0].From != from || d[0].To != to || d[0].Reason == "" {
		t.Errorf("degraded %+v", d)
	}
}

// The agent that works is cut off at once, and the next one sees what it had done.
func TestFailoverOfARunningTask(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).
		On(llmtest.System("You are an analyst"), llmtest.Calls(llmtest.Call("time", map[string]any{})), llmtest.Text("never").Held(held)).
		On(llmtest.System("You are the assistant"), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: strings.Repeat("seen ", answers(r)), Finish: llm.FinishStop}, nil
		}))
	model := watched{script, make(chan struct{}, 1)}
	h := start(t, model)
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "analyst"})
	<-held.Arrived()
	failover(h, id)
	got := h.ended(id)
	<-model.cut
	if got.State != akitad.Completed || !strings.HasPrefix(got.Result.Text, "seen") || got.Profile != "assistant" || got.Claims < 2 {
		t.Fatalf("%s by %s after %d claims, %+v %+v", got.State, got.Profile, got.Claims, got.Result, got.Error)
	}
	for _, s := range h.whole(id) {
		if err := tracing.Check(s); err != nil {
			t.Error(err)
		}
	}
	wantConflict(t, "it has ended", h.Orchestrator.Failover(t.Context(), id), "has ended")
}

// What an agent waited for is given up when the next one takes over: its children end, and a late answer
// reaches nobody.
func TestFailoverOfAWaitingTask(t *testing.T) {
	home, held := t.TempDir(), llmtest.NewHold()
	profile(t, home, "lead", "fallback: [assistant]\n")
	seen := ""
	script := llmtest.New(t).
		Rounds(llmtest.System("You are lead"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"}))).
		Always(llmtest.Begins("child"), submitResult(map[string]any{"text": "late"}).Held(held)).
		On(llmtest.System("You are the assistant"), llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			for _, m := range r.Messages {
				for _, o := range m.Results {
					seen += o.Text
				}
			}
			return llm.Reply{Text: "alone", Finish: llm.FinishStop}, nil
		}))
	h := startParts(t, home, script, whole, nil)
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "lead"})
	<-held.Arrived()
	child := h.until(id, waits).Children[0].ID
	failover(h, id)
	tookOver(t, h.ended(id), "lead", "assistant", "alone")
	if got := h.ended(child); got.State != akitad.WasCancelled {
		t.Errorf("the child is %s", got.State)
	}
	if !strings.Contains(seen, "another agent took over") {
		t.Errorf("the next agent was told %q", seen)
	}
}

// A question that nobody answered does not stand in the way, nor does the timer that it had.
func TestFailoverOfAQuestion(t *testing.T) {
	script := llmtest.New(t).
		Rounds(llmtest.System("You are a researcher"), llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which one?"}))).
		Always(llmtest.System("You are the assistant"), llmtest.Text("the usual one"))
	h := start(t, script)
	id := h.say(1, "find it out for me", func(m *akitad.Message) { m.Profile = "researcher" })
	if got := h.until(id, waits); got.Reason != akitad.ReasonAnswer {
		t.Fatalf("%s (%s) %+v", got.State, got.Reason, got.Error)
	}
	failover(h, id)
	got := h.ended(id)
	if got.State != akitad.Completed || got.Profile != "assistant" || len(got.Open) != 0 {
		t.Errorf("%s by %s, %+v", got.State, got.Profile, got.Error)
	}
}

// A task that waits in the queue of a paused profile goes to the next agent, and one that is with no
// agent yet, or has none left, is refused.
func TestFailoverOfAPendingTask(t *testing.T) {
	held := llmtest.NewHold()
	script := llmtest.New(t).Always(llmtest.System("You are the assistant"), llmtest.Text("done").Held(held))
	h := start(t, script)
	if err := h.Controls.Pause(t.Context(), "analyst"); err != nil {
		t.Fatal(err)
	}
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "analyst"})
	h.until(id, func(t *journal.Task) bool { return t.Handed && t.State == akitad.Pending })
	h.here("assistant")
	failover(h, id)
	<-held.Arrived()
	wantConflict(t, "the last of the chain", h.Orchestrator.Failover(t.Context(), id), "no agent is left after assistant")
	held.Release()
	tookOver(t, h.ended(id), "analyst", "assistant", "done")
}

// An agent that no worker runs is no one to hand over to.
func TestFailoverNamesWhoIsNotThere(t *testing.T) {
	home, held := t.TempDir(), llmtest.NewHold()
	profile(t, home, "lead", "fallback: [nobody]\n")
	h := startParts(t, home, llmtest.New(t).Always(llmtest.Any, llmtest.Text("done").Held(held)), whole, nil)
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "lead"})
	<-held.Arrived()
	wantConflict(t, "nobody", h.Orchestrator.Failover(t.Context(), id), "no worker runs nobody")
	held.Release()
	if got := h.ended(id); got.State != akitad.Completed || got.Profile != "lead" {
		t.Errorf("%s by %s", got.State, got.Profile)
	}
}

// here waits until a worker says that it runs the profile: one that has just started does so a little later.
func (h *house) here(profile string) {
	h.t.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(patience); ; {
		_, found, err := h.Bus.AskHere(h.t.Context(), profile)
		if err != nil {
			h.t.Fatal(err)
		}
		if found {
			return
		}
		select {
		case <-poll.C:
		case <-deadline:
			h.t.Fatalf("nobody runs %s", profile)
		}
	}
}
