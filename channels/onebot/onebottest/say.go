package onebottest

import (
	"encoding/json"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Segment is one piece of a message.
type Segment struct {
	Type string         `json:"type"`
	Data map[string]any `json:"data"`
}

// Text, At, Reply and Image make the usual segments.
func Text(text string) Segment { return Segment{"text", map[string]any{"text": text}} }

// At mentions somebody, or "all".
func At(qq string) Segment { return Segment{"at", map[string]any{"qq": qq}} }

// Reply answers a message.
func Reply(id string) Segment { return Segment{"reply", map[string]any{"id": id}} }

// Image is a picture that Files serves under the name.
func (p *Program) Image(name string) Segment {
	return Segment{"image", map[string]any{"file": name, "url": p.Files + name, "sub_type": 0, "file_size": "4"}}
}

// Say has a person write to a chat: a group's number, or "" for the bot itself. It gives the message's id.
func (p *Program) Say(from, group string, segments ...Segment) string {
	return p.SayAs(from, group, nil, segments...)
}

// SayAs is Say with fields of the event that are changed or added.
func (p *Program) SayAs(from, group string, change map[string]any, segments ...Segment) string {
	p.mu.Lock()
	id := p.id()
	p.clock++
	event := map[string]any{
		"post_type": "message", "message_type": "private", "sub_type": "friend", "time": p.clock, "self_id": p.number(p.Self),
		"message_id": p.number(id), "user_id": p.number(from), "font": 0, "raw_message": codes(segments), "message": p.form(segments),
		"sender": map[string]any{"user_id": p.number(from), "nickname": "nick" + from, "card": ""},
	}
	m := &Message{ID: id, Chat: "user:" + from, From: from}
	if group != "" {
		event["message_type"], event["sub_type"], event["group_id"] = "group", "normal", p.number(group)
		m.Chat = group
	}
	for k, v := range change {
		event[k] = v
	}
	m.segments = encode(p.form(segments))
	m.event = encode(event)
	m.read(asWire(segments))
	p.keep(m)
	p.mu.Unlock()
	p.Push(m.event)
	return id
}

// Again sends the event of a message once more, as programs do after trouble.
func (p *Program) Again(id string) {
	p.mu.Lock()
	m := p.messages[id]
	p.mu.Unlock()
	p.Push(m.event)
}

// keep puts a message into its chat; the caller holds the lock.
func (p *Program) keep(m *Message) {
	p.chats[m.Chat] = append(p.chats[m.Chat], m)
	p.messages[m.ID] = m
	p.Touch()
}

// number returns ids as new programs do, or as old ones.
func (p *Program) number(s string) any {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && !p.opts.Old {
		return n
	}
	return s
}

func (p *Program) form(segments []Segment) any {
	if p.opts.Codes {
		return codes(segments)
	}
	return segments
}

func encode(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

var (
	escapeText  = strings.NewReplacer("&", "&amp;", "[", "&#91;", "]", "&#93;")
	escapeValue = strings.NewReplacer("&", "&amp;", "[", "&#91;", "]", "&#93;", ",", "&#44;")
)

// codes writes segments as CQ codes.
func codes(segments []Segment) string {
	var out strings.Builder
	for _, s := range segments {
		if s.Type == "text" {
			out.WriteString(escapeText.Replace(fmt.Sprint(s.Data["text"])))
			continue
		}
		out.WriteString("[CQ:" + s.Type)
		var keys []string
		for k := range s.Data {
			keys = append(keys, k)
		}
		sort.Strings(keys)
		for _, k := range keys {
			out.WriteString("," + k + "=" + escapeValue.Replace(fmt.Sprint(s.Data[k])))
		}
		out.WriteString("]")
	}
	return out.String()
}
