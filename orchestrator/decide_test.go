package orchestrator_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func by(sender string) func(*akitad.Message) {
	return func(m *akitad.Message) { m.Origin.Sender = sender }
}

func owned(c *config.Config) { c.Channels.Telegram.Allow = []string{"1", "7", "8"} }

// In a group only the person whose task it is, and the owner, decide on its plan; what others say is a
// message like any other.
func TestOthersOfAGroupDecideNothing(t *testing.T) {
	for _, tt := range []struct {
		who     string
		decides bool
	}{{"8", false}, {"7", true}, {"1", true}} {
		t.Run(tt.who, func(t *testing.T) {
			script := llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).
				Always(llmtest.Any, llmtest.Text("done"))
			h := startParts(t, t.TempDir(), script, whole, func(c *config.Config) { owned(c); c.Plan = "ask" })
			id := h.say(1, "go", nil)
			h.until(id, unapproved)
			other := h.say(2, "approve", by(tt.who))
			if got := h.load(id); len(got.Answers) > 0 != tt.decides {
				t.Fatalf("answers %+v", got.Answers)
			}
			if h.load(other).Exists() == tt.decides {
				t.Errorf("a message of its own: %v", !tt.decides)
			}
			if !tt.decides {
				steered, err := h.Orchestrator.Correct(t.Context(), akitad.Message{
					ID: "m3", Session: akitad.DeriveSessionKey("chat"), Text: "approve", Origin: akitad.Origin{Channel: "telegram", Sender: tt.who},
				})
				if got := h.load(id); err != nil || !steered || len(got.Answers) != 0 {
					t.Errorf("a correction decides: %+v %v", got.Answers, err)
				}
				h.say(4, "approve", nil)
			}
			if got := h.ended(id); got.State != akitad.Completed {
				t.Errorf("%s %+v", got.State, got.Error)
			}
		})
	}
}

// A larger budget is granted by the person alone whose task it is.
func TestOthersOfAGroupGrantNothing(t *testing.T) {
	h := startParts(t, t.TempDir(), &looker{}, whole, func(c *config.Config) { c.Budgets.Calls, c.Rounds.Chat = 4, 60 })
	id := h.say(1, "go through all of my files and tell me about each", nil)
	h.until(id, asking)
	h.say(2, "continue", by("8"))
	if got := h.load(id); len(got.Answers) != 0 {
		t.Errorf("answers %+v", got.Answers)
	}
	h.say(3, "no", nil)
	if got := h.ended(id); got.Granted() != 0 || !got.Result.Partial {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// A question about the work is for whoever of the group knows.
func TestAnyoneAnswersAQuestion(t *testing.T) {
	script := llmtest.New(t).On(llmtest.System("You are a researcher"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which one?"})), llmtest.Text("found"))
	h := start(t, script)
	id := h.say(1, "find it out for me", func(m *akitad.Message) { m.Profile = "researcher" })
	h.until(id, asking)
	h.say(2, "the second", by("8"))
	if got := h.ended(id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// What runs below an agent cannot ask: a flow whose failed step would ask counts it as failed.
func TestADelegatedFlowAsksNobody(t *testing.T) {
	script := llmtest.New(t).
		On(opens("run it"), llmtest.Calls(llmtest.Call("run_flow", map[string]any{"name": "asks"})), llmtest.Text("it failed"))
	h := start(t, script)
	h.flow("asks", "steps: [{id: get, tool: read_file, on_error: ask, with: {path: in.txt}}]\n")
	got := h.ended(h.say(1, "run it", nil))
	if got.State != akitad.Completed || len(got.Children) != 1 || h.load(got.Children[0].ID).State != akitad.Failed {
		t.Errorf("%s %+v, children %+v", got.State, got.Error, got.Children)
	}
}

// A plan that a person stopped is asked about anew when it is tried again.
func TestRetryOfAStoppedPlan(t *testing.T) {
	h := start(t, llmtest.New(t))
	id := h.say(1, "go", planned("steps: [{id: get, tool: read_file, on_error: ask, with: {path: in.txt}}]"))
	h.until(id, asking)
	h.say(2, "stop", nil)
	first := h.ended(id)
	h.retry(id)
	q := h.until(id, func(t *journal.Task) bool { return t.Retries == 1 && (asking(t) || t.Final()) })
	if !asking(q) || q.WaitNote == "" {
		t.Fatalf("%s %+v, note %q", q.State, q.Error, q.WaitNote)
	}
	h.write(first, "in.txt", "x")
	h.say(3, "retry", nil)
	if got := h.again(id, 1); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// Work that was refused, or on which nobody had a word, is shown again when it is tried again, and runs
// only then.
func TestRetryOfARefusedPlan(t *testing.T) {
	for _, answer := range []string{"stop", ""} {
		t.Run(answer, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Role(llm.RolePlanner), llmtest.Text("steps: []")).Always(llmtest.Any, llmtest.Text("done"))
			h := start(t, script)
			id := h.submit(askedFor("ask"))
			h.until(id, unapproved)
			if answer == "" {
				h.dayLater(id)
			} else {
				ok(t, h.Orchestrator.Steer(t.Context(), id, answer))
			}
			h.ended(id)
			h.retry(id)
			q := h.until(id, func(t *journal.Task) bool { return t.Retries == 1 && (unapproved(t) || t.Final()) })
			if !unapproved(q) || q.Handed {
				t.Fatalf("%s (%s) %+v", q.State, q.Reason, q.Error)
			}
			ok(t, h.Orchestrator.Steer(t.Context(), id, "approve"))
			if got := h.again(id, 1); got.State != akitad.Completed {
				t.Errorf("%s %+v", got.State, got.Error)
			}
		})
	}
}

// The process dies between a failover and the cancel of what the old agent waited for: the child ends with
// its parent all the same.
func TestAFailoverLeavesNoOrphan(t *testing.T) {
	home, held := t.TempDir(), llmtest.NewHold()
	profile(t, home, "lead", "fallback: [assistant]\n")
	script := llmtest.New(t).
		Rounds(llmtest.System("You are lead"), llmtest.Calls(llmtest.Call("delegate", map[string]any{"profile": "analyst", "goal": "child"}))).
		Always(llmtest.Begins("child"), submitResult(map[string]any{"text": "late"}).Held(held)).
		On(llmtest.System("You are the assistant"), llmtest.Text("alone"))
	h := startParts(t, home, script, whole, nil)
	id := h.submit(akitad.TaskRequest{Text: "work", Profile: "lead"})
	<-held.Arrived()
	child := h.until(id, waits).Children[0].ID
	h.append(id, journal.Woken, journal.WokenData{Reason: "failover", To: "assistant"})
	if got := h.ended(id); got.State != akitad.Completed {
		t.Fatalf("%s %+v", got.State, got.Error)
	}
	if got := h.ended(child); got.State != akitad.WasCancelled {
		t.Errorf("the child is %s", got.State)
	}
}

// A task that is retried while nodes undo what it wrote was not rolled back.
func TestARetryWhileFilesAreUndone(t *testing.T) {
	h := startParts(t, t.TempDir(), llmtest.New(t), app.Parts{Read: true}, func(c *config.Config) { c.Admin.Listen = "127.0.0.1:0" })
	id := h.create("root", journal.SubmittedData{})
	h.append(id, journal.Woken, journal.WokenData{To: "assistant"})
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n9"})
	h.append(id, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.ToolFailed}})
	undone := 0
	stop, err := h.Bus.ServeNode("n9", func(body []byte) []byte {
		if strings.Contains(string(body), string(id)) {
			undone++
			h.append(id, journal.Retried, journal.RetriedData{})
		}
		out, _ := json.Marshal(journal.FolderAnswer{})
		return out
	})
	ok(t, err)
	defer stop()
	_, err = h.Orchestrator.Rollback(t.Context(), id)
	wantConflict(t, "retried meanwhile", err, "was retried")
	if got := h.load(id); got.RolledBack || undone != 1 {
		t.Errorf("%s, rolled back %v, undone %d times", got.State, got.RolledBack, undone)
	}
}
