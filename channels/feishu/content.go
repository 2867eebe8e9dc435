package feishu

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// Names of files that have none: the number of the message's file comes in.
const (
	imageName = "image-%d.jpg"
	videoName = "video-%d.mp4"
	voiceName = "voice-%d.opus"
	fileName  = "file-%d"
)

// reader takes one message's content apart.
type reader struct {
	message  string // its id, under which its files are fetched
	mentions []mention
	files    []akitad.File
}

// add notes a file that can be fetched later.
func (r *reader) add(kind, key, name, other string) *akitad.File {
	if key == "" {
		return &akitad.File{}
	}
	name = chatfile.Name(name, fmt.Sprintf(other, len(r.files)+1))
	r.files = append(r.files, akitad.File{Name: name, Remote: remote(r.message, kind, key)})
	return &r.files[len(r.files)-1]
}

// has reports whether a file is noted already.
func (r *reader) has(kind, key string) bool {
	return slices.ContainsFunc(r.files, func(f akitad.File) bool { return f.Remote == remote(r.message, kind, key) })
}

// body holds the fields that contents of all types have, each its own.
type body struct {
	Text     word `json:"text"`
	Image    word `json:"image_key"`
	File     word `json:"file_key"`
	FileName word `json:"file_name"`
	Chat     word `json:"chat_id"`
	User     word `json:"user_id"`
	Name     word `json:"name"`
	Lat      word `json:"latitude"`
	Long     word `json:"longitude"`
	Topic    word `json:"topic"`
	Start    word `json:"start_time"`
	End      word `json:"end_time"`
	Due      word `json:"due_time"`
	Template word `json:"template"`

	Summary json.RawMessage `json:"summary"` // of a calendar entry a word, of a to-do a post
	Options []word          `json:"options"`
}

// read gives the words of a message; what cannot be shown as words is named in brackets, so that
// nothing is passed over in silence. Mentions still have their keys.
func (r *reader) read(kind string, content []byte) string {
	var b body
	bad := json.Unmarshal(content, &b) != nil
	switch kind {
	case "text":
		if bad && b.Text == "" {
			return string(content)
		}
		return string(b.Text)
	case "post":
		return r.post(content)
	case "interactive":
		return readCard(content)
	case "image":
		r.add("image", string(b.Image), "", imageName).Kind = akitad.FilePhoto
		return ""
	case "audio":
		r.add("file", string(b.File), "", voiceName).Kind = akitad.FileVoice
		return ""
	case "file":
		r.add("file", string(b.File), string(b.FileName), fileName)
		return ""
	case "media":
		r.add("file", string(b.File), string(b.FileName), videoName)
		return ""
	}
	return r.label(kind, b, content)
}

// label names what is no words and no file.
func (r *reader) label(kind string, b body, content []byte) string {
	switch kind {
	case "sticker":
		return "[sticker]"
	case "folder":
		return bracket("folder", string(b.FileName))
	case "share_chat":
		return bracket("shared chat", string(b.Chat))
	case "share_user":
		return bracket("shared contact", string(b.User))
	case "location":
		return bracket("location", strings.Trim(fmt.Sprintf("%s, %s, %s", b.Name, b.Lat, b.Long), ", "))
	case "todo":
		return bracket("to-do", r.summary(b)+clock(", due ", b.Due))
	case "calendar", "share_calendar_event", "general_calendar":
		return bracket("calendar entry", r.summary(b)+clock(", from ", b.Start)+clock(" to ", b.End))
	case "video_chat":
		return bracket("video meeting", string(b.Topic))
	case "vote":
		return bracket("vote", string(b.Topic)+listed(b.Options))
	case "hongbao":
		return "[red packet]"
	case "system":
		return bracket("system message", filled(string(b.Template), content))
	}
	return bracket(cmp.Or(kind, "empty")+" message", string(b.Text))
}

func bracket(what, more string) string {
	if more = strings.TrimSpace(more); more == "" {
		return "[" + what + "]"
	}
	return "[" + what + ": " + more + "]"
}

func (r *reader) summary(b body) string {
	var text word
	if json.Unmarshal(b.Summary, &text) == nil && text != "" {
		return string(text)
	}
	if len(b.Summary) == 0 {
		return ""
	}
	return r.post(b.Summary)
}

func listed(options []word) string {
	out := ""
	for _, o := range options {
		out += "; " + string(o)
	}
	return out
}

// clock gives a time in milliseconds in words; "" for none.
func clock(before string, w word) string {
	ms, err := strconv.ParseInt(string(w), 10, 64)
	if err != nil || ms <= 0 {
		return ""
	}
	return before + time.UnixMilli(ms).UTC().Format("2006-01-02 15:04 UTC")
}

// filled puts the values of a system message into its template.
func filled(template string, content []byte) string {
	var values map[string]json.RawMessage
	if json.Unmarshal(content, &values) != nil {
		return template
	}
	var pairs []string
	for key, raw := range values {
		var list []word
		if json.Unmarshal(raw, &list) != nil {
			var one word
			_ = json.Unmarshal(raw, &one)
			list = []word{one}
		}
		names := make([]string, len(list))
		for i, w := range list {
			names[i] = string(w)
		}
		pairs = append(pairs, "{"+key+"}", strings.Join(names, ", "))
	}
	return strings.NewReplacer(pairs...).Replace(template)
}
