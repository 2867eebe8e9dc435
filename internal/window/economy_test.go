package window_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/window"
)

const (
	taskRounds = 50
	masksSave  = 45 // per cent of the input tokens of such a task, at least
)

// work is a recorded task: the rounds of it, and what was planted in them.
type work struct {
	in          window.Input
	rounds      []journal.RoundState
	facts       []string // each in the middle of one result
	constraints []string // of the spec, of corrections, of answers
}

// kinds are three sorts of long work. Each gives one call and the text that comes back.
var kinds = map[string]func(r *rand.Rand, n int) (akitad.Call, string){
	"incident": func(r *rand.Rand, n int) (akitad.Call, string) {
		return call(n, "grep", map[string]any{"pattern": "ERROR", "path": fmt.Sprintf("logs/node-%d.log", n)}), lines(r, 35+r.IntN(40), func(i int) string {
			return fmt.Sprintf("2026-11-30T07:%02d:%02d.%03dZ ERROR [checkout-%d] request %08x failed after %d ms: upstream ledger-%d answered 503", i/60%60, i%60, r.IntN(1000), r.IntN(9), r.Uint32(), r.IntN(9000), r.IntN(4))
		})
	},
	"repository": func(r *rand.Rand, n int) (akitad.Call, string) {
		if n%5 == 3 {
			return call(n, "write_file", map[string]any{"path": fmt.Sprintf("pkg/part%d.go", n), "content": code(r, 60)}), "written"
		}
		return call(n, "read_file", map[string]any{"path": fmt.Sprintf("pkg/file%d.go", n)}), code(r, 50+r.IntN(70))
	},
	"research": func(r *rand.Rand, n int) (akitad.Call, string) {
		return call(n, "fetch", map[string]any{"url": fmt.Sprintf("https://site-%d.example/page/%d", r.IntN(20), n)}), lines(r, 40+r.IntN(40), func(int) string {
			return fmt.Sprintf("The %s of the %s was measured by the %s in the year %d, and the value that the report gives is about %d per cent lower than it was before.", noun(r), noun(r), noun(r), 1950+r.IntN(75), r.IntN(60))
		})
	},
}

var nouns = strings.Fields("harbour channel tide forecast pilot ferry bridge valley station archive engine turbine market council survey winter signal cable island factory")

func noun(r *rand.Rand) string { return nouns[r.IntN(len(nouns))] }

func call(n int, tool string, args map[string]any) akitad.Call {
	return akitad.Call{ID: fmt.Sprint("call_", n), Tool: tool, Args: mustJSON(args)}
}

func lines(r *rand.Rand, n int, line func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(line(i) + "\n")
	}
	return b.String()
}

func code(r *rand.Rand, n int) string {
	return lines(r, n, func(i int) string {
		return fmt.Sprintf("\tif %s, err := %sOf(%s%d); err != nil { return fmt.Errorf(\"%s: %%w\", err) }", noun(r), noun(r), noun(r), i, noun(r))
	})
}

// record draws a task of 50 rounds with two calls each: a fact in every result, a correction or an answer
// now and then, and a call that fails again and again.
func record(kind string) work {
	r := rand.New(rand.NewPCG(7, uint64(len(kind))))
	w := work{constraints: []string{"never write outside of out/", "amounts in EUR, two digits"}}
	w.in = window.Input{
		System: strings.Repeat("You are an agent. Work step by step and answer as soon as you know. ", 40), Words: "find out what happened, and why\n",
		Notes: []string{"\n\n<context>\nconstraints:\n- " + strings.Join(w.constraints, "\n- ") + "\n</context>"}, Constraints: w.constraints[:2:2],
	}
	n := 0
	for i := range taskRounds {
		round := journal.RoundState{Done: true, Thought: journal.ThoughtData{Round: i + 1, Text: "Next I look at the " + noun(r) + "."}}
		if i%12 == 5 {
			rule := fmt.Sprintf("from now on leave row %d alone; 不要删除 %d", i, i)
			round.Thought.Notes = []string{window.PersonNote + "adds, while you work] " + rule}
			w.constraints = append(w.constraints, rule)
		}
		for range 2 {
			n++
			c, text := kinds[kind](r, n)
			fact := fmt.Sprintf("KEY-%d-%05x is %d.%d", n, r.IntN(1<<20), r.IntN(1000), r.IntN(100))
			at := strings.IndexByte(text[len(text)/2:], '\n') + len(text)/2 + 1
			o := akitad.Observation{Call: c.ID, Tool: c.Tool, Text: text[:at] + fact + "\n" + text[at:]}
			w.facts = append(w.facts, fact)
			round.Thought.Calls, round.Results = append(round.Thought.Calls, c), append(round.Results, o)
		}
		w.seldom(&round, i, &n)
		w.rounds = append(w.rounds, round)
	}
	return w
}

// seldom adds a question that the person answers, and a failure.
func (w *work) seldom(round *journal.RoundState, i int, n *int) {
	if i%20 == 9 {
		*n++
		rule := fmt.Sprintf("only the tables of region %d", i)
		round.Thought.Calls = append(round.Thought.Calls, call(*n, "ask_user", map[string]any{"question": "which ones?"}))
		round.Results = append(round.Results, akitad.Observation{Call: fmt.Sprint("call_", *n), Tool: "ask_user", Text: journal.AnswerPrefix + rule})
		w.constraints = append(w.constraints, rule)
	}
	if i%4 == 2 {
		*n++
		round.Thought.Calls = append(round.Thought.Calls, call(*n, "run_shell", map[string]any{"command": "make deploy"}))
		round.Results = append(round.Results, akitad.Observation{
			Call: fmt.Sprint("call_", *n), Tool: "run_shell", Error: &akitad.Failure{Kind: akitad.ToolFailed},
			Text: "error (tool_failed): make: *** No rule to make target 'deploy'.  Stop.\nhint: look at the Makefile for what it can do, then call it with one of its targets",
		})
	}
}

// bill is what a task cost under a strategy, and what was left of it in the end.
type bill struct {
	tokens, last int // input of all requests, summaries included; of the last one
	reductions   int
	kept, found  int // constraints in the last request; facts in it or where it points to
}

// summing is a summariser that says of a record what a fair one would: a few hundred words.
func summing(tokens *int) func(context.Context, llm.Request) (llm.Reply, error) {
	return func(_ context.Context, req llm.Request) (llm.Reply, error) {
		*tokens += window.Count(req)
		return llm.Reply{Text: "progress: the files were read\n" + strings.Repeat("files and identifiers: pkg/file.go, ledger-3\n", 60)}, nil
	}
}

// bill drives the task round by round on a model with a window of so many tokens.
func (w work) bill(t testing.TB, s window.Strategy, tokens int) (b bill) {
	t.Helper()
	kept, opts := shelf{}, strategy(s)
	reducer := window.Reducer{Options: opts, Keep: kept.keep, Ask: summing(&b.tokens), Restate: func() string { return "[told once more\ntask: t_x]" }}
	in := w.in
	in.Counter = &window.Counter{}
	if in.Budget, _ = opts.Budget(tokens, 4096); s == window.Off {
		in.Budget = 0
	}
	var req llm.Request
	for _, next := range append(w.rounds, journal.RoundState{}) {
		d, done, err := reducer.Reduce(t.Context(), in, window.Growth)
		if err != nil {
			t.Fatal(err)
		}
		if done {
			in.Reduced = append(in.Reduced, d)
			b.reductions++
		}
		var rep window.Report
		if req, rep, err = window.Build(in); err != nil {
			t.Fatalf("%s: round %d: %v", s, len(in.Rounds)+1, err)
		}
		b.tokens, b.last = b.tokens+rep.Tokens, rep.Tokens
		next.Thought.Notes = append(in.Notes, next.Thought.Notes...)
		in.Rounds, in.Notes = append(in.Rounds[:len(in.Rounds):len(in.Rounds)], next), nil
	}
	last := strings.Join(shown(req.Messages), "\n")
	for _, c := range append([]string{w.in.Words}, w.constraints...) {
		b.kept += count(strings.Contains(last, c))
	}
	there := kept.reach(last, map[string]bool{})
	for _, f := range w.facts {
		b.found += count(strings.Contains(there, f))
	}
	return b
}

func count(yes bool) int { return map[bool]int{true: 1}[yes] }

var hashes = regexp.MustCompile(`[0-9a-f]{64}`)

// reach gives a text and all that stands in artifacts which it names, or which those name.
func (s shelf) reach(text string, seen map[string]bool) string {
	for _, hash := range hashes.FindAllString(text, -1) {
		if body, ok := s[hash]; ok && !seen[hash] {
			seen[hash] = true
			text += "\n" + s.reach(body, seen)
		}
	}
	return text
}

// At 50 rounds masking alone saves at least 45 % of the input tokens, as does the whole engine; every
// constraint stands there byte for byte at the end, and every fact can be had.
func TestEconomy(t *testing.T) {
	for kind := range kinds {
		w := record(kind)
		whole := w.bill(t, window.Off, 0)
		for _, s := range []window.Strategy{window.Mask, window.Hybrid, window.Summary, window.Slide} {
			got := w.bill(t, s, 128_000)
			if saved := 100 - 100*got.tokens/whole.tokens; saved < masksSave {
				t.Errorf("%s, %s: %d %% fewer tokens", kind, s, saved)
			}
			if want := len(w.constraints) + 1; got.kept != want || got.found != len(w.facts) {
				t.Errorf("%s, %s: %d of %d constraints, %d of %d facts", kind, s, got.kept, want, got.found, len(w.facts))
			}
		}
	}
}

// BenchmarkEconomy compares the input tokens of three recorded tasks of 50 rounds, on a model with a window
// of 128,000 and on a small one of 32,000, with those of the same tasks without any reduction.
func BenchmarkEconomy(b *testing.B) {
	for name, tokens := range map[string]int{"128k": 128_000, "32k": 32_000} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				economy(b, tokens)
			}
		})
	}
}

func economy(b *testing.B, tokens int) {
	var whole, mask, all, kept, constraints, found, facts, reductions int
	for kind := range kinds {
		w := record(kind)
		masks, engine := w.bill(b, window.Mask, tokens), w.bill(b, window.Hybrid, tokens)
		whole += w.bill(b, window.Off, 0).tokens
		mask, all, reductions = mask+masks.tokens, all+engine.tokens, reductions+engine.reductions
		kept, constraints = kept+masks.kept+engine.kept, constraints+2*(len(w.constraints)+1)
		found, facts = found+masks.found+engine.found, facts+2*len(w.facts)
	}
	share := func(part, of int) float64 { return 100 * float64(part) / float64(of) }
	b.ReportMetric(float64(whole)/float64(len(kinds))/1000, "ktokens-without")
	b.ReportMetric(100-share(mask, whole), "%fewer-masking")
	b.ReportMetric(100-share(all, whole), "%fewer-engine")
	b.ReportMetric(share(kept, constraints), "%constraints")
	b.ReportMetric(share(found, facts), "%facts")
	b.ReportMetric(float64(reductions)/float64(len(kinds)), "reductions")
}
