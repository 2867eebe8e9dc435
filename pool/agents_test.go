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
			got := h.until(id, func(t *journal.Task) bool { return t.Profile == "assistant" || t.Final() })
			if handed := got.Profile == "assistant"; handed != next[kind] || !handed && (got.State != akitad.Failed || got.Error.Kind != kind) {
				t.Errorf("%s by %s, %+v", got.State, got.Profile, got.Error)
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
