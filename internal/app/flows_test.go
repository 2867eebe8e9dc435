package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/app"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/flow"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// keepFlow puts a flow into the home of a house and gives its version.
func keepFlow(t *testing.T, a *app.App, name, body string) string {
	t.Helper()
	if err := os.MkdirAll(a.Config.Path.Flows, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a.Config.Path.Flows, name+".yaml"), []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return flow.HashOf(body)
}

// example puts one of the worked examples into a home.
func example(t *testing.T, a *app.App, name string) {
	t.Helper()
	body, err := os.ReadFile("../../examples/flows/" + name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	keepFlow(t, a, name, string(body))
}

// given are the files of an example.
func given(t *testing.T, pattern string) []akitad.InputFile {
	t.Helper()
	names, err := filepath.Glob("../../examples/flows/" + pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("no file is named %s (%v)", pattern, err)
	}
	var out []akitad.InputFile
	for _, name := range names {
		abs, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, akitad.InputFile{Path: abs})
	}
	return out
}

// in reads a file of a task's folder.
func in(t *testing.T, a *app.App, task *journal.Task, name string) string {
	t.Helper()
	body, err := os.ReadFile(filepath.Join(a.Config.Path.Files, task.Sub.Folder, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// output gives what a step of a task came to.
func output(t *testing.T, task *journal.Task, step string) map[string]any {
	t.Helper()
	for _, c := range task.Children {
		if c.Run != step {
			continue
		}
		if c.Result == nil {
			t.Fatalf("step %s: %s %+v", step, c.State, c.Error)
		}
		var out map[string]any
		if err := json.Unmarshal(c.Result.Data, &out); err != nil {
			t.Fatalf("step %s gives %s: %v", step, c.Result.Text, err)
		}
		return out
	}
	t.Fatalf("there is no step %s", step)
	return nil
}

// The log goes into the database, each sale once; the same log again changes nothing, not a byte.
func TestSalesLogExample(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Says(`{"amount":75.49,"sales":3,"shop":"south"}`), llmtest.Text("South sold most."))
	a := start(t, script, nil)
	example(t, a, "sales-log")
	req := akitad.TaskRequest{Flow: "sales-log", Session: "shop", Files: given(t, "sales/*.log")}
	first := ended(t, a, submit(t, a, req))
	if first.State != akitad.Completed || first.Result.Text != "South sold most." || first.Result.Partial {
		t.Fatalf("%s %+v %+v", first.State, first.Result, first.Error)
	}
	if u := output(t, first, "unique"); u["total"] != 8.0 || u["dropped"] != 3.0 {
		t.Errorf("%v sales read, %v dropped", u["total"], u["dropped"])
	}
	if s := output(t, first, "store"); s["changes"] != 5.0 || s["changed"] != true {
		t.Errorf("stored %v", s)
	}
	totals := fmt.Sprint(output(t, first, "totals")["rows"])
	if want := "[map[amount:46.15 sales:2 shop:north] map[amount:75.49 sales:3 shop:south]]"; totals != want {
		t.Errorf("totals %s, want %s", totals, want)
	}
	if !slices.ContainsFunc(first.Files, func(f akitad.File) bool { return f.Name == "sales.db" && f.Artifact != "" }) {
		t.Errorf("the database is not kept: %+v", first.Files)
	}
	body := in(t, a, first, "sales.db")
	second := ended(t, a, submit(t, a, req))
	if second.State != akitad.Completed {
		t.Fatalf("%s %+v", second.State, second.Error)
	}
	if s := output(t, second, "store"); s["changes"] != 0.0 || s["changed"] != false {
		t.Errorf("the second run stored %v", s)
	}
	if again := fmt.Sprint(output(t, second, "totals")["rows"]); again != totals {
		t.Errorf("the second run has totals %s", again)
	}
	if second.ID == first.ID || in(t, a, second, "sales.db") != body {
		t.Error("the database is another one")
	}
	left, err := os.ReadDir(filepath.Join(a.Config.Path.Files, second.Sub.Folder))
	if err != nil || len(left) != 3 {
		t.Errorf("the folder has %v (%v)", left, err)
	}
}

// A flow of tools alone asks no model anything: the script has no turn, and fails when it is asked.
func TestNightlyDigestExample(t *testing.T) {
	a := start(t, llmtest.New(t), func(c *config.Config) { c.Compiler = "always" })
	example(t, a, "nightly-digest")
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Flow: "nightly-digest", Params: map[string]any{"top": "5"}, Files: given(t, "logs/*.log")}))
	if got.State != akitad.Completed || got.Result.Partial || got.Usage.Calls != 0 {
		t.Fatalf("%s %+v %+v, %d calls", got.State, got.Result, got.Error, got.Usage.Calls)
	}
	digest := in(t, a, got, "digest.md")
	for _, want := range []string{"# Digest\n", "queue.log\tERROR\t1", "web.log\tERROR\t2", "2\t2026-11-29T02:11:09Z\t2026-11-29T02:14:40Z"} {
		if !strings.Contains(digest, want) {
			t.Errorf("the digest lacks %q:\n%s", want, digest)
		}
	}
	if !strings.Contains(got.Result.Text, "digest.md") || len(got.Result.Artifacts) != 1 || got.Result.Artifacts[0].Name != "digest.md" {
		t.Errorf("the answer is %q with %+v", got.Result.Text, got.Result.Artifacts)
	}
	for _, s := range spansOf(t, a, got.ID) {
		if s.Kind == akitad.SpanLLM {
			t.Errorf("span %s", s.Name)
		}
	}
}

// Two researchers work at the same time; the endpoint hangs for one of them, and the next takes over.
// The report is written, and the answer and the trace say what happened.
func TestCompetitorReportExample(t *testing.T) {
	script := func() *llmtest.Script {
		return llmtest.New(t).
			Always(llmtest.Begins("Research Acme"), submitResult("Acme: 49 a month and seat (acme.md:2)")).
			Always(llmtest.All(llmtest.Begins("Compare the two"), llmtest.Says("acme.md:2"), llmtest.Says("bolt.md:2")), submitResult("Bolt is cheaper from two seats on (acme.md:2, bolt.md:2)")).
			Rounds(llmtest.All(llmtest.Begins("Write report.md"), llmtest.Says("cheaper from two seats")),
				llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "report.md", "content": "# Bolt is cheaper\n\nfrom two seats on (acme.md:2, bolt.md:2)\n"})),
				submitResult("report.md is written: Bolt is cheaper from two seats on."))
	}
	hanging := llmtest.NewServer(t, script().Always(llmtest.Begins("Research Bolt"), submitResult("never").With(llmtest.Hang())), llmtest.Options{})
	sound := llmtest.NewServer(t, script().Always(llmtest.Begins("Research Bolt"), submitResult("Bolt: 900 a year (bolt.md:2)")), llmtest.Options{})
	a := startParts(t, t.TempDir(), nil, app.Parts{Orchestrate: true, Work: true}, func(c *config.Config) {
		c.Endpoints, c.Roles = nil, config.Roles{}
		for name, url := range map[string]string{"alpha": hanging.URL(), "beta": sound.URL()} {
			e := config.Endpoint{Name: name, Protocol: "openai", BaseURL: url, APIKey: config.NewSecret("sk-test-0123456789abcdef"), Model: "m"}
			if name == "alpha" {
				e.FirstByte = time.Second
			}
			c.Endpoints = append(c.Endpoints, e)
		}
		c.Endpoints = append(c.Endpoints, config.Endpoint{Name: "offline", Protocol: "offline"})
		order := []string{"alpha", "beta", "offline"}
		c.Roles = config.Roles{Main: order, Compiler: order, Planner: order, Summarizer: order, Judge: order}
	})
	example(t, a, "competitor-report")
	got := ended(t, a, submit(t, a, akitad.TaskRequest{
		Flow: "competitor-report", Params: map[string]any{"first": "Acme", "second": "Bolt"}, Files: given(t, "notes/*.md"), Lang: "en",
	}))
	if got.State != akitad.Completed || got.Result.Partial {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if report := in(t, a, got, "report.md"); !strings.Contains(report, "# Bolt is cheaper") {
		t.Errorf("report.md: %s", report)
	}
	if d := got.Result.Degraded; len(d) == 0 || d[0].Layer != "endpoint" || d[0].From != "alpha" || d[0].To != "beta" || d[0].Kind != akitad.Timeout {
		t.Errorf("degraded %+v", d)
	}
	lines := strings.Split(strings.TrimSpace(got.Result.Text), "\n")
	if last := lines[len(lines)-1]; len(lines) < 2 || !strings.Contains(last, "alpha") || !strings.Contains(last, "beta") {
		t.Errorf("the last line does not name the failover: %q", got.Result.Text)
	}
	if failed, answered := failover(t, a, got); failed == 0 || answered == 0 {
		t.Errorf("the trace shows %d failed calls at alpha and %d answers of beta", failed, answered)
	}
	first, second := step(t, a, got, "first"), step(t, a, got, "second")
	if first.Profile != "researcher" || second.Profile != "researcher" || !first.Started.Before(second.Ended) || !second.Started.Before(first.Ended) {
		t.Errorf("the researchers did not work at the same time: %s to %s, %s to %s", first.Started, first.Ended, second.Started, second.Ended)
	}
	if len(first.Result.Degraded) != 0 || len(second.Result.Degraded) == 0 {
		t.Errorf("degraded: the first %v, the second %v", first.Result.Degraded, second.Result.Degraded)
	}
}

// failover counts the model calls of the trace that failed at the first endpoint and that the second answered.
func failover(t *testing.T, a *app.App, task *journal.Task) (failed, answered int) {
	t.Helper()
	for _, s := range spansOf(t, a, task.ID) {
		if s.Kind != akitad.SpanLLM {
			continue
		}
		switch endpoint := fmt.Sprint(s.Attributes["endpoint"]); {
		case endpoint == "alpha" && s.Status == "ERROR":
			failed++
		case endpoint == "beta" && s.Status == "OK":
			answered++
		}
	}
	return failed, answered
}

// step gives the task of a plan's step.
func step(t *testing.T, a *app.App, task *journal.Task, id string) *journal.Task {
	t.Helper()
	for _, c := range task.Children {
		if c.Run == id {
			got, err := a.Journal.Load(t.Context(), c.ID)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
	}
	t.Fatalf("there is no step %s", id)
	return nil
}

const twoTools = `goal: say hello
params:
  who: {type: string, enum: [Anna, Bo]}
  times: {type: integer, default: 1}
steps:
  - {id: hello, tool: write_file, with: {path: hello.txt, content: "%s ${{ params.who }} x${{ params.times }}"}}
  - {id: show, tool: read_file, needs: [hello], with: {path: hello.txt}}
`

// Whatever is wrong with a flow or its parameters is said at the door, by name, and no task is made.
func TestFlowsAreCheckedAtTheDoor(t *testing.T) {
	a := start(t, llmtest.New(t), nil)
	keepFlow(t, a, "hello", fmt.Sprintf(twoTools, "Hello"))
	keepFlow(t, a, "broken", "steps:\n  - {id: a, tool: wrte_file}\n")
	for want, req := range map[string]akitad.TaskRequest{
		`there is no flow "nosuch"`:    {Flow: "nosuch"},
		`there is no flow "../hello"`:  {Flow: "../hello"},
		`line 2, step a`:               {Flow: "broken"},
		`parameter "who" is missing`:   {Flow: "hello"},
		`parameter "who": `:            {Flow: "hello", Params: map[string]any{"who": "Carl"}},
		`parameter "times": `:          {Flow: "hello", Params: map[string]any{"who": "Bo", "times": "twice"}},
		`parameter "whom" is not know`: {Flow: "hello", Params: map[string]any{"who": "Bo", "whom": 1}},
		`both a plan and a flow`:       {Flow: "hello", Plan: "steps: []", Params: map[string]any{"who": "Bo"}},
	} {
		_, err := a.Orchestrator.Submit(t.Context(), "http", req)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v gives %v, want %q", req, err, want)
		}
	}
}

// A task runs the flow as it was when it was asked for, and says which version that was; an edit
// counts from the next run on. Here the first waits for its turn while the file changes.
func TestEditedFlowCountsForTheNextRun(t *testing.T) {
	held := llmtest.NewHold()
	a := start(t, llmtest.New(t).On(llmtest.Begins("long talk"), llmtest.Text("done").Held(held)), nil)
	before := keepFlow(t, a, "hello", fmt.Sprintf(twoTools, "Hello"))
	params := map[string]any{"who": "Anna", "times": "3"}
	talk := submit(t, a, akitad.TaskRequest{Text: "long talk", Session: "s"})
	<-held.Arrived()
	queued := submit(t, a, akitad.TaskRequest{Flow: "hello", Params: params, Session: "s"})
	after := keepFlow(t, a, "hello", fmt.Sprintf(twoTools, "Bye"))
	held.Release()
	ended(t, a, talk)
	for id, want := range map[akitad.TaskID][2]string{
		queued: {before, "Hello Anna x3"}, submit(t, a, akitad.TaskRequest{Flow: "hello", Params: params}): {after, "Bye Anna x3"},
	} {
		got := ended(t, a, id)
		if got.State != akitad.Completed || !strings.Contains(got.Result.Text, want[1]) {
			t.Errorf("%s %+v %+v, want %q", got.State, got.Result, got.Error, want[1])
		}
		if v := got.View(); v.Flow != "hello" || v.FlowHash != want[0] || v.Text != "say hello" {
			t.Errorf("it shows flow %s %s, text %q; want version %s", v.Flow, v.FlowHash, v.Text, want[0])
		}
	}
}

// A message whose flow is gone when it is accepted is refused, once, and the person is told; the same
// message again changes nothing.
func TestFlowThatIsGone(t *testing.T) {
	a := start(t, llmtest.New(t), nil)
	m := akitad.Message{ID: "schedule:1", Task: akitad.DeriveTaskID("schedule", "1"), Flow: "gone", Origin: akitad.Origin{Channel: "schedule"}}
	for range 2 {
		if err := a.Orchestrator.Accept(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	got := ended(t, a, m.Task)
	if got.State != akitad.Failed || got.Error.Kind != akitad.NotFound || !strings.Contains(got.Error.Message, `"gone"`) {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	body := keepFlow(t, a, "gone", fmt.Sprintf(twoTools, "Hello"))
	m.ID, m.Task, m.Params = "schedule:2", akitad.DeriveTaskID("schedule", "2"), map[string]any{"who": "Bo"}
	if err := a.Orchestrator.Accept(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(a.Config.Path.Flows, "gone.yaml")); err != nil {
		t.Fatal(err)
	}
	if err := a.Orchestrator.Accept(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got := ended(t, a, m.Task); got.State != akitad.Completed || got.Sub.FlowHash != body {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}

// An agent runs a flow as a tool: the flow is a task of its own below the agent's, its steps are below
// that, and its result is the tool's. A wrong parameter is an observation.
func TestAgentRunsAFlow(t *testing.T) {
	runFlow := func(params map[string]any) akitad.Call {
		return llmtest.Call("run_flow", map[string]any{"name": "hello", "params": params})
	}
	script := llmtest.New(t).Rounds(llmtest.Begins("greet Anna"),
		llmtest.Calls(llmtest.Call("list_flows", map[string]any{})),
		llmtest.Calls(runFlow(map[string]any{"who": "Zoe"}), runFlow(map[string]any{"who": "Anna"})),
		llmtest.Text("Greeted."))
	a := start(t, script, nil)
	hash := keepFlow(t, a, "hello", fmt.Sprintf(twoTools, "Hello"))
	got := ended(t, a, submit(t, a, akitad.TaskRequest{Text: "greet Anna"}))
	if got.State != akitad.Completed || got.Result.Text != "Greeted." || len(got.Children) != 1 {
		t.Fatalf("%s %+v %+v", got.State, got.Result, got.Error)
	}
	if list := got.Rounds[0].Results[0].Text; !strings.Contains(list, `hello - say hello; params: times (integer, default 1), who (string, required, one of ["Anna","Bo"])`) {
		t.Errorf("the flows are %s", list)
	}
	wrong, right := got.Rounds[1].Results[0], got.Rounds[1].Results[1]
	if wrong.Error == nil || !strings.Contains(wrong.Error.Message, `"who"`) || !strings.Contains(right.Text, "Hello Anna x1") {
		t.Errorf("observations %+v and %+v", wrong, right)
	}
	child, err := a.Journal.Load(context.Background(), got.Children[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if child.Sub.Flow != "hello" || child.Sub.FlowHash != hash || child.Sub.Depth != 1 || len(child.Children) != 2 || child.Handed {
		t.Errorf("the flow's task: %+v", child.Sub)
	}
	if in(t, a, got, "hello.txt") != "Hello Anna x1" || len(got.Files) == 0 {
		t.Errorf("files %+v", got.Files)
	}
}

// A flow that is asked for while a task of the conversation waits for an answer is no answer: it waits
// for its turn.
func TestFlowIsNoAnswer(t *testing.T) {
	script := llmtest.New(t).Rounds(llmtest.Begins("which one"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "A or B?"})), llmtest.Text("B it is."))
	a := start(t, script, nil)
	keepFlow(t, a, "hello", fmt.Sprintf(twoTools, "Hello"))
	accept := func(id string, m akitad.Message) akitad.TaskID {
		m.ID, m.Task, m.Session, m.Origin = id, akitad.DeriveTaskID("telegram", id), akitad.DeriveSessionKey("s"), akitad.Origin{Channel: "telegram", Chat: "1", Sender: "7", Lang: "en"}
		if err := a.Orchestrator.Accept(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		return m.Task
	}
	asking := accept("1", akitad.Message{Text: "which one"})
	until(t, a, asking, func(t *journal.Task) bool { return t.State == akitad.Waiting && t.Question() != "" })
	asked := accept("2", akitad.Message{Text: "/flow hello", Flow: "hello", Params: map[string]any{"who": "Bo"}})
	queued, err := a.Journal.Load(t.Context(), asked)
	if err != nil || !queued.Exists() || queued.Reason != akitad.ReasonQueued {
		t.Fatalf("the flow is %s (%s), %v", queued.State, queued.Reason, err)
	}
	accept("3", akitad.Message{Text: "B"})
	if got := ended(t, a, asking); got.State != akitad.Completed || got.Result.Text != "B it is." {
		t.Errorf("%s %+v", got.State, got.Error)
	}
	if got := ended(t, a, asked); got.State != akitad.Completed || !strings.Contains(got.Result.Text, "Hello Bo x1") {
		t.Errorf("%s %+v", got.State, got.Error)
	}
}
