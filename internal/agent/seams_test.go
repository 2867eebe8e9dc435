package agent_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/internal/window"
)

// program is a tool that runs a program whose output is always the same, and each time takes longer.
func program(output string) *counted {
	p := count("run", func(i *tool.Info) { i.Unbounded = true })
	p.call = func(context.Context, tool.Input) (tool.Result, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.n["runs"]++
		return tool.Result{Text: fmt.Sprintf("exit code 3 after %d.%d s\nstdout:\n%s", 10*p.n["runs"], p.n["runs"], output)}, nil
	}
	return p
}

// A long output is shown in part under the name of the whole. That it took longer this time still makes it no other.
func TestALongOutputThatComesAgainIsALoop(t *testing.T) {
	for _, output := range []string{"ok\n", strings.Repeat("one more test has failed in this package\n", 2_000)} {
		for _, args := range []string{`{"what":"test"}`, `{"what":"test","intent":"which test has failed"}`} {
			t.Run(fmt.Sprint(len(output), args), func(t *testing.T) {
				run := program(output)
				model := &circler{rounds: [][]akitad.Call{one("run", args)}, last: "as far as I came"}
				r := newRig(t, model, tool.WithIntent(run))
				_, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(kinds(b), " "); got != "ok ok loop loop loop" {
					t.Errorf("the calls came to %s", got)
				}
			})
		}
	}
}

// How a program ended is told whatever of its output is left out, and is kept too.
func TestHowAProgramEndedIsNeverLeftOut(t *testing.T) {
	output := strings.Repeat("compiled one more file without a word\n", 2_000)
	for _, args := range []string{`{}`, `{"intent":"warnings of the linker"}`, `{"intent":"compiled file"}`} {
		r := newRig(t, llmtest.New(t, llmtest.Calls(akitad.Call{ID: "a", Tool: "run", Args: json.RawMessage(args)}), llmtest.Text("done")), tool.WithIntent(program(output)))
		b := newBook(t, journal.SubmittedData{Text: "go"})
		r.run(t, b)
		o := b.Snapshot().Rounds[0].Results[0]
		if !strings.HasPrefix(o.Text, "exit code 3 after 10.1 s\n") || o.Artifact == "" || r.kept.bodies[o.Artifact] != "exit code 3\nstdout:\n"+output {
			t.Errorf("%s shows, and keeps %d bytes as %q:\n%s", args, len(r.kept.bodies[o.Artifact]), o.Artifact, o.Text[:min(len(o.Text), 300)])
		}
	}
}

// The last call comes when rounds or the budget are used up: what it leaves out costs no further call.
func TestTheLastCallPaysForNoSummary(t *testing.T) {
	opts := window.Defaults()
	opts.Strategy = window.Summary
	run := func(rounds int) (*reader, *journal.Task) {
		m := &reader{pages: 28, summary: says("progress: pages were read")}
		r, b := windowed(t, m, opts, 10_000, pages(500)), newBook(t, journal.SubmittedData{Text: "read it all"})
		r.turn.Rounds = rounds
		r.run(t, b)
		return m, b.Snapshot()
	}
	_, long := run(0)
	m, last := run(long.Reduced[0].Rounds)
	if m.asked != 0 || len(last.Reduced) != 1 || last.Reduced[0].Note == "" || m.sent[len(m.sent)-1].Choice != llm.ChoiceNone {
		t.Errorf("%d summaries, reductions %+v", m.asked, last.Reduced)
	}
}

// A refused call quotes what is known already and says where the rest is: further up only as long as it stands there.
func TestARefusedCallSaysWhereItsResultIs(t *testing.T) {
	for _, tt := range []struct {
		name    string
		reduced journal.ReducedData
		want    string
	}{
		{"it is in the window", journal.ReducedData{Note: "n", Upto: 0}, "stands further up]"},
		{"masked", journal.ReducedData{Masks: []journal.Mask{{Call: "c0-0", Text: "m", Artifact: "abcd"}, {Call: "c1-0", Text: "m", Artifact: "abcd"}}}, "[all of it is artifact abcd: read_artifact]"},
		{"summed up", journal.ReducedData{Note: "n", Upto: 2, Dump: "dddd"}, "[all of it is artifact dddd: read_artifact]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := newBook(t, journal.SubmittedData{Text: "go"})
			model := &circler{rounds: [][]akitad.Call{one("read", `{"what":"x"}`)}, last: "done"}
			model.then = func() {
				if tt.reduced.Rounds = len(b.Snapshot().Rounds); tt.reduced.Rounds == 2 {
					b.add(b.Snapshot().Epoch, journal.Reduced, tt.reduced)
				}
			}
			r := newRig(t, model, saying("read", strings.Repeat("one more line\n", 500), readonly))
			r.run(t, b)
			if o := b.Snapshot().Rounds[2].Results[0]; o.Error == nil || !strings.HasSuffix(o.Text, tt.want) {
				t.Errorf("it ends with %q", o.Text[max(0, len(o.Text)-80):])
			}
		})
	}
}

// A program that is stopped each time is a loop too, though it is not stopped at the very same moment.
func TestAProgramThatIsStoppedAgainIsALoop(t *testing.T) {
	run := program("")
	inner := run.call
	run.call = func(ctx context.Context, in tool.Input) (tool.Result, error) {
		res, err := inner(ctx, in)
		return res, cmp.Or(err, error(akitad.Errorf(akitad.Timeout, "run: stopped after 1m0s with all it had started\n%s", res.Text)))
	}
	model := &circler{rounds: [][]akitad.Call{one("run", `{"what":"test"}`)}, last: "as far as I came"}
	r := newRig(t, model, run)
	_, b, err := drive(t, r, model, newBook(t, journal.SubmittedData{Text: "go"}), false)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(kinds(b), " "); got != "timeout timeout loop loop loop" {
		t.Errorf("the calls came to %s", got)
	}
}
