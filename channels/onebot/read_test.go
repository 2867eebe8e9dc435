package onebot

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/akitad/akitad"
)

var lookup = look{ours: func(id string) bool { return id == "555" }, unfold: func(s []segment) []segment { return s }}

// decode reads an event of account 10001.
func decode(t *testing.T, raw string) akitad.Message {
	t.Helper()
	e, _, err := decodeFrame([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	if !e.fromPerson() {
		t.Fatalf("left out: %s", raw)
	}
	return e.message(lookup)
}

func group(message string) string {
	return `{"post_type":"message","message_type":"group","sub_type":"normal","time":1700000000,"self_id":10001,"message_id":-42,"user_id":7,"group_id":99,"sender":{"user_id":7,"nickname":"Anna","card":"Frau Anna"},"message":` + message + `}`
}

func TestWords(t *testing.T) {
	for _, tt := range []struct {
		name, message, text string
		addressed           bool
	}{
		{"a list", `[{"type":"text","data":{"text":"hello"}}]`, "hello", false},
		{"a string", `"hello"`, "hello", false},
		{"one segment", `{"type":"text","data":{"text":"hello"}}`, "hello", false},
		{"a list with a bare string", `["hello ",{"type":"text","data":{"text":"you"}}]`, "hello you", false},
		{"escapes", `"a &#91;CQ:at,qq=10001&#93; &amp;#91; b&#44;c"`, "a [CQ:at,qq=10001] &#91; b&#44;c", false},
		{"a code", `"[CQ:at,qq=10001] do it"`, "do it", true},
		{"a code with spaces around", `"please [CQ:at,qq=10001] do it"`, "please do it", true},
		{"at the end", `"do it [CQ:at,qq=10001]"`, "do it", true},
		{"before a comma", `"hey [CQ:at,qq=10001], go"`, "hey, go", true},
		{"address", `[{"type":"at","data":{"qq":"10001"}},{"type":"text","data":{"text":"，  go on"}}]`, "go on", true},
		{"a number as id", `[{"type":"at","data":{"qq":10001}},{"type":"text","data":{"text":" go"}}]`, "go", true},
		{"all are not the bot", `[{"type":"at","data":{"qq":"all"}},{"type":"text","data":{"text":" go"}}]`, "@all go", false},
		{"somebody else", `[{"type":"at","data":{"qq":"8","name":"@Boris"}},{"type":"text","data":{"text":" go"}}]`, "@Boris go", false},
		{"somebody without a name", `"[CQ:at,qq=8] go"`, "@8 go", false},
		{"an open code is text", `"see [CQ:at,qq=10001"`, "see [CQ:at,qq=10001", false},
		{"no code is text", `"see [CQ:] and [CQ:a b] and [x]"`, "see [CQ:] and [CQ:a b] and [x]", false},
		{"an open code before a code", `"[CQ:open [CQ:face,id=76]"`, "[CQ:open 👍", false},
		{"faces", `"[CQ:face,id=14][CQ:face,id=9999]"`, "🙂[face 9999]", false},
		{"a named face", `[{"type":"face","data":{"id":"9999","raw":{"faceText":"x"},"text":"/party"}}]`, "[face /party]", false},
		{"dice", `"[CQ:dice,result=3]"`, "[dice 3]", false},
		{"a place", `[{"type":"location","data":{"lat":"1.5","lon":"2.5","title":"here"}}]`, "[location here 1.5,2.5]", false},
		{"a page", `[{"type":"share","data":{"url":"https://example.com","title":"Example"}}]`, "Example https://example.com", false},
		{"unknown", `"[CQ:hologram,x=1]"`, "[hologram]", false},
		{"a card", `[{"type":"json","data":{"data":"{\"prompt\":\"[doc] plan\",\"meta\":{\"detail_1\":{\"title\":\"QQ\",\"desc\":\"the plan\",\"qqdocurl\":\"https://example.com/p\"}}}"}}]`, "[card [doc] plan QQ the plan https://example.com/p]", false},
		{"a broken card", `[{"type":"json","data":{"data":"{"}}]`, "[card]", false},
		{"an XML card", `[{"type":"xml","data":{"data":"<?xml version='1.0'?><msg brief='a poll'><item/></msg>"}}]`, "[card a poll]", false},
		{"forwarded, without its content", `"[CQ:forward,id=abc]"`, "[forwarded messages]", false},
		{"forwarded", `[{"type":"forward","data":{"id":"1","content":[{"sender":{"nickname":"B"},"message":[{"type":"text","data":{"text":"hi"}}]},{"sender":{"nickname":"C"},"message":"yo [CQ:face,id=76]"}]}}]`, "[forwarded messages]\nB: hi\nC: yo 👍", false},
		{"a sticker without anything to fetch", `[{"type":"mface","data":{"summary":"[wave]","emoji_id":"e1","key":"k"}}]`, "[wave]", false},
		{"markdown", `[{"type":"markdown","data":{"content":"**x**"}}]`, "**x**", false},
		{"null data", `[{"type":"text","data":null},{"type":"text","data":{"text":"x"}},7,null,{"data":{}}]`, "x", false},
		{"nothing", `[]`, "", false},
		{"no list at all", `7`, "", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := decode(t, group(tt.message))
			if m.Text != tt.text || m.Addressed != tt.addressed {
				t.Errorf("%q, addressed %v; want %q, %v", m.Text, m.Addressed, tt.text, tt.addressed)
			}
		})
	}
}

func TestOrigins(t *testing.T) {
	for _, tt := range []struct{ name, raw, id, chat, thread, sender, by string }{
		{"group", group(`"x"`), "ob:10001:-42:1700000000", "99", "", "7", "Frau Anna"},
		{
			"private", `{"post_type":"message","message_type":"private","sub_type":"friend","time":1700000000,"self_id":"10001","message_id":"5","user_id":"7","sender":{"nickname":"Anna"},"message":"x"}`,
			"ob:10001:5:1700000000", "user:7", "", "7", "Anna",
		},
		{
			"through a group", `{"post_type":"message","message_type":"private","sub_type":"group","time":1,"self_id":10001,"message_id":5,"user_id":7,"sender":{"nickname":"Anna","group_id":99},"message":"x"}`,
			"ob:10001:5:1", "user:7", "99", "7", "Anna",
		},
		{
			"a sender that is none", `{"post_type":"message","message_type":"private","time":1,"self_id":10001,"message_id":5,"user_id":7,"sender":"?","message":"x"}`,
			"ob:10001:5:1", "user:7", "", "7", "",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := decode(t, tt.raw)
			o := m.Origin
			if m.ID != tt.id || o.Chat != tt.chat || o.Thread != tt.thread || o.Sender != tt.sender || o.Name != tt.by || o.Group != (tt.chat == "99") {
				t.Errorf("%s %+v", m.ID, o)
			}
		})
	}
}

func TestWhatIsLeftOut(t *testing.T) {
	for name, raw := range map[string]string{
		"its own":          `{"post_type":"message","message_type":"group","self_id":1,"user_id":1,"group_id":9,"message":"x"}`,
		"its own, as sent": `{"post_type":"message_sent","message_type":"group","self_id":1,"user_id":1,"group_id":9,"message":"x"}`,
		"anonymous":        `{"post_type":"message","message_type":"group","sub_type":"anonymous","self_id":1,"user_id":80000000,"group_id":9,"message":"x"}`,
		"a bot of QQ's":    `{"post_type":"message","message_type":"group","self_id":1,"user_id":3889000123,"group_id":9,"message":"x"}`,
		"nobody":           `{"post_type":"message","message_type":"private","self_id":1,"message":"x"}`,
		"a channel of QQ":  `{"post_type":"message","message_type":"guild","self_id":1,"user_id":2,"message":"x"}`,
		"a request":        `{"post_type":"request","request_type":"friend","self_id":1,"user_id":2}`,
		"a poke":           `{"post_type":"notice","notice_type":"notify","sub_type":"poke","self_id":1,"user_id":2,"group_id":9}`,
	} {
		t.Run(name, func(t *testing.T) {
			e, _, err := decodeFrame([]byte(raw))
			if err != nil || e.fromPerson() {
				t.Errorf("handed over: %+v, %v", e, err)
			}
		})
	}
}

func TestReplies(t *testing.T) {
	for _, tt := range []struct {
		message   string
		to        string
		addressed bool
	}{
		{`"[CQ:reply,id=555]and?"`, "555", true},
		{`[{"type":"reply","data":{"id":556}},{"type":"text","data":{"text":"and?"}}]`, "556", false},
		{`[{"type":"reply","data":{"id":"556"}},{"type":"at","data":{"qq":"10001"}},{"type":"text","data":{"text":" and?"}}]`, "556", true},
	} {
		if m := decode(t, group(tt.message)); m.Text != "and?" || m.ReplyTo != tt.to || m.Addressed != tt.addressed {
			t.Errorf("%s: %q to %q, addressed %v", tt.message, m.Text, m.ReplyTo, m.Addressed)
		}
	}
}

func TestFiles(t *testing.T) {
	for _, tt := range []struct {
		name, message string
		text          string
		want          []akitad.File
	}{
		{"a picture", `"look[CQ:image,file=A.png,url=https://example.com/a?x=1&amp;y=2]"`, "look", []akitad.File{{Name: "A.png", Kind: akitad.FilePhoto, Remote: `{"k":"image","f":"A.png","u":"https://example.com/a?x=1\u0026y=2","g":"99"}`}}},
		{"two of one name", `"[CQ:image,file=x,url=http://e.com/1][CQ:image,file=x,url=http://e.com/2]"`, "", []akitad.File{
			{Name: "x.jpg", Kind: akitad.FilePhoto, Remote: `{"k":"image","f":"x","u":"http://e.com/1","g":"99"}`},
			{Name: "x-2.jpg", Kind: akitad.FilePhoto, Remote: `{"k":"image","f":"x","u":"http://e.com/2","g":"99"}`},
		}},
		{"a sticker", `[{"type":"mface","data":{"summary":"[wave]","emoji_id":"e1","url":"https://e.com/s.gif"}}]`, "[wave]", []akitad.File{{Name: "sticker.gif", Kind: akitad.FileSticker, Remote: `{"k":"image","u":"https://e.com/s.gif","g":"99"}`}}},
		{"a picture that is a sticker", `[{"type":"image","data":{"summary":"[动画表情]","sub_type":1,"file":"S.gif","url":"https://e.com/s"}}]`, "[动画表情]", []akitad.File{{Name: "S.gif", Kind: akitad.FileSticker, Remote: `{"k":"image","f":"S.gif","u":"https://e.com/s","g":"99"}`}}},
		{"voice", `[{"type":"record","data":{"file":"v.amr","path":"/root/v.amr","file_size":"1024"}}]`, "", []akitad.File{{Name: "voice.mp3", Kind: akitad.FileVoice, Size: 1024, Remote: `{"k":"record","f":"v.amr","g":"99"}`}}},
		{"a file", `[{"type":"file","data":{"file":"../plan.pdf","file_id":"/f1","file_size":2048}}]`, "", []akitad.File{{Name: "plan.pdf", Size: 2048, Remote: `{"k":"file","f":"../plan.pdf","i":"/f1","g":"99"}`}}},
		{"neither is another scheme", `[{"type":"image","data":{"url":"file://localhost/etc/passwd"}}]`, "[image]", nil},
		{"a path is no address", `[{"type":"image","data":{"file":"file:///etc/passwd","url":"file:///etc/passwd"}}]`, "[image]", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := decode(t, group(tt.message))
			got, _ := json.Marshal(m.Files)
			want, _ := json.Marshal(tt.want)
			if string(got) != string(want) || m.Text != tt.text {
				t.Errorf("%q %s\nwant %q %s", m.Text, got, tt.text, want)
			}
		})
	}
}

func TestFilesByNotice(t *testing.T) {
	m := decode(t, `{"post_type":"notice","notice_type":"group_upload","time":1700000001,"self_id":10001,"group_id":99,"user_id":7,"file":{"id":"/f2","name":"a b.txt","size":12,"busid":102}}`)
	want := akitad.File{Name: "a b.txt", Size: 12, Remote: `{"k":"file","i":"/f2","g":"99","b":"102"}`}
	if m.ID != "ob:10001:file:/f2:1700000001" || !m.Origin.Group || m.Origin.Chat != "99" || len(m.Files) != 1 || m.Files[0] != want {
		t.Errorf("%+v", m)
	}
	m = decode(t, `{"post_type":"notice","notice_type":"offline_file","time":1,"self_id":10001,"user_id":7,"file":{"name":"a.txt","size":12,"url":"http://e.com/a"}}`)
	if m.Origin.Group || m.Origin.Chat != "user:7" || len(m.Files) != 1 || !strings.Contains(m.Files[0].Remote, "http://e.com/a") {
		t.Errorf("%+v", m)
	}
	for _, file := range []string{`null`, `"x"`, `{}`, `[1]`} {
		m := decode(t, `{"post_type":"notice","notice_type":"offline_file","time":1,"self_id":10001,"user_id":7,"file":`+file+`}`)
		if m.ID == "" || len(m.Files) != 1 {
			t.Errorf("%s: %+v", file, m)
		}
	}
}

// What decodes must decode the same from codes that say the same, and hold what text holds.
func FuzzCQ(f *testing.F) {
	for _, s := range []string{"a[CQ:face,id=1]b", "[CQ:", "&#91;CQ:at&#93;", "[CQ:at,qq=all,x]", "]][[", "&amp;#91;", "[CQ:a[CQ:b]]"} {
		f.Add(s)
	}
	escape := strings.NewReplacer("&", "&amp;", "[", "&#91;", "]", "&#93;")
	f.Fuzz(func(t *testing.T, s string) {
		parseCQ(s)
		got := parseCQ(escape.Replace(s))
		if s == "" && len(got) == 0 {
			return
		}
		if len(got) != 1 || got[0].kind != "text" || got[0].data["text"] != s {
			t.Errorf("%q escaped is read as %+v", s, got)
		}
	})
}

func FuzzEvent(f *testing.F) {
	f.Add(group(`"[CQ:image,file=x]"`))
	f.Add(group(`[{"type":"forward","data":{"content":[{"message":[{"type":"forward","data":{"content":[{}]}}]}]}}]`))
	f.Add(`{"post_type":"notice","notice_type":"group_upload","group_id":1,"user_id":"2","file":{"id":[]}}`)
	f.Fuzz(func(t *testing.T, raw string) {
		e, _, err := decodeFrame([]byte(raw))
		if err != nil || !e.fromPerson() {
			return
		}
		m := e.message(lookup)
		if m.ID == "" || m.Origin.Chat == "" || m.Origin.Sender == "" || !utf8.ValidString(m.Text) {
			t.Errorf("%+v", m)
		}
		for _, file := range m.Files {
			if file.Name == "" || strings.Contains(file.Name, "/") {
				t.Errorf("file %+v", file)
			}
		}
	})
}
