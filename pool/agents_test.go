package pool_test

import (
	"context"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/pool"
)

// everybodyFails is a model of which every endpoint fails for the same reason, one that does not pass.
type everybodyFails struct{ kind akitad.Kind }

func (e everybodyFails) Generate(context.Context, llm.Request) (llm.Reply, error) {
	all := &llm.AllFailed{Role: llm.RoleMain, Tried: []llm.Tried{
		{Endpoint: "near", Tries: 2, Err: akitad.Errorf(e.kind, "near says no")},
		{Endpoint: "far", Tries: 1, Err: akitad.Errorf(e.kind, "far says no")},
	}}
	return llm.Reply{}, &akitad.Error{Kind: akitad.AllFailed, Err: all}
}

// What each kind of failure of an agent means for its task.
func TestWhatComesAfterAnAgent(t *testing.T) {
	next := map[akitad.Kind]bool{
		akitad.InvalidRequest: true, akitad.ToolFailed: true, akitad.Loop: true, akitad.PermissionDenied: true,
		akitad.Unknown: true, akitad.ContextOverflow: true,
	}
	for _, kind := range akitad.Kinds {
		if kind == akitad.Cancelled {
			continue // is asked for in the journal, and not an error of an agent
		}
		t.Run(string(kind), func(t *testing.T) {
			script := llmtest.New(t).
				Always(llmtest.System("You are an analyst"), llmtest.FailKind(kind)).
				Always(llmtest.System("You are the assistant"), llmtest.Text("by the next"))
			h := newHouse(t, script).run(pool.WorkerOptions{})
			id := h.submit("x", journal.SubmittedData{Text: "go", Profile: "analyst"})
			h.dispatch(id)
			if kind == akitad.Unknown { // the agent goes on once
				h.until(id, func(t *journal.Task) bool { return len(t.Broke) == 1 })
				h.dispatch(id)
			}
			got := h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
			if handed := got.Profile == "assistant"; handed != next[kind] || !handed && (got.State != akitad.Failed || got.Error.Kind != kind) {
				t.Errorf("%s by %s, %+v", got.State, got.Profile, got.Error)
			}
		})
	}
}

// A failure that nobody can name is told to the agent, which goes on; the same one again, or a fourth
// that differs, is its end. Numbers make no difference.
func TestAnUnknownFailureIsFedBackOnce(t *testing.T) {
	unknown := func(words string) llmtest.Turn { return llmtest.Fail(akitad.Errorf(akitad.Unknown, "%s", words)) }
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		broke int
		by    string
	}{
		{"once", []llmtest.Turn{unknown("socket 7 is odd"), llmtest.Text("done")}, 1, "analyst"},
		{"the same again", []llmtest.Turn{unknown("socket 7 is odd"), unknown("Socket 12 is odd")}, 1, "assistant"},
		{"another", []llmtest.Turn{unknown("socket 7 is odd"), unknown("disk 7 is odd"), llmtest.Text("done")}, 2, "analyst"},
		{"too many", []llmtest.Turn{unknown("a is odd"), unknown("b is odd"), unknown("c is odd")}, 2, "assistant"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			script := llmtest.New(t).On(llmtest.System("You are an analyst"), tt.turns...).Always(llmtest.System("You are the assistant"), llmtest.Text("done"))
			h := newHouse(t, script).run(pool.WorkerOptions{})
			id := h.submit("x", journal.SubmittedData{Text: "go", Profile: "analyst"})
			broke := 0
			for seen := uint64(0); ; {
				got := h.until(id, func(t *journal.Task) bool { return t.Final() || t.State == akitad.Pending && t.Activation > seen })
				if broke = max(broke, len(got.Broke)); got.Final() {
					if got.State != akitad.Completed || got.Profile != tt.by || broke != tt.broke {
						t.Errorf("%s by %s after %d, %+v", got.State, got.Profile, broke, got.Error)
					}
					break
				}
				seen = got.Activation
				h.dispatch(id)
			}
			if said := script.Requests()[1].Messages; !strings.Contains(said[len(said)-1].Text, "broken off at this point: socket 7 is odd") && tt.name != "too many" {
				t.Errorf("it is told %+v", said)
			}
		})
	}
}

// The last error of a chain names each agent, and for each its endpoints, their tries and last errors.
func TestTheLastErrorNamesEverybody(t *testing.T) {
	h := newHouse(t, everybodyFails{akitad.InvalidRequest}).run(pool.WorkerOptions{})
	id := h.submit("x", journal.SubmittedData{Text: "go", Profile: "analyst"})
	h.dispatch(id)
	h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
	h.dispatch(id)
	got := h.ended(id)
	if got.Error == nil || got.Error.Kind != akitad.AllFailed {
		t.Fatalf("%s %+v", got.State, got.Error)
	}
	for _, part := range []string{"analyst (", "assistant (", "near (2 tries): invalid_request: near says no", "far (1 try): invalid_request: far says no"} {
		if !strings.Contains(got.Error.Message, part) {
			t.Errorf("%q does not say %q", got.Error.Message, part)
		}
	}
}

// A profile that names no fallback has the default one; an empty list is no one.
func TestTheDefaultFallback(t *testing.T) {
	for front, want := range map[string]string{"": "assistant", "fallback: []\n": "", "fallback: [writer, analyst]\n": "writer analyst"} {
		p, err := pool.ParseProfile("x.md", []byte("---\nname: x\ndescription: d\n"+front+"---\nYou are x.\n"))
		if got := strings.Join(p.Fallback, " "); err != nil || got != want {
			t.Errorf("%q gives %q (%v), want %q", front, got, err, want)
		}
	}
	if p, err := pool.ParseProfile("assistant.md", []byte("---\nname: assistant\ndescription: d\n---\nYou are x.\n")); err != nil || len(p.Fallback) != 0 {
		t.Errorf("the default falls back on %q (%v)", p.Fallback, err)
	}
}
