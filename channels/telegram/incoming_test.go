package telegram

import (
	"cmp"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/akitad/akitad"
)

// knowing gives a bot that has been told who it is: akita_bot, 999.
func knowing(t testing.TB, opts Options) *Telegram {
	t.Helper()
	tg, err := New("999:token", opts)
	if err != nil {
		t.Fatal(err)
	}
	tg.self = identity{id: 999, username: "akita_bot"}
	return tg
}

func update(t testing.TB, body string) *models.Update {
	t.Helper()
	u := &models.Update{}
	if err := json.Unmarshal([]byte(body), u); err != nil {
		t.Fatal(err)
	}
	return u
}

func TestMessageMapping(t *testing.T) {
	const private = `"message_id":5,"date":1700000000,"from":{"id":7,"language_code":"zh-hans"},"chat":{"id":7,"type":"private"}`
	const group = `"message_id":5,"date":1700000000,"from":{"id":7},"chat":{"id":-1001,"type":"supergroup"}`
	tg := knowing(t, Options{})
	for _, tt := range []struct {
		name, fields, text, skip string
		addressed                bool
	}{
		{"plain words", private + `,"text":"  hi  there\n"`, "  hi  there\n", "", true},
		{"nobody", `"message_id":5,"chat":{"id":7,"type":"private"},"text":"hi"`, "", "nobody wrote it", false},
		{"another bot", `"message_id":5,"from":{"id":7,"is_bot":true},"chat":{"id":7,"type":"private"},"text":"hi"`, "", "a bot wrote it", false},
		{"a channel", `"message_id":5,"sender_chat":{"id":-1001},"chat":{"id":-1001,"type":"channel"},"text":"hi"`, "", "a broadcast", false},
		{"a service message", private + `,"new_chat_title":"x"`, "", "neither words nor files", false},
		{"a channel's post in its group", `"message_id":5,"from":{"id":777000},"sender_chat":{"id":-9},"is_automatic_forward":true,"chat":{"id":-1001,"type":"supergroup"},"text":"hi"`, "", "a channel's post, shown in its group", false},
		{"a group without a mention", group + `,"text":"hi all"`, "hi all", "", false},
		{"a mention", group + `,"text":"@akita_bot what is this","entities":[{"type":"mention","offset":0,"length":10}]`, "what is this", "", true},
		{"a mention in capitals, with a comma", group + `,"text":"@Akita_Bot, go","entities":[{"type":"mention","offset":0,"length":10}]`, "go", "", true},
		{"a mention after Chinese", group + `,"text":"你好 @akita_bot 请帮忙","entities":[{"type":"mention","offset":3,"length":10}]`, "你好 请帮忙", "", true},
		{"a mention after an emoji", group + `,"text":"😀 @akita_bot go","entities":[{"type":"mention","offset":3,"length":10}]`, "😀 go", "", true},
		{"a mention before a comma", group + `,"text":"hey @akita_bot, go","entities":[{"type":"mention","offset":4,"length":10}]`, "hey, go", "", true},
		{"a mention before a Chinese stop", group + `,"text":"谢谢 @akita_bot。再来","entities":[{"type":"mention","offset":3,"length":10}]`, "谢谢。再来", "", true},
		{"a mention at the end", group + `,"text":"go @akita_bot","entities":[{"type":"mention","offset":3,"length":10}]`, "go", "", true},
		{"two mentions", group + `,"text":"@akita_bot and @akita_bot go","entities":[{"type":"mention","offset":0,"length":10},{"type":"mention","offset":15,"length":10}]`, "and go", "", true},
		{"a mention without words", group + `,"text":"@akita_bot","entities":[{"type":"mention","offset":0,"length":10}]`, "", "", true},
		{"a service message that answers the bot", group + `,"pinned_message":{"message_id":3,"date":1,"chat":{"id":-1002,"type":"supergroup"}},"reply_to_message":{"message_id":3,"from":{"id":999}}`, "", "neither words nor files", false},
		{"somebody else's mention", group + `,"text":"@akita_bot2 go","entities":[{"type":"mention","offset":0,"length":11}]`, "@akita_bot2 go", "", false},
		{"everybody's mention", group + `,"text":"@all go","entities":[{"type":"mention","offset":0,"length":4}]`, "@all go", "", false},
		{"the name in code", group + `,"text":"see @akita_bot usage","entities":[{"type":"code","offset":4,"length":10}]`, "see @akita_bot usage", "", false},
		{"the name without an entity", group + `,"text":"see @akita_bot usage"`, "see @akita_bot usage", "", false},
		{"an entity out of the text", group + `,"text":"hi","entities":[{"type":"mention","offset":1,"length":90},{"type":"mention","offset":-4,"length":2}]`, "hi", "", false},
		{"a mention by id", group + `,"text":"Akita go","entities":[{"type":"text_mention","offset":0,"length":5,"user":{"id":999}}]`, "go", "", true},
		{"a mention by another id", group + `,"text":"Akita go","entities":[{"type":"text_mention","offset":0,"length":5,"user":{"id":998}}]`, "Akita go", "", false},
		{"a caption", group + `,"photo":[{"file_id":"p"}],"caption":"@akita_bot what is this","caption_entities":[{"type":"mention","offset":0,"length":10}]`, "what is this", "", true},
		{"a reply to the bot", group + `,"text":"and then?","reply_to_message":{"message_id":3,"from":{"id":999}}`, "and then?", "", true},
		{"a reply to somebody", group + `,"text":"and then?","reply_to_message":{"message_id":3,"from":{"id":12}}`, "and then?", "", false},
		{"a topic that the bot opened", group + `,"text":"hi","reply_to_message":{"message_id":3,"from":{"id":999},"forum_topic_created":{"name":"x","icon_color":1}}`, "hi", "", false},
		{"a command with the name", group + `,"text":"/status@akita_bot t_1","entities":[{"type":"bot_command","offset":0,"length":17}]`, "/status t_1", "", true},
		{"a command to another bot", group + `,"text":"/status@other_bot","entities":[{"type":"bot_command","offset":0,"length":17}]`, "", "a command to another bot", false},
		{"a command in a private chat", private + `,"text":"/help","entities":[{"type":"bot_command","offset":0,"length":5}]`, "/help", "", true},
		{"a mention after a family", group + `,"text":"👨‍👩‍👧 @akita_bot hi","entities":[{"type":"mention","offset":9,"length":10}]`, "👨‍👩‍👧 hi", "", true},
		{"a mention before a Chinese colon", group + `,"text":"看 @akita_bot：写","entities":[{"type":"mention","offset":2,"length":10}]`, "看：写", "", true},
		{"a mention between wide spaces", group + `,"text":"你好　@akita_bot　请帮忙","entities":[{"type":"mention","offset":3,"length":10}]`, "你好　请帮忙", "", true},
		{"a mention after flags and skin tones", group + `,"text":"🇨🇳👍🏽e\u0301 @akita_bot hi","entities":[{"type":"mention","offset":11,"length":10}]`, "🇨🇳👍🏽e\u0301 hi", "", true},
		{"a mention in a quote and bold", group + `,"text":"@akita_bot hi","entities":[{"type":"blockquote","offset":0,"length":13},{"type":"bold","offset":0,"length":10},{"type":"mention","offset":0,"length":10}]`, "hi", "", true},
		{"the same mention twice", group + `,"text":"@akita_bot hi","entities":[{"type":"mention","offset":0,"length":10},{"type":"mention","offset":0,"length":10}]`, "hi", "", true},
		{"a command with the name, after words", group + `,"text":"please /help@akita_bot","entities":[{"type":"bot_command","offset":7,"length":15}]`, "please /help", "", true},
		{"words through another bot", private + `,"via_bot":{"id":5,"is_bot":true},"text":"a gif"`, "a gif", "", true},
		{"a channel that writes in the group", `"message_id":5,"from":{"id":136817688,"is_bot":true},"sender_chat":{"id":-1009,"type":"channel"},"chat":{"id":-1002,"type":"supergroup"},"text":"@akita_bot go","entities":[{"type":"mention","offset":0,"length":10}]`, "go", "", true},
		{"a mention in a caption over a file without words", group + `,"document":{"file_id":"c","file_name":"a.txt"},"caption":"@akita_bot","caption_entities":[{"type":"mention","offset":0,"length":10}]`, "", "", true},
		{"an anonymous admin", `"message_id":5,"from":{"id":1087968824,"is_bot":true},"sender_chat":{"id":-1002},"chat":{"id":-1002,"type":"supergroup"},"text":"@akita_bot run","entities":[{"type":"mention","offset":0,"length":10}]`, "run", "", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msg, why := tg.message(update(t, `{"update_id":41,"message":{`+tt.fields+`}}`))
			if why != tt.skip || msg.Text != tt.text || msg.Addressed != tt.addressed {
				t.Errorf("message = %q, %q, to the bot %v, want %q, %q, %v", msg.Text, why, msg.Addressed, tt.text, tt.skip, tt.addressed)
			}
			if why == "" && (msg.ID != "tg:41" || msg.Origin.Message != "5" || msg.Origin.Channel != "telegram") {
				t.Errorf("message = %+v", msg)
			}
		})
	}
}

func TestOrigin(t *testing.T) {
	tg := knowing(t, Options{})
	for _, tt := range []struct {
		name, body string
		want       akitad.Message
	}{
		{
			"a private chat",
			`{"update_id":1,"message":{"message_id":30,"date":1700000000,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"你好","reply_to_message":{"message_id":29,"from":{"id":999}}}}`,
			akitad.Message{
				ID: "tg:1", Text: "你好", ReplyTo: "29", At: time.Unix(1700000000, 0).UTC(),
				Origin: akitad.Origin{Channel: "telegram", Chat: "7", Sender: "7", Message: "30", Lang: "zh"},
			},
		},
		{
			"a topic",
			`{"update_id":2,"message":{"message_id":30,"date":1700000000,"message_thread_id":55,"is_topic_message":true,"from":{"id":7},"chat":{"id":-1001,"type":"supergroup","is_forum":true},"text":"hi","reply_to_message":{"message_id":29,"from":{"id":999}}}}`,
			akitad.Message{
				ID: "tg:2", Text: "hi", ReplyTo: "29", At: time.Unix(1700000000, 0).UTC(),
				Origin: akitad.Origin{Channel: "telegram", Chat: "-1001", Thread: "55", Sender: "7", Message: "30", Lang: "en", Group: true},
			},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, why := tg.message(update(t, tt.body))
			if a, b := asJSON(got), asJSON(tt.want); why != "" || a != b {
				t.Errorf("got  %s (%s)\nwant %s", a, why, b)
			}
		})
	}
}

func asJSON(v any) string {
	b, _ := json.Marshal(v)
	return string(b)
}

// An edit is known as such, and by the message that was edited; a place that moves is none.
func TestEdits(t *testing.T) {
	tg := knowing(t, Options{})
	const edited = `"edited_message":{"message_id":30,"date":1700000000,"edit_date":1700000009,"from":{"id":7},`
	for _, tt := range []struct{ fields, id, text, why string }{
		{edited + `"chat":{"id":7,"type":"private"},"text":"fixed"}`, "tg:edit:7:30", "fixed", ""},
		{edited + `"chat":{"id":-1001,"type":"supergroup"},"text":"@akita_bot fixed","entities":[{"type":"mention","offset":0,"length":10}]}`, "tg:edit:-1001:30", "fixed", ""},
		{edited + `"chat":{"id":7,"type":"private"},"photo":[{"file_id":"p"}],"caption":"fixed"}`, "tg:edit:7:30", "fixed", ""},
		{edited + `"chat":{"id":7,"type":"private"},"location":{"latitude":1,"longitude":2}}`, "", "", "no new message"},
		{strings.Replace(edited, `"edit_date":1700000009,`, "", 1) + `"chat":{"id":7,"type":"private"},"text":"fixed"}`, "", "", "no new message"},
	} {
		msg, why := tg.message(update(t, `{"update_id":1,`+tt.fields+`}`))
		if msg.ID != tt.id || msg.Text != tt.text || why != tt.why || msg.Edited != (tt.id != "") {
			t.Errorf("%s: %+v (%s)", tt.fields, msg, why)
		}
	}
}

func TestThreads(t *testing.T) {
	for _, tt := range []struct{ name, fields, want string }{
		{"a topic", `"message_thread_id":55,"is_topic_message":true`, "55"},
		{"General", `"message_thread_id":1`, ""},
		{"General, marked", `"message_thread_id":1,"is_topic_message":true`, ""},
		{"a chain of replies in a plain group", `"message_thread_id":777`, ""},
		{"none", `"text":""`, ""},
	} {
		if got := threadOf(update(t, `{"update_id":1,"message":{`+tt.fields+`}}`).Message); got != tt.want {
			t.Errorf("%s: thread %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestLanguage(t *testing.T) {
	zh := &models.User{LanguageCode: "zh-hant"}
	for _, tt := range []struct {
		text string
		from *models.User
		want string
	}{{"hello", zh, "en"}, {"帮我看 main.go", nil, "zh"}, {"日本語です", nil, "en"}, {"", zh, "zh"}, {"", nil, "en"}, {"", &models.User{}, "en"}} {
		if got := langOf(tt.text, tt.from); got != tt.want {
			t.Errorf("langOf(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestUpdatesWithoutAMessageArePassedOver(t *testing.T) {
	core, logs := observer.New(zap.DebugLevel)
	tg := knowing(t, Options{Log: zap.New(core)})
	p := &poller{Telegram: tg}
	for _, body := range []string{
		`{"update_id":1,"edited_message":{"message_id":5,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"fixed typo"}}`,
		`{"update_id":2,"my_chat_member":{}}`,
		`{"update_id":3,"channel_post":{"message_id":1,"chat":{"id":-1}}}`,
		`{"update_id":4,"callback_query":{"id":"x"}}`,
		`{"update_id":5,"something_new":{"a":[1]}}`,
		`{"update_id":9,"business_message":{"message_id":5,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"biz"}}`,
		`{"update_id":10,"message_reaction":{"chat":{"id":7,"type":"private"},"message_id":1,"date":1,"old_reaction":[],"new_reaction":[{"type":"emoji","emoji":"👍"}]}}`,
		`{"update_id":11,"poll_answer":{"poll_id":"1","option_ids":[0]}}`,
		`{"update_id":12,"inline_query":{"id":"1","from":{"id":7},"query":"x"}}`,
		`{"update_id":13,"chat_join_request":{"chat":{"id":-5},"from":{"id":7},"date":1}}`,
		`{"update_id":14,"my_chat_member":{"old_chat_member":{"status":"member"},"new_chat_member":{"status":"kicked"}}}`,
		`{"update_id":6}`,
		`{"update_id":7,"message":{"message_id":"five"}}`,
		`{"update_id":8,"message":null}`,
	} {
		if u := p.decode(json.RawMessage(body)); u.ID == 0 {
			t.Errorf("%s has no id", body)
		} else if msg, why := tg.message(u); why == "" {
			t.Errorf("%s became %+v", body, msg)
		}
	}
	if logs.Len() != 1 {
		t.Errorf("%d log lines for one update that cannot be read", logs.Len())
	}
}

func TestAttachments(t *testing.T) {
	for _, tt := range []struct {
		fields string
		want   akitad.File
	}{
		{`"photo":[{"file_id":"a0","width":1,"height":1},{"file_id":"a","width":9,"height":9}]`, akitad.File{Remote: "a", Name: "photo-5.jpg", Kind: akitad.FilePhoto}},
		{`"document":{"file_id":"c","file_name":"../../c.txt","file_size":3}`, akitad.File{Remote: "c", Name: "c.txt", Size: 3}},
		{`"document":{"file_id":"c","file_name":"photo\u202egpj.exe"}`, akitad.File{Remote: "c", Name: "photogpj.exe"}},
		{`"document":{"file_id":"c","file_name":" ..\\.bashrc"}`, akitad.File{Remote: "c", Name: "bashrc"}},
		{`"voice":{"file_id":"v","file_size":9}`, akitad.File{Remote: "v", Name: "voice-5.ogg", Size: 9, Kind: akitad.FileVoice}},
		{`"document":{"file_id":"c","mime_type":"application/pdf"}`, akitad.File{Remote: "c", Name: "document-5.pdf"}},
		{`"document":{"file_id":"c","mime_type":"x/y","file_size":-1}`, akitad.File{Remote: "c", Name: "document-5"}},
		{`"audio":{"file_id":"s","mime_type":"audio/mp4"}`, akitad.File{Remote: "s", Name: "audio-5.m4a"}},
		{`"video_note":{"file_id":"n","file_size":3}`, akitad.File{Remote: "n", Name: "video-note-5.mp4", Size: 3}},
		{`"sticker":{"file_id":"k"}`, akitad.File{Remote: "k", Name: "sticker-5.webp", Kind: akitad.FileSticker}},
		{`"sticker":{"file_id":"k","is_animated":true}`, akitad.File{Remote: "k", Name: "sticker-5.tgs", Kind: akitad.FileSticker}},
		{`"sticker":{"file_id":"k","emoji":"👍🏽"}`, akitad.File{Remote: "k", Name: "sticker-5-👍🏽.webp", Kind: akitad.FileSticker}},
		{`"sticker":{"file_id":"k","emoji":"../x"}`, akitad.File{Remote: "k", Name: "x.webp", Kind: akitad.FileSticker}},
		{`"sticker":{"file_id":"k","is_video":true}`, akitad.File{Remote: "k", Name: "sticker-5.webm", Kind: akitad.FileSticker}},
		{`"audio":{"file_id":"s","file_name":"song.mp3"}`, akitad.File{Remote: "s", Name: "song.mp3"}},
		{`"video":{"file_id":"m"}`, akitad.File{Remote: "m", Name: "video-5.mp4"}},
		{`"document":{"file_id":"d"},"animation":{"file_id":"g"}`, akitad.File{Remote: "g", Name: "animation-5.mp4"}},
	} {
		got := attachments(update(t, `{"update_id":1,"message":{"message_id":5,`+tt.fields+`}}`).Message)
		if len(got) != 1 || got[0] != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.fields, got, tt.want)
		}
	}
}

// Both service messages tell of the same move, and each may come again.
func TestMigration(t *testing.T) {
	tg := knowing(t, Options{})
	for range 2 {
		for _, body := range []string{
			`{"update_id":1,"message":{"message_id":1,"from":{"id":7},"chat":{"id":-4001,"type":"group"},"migrate_to_chat_id":-1001557000001}}`,
			`{"update_id":2,"message":{"message_id":2,"from":{"id":7},"chat":{"id":-1001557000001,"type":"supergroup"},"migrate_from_chat_id":-4001}}`,
		} {
			msg, why := tg.message(update(t, body))
			if why != "" || msg.MovedFrom != "-4001" || msg.Origin.Chat != "-1001557000001" || msg.Text != "" {
				t.Errorf("%s became %+v, %q", body, msg, why)
			}
		}
	}
	if at, err := tg.place(akitad.Origin{Chat: "-4001"}); err != nil || at.chat != -1001557000001 {
		t.Errorf("an answer to the old id goes to %d (%v)", at.chat, err)
	}
}

func FuzzUpdate(f *testing.F) {
	f.Add(`{"update_id":1,"message":{"message_id":5,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"@akita_bot 你好","entities":[{"type":"mention","offset":0,"length":10}]}}`)
	f.Add(`{"update_id":1,"message":{"from":{"id":7},"chat":{"id":-7},"text":"😀/a@akita_bot","entities":[{"type":"bot_command","offset":2,"length":12},{"type":"mention","offset":1,"length":3}],"photo":[{}]}}`)
	f.Add(`{"update_id":1,"message":{"from":{"id":7},"chat":{"id":-7},"text":"@akita_bot ","entities":[{"type":"mention","length":10}]}}`)
	f.Add(`{"update_id":1,"callback_query":{"id":"4","from":{"id":7,"first_name":"A"},"message":{"message_id":5,"date":0,"chat":{"id":-7,"type":"supergroup"}},"data":"x"}}`)
	f.Add(`{"update_id":1,"message":{"from":{"id":7},"chat":{"id":7},"forward_origin":{"type":"user","sender_user":{"id":1}},"sticker":{"file_id":"s","emoji":"x"},"quote":{"text":"y"},"external_reply":{"origin":{"type":"chat"}},"poll":{"options":[{"text":"z"}]},"checklist":{"tasks":[{}]}}}`)
	f.Fuzz(func(t *testing.T, body string) {
		tg := knowing(t, Options{})
		p := &poller{Telegram: tg}
		u := p.decode(json.RawMessage(body))
		msg, why := tg.message(u)
		m := cmp.Or(u.Message, u.EditedMessage)
		named := msg.Addressed && m != nil && m.Text != "" // the bot, and no more was said
		if why == "" && msg.Text == "" && !named && len(msg.Files) == 0 && msg.MovedFrom == "" && msg.Press == nil {
			t.Errorf("%q became a message that says nothing", body)
		}
		if strings.ContainsAny(asJSON(msg.Origin), "\n") {
			t.Errorf("%q has an origin of two lines", body)
		}
	})
}
