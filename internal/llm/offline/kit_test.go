package offline_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline"
	"github.com/akitad/akitad/internal/plan"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/tool/builtin"
	"github.com/akitad/akitad/internal/tool/extract"
	"github.com/akitad/akitad/internal/tool/memtool"
	"github.com/akitad/akitad/memory"
	"github.com/akitad/akitad/workspace"
)

// kit runs the engine against real tools on a real folder, one task after the other.
type kit struct {
	t      testing.TB
	engine *offline.Engine
	dir    *workspace.Dir
	tools  []tool.Tool
	block  []string // names of those in the tool block; nil for all
	rounds int      // of the last task
	said   []string // what the person said before in the conversation
	calls  []akitad.Call
}

func newKit(t testing.TB, files map[string]string) *kit {
	t.Helper()
	w, err := workspace.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir, err := w.Dir("session")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := dir.Place(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	ex, err := extract.New()
	if err != nil {
		t.Fatal(err)
	}
	m, err := memory.Open(t.TempDir(), memory.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tools := append(builtin.All(builtin.Deps{}), ex)
	return &kit{t: t, engine: offline.New(offline.Options{}), dir: dir, tools: append(tools, memtool.New(m, memtool.Options{})...)}
}

// brief tells the engine of the given files.
func (k *kit) brief() llm.Brief {
	files, err := k.dir.Files()
	if err != nil {
		k.t.Fatal(err)
	}
	var b llm.Brief
	for _, f := range files {
		b.Files = append(b.Files, llm.BriefFile{Name: f.Name, Bytes: f.Size})
	}
	return b
}

// ask gives the answer to a person's words, as the root task of one agent.
func (k *kit) ask(words string) string {
	k.t.Helper()
	return k.run(words, k.brief(), false).Text
}

// run drives one task to its end: a text, or submit_result for a child.
func (k *kit) run(words string, brief llm.Brief, child bool) akitad.Result {
	k.t.Helper()
	req := llm.Request{Role: llm.RoleMain}
	for _, said := range k.said {
		req.Messages = append(req.Messages, llm.Message{Speaker: llm.User, Text: said}, llm.Message{Speaker: llm.Assistant, Text: "done"})
	}
	brief.Date = "2026-05-06"
	req.Messages = append(req.Messages, llm.Message{Speaker: llm.User, Text: brief.Append(words)})
	for _, t := range k.tools {
		switch i := t.Info(); {
		case k.block != nil && !slices.Contains(k.block, i.Name):
			req.Beside = append(req.Beside, i.Name)
		case i.Name != "submit_result" || child:
			req.Tools = append(req.Tools, llm.Tool{Name: i.Name, Description: i.Description, Schema: i.Schema})
		}
	}
	seen := map[string]bool{}
	for k.rounds, k.calls = 0, nil; k.rounds < 12; k.rounds++ {
		reply, err := k.engine.Generate(k.t.Context(), req)
		if err != nil {
			k.t.Fatal(err)
		}
		if len(reply.Calls) == 0 {
			return akitad.Result{Text: reply.Text}
		}
		req.Messages = append(req.Messages, reply.Message())
		results := llm.Message{Speaker: llm.ToolReply}
		for _, c := range reply.Calls {
			if key := c.Tool + string(c.Args); seen[key] {
				k.t.Fatalf("the same call twice: %s", key)
			} else {
				seen[key] = true
			}
			k.calls = append(k.calls, c)
			obs, final := k.call(llm.Meant(c))
			if final != nil {
				return *final
			}
			results.Results = append(results.Results, obs)
		}
		req.Messages = append(req.Messages, results)
	}
	k.t.Fatalf("no answer after %d rounds to %q", k.rounds, words)
	return akitad.Result{}
}

// call runs one tool as an agent would.
func (k *kit) call(c akitad.Call) (akitad.Observation, *akitad.Result) {
	obs := akitad.Observation{Call: c.ID, Tool: c.Tool}
	for _, t := range k.tools {
		if t.Info().Name != c.Tool {
			continue
		}
		var args json.RawMessage
		var res tool.Result
		form, err := tool.NewArguments(t.Info())
		if err == nil {
			args, err = form.Prepare(c.Args)
		}
		if err == nil {
			res, err = t.Call(k.t.Context(), tool.Input{Call: c, Args: args, Scope: tool.Scope{Dir: k.dir, Origin: akitad.Origin{Channel: "test", Sender: "7"}}})
		}
		if err != nil {
			obs.Error = akitad.FailureOf(err)
			obs.Text = err.Error()
			return obs, nil
		}
		obs.Text = res.Text
		return obs, res.Final
	}
	obs.Error = &akitad.Failure{Kind: akitad.NotFound, Message: "no such tool " + c.Tool}
	return obs, nil
}

// plan asks the planner.
func (k *kit) plan(words string) akitad.Plan {
	k.t.Helper()
	b := k.brief()
	b.Profiles = []llm.BriefProfile{{Name: "assistant"}, {Name: "analyst"}, {Name: "writer"}}
	reply, err := k.engine.Generate(k.t.Context(), llm.Request{Role: llm.RolePlanner, Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(words)}}})
	if err != nil {
		k.t.Fatal(err)
	}
	p, err := plan.Parse(reply.Text)
	if err != nil {
		k.t.Fatalf("plan: %v\n%s", err, reply.Text)
	}
	return p
}

// team answers as a team does: plan, each part as a child, the last part's answer.
func (k *kit) team(words string) akitad.Result {
	k.t.Helper()
	p := k.plan(words)
	if len(p.Steps) == 0 {
		return k.run(words, k.brief(), false)
	}
	done := map[string]akitad.Result{}
	var last akitad.Result
	for _, st := range p.Steps {
		b := llm.Brief{Request: words}
		for _, f := range k.brief().Files {
			if slices.Contains(st.Files, f.Name) {
				b.Files = append(b.Files, f)
			}
		}
		for _, id := range st.Needs {
			b.Results = append(b.Results, llm.BriefResult{Step: id, Text: done[id].Text, Data: string(done[id].Data)})
		}
		last = k.run(st.Goal, b, true)
		done[st.ID] = last
	}
	return last
}

func (k *kit) read(name string) string {
	k.t.Helper()
	data, err := k.dir.ReadFile(name)
	if err != nil {
		k.t.Fatal(err)
	}
	return string(data)
}

// has fails unless the answer holds each text.
func has(t *testing.T, answer string, wants ...string) {
	t.Helper()
	for _, w := range wants {
		if !strings.Contains(answer, w) {
			t.Errorf("the answer lacks %q:\n%s", w, answer)
		}
	}
}
