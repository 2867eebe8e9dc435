package onebot

import (
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// remote is how the bytes of a file are found later. It travels in akitad.File.Remote as JSON.
type remote struct {
	Kind  string `json:"k"`           // of the segment
	File  string `json:"f,omitempty"` // the program's own name for it
	ID    string `json:"i,omitempty"`
	URL   string `json:"u,omitempty"` // http or https
	Group string `json:"g,omitempty"`
	Bus   string `json:"b,omitempty"` // busid of a group's file
}

func (r remote) String() string {
	b, err := json.Marshal(r)
	if err != nil {
		return ""
	}
	return string(b)
}

// attach notes the file of a segment; a sticker says what it shows too.
func (r *reading) attach(s segment) {
	f := akitad.File{Name: nameOf(s), Size: scalar(s.first("file_size", "size")).int()}
	rem := remote{Kind: s.kind, File: ownName(s.first("file")), ID: s.first("file_id", "id"), URL: web(s.first("url", "file")), Group: r.group, Bus: s.data["busid"]}
	switch {
	case s.kind == "mface", s.kind == "marketface", s.kind == "sticker", s.kind == "image" && sticker(s):
		r.say(cmp.Or(s.first("summary", "name", "text"), "[sticker]"))
		f.Kind = akitad.FileSticker
		rem.Kind = "image"
	case s.kind == "image":
		f.Kind = akitad.FilePhoto
	case s.kind == "record":
		f.Kind = akitad.FileVoice
	}
	if rem.URL == "" && rem.File == "" && rem.ID == "" {
		if f.Kind != akitad.FileSticker {
			r.say(bracket(s.kind)) // there is nothing to fetch it by
		}
		return
	}
	f.Remote = rem.String()
	r.files = append(r.files, f)
}

// sticker tells a sticker from a picture: programs mark it by sub_type 1 and up, or by its summary.
func sticker(s segment) bool {
	sub := s.first("sub_type", "subType")
	return (sub != "" && sub != "0") || s.data["emoji_id"] != ""
}

var defaultNames = map[string]string{"image": "image.jpg", "record": "voice.mp3", "video": "video.mp4", "mface": "sticker.gif", "marketface": "sticker.gif", "sticker": "sticker.gif"}

// nameOf is what the file is called in a folder. Voice is always fetched as MP3.
func nameOf(s segment) string {
	fallback := cmp.Or(defaultNames[s.kind], "file")
	if s.kind == "record" {
		return fallback
	}
	name := chatfile.Name(cmp.Or(s.first("name", "file_name"), ownName(s.first("file"))), fallback)
	if ext := path.Ext(fallback); path.Ext(name) == "" && ext != "" {
		name += ext
	}
	return name
}

// ownName leaves out what is no name but an address or the content itself.
func ownName(file string) string {
	if strings.Contains(file, "://") {
		return ""
	}
	return file
}

// web leaves out addresses that are not http or https: those of files on the OneBot program's disk.
func web(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return address
}

// shared is a file that was put into a group's folder, or sent to the bot.
type shared struct {
	key  string
	data segment
}

func sharedFile(raw json.RawMessage) shared {
	s, _ := decodeSegment(json.RawMessage(`{"type":"file","data":` + cmp.Or(string(raw), "{}") + `}`))
	if s.data == nil {
		s = segment{kind: "file", data: map[string]string{}}
	}
	return shared{key: cmp.Or(s.first("id", "file_id"), s.first("name")+":"+s.data["size"]), data: s}
}

func (f shared) file(group string) akitad.File {
	r := &reading{group: group}
	r.attach(f.data)
	if len(r.files) == 0 {
		return akitad.File{Name: nameOf(f.data), Size: scalar(f.data.data["size"]).int()}
	}
	return r.files[0]
}
