package dingtalk

import (
	"cmp"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
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
	Replied struct {
		ID     string `json:"msgId"`
		Sender string `json:"senderId"`
	} `json:"repliedMsg"`
}

// things is the content of everything else.
type things struct {
	Code        string  `json:"downloadCode"`
	PictureCode string  `json:"pictureDownloadCode"`
	Recognition string  `json:"recognition"`
	FileName    string  `json:"fileName"`
	VideoType   string  `json:"videoType"`
	Rich        []piece `json:"richText"`
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
	c := loose[things](e.Content)
	switch e.Type {
	case "text":
		w := loose[words](e.Text)
		m.Text, m.ReplyTo = w.Content, w.Replied.ID
		m.Addressed = m.Addressed || w.Replied.Sender != "" && w.Replied.Sender == e.Self
		if m.Origin.Group {
			m.Text = strings.TrimLeft(m.Text, " ") // where the mention stood
		}
	case "richText":
		for _, p := range c.Rich {
			m.Text += p.Text
			m.Files = addFile(m.Files, "image.jpg", akitad.FilePhoto, p.Code, p.PictureCode)
		}
	case "picture":
		m.Files = addFile(nil, "image.jpg", akitad.FilePhoto, c.Code, c.PictureCode)
	case "audio":
		if m.Text = c.Recognition; m.Text == "" { // else DingTalk has written it down
			m.Files = addFile(nil, "voice.amr", akitad.FileVoice, c.Code)
		}
	case "video":
		m.Files = addFile(nil, chatfile.Name("video."+cmp.Or(c.VideoType, "mp4"), "video.mp4"), "", c.Code)
	case "file":
		m.Files = addFile(nil, chatfile.Name(c.FileName, "file"), "", c.Code)
	}
	if m.Text == "" && len(m.Files) == 0 && e.Type != "text" {
		m.Text = "[" + e.Type + "]"
	}
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
