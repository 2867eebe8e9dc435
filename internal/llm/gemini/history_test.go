package gemini_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/gemini"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// contents gives the contents of a request, each as JSON.
func contents(t *testing.T, body []byte) (out []string) {
	t.Helper()
	var in struct{ Contents []json.RawMessage }
	if err := json.Unmarshal(body, &in); err != nil {
		t.Fatalf("%v in %s", err, body)
	}
	for _, c := range in.Contents {
		out = append(out, string(c))
	}
	return out
}

// sent gives the contents that messages become.
func sent(t *testing.T, messages ...llm.Message) []string {
	t.Helper()
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("ok")), llmtest.Options{})
	req := ask("")
	req.Messages = messages
	if _, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req); err != nil {
		t.Fatalf("%v\n%s", err, s.Seen()[0].Body)
	}
	return contents(t, s.Seen()[0].Body)
}

func user(text string) llm.Message { return llm.Message{Speaker: llm.User, Text: text} }

func model(text string, calls ...akitad.Call) llm.Message {
	return llm.Message{Speaker: llm.Assistant, Text: text, Calls: calls}
}

func TestContentsAlternate(t *testing.T) {
	call := akitad.Call{ID: "c1", Tool: "srv__calendar.list", Args: json.RawMessage(`{"a": 1}`)}
	name := llm.WireName(call.Tool)
	for _, tt := range []struct {
		name string
		in   []llm.Message
		want string
	}{
		{"two words of a person", []llm.Message{user("a"), user("b")}, `{"role":"user","parts":[{"text":"a"},{"text":"b"}]}`},
		{"two answers", []llm.Message{user("a"), model("b"), model("c"), user("d")}, `{"role":"user","parts":[{"text":"a"}]} {"role":"model","parts":[{"text":"b"},{"text":"c"}]} {"role":"user","parts":[{"text":"d"}]}`},
		{"an answer first", []llm.Message{model("b"), user("d")}, `{"role":"user","parts":[{"text":"(the conversation goes on)"}]} {"role":"model","parts":[{"text":"b"}]} {"role":"user","parts":[{"text":"d"}]}`},
		{"an answer of nothing", []llm.Message{user("a"), model(""), user("d")}, `{"role":"user","parts":[{"text":"a"},{"text":"d"}]}`},
		{
			"results, then words",
			[]llm.Message{user("a"), model("", call), {Speaker: llm.ToolReply, Results: []akitad.Observation{{Call: "c1", Tool: call.Tool, Text: "hello"}}}, user("d")},
			`{"role":"user","parts":[{"text":"a"}]} {"role":"model","parts":[{"functionCall":{"name":"` + name + `","args":{"a":1}}}]} ` +
				`{"role":"user","parts":[{"functionResponse":{"name":"` + name + `","response":{"output":"hello"}}},{"text":"d"}]}`,
		},
		{
			"a failure, and a result of nothing",
			[]llm.Message{user("a"), model("", call, call), {Speaker: llm.ToolReply, Results: []akitad.Observation{
				{Call: "c1", Tool: call.Tool, Error: &akitad.Failure{Kind: akitad.NotFound, Message: "gone"}}, {Call: "c1", Tool: call.Tool},
			}}},
			`{"role":"user","parts":[{"text":"a"}]} {"role":"model","parts":[{"functionCall":{"name":"` + name + `","args":{"a":1}}},{"functionCall":{"name":"` + name + `","args":{"a":1}}}]} ` +
				`{"role":"user","parts":[{"functionResponse":{"name":"` + name + `","response":{"error":"error (not_found): gone"}}},{"functionResponse":{"name":"` + name + `","response":{"output":"(no output)"}}}]}`,
		},
	} {
		if got := strings.Join(sent(t, tt.in...), " "); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

func TestPartsOfAMessage(t *testing.T) {
	m := user("what is this?")
	m.Parts = []llm.Part{
		{Name: "a.png", MIME: "image/png", Data: []byte{1, 2, 3}},
		{Name: "b.pdf", MIME: "application/pdf; version=1", Data: []byte("%PDF")},
		{Name: "c.txt", MIME: "text/plain; charset=utf-8", Data: []byte("<hello>")},
		{Name: "d.json", MIME: "application/json", Data: []byte(`{}`)},
		{Name: "e.zip", MIME: "application/zip", Data: []byte("PK")},
		{Name: "f.txt", MIME: "text/plain", Data: []byte{0xff}},
		{Name: "g.png", MIME: "image/png", Data: make([]byte, 15<<20)},
		{Name: "h", MIME: "", Data: []byte("x")},
		{Name: "i.ogg", MIME: "Audio/OGG", Data: []byte("x")},
	}
	want := `{"role":"user","parts":[{"inlineData":{"mimeType":"image/png","data":"AQID"}},{"inlineData":{"mimeType":"application/pdf","data":"JVBERg=="}},` +
		`{"text":"c.txt:\n\u003chello\u003e"},{"text":"d.json:\n{}"},` +
		`{"text":"[e.zip (application/zip, 2 bytes) is not shown: the model takes no files of this type]"},` +
		`{"text":"[f.txt (text/plain, 1 bytes) is not shown: the model takes no files of this type]"},` +
		`{"text":"[g.png (image/png, 15728640 bytes) is not shown: it is larger than the model's server takes]"},` +
		`{"text":"[h (, 1 bytes) is not shown: the model takes no files of this type]"},` +
		`{"inlineData":{"mimeType":"audio/ogg","data":"eA=="}},{"text":"what is this?"}]}`
	if got := sent(t, m); len(got) != 1 || got[0] != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

// The id of a result is the one that the server gave the call, whatever we know the call by; the
// signature stands on the call that it came with.
func TestWhatTheServerSentGoesBack(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Text("done")), llmtest.Options{})
	s.Next(llmtest.Raw(events(
		says(`{"thought":true,"text":"hm"}`, text("I "), text("look.")),
		says(`{"functionCall":{"name":"read","args":{"p":"<a>"},"id":"same"},"thoughtSignature":"c2ln"}`, `{"functionCall":{"args":null,"name":"now","id":"same"}}`),
		says(`{"functionCall":{"name":"now"}}`, `{"text":"","thoughtSignature":"bGFzdA=="}`), stop)))
	p, req := provider(t, s, gemini.Options{}), ask("go")
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = llmtest.Journalled(t, append(req.Messages, reply.Message(), answers(reply.Calls)))
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	ids := []string{reply.Calls[0].ID, reply.Calls[1].ID, reply.Calls[2].ID}
	want := []string{
		`{"role":"user","parts":[{"text":"go"}]}`,
		`{"role":"model","parts":[{"text":"I look."},{"functionCall":{"name":"read","args":{"p":"\u003ca\u003e"},"id":"same"},"thoughtSignature":"c2ln"},` +
			`{"functionCall":{"args":null,"name":"now","id":"same"}},{"functionCall":{"name":"now"}},{"text":"","thoughtSignature":"bGFzdA=="}]}`,
		`{"role":"user","parts":[{"functionResponse":{"id":"same","name":"read","response":{"output":"result of ` + ids[0] + `"}}},` +
			`{"functionResponse":{"id":"same","name":"now","response":{"output":"result of ` + ids[1] + `"}}},` +
			`{"functionResponse":{"name":"now","response":{"output":"result of ` + ids[2] + `"}}}]}`,
	}
	if got := contents(t, s.Seen()[1].Body); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %s\nwant %s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A server that signs its calls takes those of another model when they are marked; that it wants this
// is found out once.
func TestCallsFromElsewhereAreMarked(t *testing.T) {
	call := akitad.Call{ID: "c1", Tool: "read", Args: json.RawMessage(`{}`)}
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("now", nil)), llmtest.Text("done")), llmtest.Options{})
	s.Always(llmtest.Signature("c2ln"))
	p, req := provider(t, s, gemini.Options{}), ask("go")
	req.Messages = append(req.Messages, model("", call, call), answers([]akitad.Call{call, call}))
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
	if _, err := p.Generate(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Seen()); n != 3 {
		t.Fatalf("%d requests, want 3: one is refused", n)
	}
	last := string(s.Seen()[2].Body)
	if strings.Count(last, "skip_thought_signature_validator") != 1 || strings.Count(last, `"thoughtSignature":"c2ln"`) != 1 {
		t.Errorf("the last request is %s", last)
	}
}

// A signature that the server does not know any more is replaced by the mark.
func TestSignaturesThatAreRefused(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t, llmtest.Calls(llmtest.Call("now", nil)).With(llmtest.Signature("b2xk")), llmtest.Text("done")), llmtest.Options{})
	p, req := provider(t, s, gemini.Options{}), ask("go")
	reply, err := p.Generate(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	s.Next(llmtest.Status(400, problem("400", "INVALID_ARGUMENT", "Corrupted thought signature.")))
	req.Messages = append(req.Messages, reply.Message(), answers(reply.Calls))
	if got, err := p.Generate(t.Context(), req); err != nil || got.Text != "done" {
		t.Fatalf("%q, %v", got.Text, err)
	}
	if last := string(s.Seen()[2].Body); strings.Contains(last, "b2xk") || !strings.Contains(last, "skip_thought_signature_validator") {
		t.Errorf("the last request is %s", last)
	}
}

// Another refusal is not asked again.
func TestOtherRefusalsAreFinal(t *testing.T) {
	s := llmtest.NewServer(t, llmtest.New(t), llmtest.Options{})
	s.Next(llmtest.Status(400, problem("400", "INVALID_ARGUMENT", "Invalid value.")))
	req := ask("go")
	req.Messages = append(req.Messages, model("", akitad.Call{ID: "c", Tool: "now"}), answers([]akitad.Call{{ID: "c", Tool: "now"}}))
	if _, err := provider(t, s, gemini.Options{}).Generate(t.Context(), req); akitad.KindOf(err) != akitad.InvalidRequest || len(s.Seen()) != 1 {
		t.Errorf("%v after %d requests", err, len(s.Seen()))
	}
}
