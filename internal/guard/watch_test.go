package guard_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/akitad/akitad/internal/guard"
)

// step is one call of a history and what the world gives back when it runs. A tool whose name begins
// with "put" may change something; one that begins with "bad" fails.
type step struct{ tool, args, result string }

func did(tool, args, result string) step { return step{tool, args, result} }

// play runs rounds of calls as the loop does: what the watch refuses is not run, and after a stop
// nothing is. It gives the marks of each round: what each call came to and what was decided after it.
func play(w *guard.Watch, rounds ...[]step) []string {
	var out []string
	for i, r := range rounds {
		if w.Verdict().Action == guard.Stop {
			return append(out, "stopped")
		}
		out = append(out, playRound(w, i, r))
	}
	return out
}

func playRound(w *guard.Watch, at int, steps []step) string {
	var marks []string
	round := guard.Round{Endpoint: "one"}
	fresh := false
	for i, s := range steps {
		c := guard.Call{
			ID: fmt.Sprintf("%d-%d", at, i), Tool: s.tool, Key: guard.Key(s.tool, json.RawMessage(s.args)), Result: s.result,
			Failed: strings.HasPrefix(s.tool, "bad"), Effect: strings.HasPrefix(s.tool, "put"),
		}
		_, _, c.Refused = w.Refuse(c.Key, fresh)
		fresh = fresh || c.Effect && !w.Made(c.Key)
		mark := "ran"
		if c.Refused {
			c.Failed, c.Result, mark = true, "refused", "refused"
		}
		marks, round.Calls = append(marks, mark), append(round.Calls, c)
	}
	w.Add(round)
	v := w.Verdict()
	if v.Action != guard.Nothing {
		marks = append(marks, v.Pattern+" "+string(v.Action))
	}
	return strings.Join(marks, " ")
}

// alone makes a round of each step; repeat gives the steps n times over.
func alone(steps ...step) (out [][]step) {
	for _, s := range steps {
		out = append(out, []step{s})
	}
	return out
}

func repeat(n int, steps ...step) (out []step) {
	for range n {
		out = append(out, steps...)
	}
	return out
}

func TestLadder(t *testing.T) {
	read := did("read", `{"path":"/srv/a"}`, "same text")
	search, faq := did("search", `{"q":"x"}`, "a"), did("faq", `{"q":"y"}`, "b")
	for _, tt := range []struct {
		name   string
		rounds [][]step
		want   string
	}{
		{"the same call with the same result", alone(repeat(10, read)...), "ran | ran loop nudge | refused | refused no progress nudge | refused loop stop | stopped"},
		{"keys in another order, numbers in another spelling", alone(
			did("q", `{"a":1,"b":2}`, "r"), did("q", `{ "b":2.0, "a":1 }`, "r"), did("q", `{"a":1e0,"b":2}`, "r")), "ran | ran loop nudge | refused"},
		{
			"two calls in turn", alone(repeat(6, search, faq)...),
			"ran | ran | ran loop nudge | ran loop nudge | refused no progress nudge | refused | refused no progress strategy switch | refused | refused no progress endpoint switch | refused loop stop | stopped",
		},
		{
			"a wide round again and again",
			[][]step{{read, search, faq}, {read, search, faq}, {read, search, faq}},
			"ran ran ran | ran ran ran loop nudge | refused refused refused",
		},
		{
			"a failure again and again", alone(repeat(5, did("bad", `{}`, "no such thing"))...),
			"ran | ran loop nudge | refused thrashing nudge | refused | refused loop stop",
		},
		{
			"three calls in turn", alone(repeat(5, read, search, faq)...),
			"ran | ran | ran | ran loop nudge | ran loop nudge | ran loop nudge | refused | refused no progress strategy switch | refused | refused no progress endpoint switch | refused no progress ask | refused | refused no progress stop | stopped",
		},
		{
			"one twice, another one, and again", alone(repeat(4, read, read, search)...),
			"ran | ran loop nudge | ran | refused | refused | ran loop nudge | refused | refused no progress strategy switch | refused | refused loop stop | stopped",
		},
		{
			"the same call beside one that brings something new each time",
			[][]step{{read, did("time", "", "1")}, {read, did("time", "", "2")}, {read, did("time", "", "3")}, {read, did("time", "", "4")}, {read, did("time", "", "5")}, {read, did("time", "", "6")}},
			"ran ran | ran ran loop nudge | refused ran | refused ran | refused ran | refused ran",
		},
		{
			"a failure that reads differently each time",
			alone(did("bad", "", "1"), did("bad", "", "2"), did("bad", "", "3"), did("bad", "", "4"), did("bad", "", "5"), did("bad", "", "6"), did("bad", "", "7"), did("bad", "", "8"), did("bad", "", "9"), did("bad", "", "10"), did("bad", "", "11")),
			"ran | ran | ran thrashing nudge | ran | ran thrashing strategy switch | ran | ran thrashing endpoint switch | ran thrashing ask | ran | ran thrashing stop | stopped",
		},
		{"polling while nothing changes", alone(did("poll", "", "wait"), did("poll", "", "wait"), did("poll", "", "wait")), "ran | ran loop nudge | refused"},
		{"polling while something changes", alone(did("poll", "", "1 %"), did("poll", "", "2 %"), did("poll", "", "3 %"), did("poll", "", "4 %"), did("poll", "", "5 %")), "ran | ran | ran | ran | ran"},
		{"writes to different files", alone(did("put", `{"f":1}`, "ok"), did("put", `{"f":2}`, "ok"), did("put", `{"f":3}`, "ok"), did("put", `{"f":4}`, "ok"), did("put", `{"f":5}`, "ok")), "ran | ran | ran | ran | ran"},
		{"one file in ranges", alone(did("read", `{"from":1}`, "x"), did("read", `{"from":2}`, "x"), did("read", `{"from":3}`, "x")), "ran | ran | ran"},
		{
			"a check after each change", alone(
				did("put", `{"v":1}`, "ok"), did("bad", `test`, "fails"), did("put", `{"v":2}`, "ok"), did("bad", `test`, "fails"),
				did("put", `{"v":3}`, "ok"), did("bad", `test`, "fails"), did("put", `{"v":4}`, "ok"), did("bad", `test`, "fails")),
			"ran | ran | ran | ran | ran | ran | ran | ran",
		},
		{
			"a change and its check in one round",
			[][]step{{did("read", "a", "x")}, {did("read", "a", "x")}, {did("put", "1", "ok"), did("read", "a", "x")}, {did("put", "2", "ok"), did("read", "a", "x")}},
			"ran | ran loop nudge | ran ran | ran ran",
		},
		{
			"the same change and the same check", alone(repeat(5, did("put", "v", "ok"), did("bad", "test", "fails"))...),
			"ran | ran | ran loop nudge | ran loop nudge | refused | refused no progress strategy switch | refused | refused no progress endpoint switch | refused loop stop | stopped",
		},
		{
			"the same listing between new things", alone(
				did("ls", "", "d"), did("read", "1", "a"), did("ls", "", "d"), did("read", "2", "b"), did("ls", "", "d"), did("read", "3", "c"),
				did("ls", "", "d"), did("read", "4", "e"), did("ls", "", "d"), did("read", "5", "f"), did("ls", "", "d")),
			"ran | ran | ran loop nudge | ran | refused | ran | refused | ran | refused | ran | refused",
		},
		{
			"a wait between polls that bring something new",
			alone(did("put", "wait", "ok"), did("poll", "", "1 %"), did("put", "wait", "ok"), did("poll", "", "2 %"), did("put", "wait", "ok"), did("poll", "", "3 %"), did("put", "wait", "ok"), did("poll", "", "4 %")),
			"ran | ran | ran loop nudge | ran | ran | ran | ran | ran",
		},
		{
			"a wait between polls that bring nothing",
			alone(repeat(4, did("put", "wait", "ok"), did("poll", "", "queued"))...),
			"ran | ran | ran loop nudge | ran loop nudge | refused no progress nudge | refused | refused no progress strategy switch | refused",
		},
		{"the same call twice in one round counts once", [][]step{{read, read, read, read, read, read}, {search}}, "ran ran ran ran ran ran | ran"},
	} {
		got := strings.Join(play(&guard.Watch{}, tt.rounds...), " | ")
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// What a clock or a queue has said is too old after as many other calls as the window holds.
func TestARefusalIsNotForGood(t *testing.T) {
	var w guard.Watch
	var rounds [][]step
	for i := range 20 {
		rounds = append(rounds, []step{did("clock", "", "10:01"), did("read", fmt.Sprint(i), fmt.Sprint("text ", i))})
	}
	ran := 0
	for _, marks := range play(&w, rounds...) {
		if strings.HasPrefix(marks, "ran") {
			ran++
		}
	}
	if ran != 4 || w.Verdict().Action == guard.Stop { // twice, and once more for each eight rounds
		t.Errorf("it ran %d times of 20, and then %+v", ran, w.Verdict())
	}
}

// A call that was last made long ago is not a repetition.
func TestTheWindowEnds(t *testing.T) {
	var w guard.Watch
	rounds := alone(did("read", "a", "x"))
	for i := range 16 {
		rounds = append(rounds, []step{did("read", fmt.Sprint(i), "y")})
	}
	play(&w, append(rounds, []step{did("read", "a", "x")})...)
	if v := w.Verdict(); v.Action != guard.Nothing {
		t.Errorf("17 calls later: %+v", v)
	}
}

func TestStandstill(t *testing.T) {
	fails := func(n int) (out [][]step) {
		for i := range n {
			out = append(out, []step{did("bad", fmt.Sprint(i), fmt.Sprint("no ", i))})
		}
		return out
	}
	old := append(alone(did("read", "a", "x"), did("read", "b", "y")), alone(did("flip", "", "on"), did("flip", "", "off"))...)
	for range 6 {
		old = append(old, alone(did("flip", "", "on"), did("flip", "", "off"))...)
	}
	for _, tt := range []struct {
		name   string
		rounds [][]step
		want   string
	}{
		{"one failure after another", fails(12), "ran | ran | ran thrashing nudge | ran | ran thrashing strategy switch | ran | ran thrashing endpoint switch | ran thrashing ask | ran | ran thrashing stop | stopped"},
		{"nothing but what was known", old, "ran | ran | ran | ran | ran | ran | ran no progress nudge | ran | ran no progress strategy switch | ran | ran no progress endpoint switch | ran no progress ask | ran | ran no progress stop | stopped"},
		{"something new in between", append(append(fails(2), []step{did("read", "a", "x")}), fails(2)...), "ran | ran | ran | ran loop nudge | ran loop nudge"},
	} {
		var w guard.Watch
		if got := strings.Join(play(&w, tt.rounds...), " | "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
	var w guard.Watch
	play(&w, fails(7)...)
	if w.Avoid() != "one" {
		t.Errorf("after the switch %q is avoided", w.Avoid())
	}
}

// What a person says is news: the counting begins again.
func TestAPersonsWordsBeginAnew(t *testing.T) {
	var w guard.Watch
	same := did("read", "a", "x")
	play(&w, alone(same, same)...)
	w.Add(guard.Round{Told: true, Calls: []guard.Call{{ID: "n", Tool: "read", Key: guard.Key("read", json.RawMessage("a")), Result: "x"}}})
	if _, _, refuse := w.Refuse(guard.Key("read", json.RawMessage("a")), false); refuse || w.Verdict().Action != guard.Nothing {
		t.Errorf("refused: %v, %+v", refuse, w.Verdict())
	}
}

func TestTokenSpike(t *testing.T) {
	for _, tt := range []struct {
		name   string
		inputs []int
		want   []int // rounds after which it is told
	}{
		{"growing slowly", []int{5_000, 6_000, 9_000, 14_000, 20_000, 26_000, 40_000}, nil},
		{"one jump, told once", []int{5_000, 6_000, 7_000, 7_500, 60_000, 61_000, 62_000}, []int{5}},
		{"small is no spike", []int{100, 110, 120, 130, 9_000}, nil},
		{"too early to know", []int{5_000, 60_000, 61_000}, nil},
	} {
		var w guard.Watch
		var got []int
		for i, n := range tt.inputs {
			w.Add(guard.Round{Input: n, Calls: []guard.Call{{ID: fmt.Sprint(i), Tool: "read", Key: fmt.Sprint(i), Result: "new"}}})
			if w.Verdict().Pattern == guard.TokenSpike {
				got = append(got, i+1)
			}
		}
		if fmt.Sprint(got) != fmt.Sprint(tt.want) {
			t.Errorf("%s: told after %v, want %v", tt.name, got, tt.want)
		}
	}
}

// Whatever went before, a cycle of one to four calls whose results stay the same ends within five
// turns of it, and is never run for a third turn.
func TestEveryCycleEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w guard.Watch
		call := rapid.Custom(func(t *rapid.T) step {
			tool := rapid.SampledFrom([]string{"read", "put", "bad"}).Draw(t, "tool")
			args := rapid.SampledFrom([]string{"1", "2", "3"}).Draw(t, "args")
			return did(tool, args, "of "+tool+args)
		})
		play(&w, alone(rapid.SliceOfN(call, 0, 6).Draw(t, "before")...)...)
		cycle := rapid.SliceOfN(call, 1, 4).Draw(t, "cycle")
		wide := rapid.Bool().Draw(t, "wide")
		rounds := alone(repeat(6, cycle...)...)
		if wide {
			rounds = [][]step{cycle, cycle, cycle, cycle, cycle, cycle}
		}
		play(&w, rounds...)
		if w.Verdict().Action != guard.Stop {
			t.Fatalf("it goes on after six turns of %v: %+v", cycle, w.Verdict())
		}
	})
}

// Calls that bring something new each time are never refused or stopped, whatever else they are.
func TestNewResultsNeverStop(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w guard.Watch
		n := 0
		call := rapid.Custom(func(t *rapid.T) step {
			n++
			tool := rapid.SampledFrom([]string{"read", "put"}).Draw(t, "tool")
			return did(tool, rapid.SampledFrom([]string{"1", "2"}).Draw(t, "args"), fmt.Sprint("result ", n))
		})
		for i, mark := range play(&w, rapid.SliceOfN(rapid.SliceOfN(call, 1, 4), 1, 40).Draw(t, "rounds")...) {
			if strings.Contains(mark, "refused") || strings.Contains(mark, "stop") || strings.Contains(mark, "loop") {
				t.Fatalf("round %d: %s", i, mark)
			}
		}
	})
}

// The same history gives the same verdicts, and after a stop there is nothing but a stop.
func TestVerdictsAreTheHistorys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		call := rapid.Custom(func(t *rapid.T) step {
			return did(rapid.SampledFrom([]string{"read", "put", "bad"}).Draw(t, "tool"), rapid.SampledFrom([]string{"1", "2"}).Draw(t, "args"),
				rapid.SampledFrom([]string{"x", "y"}).Draw(t, "result"))
		})
		rounds := rapid.SliceOfN(rapid.SliceOfN(call, 1, 3), 1, 40).Draw(t, "rounds")
		var a, b guard.Watch
		stopped := false
		for i, r := range rounds {
			if x, y := playRound(&a, i, r), playRound(&b, i, r); x != y || a.Verdict() != b.Verdict() || a.Avoid() != b.Avoid() {
				t.Fatalf("round %d: %q and %q", i, x, y)
			}
			if stopped = stopped || a.Verdict().Action == guard.Stop; stopped && a.Verdict().Action != guard.Stop {
				t.Fatalf("round %d: the stop is gone", i)
			}
		}
	})
}
