package plan_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
)

func mustParse(t *testing.T, text string) akitad.Plan {
	t.Helper()
	p, err := plan.Check(text, plan.Known{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ok(text string) plan.Outcome {
	return plan.Outcome{State: akitad.Completed, Result: &akitad.Result{Text: text}}
}

func data(raw string) plan.Outcome {
	return plan.Outcome{State: akitad.Completed, Result: &akitad.Result{Text: "said", Data: json.RawMessage(raw)}}
}

func bad(why string) plan.Outcome {
	return plan.Outcome{State: akitad.Failed, Failure: &akitad.Failure{Kind: akitad.Timeout, Message: why}}
}

func readyIDs(f plan.Frontier) string {
	var out []string
	for _, r := range f.Ready {
		out = append(out, r.ID)
	}
	return strings.Join(out, " ")
}

func notes(list []plan.Note) string {
	var out []string
	for _, n := range list {
		out = append(out, n.ID+": "+n.Reason)
	}
	return strings.Join(out, " | ")
}

func TestNext(t *testing.T) {
	for _, tt := range []struct {
		name, plan string
		done       map[string]plan.Outcome
		ready      string
		skipped    string
		blocked    string
		failed     string
		asks       string
		finished   bool
	}{
		{name: "no steps", plan: "steps: []", finished: true},
		{name: "unmarked steps take turns", plan: "steps: [{id: a, agent: x, goal: g}, {id: b, agent: x, goal: g}]", ready: "a"},
		{name: "the next turn", plan: "steps: [{id: a, agent: x, goal: g}, {id: b, agent: x, goal: g}]", done: map[string]plan.Outcome{"a": ok("")}, ready: "b"},
		{name: "a failure does not end the turns", plan: "steps: [{id: a, agent: x, goal: g}, {id: b, agent: x, goal: g}]", done: map[string]plan.Outcome{"a": bad("late")}, ready: "b", failed: "a: timeout: late"},
		{name: "marked steps run together", plan: "steps: [{id: a, agent: x, goal: g, parallel: true}, {id: b, agent: x, goal: g, parallel: true}, {id: c, agent: x, goal: g, needs: [a, b]}]", ready: "a b"},
		{name: "an unmarked one stands between", plan: "steps: [{id: a, agent: x, goal: g, parallel: true}, {id: b, agent: x, goal: g}, {id: c, agent: x, goal: g, parallel: true}]", ready: "a"},
		{name: "a waiting one holds its place", plan: "steps: [{id: a, agent: x, goal: g, parallel: true}, {id: b, agent: x, goal: g, needs: [a]}, {id: c, agent: x, goal: g, parallel: true}, {id: d, agent: x, goal: g}]", ready: "a"},
		{name: "needs go before the order of the plan", plan: "steps: [{id: a, agent: x, goal: g, needs: [b]}, {id: b, agent: x, goal: g}]", ready: "b"},
		{name: "used output counts as needed", plan: "steps: [{id: a, agent: x, goal: 'see ${{ steps.b.output.text }}', parallel: true}, {id: b, agent: x, goal: g, parallel: true}]", ready: "b"},
		{name: "a join waits for all", plan: "steps: [{id: a, agent: x, goal: g, parallel: true}, {id: b, agent: x, goal: g, parallel: true}, {id: c, agent: x, goal: g, needs: [a, b]}]", done: map[string]plan.Outcome{"b": ok("")}, ready: "a"},
		{name: "unfinished outcomes do not count", plan: "steps: [{id: a, agent: x, goal: g}]", done: map[string]plan.Outcome{"a": {State: akitad.Running}}, ready: "a"},
		{
			name: "failure blocks, and what that blocks", plan: "steps: [{id: a, agent: x, goal: g}, {id: b, agent: x, goal: g, needs: [a]}, {id: c, agent: x, goal: g, needs: [b]}]", done: map[string]plan.Outcome{"a": bad("late")},
			failed: "a: timeout: late", blocked: "b: needs a, which failed: timeout: late | c: needs b, which is blocked", finished: true,
		},
		{name: "a cancelled step is a failed one", plan: "steps: [{id: a, agent: x, goal: g}]", done: map[string]plan.Outcome{"a": {State: akitad.WasCancelled}}, failed: "a: ended as cancelled", finished: true},
		{name: "on_error skip goes on with null", plan: "steps: [{id: a, agent: x, goal: g, on_error: skip}, {id: b, agent: x, goal: '${{ steps.a.output.text }}'}]", done: map[string]plan.Outcome{"a": bad("late")}, ready: "b", skipped: "a: timeout: late"},
		{name: "on_error ask waits", plan: "steps: [{id: a, agent: x, goal: g, on_error: ask}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a": bad("late")}, asks: "a: timeout: late"},
		{name: "answered with skip", plan: "steps: [{id: a, agent: x, goal: g, on_error: ask}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a": {State: akitad.Failed, Decision: "skip"}}, ready: "b", skipped: "a: ended as failed"},
		{name: "answered with fail", plan: "steps: [{id: a, agent: x, goal: g, on_error: ask}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a": {State: akitad.Failed, Decision: "fail"}}, failed: "a: ended as failed", blocked: "b: needs a, which failed: ended as failed", finished: true},
		{
			name: "when false skips, and what needs it", plan: "params: {n: 1}\nsteps: [{id: a, agent: x, goal: g, when: params.n > 1}, {id: b, agent: x, goal: g, needs: [a]}, {id: c, agent: x, goal: g, parallel: true}]",
			ready: "c", skipped: "a: when is false: params.n > 1 | b: needs a, which was skipped",
		},
		{name: "when without order fails the step", plan: "params: {n: [1]}\nsteps: [{id: a, agent: x, goal: g, when: params.n > 1}]", failed: `a: when: [1] and 1 have no order`, finished: true},
		{name: "a path that is not there fails the step", plan: "steps: [{id: a, agent: x, goal: g}, {id: b, tool: y, with: {p: '${{ steps.a.output.rows }}'}}]", done: map[string]plan.Outcome{"a": data(`{"row": 1}`)}, failed: "b: steps.a.output has no rows", finished: true},
		{
			name: "a failed need outweighs a skipped one", plan: "params: {n: 1}\nsteps: [{id: a, agent: x, goal: g, when: params.n > 1}, {id: b, agent: x, goal: g}, {id: c, agent: x, goal: g, needs: [a, b]}]", done: map[string]plan.Outcome{"b": bad("late")},
			skipped: "a: when is false: params.n > 1", failed: "b: timeout: late", blocked: "c: needs b, which failed: timeout: late", finished: true,
		},
		{name: "for_each, a few at a time", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q, r, s]', max_parallel: 2}]", done: map[string]plan.Outcome{"a/1": ok("")}, ready: "a/0 a/2"},
		{name: "the text of a for_each", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q]'}, {id: b, agent: x, goal: '${{ steps.a.output.text }}'}]", done: map[string]plan.Outcome{"a/0": ok("1"), "a/1": ok("2")}, ready: "b"},
		{name: "for_each of nothing", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[]'}, {id: b, agent: x, goal: g, needs: [a]}]", ready: "b"},
		{name: "for_each of no list", plan: "params: {l: x}\nsteps: [{id: a, agent: x, goal: '${{ item }}', for_each: params.l}]", failed: `a: for_each: "x" is not a list`, finished: true},
		{name: "an item fails, the others end first", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q]'}]", done: map[string]plan.Outcome{"a/0": bad("late")}, ready: "a/1"},
		{
			name: "an item failed", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q]'}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a/0": bad("late"), "a/1": ok("")},
			failed: "a: 1 of 2 items failed, first a/0: timeout: late | a/0: timeout: late", blocked: "b: needs a, which failed: 1 of 2 items failed, first a/0: timeout: late", finished: true,
		},
		{name: "an item is skipped", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q]', on_error: skip}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a/0": bad("late"), "a/1": ok("")}, ready: "b", skipped: "a/0: timeout: late"},
		{name: "an item asks beside one that runs", plan: "steps: [{id: a, agent: x, goal: '${{ item }}', for_each: '[p, q]', on_error: ask}]", done: map[string]plan.Outcome{"a/0": bad("late")}, ready: "a/1", asks: "a/0: timeout: late"},
		{name: "a step that cannot begin asks", plan: "params: {l: x}\nsteps: [{id: a, agent: x, goal: g, for_each: params.l, on_error: ask}]", asks: `a: for_each: "x" is not a list`},
		{name: "and is skipped", plan: "params: {l: x}\nsteps: [{id: a, agent: x, goal: g, for_each: params.l, on_error: ask}, {id: b, agent: x, goal: g, needs: [a]}]", done: map[string]plan.Outcome{"a": {Decision: "skip"}}, ready: "b", skipped: `a: for_each: "x" is not a list`},
		{name: "eight at a time by default", plan: "steps: [{id: a, agent: x, goal: '${{ index }}', for_each: '[0,1,2,3,4,5,6,7,8,9]'}]", ready: "a/0 a/1 a/2 a/3 a/4 a/5 a/6 a/7"},
		{name: "tools, models and agents in one plan", plan: "steps: [{id: t, tool: y}, {id: m, model: main, prompt: '${{ steps.t.output.text }}', parallel: true}, {id: a, agent: x, goal: g, needs: [t], parallel: true}, {id: e, tool: y, when: 'steps.m.output.text == \"yes\"'}]", done: map[string]plan.Outcome{"t": ok("1")}, ready: "m a"},
		{name: "when looks at an output", plan: "steps: [{id: m, model: main, prompt: p}, {id: e, tool: y, when: 'steps.m.output.text == \"yes\"'}, {id: f, tool: y, needs: [e]}]", done: map[string]plan.Outcome{"m": ok("no")}, skipped: `e: when is false: steps.m.output.text == "yes" | f: needs e, which was skipped`, finished: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := mustParse(t, tt.plan)
			f := plan.Next(p, tt.done, plan.Env{Params: p.Params}, nil)
			for _, c := range [][3]string{{"ready", readyIDs(f), tt.ready}, {"skipped", notes(f.Skipped), tt.skipped}, {"blocked", notes(f.Blocked), tt.blocked}, {"failed", notes(f.Failed), tt.failed}, {"asks", notes(f.NeedsAnswer), tt.asks}} {
				if c[1] != c[2] {
					t.Errorf("%s: got %q, want %q", c[0], c[1], c[2])
				}
			}
			if f.Finished != tt.finished {
				t.Errorf("finished is %v", f.Finished)
			}
		})
	}
}

func TestNextTakesTheCallersWordOnParallel(t *testing.T) {
	p := mustParse(t, "steps: [{id: a, tool: read, with: {}}, {id: b, tool: read, with: {}}, {id: c, tool: write, with: {}}]")
	f := plan.Next(p, nil, plan.Env{}, func(s akitad.Step) bool { return s.Tool == "read" })
	if readyIDs(f) != "a b" {
		t.Errorf("ready %s", readyIDs(f))
	}
}

func TestReadyStepsHaveValues(t *testing.T) {
	p := mustParse(t, `params: {city: Ulm, n: 2}
steps:
  - {id: a, tool: t, with: {n: "${{ params.n }}", s: "in ${{ params.city }} ${{ params.n }}"}, idempotency_key: "k-${{ params.n }}"}
  - {id: b, agent: x, goal: "see ${{ steps.a.output }}: ${{ steps.a.output.rows[1].id }}", files: ["${{ steps.a.output.names }}", "f"], verify: "test ${{ params.n }}"}
  - {id: c, model: m, prompt: "${{ index }}. ${{ item.id }} ${{ item }}", for_each: "${{ steps.a.output.rows }}"}
`)
	done := map[string]plan.Outcome{"a": data(`{"rows": [{"id": 1}, {"id": 9007199254740993}], "names": ["x", "y"]}`)}
	env := plan.Env{Params: p.Params}
	a := plan.Next(p, nil, env, nil).Ready[0]
	if !reflect.DeepEqual(a.Step.With, map[string]any{"n": 2, "s": "in Ulm 2"}) || a.Step.IdempotencyKey != "k-2" || a.Index != -1 || a.Of != 0 {
		t.Errorf("a: %+v", a)
	}
	b := plan.Next(p, done, env, nil).Ready[0].Step
	if want := `see {"names":["x","y"],"rows":[{"id":1},{"id":9007199254740993}]}: 9007199254740993`; b.Goal != want || !slices.Equal(b.Files, []string{"x", "y", "f"}) || b.Verify.Command != "test 2" {
		t.Errorf("b: %+v", b)
	}
	done["b"] = ok("")
	c := plan.Next(p, done, env, nil).Ready
	if len(c) != 2 || c[1].Step.Prompt != `1. 9007199254740993 {"id":9007199254740993}` || c[1].ID != "c/1" || c[1].Index != 1 || c[1].Of != 2 {
		t.Errorf("c: %+v", c)
	}
	if p.Steps[0].With["n"] != "${{ params.n }}" || p.Steps[1].Verify.Command != "test ${{ params.n }}" {
		t.Error("the plan itself was changed")
	}
}

func TestEnvelope(t *testing.T) {
	p := mustParse(t, `steps:
  - {id: late, agent: x, goal: g, parallel: true}
  - {id: many, agent: x, goal: "${{ item }}", for_each: "[p, q, r]", on_error: skip, parallel: true}
  - {id: lost, agent: x, goal: g, parallel: true}
  - {id: after, agent: x, goal: g, needs: [lost], parallel: true}
  - {id: open, agent: x, goal: g, parallel: true}
`)
	some := ok("some")
	some.Result.Partial, some.Result.Missing = true, []string{"the rest"}
	some.Result.Artifacts = []akitad.File{{Name: "f", Size: 1}, {Name: "g", Size: 1}, {Name: "f", Size: 2}}
	done := map[string]plan.Outcome{"many/2": data(`{"n": 3}`), "many/0": ok("first"), "many/1": bad("slow"), "lost": bad("gone"), "late": some}
	got := plan.Envelope(p, done, plan.Env{})
	var lines []string
	for _, r := range got {
		lines = append(lines, fmt.Sprintf("%s %s %q %s %v %q", r.Step, r.State, r.Text, r.Data, r.Partial, r.Reason))
	}
	want := []string{
		`late completed "some"  true "the rest"`,
		`many completed "first\n\nsaid" [{"text":"first"},null,{"n":3}] true "many/1: timeout: slow"`,
		`lost failed ""  false "timeout: gone"`,
		`after blocked ""  false "needs lost, which failed: timeout: gone"`,
		`open running ""  false ""`,
	}
	if !slices.Equal(lines, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines, "\n"), strings.Join(want, "\n"))
	}
	if missing := plan.Missing(got); !slices.Equal(missing, []string{"late: the rest", "many: many/1: timeout: slow", "lost: timeout: gone", "after: needs lost, which failed: timeout: gone", "open"}) {
		t.Errorf("missing %q", missing)
	}
	if want := []akitad.File{{Name: "f", Size: 2}, {Name: "g", Size: 1}}; !slices.Equal(got[0].Files, want) {
		t.Error("artifacts are lost")
	}
}

// TestEveryOrderOfEnds runs drawn plans with drawn outcomes in a drawn order of ends.
func TestEveryOrderOfEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		if err := plan.Validate(p, plan.Known{}); err != nil {
			t.Fatal(err)
		}
		env := plan.Env{Params: p.Params}
		fate := map[string]plan.Outcome{}
		run := func(name string) (map[string]plan.Outcome, plan.Frontier) {
			done, started := map[string]plan.Outcome{}, map[string]bool{}
			for turn := 0; ; turn++ {
				f := plan.Next(p, done, env, nil)
				if again := plan.Next(p, maps.Clone(done), env, nil); !reflect.DeepEqual(f, again) {
					t.Fatal("Next says two things about one state")
				}
				checkFrontier(t, p, done, started, f)
				if f.Finished {
					return done, f
				}
				if turn > 200 {
					t.Fatal("the plan does not end")
				}
				if len(f.Ready) == 0 {
					for _, n := range f.NeedsAnswer {
						o, drawn := fate[n.ID]
						if drawn && o.Decision != "" {
							done[n.ID] = o
							continue
						}
						o = done[n.ID]
						o.Decision = rapid.SampledFrom([]string{"skip", "fail"}).Draw(t, "answer")
						fate[n.ID], done[n.ID] = o, o
					}
					continue
				}
				for _, r := range f.Ready {
					started[r.ID] = true
				}
				r := f.Ready[rapid.IntRange(0, len(f.Ready)-1).Draw(t, name)]
				if _, drawn := fate[r.ID]; !drawn {
					fate[r.ID] = rapid.SampledFrom([]plan.Outcome{ok("t"), data(`{"text": "u"}`), bad("b"), {State: akitad.WasCancelled}}).Draw(t, "fate")
				}
				done[r.ID] = fate[r.ID]
			}
		}
		first, f := run("first")
		total := map[string]int{}
		for _, list := range [][]plan.Note{f.Done, f.Skipped, f.Blocked, f.Failed} {
			for _, n := range list {
				if n.ID == n.Step {
					total[n.Step]++
				}
			}
		}
		for _, s := range p.Steps {
			if total[s.ID] != 1 {
				t.Fatalf("step %s ends %d times: %+v", s.ID, total[s.ID], f)
			}
		}
		if len(f.Ready)+len(f.NeedsAnswer) > 0 {
			t.Fatalf("finished with work left: %+v", f)
		}
		second, g := run("second")
		if !reflect.DeepEqual(f, g) || !reflect.DeepEqual(plan.Envelope(p, first, env), plan.Envelope(p, second, env)) {
			t.Fatal("the order of ends changes what comes out")
		}
		for i, r := range plan.Envelope(p, first, env) {
			if r.Step != p.Steps[i].ID {
				t.Fatalf("result %d is of %s", i, r.Step)
			}
		}
	})
}

// checkFrontier checks one state: nothing starts before what it needs, what was started and has
// not ended stays ready, and only marked steps overlap.
func checkFrontier(t *rapid.T, p akitad.Plan, done map[string]plan.Outcome, started map[string]bool, f plan.Frontier) {
	settled := map[string]bool{}
	for _, list := range [][]plan.Note{f.Done, f.Skipped, f.Blocked, f.Failed} {
		for _, n := range list {
			settled[n.ID] = true
		}
	}
	byID := map[string]akitad.Step{}
	for _, s := range p.Steps {
		byID[s.ID] = s
	}
	running := map[string]bool{}
	ready := map[string]int{}
	for _, r := range f.Ready {
		if _, ended := done[r.ID]; ended {
			t.Fatalf("%s is ready and has ended", r.ID)
		}
		id, _, _ := strings.Cut(r.ID, "/")
		running[id] = true
		ready[id]++
		for _, need := range plan.Needs(byID[id]) {
			if !settled[need] {
				t.Fatalf("%s starts before %s has ended", r.ID, need)
			}
		}
		delete(started, r.ID)
	}
	for id := range started {
		if _, ended := done[id]; !ended {
			t.Fatalf("%s was started and is no longer ready", id)
		}
		delete(started, id)
	}
	for id, n := range ready {
		if s := byID[id]; s.ForEach != "" && n > max(s.MaxParallel, 1) && (s.MaxParallel > 0 || n > 8) {
			t.Fatalf("%d items of %s run at once", n, id)
		}
		for other := range running {
			if other != id && !(byID[id].Parallel && byID[other].Parallel) {
				t.Fatalf("%s and %s overlap", id, other)
			}
		}
	}
}
