package onebot

import (
	"encoding/json"
	"time"

	"github.com/akitad/akitad"
)

// event is what a OneBot program sends by itself: messages, notices, signs of life.
type event struct {
	Post     string          `json:"post_type"`
	Time     scalar          `json:"time"` // seconds
	Self     scalar          `json:"self_id"`
	Kind     string          `json:"message_type"`
	Sub      string          `json:"sub_type"`
	Notice   string          `json:"notice_type"`
	Meta     string          `json:"meta_event_type"`
	Interval scalar          `json:"interval"` // milliseconds
	Status   json.RawMessage `json:"status"`
	ID       scalar          `json:"message_id"`
	User     scalar          `json:"user_id"`
	Group    scalar          `json:"group_id"`
	Sender   json.RawMessage `json:"sender"`
	Message  json.RawMessage `json:"message"`
	File     json.RawMessage `json:"file"`
}

// sender is who wrote, as far as the program says.
type sender struct {
	User     scalar `json:"user_id"`
	Nickname scalar `json:"nickname"`
	Card     scalar `json:"card"` // the name in the group
	Group    scalar `json:"group_id"`
}

// loose reads JSON as far as it can be read.
func loose[T any](raw json.RawMessage) (out T) {
	if json.Unmarshal(raw, &out) != nil {
		return *new(T)
	}
	return out
}

// fromPerson reports whether the event is a message, or a file, of somebody who can be answered.
func (e event) fromPerson() bool {
	switch {
	case e.User == "" || e.User == "0" || e.User == e.Self, robot(e.User.int()):
		return false
	case e.Post == "message":
		return e.Sub != "anonymous" && e.Sub != "notice" && (e.Kind == "private" || (e.Kind == "group" && e.Group != ""))
	case e.Post == "notice":
		return e.Notice == "offline_file" || (e.Notice == "group_upload" && e.Group != "")
	}
	return false
}

// robot tells the numbers of QQ's official bots, which QQ's own programs know by the same ranges.
func robot(qq int64) bool {
	for _, r := range [][2]int64{
		{66600000, 66600000}, {2854196301, 2854216399}, {3328144510, 3328144510}, {3889000000, 3889999999}, {4010000000, 4019999999},
	} {
		if qq >= r[0] && qq <= r[1] {
			return true
		}
	}
	return false
}

// group reports whether others read along.
func (e event) group() bool { return e.Kind == "group" || e.Notice == "group_upload" }

// privately marks the chat with a person: a person and a group may have the same number.
const privately = "user:"

// origin says where the event came from. A person who writes through a group without being a friend
// is answered through it: it is the chat's thread.
func (e event) origin() akitad.Origin {
	from := loose[sender](e.Sender)
	o := akitad.Origin{Channel: Name, Sender: string(e.User), Message: string(e.ID), Name: string(from.Card)}
	if o.Name == "" {
		o.Name = string(from.Nickname)
	}
	if e.group() {
		o.Chat, o.Group = string(e.Group), true
		return o
	}
	o.Chat = privately + string(e.User)
	if e.Sub == "group" {
		o.Thread = string(e.Group)
		if o.Thread == "" {
			o.Thread = string(from.Group)
		}
	}
	return o
}

// at is when it was written.
func (e event) at() time.Time {
	if s := e.Time.int(); s > 0 {
		return time.Unix(s, 0).UTC()
	}
	return time.Time{}
}

// message makes of an event what a person said. ours tells whether a message is the bot's own.
func (e event) message(ours func(id string) bool) akitad.Message {
	m := akitad.Message{Origin: e.origin(), At: e.at()}
	if e.Post == "notice" {
		f := sharedFile(e.File)
		m.ID = "ob:" + string(e.Self) + ":file:" + f.key + ":" + string(e.Time)
		m.Files = []akitad.File{f.file(string(e.Group))}
		return m
	}
	m.ID = "ob:" + string(e.Self) + ":" + string(e.ID) + ":" + string(e.Time)
	r := read(decodeSegments(e.Message), string(e.Self), string(e.Group))
	m.Text, m.Files, m.ReplyTo, m.Addressed = r.text(), r.files, r.replyTo, r.addressed
	if m.ReplyTo != "" && !m.Addressed {
		m.Addressed = ours(m.ReplyTo)
	}
	return m
}
