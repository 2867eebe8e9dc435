package openai_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/leaktest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/llm/openai"
)

func TestMain(m *testing.M) { leaktest.Main(m) }

const key = "sk-test-0123456789abcdefghij"

// short keeps hanging servers from costing a test's time. It is for servers that hang alone: on a loaded
// machine, one that answers may be slower.
var short = llm.Timeouts{FirstByte: time.Second, Idle: time.Second, Whole: time.Second}

func provider(t testing.TB, s *llmtest.Server, opts openai.Options) *openai.Provider {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	opts.BaseURL, opts.Key, opts.HTTP = s.URL(), key, &http.Client{Transport: transport}
	return openai.New("test-model", opts)
}

var tools = []llm.Tool{
	{Name: "read", Description: "Reads <a> file & more.", Schema: json.RawMessage(`{"type": "object", "properties": {"p": {"type": "string"}}, "required": ["p"]}`)},
	{Name: "write_file", Description: "Writes.", Schema: json.RawMessage(`{"type":"object"}`)},
	{Name: "now", Description: "Gives the time."},
	{Name: "search", Description: "Finds."},
	{Name: "srv__calendar.list", Description: "Lists."},
}

func ask(text string) llm.Request {
	return llm.Request{
		Task: "t_abcdefghijklmnopqrstuvwx", Role: llm.RoleMain, System: "You are <one> & only.",
		Messages: []llm.Message{{Speaker: llm.User, Text: text}}, Tools: tools,
	}
}

func TestTextAndUsage(t *testing.T) {
	for _, stream := range []bool{true, false} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("Hello, wörld 你好").Using(100, 60, 7)), llmtest.Options{})
		p := provider(t, s, openai.Options{NoStream: !stream})
		var live strings.Builder
		req := ask("hi")
		req.OnText = func(s string) { live.WriteString(s) }
		got, err := p.Generate(t.Context(), req)
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
	}
}

func TestHeadersAndBody(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	req := ask("hi")
	req.MaxOutput, req.Choice = 77, llm.ChoiceNone
	if _, err := provider(t, s, openai.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()[0]
	for name, want := range map[string]string{
		"X-Akita-Role": "main", "X-Akita-Task": string(req.Task), "Authorization": "Bearer " + key,
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
		"model": `"test-model"`, "stream": "true", "stream_options": `{"include_usage":true}`, "tool_choice": `"none"`, "max_tokens": "77",
	} {
		if got := string(body[field]); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}

// shapes are the ways in which a server may send the same two calls.
var shapes = map[string][]llmtest.Fault{
	"as documented":       nil,
	"not streamed":        {llmtest.NotStreamed()},
	"index missing":       {llmtest.NoIndex()},
	"index always zero":   {llmtest.ZeroIndex()},
	"arguments as object": {llmtest.ArgsObject()},
	"object, one piece":   {llmtest.ArgsObject(), llmtest.NotStreamed()},
	"name repeated":       {llmtest.RepeatName()},
	"ids empty":           {llmtest.NoIDs()},
	"ids the same":        {llmtest.SameIDs()},
	"no index, no ids":    {llmtest.NoIndex(), llmtest.NoIDs()},
	"index zero, no ids":  {llmtest.ZeroIndex(), llmtest.NoIDs()},
	"no done":             {llmtest.NoDone()},
	"no usage":            {llmtest.NoUsage()},
	"finish stop":         {llmtest.Finish("stop")},
	"finish stop, whole":  {llmtest.Finish("stop"), llmtest.NotStreamed()},
	"keep-alive comments": {llmtest.KeepAlive(": PROCESSING")},
	"keep-alive as data":  {llmtest.KeepAlive("data: : keepalive")},
	"keep-alive empty":    {llmtest.KeepAlive("data:")},
	"keep-alive event":    {llmtest.KeepAlive("event: ping")},
	"crlf":                {llmtest.CRLF()},
	"null content":        {llmtest.NullContent()},
	"reasoning":           {llmtest.Reasoning("let me think")},
	"extra content":       {llmtest.ExtraContent(`{"google":{"thought_signature":"sig=="}}`)},
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
			s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(calls...), llmtest.Text("done")), llmtest.Options{})
			p := provider(t, s, openai.Options{})
			s.Next(llmtest.Fault{}, llmtest.Fault{})
			s.Always(faults...)
			req := ask("go")
			reply, err := p.Generate(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			checkCalls(t, reply, calls)
			req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
			s.Always()
			if _, err := p.Generate(t.Context(), req); err != nil {
				t.Errorf("the server refuses its own message: %v\n%s", err, s.Seen()[1].Body)
			}
			checkPrefix(t, s.Seen())
		})
	}
}

func checkCalls(t *testing.T, reply llm.Reply, want []akitad.Call) {
	t.Helper()
	if len(reply.Calls) != len(want) || reply.Finish != llm.FinishCalls {
		t.Fatalf("finish %s, calls %s", reply.Finish, dump(reply.Calls))
	}
	ids := map[string]bool{}
	for i, c := range reply.Calls {
		if c.Tool != want[i].Tool || string(c.Args) != string(want[i].Args) {
			t.Errorf("call %d is %s %s, want %s %s", i, c.Tool, c.Args, want[i].Tool, want[i].Args)
		}
		if c.ID == "" || ids[c.ID] {
			t.Errorf("call %d has id %q", i, c.ID)
		}
		ids[c.ID] = true
	}
}

func answers(calls []akitad.Call) llm.Message {
	m := llm.Message{Speaker: llm.ToolReply}
	for _, c := range calls {
		m.Results = append(m.Results, akitad.Observation{Call: c.ID, Tool: c.Tool, Text: "result of " + c.ID})
	}
	return m
}

func dump(v any) string {
	data, _ := json.Marshal(v)
	return string(data)
}

// checkPrefix holds every request's messages to be a byte prefix of the next one's, as is all that
// stands before them.
func checkPrefix(t *testing.T, seen []llmtest.Seen) {
	t.Helper()
	for i := 1; i < len(seen); i++ {
		before := bytes.TrimSuffix(seen[i-1].Body, []byte("]}"))
		if !bytes.HasPrefix(seen[i].Body, before) {
			t.Errorf("request %d is no prefix of request %d:\n%s\n%s", i-1, i, seen[i-1].Body, seen[i].Body)
		}
	}
}

func TestPrefixIsStableOverManyRoundsAndAJournal(t *testing.T) {
	turns := []llmtest.Turn{
		llmtest.Calls(llmtest.Call("read", map[string]any{"p": "<x> & \u2028 y"})).Saying("I look & <see>").With(llmtest.Reasoning("hm <&>")),
		llmtest.Calls(llmtest.Call("now", nil)).With(llmtest.NoIDs(), llmtest.NotStreamed()),
		llmtest.Calls(llmtest.Call("now", nil)).With(llmtest.SameIDs(), llmtest.ArgsObject()),
		llmtest.Calls(llmtest.Call("search", nil)).With(llmtest.SameIDs(), llmtest.ExtraContent(`{"google": {"thought_signature": "a+b=="}}`)),
		llmtest.Text("the end 完"),
		llmtest.Text("again"),
	}
	s := llmtest.NewServer(t, llmtest.New(t, turns...), llmtest.Options{})
	req := ask("go <now> & 现在")
	for i := range turns {
		// Every round is by another process: all that is left is what a journal keeps.
		p := provider(t, s, openai.Options{})
		reply, err := p.Generate(t.Context(), req)
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
	checkPrefix(t, s.Seen())
	last := string(s.Seen()[len(turns)-1].Body)
	for _, want := range []string{`"reasoning_content":"hm `, `"thought_signature":"a+b=="`} {
		if !strings.Contains(last, want) {
			t.Errorf("the last request lacks %s", want)
		}
	}
}

func TestMessagesOfAnotherVendorAreRebuilt(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	req := ask("go")
	call := akitad.Call{ID: "c1", Tool: "srv__calendar.list", Args: json.RawMessage(`{"a": 1}`)}
	req.Messages = append(req.Messages, llm.Message{
		Speaker: llm.Assistant, Text: "look", Calls: []akitad.Call{call}, RawBy: "openai@elsewhere.example",
		Raw: json.RawMessage(`{"role":"assistant","content":"look","reasoning_content":"foreign","tool_calls":[]}`),
	}, answers([]akitad.Call{call}))
	if _, err := provider(t, s, openai.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	var body struct{ Messages []json.RawMessage }
	if err := json.Unmarshal(s.Seen()[0].Body, &body); err != nil {
		t.Fatal(err)
	}
	want := `{"role":"assistant","content":"look","tool_calls":[{"id":"c1","type":"function","function":{"name":"` +
		llm.WireName("srv__calendar.list") + `","arguments":"{\"a\":1}"}}]}`
	if got := string(body.Messages[2]); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestServersThatRefuseHistoryAsItCame(t *testing.T) {
	strict := llmtest.Status(400, `{"error":{"message":"messages[2].content: expected a string","type":"invalid_request_error"}}`)
	s := llmtest.NewServer(t, llmtest.New(t,
		llmtest.Calls(llmtest.Call("now", nil)).With(llmtest.NullContent(), llmtest.Reasoning("hm")),
		llmtest.Text("ok"), llmtest.Text("ok")), llmtest.Options{})
	p := provider(t, s, openai.Options{})
	req := ask("go")
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
	s.Next(strict)
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	seen := s.Seen()
	if len(seen) != 4 {
		t.Fatalf("%d requests, want 4: the form that works is remembered", len(seen))
	}
	for i, want := range []string{`"content":null,"reasoning_content":"hm"`, `"content":"","tool_calls"`, `"content":"","tool_calls"`} {
		if !bytes.Contains(seen[i+1].Body, []byte(want)) {
			t.Errorf("request %d lacks %s: %s", i+1, want, seen[i+1].Body)
		}
	}
}

func TestDropReasoning(t *testing.T) {
	for _, drop := range []bool{false, true} {
		for _, plain := range []bool{false, true} {
			script := llmtest.New(t, llmtest.Text("hi").With(llmtest.Reasoning("secret thoughts")))
			s := llmtest.NewServer(t, script, llmtest.Options{})
			reply, err := provider(t, s, openai.Options{DropReasoning: drop, NoStream: plain}).Generate(t.Context(), ask("x"))
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Contains(string(reply.Raw), "secret thoughts"); got == drop {
				t.Errorf("drop %v, whole %v: raw %s", drop, plain, reply.Raw)
			}
		}
	}
}

func TestServersWithoutStreamOptions(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok"), llmtest.Text("ok")), llmtest.Options{})
	s.Next(llmtest.Status(422, `{"detail":[{"loc":["body","stream_options"],"msg":"Extra inputs are not permitted"}]}`))
	p := provider(t, s, openai.Options{})
	for range 2 {
		if _, err := p.Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
	}
	if seen := s.Seen(); len(seen) != 3 || bytes.Contains(seen[2].Body, []byte("stream_options")) {
		t.Errorf("%d requests, the last: %s", len(seen), seen[len(seen)-1].Body)
	}
}

func TestCancel(t *testing.T) {
	hold := llmtest.NewHold()
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("late").Held(hold)), llmtest.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := provider(t, s, openai.Options{}).Generate(ctx, ask("x"))
		done <- err
	}()
	<-hold.Arrived()
	cancel()
	if err := <-done; akitad.KindOf(err) != akitad.Cancelled {
		t.Errorf("got %v", err)
	}
	hold.Release()
}

func TestTextTools(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t,
		llmtest.Text("I read.\n<tool_call>{\"name\": \"read\", \"arguments\": {\"p\": \"a\"}}</tool_call>"),
		llmtest.Text("It says hello.")), llmtest.Options{})
	p := provider(t, s, openai.Options{TextTools: true})
	req := ask("what is in a?")
	var live strings.Builder
	req.OnText = func(s string) { live.WriteString(s) }
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if len(reply.Calls) != 1 || reply.Calls[0].Tool != "read" || string(reply.Calls[0].Args) != `{"p":"a"}` || reply.Calls[0].ID == "" {
		t.Errorf("calls %s", dump(reply.Calls))
	}
	if reply.Text != "I read." || strings.Contains(live.String(), "<") {
		t.Errorf("text %q, live %q", reply.Text, live.String())
	}
	req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
	if reply, err = p.Generate(t.Context(), req); err != nil || reply.Text != "It says hello." {
		t.Fatalf("%q, %v", reply.Text, err)
	}
	body := string(s.Seen()[1].Body)
	for _, want := range []string{`\u003ctool_call\u003e{\"name\": \"read\", \"arguments\": {\"p\":\"p\"}}`, `\u003ctool_result name=\"read\"\u003e`} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, `"tools":`) || strings.Contains(body, `"tool_calls"`) {
		t.Errorf("native tools in %s", body)
	}
	checkPrefix(t, s.Seen())
}

// A model that writes its calls as text has read of the tools beside its tool block too.
func TestTextCallsOfToolsBesideTheBlock(t *testing.T) {
	for _, said := range []string{
		`{"name":"far","arguments":{"x":1}}`, `{"tool":"far","args":{"x":1}}`, "```json\n{\"name\":\"far\",\"arguments\":{\"x\":1}}\n```",
		`<tool_call>{"name":"far","arguments":{"x":1}}</tool_call>`,
	} {
		s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text(said)), llmtest.Options{})
		req := ask("x")
		req.Beside = []string{"far", "far.off"}
		var live strings.Builder
		req.OnText = func(s string) { live.WriteString(s) }
		reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), req)
		if err != nil || callText(reply) != `far {"x":1}` || reply.Text != "" || live.String() != "" {
			t.Errorf("%s: %q, live %q, calls %s, %v", said, reply.Text, live.String(), callText(reply), err)
		}
	}
}

func TestMarkersMeanNothingWithoutTools(t *testing.T) {
	const said = "tag: <tool_call>{\"name\":\"read\"}</tool_call> and more"
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text(said)), llmtest.Options{})
	req := ask("explain the tag")
	var live strings.Builder
	req.Tools, req.OnText = nil, func(s string) { live.WriteString(s) }
	reply, err := provider(t, s, openai.Options{}).Generate(t.Context(), req)
	if err != nil || reply.Text != said || live.String() != said || len(reply.Calls) > 0 {
		t.Errorf("text %q, live %q, %v", reply.Text, live.String(), err)
	}
}

func TestSameRequestSameBytes(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(nil).Always(llmtest.Any, llmtest.Text("ok")), llmtest.Options{})
	for range 2 {
		if _, err := provider(t, s, openai.Options{}).Generate(t.Context(), ask("x")); err != nil {
			t.Fatal(err)
		}
	}
	if seen := s.Seen(); !reflect.DeepEqual(seen[0].Body, seen[1].Body) {
		t.Errorf("%s\n%s", seen[0].Body, seen[1].Body)
	}
}
