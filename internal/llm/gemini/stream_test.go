package gemini_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// events gives data lines as a stream.
func events(data ...string) string {
	var b strings.Builder
	for _, d := range data {
		b.WriteString("data: " + d + "\r\n\r\n")
	}
	return b.String()
}

// says is a chunk with these parts.
func says(parts ...string) string {
	return `{"candidates":[{"content":{"parts":[` + strings.Join(parts, ",") + `],"role":"model"},"index":0}]}`
}

func text(s string) string { return `{"text":"` + s + `"}` }

func ends(reason string) string {
	return `{"candidates":[{"content":{"parts":[{"text":""}],"role":"model"},"finishReason":"` + reason + `","index":0}]}`
}

var stop = ends("STOP")

// onWire is what a server sends, and what is to come of it.
type onWire struct {
	name   string
	sent   string
	text   string
	calls  string     // "tool args; tool args"
	finish llm.Finish // what is usual if empty
	kind   akitad.Kind
}

const read = `{"functionCall":{"name":"read","args":{"p":"a"}}}`

// TestWire feeds bytes as servers have sent them.
func TestWire(t *testing.T) {
	for _, tt := range []onWire{
		{name: "two calls in one chunk", sent: events(says(read, `{"functionCall":{"name":"search","args":{"q":1},"id":"x"}}`), stop), calls: `read {"p":"a"}; search {"q":1}`},
		{name: "text, then calls", sent: events(says(text("let me "), text("look")), says(read), stop), text: "let me look", calls: `read {"p":"a"}`},
		{name: "a call in the last chunk", sent: events(`{"candidates":[{"content":{"parts":[` + read + `],"role":"model"},"finishReason":"STOP"}]}`), calls: `read {"p":"a"}`},
		{name: "arguments null, missing, empty", sent: events(says(`{"functionCall":{"name":"now","args":null}}`, `{"functionCall":{"name":"now"}}`, `{"functionCall":{"name":"now","args":{}}}`), stop), calls: "now {}; now {}; now {}"},
		{name: "arguments as text", sent: events(says(`{"functionCall":{"name":"read","args":"{\"p\":1}"}}`), stop), calls: `read {"p":1}`},
		{name: "a name as in code", sent: events(says(`{"functionCall":{"name":"default_api:read","args":{}}}`, `{"functionCall":{"name":"default_api.now","args":{}}}`), stop), calls: "read {}; now {}"},
		{name: "a name of no tool", sent: events(says(`{"functionCall":{"name":"default_api:other","args":{}}}`), stop), calls: "default_api:other {}"},
		{name: "a call without a name", sent: events(says(`{"functionCall":{"args":{}}}`), stop), kind: akitad.Transport},
		{name: "thoughts", sent: events(says(`{"text":"hm","thought":true}`), says(`{"text":"hm","thought":true,"thoughtSignature":"c2ln"}`), says(text("ok")), stop), text: "ok"},
		{name: "a signature in the last text", sent: events(says(text("o")), says(`{"text":"k","thoughtSignature":"c2ln"}`), stop), text: "ok"},
		{name: "parts of other kinds", sent: events(says(`{"executableCode":{"code":"1"}}`, text("ok"), `{"inlineData":{"mimeType":"image/png","data":"AA=="}}`), stop), text: "ok"},
		{name: "a call written as text", sent: events(says(text(`I read. <tool_call>{\"name\":\"read\",\"arguments\":{\"p\":\"a\"}}</tool_call>`)), stop), text: "I read.", calls: `read {"p":"a"}`},
		{name: "MAX_TOKENS", sent: events(says(text("cut o")), ends("MAX_TOKENS")), text: "cut o", finish: llm.FinishLength},
		{name: "MAX_TOKENS, nothing but thoughts", sent: events(`{"candidates":[{"finishReason":"MAX_TOKENS","index":0}]}`), finish: llm.FinishLength},
		{name: "STOP with nothing", sent: events(stop)},
		{name: "SAFETY", sent: events(says(text("I will")), ends("SAFETY")), kind: akitad.ContentFiltered},
		{name: "RECITATION", sent: events(ends("RECITATION")), kind: akitad.ContentFiltered},
		{name: "PROHIBITED_CONTENT", sent: events(ends("PROHIBITED_CONTENT")), kind: akitad.ContentFiltered},
		{name: "BLOCKLIST", sent: events(ends("BLOCKLIST")), kind: akitad.ContentFiltered},
		{name: "SPII", sent: events(says(read), ends("SPII")), kind: akitad.ContentFiltered},
		{name: "OTHER", sent: events(ends("OTHER")), kind: akitad.Unknown},
		{name: "a reason of tomorrow", sent: events(says(read), ends("SOMETHING_NEW")), kind: akitad.Unknown},
		{name: "MALFORMED_FUNCTION_CALL", sent: events(says(text(`,a:1})`)), `{"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL","finishMessage":"Malformed function call: print(default_api.read(","index":0}]}`), kind: akitad.Transport},
		{name: "MALFORMED_FUNCTION_CALL beside a call", sent: events(says(read), ends("MALFORMED_FUNCTION_CALL")), kind: akitad.Transport},
		{name: "UNEXPECTED_TOOL_CALL", sent: events(ends("UNEXPECTED_TOOL_CALL")), kind: akitad.Transport},
		{name: "a prompt that is blocked", sent: events(`{"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},"usageMetadata":{"promptTokenCount":3}}`), kind: akitad.ContentFiltered},
		{name: "a prompt that is blocked, whole", sent: `{"promptFeedback":{"blockReason":"SAFETY"}}`, kind: akitad.ContentFiltered},
		{name: "feedback without a block", sent: events(`{"promptFeedback":{"safetyRatings":[]},"candidates":[{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}]}`), text: "ok"},
		{name: "no candidates, then some", sent: events(`{"usageMetadata":{"promptTokenCount":3}}`, `{"candidates":[]}`, says(text("ok")), stop), text: "ok"},
		{name: "no candidates at all", sent: events(`{"candidates":[],"usageMetadata":{"promptTokenCount":3}}`), kind: akitad.Transport},
		{name: "no candidates at all, whole", sent: `{"candidates":[]}`, kind: akitad.Transport},
		{name: "a candidate that says nothing, whole", sent: `{"candidates":[{"content":{},"index":0}]}`, kind: akitad.Transport},
		{name: "a second candidate", sent: events(`{"candidates":[{"index":1,"content":{"parts":[{"text":"no"}]},"finishReason":"STOP"},{"content":{"parts":[{"text":"ok"}]},"finishReason":"STOP"}]}`), text: "ok"},
		{name: "no end", sent: events(says(text("o")), says(read)), kind: akitad.Transport},
		{name: "an end that is none", sent: events(says(read), ends("FINISH_REASON_UNSPECIFIED")), kind: akitad.Transport},
		{name: "an end in mid-chunk", sent: events(says(text("o"))) + `data: {"candidates":[{"content":{"parts":[{"functionCall":{"name":"read","args":{"p`, kind: akitad.Transport},
		{name: "half a chunk behind the end", sent: events(says(text("ok")), stop) + `data: {"usageMeta`, text: "ok"},
		{name: "a chunk of another form", sent: events(`{"candidates":"none"}`), kind: akitad.Transport},
		{name: "a list of chunks", sent: "[" + says(text("o")) + ",\r\n" + says(text("k"), read) + ",\r\n" + stop + "]", text: "ok", calls: `read {"p":"a"}`},
		{name: "a list that is cut", sent: "[" + says(text("o")) + ",\r\n" + says(read), kind: akitad.Transport},
		{name: "a list with an error", sent: "[" + says(text("o")) + `,{"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}}]`, kind: akitad.Overloaded},
		{name: "whole, without a reason", sent: says(text("ok")), text: "ok"},
		{name: "whole, cut", sent: says(text("ok"))[:60], kind: akitad.Transport},
		{name: "an error field that is empty", sent: events(`{"error":null,`+says(text("ok"))[1:], stop), text: "ok"},
		{name: "keep-alives", sent: "data: : keepalive\n\ndata:\n\n: hi\n\nretry: 5\n\n" + events(says(text("ok")), stop, "[DONE]"), text: "ok"},
		{name: "no space, CRLF", sent: "data:" + says(text("a")) + "\r\n\r\nevent: ping\r\ndata:" + stop + "\r\n\r\n", text: "a"},
		{name: "no blank lines", sent: "data: " + says(text("a")) + "\ndata: " + says(text("b")) + "\ndata: " + stop + "\n\n", text: "ab"},
		{name: "no line end at the end", sent: events(says(text("a"))) + "data: " + stop, text: "a"},
		{name: "a line of 1.5 MB", sent: events(says(text(strings.Repeat("x", 1500000))), stop), text: strings.Repeat("x", 1500000)},
		{name: "a web page", sent: "<html>hello</html>", kind: akitad.Unavailable},
		{name: "nothing", sent: "", kind: akitad.Transport},
	} {
		t.Run(tt.name, tt.check)
	}
}

func (tt onWire) check(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Raw(tt.sent))
	var live strings.Builder
	req := ask("x")
	req.OnText = func(s string) { live.WriteString(s) }
	reply, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req)
	if tt.kind != "" {
		if akitad.KindOf(err) != tt.kind || len(reply.Calls) > 0 {
			t.Errorf("got %+v, %v; want %s", reply, err, tt.kind)
		}
		return
	}
	want := tt.finish
	if want == "" {
		want = map[bool]llm.Finish{true: llm.FinishStop, false: llm.FinishCalls}[tt.calls == ""]
	}
	if err != nil || reply.Text != tt.text || strings.TrimSpace(live.String()) != tt.text || reply.Finish != want {
		t.Errorf("text %.50q, live %.50q, finish %s, %v", reply.Text, live.String(), reply.Finish, err)
	}
	if got := listed(reply.Calls); got != tt.calls {
		t.Errorf("calls %s, want %s", got, tt.calls)
	}
}

func listed(calls []akitad.Call) string {
	var out []string
	for _, c := range calls {
		out = append(out, c.Tool+" "+string(c.Args))
	}
	return strings.Join(out, "; ")
}

func TestUsageOfAStream(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Raw(events(
		`{"usageMetadata":{"promptTokenCount":100,"totalTokenCount":100}}`,
		`{"usageMetadata":{"promptTokenCount":100,"cachedContentTokenCount":80,"thoughtsTokenCount":5}}`,
		`{"candidates":[{"finishReason":"STOP"}],"modelVersion":"gemini-x","usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":7,"thoughtsTokenCount":5,"totalTokenCount":112}}`)))
	got, err := provider(t, s, gemini.Options{}).Generate(t.Context(), ask("x"))
	if want := (akitad.Usage{Input: 100, Cached: 80, Output: 12, Calls: 1}); err != nil || got.Usage != want || got.Model != "gemini-x" {
		t.Errorf("%+v of %s, %v; want %+v", got.Usage, got.Model, err, want)
	}
}

// canned answers every request with the same bytes.
func canned(body string) *gemini.Provider {
	return gemini.New("m", gemini.Options{BaseURL: "http://localhost", HTTP: &http.Client{Transport: roundTrip(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}, nil
	})}})
}

// Whatever a server sends, the answer is an error of a kind or one that can be sent back: calls have
// names, arguments that are JSON and ids of their own, and text is the same live and at the end.
func FuzzRead(f *testing.F) {
	call := `{"functionCall":{"name":"read","args":{"p":"a"},"id":"x"},"thoughtSignature":"c2ln"}`
	for _, s := range []string{
		events(says(text("a")), says(call, call), stop), says(text("a"), call), "[" + says(call) + "," + stop + "]", events(ends("SAFETY")), `{"error":{"code":429}}`,
		events(says(`{"text":"x","thought":true}`), says(text("<tool_call>{\\\"name\\\":\\\"read\\\"}</tool_call>")), stop), "data: {\"candidates\":[{}]}\n\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		req := ask("x")
		reply, err := canned(body).Generate(t.Context(), req)
		if err != nil {
			if akitad.KindOf(err) == "" || len(reply.Calls) > 0 {
				t.Fatalf("%q: %+v, %v", body, reply, err)
			}
			return
		}
		ids := map[string]bool{}
		for _, c := range reply.Calls {
			if c.ID == "" || ids[c.ID] || c.Tool == "" || len(c.Args) == 0 {
				t.Fatalf("%q: %+v", body, c)
			}
			ids[c.ID] = true
		}
		again, err := canned(body).Generate(t.Context(), req)
		if err != nil || fmt.Sprint(again.Calls) != fmt.Sprint(reply.Calls) || string(again.Raw) != string(reply.Raw) {
			t.Fatalf("%q: %+v, then %+v (%v)", body, reply, again, err)
		}
	})
}
