package admin_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

const completions = "/v1/chat/completions"

// completionAnswer is what clients read of an answer or of one chunk.
type completionAnswer struct {
	ID, Object, Model string
	Choices           []struct {
		Message, Delta struct{ Role, Content string }
		Finish         string `json:"finish_reason"`
	}
	Usage *struct {
		Prompt     int `json:"prompt_tokens"`
		Completion int `json:"completion_tokens"`
		Total      int `json:"total_tokens"`
		Details    struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
	Akita struct {
		Task  akitad.TaskID
		Files []akitad.File
	}
	Error *struct{ Message, Type, Code string }
}

func chat(model string, more string, messages ...string) string {
	return fmt.Sprintf(`{"model":%q%s,"messages":[%s]}`, model, more, strings.Join(messages, ","))
}

func by(role, text string) string { return fmt.Sprintf(`{"role":%q,"content":%q}`, role, text) }

// The conversation that a client sends is the one that the agent sees: earlier turns as turns, the last
// words as the task, the instructions beside them.
func TestCompletion(t *testing.T) {
	var asked llm.Request
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		asked = r
		return llm.Reply{Text: "It has 2 million.", Finish: llm.FinishStop, Usage: akitad.Usage{Input: 90, Cached: 30, Output: 7}}, nil
	})))
	got := d.ask("POST", completions, chat("analyst", `,"user":"ann","temperature":0.2,"max_tokens":5`,
		by("system", "Answer in one line."), by("user", "What is the capital?"), by("assistant", "Paris."), by("user", "How many people?")), nil)
	out := read[completionAnswer](t, got)
	if out.Object != "chat.completion" || out.Model != "analyst" || len(out.Choices) != 1 || out.Choices[0].Message.Content != "It has 2 million." ||
		out.Choices[0].Message.Role != "assistant" || out.Choices[0].Finish != "stop" {
		t.Fatalf("%s", got.Body)
	}
	if u := out.Usage; u == nil || u.Prompt != 90 || u.Completion != 7 || u.Total != 97 || u.Details.Cached != 30 {
		t.Errorf("usage %+v", u)
	}
	var said []string
	for _, m := range asked.Messages {
		words, _ := llm.SplitBrief(m.Text)
		said = append(said, string(m.Speaker)+": "+words)
	}
	if want := []string{"user: What is the capital?", "assistant: Paris.", "user: How many people?"}; !slices.Equal(said, want) {
		t.Errorf("the model sees %q, want %q", said, want)
	}
	if _, brief := llm.SplitBrief(asked.Messages[2].Text); !slices.Contains(brief.Given, "Answer in one line.") {
		t.Errorf("the brief %+v lacks the instructions", brief)
	}
	task := d.wait(out.Akita.Task, (*journal.Task).Final)
	if task.Profile != "analyst" || task.Sub.Origin.Person() != "http:ann" || string(task.ID) != got.Header.Get("X-Akita-Task") || out.ID != "chatcmpl-"+string(task.ID) {
		t.Errorf("task %s of %s for %q, header %q, id %s", task.ID, task.Profile, task.Sub.Origin.Person(), got.Header.Get("X-Akita-Task"), out.ID)
	}
}

// An answer that was cut has reached its length; one that says itself that it is none has not.
func TestCompletionFinish(t *testing.T) {
	for how, want := range map[llm.Finish]string{llm.FinishStop: "stop", llm.FinishLength: "length", llm.FinishPartly: "stop"} {
		d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(llm.Request) (llm.Reply, error) {
			return llm.Reply{Text: "I do not know.", Finish: how}, nil
		})))
		got := d.ask("POST", completions, chat("", "", by("user", "What is my cat called?")), nil)
		if out := read[completionAnswer](t, got); len(out.Choices) != 1 || out.Choices[0].Finish != want {
			t.Errorf("%s: %s, want %s", how, got.Body, want)
		}
	}
}

// chunksOf reads a stream to its end.
func chunksOf(t *testing.T, a answer) (text string, chunks []completionAnswer) {
	t.Helper()
	if a.Status != http.StatusOK || a.Type != "text/event-stream" {
		t.Fatalf("%d %s %s", a.Status, a.Type, a.Body)
	}
	done := false
	for lines := bufio.NewScanner(strings.NewReader(string(a.Body))); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		if done = data == "[DONE]"; done {
			break
		}
		var c completionAnswer
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if len(c.Choices) > 0 {
			text += c.Choices[0].Delta.Content
		}
		chunks = append(chunks, c)
	}
	if last := len(chunks) - 1; !done && (last < 0 || chunks[last].Error == nil) {
		t.Errorf("the stream has no end: %s", a.Body)
	}
	return text, chunks
}

func TestCompletionStreams(t *testing.T) {
	d := start(t, llmtest.New(t).
		Rounds(llmtest.Begins("look"),
			llmtest.Calls(llmtest.Call("list_directory", map[string]any{"path": "."})).Saying("Let me look.").Using(10, 0, 2),
			llmtest.Text("There is nothing.").Using(20, 0, 3)).
		Rounds(llmtest.Begins("break"), llmtest.FailKind(akitad.ContentFiltered)))
	text, chunks := chunksOf(t, d.ask("POST", completions, chat("akitad", `,"stream":true,"stream_options":{"include_usage":true}`, by("user", "look around")), nil))
	if !strings.HasSuffix(text, "There is nothing.") || strings.Count(text, "There is nothing.") != 1 {
		t.Errorf("%q", text)
	}
	first, stop, used := chunks[0], chunks[len(chunks)-2], chunks[len(chunks)-1]
	if first.Choices[0].Delta.Role != "assistant" || first.Object != "chat.completion.chunk" || stop.Choices[0].Finish != "stop" || len(used.Choices) != 0 || used.Usage == nil || used.Usage.Prompt != 30 {
		t.Errorf("first %+v, stop %+v, used %+v", first, stop, used)
	}
	for _, c := range chunks[:len(chunks)-2] {
		if c.Choices[0].Finish != "" || c.Usage != nil || c.ID != first.ID {
			t.Errorf("in the middle: %+v", c)
		}
	}
	_, chunks = chunksOf(t, d.ask("POST", completions, chat("akitad", `,"stream":true`, by("user", "break it")), nil))
	if e := chunks[len(chunks)-1].Error; e == nil || e.Type != "server_error" || e.Message == "" {
		t.Errorf("a task that fails ends with %+v", chunks[len(chunks)-1])
	}
}

// Errors are in OpenAI's shape wherever they come from, and tell clients not to try again by themselves.
func TestCompletionErrors(t *testing.T) {
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.FailKind(akitad.ContentFiltered)))
	user := by("user", "hello there, who are you?")
	for _, tt := range []struct {
		name, method, path, body string
		change                   func(*http.Request)
		status                   int
		typ, says                string
	}{
		{"no JSON", "POST", completions, `{`, nil, 400, "invalid_request_error", "no chat completion"},
		{"no UTF-8", "POST", completions, "{\"messages\":[{\"role\":\"user\",\"content\":\"caf\xe9\"}]}", nil, 400, "invalid_request_error", "not UTF-8"},
		{"packed", "POST", completions, chat("akitad", "", user), func(r *http.Request) { r.Header.Set("Content-Encoding", "gzip") }, 415, "invalid_request_error", "gzip"},
		{"no messages", "POST", completions, `{"model":"akitad"}`, nil, 400, "invalid_request_error", "last message"},
		{"the last is not the user's", "POST", completions, chat("akitad", "", user, by("assistant", "hi")), nil, 400, "invalid_request_error", "last message"},
		{"an unknown role", "POST", completions, chat("akitad", "", by("robot", "hi"), user), nil, 400, "invalid_request_error", `"robot"`},
		{"an unknown model", "POST", completions, chat("gpt-9", "", user), nil, 404, "invalid_request_error", `"gpt-9" (known: akitad, analyst`},
		{"two answers", "POST", completions, chat("akitad", `,"n":2`, user), nil, 400, "invalid_request_error", "n is 2"},
		{"tools", "POST", completions, chat("akitad", `,"tools":[{"type":"function"}]`, user), nil, 400, "invalid_request_error", "tools of the caller"},
		{"functions", "POST", completions, chat("akitad", `,"functions":[{"name":"f"}]`, user), nil, 400, "invalid_request_error", "tools of the caller"},
		{"instructions alone", "POST", completions, chat("akitad", "", by("system", "Answer in one line.")), nil, 400, "invalid_request_error", "last message"},
		{"a bad schema", "POST", completions, chat("akitad", `,"response_format":{"type":"json_schema","json_schema":{"schema":7}}`, user), nil, 400, "invalid_request_error", "output_schema"},
		{"an image elsewhere", "POST", completions, chat("akitad", "", `{"role":"user","content":[{"type":"image_url","image_url":{"url":"https://example.com/a.png"}}]}`), nil, 400, "invalid_request_error", "data URL"},
		{"a part that is not known", "POST", completions, chat("akitad", "", `{"role":"user","content":[{"type":"input_audio"}]}`), nil, 400, "invalid_request_error", "input_audio"},
		{"no token", "POST", completions, chat("akitad", "", user), func(r *http.Request) { r.Header.Del("Authorization") }, 401, "authentication_error", "admin.token"},
		{"another method", "PUT", completions, "", nil, 405, "invalid_request_error", "POST"},
		{"an unknown model's card", "GET", "/v1/models/gpt-9", "", nil, 404, "invalid_request_error", "akitad, analyst"},
		{"the task fails", "POST", completions, chat("akitad", "", user), nil, 500, "server_error", "given"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := d.ask(tt.method, tt.path, tt.body, tt.change)
			var out completionAnswer
			if err := json.Unmarshal(got.Body, &out); err != nil || got.Status != tt.status || out.Error == nil {
				t.Fatalf("%d %s (%v), want %d", got.Status, got.Body, err, tt.status)
			}
			if out.Error.Type != tt.typ || !strings.Contains(out.Error.Message, tt.says) || out.Error.Code == "" || got.Header.Get("X-Should-Retry") != "false" {
				t.Errorf("%s", got.Body)
			}
		})
	}
}

func TestCompletionModels(t *testing.T) {
	d := start(t, llmtest.New(t))
	list := read[struct {
		Object string
		Data   []struct{ ID, Object string }
	}](t, d.ask("GET", "/v1/models", "", nil))
	var ids []string
	for _, m := range list.Data {
		ids = append(ids, m.ID+" "+m.Object)
	}
	if list.Object != "list" || ids[0] != "akitad model" || !slices.Contains(ids, "writer model") {
		t.Errorf("%+v", list)
	}
	if one := read[struct{ ID string }](t, d.ask("GET", "/v1/models/writer", "", nil)); one.ID != "writer" {
		t.Errorf("%+v", one)
	}
}

// Images and files of the messages are in the task's folder; a schema's answer is its data.
func TestCompletionPartsAndSchema(t *testing.T) {
	d := start(t, llmtest.New(t).Rounds(llmtest.Any,
		llmtest.Calls(llmtest.Call("list_directory", map[string]any{"path": "."})),
		llmtest.Calls(llmtest.Call("submit_result", map[string]any{"text": "two", "data": map[string]any{"n": 2}}))))
	got := d.ask("POST", completions, chat("", `,"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object","required":["n"]}}}`,
		`{"role":"user","content":[{"type":"input_text","text":"How many files are there?"},{"type":"input_image","image_url":"data:image/png;base64,iVBORw0KGgo="},`+
			`{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}},{"type":"file","file":{"filename":"a.txt","file_data":"data:text/plain;base64,aGVsbG8="}},{"type":"file","file":{"filename":"a.txt","file_data":"data:text/plain;base64,aG8="}}]}`), nil)
	out := read[completionAnswer](t, got)
	if out.Choices[0].Message.Content != `{"n":2}` || out.Model != "akitad" {
		t.Errorf("%s", got.Body)
	}
	task := d.wait(out.Akita.Task, (*journal.Task).Final)
	if seen := task.Rounds[0].Results[0].Text; !strings.Contains(seen, "attachment-1.png") || !strings.Contains(seen, "attachment-2.png") || !strings.Contains(seen, "a.txt") || !strings.Contains(seen, "4-a.txt") {
		t.Errorf("the folder holds %q", seen)
	}
}

// A task whose reader has gone is cancelled: nobody else waits for it.
func TestCompletionOfNobody(t *testing.T) {
	for _, more := range []string{"", `,"stream":true`} {
		hold := llmtest.NewHold()
		d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Text("late").Held(hold)))
		req, err := http.NewRequestWithContext(t.Context(), "POST", d.app.Admin.URL()+completions, strings.NewReader(chat("akitad", more, by("user", "take your time"))))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Authorization", "Bearer "+d.token)
		req.Header.Set("Idempotency-Key", "gone"+more)
		gone := make(chan struct{})
		client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
		ctx, cut := context.WithCancel(t.Context())
		go func() {
			defer close(gone)
			if resp, err := client.Do(req.WithContext(ctx)); err == nil {
				_, _ = bufio.NewReader(resp.Body).ReadString(0)
				resp.Body.Close()
			}
		}()
		<-hold.Arrived()
		cut()
		<-gone
		if task := d.wait(akitad.DeriveTaskID("http", "gone"+more), (*journal.Task).Final); task.State != akitad.WasCancelled {
			t.Errorf("%q: %s", more, task.State)
		}
		hold.Release()
	}
}

// Words are on their way while the model still writes.
func TestCompletionIsLive(t *testing.T) {
	release := make(chan struct{})
	d := start(t, llmtest.New(t).Always(llmtest.Any, llmtest.Do(func(r llm.Request) (llm.Reply, error) {
		r.OnText("It ")
		<-release
		return llm.Reply{Text: "It is late.", Finish: llm.FinishStop}, nil
	})))
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, "POST", d.app.Admin.URL()+completions, strings.NewReader(chat("akitad", `,"stream":true`, by("user", "what time is it now?"))))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+d.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() && !strings.Contains(lines.Text(), `"content":"It "`) {
	}
	close(release)
	rest := ""
	for lines.Scan() {
		rest += lines.Text()
	}
	if !strings.Contains(rest, `late.`) || !strings.Contains(rest, "[DONE]") {
		t.Errorf("after the first words: %s", rest)
	}
}
