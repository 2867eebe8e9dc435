package orchestrator_test

import (
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// What waits for a person waits for a day and no longer: a minute before, nothing has changed, and at the
// end the task goes on as it said that it would. The clock is the sweeper's.
func TestAWaitForAPersonLastsADay(t *testing.T) {
	askUser := llmtest.Call("ask_user", map[string]any{"question": "which day?", "assumption": "Friday it is"})
	for _, tt := range []struct {
		name   string
		model  func(t *testing.T) llm.Provider
		change func(*config.Config)
		begin  func(h *house) akitad.TaskID
		reason string
		ended  func(t *journal.Task) bool
	}{
		{
			name:   "inputs that are missing",
			model:  func(t *testing.T) llm.Provider { return llmtest.New(t).Always(llmtest.Any, llmtest.Text("as assumed")) },
			begin:  func(h *house) akitad.TaskID { return h.say(1, "please translate this text into French for me", nil) },
			reason: akitad.ReasonAnswer,
			ended: func(t *journal.Task) bool {
				return t.State == akitad.Completed && strings.Contains(t.Result.Text, "as assumed") && strings.Contains(t.Answers[0].Text, "Nobody answered")
			},
		},
		{
			name:   "a question of an agent",
			model:  func(t *testing.T) llm.Provider { return llmtest.New(t, llmtest.Calls(askUser), llmtest.Text("booked")) },
			begin:  func(h *house) akitad.TaskID { return h.say(1, "book a table", nil) },
			reason: akitad.ReasonAnswer,
			ended: func(t *journal.Task) bool {
				return t.State == akitad.Completed && strings.Contains(t.Rounds[0].Results[0].Text, "Friday it is")
			},
		},
		{
			name: "a plan to be approved",
			model: func(t *testing.T) llm.Provider {
				return llmtest.New(t).On(llmtest.Role(llm.RolePlanner), llmtest.Text(two))
			},
			begin:  func(h *house) akitad.TaskID { return h.submit(askedFor("ask")) },
			reason: akitad.ReasonApproval,
			ended: func(t *journal.Task) bool {
				return t.State == akitad.Failed && t.Error.Kind == akitad.Expired && len(t.Children) == 0
			},
		},
		{
			name:   "a step that failed",
			model:  func(t *testing.T) llm.Provider { return llmtest.New(t) },
			begin:  func(h *house) akitad.TaskID { return h.say(1, "go", planned(asks)) },
			reason: akitad.ReasonAnswer,
			ended: func(t *journal.Task) bool {
				return t.State == akitad.Completed && t.Result.Partial && strings.Contains(strings.Join(t.Result.Missing, ";"), "get: ")
			},
		},
		{
			name:   "a budget",
			model:  func(*testing.T) llm.Provider { return &looker{} },
			change: func(c *config.Config) { c.Budgets.Calls, c.Rounds.Chat = 4, 60 },
			begin: func(h *house) akitad.TaskID {
				return h.say(1, "go through all of my files and tell me about each", nil)
			},
			reason: akitad.ReasonAnswer,
			ended:  func(t *journal.Task) bool { return t.State == akitad.Completed && t.Result.Partial && t.Granted() == 0 },
		},
		{
			name:   "a standstill",
			model:  func(*testing.T) llm.Provider { return &looker{missing: true} },
			change: func(c *config.Config) { c.Rounds.Chat = 60 },
			begin: func(h *house) akitad.TaskID {
				return h.say(1, "go through all of my files and tell me about each", nil)
			},
			reason: akitad.ReasonAnswer,
			ended:  func(t *journal.Task) bool { return t.State == akitad.Completed && t.Result.Partial },
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := startParts(t, t.TempDir(), tt.model(t), whole, tt.change)
			id := tt.begin(h)
			asked := h.until(id, func(t *journal.Task) bool { return asking(t) && t.OpenRuns() == 0 || t.Final() })
			if asked.Reason != tt.reason || asked.Until == nil || asked.Until.Sub(asked.Updated).Round(time.Minute) != 24*time.Hour {
				t.Fatalf("%s (%s) until %v, now %v: %+v, %+v after %d rounds", asked.State, asked.Reason, asked.Until, asked.Updated, asked.Error, asked.Result, len(asked.Rounds))
			}
			h.sweepAt(id, asked.Until.Add(-time.Minute))
			if got := h.load(id); !asking(got) || len(got.Answers) > 0 {
				t.Fatalf("a minute before its time: %s (%s), answers %+v", got.State, got.Reason, got.Answers)
			}
			h.sweepAt(id, asked.Until.Add(time.Second))
			if got := h.ended(id); !tt.ended(got) {
				t.Errorf("%s %+v %+v, answers %+v", got.State, got.Result, got.Error, got.Answers)
			}
		})
	}
}

// sweepAt sweeps as if it were now, once the listing has the task asleep.
func (h *house) sweepAt(id akitad.TaskID, now time.Time) {
	h.t.Helper()
	h.asleep(id)
	if err := h.Orchestrator.Sweep(h.t.Context(), now); err != nil {
		h.t.Fatal(err)
	}
}
