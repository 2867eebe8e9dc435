package app_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
	"github.com/akitad/akitad/internal/config"
	"github.com/akitad/akitad/internal/journal"
	"github.com/akitad/akitad/internal/llm/llmtest"
	"github.com/akitad/akitad/internal/text"
)

// A voice message is written down by the service that the owner names, shown, and answered like words; the
// recording stays with the task.
func TestChatVoice(t *testing.T) {
	asked := make(chan string, 9)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		file, head, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		audio, _ := io.ReadAll(file)
		asked <- r.URL.Path + " " + r.Header.Get("Authorization") + " " + r.FormValue("model") + " " + head.Filename + " " + string(audio)
		_ = json.NewEncoder(w).Encode(map[string]string{"text": "现在几点了？"})
	}))
	t.Cleanup(srv.Close)
	h := newChat(t, llmtest.New(t).On(llmtest.Begins("现在几点了？"), llmtest.Text("正午。")), func(c *config.Config) {
		c.Voice = config.Transcription{BaseURL: srv.URL + "/v1", APIKey: config.NewSecret("sk-voice"), Model: "whisper-1"}
	})
	h.srv.Say(anna, 0, "", telegramtest.Said{UpdateID: 500, Voice: &telegramtest.Upload{Name: "v.oga", Bytes: []byte("OggS sound")}})
	h.sees(anna, text.Zh.Heard("现在几点了？"), "正午。")
	if got := <-asked; got != "/v1/audio/transcriptions Bearer sk-voice whisper-1 voice-1.ogg OggS sound" {
		t.Errorf("the service was asked %q", got)
	}
	task, err := h.Journal.Wait(t.Context(), akitad.DeriveTaskID("telegram", "tg:500"), (*journal.Task).Exists)
	if err != nil || len(task.Sub.Files) != 1 || task.Sub.Files[0].Artifact == "" {
		t.Errorf("the task has the files %+v (%v)", task.Sub.Files, err)
	}
}

func TestChatVoiceWithoutAModel(t *testing.T) {
	h := newChat(t, llmtest.New(t), nil)
	h.srv.Say(anna, 0, "", telegramtest.Said{Lang: "zh-hans", Voice: &telegramtest.Upload{Name: "v.oga", Bytes: []byte("OggS sound")}})
	h.sees(anna, text.Zh.VoiceUnreadable())
	if n := len(h.srv.Calls("getFile")); n != 0 {
		t.Errorf("%d files were fetched for nothing", n)
	}
}
