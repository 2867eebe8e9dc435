package wecom

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// event is what WeCom tells: a message of a person, a press on a button, and much that is of no concern.
// Its keys are WeCom's.
type event map[string]string

// elements returns the text of each element in the first one, as all that WeCom sends is built.
func elements(text []byte) (map[string]string, error) {
	dec, out, depth, name := xml.NewDecoder(bytes.NewReader(text)), map[string]string{}, 0, ""
	for {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth == 2 {
				name = t.Name.Local
				out[name] = ""
			}
		case xml.CharData:
			if depth == 2 {
				out[name] += string(t)
			}
		case xml.EndElement:
			if depth--; depth == 0 {
				return out, nil
			}
		}
	}
}

// decode reads an event; false is one in which nobody says anything to this application.
func (w *WeCom) decode(text []byte) (akitad.Message, bool) {
	all, err := elements(text)
	e := event(all)
	if err != nil || e["FromUserName"] == "" || (e["AgentID"] != "" && e["AgentID"] != w.app.AgentID) {
		return akitad.Message{}, false
	}
	return e.message()
}

func (e event) message() (akitad.Message, bool) {
	m := akitad.Message{
		ID: "wc:" + e["MsgId"], Origin: akitad.Origin{Channel: Name, Chat: e["FromUserName"], Sender: e["FromUserName"], Message: e["MsgId"]}, Addressed: true,
	}
	if s, err := strconv.ParseInt(e["CreateTime"], 10, 64); err == nil && s > 0 {
		m.At = time.Unix(s, 0).UTC()
	}
	switch e["MsgType"] {
	case "event":
		return e.press(m)
	case "text":
		m.Text = e["Content"]
	case "image":
		m.Files = []akitad.File{e.file("image.jpg", akitad.FilePhoto)}
	case "voice":
		m.Files = []akitad.File{e.file("voice."+format(e["Format"]), akitad.FileVoice)}
	case "video", "shortvideo":
		m.Files = []akitad.File{e.file("video.mp4", "")}
	case "file":
		m.Files = []akitad.File{e.file(chatfile.Name(cmp.Or(e["FileName"], e["Title"]), "file"), "")}
	case "location":
		m.Text = "[" + words("location", e["Label"], strings.Trim(e["Location_X"]+","+e["Location_Y"], ",")) + "]"
	case "link":
		m.Text = words(e["Title"], e["Url"], e["Description"])
	default:
		m.Text = "[" + e["MsgType"] + "]"
	}
	return m, e["MsgId"] != "" && e["MsgType"] != ""
}

// press reads a press on a button of a card of ours.
func (e event) press(m akitad.Message) (akitad.Message, bool) {
	if e["Event"] != "template_card_event" || e["TaskId"] == "" || e["EventKey"] == "" || e["ResponseCode"] == "" {
		return m, false
	}
	m.ID = "wc:press:" + e["TaskId"] + ":" + e["ResponseCode"]
	m.Origin.Message = e["TaskId"]
	m.Press = &akitad.Press{Event: e["ResponseCode"], Message: e["TaskId"], Choice: e["EventKey"]}
	return m, true
}

func (e event) file(name string, kind akitad.FileKind) akitad.File {
	size, _ := strconv.ParseInt(e["FileTotalLen"], 10, 64)
	return akitad.File{Name: name, Kind: kind, Size: max(size, 0), Remote: e["MediaId"]}
}

// format is a file's ending by what WeCom calls the format.
func format(f string) string {
	if f = strings.ToLower(f); f == "speex" || f == "mp3" || f == "silk" {
		return f
	}
	return "amr"
}

func words(all ...string) string { return strings.Join(strings.Fields(strings.Join(all, " ")), " ") }
