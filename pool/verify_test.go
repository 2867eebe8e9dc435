package pool_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/tool"
	"github.com/akitad/akitad/pool"
)

// shellOf stands in for the shell: what it gives is the command itself, an exit code or a kind of error.
func shellOf() fake {
	f := newFake("run_shell", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		var a struct{ Command string }
		if err := json.Unmarshal(in.Args, &a); err != nil {
			return tool.Result{}, err
		}
		var exit int
		if n, _ := fmt.Sscanf(a.Command, "exit %d", &exit); n == 1 {
			return tool.Result{Text: "exit code and " + strings.Repeat("much ", 2000) + "output", Exit: exit}, nil
		}
		return tool.Result{}, akitad.Errorf(akitad.Kind(a.Command), "the shell says no")
	})
	f.info.Schema = json.RawMessage(`{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}`)
	return f
}

// What a check gives decides what the step's end is: only a verdict on the result counts as one.
func TestWhatACheckMeans(t *testing.T) {
	h := newHouse(t, llmtest.New(t), newFake("make", nil, says("made")), shellOf()).run(pool.WorkerOptions{})
	for _, tt := range []struct {
		verify     string
		state      akitad.State
		kind       akitad.Kind
		unverified bool
		says       string
	}{
		{"exit 0", akitad.Completed, "", false, ""},
		{"exit 7", akitad.Failed, akitad.ToolFailed, true, "much output"},
		{"timeout", akitad.Failed, akitad.ToolFailed, true, "says no"},
		{"tool_failed", akitad.Failed, akitad.ToolFailed, true, "says no"},
		{"unavailable", akitad.Failed, akitad.Unavailable, false, "could not run"},
		{"permission_denied", akitad.Failed, akitad.PermissionDenied, false, "could not run"},
	} {
		got := h.do(tt.verify, step(akitad.Step{Tool: "make", Verify: &akitad.Verify{Command: tt.verify}}))
		if got.State != tt.state || got.Unverified != tt.unverified || tt.kind != "" && (got.Error.Kind != tt.kind || !strings.Contains(got.Error.Message, tt.says)) {
			t.Errorf("%s: %s %+v, unverified %v", tt.verify, got.State, got.Error, got.Unverified)
		}
		if got.Error != nil && len(got.Error.Message) > 5000 {
			t.Errorf("%s: the reason has %d bytes", tt.verify, len(got.Error.Message))
		}
		if note := len(got.Files) == 1 && got.Files[0].Name == "progress/s.md"; note != (got.Error != nil) {
			t.Errorf("%s: files %+v", tt.verify, got.Files)
		}
	}
}

// The note is made from the journal: whoever writes it, and how often, each reason is in it once.
func TestTheProgressNoteOfALaterAttempt(t *testing.T) {
	h := newHouse(t, llmtest.New(t), newFake("make", nil, says("made")), shellOf()).run(pool.WorkerOptions{})
	h.write("progress/s.md", "half a note")
	sub := step(akitad.Step{Tool: "make", Verify: &akitad.Verify{Command: "exit 1"}})
	sub.Reasons, sub.Attempt = []string{"too short", "too long"}, 3
	h.do("third", sub)
	note := h.file("progress/s.md")
	if strings.Contains(note, "half") || strings.Count(note, "did not hold") != 3 || !strings.Contains(note, "## Attempt 2 did not hold\n\ntoo long") || !strings.Contains(note, "## Attempt 3") {
		t.Errorf("%s", note)
	}
}

// A key is no promise that a call may be made twice: what may have run is not run again. Another task
// with the key may, once that one has failed; a recorded result is given and nothing runs.
func TestAKeyAcrossACrash(t *testing.T) {
	send := newFake("send", nil, func(_ context.Context, in tool.Input) (tool.Result, error) {
		return tool.Result{Text: "sent", Untrusted: true, Changed: []string{"log"}}, in.Scope.Dir.WriteFile("log", []byte("x"))
	})
	h := newHouse(t, llmtest.New(t), send).run(pool.WorkerOptions{})
	keyed := step(akitad.Step{Tool: "send", IdempotencyKey: "k"})
	id := h.submit("crashed", keyed)
	h.append(id, journal.Claimed, journal.ClaimedData{Node: "n"})
	h.append(id, journal.Thought, journal.ThoughtData{Round: 1, Calls: []akitad.Call{{ID: "s", Tool: "send"}}})
	h.dispatch(id)
	if got := h.ended(id); got.Error == nil || got.Error.Kind != akitad.Unknown || send.calls() != 0 {
		t.Fatalf("%s %+v, %d calls", got.State, got.Error, send.calls())
	}
	for _, name := range []string{"again", "and again"} {
		if got := h.do(name, keyed); got.State != akitad.Completed || got.Result.Text != "sent" || send.calls() != 1 || !got.Tainted {
			t.Errorf("%s: %s %+v %+v, %d calls, tainted %v", name, got.State, got.Result, got.Error, send.calls(), got.Tainted)
		}
	}
	other := keyed
	other.Folder = "elsewhere"
	if got := h.do("elsewhere", other); got.State != akitad.Completed || send.calls() != 2 {
		t.Errorf("another folder: %s %+v, %d calls", got.State, got.Error, send.calls())
	}
}
