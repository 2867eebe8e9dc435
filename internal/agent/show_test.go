package agent_test

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
)

// What a model is shown of an output depends on its length, on the tool, and on what the call wants to know.
func TestWhatIsShownOfAnOutput(t *testing.T) {
	var log strings.Builder
	for i := range 300 {
		fmt.Fprintf(&log, "line %d says nothing much\n", i)
		if i == 170 {
			log.WriteString("the valve of boiler 7 is stuck\n")
		}
	}
	mid := log.String()[:8_000] // under 5,000 tokens, over 5,000 bytes
	long := strings.Repeat(log.String(), 4)
	wide := func(i *tool.Info) { i.Readonly, i.Unbounded = true, true }
	paged := func(i *tool.Info) { i.Readonly, i.Unbounded, i.Paged = true, true, true }
	for _, tt := range []struct {
		name, text, summary, args string
		info                      func(*tool.Info)
		whole                     bool   // it is shown whole
		has                       string // what is shown has this
	}{
		{"short enough without an intent", mid, "", `{}`, wide, true, ""},
		{"with an intent", mid, "", `{"intent":"which valve is stuck"}`, wide, false, "boiler 7"},
		{"an intent that is empty", mid, "", `{"intent":" "}`, wide, true, ""},
		{"an intent of another sort of tool", mid, "", `{"what":"x"}`, readonly, true, ""},
		{"short, with an intent", "ok\n", "", `{"intent":"valve"}`, wide, true, ""},
		{"long without an intent", long, "", `{}`, readonly, false, "line 0 says"},
		{"a page of its own", long, "", `{}`, paged, true, ""},
		{"a page of its own with an intent", long, "", `{"intent":"stuck valve"}`, paged, false, "boiler 7"},
		{"with a summary of its own", long, "1,204 lines, one valve", `{"intent":"stuck valve"}`, wide, false, "1,204 lines, one valve\n[a summary of"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			look := saying("look", tt.text, tt.info)
			look.call = func(_ context.Context, _ tool.Input) (tool.Result, error) {
				return tool.Result{Text: tt.text, Summary: tt.summary}, nil
			}
			r := newRig(t, llmtest.New(t, llmtest.Calls(akitad.Call{ID: "a", Tool: "look", Args: json.RawMessage(tt.args)}), llmtest.Text("done")), tool.WithIntent(look))
			b := newBook(t, journal.SubmittedData{Text: "go"})
			r.run(t, b)
			o := b.Snapshot().Rounds[0].Results[0]
			if whole := o.Text == tt.text && o.Artifact == ""; whole != tt.whole {
				t.Fatalf("%d of %d bytes are shown, artifact %q", len(o.Text), len(tt.text), o.Artifact)
			}
			if !strings.Contains(o.Text, tt.has) || o.Bytes != len(tt.text) {
				t.Errorf("of %d bytes:\n%s", o.Bytes, o.Text)
			}
			if !tt.whole && (r.kept.bodies[o.Artifact] != tt.text || !strings.Contains(o.Text, o.Artifact[:12]) || len(o.Text) > len(tt.text)) {
				t.Errorf("it is kept as %q with %d bytes; shown is\n%s", o.Artifact, len(r.kept.bodies[o.Artifact]), o.Text)
			}
		})
	}
}

// What the brief quotes in part is on record too, so that it can be read back.
func TestWhatTheBriefQuotesIsKept(t *testing.T) {
	long := strings.Repeat("one more finding\n", 2_000)
	r := newRig(t, llmtest.New(t, llmtest.Calls(call("a", "look", "x")), llmtest.Text("done")), saying("look", "ok", readonly))
	b := newBook(t, journal.SubmittedData{Text: "go", Results: []journal.NamedResult{{Name: "before", Text: long}}})
	r.run(t, b)
	kept := b.Snapshot().Kept()
	if len(kept) != 1 || r.kept.bodies[kept[0]] != long {
		t.Errorf("on record is %q", kept)
	}
}

// A failed call with a long output, or a long message, shows of it what is shown of any output and keeps the
// whole; the failure on record is short.
func TestLongErrorsAreShownInPart(t *testing.T) {
	var log strings.Builder
	for i := range 2_000 {
		fmt.Fprintf(&log, "line %d says nothing much\n", i)
		if i == 970 {
			log.WriteString("the valve of boiler 7 is stuck\n")
		}
	}
	long := log.String()
	stopped := func(text string) error {
		return akitad.Errorf(akitad.Timeout, "look: stopped after 60s\n%s", text).WithHint("do less at a time")
	}
	for _, tt := range []struct {
		name, args string
		res        tool.Result
		err        error
		has        []string
		kept       string // "" for nothing
	}{
		{"an output that is in the message", `{}`, tool.Result{Text: long}, stopped(long[:8_000]), []string{"error (timeout): look: stopped after 60s\nhint: do less at a time\n", "line 0 says"}, long},
		{"what is looked for", `{"intent":"which valve is stuck"}`, tool.Result{Text: long}, stopped(long[:8_000]), []string{"look: stopped after 60s\n", "boiler 7"}, long},
		{"a message of its own", `{}`, tool.Result{}, stopped(long), []string{"look: stopped after 60s\n"}, "look: stopped after 60s\n" + long},
		{"more than was shown", `{}`, tool.Result{Text: long, Whole: long + long}, stopped("x"), []string{"look: stopped"}, long + long},
		{"a short one", `{}`, tool.Result{Text: "begun\n"}, stopped("begun\n"), []string{"error (timeout): look: stopped after 60s\nbegun\n\nhint: do less"}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			look := saying("look", "", func(i *tool.Info) { i.Readonly, i.Unbounded = true, true })
			look.call = func(context.Context, tool.Input) (tool.Result, error) { return tt.res, tt.err }
			r := newRig(t, llmtest.New(t, llmtest.Calls(akitad.Call{ID: "a", Tool: "look", Args: json.RawMessage(tt.args)}), llmtest.Text("done")), tool.WithIntent(look))
			b := newBook(t, journal.SubmittedData{Text: "go"})
			r.run(t, b)
			o := b.Snapshot().Rounds[0].Results[0]
			for _, part := range tt.has {
				if !strings.Contains(o.Text, part) {
					t.Errorf("%q is not shown:\n%s", part, o.Text)
				}
			}
			if r.kept.bodies[o.Artifact] != tt.kept || o.Error == nil || len(o.Error.Message) > 4_100 || len(o.Text) > 12_000 {
				t.Errorf("%d bytes are kept, want %d; %d shown, the failure has %d", len(r.kept.bodies[o.Artifact]), len(tt.kept), len(o.Text), len(o.Error.Message))
			}
			if tt.kept != "" && !strings.Contains(o.Text, o.Artifact[:12]) {
				t.Errorf("the artifact is not named:\n%s", o.Text)
			}
		})
	}
}
