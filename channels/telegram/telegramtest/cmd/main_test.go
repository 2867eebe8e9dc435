package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// output is what the console has printed so far.
type output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.String()
}

// until waits for a text to be printed.
func (o *output) until(t *testing.T, text string) {
	t.Helper()
	tick, deadline := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !strings.Contains(o.String(), text) {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("%q was never printed:\n%s", text, o)
		}
	}
}

func TestSpeaker(t *testing.T) {
	for _, tt := range []struct {
		line       string
		from, chat int64
		words      string
	}{
		{"12: hello", 12, 0, "hello"}, {"12@-50: hello: you", 12, -50, "hello: you"}, {"note: buy milk", 0, 0, ""}, {"12:", 0, 0, ""}, {"-5: x", 0, 0, ""}, {"hello", 0, 0, ""}, {"12@x: y", 0, 0, ""},
	} {
		from, chat, words, ok := speaker(tt.line)
		if ok != (tt.words != "") || (ok && (from != tt.from || chat != tt.chat || words != tt.words)) {
			t.Errorf("%q: %d in %d says %q, %v", tt.line, from, chat, words, ok)
		}
	}
}

func TestRender(t *testing.T) {
	entities := []telegramtest.Entity{
		{Type: "bold", Offset: 3, Length: 4}, {Type: "italic", Offset: 5, Length: 2}, {Type: "text_link", Offset: 8, Length: 1, URL: "https://e.test"}, {Type: "blockquote", Offset: 10, Length: 3},
	}
	const text = "😀 bold x\na\nb\x1b[2J"
	if got, want := render(text, entities, false), "😀 *bo_ld_* x (https://e.test)\n│ a\n│ b[2J"; got != want {
		t.Errorf("plain: %q, want %q", got, want)
	}
	if got, want := render(text, entities, true), "😀 \x1b[0;1mbo\x1b[0;1;3mld\x1b[0m \x1b[0;4mx (https://e.test)\x1b[0m\n│ a\n│ b[2J"; got != want {
		t.Errorf("in color: %q, want %q", got, want)
	}
	if got, want := render("x := 1", []telegramtest.Entity{{Type: "pre", Offset: 0, Length: 6, Language: "go"}}, false), "\n```go\nx := 1\n```"; got != want {
		t.Errorf("code: %q, want %q", got, want)
	}
}

// session is a console and what a bot can ask of its server.
type session struct {
	out  output
	in   *io.PipeWriter
	base string
}

func start(t *testing.T) *session {
	t.Helper()
	read, write := io.Pipe()
	s := &session{in: write}
	ended := make(chan error, 1)
	go func() {
		ended <- run(context.Background(), settings{listen: "127.0.0.1:0", token: "5:abc", person: 7, save: t.TempDir()}, read, &s.out)
	}()
	t.Cleanup(func() {
		_ = write.Close()
		if err := <-ended; err != nil {
			t.Errorf("run = %v", err)
		}
	})
	s.out.until(t, "the end of the input stops")
	_, rest, _ := strings.Cut(s.out.String(), "TELEGRAM_API_URL=")
	s.base = strings.Fields(rest)[0] + "/bot5:abc/"
	return s
}

func (s *session) typed(t *testing.T, lines ...string) {
	t.Helper()
	for _, l := range lines {
		if _, err := fmt.Fprintln(s.in, l); err != nil {
			t.Fatal(err)
		}
	}
}

// bot makes a request as the bot does.
func (s *session) bot(t *testing.T, method string, fields url.Values) string {
	t.Helper()
	resp, err := http.PostForm(s.base+method, fields)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

func TestAConversation(t *testing.T) {
	s := start(t)
	for _, want := range []string{"TELEGRAM_BOT_TOKEN=5:abc", "TELEGRAM_ALLOW=7", "bin/akitad serve"} {
		s.out.until(t, want)
	}
	note := filepath.Join(t.TempDir(), "note.txt")
	if err := os.WriteFile(note, []byte("milk"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.typed(t, "hello", "12: hi there", ":in -50 3", "@akita_bot go", ":in 0", ":file "+note+" my list", ":reply 1 and more", ":forward Ann look at this")
	s.out.until(t, "#4")
	updates := s.bot(t, "getUpdates", nil)
	for _, want := range []string{`"text":"hello"`, `"id":12`, `"message_thread_id":3`, `"file_name":"note.txt"`, `"caption":"my list"`, `"reply_to_message"`, `"sender_user_name":"Ann"`} {
		if !strings.Contains(updates, want) {
			t.Errorf("%s is not in %s", want, updates)
		}
	}
	s.bot(t, "sendMessage", url.Values{
		"chat_id": {"7"}, "text": {"<b>Sure</b>?"}, "parse_mode": {"HTML"},
		"reply_markup": {`{"inline_keyboard":[[{"text":"Yes","callback_data":"y"}],[{"text":"No","callback_data":"n"}]]}`},
	})
	s.out.until(t, "[7 #5] akita: *Sure*?\n    (1) Yes (2) No\n")
	s.typed(t, ":press 3", ":press 2")
	s.out.until(t, "message #5 has no button 3")
	s.out.until(t, "pressed: No\n")
	if updates := s.bot(t, "getUpdates", nil); !strings.Contains(updates, `"data":"n"`) {
		t.Errorf("no press in %s", updates)
	}
	s.bot(t, "answerCallbackQuery", url.Values{"callback_query_id": {"9000000"}, "text": {"noted"}})
	s.out.until(t, "(noted)")
	s.bot(t, "editMessageText", url.Values{"chat_id": {"7"}, "message_id": {"5"}, "text": {"No, then."}})
	s.out.until(t, "[7 #5] akita, edited: No, then.\n")
	s.bot(t, "setMessageReaction", url.Values{"chat_id": {"7"}, "message_id": {"1"}, "reaction": {`[{"type":"emoji","emoji":"👀"}]`}})
	s.out.until(t, "[7 #1] 👀")
	s.bot(t, "setMyCommands", url.Values{"commands": {`[{"command":"help","description":"what I can do"}]`}})
	s.typed(t, ":menu", ":fail sendMessage 429 3", ":nonsense", ":chat", ":as 12")
	s.out.until(t, "/help  what I can do")
	s.out.until(t, "see :help")
	s.out.until(t, "you are person 12")
	if got := s.bot(t, "sendMessage", url.Values{"chat_id": {"7"}, "text": {"x"}}); !strings.Contains(got, `"retry_after":3`) {
		t.Errorf("the ordered trouble: %s", got)
	}
}
