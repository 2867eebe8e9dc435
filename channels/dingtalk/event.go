package dingtalk

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/text"
)

// event is what DingTalk tells: a message of a person. It comes with an address for answers, too, which
// is not read: what comes with a call does not say where answers go.
type event struct {
	ID       string          `json:"msgId"`
	Type     string          `json:"msgtype"`
	Created  json.Number     `json:"createAt"` // milliseconds
	Chat     string          `json:"conversationId"`
	ChatType string          `json:"conversationType"` // 1: with one person, 2: a group
	Sender   string          `json:"senderId"`         // of this robot's making
	Staff    string          `json:"senderStaffId"`    // in the company; empty for who is outside of it
	Nick     string          `json:"senderNick"`
	Self     string          `json:"chatbotUserId"`
	Robot    string          `json:"robotCode"`
	AtMe     bool            `json:"isInAtList"`
	Text     json.RawMessage `json:"text"`
	Content  json.RawMessage `json:"content"`
}

// words is the content of a text.
type words struct {
	Content string `json:"content"`
}

// things is the content of everything else, and of a message that is answered.
type things struct {
	Text        string  `json:"text"`
	Code        string  `json:"downloadCode"`
	PictureCode string  `json:"pictureDownloadCode"`
	Recognition string  `json:"recognition"`
	FileName    string  `json:"fileName"`
	VideoType   string  `json:"videoType"`
	Rich        []piece `json:"richText"`
}

// answering is what stands in a text, or in another content, of a message that answers one. That one comes along
// whole.
type answering struct {
	Replied struct {
		ID      string          `json:"msgId"`
		Type    string          `json:"msgType"`
		Sender  string          `json:"senderId"`
		Nick    string          `json:"senderNick"`
		Content json.RawMessage `json:"content"`
	} `json:"repliedMsg"`
}

// piece is one of a rich text.
type piece struct {
	Text        string `json:"text"`
	Type        string `json:"type"`
	Code        string `json:"downloadCode"`
	PictureCode string `json:"pictureDownloadCode"`
}

func decode(body []byte) (event, error) {
	var e event
	err := json.Unmarshal(body, &e)
	if _, odd := errors.AsType[*json.UnmarshalTypeError](err); odd {
		err = nil // one odd field must not lose a message
	}
	return e, err
}

// loose reads JSON as far as it can be read; some kinds of messages have it as a string.
func loose[T any](raw json.RawMessage) (out T) {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		raw = json.RawMessage(s)
	}
	if json.Unmarshal(raw, &out) != nil {
		return *new(T)
	}
	return out
}

// message makes of an event what a person said; false if nobody who can be answered did. A private chat
// is named after the person, as that is where answers go.
func (e event) message() (akitad.Message, bool) {
	sender := e.Staff
	if sender == "" {
		sender = e.Sender
	}
	group := e.ChatType == "2"
	if e.ID == "" || e.Type == "" || sender == "" || e.Sender == e.Self && e.Self != "" || group && e.Chat == "" || !group && e.ChatType != "1" {
		return akitad.Message{}, false
	}
	m := akitad.Message{
		ID: "dt:" + e.ID, Addressed: e.AtMe || !group,
		Origin: akitad.Origin{Channel: Name, Chat: sender, Sender: sender, Message: e.ID, Group: group, Name: e.Nick},
	}
	if group {
		m.Origin.Chat = e.Chat
	}
	if e.Staff != "" && e.Sender != "" {
		m.Aliases = []string{e.Sender}
	}
	if ms, err := e.Created.Int64(); err == nil && ms > 0 {
		m.At = time.UnixMilli(ms).UTC()
	}
	e.fill(&m)
	m.Files = chatfile.Apart(m.Files)
	return m, true
}

// fill reads the words and the files.
func (e event) fill(m *akitad.Message) {
	if e.Type == "text" {
		m.Text = loose[words](e.Text).Content
		if m.Origin.Group {
			m.Text = strings.TrimLeft(m.Text, " ") // where the mention stood
		}
	} else {
		m.Text, m.Files = loose[things](e.Content).read(e.Type)
	}
	e.quote(m)
}

// read returns what a content of that kind says, and its files. One of which nothing is understood is named.
func (c things) read(kind string) (said string, files []akitad.File) {
	switch kind {
	case "richText":
		for _, p := range c.Rich {
			said += p.Text
			files = addFile(files, "image.jpg", akitad.FilePhoto, p.Code, p.PictureCode)
		}
	case "picture":
		files = addFile(nil, "image.jpg", akitad.FilePhoto, c.Code, c.PictureCode)
	case "audio":
		if said = c.Recognition; said == "" { // else DingTalk has written it down
			files = addFile(nil, "voice.amr", akitad.FileVoice, c.Code)
		}
	case "video":
		files = addFile(nil, chatfile.Name("video."+cmp.Or(c.VideoType, "mp4"), "video.mp4"), "", c.Code)
	case "file":
		files = addFile(nil, chatfile.Name(c.FileName, "file"), "", c.Code)
	default:
		said = c.Text
	}
	if said == "" && len(files) == 0 {
		said = "[" + kind + "]"
	}
	return said, files
}

// maxQuote is how many characters of a message are shown that another one answers.
const maxQuote = 2000

// quote notes which message this one answers. If that is somebody else's, a message for the robot is handed over with
// what it says and with its files: its writer may mean nothing else. The robot's own words it knows, and a command
// keeps its words alone.
func (e event) quote(m *akitad.Message) {
	r := loose[answering](e.Text).Replied
	if r.ID == "" {
		r = loose[answering](e.Content).Replied
	}
	m.ReplyTo = r.ID
	own := r.Sender != "" && r.Sender == e.Self
	m.Addressed = m.Addressed || own
	if r.ID == "" || own || !m.Addressed || len(r.Content) == 0 || strings.HasPrefix(m.Text, "/") {
		return
	}
	said, files := loose[things](r.Content).read(cmp.Or(r.Type, "message"))
	lang := text.En
	if m.Text != "" { // it is the writer's, not that of what is answered
		lang = text.Detect(m.Text)
		m.Origin.Lang = string(lang)
	}
	m.Text = strings.TrimSpace(m.Text + "\n\n" + lang.InReplyTo(r.Nick, said, maxQuote))
	m.Files = append(m.Files, files...)
}

// addFile adds a file by the first of its codes that is there.
func addFile(files []akitad.File, name string, kind akitad.FileKind, codes ...string) []akitad.File {
	for _, code := range codes {
		if code != "" {
			return append(files, akitad.File{Name: name, Kind: kind, Remote: code})
		}
	}
	return files
}
