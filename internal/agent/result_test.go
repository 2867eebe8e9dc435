package agent_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/agent"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
)

var numberSchema = json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}`)

// submitting ends the task if what says so, and refuses otherwise.
func submitting() fake {
	f := saying("submit_result", "", func(i *tool.Info) { i.Idempotent = true })
	f.call = func(_ context.Context, in tool.Input) (tool.Result, error) {
		if !strings.Contains(string(in.Args), "good") {
			return tool.Result{}, akitad.Errorf(akitad.InvalidRequest, "data is missing")
		}
		return tool.Result{Text: "ends", Final: &akitad.Result{Text: "good", Data: json.RawMessage(`{"n":1}`)}}, nil
	}
	return f
}

func TestASchemaIsInsistedOnTwice(t *testing.T) {
	bad, good := llmtest.Calls(call("", "submit_result", "bad")), llmtest.Calls(call("", "submit_result", "good"))
	words, raw := llmtest.Text("three"), llmtest.Text(`{"n": 3}`)
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		data  string
		kind  akitad.Kind
	}{
		{"at once", []llmtest.Turn{good}, `{"n":1}`, ""},
		{"after two refusals", []llmtest.Turn{bad, bad, good}, `{"n":1}`, ""},
		{"never", []llmtest.Turn{bad, bad, bad}, "", akitad.ToolFailed},
		{"words, then the data", []llmtest.Turn{words, good}, `{"n":1}`, ""},
		{"words alone", []llmtest.Turn{words, words, words}, "", akitad.ToolFailed},
		{"words and refusals count together", []llmtest.Turn{words, bad, words}, "", akitad.ToolFailed},
		{"the data as the reply", []llmtest.Turn{raw}, `{"n":3}`, ""},
		{"data that was cut is no data", []llmtest.Turn{raw.Ending(llm.FinishLength), good}, `{"n":1}`, ""},
	} {
		for _, parent := range []akitad.TaskID{"", "t_bbbbbbbbbbbbbbbbbbbbbbbb"} {
			t.Run(tt.name+" "+string(parent), func(t *testing.T) {
				script := llmtest.New(t, tt.turns...)
				r := newRig(t, script, submitting())
				b := newBook(t, journal.SubmittedData{Text: "count", Schema: numberSchema, Parent: parent})
				out, err := r.agent.Run(t.Context(), r.turn, b)
				if akitad.KindOf(err) != tt.kind || script.Left() != 0 {
					t.Fatalf("%v, %d turns left; want kind %q", err, script.Left(), tt.kind)
				}
				if err == nil && string(out.Result.Data) != tt.data {
					t.Errorf("data %s, want %s", out.Result.Data, tt.data)
				}
				if used := b.Snapshot().Usage.Add(out.Usage).Calls; used != len(tt.turns) {
					t.Errorf("%d calls are on record, want %d", used, len(tt.turns))
				}
			})
		}
	}
}

// Long outputs are shown in part and kept whole.
func TestLongOutputsAreKept(t *testing.T) {
	long := strings.Repeat("line of output\n", 3000)
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "look", "x")), llmtest.Text("done")), saying("look", long, readonly))
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	o := b.Snapshot().Rounds[0].Results[0]
	if len(o.Text) > tool.ClipBytes || r.kept.bodies[o.Artifact] != long || o.Bytes != len(long) || !strings.Contains(o.Text, o.Artifact[:12]) {
		t.Errorf("%d bytes shown of %d, artifact %q with %d bytes", len(o.Text), o.Bytes, o.Artifact, len(r.kept.bodies[o.Artifact]))
	}
}

// If the artifact cannot be kept the model is told, and the round still counts.
func TestAnOutputThatCannotBeKept(t *testing.T) {
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "look", "x")), llmtest.Text("done")), saying("look", strings.Repeat("x\n", 20_000), readonly))
	r.kept.err = errors.New("disk full")
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	if o := b.Snapshot().Rounds[0].Results[0]; o.Artifact != "" || !strings.Contains(o.Text, "could not be kept") {
		t.Errorf("%+v", o)
	}
}

// A delegated task's long answer reaches its parent as its beginning and an artifact.
func TestAChildsLongAnswerIsShortened(t *testing.T) {
	long := strings.Repeat("说明。", 3000)
	for _, parent := range []akitad.TaskID{"", "t_bbbbbbbbbbbbbbbbbbbbbbbb"} {
		r := newRig(t, llmtest.New(t, llmtest.Text(long)))
		out := r.run(t, newBook(t, journal.SubmittedData{Text: "go", Parent: parent}))
		if child := parent != ""; (len(out.Result.Text) < 8_100) != child || child && r.kept.bodies[akitad.Digest(long)] != long {
			t.Errorf("parent %q: %d bytes, %d kept", parent, len(out.Result.Text), len(r.kept.bodies))
		}
	}
}

// Ids that a model gives twice, or not at all, are made unique; the message as sent, which has the old
// ones, is dropped with them.
func TestCallIDsAreUnique(t *testing.T) {
	first := llmtest.Reply(llm.Reply{Calls: []akitad.Call{call("x", "look", "1"), call("x", "look", "2")}, Raw: json.RawMessage(`{"a":1}`), RawBy: "p"})
	second := llmtest.Reply(llm.Reply{Calls: []akitad.Call{call("x", "look", "3")}, Raw: json.RawMessage(`{"a":2}`), RawBy: "p"})
	third := llmtest.Reply(llm.Reply{Calls: []akitad.Call{call("y", "look", "4")}, Raw: json.RawMessage(`{"a":3}`), RawBy: "p"})
	r := newRig(t, llmtest.New(t, first, second, third, llmtest.Text("done")), count("look", readonly))
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	seen := map[string]bool{}
	var raws []string
	for _, round := range b.Snapshot().Rounds {
		raws = append(raws, string(round.Thought.Raw))
		for i, c := range round.Thought.Calls {
			if seen[c.ID] || c.ID == "" || round.Results[i].Call != c.ID {
				t.Errorf("call %q is answered by %+v", c.ID, round.Results[i])
			}
			seen[c.ID] = true
		}
	}
	if len(seen) != 4 || !slices.Equal(raws, []string{"", "", `{"a":3}`}) {
		t.Errorf("%d ids; raw messages %q", len(seen), raws)
	}
}

// Files that a round changed are kept. One that is gone, or must not be read, is passed over: its round
// has happened all the same.
func TestChangedFilesAreKept(t *testing.T) {
	write := saying("write", "", nil)
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "write", "x")), llmtest.Text("done")), write)
	if err := r.turn.Dir.WriteFile("sub/out.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	write.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Text: "wrote", Changed: []string{"gone.txt", "sub", "../out", "sub/out.txt"}}, nil
	}
	r = &rig{agent: newAgent(t, llmtest.New(t, llmtest.Calls(call("a", "write", "x")), llmtest.Text("done")), r.kept, []tool.Tool{write}), turn: r.turn, kept: r.kept}
	r.turn.Tools = []tool.Tool{write}
	b := newBook(t, journal.SubmittedData{Text: "go"})
	r.run(t, b)
	files := b.Snapshot().Files
	if len(files) != 1 || files[0].Name != "sub/out.txt" || r.kept.bodies[files[0].Artifact] != "new" {
		t.Errorf("%+v", files)
	}
}

// A store that fails is no verdict on the work: the task is to be given back.
func TestAStoreThatFailsIsToldApart(t *testing.T) {
	write := saying("write", "", nil)
	write.call = func(context.Context, tool.Input) (tool.Result, error) {
		return tool.Result{Text: "wrote", Changed: []string{"out.txt"}}, nil
	}
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "write", "x"))), write)
	if err := r.turn.Dir.WriteFile("out.txt", []byte("new")); err != nil {
		t.Fatal(err)
	}
	r.kept.err = akitad.Errorf(akitad.Transport, "no bus")
	_, err := r.agent.Run(t.Context(), r.turn, newBook(t, journal.SubmittedData{Text: "go"}))
	if !errors.Is(err, agent.ErrStore) || akitad.KindOf(err) != akitad.Transport {
		t.Errorf("%v", err)
	}
}

// A degradation is news once, however many rounds it lasts.
func TestDegradationsAreToldOnce(t *testing.T) {
	d := []akitad.Degradation{{Layer: "endpoint", From: "a", To: "b", Kind: akitad.Timeout, Reason: "1"}}
	reply := func(text string, calls ...akitad.Call) llmtest.Turn {
		return llmtest.Reply(llm.Reply{Text: text, Calls: calls, Degraded: d})
	}
	r := newRig(t, llmtest.New(t, reply("", call("a", "look", "1")), reply(""), reply("", call("b", "look", "2")), reply("done")), count("look", readonly))
	out := r.run(t, newBook(t, journal.SubmittedData{Text: "go"}))
	if len(out.Result.Degraded) != 1 {
		t.Errorf("%+v", out.Result.Degraded)
	}
}

// A "done" is believed at once if the file that was asked for is there, or nothing could write it; else the
// agent is told once.
func TestADoneWithoutTheFileIsQuestioned(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tools []tool.Tool
		have  bool
		calls int
	}{{"not there", []tool.Tool{saying("write_file", "", nil)}, false, 2}, {"there", []tool.Tool{saying("write_file", "", nil)}, true, 1}, {"cannot write", nil, false, 1}} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("done"))
			r := newRig(t, script, tt.tools...)
			if tt.have {
				if err := r.turn.Dir.WriteFile("out/report.md", []byte("x")); err != nil {
					t.Fatal(err)
				}
			}
			b := newBook(t, journal.SubmittedData{Text: "go"})
			b.add(0, journal.Compiled, journal.CompiledData{Spec: akitad.Spec{OutputRequirements: []string{"written to out/report.md"}}})
			out := r.run(t, b)
			if out.Result.Text != "done" || len(script.Requests()) != tt.calls || out.Usage.Calls != tt.calls {
				t.Errorf("%+v after %d calls, want %d", out.Result, len(script.Requests()), tt.calls)
			}
		})
	}
}

// A process may stop when a result is submitted and on record, and the task's end is not. Whoever comes next
// ends the task with that result and asks no model; words that came in between go to the model first.
func TestASubmittedResultEndsTheTaskAfterACrash(t *testing.T) {
	for _, tt := range []struct {
		name  string
		tool  string
		words string // of a person, after the crash
		turns int    // of the model, after the crash
	}{{"nobody spoke", "submit_result", "", 0}, {"somebody spoke", "submit_result", "two, please", 1}, {"another plan is wished for", "replan", "", 0}} {
		t.Run(tt.name, func(t *testing.T) {
			good, ends := llmtest.Calls(call("", tt.tool, "good")), submitting()
			ends.info.Name = tt.tool
			script := llmtest.New(t, append([]llmtest.Turn{good}, slices.Repeat([]llmtest.Turn{llmtest.Text(`{"n": 2}`)}, tt.turns)...)...)
			r := newRig(t, script, ends)
			b := newBook(t, journal.SubmittedData{Text: "count", Schema: numberSchema, Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
			want := r.run(t, b).Result
			if tt.words != "" {
				b.steer(tt.words)
				want = &akitad.Result{Text: `{"n": 2}`, Data: json.RawMessage(`{"n":2}`), Degraded: []akitad.Degradation{}}
			}
			for range 5 { // each crash comes at the same moment
				b = b.again()
				if got := r.run(t, b).Result; tt.turns == 0 && !reflect.DeepEqual(got, want) || string(got.Data) != string(want.Data) {
					t.Fatalf("%+v, want %+v", got, want)
				}
				if tt.turns > 0 {
					break
				}
			}
			if n := len(b.Snapshot().Rounds); n != 1 || script.Left() != 0 {
				t.Errorf("%d rounds, %d turns left; want 1 and 0", n, script.Left())
			}
		})
	}
}

// A result with which the work of an agent did not end, whatever came of it, is not handed in again: not by the agent
// that takes over, not by one that is told what broke off, and not when a person has the task tried again.
func TestASubmittedResultThatDidNotHoldIsNotHandedInAgain(t *testing.T) {
	for name, came := range map[string]func(b *book){
		"another agent takes over": func(b *book) { b.add(0, journal.Woken, journal.WokenData{To: "other"}) },
		"it goes on once more": func(b *book) {
			b.add(0, journal.Woken, journal.WokenData{Broke: &akitad.Failure{Kind: akitad.Unknown, Message: "the check broke"}})
		},
		"it is tried again": func(b *book) {
			b.add(0, journal.Failed, journal.EndData{Error: &akitad.Failure{Kind: akitad.ToolFailed, Message: "the check failed"}})
			b.add(0, journal.Retried, journal.RetriedData{})
		},
	} {
		t.Run(name, func(t *testing.T) {
			script := llmtest.New(t, llmtest.Calls(call("", "submit_result", "good")), llmtest.Text(`{"n": 2}`))
			r := newRig(t, script, submitting())
			b := newBook(t, journal.SubmittedData{Text: "count", Schema: numberSchema, Parent: "t_bbbbbbbbbbbbbbbbbbbbbbbb"})
			r.run(t, b)
			came(b)
			if got := r.run(t, b.again()).Result; string(got.Data) != `{"n":2}` || script.Left() != 0 {
				t.Errorf("%+v, %d turns of the model are left; want what it says now", got, script.Left())
			}
		})
	}
}

// dies runs the agent in a process that is gone before it has recorded more than so many rounds, and gives the
// journal as the next one finds it.
func (r *rig) dies(t *testing.T, b *book, rounds int) *book {
	t.Helper()
	b.fail = func(k akitad.EventKind) error {
		if k == journal.Round {
			rounds--
		}
		if rounds < 0 {
			return errors.New("the process is gone")
		}
		return nil
	}
	if _, err := r.agent.Run(t.Context(), r.turn, b); !errors.Is(err, agent.ErrStore) {
		t.Fatalf("a record that cannot be written gives %v", err)
	}
	return b.again()
}

// A call that crashes have cut off again and again has come to nothing yet: it is no loop.
func TestWhatCrashesCutOffIsNoLoop(t *testing.T) {
	send := count("send", nil)
	script := llmtest.New(t, append(slices.Repeat([]llmtest.Turn{llmtest.Calls(call("", "send", "x"))}, 5), llmtest.Text("done"))...)
	r := newRig(t, script, send)
	b := newBook(t, journal.SubmittedData{Text: "go"})
	for life := range 4 {
		b = r.dies(t, b, min(life, 1)) // each process records what the one before left undone, and dies in the next round
	}
	r.run(t, b)
	for i, round := range b.Snapshot().Rounds {
		if f := round.Results[0].Error; i < 4 && (f == nil || f.Kind != akitad.Unknown) || i == 4 && f != nil {
			t.Errorf("round %d: %+v", i+1, f)
		}
	}
	if n := send.calls("x"); n != 5 {
		t.Errorf("it ran %d times, want 5: once in each process", n)
	}
}

// A round of which crashes cut off every call is none of the agent's own, as long as these are not more than it may
// have rounds.
func TestWhatCrashesCutOffIsNoRoundOfItsCap(t *testing.T) {
	for _, tt := range []struct {
		crashes, rounds int // rounds are those of the agent's own that the model may use
		last            string
	}{{0, 3, "3 of 3"}, {2, 3, "3 of 3"}, {3, 3, "3 of 3"}, {5, 1, "3 of 3"}} {
		calls := func(i int) llmtest.Turn {
			return llmtest.Calls(call("", "send", fmt.Sprint(i)), call("", "look", fmt.Sprint(i)))
		}
		var turns []llmtest.Turn
		for i := range tt.crashes + tt.rounds {
			if turns = append(turns, calls(i)); i < tt.crashes {
				turns[i] = llmtest.Calls(call("", "send", fmt.Sprint(i)))
			}
		}
		script := llmtest.New(t, append(turns, llmtest.Text("done"))...)
		r := newRig(t, script, count("send", nil), count("look", readonly))
		r.turn.Rounds = 3
		b := newBook(t, journal.SubmittedData{Text: "go"})
		for life := range tt.crashes {
			b = r.dies(t, b, min(life, 1))
		}
		out := r.run(t, b)
		rounds := b.Snapshot().Rounds
		if n := len(rounds) - tt.crashes; n != tt.rounds || !out.Result.Partial || script.Left() != 0 {
			t.Errorf("after %d crashes it has %d rounds, %d turns are left: %+v", tt.crashes, n, script.Left(), out.Result)
		}
		var notes []string
		for _, round := range rounds {
			notes = append(notes, round.Thought.Notes...)
		}
		if all := strings.Join(notes, " "); !strings.Contains(all, tt.last) {
			t.Errorf("after %d crashes it is told %q", tt.crashes, all)
		}
	}
}
