package gemini_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const key = "AIza-test-0123456789abcdefghij"

func provider(t testing.TB, s *llmtest.Server, opts gemini.Options) *gemini.Provider {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	opts.BaseURL, opts.Key, opts.HTTP = s.URL(), key, &http.Client{Transport: transport}
	return gemini.New("test-model", opts)
}

var tools = []llm.Tool{
	{Name: "read", Description: "Reads <a> file & more.", Schema: json.RawMessage(`{"type": "object", "properties": {"p": {"type": "string"}}, "required": ["p"]}`)},
	{Name: "write_file", Description: "Writes.", Schema: json.RawMessage(`{"type":"object","properties":{},"additionalProperties":false}`)},
	{Name: "now"},
	{Name: "search", Description: "Finds.", Schema: json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"q":{"type":["string","null"]},"n":{"type":"integer","minimum":1,"default":3}}}`)},
	{Name: "srv__calendar.list", Description: "Lists."},
	{Name: "2fa", Description: "Asks for a code."},
}

func ask(text string) llm.Request {
	return llm.Request{
		Task: "t_abcdefghijklmnopqrstuvwx", Role: llm.RoleMain, System: "You are <one> & only.",
		Messages: []llm.Message{{Speaker: llm.User, Text: text}}, Tools: tools,
	}
}

func answers(calls []akitad.Call) llm.Message {
	m := llm.Message{Speaker: llm.ToolReply}
	for _, c := range calls {
		m.Results = append(m.Results, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "result of " + c.ID})
	}
	return m
}

func TestTextAndUsage(t *testing.T) {
	for _, stream := range []bool{true, false} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("Hello, wörld 你好").Using(100, 60, 7).With(llmtest.Reasoning("hm"))), llmtest.Options{})
		var live strings.Builder
		req := ask("hi")
		req.OnText = func(s string) { live.WriteString(s) }
		got, err := provider(t, s, gemini.Options{NoStream: !stream}).Generate(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		if got.Text != "Hello, wörld 你好" || live.String() != got.Text || got.Finish != llm.FinishStop {
			t.Errorf("stream %v: text %q, live %q, finish %s", stream, got.Text, live.String(), got.Finish)
		}
		if want := (akitad.Usage{Input: 100, Cached: 60, Output: 7, Calls: 1}); got.Usage != want {
			t.Errorf("stream %v: usage %+v, want %+v", stream, got.Usage, want)
		}
		if got.Model != "scripted" || got.FirstByte <= 0 {
			t.Errorf("stream %v: model %q, first byte %v", stream, got.Model, got.FirstByte)
		}
		if want := `{"role":"model","parts":[{"text":"Hello, wörld 你好"}]}`; string(got.Raw) != want {
			t.Errorf("stream %v: raw %s, want %s", stream, got.Raw, want)
		}
	}
}

func TestHeadersAndBody(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	req := ask("hi")
	req.MaxOutput, req.Choice = 77, llm.ChoiceNone
	if _, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()[0]
	for name, want := range map[string]string{
		"X-Akita-Role": "main", "X-Akita-Task": string(req.Task), "X-Goog-Api-Key": key, "Authorization": "",
		"Content-Type": "application/json", "User-Agent": "akitad",
	} {
		if got := seen.Header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	var body map[string]json.RawMessage
	if err := json.Unmarshal(seen.Body, &body); err != nil {
		t.Fatalf("%v in %s", err, seen.Body)
	}
	for field, want := range map[string]string{
		"systemInstruction": `{"parts":[{"text":"You are \u003cone\u003e \u0026 only."}]}`,
		"toolConfig":        `{"functionCallingConfig":{"mode":"NONE"}}`,
		"generationConfig":  `{"maxOutputTokens":77}`,
		"contents":          `[{"role":"user","parts":[{"text":"hi"}]}]`,
		"tools": `[{"functionDeclarations":[` +
			`{"name":"read","description":"Reads \u003ca\u003e file \u0026 more.","parameters":{"type":"object","properties":{"p":{"type":"string"}},"required":["p"]}},` +
			`{"name":"write_file","description":"Writes."},{"name":"now","description":"now"},` +
			`{"name":"search","description":"Finds.","parameters":{"type":"object","properties":{"q":{"type":"string","nullable":true},"n":{"type":"integer"}}}},` +
			`{"name":"` + llm.WireName("srv__calendar.list") + `","description":"Lists."},` +
			`{"name":"t_2fa_` + akitad.Digest("2fa")[:8] + `","description":"Asks for a code."}]}]`,
	} {
		if got := string(body[field]); got != want {
			t.Errorf("%s: %s\nwant %s", field, got, want)
		}
	}
}

// path gives where a provider of the model asks, below the host.
func path(t *testing.T, base, model string, whole bool) string {
	t.Helper()
	var got string
	p := gemini.New(model, gemini.Options{BaseURL: base, NoStream: whole, HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		got = r.URL.String()
		return nil, http.ErrHandlerTimeout
	})}})
	if _, err := p.Generate(t.Context(), ask("x")); akitad.KindOf(err) != akitad.Transport {
		t.Errorf("%s: %v", base, err)
	}
	return got
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestAddresses(t *testing.T) {
	for _, tt := range []struct {
		base, model string
		whole       bool
		want        string
	}{
		{"", "gemini-2.5-flash", false, "https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"},
		{"https://generativelanguage.googleapis.com", "m", true, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"},
		{"https://generativelanguage.googleapis.com/", "models/m", true, "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent"},
		{"http://h:1/v1", "m", false, "http://h:1/v1/models/m:streamGenerateContent?alt=sse"},
		{"http://h/v1beta/", "tunedModels/x", true, "http://h/v1beta/tunedModels/x:generateContent"},
		{"http://h/proxy/v1alpha?team=a", "m", false, "http://h/proxy/v1alpha/models/m:streamGenerateContent?team=a&alt=sse"},
		{"http://h/proxy?team=a", "m", false, "http://h/proxy/v1beta/models/m:streamGenerateContent?team=a&alt=sse"},
	} {
		if got := path(t, tt.base, tt.model, tt.whole); got != tt.want {
			t.Errorf("%s, %s: %s, want %s", tt.base, tt.model, got, tt.want)
		}
	}
}

// shapes are the ways in which a server may send the same calls.
var shapes = map[string][]llmtest.Fault{
	"as documented":       nil,
	"not streamed":        {llmtest.NotStreamed()},
	"no ids":              {llmtest.NoIDs()},
	"no ids, whole":       {llmtest.NoIDs(), llmtest.NotStreamed()},
	"ids the same":        {llmtest.SameIDs()},
	"no usage":            {llmtest.NoUsage()},
	"arguments null":      {llmtest.NullContent()},
	"thoughts":            {llmtest.Reasoning("let me think")},
	"signed":              {llmtest.Signature("c2ln")},
	"signed, whole":       {llmtest.Signature("c2ln"), llmtest.NotStreamed()},
	"thoughts, signed":    {llmtest.Signature("c2ln"), llmtest.Reasoning("hm"), llmtest.NoIDs()},
	"keep-alive comments": {llmtest.KeepAlive(": PROCESSING")},
	"keep-alive as data":  {llmtest.KeepAlive("data: : keepalive")},
	"keep-alive empty":    {llmtest.KeepAlive("data:")},
	"crlf":                {llmtest.CRLF()},
}

func TestCallsInEveryShape(t *testing.T) {
	calls := []akitad.Call{
		llmtest.Call("read", map[string]any{"p": "a<b>&c"}),
		llmtest.Call("read", map[string]any{"p": "b"}),
		llmtest.Call("srv__calendar.list", map[string]any{}),
	}
	for name, faults := range shapes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(calls...).Saying("I look."), llmtest.Calls(calls...), llmtest.Text("done")), llmtest.Options{})
			s.Always(faults...)
			p, req := provider(t, s, gemini.Options{}), ask("go")
			for range 2 {
				reply, err := p.Generate(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
				checkCalls(t, req.Messages, calls)
			}
			if reply, err := p.Generate(t.Context(), req); err != nil || reply.Text != "done" {
				t.Errorf("the server refuses its own messages: %v\n%s", err, s.Seen()[2].Body)
			}
			if len(s.Seen()) != 3 {
				t.Errorf("%d requests, want 3", len(s.Seen()))
			}
			llmtest.SamePrefix(t, s.Seen())
		})
	}
}

// checkCalls holds the last answer to have the calls wanted, with ids that no other call has.
func checkCalls(t *testing.T, messages []llm.Message, want []akitad.Call) {
	t.Helper()
	ids, last := map[string]bool{}, messages[len(messages)-2].Calls
	for _, m := range messages {
		for _, c := range m.Calls {
			if c.ID == "" || ids[c.ID] {
				t.Errorf("id %q is empty or taken", c.ID)
			}
			ids[c.ID] = true
		}
	}
	if len(last) != len(want) {
		t.Fatalf("%d calls, want %d", len(last), len(want))
	}
	for i, c := range last {
		if c.Tool != want[i].Tool || string(c.Args) != string(want[i].Args) {
			t.Errorf("call %d is %s %s, want %s %s", i, c.Tool, c.Args, want[i].Tool, want[i].Args)
		}
	}
}

func TestPrefixIsStableOverManyRoundsAndAJournal(t *testing.T) {
	turns := []llmtest.Turn{
		llmtest.Calls(llmtest.Call("read", map[string]any{"p": "<x> & \u2028 y"})).Saying("I look & <see>").With(llmtest.Reasoning("hm <&>")),
		llmtest.Calls(llmtest.Call("now", nil), llmtest.Call("now", nil)).With(llmtest.NoIDs(), llmtest.NotStreamed()),
		llmtest.Calls(llmtest.Call("search", map[string]any{"q": 1})).With(llmtest.SameIDs(), llmtest.Signature("a+b==")),
		llmtest.Text("the end 完"),
		llmtest.Text("again"),
	}
	s := llmtest.NewServer(t, llmtest.New(t, turns...), llmtest.Options{})
	req := ask("go <now> & 现在")
	for i := range turns {
		// Every round is by another process: all that is left is what a journal keeps.
		reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req)
		if err != nil {
			t.Fatalf("round %d: %v", i, err)
		}
		req.Messages = append(req.Messages, reply.Message())
		if len(reply.Calls) > 0 {
			req.Messages = append(req.Messages, answers(reply.Calls))
		} else {
			req.Messages = append(req.Messages, llm.Message{Speaker: llm.User, Text: "go on"})
		}
		req.Messages = llmtest.Journalled(t, req.Messages)
	}
	llmtest.SamePrefix(t, s.Seen())
	last := string(s.Seen()[len(turns)-1].Body)
	if !strings.Contains(last, `"thoughtSignature":"a+b=="`) || strings.Contains(last, "hm ") {
		t.Errorf("a signature is missing, or a thought is sent back: %s", last)
	}
}

func TestToolNamesThatBeginWithADigit(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		return llm.Reply{Calls: []akitad.Call{{Tool: r.Tools[5].Name}}}, nil
	}), llmtest.Text("done")), llmtest.Options{})
	req := ask("go")
	reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req)
	if err != nil || len(reply.Calls) != 1 || reply.Calls[0].Tool != "2fa" {
		t.Fatalf("%+v, %v", reply.Calls, err)
	}
	req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
	if _, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req); err != nil {
		t.Error(err)
	}
}

func TestStreamsThatBreakOff(t *testing.T) {
	for name, fault := range map[string]llmtest.Fault{
		"cut": llmtest.CutAfter(1), "cut behind the call": llmtest.CutAfter(3), "cut in the call": llmtest.CutInCall(),
		"ended": llmtest.EndAfter(1), "ended behind the call": llmtest.EndAfter(3), "ended in the call": llmtest.EndInCall(),
	} {
		s := llmtest.NewServer(t, llmtest.New(nil, llmtest.Calls(llmtest.Call("now", nil)).Saying("I look.")), llmtest.Options{})
		s.Next(fault)
		reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x"))
		if akitad.KindOf(err) != akitad.Transport || len(reply.Calls) > 0 {
			t.Errorf("%s: %+v, %v", name, reply, err)
		}
	}
}
