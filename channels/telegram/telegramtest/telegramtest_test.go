package telegramtest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// TestMain lets the test binary serve as the process that TestServeMain starts.
func TestMain(m *testing.M) {
	if args := os.Getenv("TELEGRAMTEST_ARGS"); args != "" {
		os.Exit(telegramtest.ServeMain(strings.Fields(args)))
	}
	os.Exit(m.Run())
}

func TestParseHTML(t *testing.T) {
	for _, tt := range []struct{ in, text, entities, err string }{
		{in: "plain &amp; &lt;b&gt; &#128512; &nbsp; a & b", text: "plain & <b> 😀 &nbsp; a & b", entities: "[]"},
		{in: "😀<b>x</b>", text: "😀x", entities: "[bold 2 1]"},
		{in: `<a href="https://e.test/?a=1&amp;b=2">x</a>`, text: "x", entities: "[text_link 0 1 https://e.test/?a=1&b=2]"},
		{in: `<a href="nowhere">x</a><b></b>`, text: "x", entities: "[]"},
		{in: `<pre><code class="language-c++">x</code></pre>`, text: "x", entities: "[pre 0 1 c++]"},
		{in: "<b>a<i>b</i></b>", text: "ab", entities: "[bold 0 2][italic 1 1]"},
		{in: `<span class="tg-spoiler">x</span>`, text: "x", entities: "[spoiler 0 1]"},
		{in: "<div>x</div>", err: `Unsupported start tag "div" at byte offset 0`},
		{in: "<span>x</span>", err: `Unsupported start tag "span" at byte offset 0`},
		{in: "a <b>x", err: `Can't find end tag corresponding to start tag "b"`},
		{in: "<b>x</i>", err: `Unmatched end tag at byte offset 4, expected "</b>", found "</i>"`},
		{in: "x</b>", err: "Unexpected end tag at byte offset 1"},
		{in: "1 < 2", err: "Unclosed start tag at byte offset 2"},
		{in: "<b>x</b", err: "Unclosed end tag at byte offset 4"},
	} {
		text, entities, err := telegramtest.ParseHTML(tt.in)
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("%q: error %v, want %s", tt.in, err, tt.err)
			}
			continue
		}
		got := ""
		for _, e := range entities {
			got += "[" + strings.TrimSpace(fmt.Sprintf("%s %d %d %s", e.Type, e.Offset, e.Length, e.URL+e.Language)) + "]"
		}
		if err != nil || text != tt.text || got != strings.Replace(tt.entities, "[]", "", 1) {
			t.Errorf("%q = %q, %s, %v, want %q, %s", tt.in, text, got, err, tt.text, tt.entities)
		}
	}
}

// ask makes one request as a form and gives the answer's code, description and result.
func ask(t *testing.T, s *telegramtest.Server, token, method string, fields ...string) (int, string, string) {
	t.Helper()
	form := url.Values{}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	resp, err := http.PostForm(s.URL+"/bot"+token+"/"+method, form)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct {
		OK          bool
		Description string
		Result      json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		t.Fatal(err)
	}
	if answer.OK != (resp.StatusCode == http.StatusOK) {
		t.Errorf("%s: ok %v with status %d", method, answer.OK, resp.StatusCode)
	}
	return resp.StatusCode, answer.Description, string(answer.Result)
}

func TestAnswersLikeTelegram(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, 0, "hi", telegramtest.Said{})
	send := []string{"chat_id", "7", "text"}
	for _, tt := range []struct {
		name, method string
		fields       []string
		code         int
		description  string
	}{
		{"an unknown method", "sendNothing", nil, 404, "Not Found"},
		{"an unknown chat", "sendMessage", []string{"chat_id", "99", "text", "x"}, 400, "chat not found"},
		{"no text", "sendMessage", append(send, " \n"), 400, "message text is empty"},
		{"tags and nothing", "sendMessage", append(send, "<b> </b>", "parse_mode", "HTML"), 400, "message text is empty"},
		{"too long", "sendMessage", append(send, strings.Repeat("x", 4097)), 400, "message is too long"},
		{"long markup, short text", "sendMessage", append(send, strings.Repeat("<b>x</b>", 4096), "parse_mode", "HTML"), 200, ""},
		{"emoji count twice", "sendMessage", append(send, strings.Repeat("😀", 2049)), 400, "message is too long"},
		{"bad markup", "sendMessage", append(send, "<b>", "parse_mode", "HTML"), 400, "can't parse entities"},
		{"another parse mode", "sendMessage", append(send, "x", "parse_mode", "Rich"), 400, "unsupported parse_mode"},
		{"an unknown topic", "sendMessage", append(send, "x", "message_thread_id", "5"), 400, "message thread not found"},
		{"an answer to nothing", "sendMessage", append(send, "x", "reply_parameters", `{"message_id":999}`), 400, "message to be replied not found"},
		{"an answer to nothing, allowed", "sendMessage", append(send, "x", "reply_parameters", `{"message_id":999,"allow_sending_without_reply":true}`), 200, ""},
		{"an edit of nothing", "editMessageText", append(send, "x", "message_id", "999"), 400, "message to edit not found"},
		{"an edit of a person's message", "editMessageText", append(send, "x", "message_id", "1"), 400, "message can't be edited"},
		{"the bot's first message", "sendMessage", append(send, "mine"), 200, ""},
		{"the same text", "editMessageText", append(send, "<b>x</b>", "parse_mode", "HTML", "message_id", "2"), 200, ""},
		{"the same text again", "editMessageText", append(send, "<b>x</b>", "parse_mode", "HTML", "message_id", "2"), 400, "message is not modified"},
		{"the same words, other formats", "editMessageText", append(send, "x", "message_id", "2"), 200, ""},
		{"a file without its bytes", "sendDocument", []string{"chat_id", "7"}, 400, "there is no document"},
		{"an unknown file", "getFile", []string{"file_id", "x"}, 400, "wrong file_id"},
	} {
		code, description, _ := ask(t, s, s.Token, tt.method, tt.fields...)
		if code != tt.code || !strings.Contains(description, tt.description) {
			t.Errorf("%s: %d %q, want %d %q", tt.name, code, description, tt.code, tt.description)
		}
	}
	if code, description, _ := ask(t, s, "1:wrong", "getMe"); code != 401 || description != "Unauthorized" {
		t.Errorf("wrong token: %d %q", code, description)
	}
}

func TestOffsets(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	for _, text := range []string{"a", "b", "c"} {
		s.Say(7, 0, text, telegramtest.Said{})
	}
	count := func(fields ...string) int {
		_, _, result := ask(t, s, s.Token, "getUpdates", fields...)
		return strings.Count(result, "update_id")
	}
	for i, tt := range []struct {
		fields []string
		want   int
	}{
		{nil, 3},
		{nil, 3},
		{[]string{"limit", "2"}, 2},
		{[]string{"offset", "-1"}, 1},
		{[]string{"offset", "101"}, 2},
		{nil, 2},
		{[]string{"offset", "103"}, 0},
		{nil, 0},
	} {
		if got := count(tt.fields...); got != tt.want {
			t.Errorf("poll %d %v gives %d updates, want %d", i, tt.fields, got, tt.want)
		}
	}
	if s.Confirmed() != 102 {
		t.Errorf("confirmed %d, want 102", s.Confirmed())
	}
}

func TestLongPollWakesAndConflicts(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	type answer struct {
		code int
		text string
	}
	first, second := make(chan answer, 1), make(chan answer, 1)
	poll := func(out chan answer) {
		code, description, result := ask(t, s, s.Token, "getUpdates", "timeout", "20")
		out <- answer{code, description + result}
	}
	go poll(first)
	go poll(second)
	var refused answer
	waiting := second
	select {
	case refused = <-first:
	case refused = <-second:
		waiting = first
	}
	if refused.code != 409 || !strings.Contains(refused.text, "terminated by other getUpdates request") {
		t.Errorf("the earlier poll was answered %+v", refused)
	}
	s.Say(7, 0, "wake up", telegramtest.Said{})
	if got := <-waiting; got.code != 200 || !strings.Contains(got.text, "wake up") {
		t.Errorf("the later poll was answered %+v", got)
	}
}

func TestRates(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{Rates: telegramtest.Rates{GroupPerMinute: 2}})
	s.Say(7, -9, "hi", telegramtest.Said{})
	for i, want := range []int{200, 200, 429} {
		if code, _, _ := ask(t, s, s.Token, "sendMessage", "chat_id", "-9", "text", "x"); code != want {
			t.Errorf("message %d is answered %d, want %d", i, code, want)
		}
	}
}

func TestEntitiesOfWhatIsSaid(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, 0, "你好 @akita_bot /status@akita_bot", telegramtest.Said{})
	_, _, result := ask(t, s, s.Token, "getUpdates")
	for _, want := range []string{`"type":"mention","offset":3,"length":10`, `"type":"bot_command","offset":14,"length":17`} {
		if !strings.Contains(result, want) {
			t.Errorf("%s is not in %s", want, result)
		}
	}
}

// A service that begins elsewhere gives no id of the one before it.
func TestFirst(t *testing.T) {
	s := telegramtest.New("4242:t", telegramtest.Options{First: 5000})
	id := s.Say(7, 0, "hi", telegramtest.Said{})
	in := s.Say(7, -50, "hi", telegramtest.Said{})
	update, err := s.Push(`{"message":{}}`)
	if id != 5001 || in != 5001 || update != 5102 || err != nil {
		t.Errorf("messages %d and %d, update %d, %v", id, in, update, err)
	}
}

func TestServeMain(t *testing.T) {
	addr := filepath.Join(t.TempDir(), "addr")
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "TELEGRAMTEST_ARGS=-addr-file "+addr+" -token 5:abc")
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	base := waitForFile(t, addr)
	post(t, base+"/control/say", `{"from":7,"text":"hello","thread":0}`)
	if got := post(t, base+"/bot5:abc/getUpdates", ""); !strings.Contains(got, `"text":"hello"`) {
		t.Errorf("updates: %s", got)
	}
	post(t, base+"/bot5:abc/sendMessage", `{"chat_id":7,"text":"<b>hi</b> back","parse_mode":"HTML"}`)
	if got := fetch(t, base+"/control/wait?chat=7&contains=back&timeout=1m"); !strings.Contains(got, `"text":"hi back"`) {
		t.Errorf("chat: %s", got)
	}
	if got := fetch(t, base+"/control/chats"); !strings.Contains(got, `"raw":"<b>hi</b> back"`) {
		t.Errorf("chats: %s", got)
	}
	post(t, base+"/control/fail", `{"method":"sendMessage","code":429,"retry_after":3,"description":"Too Many Requests"}`)
	if got := post(t, base+"/bot5:abc/sendMessage", `{"chat_id":7,"text":"x"}`); !strings.Contains(got, `"retry_after":3`) {
		t.Errorf("answer: %s", got)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Errorf("the process ended with %v", err)
	}
}

func waitForFile(t *testing.T, file string) string {
	t.Helper()
	deadline := time.After(time.Minute)
	for tick := time.Tick(5 * time.Millisecond); ; {
		select {
		case <-tick:
			if b, err := os.ReadFile(file); err == nil {
				return string(b)
			}
		case <-deadline:
			t.Fatal("the process has not said where it listens")
		}
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	resp, err := http.Post(url, "application/json", bytes.NewReader([]byte(body)))
	return read(t, resp, err)
}

func fetch(t *testing.T, url string) string {
	t.Helper()
	resp, err := http.Get(url)
	return read(t, resp, err)
}

func read(t *testing.T, resp *http.Response, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
