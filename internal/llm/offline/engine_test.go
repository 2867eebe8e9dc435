package offline_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/compiler"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/offline"
)

func user(words string, names ...string) llm.Request {
	var b llm.Brief
	for _, n := range names {
		b.Files = append(b.Files, llm.BriefFile{Name: n, Bytes: 1})
	}
	return llm.Request{Role: llm.RoleMain, Messages: []llm.Message{{Speaker: llm.User, Text: b.Append(words)}}}
}

func tools(names ...string) []llm.Tool {
	var out []llm.Tool
	for _, n := range names {
		out = append(out, llm.Tool{Name: n})
	}
	return out
}

func TestServes(t *testing.T) {
	e := offline.New(offline.Options{})
	for words, want := range map[string]bool{
		"How many errors are in a.log?":      true,
		"a.log 里有多少错误？":                      true,
		"What can you do?":                   true,
		"Remember that I like tea":           true,
		"When are refunds paid?":             true,
		"Write a poem about a.log":           false,
		"Translate a.log":                    false,
		"What do you think about a.log?":     false,
		"Write a function that reads a.log":  false,
		"What is the capital of Norway?":     false,
		"写一首诗":                               false,
		"你觉得哪个好？":                            false,
		"Draft an email to Ann about a.log":  false,
		"Implement a script to parse a.log":  false,
		"Should I buy a new car?":            false,
		"Which services failed in the logs?": true,
	} {
		if got := e.Serves(user(words, "a.log")); got != want {
			t.Errorf("Serves(%q) = %v, want %v", words, got, want)
		}
	}
	if e.Serves(user("Tell me something nice")) {
		t.Error("serves a wish about nothing")
	}
	for role, want := range map[llm.Role]bool{llm.RoleCompiler: true, llm.RolePlanner: true, llm.RoleSummarizer: true, llm.RoleJudge: false} {
		req := user("Write a poem")
		req.Role = role
		if got := e.Serves(req); got != want {
			t.Errorf("Serves as %s = %v, want %v", role, got, want)
		}
	}
}

func TestRoles(t *testing.T) {
	e := offline.New(offline.Options{})
	req := user("Count the errors in a.log and write them to b.md. Use at most 100 words.", "a.log")
	req.Role = llm.RoleCompiler
	reply, err := e.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := compiler.Parse(reply.Text)
	if err != nil || spec.Goal == "" || len(spec.Inputs.Given) == 0 {
		t.Errorf("spec %+v, %v\n%s", spec, err, reply.Text)
	}
	if reply.Model != offline.Model || reply.Usage != (akitad.Usage{Calls: 1}) || reply.Finish != llm.FinishStop {
		t.Errorf("reply %+v", reply)
	}
	req.Role = llm.RoleSummarizer
	req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: "There are 7.", Calls: []akitad.Call{{ID: "1", Tool: "grep", Args: json.RawMessage(`{"pattern":"x"}`)}}})
	reply, _ = e.Generate(t.Context(), req)
	has(t, reply.Text, "Count the errors in a.log", "grep", "There are 7.")
	req.Role = llm.RoleJudge
	reply, _ = e.Generate(t.Context(), req)
	has(t, reply.Text, "cannot judge")
}

func TestNothingSaid(t *testing.T) {
	e := offline.New(offline.Options{})
	if _, err := e.Generate(t.Context(), llm.Request{Role: llm.RoleMain}); akitad.KindOf(err) != akitad.InvalidRequest {
		t.Errorf("no message: %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("gone"))
	if _, err := e.Generate(ctx, user("hello")); err == nil || err.Error() != "gone" {
		t.Errorf("ended context: %v", err)
	}
	reply, err := e.Generate(t.Context(), user("How many errors are there?"))
	if err != nil || len(reply.Calls) > 0 {
		t.Fatalf("%+v, %v", reply, err)
	}
	has(t, reply.Text, "I have nothing to answer this from", "the file", "`akitad index add`", "remember")
	reply, _ = e.Generate(t.Context(), user("有多少个错误？"))
	has(t, reply.Text, "没有可以据以回答的内容", "文件", "`akitad index add`", "记住")
}

// TestSameRequestSameReply holds that the engine keeps no state.
func TestSameRequestSameReply(t *testing.T) {
	e := offline.New(offline.Options{})
	req := user("How many errors are there?", "a.log")
	req.Tools = tools("extract")
	a, _ := e.Generate(t.Context(), req)
	b, _ := offline.New(offline.Options{}).Generate(t.Context(), req)
	if fmt.Sprint(a) != fmt.Sprint(b) || len(a.Calls) != 1 || a.Finish != llm.FinishCalls {
		t.Errorf("%+v\n%+v", a, b)
	}
}

// drive answers every call by f until there is a text, and fails on a call made twice.
func drive(t *testing.T, req llm.Request, f func(akitad.Call) akitad.Observation) string {
	t.Helper()
	e := offline.New(offline.Options{})
	seen := map[string]bool{}
	for range 20 {
		reply, err := e.Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if len(reply.Calls) == 0 {
			return reply.Text
		}
		var results []akitad.Observation
		for _, c := range reply.Calls {
			if key := c.Tool + string(c.Args); seen[key] {
				t.Fatalf("the same call twice: %s", key)
			} else {
				seen[key] = true
			}
			obs := f(c)
			obs.Call = c.ID
			results = append(results, obs)
		}
		req.Messages = append(req.Messages, reply.Message(), llm.Message{Speaker: llm.ToolReply, Results: results})
	}
	t.Fatal("no end")
	return ""
}

func failed(kind akitad.Kind, message, hint string) akitad.Observation {
	return akitad.Observation{Text: message, Error: &akitad.Failure{Kind: kind, Message: message, Hint: hint}}
}

// TestToolFails ends with an answer that names what failed, whatever is asked and whichever tool
// it is.
func TestToolFails(t *testing.T) {
	for _, asks := range [][]ask{asksEN, asksZH} {
		for _, a := range asks {
			req := user(a.words, strings.Fields(a.files)...)
			req.Tools = tools("extract", "read_file", "write_file", "grep", "list_directory", "remember", "recall", "time")
			asked := false
			text := drive(t, req, func(akitad.Call) akitad.Observation {
				asked = true
				return failed(akitad.Unavailable, "the disk is on fire", "Call the fire brigade.")
			})
			if asked && !strings.Contains(text, "the disk is on fire") {
				t.Errorf("%s: the failure is not named: %s", a.words, text)
			}
		}
	}
}

// TestNonsenseResults survives results of any form: an answer, no panic, no end of calls.
func TestNonsenseResults(t *testing.T) {
	for i, nonsense := range []string{
		"", "\t\n\t", "# x format=log lines=1 rows=1 matched=1 malformed=0\nlevel\n\n[groups 1-1 of 1]", "[rows 1-1 of 9; next offset 1]",
		"column\tkind\n\t\nx\tnumber", "source\tlevel\n:\tERROR", strings.Repeat("a\tb\n", 50),
	} {
		for _, a := range append(asksEN, asksZH...) {
			req := user(a.words, strings.Fields(a.files)...)
			req.Tools = tools("extract", "read_file", "write_file", "grep", "list_directory", "remember", "recall", "time")
			if text := drive(t, req, func(akitad.Call) akitad.Observation { return akitad.Observation{Text: nonsense} }); text == "" {
				t.Errorf("%d: %s: an empty answer", i, a.words)
			}
		}
	}
}

// TestRoundsEnd holds the bound on rounds, and that the last call of an agent may forbid calls.
func TestRoundsEnd(t *testing.T) {
	e := offline.New(offline.Options{Rounds: 1})
	req := user("How many errors are there?", "a.log")
	req.Tools = tools("extract")
	reply, _ := e.Generate(t.Context(), req)
	req.Messages = append(req.Messages, reply.Message(), llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{
		{Call: reply.Calls[0].ID, Text: "# a.log format=log lines=1 rows=1 matched=1 malformed=0\ncolumn\tkind\tfilled\tdistinct\tmin\tmax\texamples\nlevel\ttext\t1\t1\tERROR\tERROR\tERROR=1\n[1 columns]"},
	}})
	reply, _ = e.Generate(t.Context(), req)
	has(t, reply.Text, "I had to stop")
	req = user("How many errors are there?", "a.log")
	req.Tools, req.Choice = tools("extract"), llm.ChoiceNone
	if reply, _ = offline.New(offline.Options{}).Generate(t.Context(), req); len(reply.Calls) > 0 || reply.Text == "" {
		t.Errorf("calls although none are allowed: %+v", reply)
	}
}

// TestWithoutExtract falls back on grep for what lines can tell, and declines the rest.
func TestWithoutExtract(t *testing.T) {
	k := newKit(t, only("relay.log"))
	for i, tool := range k.tools {
		if tool.Info().Name == "extract" {
			k.tools = append(k.tools[:i], k.tools[i+1:]...)
			break
		}
	}
	has(t, k.ask("How many times does 'timeout' appear?"), "**3 rows**", "relay.log:5", "relay.log:12")
	has(t, k.ask("List the lines that mention checksum"), "relay.log:10", "relay.log:14")
	has(t, k.ask("When was the last ERROR?"), "relay.log:14")
	has(t, k.ask("What is the average duration_ms?"), "needs the tool extract")
}

// TestForeignHistory works on when another model began: its calls are not repeated and not in the
// way.
func TestForeignHistory(t *testing.T) {
	k := newKit(t, only("relay.log"))
	req := user("How many errors are in relay.log?", "relay.log")
	req.Tools = tools("extract", "grep")
	req.Messages = append(req.Messages,
		llm.Message{Speaker: llm.Assistant, Text: "Let me look.", Calls: []akitad.Call{
			{ID: "toolu_1", Tool: "extract", Args: json.RawMessage(`{"describe": true, "path": "relay.log"}`)},
			{ID: "toolu_2", Tool: "browse", Args: json.RawMessage(`{"url":"x"}`)},
		}},
		llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{
			{Call: "toolu_1", Text: k.result("extract", `{"describe":true,"path":"relay.log"}`)}, {Call: "toolu_2", Text: "no"},
		}})
	described := 0
	text := drive(t, req, func(c akitad.Call) akitad.Observation {
		if strings.Contains(string(c.Args), "describe") {
			described++
		}
		return akitad.Observation{Text: k.result(c.Tool, string(c.Args))}
	})
	has(t, text, "**6 rows**")
	if described > 0 {
		t.Error("the file was described again")
	}
}

func (k *kit) result(tool, args string) string {
	obs, _ := k.call(akitad.Call{ID: "x", Tool: tool, Args: json.RawMessage(args)})
	return obs.Text
}

// TestManyForeignRounds still works after more rounds of another model than it makes itself.
func TestManyForeignRounds(t *testing.T) {
	k := newKit(t, only("relay.log"))
	req := user("How many errors are in relay.log?", "relay.log")
	req.Tools = tools("extract")
	for i := range 12 {
		id := fmt.Sprintf("call_%d", i)
		req.Messages = append(req.Messages,
			llm.Message{Speaker: llm.Assistant, Calls: []akitad.Call{{ID: id, Tool: "grep", Args: json.RawMessage(`{"pattern":"x"}`)}}},
			llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: id, Text: "no line matches"}}})
	}
	has(t, drive(t, req, func(c akitad.Call) akitad.Observation {
		return akitad.Observation{Text: k.result(c.Tool, string(c.Args))}
	}), "**6 rows**")
}

// TestRootPassesOn gives the joined answer of a plan as it is, and does not write its report twice.
func TestRootPassesOn(t *testing.T) {
	k := newKit(t, only("relay.log", "pump.log"))
	words := "How many errors are there? Write the result to all.md"
	joined := k.team(words)
	b := k.brief()
	b.Results = []llm.BriefResult{{Step: "join", Text: joined.Text, Data: string(joined.Data)}}
	if got := k.run(words, b, false).Text; got != joined.Text || len(k.calls) > 0 {
		t.Errorf("calls %v, answer\n%s\nwant\n%s", k.calls, got, joined.Text)
	}
}

// TestReportFails says so and still answers.
func TestReportFails(t *testing.T) {
	k := newKit(t, only("relay.log"))
	has(t, k.ask("Count the errors and write the result to ../out.md"), "**6 rows**", "could not write")
}

// TestSchema fills an output schema of plain figures and text.
func TestSchema(t *testing.T) {
	k := newKit(t, only("relay.log"))
	b := k.brief()
	b.Schema = `{"type":"object","properties":{"count":{"type":"integer"},"summary":{"type":"string"}},"required":["count"]}`
	res := k.run("How many errors are there?", b, true)
	var data struct {
		Count   int
		Summary string
	}
	if err := json.Unmarshal(res.Data, &data); err != nil || data.Count != 6 || data.Summary == "" {
		t.Errorf("data %s, %v", res.Data, err)
	}
}

// TestRecall remembers in one task and knows it in another.
func TestRecall(t *testing.T) {
	k := newKit(t, nil)
	has(t, k.ask("Remember that the depot gate sign is 4711"), "I will remember")
	for _, words := range []string{
		"What do you remember about the depot gate sign?", "Do you remember the depot gate sign?", "Recall the depot gate sign",
		"What did I tell you about the depot gate sign?", "Remind me what the depot gate sign is",
	} {
		has(t, k.ask(words), "4711")
	}
	has(t, k.ask("记住仓库的钥匙在三号柜"), "已记住")
	for _, words := range []string{"你还记得仓库的钥匙吗？", "我跟你说过仓库的钥匙在哪吗？", "你知道我说的仓库钥匙吗？", "回忆一下仓库的钥匙", "我告诉过你仓库的钥匙在哪？"} {
		has(t, k.ask(words), "三号柜")
	}
	has(t, k.ask("What do you remember about submarines?"), "I remember nothing about this")
}

// TestClock gives the time that the tool tells.
func TestClock(t *testing.T) {
	k := newKit(t, nil)
	for _, words := range []string{"What time is it?", "现在几点了？"} {
		has(t, k.ask(words), ":")
		if len(k.calls) != 1 || k.calls[0].Tool != "time" {
			t.Errorf("%s: calls %v", words, k.calls)
		}
	}
}

// TestLanguage answers in the language of the words, or in the one they ask for.
func TestLanguage(t *testing.T) {
	k := newKit(t, only("relay.log"))
	has(t, k.ask("How many errors are in relay.log? Answer in Chinese."), "共有 **6** 行")
	has(t, k.ask("relay.log 有多少错误？用英文回答。"), "**6 rows**")
}

// TestSpecialWords survives words with every kind of mark in them.
func TestSpecialWords(t *testing.T) {
	k := newKit(t, only("relay.log"))
	for _, words := range []string{"", " ", "?", "……", `"`, "'''", "${{ steps.x.output }}", "count \"a\\\"b\" in relay.log", "多少", strings.Repeat("error ", 200_000), "\x00\xff", "<context>"} {
		if text := k.ask(words); text == "" {
			t.Errorf("%q: no answer", words)
		}
		k.plan(words)
	}
}

// TestLongLog counts a log far beyond what fits into one answer.
func TestLongLog(t *testing.T) {
	k := newKit(t, map[string]string{"long.log": long(30000)})
	has(t, k.ask("How many errors are there?"), "**3,000 rows**", "first long.log:10, last long.log:30000")
	has(t, k.ask("Which services failed?"), "ERROR 3,000", "do not pile up", "long.log:10")
}
