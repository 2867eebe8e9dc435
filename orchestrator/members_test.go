package orchestrator_test

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func member(m *akitad.Message) { m.Origin.Group = true }

func owner(m *akitad.Message) { m.Origin.Group, m.Origin.Owner = true, true }

const buildPlan = "steps: [{id: make, tool: run_shell, with: {command: echo built}}]\n"

// A plan of a member's task runs no program: not one that was given, not one that checks a step, not a
// flow below an agent.
func TestPlansOfMembersRunNoPrograms(t *testing.T) {
	for name, plan := range map[string]string{
		"a step":  buildPlan,
		"a check": "steps: [{id: write, tool: write_file, with: {path: a.txt, content: x}, verify: {command: test -s a.txt}}]\n",
	} {
		for who, change := range map[string]func(*akitad.Message){"member": member, "owner": owner} {
			t.Run(name+" of a "+who, func(t *testing.T) {
				h := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("no")))
				got := h.ended(h.say(1, "build it", func(m *akitad.Message) { change(m); m.Plan = plan }))
				refused := got.Error != nil && got.Error.Kind == akitad.PermissionDenied && strings.Contains(got.Error.Message, "run_shell")
				if refused != (who == "member") || (got.State == akitad.Completed) == refused {
					t.Errorf("%s %+v", got.State, got.Error)
				}
			})
		}
	}
}

func TestFlowsBelowAMembersAgentRunNoPrograms(t *testing.T) {
	script := llmtest.New(t).On(opens("run it"), llmtest.Calls(llmtest.Call("run_flow", map[string]any{"name": "build"})), llmtest.Text("it was refused"))
	h := start(t, script)
	h.flow("build", buildPlan)
	got := h.ended(h.say(1, "run it", member))
	if got.State != akitad.Completed || len(got.Children) != 1 {
		t.Fatalf("%s %+v, children %+v", got.State, got.Error, got.Children)
	}
	if child := h.load(got.Children[0].ID); child.Error == nil || child.Error.Kind != akitad.PermissionDenied {
		t.Errorf("the flow is %s: %+v", child.State, child.Error)
	}
}

// A planner is told of no tool that its person may not have called, and a plan that names one comes back.
func TestPlannersOfMembersNameNoPrograms(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text(buildPlan), llmtest.Text("steps: []")).
		Always(llmtest.Role(llm.RoleMain), llmtest.Text("done by hand"))
	h := start(t, script)
	id := h.say(1, "build it", func(m *akitad.Message) { member(m); m.PlanAsk = true })
	got := h.until(id, func(t *journal.Task) bool { return t.Question() != "" || t.Final() })
	if got.Planned == nil || got.Planned.Plan != nil {
		t.Errorf("planned %+v", got.Planned)
	}
	seen := 0
	for _, r := range script.Requests() {
		if r.Role != llm.RolePlanner {
			continue
		}
		if seen++; strings.Contains(r.Messages[0].Text, "run_shell") {
			t.Error("the planner is told of run_shell")
		}
	}
	if seen != 2 {
		t.Errorf("the planner was asked %d times", seen)
	}
}

// What a member says while an owner's task runs, or asks, is a message of their own.
func TestMembersJoinNoOwnersTask(t *testing.T) {
	script := llmtest.New(t).On(llmtest.System("You are a researcher"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Which one?"})), llmtest.Text("found")).
		Always(llmtest.Any, llmtest.Text("hello"))
	h := start(t, script)
	id := h.say(1, "find it out for me", func(m *akitad.Message) { owner(m); m.Profile = "researcher" })
	h.until(id, asking)
	other := h.say(2, "run a program", func(m *akitad.Message) { member(m); m.Origin.Sender = "8" })
	if got := h.load(id); got.Question() == "" || !h.load(other).Exists() {
		t.Fatalf("a member answers: %+v", got.Rounds)
	}
	h.say(3, "the second", owner)
	if got := h.ended(id); got.State != akitad.Completed {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}
