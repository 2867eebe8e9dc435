package wecom

import (
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// event is what WeCom tells: a message of a person, a press on a button, and much that is of no concern.
type event struct {
	From    string `xml:"FromUserName"`
	Created string `xml:"CreateTime"` // seconds
	Type    string `xml:"MsgType"`
	ID      string `xml:"MsgId"`
	Agent   string `xml:"AgentID"`

	Content string `xml:"Content"`
	MediaID string `xml:"MediaId"`
	Format  string `xml:"Format"` // of a voice message
	Title   string `xml:"Title"`  // of a link or a file
	File    string `xml:"FileName"`
	Size    string `xml:"FileTotalLen"`
	About   string `xml:"Description"`
	URL     string `xml:"Url"`
	Label   string `xml:"Label"` // of a place
	X       string `xml:"Location_X"`
	Y       string `xml:"Location_Y"`

	Event    string `xml:"Event"`
	EventKey string `xml:"EventKey"`
	TaskID   string `xml:"TaskId"`
	Response string `xml:"ResponseCode"`
}

// decode reads an event; false is one in which nobody says anything to this application.
func (w *WeCom) decode(text []byte) (akitad.Message, bool) {
	var e event
	if xml.Unmarshal(text, &e) != nil || e.From == "" || (e.Agent != "" && e.Agent != w.app.AgentID) {
		return akitad.Message{}, false
	}
	return e.message()
}

func (e event) message() (akitad.Message, bool) {
	m := akitad.Message{
		ID: "wc:" + e.ID, Origin: akitad.Origin{Channel: Name, Chat: e.From, Sender: e.From, Message: e.ID}, Addressed: true,
	}
	if s, err := strconv.ParseInt(e.Created, 10, 64); err == nil && s > 0 {
		m.At = time.Unix(s, 0).UTC()
	}
	switch e.Type {
	case "event":
		return e.press(m)
	case "text":
		m.Text = e.Content
	case "image":
		m.Files = []akitad.File{e.file("image.jpg", akitad.FilePhoto)}
	case "voice":
		m.Files = []akitad.File{e.file("voice."+format(e.Format), akitad.FileVoice)}
	case "video", "shortvideo":
		m.Files = []akitad.File{e.file("video.mp4", "")}
	case "file":
		m.Files = []akitad.File{e.file(chatfile.Name(cmp.Or(e.File, e.Title), "file"), "")}
	case "location":
		m.Text = "[" + words("location", e.Label, strings.Trim(e.X+","+e.Y, ",")) + "]"
	case "link":
		m.Text = words(e.Title, e.URL, e.About)
	default:
		m.Text = "[" + e.Type + "]"
	}
	return m, e.ID != "" && e.Type != ""
}

// press reads a press on a button of a card of ours.
func (e event) press(m akitad.Message) (akitad.Message, bool) {
	if e.Event != "template_card_event" || e.TaskID == "" || e.EventKey == "" || e.Response == "" {
		return m, false
	}
	m.ID = "wc:press:" + e.TaskID + ":" + e.Response
	m.Origin.Message = e.TaskID
	m.Press = &akitad.Press{Event: e.Response, Message: e.TaskID, Choice: e.EventKey}
	return m, true
}

func (e event) file(name string, kind akitad.FileKind) akitad.File {
	size, _ := strconv.ParseInt(e.Size, 10, 64)
	return akitad.File{Name: name, Kind: kind, Size: max(size, 0), Remote: e.MediaID}
}

// format is a file's ending by what WeCom calls the format.
func format(f string) string {
	if f = strings.ToLower(f); f == "speex" || f == "mp3" || f == "silk" {
		return f
	}
	return "amr"
}

func words(all ...string) string { return strings.Join(strings.Fields(strings.Join(all, " ")), " ") }
