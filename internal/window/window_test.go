package window_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

func round(id, text string, notes ...string) journal.RoundState {
	return journal.RoundState{
		Done:    true,
		Thought: journal.ThoughtData{Text: text, Notes: notes, Calls: []akitad.Call{{ID: id, Tool: "look", Args: []byte(`{}`)}}},
		Results: []akitad.Observation{{Call: id, Tool: "look", Text: "saw " + id}},
	}
}

// told gives the messages in short: who says what.
func told(msgs []llm.Message) []string {
	var out []string
	for _, m := range msgs {
		line := string(m.Speaker) + ": " + m.Text
		for _, c := range m.Calls {
			line += "!" + c.ID
		}
		for _, r := range m.Results {
			line += "=" + r.Call
		}
		out = append(out, line)
	}
	return out
}

func TestBuild(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   window.Input
		want []string
	}{
		{"words alone", window.Input{Words: "hi"}, []string{"user: hi"}},
		{"a brief goes on the words", window.Input{Words: "hi", Notes: []string{"\n\n<brief>"}}, []string{"user: hi\n\n<brief>"}},
		{"what comes later is a message of its own", window.Input{Words: "hi", Notes: []string{"\n\n<brief>", "[again]"}}, []string{"user: hi\n\n<brief>", "user: [again]"}},
		{
			"the session before it",
			window.Input{Words: "c", Earlier: []window.Turn{{"a", "1"}, {"b", "2"}}},
			[]string{"user: a", "assistant: 1", "user: b", "assistant: 2", "user: c"},
		},
		{"no message is empty", window.Input{Words: "c", Earlier: []window.Turn{{"", "1"}, {"b", ""}}, Notes: []string{"", "\n"}}, []string{"user: c\n"}},
		{
			"rounds, each with the notes that it had",
			window.Input{
				Words: "w", Notes: []string{"[now]"},
				Rounds: []journal.RoundState{round("a", "", "\n\n<brief>"), round("b", "so", "[hint]")},
			},
			[]string{"user: w\n\n<brief>", "assistant: !a", "tool: =a", "user: [hint]", "assistant: so!b", "tool: =b", "user: [now]"},
		},
		{
			"a brief after results is a message",
			window.Input{Words: "w", Rounds: []journal.RoundState{round("a", "")}, Notes: []string{"\n\nx"}},
			[]string{"user: w", "assistant: !a", "tool: =a", "user: x"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			req, rep, err := window.Build(tt.in)
			if got := told(req.Messages); err != nil || !reflect.DeepEqual(got, tt.want) {
				t.Errorf("%v\ngot  %q\nwant %q", err, got, tt.want)
			}
			if rep.Tokens != window.Count(req) {
				t.Errorf("reported %d tokens, counted %d", rep.Tokens, window.Count(req))
			}
		})
	}
}

func TestTheLastCallKeepsTheTools(t *testing.T) {
	in := window.Input{System: "s", Tools: []llm.Tool{{Name: "look"}}, Words: "w", Last: true}
	req, _, err := window.Build(in)
	if err != nil || req.Choice != llm.ChoiceNone || len(req.Tools) != 1 || req.System != "s" {
		t.Errorf("%+v %v", req, err)
	}
}

// A message of the model goes back as it came.
func TestRawMessagesStay(t *testing.T) {
	r := round("a", "so")
	r.Thought.Raw, r.Thought.RawBy = json.RawMessage(`{"role":"assistant"}`), "openai"
	req, _, err := window.Build(window.Input{Words: "w", Rounds: []journal.RoundState{r}})
	if m := req.Messages[1]; err != nil || string(m.Raw) != `{"role":"assistant"}` || m.RawBy != "openai" {
		t.Errorf("%+v %v", m, err)
	}
}

func TestAWindowOverItsBudgetIsATypedError(t *testing.T) {
	in := window.Input{Words: strings.Repeat("word ", 1000), Budget: 100}
	_, rep, err := window.Build(in)
	if akitad.KindOf(err) != akitad.ContextOverflow || rep.Tokens <= 100 || rep.Budget != 100 || akitad.FailureOf(err).Hint == "" {
		t.Errorf("%v, %+v", err, rep)
	}
	in.Budget = rep.Tokens
	if _, _, err := window.Build(in); err != nil {
		t.Errorf("a window as large as the budget: %v", err)
	}
}

// For any history, one more round and one more note only add messages.
func TestListsOnlyGrow(t *testing.T) {
	note := rapid.SampledFrom([]string{"[hint]", "[a steer]", "[round 8 of 10]"})
	rapid.Check(t, func(rt *rapid.T) {
		in := window.Input{Words: rapid.StringN(1, 20, -1).Draw(rt, "words"), Notes: []string{"\n\n<brief>"}}
		before := told(build(rt, in))
		for i := range rapid.IntRange(1, 10).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "another note") {
				in.Notes = append(in.Notes, note.Draw(rt, "note"))
			} else {
				in.Rounds = append(in.Rounds, round(fmt.Sprint("c", i), rapid.SampledFrom([]string{"", "so"}).Draw(rt, "text"), in.Notes...))
				in.Notes = nil
			}
			after := told(build(rt, in))
			if len(after) < len(before) || !reflect.DeepEqual(after[:len(before)], before) {
				rt.Fatalf("step %d\nfrom %q\nto   %q", i, before, after)
			}
			before = after
		}
	})
}

func build(rt *rapid.T, in window.Input) []llm.Message {
	req, _, err := window.Build(in)
	if err != nil {
		rt.Fatal(err)
	}
	return req.Messages
}

// A call that came through another tool is shown as it was made, its result under the same name: a
// provider that did not send the message knows no other tool.
func TestCallsAreShownAsTheyWereMade(t *testing.T) {
	r := round("a", "so")
	r.Thought.Calls[0].Via = "call_tool"
	r.Thought.Calls = append(r.Thought.Calls, akitad.Call{ID: "b", Tool: "look", Args: []byte(`{}`)})
	r.Results[0].Tool = "look"
	r.Results = append(r.Results, akitad.Observation{Call: "b", Tool: "look"})
	req, _, err := window.Build(window.Input{Words: "w", Rounds: []journal.RoundState{r}})
	if err != nil {
		t.Fatal(err)
	}
	calls, results := req.Messages[1].Calls, req.Messages[2].Results
	if calls[0].Tool != "call_tool" || string(calls[0].Args) != `{"args":{},"tool":"look"}` || calls[1].Tool != "look" {
		t.Errorf("calls %+v", calls)
	}
	if results[0].Tool != "call_tool" || results[1].Tool != "look" {
		t.Errorf("results %+v", results)
	}
	if r.Thought.Calls[0].Tool != "look" || r.Results[0].Tool != "look" {
		t.Error("the journal's own record was changed")
	}
}

// Marks stand around what comes from outside, and count; a placeholder of ours gets none.
func TestTextsFromOutside(t *testing.T) {
	rounds := []journal.RoundState{round("a", "so"), round("b", "so"), round("c", "so")}
	for i := range rounds {
		rounds[i].Results[0].Untrusted = true
	}
	in := window.Input{Words: "w", Rounds: rounds, Reduced: []journal.ReducedData{{Masks: []journal.Mask{{Call: "a", Text: "[left out]"}, {Call: "b", Text: "saw [shortened]", Clipped: true}}}}}
	req, rep, err := window.Build(in)
	if err != nil {
		t.Fatal(err)
	}
	marks, own := 0, rep.Tokens
	for i, want := range []bool{false, true, true} {
		o := req.Messages[2+2*i].Results[0]
		if o.Untrusted != want {
			t.Errorf("%q is marked: %v", o.Text, o.Untrusted)
		}
		marks += window.Tokens(llm.ObservationText(o)) - window.Tokens(o.Text)
		rounds[i].Results[0].Untrusted = false
	}
	_, rep, err = window.Build(in)
	if got := own - rep.Tokens; err != nil || got < marks*8/10 || got > marks*12/10 {
		t.Errorf("marks count %d tokens, and have %d; %v", got, marks, err)
	}
}
