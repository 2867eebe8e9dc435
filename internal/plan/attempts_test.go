package plan_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
)

func TestAgain(t *testing.T) {
	agent, tool := akitad.Step{Agent: "x", Goal: "g"}, akitad.Step{Tool: "y"}
	retry := func(s akitad.Step, n int) akitad.Step { s.Retry = n; return s }
	failed := func(nr int, kind akitad.Kind) plan.Attempt {
		return plan.Attempt{Nr: nr, Failure: &akitad.Failure{Kind: kind}, Jitter: 0.5}
	}
	unverified := func(nr int) plan.Attempt {
		a := failed(nr, akitad.ToolFailed)
		a.Unverified = true
		return a
	}
	for _, tt := range []struct {
		name  string
		step  akitad.Step
		last  plan.Attempt
		again bool
		wait  time.Duration
	}{
		{"no retry", agent, failed(1, akitad.ToolFailed), false, 0},
		{"one more", retry(agent, 1), failed(1, akitad.ToolFailed), true, 0},
		{"and no more than that", retry(agent, 1), failed(2, akitad.ToolFailed), false, 0},
		{"a loop", retry(agent, 1), failed(1, akitad.Loop), true, 0},
		{"what passes waits", retry(tool, 5), failed(1, akitad.Timeout), true, 500 * time.Millisecond},
		{"longer each time", retry(tool, 5), failed(3, akitad.RateLimited), true, 2 * time.Second},
		{"and not for ever", retry(tool, 10), failed(9, akitad.Overloaded), true, 15 * time.Second},
		{"nothing could be reached", retry(agent, 1), failed(1, akitad.AllFailed), true, 500 * time.Millisecond},
		{"all that was asked refused it", retry(agent, 9), plan.Attempt{Nr: 1, Failure: &akitad.Failure{Kind: akitad.AllFailed}, Common: akitad.ContentFiltered}, false, 0},
		{"not there at the moment", retry(agent, 1), failed(1, akitad.Unavailable), true, 500 * time.Millisecond},
		{"an agent's unknown failure", retry(agent, 1), failed(1, akitad.Unknown), true, 0},
		{"a call that may have taken effect", retry(tool, 9), failed(1, akitad.Unknown), false, 0},
		{"a bad request stays one", retry(tool, 9), failed(1, akitad.InvalidRequest), false, 0},
		{"what is refused stays so", retry(tool, 9), failed(1, akitad.PermissionDenied), false, 0},
		{"a key that is refused", retry(agent, 9), failed(1, akitad.Auth), false, 0},
		{"no money", retry(agent, 9), failed(1, akitad.OverBudget), false, 0},
		{"a person's stop", retry(agent, 9), failed(1, akitad.Cancelled), false, 0},
		{"too late", retry(agent, 9), failed(1, akitad.Expired), false, 0},
		{"unverified without retry", agent, unverified(1), true, 0},
		{"up to ten times", agent, unverified(9), true, 0},
		{"and no more", agent, unverified(10), false, 0},
		{"retry narrows", retry(agent, 2), unverified(2), true, 0},
		{"to that", retry(agent, 2), unverified(3), false, 0},
		{"never more than ten", retry(agent, 10), unverified(10), false, 0},
		{"without a failure nothing is mended", retry(agent, 9), plan.Attempt{Nr: 1}, false, 0},
	} {
		if wait, again := plan.Again(tt.step, tt.last); again != tt.again || wait != tt.wait {
			t.Errorf("%s: %v after %s, want %v after %s", tt.name, again, wait, tt.again, tt.wait)
		}
	}
}

func TestRewrite(t *testing.T) {
	old := mustParse(t, "goal: g\nparams: {n: 1}\nsteps:\n  - {id: a, agent: x, goal: a}\n  - {id: b, agent: x, goal: b, needs: [a]}\n  - {id: c, agent: x, goal: c, needs: [b]}\n  - {id: d, agent: x, goal: '${{ steps.a.output.text }}'}\n")
	for _, tt := range []struct{ name, kept, next, steps, all string }{
		{"the rest is new", "a", "steps: [{id: e, agent: x, goal: e, needs: [a]}]", "a=a e=e", "a"},
		{"an id is used again", "a", "steps: [{id: b, agent: x, goal: other}]", "a=a b=other", "a"},
		{"what is kept stays as it is", "a b", "steps: [{id: a, agent: x, goal: other}, {id: c, agent: x, goal: new}]", "a=a b=b c=new", "a b"},
		{"what it needs is kept too", "c", "steps: [{id: b, agent: x, goal: other}]", "a=a b=b c=c", "c b a"},
		{"used output counts as needed", "d", "steps: []", "a=a d=${{ steps.a.output.text }}", "d a"},
		{"nothing is kept", "", "steps: [{id: z, agent: x, goal: z}]", "z=z", ""},
	} {
		got, kept := plan.Rewrite(old, strings.Fields(tt.kept), mustParseAlone(t, tt.next))
		var steps []string
		for _, s := range got.Steps {
			steps = append(steps, s.ID+"="+s.Goal)
		}
		if strings.Join(steps, " ") != tt.steps || strings.Join(kept, " ") != tt.all || got.Goal != "g" || fmt.Sprint(got.Params) != "map[n:1]" {
			t.Errorf("%s: %q, kept %q, %+v", tt.name, steps, kept, got)
		}
	}
	if ids := []string{"a", "b", "c", "d"}; !slices.EqualFunc(old.Steps, ids, func(s akitad.Step, id string) bool { return s.ID == id }) {
		t.Errorf("the old plan was changed: %+v", old)
	}
}

// mustParseAlone reads a plan whose steps may need those of another.
func mustParseAlone(t *testing.T, text string) akitad.Plan {
	t.Helper()
	p, err := plan.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestAVerifyCommandNeedsTheShell(t *testing.T) {
	const text = "steps: [{id: a, tool: time, verify: make test}]"
	for tools, good := range map[string]bool{"time run_shell": true, "time": false} {
		_, err := plan.Check(text, plan.Known{Tools: strings.Fields(tools)})
		if (err == nil) != good || err != nil && !strings.Contains(err.Error(), "verify runs a command") {
			t.Errorf("%s: %v", tools, err)
		}
	}
	if _, err := plan.Check("steps: [{id: a, tool: time, verify: {schema: {type: object}}}]", plan.Known{Tools: []string{"time"}}); err != nil {
		t.Error(err)
	}
}
