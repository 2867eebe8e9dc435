package feishutest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/coder/websocket"

	"github.com/akitad/akitad/channels/feishu/feishutest"
)

// bot is a client of the test's own, which knows nothing but HTTP.
type bot struct {
	*feishutest.Server
	t     *testing.T
	http  *http.Client
	token string
}

func start(t *testing.T, opts feishutest.Options, do func(*bot)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s, client := feishutest.Direct(t, opts)
		b := &bot{Server: s, t: t, http: client}
		b.login()
		do(b)
	})
}

func (b *bot) login() {
	b.t.Helper()
	_, body := b.call("POST", "/open-apis/auth/v3/tenant_access_token/internal", map[string]string{"app_id": b.AppID, "app_secret": b.Secret})
	b.token, _ = body["tenant_access_token"].(string)
}

// call makes a request and gives the status and the answer.
func (b *bot) call(method, path string, body any) (int, map[string]any) {
	b.t.Helper()
	raw, ok := body.([]byte)
	if !ok {
		raw, _ = json.Marshal(body)
	}
	r, err := http.NewRequestWithContext(b.t.Context(), method, b.URL+path, bytes.NewReader(raw))
	if err != nil {
		b.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+b.token)
	resp, err := b.http.Do(r)
	if err != nil {
		b.t.Fatal(err)
	}
	defer resp.Body.Close()
	var out map[string]any
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		b.t.Fatal(err)
	}
	return resp.StatusCode, out
}

// post sends a message to a chat and gives the code and the message's id.
func (b *bot) post(chat, kind, content, uuid string) (code float64, id string) {
	b.t.Helper()
	_, out := b.call("POST", "/open-apis/im/v1/messages?receive_id_type=chat_id", map[string]string{"receive_id": chat, "msg_type": kind, "content": content, "uuid": uuid})
	data, _ := out["data"].(map[string]any)
	id, _ = data["message_id"].(string)
	return out["code"].(float64), id
}

func (b *bot) hello() string {
	b.Say(feishutest.Said{From: "ou_1", Text: "hello"})
	return feishutest.Private("ou_1")
}

func card(elements ...string) string {
	return `{"schema":"2.0","body":{"elements":[` + strings.Join(elements, ",") + `]}}`
}

func text(content string) string {
	raw, _ := json.Marshal(map[string]string{"tag": "markdown", "content": content})
	return string(raw)
}

const table = "| a | b |\n|---|---|\n| 1 | 2 |\n\n"

// What the service refuses of a message, the fake refuses with the same code.
func TestRefusals(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		chat := b.hello()
		for _, tt := range []struct {
			name, kind, content string
			want                float64
		}{
			{"a card", "interactive", card(text("hi")), 0},
			{"five tables", "interactive", card(text(strings.Repeat(table, 5))), 0},
			{"six tables", "interactive", card(text(strings.Repeat(table, 6))), 230099},
			{"six tables in two elements", "interactive", card(text(strings.Repeat(table, 3)), text(strings.Repeat(table, 3))), 230099},
			{"six tables, five in code", "interactive", card(text("```\n" + strings.Repeat(table, 5) + "```\n" + table)), 0},
			{"six components", "interactive", card(slices.Repeat([]string{`{"tag":"table","columns":[],"rows":[]}`}, 6)...), 230099},
			{"no JSON", "interactive", "{", 230099},
			{"an older card", "interactive", `{"elements":[]}`, 230099},
			{"nothing on it", "interactive", card(), 230099},
			{"an unknown element", "interactive", card(`{"tag":"hologram"}`), 230099},
			{"a button without words", "interactive", card(`{"tag":"button"}`), 230099},
			{"almost too large", "interactive", card(text(strings.Repeat("x", 29_500))), 0},
			{"too large", "interactive", card(text(strings.Repeat("x", 30_000))), 230025},
			{"too large in bytes", "interactive", card(text(strings.Repeat("汉", 10_000))), 230025},
			{"text", "text", `{"text":"hi"}`, 0},
			{"empty text", "text", `{"text":" "}`, 230001},
			{"long text", "text", `{"text":"` + strings.Repeat("x", 100_000) + `"}`, 0},
			{"too long text", "text", `{"text":"` + strings.Repeat("x", 160_000) + `"}`, 230025},
			{"post", "post", `{"zh_cn":{"content":[[{"tag":"text","text":"hi"}]]}}`, 0},
			{"no post", "post", `{"text":"hi"}`, 230001},
			{"an unknown type", "hologram", `{}`, 230001},
			{"a file that is not there", "file", `{"file_key":"x"}`, 230001},
		} {
			if code, _ := b.post(chat, tt.kind, tt.content, ""); code != tt.want {
				t.Errorf("%s: %v, want %v", tt.name, code, tt.want)
			}
		}
		if code, _ := b.post("oc_nowhere", "text", `{"text":"hi"}`, ""); code != 230001 {
			t.Errorf("a chat that is not there: %v", code)
		}
	})
}

// Only cards can be patched, only texts put, and nothing of another's, nor what was taken back.
func TestEdits(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		chat := b.hello()
		_, cardID := b.post(chat, "interactive", card(text("hi")), "")
		_, textID := b.post(chat, "text", `{"text":"hi"}`, "")
		his := b.Chat(chat)[0].ID
		edit := func(method, id, kind, content string) float64 {
			_, out := b.call(method, "/open-apis/im/v1/messages/"+id, map[string]string{"msg_type": kind, "content": content})
			return out["code"].(float64)
		}
		for i, tt := range []struct {
			method, id, kind, content string
			want                      float64
		}{
			{"PATCH", cardID, "", card(text("ho")), 0},
			{"PATCH", textID, "", card(text("ho")), 230054},
			{"PATCH", his, "", card(text("ho")), 230027},
			{"PUT", textID, "text", `{"text":"ho"}`, 0},
			{"PUT", cardID, "interactive", card(text("ho")), 230054},
			{"PUT", his, "text", `{"text":"x"}`, 230071},
			{"PATCH", "om_0", "", card(text("ho")), 230001},
			{"PATCH", cardID, "", "{", 230099},
		} {
			if code := edit(tt.method, tt.id, tt.kind, tt.content); code != tt.want {
				t.Errorf("%d: %v, want %v", i, code, tt.want)
			}
		}
		for i := range 20 {
			if want := map[bool]float64{true: 230072}[i == 19]; edit("PUT", textID, "text", fmt.Sprintf(`{"text":"%d"}`, i)) != want {
				t.Errorf("edit %d", i+2)
			}
		}
		b.Recall(cardID)
		if code := edit("PATCH", cardID, "", card(text("x"))); code != 230011 {
			t.Errorf("what was taken back: %v", code)
		}
		if got := b.FromBot(chat)[0]; len(got.Edits) != 1 || got.Edits[0].Text != "hi" || got.Text != "ho" {
			t.Errorf("the card: %+v", got)
		}
	})
}

// One uuid makes one message an hour.
func TestUUID(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		chat := b.hello()
		_, one := b.post(chat, "text", `{"text":"1"}`, "u")
		_, two := b.post(chat, "text", `{"text":"2"}`, "u")
		time.Sleep(time.Hour)
		_, three := b.post(chat, "text", `{"text":"3"}`, "u")
		if one != two || two == three {
			t.Errorf("%q, %q, and an hour later %q", one, two, three)
		}
		if code, _ := b.post(chat, "text", `{"text":"4"}`, strings.Repeat("u", 51)); code != 230001 {
			t.Errorf("a long uuid: %v", code)
		}
	})
}

func TestRates(t *testing.T) {
	start(t, feishutest.Options{Rates: true}, func(b *bot) {
		chat := b.hello()
		send := func(n int) (codes []float64) {
			for range n {
				code, _ := b.post(chat, "text", `{"text":"x"}`, "")
				codes = append(codes, code)
			}
			return codes
		}
		if got := send(6); got[4] != 0 || got[5] != 230020 {
			t.Errorf("in a chat: %v", got)
		}
		time.Sleep(time.Second)
		if got := send(1); got[0] != 0 {
			t.Errorf("a second later: %v", got)
		}
	})
}

// Tokens: missing, wrong, ended, of a wrong secret.
func TestTokens(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		info := func() (int, any) {
			status, out := b.call("GET", "/open-apis/bot/v3/info", nil)
			return status, out["code"]
		}
		if status, code := info(); status != 200 || code != 0.0 {
			t.Errorf("a good token: %d, %v", status, code)
		}
		b.ExpireTokens(200)
		if status, code := info(); status != 200 || code != 99991663.0 {
			t.Errorf("one that has ended: %d, %v", status, code)
		}
		b.ExpireTokens(400)
		if status, code := info(); status != 400 || code != 99991663.0 {
			t.Errorf("one that has ended: %d, %v", status, code)
		}
		if _, out := b.call("POST", "/open-apis/auth/v3/tenant_access_token/internal", map[string]string{"app_id": b.AppID, "app_secret": "x"}); out["code"] != 10014.0 {
			t.Errorf("a wrong secret: %v", out)
		}
		if _, out := b.call("POST", "/callback/ws/endpoint", map[string]string{"AppID": b.AppID, "AppSecret": "x"}); out["code"] != 514.0 {
			t.Errorf("a wrong secret: %v", out)
		}
	})
}

// A message that is not acknowledged comes along the ladder, each time with the same id.
func TestLadder(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		_, out := b.call("POST", "/callback/ws/endpoint", map[string]string{"AppID": b.AppID, "AppSecret": b.Secret})
		address := out["data"].(map[string]any)["URL"].(string)
		conn, _, err := websocket.Dial(b.t.Context(), address, &websocket.DialOptions{HTTPClient: b.http})
		if err != nil {
			t.Fatal(err)
		}
		defer conn.CloseNow()
		began := time.Now()
		b.Say(feishutest.Said{From: "ou_1", Text: "hello"})
		var at []time.Duration
		for range 5 {
			_, body, err := conn.Read(b.t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(body, []byte("om_")) || !bytes.Contains(body, []byte("im.message.receive_v1")) {
				t.Errorf("came %q", body)
			}
			at = append(at, time.Since(began).Round(10*time.Second))
		}
		// Three seconds for each answer come to the waits.
		if got, want := fmt.Sprint(at), "[0s 20s 5m20s 1h5m20s 7h5m30s]"; got != want {
			t.Errorf("came at %s, want %s", got, want)
		}
	})
}

func TestFiles(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		upload := func(path, field string, data []byte, fields ...string) float64 {
			var body bytes.Buffer
			form := multipart.NewWriter(&body)
			for i := 0; i < len(fields); i += 2 {
				_ = form.WriteField(fields[i], fields[i+1])
			}
			w, _ := form.CreateFormFile(field, "x")
			_, _ = w.Write(data)
			_ = form.Close()
			r, _ := http.NewRequestWithContext(b.t.Context(), "POST", b.URL+path, &body)
			r.Header.Set("Authorization", "Bearer "+b.token)
			r.Header.Set("Content-Type", form.FormDataContentType())
			resp, err := b.http.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var out struct{ Code float64 }
			_ = json.NewDecoder(resp.Body).Decode(&out)
			return out.Code
		}
		png := []byte("\x89PNG\r\n\x1a\n")
		for name, tt := range map[string]struct{ got, want float64 }{
			"image":              {upload("/open-apis/im/v1/images", "image", png, "image_type", "message"), 0},
			"no image":           {upload("/open-apis/im/v1/images", "image", []byte("x"), "image_type", "message"), 234011},
			"image of no type":   {upload("/open-apis/im/v1/images", "image", png), 234001},
			"large image":        {upload("/open-apis/im/v1/images", "image", append(png, make([]byte, 10<<20)...), "image_type", "message"), 234006},
			"file":               {upload("/open-apis/im/v1/files", "file", []byte("x"), "file_type", "stream", "file_name", "x"), 0},
			"file of odd type":   {upload("/open-apis/im/v1/files", "file", []byte("x"), "file_type", "png", "file_name", "x"), 234001},
			"empty file":         {upload("/open-apis/im/v1/files", "file", nil, "file_type", "stream", "file_name", "x"), 234010},
			"large file":         {upload("/open-apis/im/v1/files", "file", make([]byte, 30<<20+1), "file_type", "stream", "file_name", "x"), 234006},
			"file without bytes": {upload("/open-apis/im/v1/files", "other", nil, "file_type", "stream", "file_name", "x"), 234001},
		} {
			if tt.got != tt.want {
				t.Errorf("%s: %v, want %v", name, tt.got, tt.want)
			}
		}
	})
}

// Another process can play the persons.
func TestControl(t *testing.T) {
	start(t, feishutest.Options{}, func(b *bot) {
		if status, out := b.call("POST", "/control/say", feishutest.Said{From: "ou_1", Text: "hi"}); status != 200 || out["message_id"] == "" {
			t.Errorf("say: %d, %v", status, out)
		}
		chat := feishutest.Private("ou_1")
		b.call("POST", "/control/fail", feishutest.Fault{Method: "send", Code: 230002})
		if code, _ := b.post(chat, "text", `{"text":"x"}`, ""); code != 230002 {
			t.Errorf("fail: %v", code)
		}
		_, _ = b.post(chat, "text", `{"text":"the answer"}`, "")
		for words, want := range map[string]int{"answer": 200, "never": 504} {
			resp, err := b.http.Get(b.URL + "/control/wait?timeout=2s&chat=" + chat + "&contains=" + words)
			if err != nil {
				t.Fatal(err)
			}
			if resp.Body.Close(); resp.StatusCode != want {
				t.Errorf("wait for %q: %d", words, resp.StatusCode)
			}
		}
		_, hook := b.call("POST", "/control/webhook", feishutest.Said{From: "ou_1", Text: "hi"})
		if body, _ := hook["body"].(string); !strings.Contains(body, "encrypt") {
			t.Errorf("webhook: %v", hook)
		}
	})
}

// The program says where it listens, and ends when it is told to.
func TestServeMain(t *testing.T) {
	file := filepath.Join(t.TempDir(), "addr")
	ctx, cancel := context.WithCancel(t.Context())
	code := make(chan int, 1)
	go func() { code <- feishutest.ServeMain(ctx, []string{"-talk=false", "-addr-file", file}) }()
	var address []byte
	for len(address) == 0 {
		address, _ = os.ReadFile(file)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(string(address) + "/control/chats")
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	if string(body) != "{}" {
		t.Errorf("chats: %q", body)
	}
	cancel()
	if got := <-code; got != 0 {
		t.Errorf("it ended with %d", got)
	}
	if got := feishutest.ServeMain(t.Context(), []string{"-listen", "nowhere:x"}); got != 1 {
		t.Errorf("a wrong address: %d", got)
	}
}
