package window_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/window"
)

// A record that is broken, whatever did it, becomes a request that every vendor takes, and the report says
// what was broken; one that is not broken keeps its bytes.
func TestBrokenRecords(t *testing.T) {
	for _, tt := range []struct {
		name     string
		breaking func(rounds []journal.RoundState)
		want     []string // messages after the words
		repaired []string
	}{
		{"nothing", func([]journal.RoundState) {}, []string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"}, nil},
		{
			"a call without a result", func(r []journal.RoundState) { r[0].Results = nil },
			[]string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{"round 1: call a has no result"},
		},
		{
			"a result without a call", func(r []journal.RoundState) {
				r[1].Results = append(r[1].Results, akitad.Observation{Call: "z", Text: "?"})
			},
			[]string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{`round 2: a result of "z" answers no call`},
		},
		{
			"an id twice", func(r []journal.RoundState) { r[1].Thought.Calls[0].ID, r[1].Results[0].Call = "a", "a" },
			[]string{"assistant: !a", "tool: =a", "assistant: !call-2-1-1", "tool: =call-2-1-1"},
			[]string{`round 2: call id "a" is not its own`},
		},
		{
			"an id twice in one message", func(r []journal.RoundState) {
				r[0].Thought.Calls = append(r[0].Thought.Calls, r[0].Thought.Calls[0])
				r[0].Results = append(r[0].Results, akitad.Observation{Call: "a", Text: "the second"})
			},
			[]string{"assistant: !a!call-1-2-1", "tool: =a=call-1-2-1", "assistant: !b", "tool: =b"},
			[]string{`round 1: call id "a" is not its own`},
		},
		{
			"no id", func(r []journal.RoundState) { r[0].Thought.Calls[0].ID, r[0].Results[0].Call = "", "" },
			[]string{"assistant: !call-1-1-1", "tool: =call-1-1-1", "assistant: !b", "tool: =b"},
			[]string{`round 1: call id "" is not its own`},
		},
		{
			"results in another order", func(r []journal.RoundState) {
				r[0].Thought.Calls = append(r[0].Thought.Calls, akitad.Call{ID: "c", Tool: "look"})
				r[0].Results = []akitad.Observation{{Call: "c", Text: "saw c"}, r[0].Results[0]}
			},
			[]string{"assistant: !a!c", "tool: =a=c", "assistant: !b", "tool: =b"},
			nil,
		},
		{
			"an empty message", func(r []journal.RoundState) { r[0].Thought.Calls, r[0].Results = nil, nil },
			[]string{"assistant: !b", "tool: =b"},
			[]string{"round 1: an empty message"},
		},
		{
			"a thought that nothing answers", func(r []journal.RoundState) {
				r[0].Thought = journal.ThoughtData{Text: "hm"}
				r[0].Results = nil
			},
			[]string{"assistant: hm", "user: [go on]", "assistant: !b", "tool: =b"},
			nil,
		},
		{
			"text that is not UTF-8", func(r []journal.RoundState) { r[0].Thought.Text, r[0].Results[0].Text = "a\xff", "half \xf0\x9f\x98" },
			[]string{"assistant: a\uFFFD!a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{"round 1: text is not UTF-8", "round 1: the result of a is not UTF-8"},
		},
		{
			"an emoji cut in two", func(r []journal.RoundState) { r[1].Thought.Calls[0].Args = json.RawMessage(`{"say":"hi \ud83d"}`) },
			[]string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{"round 2: arguments of look cannot be read"},
		},
		{
			"arguments that are no JSON", func(r []journal.RoundState) { r[1].Thought.Calls[0].Args = json.RawMessage(`{"say":`) },
			[]string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{"round 2: arguments of look cannot be read"},
		},
		{
			"a provider's message that is no JSON", func(r []journal.RoundState) {
				r[1].Thought.Raw, r[1].Thought.RawBy = json.RawMessage(`{"role`), "openai"
			},
			[]string{"assistant: !a", "tool: =a", "assistant: !b", "tool: =b"},
			[]string{"round 2: the provider's own message cannot be read"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := window.Input{Words: "w", Rounds: []journal.RoundState{round("a", ""), round("b", "")}}
			tt.breaking(in.Rounds)
			kept := fmt.Sprint(in.Rounds)
			req, rep, err := window.Build(in)
			if err != nil || !reflect.DeepEqual(rep.Repaired, tt.repaired) {
				t.Errorf("repaired %q, want %q, %v", rep.Repaired, tt.repaired, err)
			}
			if got := told(req.Messages)[1:]; !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
			if err := wellFormed(req.Messages); err != nil {
				t.Error(err)
			}
			if fmt.Sprint(in.Rounds) != kept {
				t.Error("the record itself was changed")
			}
		})
	}
}

// A reduction that fits no round or turn of the record, as that of a broken or another version's record may
// be, leaves a request that is well formed.
func TestReductionsThatFitNothing(t *testing.T) {
	for _, d := range []journal.ReducedData{
		{Note: "short", Upto: -1, Earlier: -7, Rounds: -2, Restated: "again"},
		{Note: "short", Upto: 1 << 40, Earlier: 1 << 40, Rounds: 1 << 40, Restated: "again"},
		{Note: "cut \xf0\x9f", Upto: 1, Rounds: 1, Restated: "\xff", Masks: []journal.Mask{{Call: "nobody", Text: "?"}, {Call: "b", Text: "\xe4"}, {}}},
	} {
		in := window.Input{Words: "w", Rounds: []journal.RoundState{round("a", ""), round("b", "")}, Earlier: []window.Turn{{Said: "s", Answered: "a"}}, Reduced: []journal.ReducedData{d}}
		req, _, err := window.Build(in)
		if err != nil {
			t.Errorf("%+v: %v", d, err)
		}
		if err := wellFormed(req.Messages); err != nil {
			t.Errorf("%+v: %v in %+v", d, err, req.Messages)
		}
	}
}

// Only half of a character is broken, not what looks like it.
func TestEscapesThatAreWhole(t *testing.T) {
	for args, want := range map[string]string{
		`{"a":"\ud83d\ude00"}`:                    "",
		`{"a":"\\ud83d"}`:                         "",
		`{"a":"\ude00\ud83d"}`:                    `{"a":"` + "\uFFFD\uFFFD" + `"}`,
		`{"a":"\uD83D x"}`:                        `{"a":"` + "\uFFFD" + ` x"}`,
		`{"n":12345678901234567890,"a":"\ud83d"}`: `{"a":"` + "\uFFFD" + `","n":12345678901234567890}`,
		"{\"a\":\"\xff\"":                         `{"unreadable":"{\"a\":\"` + "\uFFFD" + `\""}`,
	} {
		r := round("a", "")
		r.Thought.Calls[0].Args = json.RawMessage(args)
		req, _, err := window.Build(window.Input{Words: "w", Rounds: []journal.RoundState{r}})
		if want == "" {
			want = args
		}
		if got := string(req.Messages[1].Calls[0].Args); err != nil || got != want {
			t.Errorf("%s became %s, want %s", args, got, want)
		}
	}
}

// Of a session the newest 20 turns are whole; older ones are there in short, as far as there is room.
func TestSession(t *testing.T) {
	in := window.Input{Words: "now"}
	for i := range 60 {
		in.Earlier = append(in.Earlier, window.Turn{Said: fmt.Sprintf("question %d\nand more", i), Answered: long(fmt.Sprint("answer ", i), 150)})
	}
	req, rep, err := window.Build(in)
	list := told(req.Messages)
	if err != nil || rep.Stage != 0 || len(list) != 1+2*20+1 || list[1] != "user: question 40\nand more" || list[40] != "assistant: "+in.Earlier[59].Answered {
		t.Fatalf("%d messages, %v: %q", len(list), err, list[1])
	}
	head := list[0]
	if !strings.HasPrefix(head, "user: [Earlier in this conversation") || !strings.Contains(head, "\n- said: question 39 and more\n  answered: answer 39 word") {
		t.Errorf("the older ones: %s", head)
	}
	if strings.Contains(head, "question 40") || strings.Contains(head, "question 0 ") || window.Tokens(head) > 2_000 {
		t.Errorf("%d tokens of older ones: %s", window.Tokens(head), head)
	}
	in.Earlier = in.Earlier[40:]
	if req, _, _ := window.Build(in); len(req.Messages) != 41 {
		t.Errorf("a session of 20 has %d messages", len(req.Messages))
	}
}

// The tasks of a long session begin alike for a while, so that a provider's cache holds for more than one.
func TestSessionsBeginAlike(t *testing.T) {
	var earlier []window.Turn
	var before []string
	same := 0
	for i := range 50 {
		earlier = append(earlier, window.Turn{Said: fmt.Sprint("question ", i), Answered: fmt.Sprint("answer ", i)})
		req, _, err := window.Build(window.Input{Words: "now", Earlier: earlier})
		if err != nil {
			t.Fatal(err)
		}
		list := told(req.Messages)
		if len(before) > 0 && startsWith(list, before[:len(before)-1]) {
			same++
		}
		if n := strings.Count(strings.Join(list, "\n"), "\nuser: question"); i >= 20 && (n < 20 || n > 30) {
			t.Errorf("%d turns of %d are whole", n, i+1)
		}
		before = list
	}
	if same != 50-1-3 {
		t.Errorf("%d of 49 tasks begin as the one before them", same)
	}
}
