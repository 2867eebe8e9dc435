package plan_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/plan"
)

const flow = `goal: report
params:
  city: {type: string, default: Berlin}
  days: 3
steps:
  - id: fetch
    tool: read_file
    with: {path: "in/${{ params.city }}.log"}
    timeout: 30s
    output: {type: object, properties: {rows: {type: array}, count: {type: integer}}}
  - id: look
    agent: analyst
    goal: Look at ${{ item.name }} of ${{ params.city }}.
    for_each: ${{ steps.fetch.output.rows }}
    max_parallel: 2
    when: steps.fetch.output.count > 0 and not empty params.city
    on_error: skip
  - id: sum
    model: main
    prompt: |
      Put together: ${{ steps.look.output }}
    needs: [look]
    verify: go test ./...
`

var known = plan.Known{
	Tools:    []string{"read_file", "write_file", "run_shell"},
	Profiles: []string{"analyst", "writer", "assistant"},
	Roles:    []string{"main", "planner"},
	Tags:     []string{"code"},
	Waiting:  []string{"ask_user"},
}

func TestParse(t *testing.T) {
	p, err := plan.Check(flow, known)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Steps) != 3 || p.Steps[0].With["path"] != "in/${{ params.city }}.log" || p.Steps[1].MaxParallel != 2 || p.Params["days"] != 3 {
		t.Errorf("got %+v", p)
	}
	if v := p.Steps[2].Verify; v == nil || v.Command != "go test ./..." {
		t.Errorf("the short form of verify is its command: %+v", v)
	}
	if got := plan.Needs(p.Steps[1]); !reflect.DeepEqual(got, []string{"fetch"}) {
		t.Errorf("a step needs what it uses: %v", got)
	}
}

func TestParseSurvives(t *testing.T) {
	body := "goal: a\nsteps:\n  - id: x\n    agent: analyst\n    goal: look: closely\n    needs: []\n"
	for name, text := range map[string]string{
		"fence and prose":     "Plan:\n```yaml\n" + body + "```\nThat is it.",
		"thinking":            "<thinking>steps: none?</thinking>\n" + body,
		"tabs":                strings.ReplaceAll(body, "  ", "\t"),
		"full-width colons":   strings.NewReplacer("id: ", "id：", "agent: ", "agent：", "steps:", "steps：").Replace(body),
		"curly quotes":        strings.Replace(body, "analyst", "“analyst”", 1),
		"json":                `{"goal":"a","steps":[{"id":"x","agent":"analyst","goal":"look: closely","needs":[]}]}`,
		"no-break spaces":     strings.ReplaceAll(body, "  ", "\u00a0\u00a0"),
		"byte order and crlf": "\ufeff" + strings.ReplaceAll(body, "\n", "\r\n"),
	} {
		p, err := plan.Parse(text)
		if err != nil || len(p.Steps) != 1 || p.Steps[0].ID != "x" || p.Steps[0].Agent != "analyst" || p.Steps[0].Goal != "look: closely" {
			t.Errorf("%s: %+v, %v", name, p, err)
		}
	}
	for _, none := range []string{"steps: []", "goal: x\nsteps: []\n", "```\nsteps: []\n```"} {
		if p, err := plan.Check(none, known); err != nil || p.Steps == nil || len(p.Steps) != 0 {
			t.Errorf("%q is a plan that does not split: %+v, %v", none, p, err)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"goal: x\n", "line 1: the plan has no steps"},
		{"goal: [", "line 1: a bracket that is opened here is not closed"},
		{"goal: x\nsteps:\n  - id: a\n    tool: grep\n    with: {pattern: ^[A-Z]+: x, path: .}\n", "line 5: what stands in the brackets cannot be read"},
		{"steps: null\n", "the plan has no steps"},
		{"step: []\n", `line 1: unknown key "step", did you mean steps?`},
		{"steps:\n  - id: a\n    need: [b]\n", `line 3: unknown key "need" in steps[0], did you mean needs?`},
		{"steps:\n  - id: a\n    agent: Data Analyst\n", `line 3, step a: agent "Data Analyst" is not a valid name`},
		{"steps:\n  - agent: x\n", `line 2: id "" is not a valid name`},
		{"steps:\n  - id: A b\n", `line 2, step A b: id "A b" is not a valid name`},
		{"steps:\n  - id: a\n    needs: b\n", "line 3: steps[0].needs must be a list"},
		{"steps:\n  -id: a\n", "line 2: steps must be a list"},
		{"steps:\n  a: {agent: x}\n", "steps must be a list, not a mapping"},
		{"steps: []\nsteps: [a]\n", `line 2: mapping key "steps" already defined`},
		{"steps: []\n---\nsteps:\n- id: a\n", "a second document with other content"},
	} {
		_, err := plan.Parse(tt.in)
		if err == nil || !strings.Contains(err.Error(), tt.want) || akitad.KindOf(err) != akitad.InvalidRequest {
			t.Errorf("%q: got %v, want %s", tt.in, err, tt.want)
		}
	}
}

// step gives a plan of one valid agent step and the given lines for a second one.
func step(lines ...string) string {
	return "params:\n  n: {type: integer}\n  d: x\nsteps:\n  - id: one\n    agent: analyst\n    goal: g\n    output: {type: object, properties: {rows: {type: array}}}\n  - id: two\n    " + strings.Join(lines, "\n    ") + "\n"
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
	}{
		{"unknown need", step("agent: writer", "goal: g", "needs: [ome]"), []string{`line 12, step two: step "ome" is not known. Did you mean one?`}},
		{"unknown need, nothing near", step("agent: writer", "goal: g", "needs:", "  - one", "  - banana"), []string{`line 14, step two: step "banana" is not known. Known are one.`}},
		{"own need", step("agent: writer", "goal: g", "needs: [two]"), []string{"the step needs itself"}},
		{"unknown tool", step("tool: read_fil"), []string{`line 10, step two: tool "read_fil" is not known. Did you mean read_file?`}},
		{"a tool that waits", step("tool: ask_user"), []string{`line 10, step two: tool "ask_user" waits for somebody else, which a step cannot. Let an agent call it`}},
		{"unknown profile", step("agent: poet", "goal: g"), []string{`agent "poet" is not known. Known are analyst, assistant, writer.`}},
		{"unknown role", step("model: large", "prompt: p"), []string{`model "large" is not known. Known are main, planner.`}},
		{"a model for a tool", step("tool: read_file", "model: main"), []string{"the step is tool and model"}},
		{"unknown model of an agent", step("agent: writer", "goal: g", "model: large"), []string{`model "large" is not known`}},
		{"a prompt beside an agent's model", step("agent: writer", "goal: g", "model: main", "prompt: p"), []string{"the step is model and agent"}},
		{"unknown tag", step("model: main", "prompt: p", "tags: [vision]"), []string{`line 12, step two: no endpoint has the tag "vision". Known are code.`}},
		{"tags of a tool", step("tool: read_file", "tags: [code]"), []string{"tags belongs to model, and this step has tool"}},
		{"no kind", step("goal: g"), []string{"the step is neither tool, model nor agent"}},
		{"two kinds", step("agent: writer", "goal: g", "tool: read_file"), []string{"the step is tool and agent"}},
		{"agent without goal", step("agent: writer"), []string{"line 10, step two: a step with agent needs goal"}},
		{"model without prompt", step("model: main"), []string{"a step with model needs prompt"}},
		{"prompt for an agent", step("agent: writer", "goal: g", "prompt: p"), []string{"line 12, step two: prompt belongs to model, and this step has agent"}},
		{"same id", strings.Replace(step("agent: writer", "goal: g"), "id: two", "id: one", 1), []string{`line 9, step one: id "one" is taken by an earlier step`}},
		{"cycle", step("agent: writer", "goal: g", "needs: [three]") + "  - id: three\n    agent: writer\n    goal: use ${{ steps.two.output.text }}\n", []string{"the steps need each other: two -> three -> two"}},
		{"unknown step in a value", step("agent: writer", "goal: see ${{ steps.on.output.rows }}"), []string{`line 11, step two: step "on" is not known. Did you mean one?`}},
		{"unknown path", step("agent: writer", "goal: see ${{ steps.one.output.row }}"), []string{`the output of step one has no "row". Did you mean rows?`}},
		{"unknown parameter", step("agent: writer", "goal: see ${{ params.m }}"), []string{`line 11, step two: parameter "m" is not declared. Did you mean d?`}},
		{"bad reference", step("agent: writer", "goal: see ${{ step.one }}"), []string{`line 11, step two: goal: "step.one" is no reference`}},
		{"no output in reference", step("agent: writer", "goal: see ${{ steps.one.text }}"), []string{"steps.one has only an output"}},
		{"open expression", step("agent: writer", "goal: see ${{ steps.one.output"), []string{"a ${{ is never closed"}},
		{"a template's braces", step("agent: writer", "goal: see {{ steps.one.output.text }}"), []string{"line 11, step two: {{ steps.one.output.text }} is not replaced in goal. Write ${{ steps.one.output.text }}."}},
		{"a shell's braces", step("tool: write_file", "with: {path: a, content: 'on ${params.d}'}"), []string{"${params.d} is not replaced in with. Write ${{ params.d }}."}},
		{"item outside", step("agent: writer", "goal: see ${{ item }}"), []string{"item means nothing in goal"}},
		{"item in when", step("agent: writer", "goal: g", "for_each: [a]", "when: item == 1"), []string{"item means nothing in when"}},
		{"bad when", step("agent: writer", "goal: g", "when: params.n = 3"), []string{`line 12, step two: when: write "==" in place of "="`}},
		{"unquoted word in when", step("agent: writer", "goal: g", "when: params.d == yes"), []string{`"yes" is no reference (text needs quotes)`}},
		{"unknown in when", step("agent: writer", "goal: g", "when: steps.none.output.ok"), []string{`step "none" is not known`}},
		{"bad for_each", step("agent: writer", "goal: g", "for_each: many"), []string{`line 12, step two: for_each: "many" is no reference`}},
		{"bad schema", step("agent: writer", "goal: g", "output: {type: obj}"), []string{"line 12, step two: output is not a JSON Schema: at '/type'"}},
		{"remote schema", step("agent: writer", "goal: g", `output: {$ref: "http://127.0.0.1:1/x"}`), []string{"references to other documents are not followed"}},
		{"bad parameter schema", "params:\n  n: {type: many}\nsteps: []\n", []string{`line 2: parameter "n": not a JSON Schema`}},
		{"bad timeout", step("agent: writer", "goal: g", "timeout: 5 minutes"), []string{`line 12, step two: timeout "5 minutes" is no time from 1ms to 24h. Write for example 30s`}},
		{"bare timeout", step("agent: writer", "goal: g", "timeout: 30"), []string{`timeout "30" is no time`}},
		{"long timeout", step("agent: writer", "goal: g", "timeout: 25h"), []string{`timeout "25h" is no time`}},
		{"bad on_error", step("agent: writer", "goal: g", "on_error: ignore"), []string{`on_error "ignore" is not known. Known are ask, fail, skip.`}},
		{"bad context", step("agent: writer", "goal: g", "context: share"), []string{`context "share" is not known. Did you mean shared?`}},
		{"bad retry", step("agent: writer", "goal: g", "retry: 11"), []string{"retry 11 is not from 0 to 10"}},
		{"max_parallel alone", step("agent: writer", "goal: g", "max_parallel: 2"), []string{"max_parallel belongs to for_each"}},
		{"empty verify", step("agent: writer", "goal: g", "verify: {}"), []string{"verify is a command or a schema"}},
		{"several at once", step("tool: rm", "needs: [x]", "on_error: no"), []string{`tool "rm" is not known`, `step "x" is not known`, `on_error "no" is not known`}},
		{"too many", "steps:\n" + strings.Repeat("  - {id: a, agent: writer, goal: g}\n", 65), []string{"line 1: the plan has 65 steps, more than 64", "and "}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := plan.Check(tt.in, known)
			if err == nil {
				t.Fatal("accepted")
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got  %v\nwant %s", err, want)
				}
			}
			problems, ok := errors.AsType[plan.Problems](err)
			if akitad.KindOf(err) != akitad.InvalidRequest || !ok || akitad.FailureOf(err).Hint != problems[0].Hint {
				t.Errorf("not problems with a hint: %#v", err)
			}
			for _, p := range problems {
				if p.Line == 0 {
					t.Errorf("no line: %s", p)
				}
			}
		})
	}
}

func TestValidateAccepts(t *testing.T) {
	for name, in := range map[string]string{
		"text of any output":   step("agent: writer", "goal: see ${{ steps.one.output.text }}"),
		"index and item":       step("agent: writer", "goal: ${{ index }} ${{ item.a[0] }}", "for_each: ${{ steps.one.output.rows }}"),
		"for_each of a list":   step("agent: writer", "goal: ${{ item }}", "for_each: [a, b]"),
		"for_each of lines":    step("agent: writer", "goal: ${{ item }}", "for_each:", "  - a", "  - ${{ params.d }}"),
		"for_each of objects":  step("agent: writer", "goal: '${{ item.name }}'", "for_each:", "  - name: a", "  - {name: b}"),
		"for_each over lines":  step("agent: writer", "goal: ${{ item }}", "for_each: [a,", "    b]"),
		"others' braces":       step("tool: write_file", "with: {path: a, content: '{{ .Name }} {{ params.other }} {{ steps.none.output }} ${HOME} ${{ params.d }} {{ item }} {{steps}}'}"),
		"bare for_each":        step("agent: writer", "goal: ${{ item }}", "for_each: steps.one.output.rows"),
		"ids with - and _":     "steps:\n  - {id: a-b_c, agent: writer, goal: g}\n  - {id: d, agent: writer, goal: 'see ${{ steps.a-b_c.output.text }}', when: 'steps.a-b_c.output.n > -1'}\n",
		"a need that is later": "steps:\n  - {id: b, agent: writer, goal: g, needs: [a]}\n  - {id: a, agent: writer, goal: g}\n",
		"open output":          "steps:\n  - {id: a, agent: writer, goal: g, output: {type: object, properties: {x: {}}, additionalProperties: true}}\n  - {id: b, agent: writer, goal: '${{ steps.a.output.y }}'}\n",
	} {
		if _, err := plan.Check(in, known); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	p, err := plan.Parse(step("agent: poet", "goal: g"))
	if err != nil || plan.Validate(p, plan.Known{}) != nil {
		t.Error("nothing known leaves names unchecked")
	}
	if plan.Validate(p, plan.Known{Profiles: []string{}}) == nil {
		t.Error("an empty list knows nothing")
	}
}

func TestToolArguments(t *testing.T) {
	k := plan.Known{ToolSchemas: map[string]json.RawMessage{"read_file": json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"limit":{"type":"integer"}},"required":["path"],"additionalProperties":false}`)}}
	for _, tt := range []struct{ with, want string }{
		{"{path: a}", ""},
		{"{path: a, limit: 3}", ""},
		{"{path: '${{ params.d }}', limit: '${{ params.n }}'}", ""},
		{"{limit: 3}", "tool read_file needs \"path\""},
		{"{path: a, limit: many}", "tool read_file: at '/limit': got string, want integer"},
		{"{pth: '${{ params.d }}'}", `tool read_file needs "path"`},
		{"{path: a, limi: '${{ params.n }}'}", `tool read_file takes no "limi". Did you mean limit?`},
	} {
		_, err := plan.Check(step("tool: read_file", "with: "+tt.with), k)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %q", tt.with, err, tt.want)
		}
	}
}

func TestParams(t *testing.T) {
	p, err := plan.Parse("params:\n  city: {type: string}\n  days: {type: integer, default: 3, minimum: 1}\n  deep: false\n  tags: [a]\n  note: hi\nsteps: []\n")
	if err != nil {
		t.Fatal(err)
	}
	got, err := plan.Params(p, map[string]any{"city": "5", "days": "7", "deep": "true", "tags": `["x"]`})
	want := map[string]any{"city": "5", "days": 7, "deep": true, "tags": []any{"x"}, "note": "hi"}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, %v", got, err)
	}
	for name, given := range map[string]map[string]any{
		`parameter "city" is missing`:                                   nil,
		`parameter "cty" is not known. Did you mean city?`:              {"city": "x", "cty": "x"},
		`parameter "days": at '': got string, want integer`:             {"city": "x", "days": "many"},
		`parameter "days": at '': minimum: got 0, want 1`:               {"city": "x", "days": 0},
		`parameter "city": at '': got number, want string`:              {"city": 5},
		"parameter \"city\" is missing. Give it, or declare a default.": {"days": 1},
	} {
		if _, err := plan.Params(p, given); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v: got %v, want %s", given, err, name)
		}
	}
	if _, err := plan.Check("params: {a: {type: string}}\nsteps: []\n", plan.Known{Params: map[string]any{}}); err == nil || !strings.Contains(err.Error(), `line 1: parameter "a" is missing`) {
		t.Errorf("got %v", err)
	}
}

func TestConforms(t *testing.T) {
	schema := map[string]any{"type": "object", "required": []any{"n"}, "properties": map[string]any{"n": map[string]any{"type": "integer"}}}
	if err := plan.Conforms(schema, json.RawMessage(`{"n": 1}`)); err != nil {
		t.Error(err)
	}
	for in, want := range map[string]string{`{}`: "missing property 'n'", `{"n":"x"}`: "at '/n': got string, want integer", `{`: "not JSON"} {
		if err := plan.Conforms(schema, json.RawMessage(in)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", in, err, want)
		}
	}
}

// drawPlan draws a plan whose needs all point to other steps, without cycles, in any order.
func drawPlan(t *rapid.T) akitad.Plan {
	n := rapid.IntRange(0, 8).Draw(t, "steps")
	p := akitad.Plan{Steps: make([]akitad.Step, n)}
	ids := []string{"a", "b-1", "c_2", "d", "e", "f", "g", "h"}
	for i := range n {
		s := akitad.Step{
			ID: ids[i], Agent: "analyst", Goal: "g",
			Parallel: rapid.Bool().Draw(t, "parallel"),
			OnError:  rapid.SampledFrom([]string{"", "fail", "skip", "ask"}).Draw(t, "on_error"),
		}
		for j := range i {
			switch rapid.IntRange(0, 5).Draw(t, "need") {
			case 0:
				s.Needs = append(s.Needs, ids[j])
			case 1:
				s.Goal += " ${{ steps." + ids[j] + ".output.text }}"
			}
		}
		if rapid.IntRange(0, 4).Draw(t, "when") == 0 {
			s.When = rapid.SampledFrom([]string{"params.yes", "not params.yes", "params.n > 2"}).Draw(t, "expr")
		}
		if rapid.IntRange(0, 3).Draw(t, "each") == 0 {
			s.ForEach, s.MaxParallel = "params.list", rapid.IntRange(0, 3).Draw(t, "wide")
			s.Goal += " ${{ item }}"
		}
		p.Steps[i] = s
	}
	p.Params = map[string]any{"yes": true, "n": 3, "list": []any{"x", "y", "z"}}
	perm := rapid.Permutation(p.Steps).Draw(t, "order")
	p.Steps = append([]akitad.Step{}, perm...)
	return p
}

func TestMarshalReadsBack(t *testing.T) {
	texts := rapid.OneOf(rapid.SampledFrom([]string{"no", "null", "1e3", "0123", "- a", "a: b", "#x", "*a*", "x # y", "'", `"q"`, "{a}", "[b", "%d", "a\nb", "a\n\n  b\n", "：", "```\nx\n```", "<think>", "${{ params.n }}", "---", "  lead", "trail  ", "\t", "“x”", "|", ">-", "é", "\u2028", "a:", ": b", "true", "~", "=", "!x", "&y", "@z", "`w`", "? k", "\\d+", "a\tb\n"}), rapid.StringMatching(`[a-z0-9 :#'"\-]{0,20}`))
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		p.Goal = texts.Draw(t, "goal")
		for i := range p.Steps {
			p.Steps[i].Goal = texts.Draw(t, "step goal")
			if rapid.Bool().Draw(t, "with") {
				p.Steps[i].With = map[string]any{"k": texts.Draw(t, "value"), "l": []any{texts.Draw(t, "item"), 1, 1.5, true, nil}, texts.Draw(t, "key") + "k": map[string]any{}}
			}
			p.Steps[i].Files = rapid.SliceOfN(texts, 0, 2).Draw(t, "files")
		}
		text := plan.Marshal(p)
		got, err := plan.Parse(text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		a, _ := json.Marshal(p)
		b, _ := json.Marshal(got)
		if string(a) != string(b) {
			t.Fatalf("wrote\n%s\nfrom %s\nread %s", text, a, b)
		}
	})
}

func FuzzParse(f *testing.F) {
	f.Add(flow)
	f.Add("steps:\n- id：a\n  agent：b\n  goal：x: y\n")
	f.Add("```yaml\nsteps: [{id: a, tool: t, with: {x: ${{ steps.b.output[0] }}}}]\n```")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := plan.Check(text, plan.Known{})
		if err != nil {
			return
		}
		if err := plan.Validate(p, plan.Known{}); err != nil {
			t.Errorf("%q checks but does not validate: %v", text, err)
		}
		out := plan.Marshal(p)
		if _, err := plan.Check(out, plan.Known{}); err != nil {
			t.Errorf("%q\nwrites\n%s\nwhich does not read: %v", text, out, err)
		}
	})
}

// TestWordsKeepNumberSigns holds that what an agent is to do is not cut off at "#12", and that comments are comments.
func TestWordsKeepNumberSigns(t *testing.T) {
	p, err := plan.Parse("goal: close #7 # today\nsteps:\n  - id: a # first\n    agent: writer #1\n    goal: Close issue #12: it is done\n    retry: 2 #two\n")
	if err != nil || p.Goal != "close #7" || p.Steps[0].Goal != "Close issue #12: it is done" || p.Steps[0].Retry != 2 || p.Steps[0].Agent != "writer" {
		t.Errorf("%+v, %v", p, err)
	}
}
