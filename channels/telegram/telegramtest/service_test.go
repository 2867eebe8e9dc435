package telegramtest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"io"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

const patience = time.Minute

func soon(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// upload sends a file as a multipart form and gives the answer's code and description.
func upload(t *testing.T, s *telegramtest.Server, method, field, name string, body []byte, fields ...string) (int, string) {
	t.Helper()
	var out bytes.Buffer
	form := multipart.NewWriter(&out)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1])
	}
	w, err := form.CreateFormFile(field, name)
	if err == nil {
		_, err = w.Write(body)
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = form.Close()
	resp, err := http.Post(s.URL+"/bot"+s.Token+"/"+method, form.FormDataContentType(), &out)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var answer struct{ Description string }
	_ = json.NewDecoder(resp.Body).Decode(&answer)
	return resp.StatusCode, answer.Description
}

func picture(t *testing.T, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestFilesLikeTelegram(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, 0, "hi", telegramtest.Said{})
	small := picture(t, 20, 10)
	for _, tt := range []struct {
		method, field, name string
		body                []byte
		code                int
		description         string
	}{
		{"sendDocument", "document", "a.txt", []byte("x"), 200, ""},
		{"sendDocument", "document", "a.txt", nil, 400, "file must be non-empty"},
		{"sendPhoto", "photo", "a.png", small, 200, ""},
		{"sendPhoto", "photo", "a.png", []byte("no picture"), 400, "IMAGE_PROCESS_FAILED"},
		{"sendPhoto", "photo", "a.png", picture(t, 2001, 100), 400, "PHOTO_INVALID_DIMENSIONS"},
		{"sendPhoto", "photo", "a.png", picture(t, 501, 9500), 400, "PHOTO_INVALID_DIMENSIONS"},
		{"sendPhoto", "photo", "a.png", append(slices.Clone(small), make([]byte, 10<<20)...), 400, "too big for a photo"},
		{"sendPhoto", "photo", "a.webp", []byte("RIFF1234WEBP"), 200, ""},
		{"sendSticker", "sticker", "a.webp", []byte("x"), 200, ""},
		{"sendSticker", "sticker", "a.png", small, 400, "STICKER_INVALID"},
		{"sendVoice", "voice", "a.ogg", []byte("x"), 200, ""},
		{"sendAnimation", "animation", "a.gif", []byte("x"), 200, ""},
		{"sendPhoto", "document", "a.png", small, 400, "there is no photo"},
	} {
		code, description := upload(t, s, tt.method, tt.field, tt.name, tt.body, "chat_id", "7")
		if code != tt.code || !strings.Contains(description, tt.description) {
			t.Errorf("%s %s: %d %q, want %d %q", tt.method, tt.name, code, description, tt.code, tt.description)
		}
	}
	if code, description := upload(t, s, "sendDocument", "document", "a", []byte("x"), "chat_id", "7", "caption", strings.Repeat("x", 1025)); code != 400 || !strings.Contains(description, "caption is too long") {
		t.Errorf("a long caption: %d %q", code, description)
	}
	if code, description := upload(t, s, "sendDocument", "document", "a", make([]byte, 50<<20+1), "chat_id", "7"); code != 413 || description != "Request Entity Too Large" {
		t.Errorf("a large file: %d %q", code, description)
	}
}

func TestAlbumOut(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, 0, "hi", telegramtest.Said{})
	code, description := upload(t, s, "sendMediaGroup", "one", "a.png", picture(t, 20, 10), "chat_id", "7", "media", `[{"type":"photo","media":"attach://one","caption":"both"},{"type":"photo","media":"attach://one"}]`)
	got := s.FromBot(7)
	if code != 200 || len(got) != 2 || got[0].Album == "" || got[0].Album != got[1].Album || got[0].Text != "both" {
		t.Errorf("%d %q, %+v", code, description, got)
	}
	if code, description := upload(t, s, "sendMediaGroup", "one", "a.png", picture(t, 20, 10), "chat_id", "7", "media", `[{"type":"photo","media":"attach://one"}]`); code != 400 {
		t.Errorf("an album of one: %d %q", code, description)
	}
}

func TestButtons(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, 0, "hi", telegramtest.Said{})
	markup := func(button string) string { return `{"inline_keyboard":[[` + button + `]]}` }
	for _, tt := range []struct {
		button      string
		code        int
		description string
	}{
		{`{"text":"Yes","callback_data":"y"}`, 200, ""},
		{`{"text":"","callback_data":"y"}`, 400, "must be non-empty"},
		{`{"text":"Yes"}`, 400, "Text buttons are unallowed"},
		{`{"text":"Yes","callback_data":"` + strings.Repeat("y", 65) + `"}`, 400, "BUTTON_DATA_INVALID"},
	} {
		code, description, _ := ask(t, s, s.Token, "sendMessage", "chat_id", "7", "text", "really?", "reply_markup", markup(tt.button))
		if code != tt.code || !strings.Contains(description, tt.description) {
			t.Errorf("%.40s: %d %q, want %d %q", tt.button, code, description, tt.code, tt.description)
		}
	}
	if s.Press(7, 0, 2, "n") != "" || s.Press(7, 0, 1, "y") != "" {
		t.Error("a button was pressed that is not there")
	}
	press := s.Press(7, 0, 2, "y")
	if _, _, result := ask(t, s, s.Token, "getUpdates"); !strings.Contains(result, `"callback_query":{"chat_instance":"1","data":"y"`) || !strings.Contains(result, `"text":"really?"`) {
		t.Errorf("updates: %s", result)
	}
	for _, tt := range []struct {
		id, text    string
		code        int
		description string
	}{
		{"1", "ok", 400, "query is too old"}, {press, strings.Repeat("好", 201), 400, "MESSAGE_TOO_LONG"}, {press, strings.Repeat("好", 200), 200, ""},
	} {
		code, description, _ := ask(t, s, s.Token, "answerCallbackQuery", "callback_query_id", tt.id, "text", tt.text)
		if code != tt.code || !strings.Contains(description, tt.description) {
			t.Errorf("answer of %s: %d %q, want %d %q", tt.id, code, description, tt.code, tt.description)
		}
	}
	same := []string{"chat_id", "7", "message_id", "2", "text", "really?", "reply_markup", markup(`{"text":"Yes","callback_data":"y"}`)}
	for i, tt := range []struct {
		method string
		fields []string
		code   int
	}{
		{"editMessageText", same, 400}, {"editMessageReplyMarkup", same, 400}, {"editMessageText", same[:6], 200}, {"editMessageReplyMarkup", same[:4], 400}, {"editMessageReplyMarkup", same, 200},
	} {
		if code, description, _ := ask(t, s, s.Token, tt.method, tt.fields...); code != tt.code {
			t.Errorf("%d %s: %d %q, want %d", i, tt.method, code, description, tt.code)
		}
	}
}

func TestMenus(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	for _, tt := range []struct {
		commands string
		code     int
	}{
		{`[{"command":"help","description":"x"}]`, 200}, {`[{"command":"Help","description":"x"}]`, 400}, {`[{"command":"help","description":""}]`, 400}, {`help`, 400},
	} {
		if code, description, _ := ask(t, s, s.Token, "setMyCommands", "commands", tt.commands, "language_code", "zh"); code != tt.code {
			t.Errorf("%s: %d %q", tt.commands, code, description)
		}
	}
	if got := s.Commands("zh"); len(got) != 1 || len(s.Commands("")) != 0 {
		t.Errorf("menu = %+v", got)
	}
}

func TestPrivacyMode(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{Privacy: true})
	s.Say(7, -9, "among us", telegramtest.Said{})
	s.Say(7, -9, "hi @Akita_Bot", telegramtest.Said{})
	s.Say(7, -9, "/status", telegramtest.Said{})
	_, _, _ = ask(t, s, s.Token, "sendMessage", "chat_id", "-9", "text", "mine")
	s.Say(7, -9, "I see", telegramtest.Said{ReplyTo: 4})
	s.Say(7, -9, "she said", telegramtest.Said{ReplyTo: 1})
	_, _, result := ask(t, s, s.Token, "getUpdates")
	for text, want := range map[string]bool{`"text":"among us"`: false, "hi @Akita_Bot": true, "/status": true, "I see": true, "she said": false} {
		if strings.Contains(result, text) != want {
			t.Errorf("%q is told: %v, want %v", text, !want, want)
		}
	}
}

func TestAllowedUpdatesAndCorrections(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	id := s.Say(7, 0, "helo", telegramtest.Said{})
	s.Correct(7, id, "hello")
	if _, _, result := ask(t, s, s.Token, "getUpdates", "allowed_updates", `["message"]`); !strings.Contains(result, "edited_message") {
		t.Errorf("a correction before anything was asked for: %s", result)
	}
	s.Correct(7, id, "hello!")
	if _, _, result := ask(t, s, s.Token, "getUpdates"); strings.Contains(result, "hello!") {
		t.Errorf("a correction that is not asked for: %s", result)
	}
}

func TestMigration(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	s.Say(7, -40, "hi", telegramtest.Said{})
	s.Migrate(-40, -1001)
	resp, err := http.Post(s.URL+"/bot"+s.Token+"/sendMessage", "application/json", strings.NewReader(`{"chat_id":-40,"text":"x"}`))
	if got := read(t, resp, err); !strings.Contains(got, `"migrate_to_chat_id":-1001`) {
		t.Errorf("answer: %s", got)
	}
	if _, _, result := ask(t, s, s.Token, "getUpdates"); !strings.Contains(result, `"migrate_to_chat_id":-1001`) || !strings.Contains(result, `"migrate_from_chat_id":-40`) {
		t.Errorf("updates: %s", result)
	}
}

func TestTroubleOnRequest(t *testing.T) {
	s := telegramtest.Start(t, telegramtest.Options{})
	for i := range 3 {
		s.Say(7, 0, fmt.Sprint("m", i), telegramtest.Said{})
	}
	order := func(fields ...string) (out []string) {
		_, _, result := ask(t, s, s.Token, "getUpdates", fields...)
		var updates []struct{ Message struct{ Text string } }
		if err := json.Unmarshal([]byte(result), &updates); err != nil {
			t.Fatal(err)
		}
		for _, u := range updates {
			out = append(out, u.Message.Text)
		}
		return out
	}
	s.Fail(telegramtest.Fault{Method: "getUpdates", Reverse: true})
	if got := order(); !slices.Equal(got, []string{"m2", "m1", "m0"}) {
		t.Errorf("reversed: %q", got)
	}
	order("offset", "102")
	s.Fail(telegramtest.Fault{Method: "getUpdates", Repeat: true})
	if got := order("offset", "102"); !slices.Equal(got, []string{"m2", "m0", "m1"}) {
		t.Errorf("repeated: %q", got)
	}
	s.Again(100)
	if got := order("offset", "103"); !slices.Equal(got, []string{"m0"}) {
		t.Errorf("again: %q", got)
	}
	for name, fault := range map[string]telegramtest.Fault{"hang": {Hang: true}, "half": {Half: true}} {
		s.Fail(fault)
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		req, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/bot"+s.Token+"/getMe", nil)
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = io.ReadAll(resp.Body)
			resp.Body.Close()
		}
		if err == nil {
			t.Errorf("%s: an answer came", name)
		}
		cancel()
	}
}

// A chat has a burst, and then one message a second; the bot has its own limit, and a group another.
func TestRealRates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, client := telegramtest.Direct(telegramtest.Options{Rates: telegramtest.Real()})
		defer s.Close()
		send := func(chat int64) (code, wait int) {
			resp, err := client.PostForm(s.URL+"/bot"+s.Token+"/sendMessage", map[string][]string{"chat_id": {fmt.Sprint(chat)}, "text": {"x"}})
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			var answer struct {
				Parameters struct {
					Wait int `json:"retry_after"`
				}
			}
			_ = json.NewDecoder(resp.Body).Decode(&answer)
			return resp.StatusCode, answer.Parameters.Wait
		}
		burst := func(chat int64, n int) (taken int) {
			s.Say(7, chat, "hi", telegramtest.Said{})
			for range n {
				if code, wait := send(chat); code == 200 {
					taken++
				} else if code != 429 || wait == 0 {
					t.Errorf("answered %d, wait %d", code, wait)
				}
			}
			return taken
		}
		if got := burst(1, 9); got != 3 {
			t.Errorf("%d messages at once into a chat, want 3", got)
		}
		time.Sleep(2 * time.Second)
		if got := burst(1, 9); got != 2 {
			t.Errorf("two seconds later %d, want 2", got)
		}
		time.Sleep(time.Minute)
		all := 0
		for chat := range int64(20) {
			all += burst(chat+1, 2)
		}
		if all != 30 {
			t.Errorf("%d messages at once by the bot, want 30", all)
		}
		time.Sleep(time.Minute)
		group := 0
		for range 50 {
			group += burst(-5, 1)
			time.Sleep(time.Second)
		}
		if _, wait := send(-5); group != 20 || wait < 5 || wait > 15 {
			t.Errorf("%d messages into a group in 50 s, then wait %d; want 20, and the rest of the minute", group, wait)
		}
	})
}
