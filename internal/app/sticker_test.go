package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/llm"
	"github.com/akitad/akitad/internal/llm/llmtest"
)

// sticker waits until the bot has sent anna a sticker with these bytes, and gives what it sent in all.
func (h *chatHouse) sticker(body string) []telegramtest.Message {
	h.t.Helper()
	h.waits("a sticker", func() bool {
		for _, m := range h.srv.FromBot(anna) {
			if m.Kind == "sticker" && string(m.File.Bytes) == body {
				return true
			}
		}
		return false
	})
	return h.srv.FromBot(anna)
}

func sendSticker(args map[string]any) akitad.Call { return llmtest.Call("send_sticker", args) }

// thumbHome is a home with a sticker, and a flow that sends it.
func thumbHome(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	for name, body := range map[string]string{
		"stickers/👍.webp":  "RIFF-thumb-WEBP",
		"flows/thumb.yaml": "goal: show a thumb\nsteps:\n  - {id: thumb, tool: send_sticker, with: {emoji: \"👍\"}}\n",
	} {
		full := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// A sticker of the home goes with an answer as a sticker, once, and one that the person sent comes back.
func TestStickersGoOut(t *testing.T) {
	script := llmtest.New(t).
		On(llmtest.Role(llm.RolePlanner), llmtest.Text("")).
		On(llmtest.Says("and back"), llmtest.Calls(sendSticker(map[string]any{"emoji": "😀"})), llmtest.Text("Here it is.")).
		Always(llmtest.Says("[sticker 😀 from Cats]"), llmtest.Text("Nice.")).
		On(llmtest.Says("thanks"), llmtest.Calls(sendSticker(map[string]any{"emoji": "👍"})), llmtest.Text("You are welcome."))
	srv := telegramtest.Start(t, telegramtest.Options{})
	h := startChat(t, thumbHome(t), srv, script, nil)
	h.say(anna, "thanks")
	h.sticker("RIFF-thumb-WEBP")
	srv.Say(anna, 0, "", telegramtest.Said{Sticker: &telegramtest.Upload{Name: "s.webp", Bytes: []byte("RIFF-smile-WEBP")}, Emoji: "😀", Set: "Cats"})
	h.waits("an answer to the sticker", func() bool { return strings.Contains(strings.Join(h.texts(anna), "\n"), "Nice.") })
	h.say(anna, "and back")
	var kinds []string
	for _, m := range h.sticker("RIFF-smile-WEBP") {
		if m.File != nil {
			kinds = append(kinds, m.Kind+" "+m.File.Name)
		}
	}
	if got := strings.Join(kinds, ", "); got != "sticker 👍.webp, sticker sticker-4-😀.webp" {
		t.Errorf("the bot sent %s", got)
	}
}

// It is one too when a delegated task or a flow's step sends it, and only once.
func TestStickersOfChildrenGoOut(t *testing.T) {
	for _, words := range []string{"please show", "/flow thumb"} {
		script := llmtest.New(t).
			On(llmtest.Role(llm.RolePlanner), llmtest.Text("")).
			Rounds(llmtest.Begins("thumb now"), llmtest.Calls(sendSticker(map[string]any{"emoji": "👍"})), llmtest.Text("sent")).
			Rounds(llmtest.Begins("please show"), llmtest.Calls(delegate("assistant", "thumb now")), llmtest.Text("There.")).
			Always(llmtest.Any, llmtest.Text("There."))
		h := startChat(t, thumbHome(t), telegramtest.Start(t, telegramtest.Options{}), script, nil)
		h.say(anna, words)
		h.sticker("RIFF-thumb-WEBP")
		h.stop()
		files := 0
		for _, m := range h.srv.FromBot(anna) {
			if m.File != nil {
				files++
			}
		}
		if files != 1 {
			t.Errorf("%q: the bot sent %d files", words, files)
		}
	}
}
