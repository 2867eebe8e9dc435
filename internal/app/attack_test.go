package app_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// The secrets of the house do not leave by any way into a chat: what was heard, a question and its buttons, an
// answer with markup in the middle of a secret, a file and its name, the reply to a command.
func TestPlantedSecretsGoNowhere(t *testing.T) {
	var bot, own string
	said := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]string{"text": "say " + bot})
	}))
	t.Cleanup(said.Close)
	srv, home := telegramtest.Start(t, telegramtest.Options{}), t.TempDir()
	bot = srv.Token
	escaped := strings.NewReplacer("_", `\_`, ":", `\:`, "-", `\-`).Replace(bot)
	script := llmtest.New(t).Rounds(llmtest.Begins("say"),
		llmtest.Calls(llmtest.Call("ask_user", map[string]any{"question": "Is it " + escaped + "?", "options": []string{bot, "no"}})),
		llmtest.Calls(llmtest.Call("write_file", map[string]any{"path": "out.txt", "content": "clé " + bot})),
		llmtest.Text("it is "+escaped+" and **"+bot[:8]+"**"+bot[8:]))
	h := startChat(t, home, srv, script, func(c *config.Config) {
		c.Voice = config.Transcription{BaseURL: said.URL + "/v1", APIKey: config.NewSecret("sk-voice"), Model: "whisper-1"}
	})
	token, err := os.ReadFile(h.Config.Path.Token)
	if err != nil {
		t.Fatal(err)
	}
	own = strings.TrimSpace(string(token))
	h.srv.Say(anna, 0, "", telegramtest.Said{Voice: &telegramtest.Upload{Name: "v.oga", Bytes: []byte("OggS sound")}})
	var asks telegramtest.Message
	h.waits("the question", func() bool {
		for _, m := range srv.FromBot(anna) {
			if len(m.Buttons) > 0 {
				asks = m
			}
		}
		return asks.ID != 0
	})
	h.press(anna, asks, "no")
	h.waits("the answer", func() bool { return strings.Contains(strings.Join(h.texts(anna), "\n"), "it is [redacted]") })
	for _, words := range []string{"/task " + own, "/flow " + bot, "/persona " + own, "/" + "xyz " + own, "/steer " + bot} {
		n := len(h.texts(anna))
		h.say(anna, words)
		h.waits("a reply to "+words[:6], func() bool { return len(h.texts(anna)) > n })
	}
	for _, c := range srv.Calls("") {
		for name, value := range c.Params {
			if strings.Contains(value, bot) || strings.Contains(value, own) {
				t.Errorf("%s sends a secret in %s: %s", c.Method, name, value)
			}
		}
	}
	for _, m := range srv.FromBot(anna) {
		all := m.Text + m.Raw
		for _, e := range m.Edits {
			all += e.Text
		}
		if m.File != nil {
			all += m.File.Name + string(m.File.Bytes)
		}
		if strings.Contains(all, bot) || strings.Contains(all, own) {
			t.Errorf("the chat shows a secret: %q", all)
		}
	}
}

// A file that is sent with a command that makes a task is that task's.
func TestFileWithACommand(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("steps: []"))
	h := newChat(t, script, nil)
	h.srv.Say(anna, 0, "/plan sum this up", telegramtest.Said{UpdateID: 500, File: &telegramtest.Upload{Name: "sums.csv", Bytes: []byte("1,2\n")}})
	task, err := h.Journal.Wait(t.Context(), akitad.DeriveTaskID("telegram", "tg:500"), (*journal.Task).Exists)
	if err != nil || len(task.Sub.Files) != 1 || task.Sub.Files[0].Artifact == "" || !task.Sub.PlanAsk {
		t.Errorf("the task has the files %+v (%v)", task.Sub.Files, err)
	}
}

// Nothing but the hooks is reached by the way that needs no token, whatever a path looks like.
func TestHooksLeadNowhereElse(t *testing.T) {
	script := llmtest.New(t).Always(llmtest.Any, llmtest.Text("never"))
	h := newChat(t, script, func(c *config.Config) { // a channel with a hook
		c.Channels.OneBot = config.Channel{Enabled: true, Token: config.NewSecret("a-long-token"), Allow: []string{"7"}}
	})
	at, err := url.Parse(h.Admin.URL())
	if err != nil {
		t.Fatal(err)
	}
	body := `{"text":"hi"}`
	for _, line := range []string{
		"POST /hooks/../v1/tasks", "POST /hooks/%2e%2e/v1/tasks", "POST /hooks/..%2fv1%2ftasks", "POST /hooks/onebot/../../v1/tasks", "POST /hooks/onebot/", "POST /hooks/onebot", "POST /hooks//../v1/tasks",
		"POST /hooks/./../v1/tasks", "POST //hooks/../v1/tasks", `POST /hooks/..\v1\tasks`, "POST /hooks;/v1/tasks", "POST http://" + at.Host + "/hooks/../v1/tasks",
		"POST /v1/tasks?/hooks/", "POST /HOOKS/../v1/tasks", "GET /hooks/../v1/channels", "GET /hooks/%2e%2e/metrics", "OPTIONS /hooks/../v1/tasks", "POST /v1/hooks/../tasks",
	} {
		for _, host := range []string{at.Host, "bot.example.org"} {
			conn, err := net.Dial("tcp", at.Host)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s", line, host, len(body), body)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			if resp.StatusCode < 300 {
				t.Errorf("%s (host %s) is answered with %s", line, host, resp.Status)
			}
			_ = resp.Body.Close()
			_ = conn.Close()
		}
	}
	if n := len(script.Requests()); n != 0 {
		t.Errorf("%d requests to models", n)
	}
}
