package llm_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"pgregory.net/rapid"
)

func TestParseRetryAfter(t *testing.T) {
	now := time.Date(2026, 10, 21, 7, 27, 30, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"120":                           120 * time.Second,
		"Wed, 21 Oct 2026 07:28:00 GMT": 30 * time.Second,
		"Wed, 21 Oct 2020 07:28:00 GMT": 0,
		"1.5":                           1500 * time.Millisecond,
		" 7 ":                           7 * time.Second,
		"abc":                           0,
		"":                              0,
		"NaN":                           0,
		"-1":                            0,
		"99999999":                      24 * time.Hour,
		"1e400":                         24 * time.Hour,
		"Fri, 31 Dec 9999 23:59:59 GMT": 24 * time.Hour,
	} {
		if got := llm.ParseRetryAfter(http.Header{"Retry-After": {value}}, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
	if got := llm.ParseRetryAfter(http.Header{"Retry-After-Ms": {"250"}, "Retry-After": {"9"}}, now); got != 250*time.Millisecond {
		t.Errorf("milliseconds: %v", got)
	}
}

func TestWireName(t *testing.T) {
	long := strings.Repeat("Confluence", 8)
	for _, tt := range []struct{ name, prefix string }{
		{"read_file", "read_file"},
		{"srv__do-it", "srv__do-it"},
		{"calendar.list", "calendar_list_"},
		{"Create CIFS Share", "Create_CIFS_Share_"},
		{"查询", "___"},
		{"", "_"},
		{"create" + long, "createConfluence"},
		{"delete" + long, "deleteConfluence"},
	} {
		if got := llm.WireName(tt.name); !strings.HasPrefix(got, tt.prefix) {
			t.Errorf("%q: %q, want %q...", tt.name, got, tt.prefix)
		}
	}
	if got := llm.WireName("calendar.list"); got != "calendar_list_"+akitad.Digest("calendar.list")[:8] {
		t.Errorf("the name changes over restarts: %q", got)
	}
	shared := strings.Repeat("a", 80)
	if llm.WireName(shared+"x") == llm.WireName(shared+"y") || llm.WireName("a.b") == llm.WireName("a b") {
		t.Error("two tools share a name")
	}
}

func TestWireNamesAlwaysComeBack(t *testing.T) {
	valid := regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)
	rapid.Check(t, func(t *rapid.T) {
		var tools []llm.Tool
		for _, n := range rapid.SliceOfDistinct(rapid.String(), rapid.ID[string]).Draw(t, "names") {
			tools = append(tools, llm.Tool{Name: n})
		}
		names := llm.NamesOf(tools)
		for _, tool := range tools {
			wire := llm.WireName(tool.Name)
			if !valid.MatchString(wire) || names.Original(wire) != tool.Name {
				t.Fatalf("%q is sent as %q and comes back as %q", tool.Name, wire, names.Original(wire))
			}
		}
	})
}

func TestObservationText(t *testing.T) {
	for _, tt := range []struct {
		in   akitad.Observation
		want string
	}{
		{akitad.Observation{Text: "hello"}, "hello"},
		{akitad.Observation{}, "(no output)"},
		{akitad.Observation{Error: &akitad.Failure{Kind: akitad.NotFound, Message: "no file x", Hint: "list the folder"}}, "error (not_found): no file x\nhint: list the folder"},
		{akitad.Observation{Error: &akitad.Failure{Kind: akitad.Timeout, Message: "slow"}}, "error (timeout): slow"},
	} {
		if got := llm.ObservationText(tt.in); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, got, tt.want)
		}
	}
}

const deepseek = "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read\n```json\n{\"p\":\"a\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>"

// tag gives an XML tag in the name space that some models write.
func tag(s string) string { return "<" + "antml:" + s }

var dialects = []struct{ name, text, words, calls string }{
	{"none", "Hello <b>you</b> [1].", "Hello <b>you</b> [1].", ""},
	{"hermes", "<tool_call>\n{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}\n</tool_call>", "", `read {"p":"a"}`},
	{"hermes, words before", "Let me look.\n\n<tool_call>{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</tool_call>", "Let me look.", `read {"p":"a"}`},
	{"hermes, two", "<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n<tool_call>{\"name\":\"now\"}</tool_call>", "", `read {}; now {}`},
	{"hermes, not closed", "<tool_call>{\"name\":\"now\",\"arguments\":{}}", "", `now {}`},
	{"hermes, encoded twice", `<tool_call>{"name":"read","arguments":"{\"p\":\"a\"}"}</tool_call>`, "", `read {"p":"a"}`},
	{"qwen coder", "<tool_call>\n<function=read>\n<parameter=p>\na b\n</parameter>\n<parameter=n>\n3\n</parameter>\n</function>\n</tool_call>", "", `read {"n":"3","p":"a b"}`},
	{"llama function", `<function=read>{"p": "a"}</function>`, "", `read {"p":"a"}`},
	{"llama python tag", `<|python_tag|>{"type":"function","name":"read","parameters":{"p":"a"}}`, "", `read {"p":"a"}`},
	{"mistral list", `[TOOL_CALLS][{"name":"read","arguments":{"p":"a"}},{"name":"now","arguments":{}}]`, "", `read {"p":"a"}; now {}`},
	{"mistral tagged", `[TOOL_CALLS]read[ARGS]{"p":"a"}`, "", `read {"p":"a"}`},
	{"xml", "<function_calls>\n<invoke name=\"read\">\n<parameter name=\"p\">a</parameter>\n</invoke>\n</function_calls>", "", `read {"p":"a"}`},
	{"xml with a name space", tag("function_calls>") + tag(`invoke name="now">`) + "</" + "antml:invoke>", "", `now {}`},
	{"deepseek", deepseek, "", `read {"p":"a"}`},
	{"an unknown tool", `<tool_call>{"name":"nope","arguments":{}}</tool_call>`, "", `nope {}`},
	{"broken, but meant", `Now: <tool_call>{"name":"read","arguments":{"p":`, "Now:", ""},
	{"talk about the tag", "The tag <tool_call> opens a call.", "The tag <tool_call> opens a call.", ""},
	{"in a fence", "Write:\n```\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n```", "Write:\n```\n<tool_call>{\"name\":\"read\",\"arguments\":{}}</tool_call>\n```", ""},
	{"in backticks", "Use `<tool_call>{\"name\":\"read\"}`.", "Use `<tool_call>{\"name\":\"read\"}`.", ""},
	{"thoughts", "<think>\nI should read <tool_call>\n</think>\n\nHello", "Hello", ""},
	{"thoughts, then a call", "<think>hm</think><tool_call>{\"name\":\"now\"}</tool_call>", "", `now {}`},
	{"thoughts, opened by the template", "I think so.\n</think>\n\nHello", "Hello", ""},
	{"thoughts cut off", "<think>and then", "", ""},
	{"talk about thoughts", "Use `</think>` to end.", "Use `</think>` to end.", ""},
}

func TestSplitText(t *testing.T) {
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	for _, tt := range dialects {
		words, calls := llm.SplitText(tt.text, names)
		var got []string
		for _, c := range calls {
			got = append(got, c.Tool+" "+string(c.Args))
		}
		if words != tt.words || strings.Join(got, "; ") != tt.calls {
			t.Errorf("%s: %q, %q; want %q, %q", tt.name, words, got, tt.words, tt.calls)
		}
	}
}

// TestVeil cuts each text in every way and holds what a person sees to a beginning of the words.
func TestVeil(t *testing.T) {
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	for _, tt := range dialects {
		if tt.name == "thoughts, opened by the template" || tt.name == "talk about the tag" {
			continue // a stream cannot know yet
		}
		for size := 1; size <= 9; size++ {
			var shown strings.Builder
			v := llm.NewVeil(func(s string) { shown.WriteString(s) }, names)
			for rest := tt.text; rest != ""; {
				n := min(size, len(rest))
				v.Write(rest[:n])
				rest = rest[n:]
			}
			v.Flush()
			if got := strings.TrimSpace(shown.String()); got != tt.words {
				t.Errorf("%s by %d bytes: shown %q, want %q", tt.name, size, got, tt.words)
			}
		}
	}
}

func FuzzSplitText(f *testing.F) {
	for _, d := range dialects {
		f.Add(d.text)
	}
	names := llm.NamesOf([]llm.Tool{{Name: "read"}, {Name: "now"}})
	f.Fuzz(func(t *testing.T, text string) {
		words, calls := llm.SplitText(text, names)
		if len(words) > len(text) {
			t.Errorf("%q grew to %q", text, words)
		}
		for _, c := range calls {
			if c.Tool == "" || !json.Valid(c.Args) {
				t.Errorf("%q gave call %q with %q", text, c.Tool, c.Args)
			}
		}
	})
}

func TestArguments(t *testing.T) {
	for in, want := range map[string]string{
		"": "{}", "null": "{}", " {} ": "{}", `{"a": 1}`: `{"a":1}`, `"{\"a\":1}"`: `{"a":1}`, `""`: "{}",
		`{a:1}`: `"{a:1}"`, `{"a":1}{"b":2}`: `"{\"a\":1}{\"b\":2}"`, `[1]`: "[1]", `"text"`: `"text"`, `{"a":"<&>"}`: `{"a":"\u003c\u0026\u003e"}`,
	} {
		if got := string(llm.Arguments(in)); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
