package telegram

import (
	"strings"
	"testing"

	"github.com/akitad/akitad"
)

func TestWhatAMessageSays(t *testing.T) {
	const head = `"message_id":5,"date":1700000000,"from":{"id":7,"first_name":"Ann"},"chat":{"id":7,"type":"private"},`
	const from12 = `"reply_to_message":{"message_id":3,"from":{"id":12,"first_name":"Bob","last_name":"[Boss]\n"},`
	const fromMe = `"reply_to_message":{"message_id":3,"from":{"id":999,"first_name":"Akita","is_bot":true},`
	tg := knowing(t, Options{})
	for _, tt := range []struct{ name, fields, want string }{
		{"a sticker", `"sticker":{"file_id":"s","emoji":"😀","set_name":"Cats"}`, "[sticker 😀 from Cats]"},
		{"a sticker of no set", `"sticker":{"file_id":"s"}`, "[sticker]"},
		{"a location", `"location":{"latitude":52.52,"longitude":13.405}`, "[location: 52.520000, 13.405000]"},
		{"a place", `"location":{"latitude":1,"longitude":2},"venue":{"location":{"latitude":1,"longitude":2},"title":"Café","address":"Main St 1"}`, "[place: Café, Main St 1, 1.000000, 2.000000]"},
		{"a contact", `"contact":{"phone_number":"+491","first_name":"Ann","last_name":"Lee"}`, "[contact: Ann Lee, +491]"},
		{"a poll", `"poll":{"id":"1","question":"Tea?","options":[{"text":"yes"},{"text":"no"}]}`, "[poll: Tea? 1) yes 2) no]"},
		{"a die", `"dice":{"emoji":"🎲","value":4}`, "[dice 🎲: 4]"},
		{"a list", `"checklist":{"title":"Shop","tasks":[{"id":1,"text":"milk"},{"id":2,"text":"tea"}]}`, "[checklist: Shop 1) milk 2) tea]"},
		{"a game", `"game":{"title":"Chess"}`, "[game: Chess]"},
		{"a link behind words", `"text":"read this 😀 today","entities":[{"type":"text_link","offset":5,"length":7,"url":"https://e.test/a?b=1"},{"type":"bold","offset":0,"length":4}]`, "read this 😀 today\n[link: this 😀, https://e.test/a?b=1]"},
		{"a link that is its address, and one twice", `"text":"https://e.test/ a a","entities":[{"type":"text_link","offset":0,"length":15,"url":"https://e.test/"},{"type":"text_link","offset":16,"length":1,"url":"https://a.test/"},{"type":"text_link","offset":18,"length":1,"url":"https://a.test/"}]`, "https://e.test/ a a\n[link: a, https://a.test/]"},
		{"a link in a caption of a forward", `"caption":"more","caption_entities":[{"type":"text_link","offset":0,"length":4,"url":"https://e.test/"}],"photo":[{"file_id":"p"}],"forward_origin":{"type":"hidden_user","sender_user_name":"Carl"}`, "[forwarded from Carl]\nmore\n[link: more, https://e.test/]"},
		{"a link of odd offsets", `"text":"ab","entities":[{"type":"text_link","offset":-3,"length":99,"url":"https://e.test/"},{"type":"text_link","offset":9,"length":-2,"url":"https://f.test/"}]`, "ab\n[link: ab, https://e.test/]\n[link: https://f.test/]"},
		{"a reply to a link behind words", `"text":"what is there?",` + from12 + `"text":"here","entities":[{"type":"text_link","offset":0,"length":4,"url":"https://e.test/"}]}`, "what is there?\n\n[in reply to Bob |Boss|]\n> here\n> [link: here, https://e.test/]"},
		{"a story", `"story":{"chat":{"id":1,"type":"private"},"id":2}`, "[story]"},
		{"a forward of a hidden person", `"text":"see this","forward_origin":{"type":"hidden_user","sender_user_name":"Carl"}`, "[forwarded from Carl]\nsee this"},
		{"a forward of a person", `"text":"a\nb","forward_origin":{"type":"user","sender_user":{"id":3,"first_name":"Dan","last_name":"Li"}}`, "[forwarded from Dan Li]\na\nb"},
		{"a forward of a channel", `"text":"news","forward_origin":{"type":"channel","chat":{"id":-3,"type":"channel","title":"The News"}}`, "[forwarded from The News]\nnews"},
		{"a forward in Chinese", `"text":"看看这个","forward_origin":{"type":"chat","sender_chat":{"id":-3,"type":"group","title":"群"}}`, "[转发自 群]\n看看这个"},
		{"a forward of a command is none", `"text":"/new","forward_origin":{"type":"hidden_user","sender_user_name":"Carl"}`, "[forwarded from Carl]\n/new"},
		{"a forwarded picture", `"photo":[{"file_id":"p"}],"forward_origin":{"type":"hidden_user","sender_user_name":"Carl"}`, "[forwarded from Carl]"},
		{"a forward of an unknown kind", `"text":"hi","forward_origin":{"type":"dream"}`, "hi"},
		{"a reply to somebody", `"text":"is it true?",` + from12 + `"text":"line 1\nline 2"}`, "is it true?\n\n[in reply to Bob |Boss|]\n> line 1\n> line 2"},
		{"a reply to a caption, in Chinese", `"text":"这是真的吗",` + from12 + `"caption":"pic","photo":[{"file_id":"p"}]}`, "这是真的吗\n\n[回复 Bob |Boss|]\n> pic"},
		{"a reply to a place", `"text":"how far?",` + from12 + `"location":{"latitude":1,"longitude":2}}`, "how far?\n\n[in reply to Bob |Boss|]\n> [location: 1.000000, 2.000000]"},
		{"a reply with a piece", `"text":"why?","quote":{"text":"line 2","position":7,"is_manual":true},` + from12 + `"text":"line 1\nline 2"}`, "why?\n\n[in reply to Bob |Boss|]\n> line 2"},
		{"a reply to the bot", `"text":"why?",` + fromMe + `"text":"because"}`, "why?"},
		{"a reply to what the bot has just written", `"text":"why?",` + fromMe + `"date":1699990000,"edit_date":1699999200,"text":"because"}`, "why?"},
		{"a reply to what the bot wrote yesterday", `"text":"why?",` + fromMe + `"date":1699913600,"edit_date":1699913700,"text":"because\nof ` + strings.Repeat("x", 400) + `"}`, "why?\n\n[in reply to @akita_bot]\n> because\n> of " + strings.Repeat("x", 288) + "…"},
		{"a reply to a picture of the bot's of yesterday", `"text":"为什么？",` + fromMe + `"date":1699913600,"caption":"a cat","photo":[{"file_id":"p"}]}`, "为什么？\n\n[回复 @akita_bot]\n> a cat"},
		{"an answer to a question of yesterday", `"text":"Yes",` + fromMe + `"date":1699913600,"text":"Shall I?","reply_markup":{"inline_keyboard":[[{"text":"Yes","callback_data":"q:0"}]]}}`, "Yes"},
		{"a command to what the bot wrote yesterday", `"text":"/rate 5",` + fromMe + `"date":1699913600,"text":"because"}`, "/rate 5"},
		{"a piece of the bot's", `"text":"why?","quote":{"text":"step 2","position":7,"is_manual":true},` + fromMe + `"text":"step 1, step 2"}`, "why?\n\n[in reply to @akita_bot]\n> step 2"},
		{"a reply to another chat", `"text":"why?","quote":{"text":"x","position":0},"external_reply":{"origin":{"type":"hidden_user","sender_user_name":"Eve"}}`, "why?\n\n[in reply to Eve]\n> x"},
		{"a reply to an anonymous admin", `"text":"why?","reply_to_message":{"message_id":3,"sender_chat":{"id":-1,"type":"group","title":"Team"},"text":"x"}`, "why?\n\n[in reply to Team]\n> x"},
		{"a command that answers", `"text":"/steer t_1 go",` + from12 + `"text":"x"}`, "/steer t_1 go"},
		{"the first message of a topic", `"text":"hi","reply_to_message":{"message_id":3,"from":{"id":12},"text":"x","forum_topic_created":{"name":"x","icon_color":1}}`, "hi"},
		{"a silent part of an album", `"media_group_id":"g","photo":[{"file_id":"p"}],` + from12 + `"text":"x"}`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			msg, why := tg.message(tg.decode([]byte(`{"update_id":41,"message":{` + head + tt.fields + `}}`)))
			if why != "" || msg.Text != tt.want {
				t.Errorf("%q (%s), want %q", msg.Text, why, tt.want)
			}
		})
	}
}

func TestQuotesAreBounded(t *testing.T) {
	tg := knowing(t, Options{})
	long := strings.Repeat("很长", 3000)
	msg, _ := tg.message(update(t, `{"update_id":1,"message":{"message_id":5,"from":{"id":7},"chat":{"id":7},"text":"hm","reply_to_message":{"message_id":3,"from":{"id":12,"first_name":"`+long+`"},"text":"`+long+`"}}}`))
	if n := len([]rune(msg.Text)); n > maxQuote+maxShown+40 || !strings.HasSuffix(msg.Text, "…") {
		t.Errorf("%d characters", n)
	}
}

// "What is this?" may answer a picture of somebody else's; the bot's own files it knows.
func TestFilesOfTheMessageThatIsAnswered(t *testing.T) {
	tg := knowing(t, Options{})
	for from, want := range map[string]int{"12": 1, "999": 0} {
		msg, _ := tg.message(update(t, `{"update_id":1,"message":{"message_id":5,"from":{"id":7},"chat":{"id":7},"text":"what is this?","reply_to_message":{"message_id":3,"from":{"id":`+from+`},"photo":[{"file_id":"p"}]}}}`))
		if len(msg.Files) != want {
			t.Errorf("a reply to %s has files %+v", from, msg.Files)
		}
		if want == 1 && msg.Files[0] != (akitad.File{Remote: "p", Name: "photo-3.jpg", Kind: akitad.FilePhoto}) {
			t.Errorf("file %+v", msg.Files[0])
		}
	}
}

// What an album answers is told once, by the part with the words.
func TestAlbumThatAnswersAPicture(t *testing.T) {
	tg := knowing(t, Options{})
	for caption, want := range map[string]int{`,"caption":"like this?"`: 2, "": 1} {
		msg, _ := tg.message(update(t, `{"update_id":1,"message":{"message_id":5,"from":{"id":7},"chat":{"id":7},"media_group_id":"g","photo":[{"file_id":"q"}]`+caption+`,"reply_to_message":{"message_id":3,"from":{"id":12},"photo":[{"file_id":"p"}]}}}`))
		if len(msg.Files) != want || msg.Album != "g" {
			t.Errorf("with %q: files %+v", caption, msg.Files)
		}
	}
}

// All anonymous admins share one user id: who writes is the group.
func TestAnonymousAdminIsTheGroup(t *testing.T) {
	tg := knowing(t, Options{})
	msg, why := tg.message(update(t, `{"update_id":1,"message":{"message_id":5,"from":{"id":1087968824,"is_bot":true,"username":"GroupAnonymousBot"},"sender_chat":{"id":-100555,"type":"supergroup","title":"Team"},"chat":{"id":-100555,"type":"supergroup"},"text":"@akita_bot run","entities":[{"type":"mention","offset":0,"length":10}]}}`))
	if why != "" || msg.Origin.Sender != "-100555" || msg.Origin.Name != "Team" || !msg.Addressed {
		t.Errorf("%+v, %s", msg, why)
	}
}

// What is beside the words and cannot be read does not take them with it.
func TestUpdateThatCanBeReadInPart(t *testing.T) {
	tg := knowing(t, Options{})
	for _, field := range []string{
		`"forward_origin":{"type":"dream"}`, `"paid_media":{"star_count":"many"}`, `"entities":"none"`, `"reply_markup":[]`, `"photo":{"file_id":"x"}`,
		`"reply_to_message":{"message_id":{}}`, `"new_chat_members":5`,
	} {
		msg, why := tg.message(tg.decode([]byte(`{"update_id":41,"message":{"message_id":5,"from":{"id":7},"chat":{"id":7,"type":"private"},"text":"hi",` + field + `}}`)))
		if why != "" || msg.Text != "hi" || msg.ID != "tg:41" {
			t.Errorf("%s: %+v, %s", field, msg, why)
		}
	}
}
