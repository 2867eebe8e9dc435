package orchestrator_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestAMessageThatComesTwiceIsOneTask(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).On(llmtest.Any, llmtest.Text("one").Held(hold))
	h := start(t, script)
	id := h.say(1, "hello there my friend", nil)
	<-hold.Arrived()
	h.say(1, "hello there my friend", nil)
	hold.Release()
	h.ended(id)
	h.say(1, "hello there my friend", nil)
	queue, err := h.Orchestrator.Queued(t.Context(), akitad.DeriveSessionKey("chat"))
	if err != nil || len(queue) != 0 || h.events(id, journal.Submitted) != 1 || len(script.Requests()) != 1 {
		t.Errorf("queue %v (%v), submitted %d times, %d model calls", queue, err, h.events(id, journal.Submitted), len(script.Requests()))
	}
}

// A session takes so many waiting messages; those beyond are refused on record, and the session goes on.
func TestAFullSession(t *testing.T) {
	hold := llmtest.NewHold()
	script := llmtest.New(t).On(llmtest.Says("message 0 "), llmtest.Text("first").Held(hold)).Always(llmtest.Any, llmtest.Text("ok"))
	h := start(t, script)
	var ids []akitad.TaskID
	for i := range 102 {
		ids = append(ids, h.say(i, fmt.Sprintf("message %d of the burst", i), nil))
	}
	<-hold.Arrived()
	if got := h.ended(ids[101]); got.State != akitad.Failed || got.Error.Kind != akitad.Overloaded || got.Error.Hint == "" {
		t.Errorf("the message beyond the bound: %s %+v", got.State, got.Error)
	}
	if place, err := h.Orchestrator.Place(t.Context(), akitad.DeriveSessionKey("chat"), ids[100]); err != nil || place != 100 {
		t.Errorf("the last that was taken waits at place %d (%v)", place, err)
	}
	for _, id := range ids[3:101] { // what waits can be taken back
		if err := h.Orchestrator.Cancel(t.Context(), id, "test"); err != nil {
			t.Fatal(err)
		}
	}
	hold.Release()
	for _, id := range ids[:3] {
		if got := h.ended(id); got.State != akitad.Completed {
			t.Errorf("%q: %s %+v", got.Sub.Text, got.State, got.Error)
		}
	}
}

// The process dies between the two writes by which a full session refuses a message: the message comes
// again and is not left waiting for a turn that nobody gives it.
func TestARefusalThatWasCutShort(t *testing.T) {
	h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok")))
	id := akitad.DeriveTaskID("chat", "1")
	_, _, err := h.Journal.Create(t.Context(), id, journal.SubmittedData{
		Root: id, Session: akitad.DeriveSessionKey("chat"), Folder: "folder", Queued: true, Text: "hello there my friend", Profile: "assistant",
		Origin: akitad.Origin{Channel: "telegram", Chat: "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	h.say(1, "hello there my friend", nil)
	if got := h.ended(id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	alone := akitad.DeriveTaskID("chat", "2") // and one of no session
	_, _, err = h.Journal.Create(t.Context(), alone, journal.SubmittedData{
		Root: alone, Folder: "folder", Queued: true, Text: "hello there", Profile: "assistant", Origin: akitad.Origin{Channel: "http"},
	})
	ok(t, err)
	h.say(2, "hello there", func(m *akitad.Message) { m.Session, m.Origin = "", akitad.Origin{Channel: "http"} })
	if got := h.ended(alone); got.State != akitad.Completed {
		t.Errorf("without a session: %s %+v", got.State, got.Error)
	}
}

// Words that are lost are an honest failure; the session goes on with the next message.
func TestWordsThatAreLost(t *testing.T) {
	h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok")))
	lost := h.say(1, "", func(m *akitad.Message) { m.TextRef = strings.Repeat("ab", 32) })
	if got := h.ended(lost); got.State != akitad.Failed || got.Error.Kind != akitad.NotFound {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	if got := h.ended(h.say(2, "hello there my friend", nil)); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// A message that answers a question is its answer, once, and no task of its own.
func TestAnAnswerIsNoTask(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("book"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "which day?"})),
		llmtest.Do(func(r llm.Request) (llm.Reply, error) {
			last := r.Messages[len(r.Messages)-1]
			return llm.Reply{Text: "booked: " + last.Results[0].Text, Finish: llm.FinishStop}, nil
		}))
	h := start(t, script)
	id := h.say(1, "book a table for the two of us", nil)
	if got := h.until(id, func(t *journal.Task) bool { return t.State == akitad.Waiting }); got.Reason != akitad.ReasonAnswer || got.Question() != "which day?" {
		t.Fatalf("%s (%s): %q", got.State, got.Reason, got.Question())
	}
	answer := h.say(2, "on Friday", nil)
	got := h.ended(id)
	if got.State != akitad.Completed || !strings.Contains(got.Result.Text, "on Friday") {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	h.say(2, "on Friday", nil) // delivered again, when the task has ended
	if h.load(answer).Exists() || h.events(id, journal.Answered) != 1 {
		t.Errorf("the answer is a task: %v; answered %d times", h.load(answer).Exists(), h.events(id, journal.Answered))
	}
}

// What a message points at may stand in the message before it: then nobody is asked for it.
func TestTheSessionIsKnownToTheCompiler(t *testing.T) {
	h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok")))
	asked := h.until(h.say(1, "please translate this text into French for me", nil), func(t *journal.Task) bool { return t.State == akitad.Waiting || t.Final() })
	if asked.Reason != akitad.ReasonAnswer {
		t.Fatalf("without a session nobody is asked: %s (%s)", asked.State, asked.Reason)
	}
	if err := h.Orchestrator.Cancel(t.Context(), asked.ID, "test"); err != nil {
		t.Fatal(err)
	}
	h.ended(asked.ID)
	if got := h.ended(h.say(2, "please translate this text into French for me", nil)); got.State != akitad.Completed || len(got.Compiled.Spec.Inputs.Missing) != 0 {
		t.Errorf("%s (%s), missing %q", got.State, got.Reason, got.Compiled.Spec.Inputs.Missing)
	}
}

// Two conversations never see each other's messages, nor each other's folder.
func TestSessionsAreApart(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("ok"))
	h := start(t, script)
	other := func(m *akitad.Message) { m.Session, m.Origin.Chat = akitad.DeriveSessionKey("other"), "2" }
	h.ended(h.say(1, "my secret is blue, remember that", nil))
	theirs := h.ended(h.say(2, "what is the secret of the day?", other))
	mine := h.ended(h.say(3, "what is the secret of the day?", nil))
	if theirs.Sub.Folder == mine.Sub.Folder || theirs.Sub.Follows != "" {
		t.Errorf("folders %q and %q, follows %q", theirs.Sub.Folder, mine.Sub.Folder, theirs.Sub.Follows)
	}
	for _, r := range script.Requests() {
		leaks := slices.ContainsFunc(r.Messages, func(m llm.Message) bool { return strings.Contains(m.Text, "secret is blue") })
		if leaks == (r.Task == theirs.ID) {
			t.Errorf("task %s sees the other conversation: %v", r.Task, leaks)
		}
	}
}

// If the owner wants it so, words to a busy conversation correct what runs; what brings files, or is
// asked for by a plan, is work of its own.
func TestWordsThatSteer(t *testing.T) {
	for _, steer := range []bool{false, true} {
		h := startParts(t, t.TempDir(), llmtest.New(t), app.Parts{Orchestrate: true}, func(c *config.Config) {
			if steer {
				c.Queue = "steer"
			}
		})
		first := h.say(1, "write a report", nil)
		second := h.say(2, "in Chinese, please", nil)
		third := h.say(3, "and this", func(m *akitad.Message) { m.Files = []akitad.File{{Name: "a", Artifact: "b"}} })
		fourth := h.say(4, "plan it", func(m *akitad.Message) { m.PlanAsk = true })
		h.say(2, "in Chinese, please", nil) // once more changes nothing
		if h.load(second).Exists() == steer || !h.load(third).Exists() || !h.load(fourth).Exists() {
			t.Errorf("steer %v: tasks are %v %v %v", steer, h.load(second).Exists(), h.load(third).Exists(), h.load(fourth).Exists())
		}
		if n := len(h.load(first).Steers); (n == 1) != steer || n > 1 {
			t.Errorf("steer %v: the first has %d corrections", steer, n)
		}
	}
}
