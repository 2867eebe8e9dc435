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
