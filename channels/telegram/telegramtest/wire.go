package telegramtest

import (
	"encoding/json"
	"fmt"
)

// The wire's own shapes; only what a bot reads.
type (
	wireUser struct {
		ID       int64  `json:"id"`
		IsBot    bool   `json:"is_bot"`
		First    string `json:"first_name"`
		Username string `json:"username,omitempty"`
		Lang     string `json:"language_code,omitempty"`
		ReadsAll *bool  `json:"can_read_all_group_messages,omitempty"`
	}
	wireChat struct {
		ID    int64  `json:"id"`
		Type  string `json:"type"`
		Title string `json:"title,omitempty"`
		Forum bool   `json:"is_forum,omitempty"`
	}
	wireFile struct {
		ID    string `json:"file_id"`
		UID   string `json:"file_unique_id"`
		Size  int    `json:"file_size"`
		Name  string `json:"file_name,omitempty"`
		Path  string `json:"file_path,omitempty"`
		Type  string `json:"mime_type,omitempty"`
		Width int    `json:"width,omitempty"`
		Emoji string `json:"emoji,omitempty"`
		Set   string `json:"set_name,omitempty"`
	}
	wireMarkup struct {
		Keyboard [][]Button `json:"inline_keyboard"`
	}
	wireMessage struct {
		ID              int             `json:"message_id"`
		Thread          int             `json:"message_thread_id,omitempty"`
		Topic           bool            `json:"is_topic_message,omitempty"`
		From            *wireUser       `json:"from,omitempty"`
		SenderChat      *wireChat       `json:"sender_chat,omitempty"`
		Date            int64           `json:"date"`
		EditDate        int64           `json:"edit_date,omitempty"`
		Chat            wireChat        `json:"chat"`
		Forward         map[string]any  `json:"forward_origin,omitempty"`
		ReplyTo         *wireMessage    `json:"reply_to_message,omitempty"`
		Quote           *wireQuote      `json:"quote,omitempty"`
		Text            string          `json:"text,omitempty"`
		Entities        []Entity        `json:"entities,omitempty"`
		Caption         string          `json:"caption,omitempty"`
		CaptionEntities []Entity        `json:"caption_entities,omitempty"`
		Album           string          `json:"media_group_id,omitempty"`
		Document        *wireFile       `json:"document,omitempty"`
		Photo           []wireFile      `json:"photo,omitempty"`
		Voice           *wireFile       `json:"voice,omitempty"`
		Audio           *wireFile       `json:"audio,omitempty"`
		Video           *wireFile       `json:"video,omitempty"`
		VideoNote       *wireFile       `json:"video_note,omitempty"`
		Animation       *wireFile       `json:"animation,omitempty"`
		Sticker         *wireFile       `json:"sticker,omitempty"`
		Markup          *wireMarkup     `json:"reply_markup,omitempty"`
		MigrateTo       int64           `json:"migrate_to_chat_id,omitempty"`
		MigrateFrom     int64           `json:"migrate_from_chat_id,omitempty"`
		Extra           json.RawMessage `json:"-"` // an object whose fields are added
	}
	wireQuote struct {
		Text     string `json:"text"`
		Position int    `json:"position"`
		Manual   bool   `json:"is_manual,omitempty"`
	}
)

// MarshalJSON adds the extra fields.
func (m wireMessage) MarshalJSON() ([]byte, error) {
	type plain wireMessage
	body, err := json.Marshal(plain(m))
	if err != nil || len(m.Extra) == 0 {
		return body, err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(m.Extra, &fields); err != nil {
		return nil, err
	}
	return json.Marshal(fields)
}

// person returns a person in the API's own form.
func person(id int64, lang string) *wireUser {
	return &wireUser{ID: id, First: fmt.Sprintf("Person %d", id), Lang: lang}
}

// wire returns a message in the API's own form; the caller holds the lock.
func (s *Server) wire(c *chat, m *Message) *wireMessage {
	w := s.bare(c, m)
	w.Entities = m.Entities
	if m.File != nil && m.Bot {
		w.Text, w.Entities, w.Caption, w.CaptionEntities = "", nil, m.Text, m.Entities
		w.put(m.Kind, s.keep(*m.File))
	}
	if to := c.find(m.ReplyTo); to != nil {
		w.ReplyTo = s.bare(c, to)
		if to.File != nil {
			w.ReplyTo.Text, w.ReplyTo.Caption = "", to.Text
		}
	}
	return w
}

// bare returns a message without what it answers and its files.
func (s *Server) bare(c *chat, m *Message) *wireMessage {
	w := &wireMessage{
		ID: m.ID, Date: m.At.Unix(), Chat: wireChat{ID: c.id, Type: c.kind(), Forum: c.forum}, Text: m.Text,
		Thread: m.Thread, Topic: m.Thread > 1 && c.forum, From: person(m.From, ""), Album: m.Album,
	}
	if c.id < 0 {
		w.Chat.Title = fmt.Sprintf("Group %d", -c.id)
	}
	if m.Bot {
		w.From = &wireUser{ID: s.BotID, IsBot: true, First: "Akita", Username: s.opts.Username}
	}
	if len(m.Buttons) > 0 {
		w.Markup = &wireMarkup{m.Buttons}
	}
	return w
}

// put names a file as what it is in the chat.
func (m *wireMessage) put(kind string, f wireFile) {
	switch kind {
	case "photo":
		small := f
		small.Size, small.Width, small.Name = 1, 90, ""
		f.Width, f.Name = 1280, ""
		m.Photo = []wireFile{small, f}
	case "voice":
		f.Name, f.Type = "", "audio/ogg"
		m.Voice = &f
	case "audio":
		m.Audio = &f
	case "video":
		m.Video = &f
	case "video_note":
		f.Name = ""
		m.VideoNote = &f
	case "animation":
		m.Animation = &f
		m.Document = &f // for programs of before 2018
	case "sticker":
		f.Name = ""
		m.Sticker = &f
	default:
		m.Document = &f
	}
}
