package anthropic_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/anthropic"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func answered(req llm.Request, reply llm.Reply) llm.Request {
	results := llm.Message{Speaker: llm.ToolReply}
	for _, c := range reply.Calls {
		results.Results = append(results.Results, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "r"})
	}
	req.Messages = append(req.Messages, reply.Message(), results)
	return req
}

const budget = `"thinking":{"type":"enabled","budget_tokens":2048}`

// Thoughts go back as they came, signature and all, streamed or not, and the server knows them again.
func TestThoughtsGoBackVerbatim(t *testing.T) {
	for _, whole := range []bool{false, true} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("read", nil)).Saying("I look."), llmtest.Text("ok")), llmtest.Options{})
		s.Next(llmtest.Reasoning("hm <&> 完"))
		p := provider(t, s, anthropic.Options{NoStream: whole, Thinking: 2048})
		reply, err := p.Generate(t.Context(), ask("x"))
		if err != nil || strings.Contains(reply.Text, "hm") {
			t.Fatalf("%q, %v", reply.Text, err)
		}
		if _, err := p.Generate(t.Context(), answered(ask("x"), reply)); err != nil {
			t.Fatal(err)
		}
		seen := s.Seen()
		if body := string(seen[0].Body); !strings.Contains(body, budget) || !strings.Contains(body, `"max_tokens":6144`) {
			t.Errorf("the model is not asked to think: %s", body)
		}
		if body := string(seen[1].Body); len(seen) != 2 || !strings.Contains(body, budget) || !strings.Contains(body, `{"type":"redacted_thinking","data":"Zm9v+/=="}`) {
			t.Errorf("whole %v: %d requests, the last %s", whole, len(seen), body)
		}
	}
}

// A turn in which somebody else, or nobody, thought before a call is not gone on with in thought; the
// next turn is.
func TestNoThinkingInTheMiddleOfAnothersTurn(t *testing.T) {
	req := ask("x")
	foreign := llm.Reply{Text: "I look.", Calls: []akitad.Call{{ID: "c", Tool: "read", Args: json.RawMessage(`{}`)}}, RawBy: "openai@elsewhere"}
	req = answered(req, foreign)
	if body := sent(t, req, anthropic.Options{Thinking: 2048}); strings.Contains(body, budget) {
		t.Errorf("asked to think: %s", body)
	}
	req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: "done"}, llm.Message{Speaker: llm.User, Text: "and now?"})
	if body := sent(t, req, anthropic.Options{Thinking: 2048}); !strings.Contains(body, budget) {
		t.Errorf("not asked to think: %s", body)
	}
}

// A server that does not take the thoughts gets the history without any of them, once; when that does
// not help either, the error is that of the history as it came.
func TestThoughtsThatTheServerRefuses(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("read", nil)).Saying("I look.").With(llmtest.Reasoning("hm")), llmtest.Text("ok")), llmtest.Options{})
	p := provider(t, s, anthropic.Options{Thinking: 2048})
	reply, err := p.Generate(t.Context(), ask("x"))
	if err != nil {
		t.Fatal(err)
	}
	reply.Raw = []byte(strings.Replace(string(reply.Raw), `"signature":"sig`, `"signature":"forged`, 1))
	if got, err := p.Generate(t.Context(), answered(ask("x"), reply)); err != nil || got.Text != "ok" {
		t.Fatalf("%q, %v", got.Text, err)
	}
	seen := s.Seen()
	if last := string(seen[len(seen)-1].Body); len(seen) != 3 || strings.Contains(last, "thinking") || !strings.Contains(last, "I look.") {
		t.Errorf("%d requests, the last %s", len(seen), last)
	}
	s.Always(llmtest.Refuse(400, "something else"))
	if _, err := p.Generate(t.Context(), answered(ask("x"), reply)); akitad.KindOf(err) != akitad.InvalidRequest || len(s.Seen()) != 5 {
		t.Errorf("%d requests, %v", len(s.Seen()), err)
	}
	if _, err := p.Generate(t.Context(), ask("x")); akitad.KindOf(err) != akitad.InvalidRequest || len(s.Seen()) != 6 {
		t.Errorf("what has one form only was sent again: %d requests, %v", len(s.Seen()), err)
	}
}

// Thoughts that no words and no call follow are no message.
func TestThoughtsAlone(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("").Ending(llm.FinishLength), llmtest.Text("ok")), llmtest.Options{})
	s.Next(llmtest.Reasoning("hm"))
	p := provider(t, s, anthropic.Options{})
	reply, err := p.Generate(t.Context(), ask("x"))
	if err != nil || reply.Finish != llm.FinishLength || reply.Text != "" {
		t.Fatalf("%+v, %v", reply, err)
	}
	req := ask("x")
	req.Messages = append(req.Messages, reply.Message(), llm.Message{Speaker: llm.User, Text: "go on"})
	if _, err := p.Generate(t.Context(), req); err != nil || strings.Contains(string(s.Seen()[1].Body), "hm") {
		t.Errorf("%v: %s", err, s.Seen()[1].Body)
	}
}

// Ids that the service does not take, or knows already, are replaced by the same ones every time.
func TestIDsThatTheServiceTakes(t *testing.T) {
	var req llm.Request
	var first string
	for round := range 2 {
		req = ask("x")
		for i, id := range []string{"functions.read:0", "call 1", "", "toolu_1", "toolu_1"} {
			c := akitad.Call{ID: id, Tool: "read"}
			req.Messages = append(req.Messages, llm.Message{Speaker: llm.Assistant, Text: fmt.Sprint("round ", i), Calls: []akitad.Call{c}},
				llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: id, Text: "r"}}})
		}
		body := sent(t, req, anthropic.Options{})
		if round > 0 && body != first {
			t.Errorf("%s\n%s", first, body)
		}
		if first = body; strings.Count(body, `"toolu_1"`) != 2 {
			t.Errorf("%s", body)
		}
	}
}

// own gives a message as this protocol's model sent it, by the vendor.
func own(vendor, id string) llm.Message {
	return llm.Message{
		Speaker: llm.Assistant, Text: "I look.", RawBy: "anthropic@" + vendor,
		Calls: []akitad.Call{{ID: id, Tool: "read", Args: json.RawMessage(`{}`)}},
		Raw: json.RawMessage(`{"role":"assistant","content":[{"type":"redacted_thinking","data":"secret"},{"type":"text","text":"I look."},` +
			`{"type":"tool_use","id":"` + id + `","name":"read","input":{}}]}`),
	}
}

// What came from here goes back as it came as long as that is a valid history; what came from another
// vendor of the protocol, whose thoughts mean nothing here, does not.
func TestMessagesThatGoBackAsTheyCame(t *testing.T) {
	result := func(id string) llm.Message {
		return llm.Message{Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: id, Tool: "read", Text: "r"}}}
	}
	for _, tt := range []struct {
		name            string
		messages        []llm.Message
		thoughts, calls int
	}{
		{"own", []llm.Message{own("here", "a"), result("a"), own("here", "b"), result("b")}, 2, 2},
		{"another vendor's", []llm.Message{own("elsewhere", "a"), result("a")}, 0, 1},
		{"an id twice", []llm.Message{own("here", "a"), result("a"), own("here", "a"), result("a")}, 1, 2},
		{"no result", []llm.Message{own("here", "a")}, 1, 0},
		{"not to be read", []llm.Message{{Speaker: llm.Assistant, Text: "secret", RawBy: "anthropic@here", Raw: json.RawMessage(`[]`)}}, 1, 0},
	} {
		req := ask("x")
		req.Messages = append(req.Messages, tt.messages...)
		body := sent(t, req, anthropic.Options{Vendor: "here"})
		if thoughts, calls := strings.Count(body, "secret"), strings.Count(body, `"type":"tool_use"`); thoughts != tt.thoughts || calls != tt.calls {
			t.Errorf("%s: %d thoughts and %d calls, want %d and %d: %s", tt.name, thoughts, calls, tt.thoughts, tt.calls, body)
		}
	}
}
