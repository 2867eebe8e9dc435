package feishutest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Message is one message of a chat as it stands, with what it was before.
type Message struct {
	ID        string    `json:"id"`
	Chat      string    `json:"chat"`
	Thread    string    `json:"thread,omitempty"`
	Root      string    `json:"root,omitempty"`
	Parent    string    `json:"parent,omitempty"` // the message that it answers
	Bot       bool      `json:"bot"`              // sent by the bot
	From      string    `json:"from"`             // the person's open_id, or the app's id
	Type      string    `json:"type"`
	Content   string    `json:"content"` // as it was sent
	Text      string    `json:"text"`    // what is seen
	Buttons   []Button  `json:"buttons,omitempty"`
	File      *Upload   `json:"file,omitempty"`
	Edits     []Edit    `json:"edits,omitempty"` // earlier contents, the oldest first
	Reactions []string  `json:"reactions,omitempty"`
	UUID      string    `json:"uuid,omitempty"`
	At        time.Time `json:"at"`
	Upper     string    `json:"upper,omitempty"` // the forward that it is part of
	Recalled  bool      `json:"recalled,omitempty"`
}

// Button is one button of a card.
type Button struct {
	Label string         `json:"label"`
	Type  string         `json:"type"`
	Value map[string]any `json:"value"`
}

// Edit is what a message showed before it was edited.
type Edit struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"` // when the next text replaced it
}

// Upload is a file that somebody put into a chat.
type Upload struct {
	Key   string `json:"key"`
	Kind  string `json:"kind"` // "image", or the type of a file
	Name  string `json:"name"`
	Bytes []byte `json:"bytes"`
}

type chat struct {
	id       string
	group    bool
	messages []*Message
}

// Private returns the id of a person's private chat with the bot.
func Private(person string) string { return "oc_p_" + strings.TrimPrefix(person, "ou_") }

// chat returns a chat, made if it is new; the caller holds the lock.
func (s *Server) chat(id string) *chat {
	c := s.chats[id]
	if c == nil {
		c = &chat{id: id, group: !strings.HasPrefix(id, "oc_p_")}
		s.chats[id] = c
	}
	return c
}

func (s *Server) add(c *chat, m Message) *Message {
	s.next++
	m.ID, m.Chat, m.At = fmt.Sprintf("om_%d", s.next), c.id, time.Now()
	c.messages = append(c.messages, &m)
	s.byID[m.ID] = &m
	s.Touch()
	return &m
}

// answers puts m below the message that it answers, in that one's thread if it has one.
func (s *Server) answers(m *Message, to *Message, inThread bool) {
	m.Parent, m.Root = to.ID, to.ID
	if to.Root != "" {
		m.Root = to.Root
	}
	m.Thread = to.Thread
	if m.Thread == "" && inThread {
		m.Thread = "omt_" + strings.TrimPrefix(m.Root, "om_")
	}
}

// Chat returns the messages of a chat, the oldest first.
func (s *Server) Chat(id string) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages(id)
}

func (s *Server) messages(id string) []Message {
	c := s.chats[id]
	if c == nil {
		return nil
	}
	var out []Message
	for _, m := range c.messages {
		copied := *m
		copied.Edits = slices.Clone(m.Edits)
		copied.Reactions = slices.Clone(m.Reactions)
		out = append(out, copied)
	}
	return out
}

// FromBot returns those of a chat's messages that the bot sent.
func (s *Server) FromBot(id string) []Message {
	return slices.DeleteFunc(s.Chat(id), func(m Message) bool { return !m.Bot })
}

// Chats returns all chats by their id.
func (s *Server) Chats() map[string][]Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string][]Message{}
	for id := range maps.Keys(s.chats) {
		out[id] = s.messages(id)
	}
	return out
}

// Recall takes a message back, as its writer may: it can be neither edited nor answered from then on.
func (s *Server) Recall(message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if m := s.byID[message]; m != nil {
		m.Recalled = true
	}
	s.Touch()
}
