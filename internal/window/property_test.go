package window_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

// shelf keeps artifacts by their content, as the real one does.
type shelf map[string]string

func (s shelf) keep(_ context.Context, body []byte) (string, error) {
	sum := sha256.Sum256(body)
	hash := hex.EncodeToString(sum[:])
	s[hash] = string(body)
	return hash, nil
}

// history draws a task's record: any sizes, any outcomes, sometimes broken.
type history struct {
	rt *rapid.T
	n  int // calls so far
}

var scripts = []string{"word ", "汉字", "0x7f3a ", `{"id": 4711, "ok": true} `, "é", "🙂"}

func (h *history) text(name string, most int) string {
	n := rapid.IntRange(0, most).Draw(h.rt, name)
	return strings.Repeat(rapid.SampledFrom(scripts).Draw(h.rt, "script"), n)
}

func (h *history) round() journal.RoundState {
	r := journal.RoundState{Done: true}
	r.Thought.Text = h.text("thought", 30)
	if rapid.IntRange(0, 5).Draw(h.rt, "steered") == 0 {
		r.Thought.Notes = []string{window.PersonNote + "adds, while you work] never delete row " + fmt.Sprint(h.n)}
	}
	for range rapid.IntRange(1, 4).Draw(h.rt, "calls") {
		h.n++
		c := akitad.Call{ID: fmt.Sprint("c", h.n), Tool: "look", Args: json.RawMessage(fmt.Sprintf(`{"n":%d}`, h.n))}
		o := akitad.Observation{Call: c.ID, Tool: c.Tool, Text: fmt.Sprint("result ", h.n, " ", h.text("result", 250))}
		switch rapid.IntRange(0, 9).Draw(h.rt, "sort") {
		case 0:
			o.Error, o.Text = &akitad.Failure{Kind: akitad.ToolFailed}, strings.Repeat("no such host in the table of hosts. ", 10)
		case 1:
			c.Tool, o.Tool = "ask_user", "ask_user"
			o.Text = journal.AnswerPrefix + fmt.Sprint(h.n) + strings.Repeat(" only in the staging area", 20)
		case 2:
			c.Tool, c.Args = "write_file", mustJSON(map[string]string{"path": "a.txt", "content": h.text("content", 400)})
		}
		r.Thought.Calls = append(r.Thought.Calls, c)
		r.Results = append(r.Results, o)
	}
	r.Thought.Raw, r.Thought.RawBy = mustJSON(map[string]any{"role": "assistant", "n": h.n}), "openai"
	if rapid.IntRange(0, 7).Draw(h.rt, "broken") == 0 {
		h.breakRound(&r)
	}
	return r
}

// breakRound does what a bug, a crash or another version may have done.
func (h *history) breakRound(r *journal.RoundState) {
	switch rapid.IntRange(0, 8).Draw(h.rt, "how") {
	case 0:
		r.Results = r.Results[:len(r.Results)-1]
	case 1:
		r.Results = append(r.Results, akitad.Observation{Call: "stray", Text: "a result of no call"})
	case 2:
		r.Thought.Calls[0].ID, r.Results[0].Call = "c1", "c1"
	case 3:
		r.Thought.Calls, r.Results, r.Thought.Text, r.Thought.Raw = nil, nil, "", nil
	case 4:
		r.Results[0].Text = "cut \xf0\x9f"
	case 5:
		r.Thought.Calls[0].Args = json.RawMessage(`{"half":"\ud83d"}`)
	case 6:
		r.Thought.Raw = json.RawMessage(`{"role":`)
	case 7:
		slices.Reverse(r.Results)
	case 8:
		r.Thought.Calls, r.Results = nil, r.Results[:1]
	}
}

func mustJSON(v any) json.RawMessage {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// summariser is a model that sums up, fails, says nothing, or says more than there was.
func summariser(rt *rapid.T) func(context.Context, llm.Request) (llm.Reply, error) {
	return func(_ context.Context, req llm.Request) (llm.Reply, error) {
		switch rapid.IntRange(0, 4).Draw(rt, "summary") {
		case 0:
			return llm.Reply{}, errors.New("no summariser")
		case 1:
			return llm.Reply{Text: " "}, nil
		case 2:
			return llm.Reply{Text: req.Messages[0].Text + req.Messages[0].Text}, nil
		case 3:
			return llm.Reply{Text: strings.Repeat("progress: much\n", 2000), Usage: akitad.Usage{Calls: 1}}, nil
		}
		return llm.Reply{Text: "progress: it goes on", Usage: akitad.Usage{Calls: 1}}, nil
	}
}

func drawOptions(rt *rapid.T) window.Options {
	o := window.Defaults()
	o.Strategy = rapid.SampledFrom(window.Strategies).Draw(rt, "strategy")
	o.MaskRounds = rapid.IntRange(0, 6).Draw(rt, "mask rounds")
	o.KeepRounds = rapid.IntRange(0, 5).Draw(rt, "keep rounds")
	return o
}

// Whatever happens in a task, and however small its budget, each request is valid and fits, or there is a
// typed error; all that is masked can be had back; what a person said stands word for word; and outside of
// recorded reductions each request begins with the one before it.
func TestAnyHistory(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		h, kept := &history{rt: rt}, shelf{}
		r := window.Reducer{Options: drawOptions(rt), Keep: kept.keep, Ask: summariser(rt), Restate: func() string { return "[task t_x]" }}
		in := window.Input{
			System: "You are a test.", Words: "the words", Notes: []string{"\n\n<brief>"}, Constraints: []string{"  never: delete  "},
			Budget: rapid.IntRange(300, 6_000).Draw(rt, "budget"),
		}
		for i := range rapid.IntRange(0, 30).Draw(rt, "turns") {
			in.Earlier = append(in.Earlier, window.Turn{Said: fmt.Sprint("q", i, h.text("said", 60)), Answered: h.text("answered", 60)})
		}
		var before []string
		for range rapid.IntRange(1, 20).Draw(rt, "rounds") {
			reduced := step(rt, r, &in, kept)
			req, rep, err := window.Build(in)
			checkRequest(rt, in, req, rep, err)
			if after := shown(req.Messages); reduced || startsWith(after, before) {
				before = after
			} else {
				rt.Fatalf("the prompt did not only grow\nfrom %q\nto   %q", before, after)
			}
			if err != nil {
				return
			}
			next := h.round()
			next.Thought.Notes = append(slices.Clone(in.Notes), next.Thought.Notes...)
			in.Rounds, in.Notes = append(in.Rounds, next), nil
		}
	})
}

// step reduces once, and checks what a reduction promises.
func step(rt *rapid.T, r window.Reducer, in *window.Input, kept shelf) bool {
	cause := rapid.SampledFrom([]window.Cause{window.Growth, window.Growth, window.Growth, window.Overflow}).Draw(rt, "cause")
	d, done, err := r.Reduce(rt.Context(), *in, cause)
	if err != nil {
		rt.Fatal(err)
	}
	if !done {
		return false
	}
	d = again(rt, d)
	if d.After >= d.Before {
		rt.Fatalf("a reduction from %d to %d tokens", d.Before, d.After)
	}
	for _, m := range d.Masks {
		checkMask(rt, *in, m, kept)
		checkFinal(rt, in.Reduced, m)
	}
	in.Reduced = append(in.Reduced, d)
	if rep := report(*in); rep.Tokens != d.After || rep.Whole < rep.Tokens {
		rt.Fatalf("the decision says %d tokens, the window has %d of %d", d.After, rep.Tokens, rep.Whole)
	}
	if _, more, err := r.Reduce(rt.Context(), *in, window.Growth); err != nil || more && cause == window.Growth && d.After <= in.Budget*80/100 {
		rt.Fatalf("reduced twice in a row: %v", err)
	}
	return true
}

// checkFinal finds that what is masked stays as it is.
func checkFinal(rt *rapid.T, before []journal.ReducedData, m journal.Mask) {
	for _, d := range before {
		for _, k := range d.Masks {
			if k.Call == m.Call && (m.Args != nil && k.Args != nil || m.Text != "" && k.Text != "" && !k.Clipped) {
				rt.Fatalf("%+v was masked before: %+v", m, k)
			}
		}
	}
}

// again is the decision as it comes out of the journal.
func again(rt *rapid.T, d journal.ReducedData) (out journal.ReducedData) {
	if err := json.Unmarshal(mustJSON(d), &out); err != nil {
		rt.Fatal(err)
	}
	return out
}

func report(in window.Input) window.Report {
	_, rep, _ := window.Build(in)
	return rep
}

// checkMask finds what a mask took out, whole, under the name it gives.
func checkMask(rt *rapid.T, in window.Input, m journal.Mask, kept shelf) {
	have, ok := kept[m.Artifact]
	if !ok {
		rt.Fatalf("%+v names no artifact", m)
	}
	in.Reduced, in.Budget = nil, 0
	req, _, _ := window.Build(in)
	for _, msg := range req.Messages {
		for _, o := range msg.Results {
			if o.Call == m.Call && m.Text != "" && o.Text != have {
				rt.Fatalf("the artifact of %s holds %q, the result was %q", m.Call, have, o.Text)
			}
		}
		for _, c := range msg.Calls {
			var args struct{ Path, Content string }
			if c.ID == m.Call && m.Args != nil && (json.Unmarshal(c.Args, &args) != nil || args.Content != have || !strings.Contains(string(m.Args), `"path":"a.txt"`)) {
				rt.Fatalf("the artifact of %s holds %q, the content was %q, now %s", m.Call, have, args.Content, m.Args)
			}
		}
	}
}

func checkRequest(rt *rapid.T, in window.Input, req llm.Request, rep window.Report, err error) {
	if err == nil && rep.Tokens > in.Budget || err != nil && akitad.KindOf(err) != akitad.ContextOverflow {
		rt.Fatalf("%d tokens of %d: %v", rep.Tokens, in.Budget, err)
	}
	if verr := wellFormed(req.Messages); verr != nil {
		rt.Fatal(verr)
	}
	all := strings.Join(shown(req.Messages), "\n")
	for _, want := range append(personal(in), "the words", "<brief>") {
		if want != "<brief>" && !strings.Contains(all, want) {
			rt.Fatalf("%q is lost", want)
		}
	}
	if rep.Stage > 1 && strings.Contains(all, "summed up") && len(in.Rounds) > 0 && !strings.Contains(all, "  never: delete  ") {
		rt.Fatal("a constraint is lost")
	}
}

// personal is what a person said in the rounds.
func personal(in window.Input) (out []string) {
	for _, r := range in.Rounds {
		for _, n := range r.Thought.Notes {
			if strings.HasPrefix(n, window.PersonNote) {
				out = append(out, n)
			}
		}
		for i, o := range r.Results {
			if i < len(r.Thought.Calls) && r.Thought.Calls[i].ID == o.Call && strings.HasPrefix(o.Text, journal.AnswerPrefix) {
				out = append(out, o.Text)
			}
		}
	}
	return out
}

// wellFormed is what every vendor asks of a conversation.
func wellFormed(msgs []llm.Message) error {
	ids, before := map[string]bool{}, llm.Speaker("")
	for i, m := range msgs {
		if strings.TrimSpace(m.Text) == "" && len(m.Calls)+len(m.Results) == 0 {
			return fmt.Errorf("message %d is empty", i+1)
		}
		if !utf8.ValidString(m.Text) || m.Raw != nil && !json.Valid(m.Raw) {
			return fmt.Errorf("message %d cannot be encoded: %q", i+1, m.Text)
		}
		if m.Speaker == llm.Assistant && before == llm.Assistant {
			return fmt.Errorf("messages %d and %d are both the model's", i, i+1)
		}
		if (m.Speaker == llm.ToolReply) != (i > 0 && len(msgs[i-1].Calls) > 0) {
			return fmt.Errorf("message %d: calls and results do not stand together", i+1)
		}
		before = m.Speaker
		if m.Speaker == llm.ToolReply {
			if err := answers(msgs[i-1].Calls, m.Results, ids); err != nil {
				return fmt.Errorf("message %d: %w", i+1, err)
			}
		}
	}
	if len(msgs) == 0 || msgs[0].Speaker != llm.User || before == llm.Assistant {
		return fmt.Errorf("%d messages, which end with the %s's", len(msgs), before)
	}
	return nil
}

func answers(calls []akitad.Call, results []akitad.Observation, ids map[string]bool) error {
	if len(calls) != len(results) {
		return fmt.Errorf("%d calls, %d results", len(calls), len(results))
	}
	for i, c := range calls {
		if c.ID == "" || ids[c.ID] || results[i].Call != c.ID || !utf8.ValidString(results[i].Text) || !json.Valid(c.Args) || bytes.Contains(c.Args, []byte(`\ud83d"`)) {
			return fmt.Errorf("call %+v is answered by %+v", c, results[i])
		}
		ids[c.ID] = true
	}
	return nil
}

// shown gives each message whole.
func shown(msgs []llm.Message) (out []string) {
	for _, m := range msgs {
		line := string(m.Speaker) + ": " + m.Text + string(m.Raw)
		for _, c := range m.Calls {
			line += "\ncall " + c.ID + " " + c.Tool + " " + string(c.Args)
		}
		for _, r := range m.Results {
			line += "\nresult " + r.Call + " " + r.Text
		}
		out = append(out, line)
	}
	return out
}

func startsWith(list, head []string) bool {
	return len(list) >= len(head) && slices.Equal(list[:len(head)], head)
}
