package llm_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

func noted(args any) llmtest.Turn {
	return llmtest.Calls(llmtest.Call("note_number", args)).Using(20, 0, 5)
}

func TestTry(t *testing.T) {
	good := noted(map[string]any{"word": "akita", "number": 7})
	counting := llmtest.Text("one two three").Using(30, 0, 5)
	for _, tt := range []struct {
		name  string
		turns []llmtest.Turn
		want  string // reachable key tool streams usage
		kind  akitad.Kind
	}{
		{"all works", []llmtest.Turn{good, counting}, "yes yes yes yes yes", ""},
		{"the key is refused", []llmtest.Turn{llmtest.FailKind(akitad.Auth)}, "yes no unknown unknown unknown", akitad.Auth},
		{"the server is broken", []llmtest.Turn{llmtest.FailKind(akitad.Overloaded)}, "yes unknown unknown unknown unknown", akitad.Overloaded},
		{"words in place of a call", []llmtest.Turn{llmtest.Text("I would call it").Using(9, 0, 4), counting}, "yes yes no yes yes", akitad.ToolFailed},
		{"a number as text", []llmtest.Turn{noted(map[string]any{"word": "akita", "number": "7"}), counting}, "yes yes no yes yes", akitad.ToolFailed},
		{"an argument is missing", []llmtest.Turn{noted(map[string]any{"word": "akita"}), counting}, "yes yes no yes yes", akitad.ToolFailed},
		{"the result is refused", []llmtest.Turn{good, llmtest.FailKind(akitad.InvalidRequest), llmtest.FailKind(akitad.InvalidRequest)}, "yes yes no unknown yes", akitad.InvalidRequest},
		{"a web page", []llmtest.Turn{llmtest.Text("").With(llmtest.Raw("<!doctype html>\n<title>Sign\n in</title>"))}, "yes unknown unknown unknown unknown", akitad.Unavailable},
		{"no usage", []llmtest.Turn{good.With(llmtest.NoUsage()), counting}, "yes yes yes yes no", ""},
		{"not streamed", []llmtest.Turn{good, counting.With(llmtest.NotStreamed())}, "yes yes yes no yes", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := llmtest.NewServer(t, llmtest.New(nil, tt.turns...), llmtest.Options{})
			p := llm.Try(t.Context(), llm.Endpoint{Name: "a", Provider: openai.New("m", openai.Options{BaseURL: s.URL(), Key: "k"})})
			got := string(p.Reachable + " " + p.KeyAccepted + " " + p.ToolCall + " " + p.Streaming + " " + p.Usage)
			if got != tt.want || p.Kind != tt.kind || (tt.kind == "") != (p.Problem == "") {
				t.Errorf("%s, want %s; %s: %s", got, tt.want, p.Kind, p.Problem)
			}
			if tt.kind == akitad.Unavailable && (!strings.Contains(p.Problem, `no model server: it sent a web page ("Sign in")`) || p.Hint == "") {
				t.Errorf("said %q, %q", p.Problem, p.Hint)
			}
			if works := p.KeyAccepted == llm.Works; p.OK(false) != works || p.OK(true) != (works && p.ToolCall == llm.Works) {
				t.Errorf("OK %v, with tools %v", p.OK(false), p.OK(true))
			}
		})
	}
}

func TestTryNobody(t *testing.T) {
	p := llm.Try(t.Context(), llm.Endpoint{Name: "a", Provider: openai.New("m", openai.Options{BaseURL: "http://127.0.0.1:1/v1"})})
	if p.Reachable != llm.Broken || p.KeyAccepted != llm.NotKnown || p.Kind != akitad.Transport || p.OK(false) {
		t.Errorf("%+v", p)
	}
}

type silent struct{}

func (silent) Generate(ctx context.Context, _ llm.Request) (llm.Reply, error) {
	<-ctx.Done()
	return llm.Reply{}, context.Cause(ctx)
}

func TestTryGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for may, want := range map[time.Duration]time.Duration{0: llm.ProbeTime, time.Second: llm.ProbeTime, 2 * time.Minute: 2 * time.Minute} {
			start := time.Now()
			p := llm.Try(t.Context(), llm.Endpoint{Name: "a", Provider: silent{}, FirstByte: may})
			if took := time.Since(start); took != want || p.Kind != akitad.Timeout || p.Reachable != llm.Broken || p.Problem != "no answer within "+want.String() || p.Hint == "" {
				t.Errorf("after %v, want %v: %+v", took, want, p)
			}
		}
	})
}

// An offline endpoint is not asked: it needs nothing that could be missing.
func TestTryOffline(t *testing.T) {
	if p := llm.Try(t.Context(), llm.Endpoint{Name: "offline", Offline: true, Provider: silent{}}); !p.OK(true) || p.Problem != "" {
		t.Errorf("%+v", p)
	}
}

// What scripts read of a Probe.
func TestProbeJSON(t *testing.T) {
	got, err := json.Marshal(llm.Untried(llm.Endpoint{Name: "a", Protocol: "openai", Model: "m"}, akitad.Errorf(akitad.InvalidRequest, "why").WithHint("do")))
	want := `{"endpoint":"a","protocol":"openai","model":"m","reachable":"unknown","key_accepted":"unknown","tool_call":"unknown",` +
		`"streaming":"unknown","usage_reported":"unknown","total_ms":0,"kind":"invalid_request","problem":"why","hint":"do"}`
	if err != nil || string(got) != want {
		t.Errorf("%s, want %s (%v)", got, want, err)
	}
}
