package telegram_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/telegram"
	"github.com/akitad/akitad/channels/telegram/telegramtest"
)

// picture gives an empty picture in a format; a moving one has two frames.
func picture(t *testing.T, format string, width, height int) []byte {
	t.Helper()
	var out bytes.Buffer
	img := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	var err error
	switch format {
	case "png":
		err = png.Encode(&out, img)
	case "jpg":
		err = jpeg.Encode(&out, img, nil)
	case "gif":
		err = gif.Encode(&out, img, nil)
	case "moving":
		err = gif.EncodeAll(&out, &gif.GIF{Image: []*image.Paletted{img, img}, Delay: []int{10, 10}})
	case "webp":
		out.WriteString("RIFF\x1a\x00\x00\x00WEBPVP8L and so on")
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestHowFilesAreShown(t *testing.T) {
	small := picture(t, "png", 20, 10)
	for _, tt := range []struct {
		name, kind string // of the file; what the chat shows
		as         akitad.FileKind
		body       []byte
		fault      string // why the first form is refused
		tries      int
	}{
		{"a.png", "photo", "", small, "", 1},
		{"out/A.JPG", "photo", "", picture(t, "jpg", 20, 10), "", 1},
		{"a.webp", "photo", "", picture(t, "webp", 0, 0), "", 1},
		{"a.gif", "photo", "", picture(t, "gif", 20, 10), "", 1},
		{"a.gif", "animation", "", picture(t, "moving", 20, 10), "", 1},
		{"picture", "photo", akitad.FilePhoto, small, "", 1},
		{"wide.png", "document", "", picture(t, "png", 2100, 100), "", 1},
		{"high.png", "document", "", picture(t, "png", 600, 9401), "", 1},
		{"no.png", "document", "", []byte("no picture"), "", 1},
		{"large.png", "document", "", append(small[:len(small):len(small)], make([]byte, 10<<20)...), "", 1},
		{"a.png", "document", "", small, "Bad Request: PHOTO_INVALID_DIMENSIONS", 2},
		{"a.png", "document", "", small, "Bad Request: not enough rights to send photos to the chat", 2},
		{"a.webp", "sticker", akitad.FileSticker, picture(t, "webp", 0, 0), "", 1},
		{"a.tgs", "sticker", akitad.FileSticker, []byte("x"), "", 1},
		{"a.webm", "sticker", akitad.FileSticker, []byte("x"), "", 1},
		{"a.webp", "document", akitad.FileSticker, picture(t, "webp", 0, 0), "Bad Request: STICKER_INVALID", 2},
		{"a.png", "photo", akitad.FileSticker, small, "", 1},
		{"say.ogg", "voice", akitad.FileVoice, []byte("OggS"), "", 1},
		{"say.ogg", "document", akitad.FileVoice, []byte("OggS"), "Bad Request: VOICE_MESSAGES_FORBIDDEN", 2},
		{"say.wav", "document", akitad.FileVoice, []byte("RIFF"), "", 1},
		{"song.ogg", "document", "", []byte("OggS"), "", 1},
		{"a.pdf", "document", "", []byte("%PDF"), "", 1},
	} {
		t.Run(tt.name+" as "+tt.kind, func(t *testing.T) {
			r, to := spoken(t, telegram.Options{Open: func(context.Context, akitad.File) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(tt.body)), nil
			}})
			d := answer(to, "", "here")
			d.Reply.Files = []akitad.File{{Name: tt.name, Size: int64(len(tt.body)), Kind: tt.as}}
			must[string](t)(r.Placeholder(soon(t), to, "…", ""))
			before := len(r.api.Calls(""))
			if tt.fault != "" {
				for _, method := range []string{"sendPhoto", "sendSticker", "sendVoice"} {
					r.api.Fail(telegramtest.Fault{Method: method, Code: 400, Description: tt.fault})
				}
			}
			ids := must[[]string](t)(r.Final(soon(t), d))
			got := r.api.FromBot(7)
			last := got[len(got)-1]
			if len(ids) != 2 || last.Kind != tt.kind || !bytes.Equal(last.File.Bytes, tt.body) || last.File.Name != tt.name[strings.LastIndex(tt.name, "/")+1:] || !last.Silent {
				t.Errorf("%d messages, the last is %s %q", len(got), last.Kind, last.Text)
			}
			if tries := len(r.api.Calls("")) - before - 1; tries != tt.tries {
				t.Errorf("%d requests for the file, want %d", tries, tt.tries)
			}
		})
	}
}

func TestStickerThatTelegramKnows(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Open: openText}).run(t, nil)
	r.api.Say(7, 0, "", telegramtest.Said{Sticker: &telegramtest.Upload{Name: "s.webp", Bytes: []byte("RIFF-WEBP")}, Emoji: "😀", Set: "Cats"})
	m := next(t, r)
	if m.Text != "[sticker 😀 from Cats]" || len(m.Files) != 1 || m.Files[0].Kind != akitad.FileSticker || m.Files[0].Name != "sticker-1-😀.webp" {
		t.Fatalf("message = %+v", m)
	}
	d := answer(m.Origin, "", "the same to you")
	d.Reply.Files = []akitad.File{{Name: "s", Kind: akitad.FileSticker, Remote: m.Files[0].Remote}}
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(7); len(got) != 2 || got[1].Kind != "sticker" || string(got[1].File.Bytes) != "RIFF-WEBP" {
		t.Errorf("chat = %+v", got)
	}
}

// A file that a bot may not send is named, in the person's language.
func TestFileThatIsTooLargeToSend(t *testing.T) {
	opened := false
	r, to := spoken(t, telegram.Options{Open: func(context.Context, akitad.File) (io.ReadCloser, error) {
		opened = true
		return io.NopCloser(io.LimitReader(zeros{}, 51<<20)), nil
	}})
	d := answer(to, "", "here")
	d.Reply.Files = []akitad.File{{Name: "out/film.mp4", Size: 73 << 20}}
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(7); len(got) != 2 || got[1].Text != "📎 film.mp4 (73 MB) is too large to send here (the limit is 50 MB)." || opened {
		t.Errorf("chat = %q, opened %v", texts(got), opened)
	}
	to.Lang = "zh"
	d = answer(to, "", "here")
	d.Reply.Files = []akitad.File{{Name: "of-unknown-size.bin"}}
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(7); len(got) != 4 || got[3].Text != "📎 of-unknown-size.bin 太大，无法在这里发送（上限 50 MB）。" {
		t.Errorf("chat = %q", texts(got))
	}
}

// How much a server takes may be less than Telegram does.
func TestFileThatAServerFindsTooLarge(t *testing.T) {
	r, to := spoken(t, telegram.Options{Open: openText})
	d := answer(to, "", "here")
	d.Reply.Files = []akitad.File{{Name: "a.bin", Size: 1 << 20}}
	for i, fault := range []telegramtest.Fault{{Code: 413, Description: "Request Entity Too Large"}, {Code: 400, Description: "Bad Request: file is too big"}} {
		fault.Method = "sendDocument"
		r.api.Fail(fault)
		must[[]string](t)(r.Final(soon(t), d))
		if got := r.api.FromBot(7); len(got) != 2+2*i || !strings.Contains(got[1+2*i].Text, "a.bin") {
			t.Errorf("%+v: chat = %q", fault, texts(got))
		}
	}
}

// A message that is deleted as soon as it was sent, as by a bot that moderates a group, is not sent for ever.
func TestMessageThatIsDeletedAtOnce(t *testing.T) {
	r, to := spoken(t, telegram.Options{})
	r.api.Fail(telegramtest.Fault{Method: "sendMessage", Code: 500, Description: "Internal Server Error: sent message was immediately deleted and can't be returned"})
	if _, err := r.Final(soon(t), answer(to, "", "here")); err != nil {
		t.Error(err)
	}
	if n := len(r.api.Calls("sendMessage")); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// zeros never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// A file follows its answer into the topic, and out of it when the topic is gone, and to a group's new id.
func TestFilesFollowTheChat(t *testing.T) {
	r := connect(t, telegramtest.Start(t, telegramtest.Options{}), telegram.Options{Open: openText}).run(t, nil)
	const group, after = -1001234567890, -1009876543210
	r.api.Say(7, group, "@akita_bot hi", telegramtest.Said{Thread: 55})
	to := next(t, r).Origin
	if err := r.stop(); err != nil { // it hears of the move by its refusals alone
		t.Fatal(err)
	}
	r.api.CloseTopic(group, 55)
	d := answer(to, "", "here")
	d.Reply.Files = []akitad.File{{Name: "a.txt"}}
	d.From = 1
	must[[]string](t)(r.Final(soon(t), d))
	r.api.Migrate(group, after)
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(group); len(got) != 1 || got[0].Thread != 0 {
		t.Errorf("chat = %+v", got)
	}
	must[[]string](t)(r.Final(soon(t), d))
	if got := r.api.FromBot(after); len(got) != 2 || got[0].File.Name != "a.txt" {
		t.Errorf("the new chat = %+v", got)
	}
	// With a topic, then without; to the old group, then to the new one, in its topic, then without; at
	// once to the new group.
	var chats []string
	for _, c := range r.api.Calls("sendDocument") {
		chats = append(chats, c.Params["chat_id"])
	}
	if old := strings.Count(strings.Join(chats, " "), strconv.Itoa(group)); old != 3 {
		t.Errorf("sent to %q: the new id is not remembered", chats)
	}
}
