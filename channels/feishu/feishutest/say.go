package feishutest

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// Said is what somebody writes; From and Text alone are a plain message to the bot.
type Said struct {
	From       string   `json:"from"`           // open_id
	Chat       string   `json:"chat,omitempty"` // empty: the person's private chat
	Text       string   `json:"text"`
	Thread     string   `json:"thread,omitempty"`
	ReplyTo    string   `json:"reply_to,omitempty"`
	Mention    bool     `json:"mention,omitempty"`     // the bot is named first
	MentionAll bool     `json:"mention_all,omitempty"` // all are
	Also       []Person `json:"also,omitempty"`        // people who are named in Text as @_user_2, @_user_3 ...
	Bot        bool     `json:"bot,omitempty"`         // another bot writes it
	Union      string   `json:"union,omitempty"`       // further ids of the writer
	User       string   `json:"user,omitempty"`

	File  *Upload `json:"file,omitempty"`  // Kind "image", "audio", "media" or else "file"; Text is not sent then
	Type  string  `json:"type,omitempty"`  // with Content: a message of any type
	Raw   string  `json:"raw,omitempty"`   // its content
	Parts []Said  `json:"parts,omitempty"` // of a forward
}

// Person is somebody who is named.
type Person struct {
	ID   string `json:"id"` // open_id
	Name string `json:"name"`
}

// The wire's own shapes; only what a bot reads.
type (
	wireIDs struct {
		Open  string `json:"open_id"`
		Union string `json:"union_id,omitempty"`
		User  string `json:"user_id,omitempty"`
	}
	wireMention struct {
		Key    string  `json:"key"`
		ID     wireIDs `json:"id"`
		Name   string  `json:"name"`
		Tenant string  `json:"tenant_key"`
	}
	wireSender struct {
		ID     wireIDs `json:"sender_id"`
		Type   string  `json:"sender_type"`
		Tenant string  `json:"tenant_key"`
	}
	wireMessage struct {
		ID       string        `json:"message_id"`
		Root     string        `json:"root_id,omitempty"`
		Parent   string        `json:"parent_id,omitempty"`
		Thread   string        `json:"thread_id,omitempty"`
		Created  string        `json:"create_time"`
		Updated  string        `json:"update_time"`
		Chat     string        `json:"chat_id"`
		ChatType string        `json:"chat_type"`
		Type     string        `json:"message_type"`
		Content  string        `json:"content"`
		Mentions []wireMention `json:"mentions,omitempty"`
	}
)

// Say puts somebody's message into a chat, has its event delivered, and gives its id.
func (s *Server) Say(what Said) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.said(what)
	s.push("im.message.receive_v1", s.event(m, what))
	return m.ID
}

// Again delivers a message once more, as another event: the service does so.
func (s *Server) Again(message string, what Said) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.push("im.message.receive_v1", s.event(s.byID[message], what))
}

// Event returns the body of the event of a message that was said, for a webhook of the test's own.
func (s *Server) Event(what Said) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding, s.held = true, nil
	e := s.push("im.message.receive_v1", s.event(s.said(what), what))
	s.holding, s.held = false, nil
	return e.body
}

// said puts a message into its chat; the caller holds the lock.
func (s *Server) said(what Said) *Message {
	if what.Chat == "" {
		what.Chat = Private(what.From)
	}
	m := Message{From: what.From, Thread: what.Thread}
	if what.Thread != "" {
		m.Root = "om_root_of_" + what.Thread
	}
	if to := s.byID[what.ReplyTo]; to != nil {
		s.answers(&m, to, false)
	}
	if what.Thread != "" {
		m.Thread = what.Thread
	}
	m.Type, m.Content, m.Text = s.content(what)
	m.File = what.File
	sent := s.add(s.chat(what.Chat), m)
	for _, part := range what.Parts {
		p := Message{From: part.From, Bot: part.Bot, Upper: sent.ID}
		p.Type, p.Content, p.Text = s.content(part)
		s.add(s.chat("oc_forwarded"), p)
	}
	return sent
}

// content returns a message's type, its content as it is sent, and what is seen of it.
func (s *Server) content(what Said) (kind, content, seen string) {
	switch {
	case what.Type != "":
		return what.Type, what.Raw, what.Raw
	case what.Parts != nil:
		return "merge_forward", "Merged and Forwarded Message", "Merged and Forwarded Message"
	case what.File != nil:
		return s.fileContent(what.File)
	}
	text := what.Text
	if what.MentionAll {
		text = "@_all " + text
	}
	if what.Mention {
		text = "@_user_1 " + text
	}
	return "text", string(encode(map[string]string{"text": text})), text
}

func (s *Server) fileContent(f *Upload) (kind, content, seen string) {
	s.next++
	f.Key = fmt.Sprintf("file_v3_%d", s.next)
	if f.Kind == "image" {
		f.Key = fmt.Sprintf("img_v3_%d", s.next)
	}
	s.uploads[f.Key] = *f
	switch f.Kind {
	case "image":
		return "image", string(encode(map[string]string{"image_key": f.Key})), "[image]"
	case "audio":
		return "audio", string(encode(map[string]any{"file_key": f.Key, "duration": 2000})), "[audio]"
	case "media":
		return "media", string(encode(map[string]any{"file_key": f.Key, "image_key": "img_cover", "file_name": f.Name, "duration": 2000})), "[media]"
	}
	return "file", string(encode(map[string]string{"file_key": f.Key, "file_name": f.Name})), "[file " + f.Name + "]"
}

func (s *Server) event(m *Message, what Said) any {
	at := strconv.FormatInt(m.At.UnixMilli(), 10)
	w := wireMessage{
		ID: m.ID, Root: m.Root, Parent: m.Parent, Thread: m.Thread, Created: at, Updated: at, Chat: m.Chat, ChatType: "p2p", Type: m.Type, Content: m.Content,
	}
	if s.chat(m.Chat).group {
		w.ChatType = "group"
	}
	if what.Mention {
		w.Mentions = append(w.Mentions, wireMention{"@_user_1", wireIDs{Open: s.Bot}, "Akita", "tenant"})
	}
	for i, p := range what.Also {
		w.Mentions = append(w.Mentions, wireMention{fmt.Sprintf("@_user_%d", i+2), wireIDs{Open: p.ID}, p.Name, "tenant"})
	}
	sender := wireSender{wireIDs{what.From, what.Union, what.User}, "user", "tenant"}
	if what.Bot {
		sender.Type = "app"
	}
	return map[string]any{"sender": sender, "message": w}
}

// Press has somebody press a button of a message. One that is not there is not pressed; ok says that.
func (s *Server) Press(from, chat, message, label string) (ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m := s.byID[message]
	if m == nil {
		return false
	}
	for _, b := range m.Buttons {
		if b.Label != label {
			continue
		}
		s.push("card.action.trigger", map[string]any{
			"operator": map[string]string{"open_id": from, "tenant_key": "tenant"}, "token": "c-token", "host": "im_message", "delivery_type": "url_preview",
			"action":  map[string]any{"value": b.Value, "tag": "button"},
			"context": map[string]string{"open_message_id": message, "open_chat_id": chat},
		})
		return true
	}
	return false
}

// Toasts returns what was shown for a moment to those who pressed buttons.
func (s *Server) Toasts() (out []string) {
	for _, a := range s.Acks() {
		var body struct {
			Toast struct {
				Content string `json:"content"`
			} `json:"toast"`
		}
		if json.Unmarshal([]byte(a.Data), &body) == nil && body.Toast.Content != "" {
			out = append(out, body.Toast.Content)
		}
	}
	return out
}

// stamp remembers one message sent, for the rates.
type stamp struct {
	chat string
	at   time.Time
}

// stampedID remembers what a uuid made.
type stampedID struct {
	id string
	at time.Time
}
