package telegramtest

import (
	"slices"
	"strconv"
	"time"
)

// Message is one message of a chat as it stands, with what it was before.
type Message struct {
	ID       int        `json:"id"`
	Chat     int64      `json:"chat"`
	Thread   int        `json:"thread,omitempty"`
	Bot      bool       `json:"bot"`  // sent by the bot
	From     int64      `json:"from"` // the person, or the bot
	Text     string     `json:"text"` // what is seen
	Raw      string     `json:"raw"`  // what was sent, with its markup
	Mode     string     `json:"mode,omitempty"`
	Entities []Entity   `json:"entities,omitempty"`
	ReplyTo  int        `json:"reply_to,omitempty"`
	Silent   bool       `json:"silent,omitempty"` // sent without a notification
	File     *Upload    `json:"file,omitempty"`
	Kind     string     `json:"kind,omitempty"`  // what the file is: document, photo, sticker, voice ...
	Album    string     `json:"album,omitempty"` // messages of one album share it
	Buttons  [][]Button `json:"buttons,omitempty"`
	Edits    []Edit     `json:"edits,omitempty"` // earlier texts, the oldest first
	Reaction string     `json:"reaction,omitempty"`
	At       time.Time  `json:"at"`
}

// Edit is what a message showed before it was edited.
type Edit struct {
	Text string    `json:"text"`
	At   time.Time `json:"at"` // when the next text replaced it
}

// Upload is a file that somebody put into a chat.
type Upload struct {
	Name  string `json:"name"`
	Bytes []byte `json:"bytes"`
}

type chat struct {
	id       int64
	forum    bool
	next     int
	threads  map[int]bool // topics that exist
	messages []*Message
	typing   int // how often the bot was seen typing
}

// kind returns Telegram's type of a chat, which its id tells.
func (c *chat) kind() string {
	switch {
	case c.id > 0:
		return "private"
	case c.id < -1_000_000_000_000 || c.forum:
		return "supergroup"
	}
	return "group"
}

// chat returns a chat, made if it is new; the caller holds the lock.
func (s *Server) chat(id int64) *chat {
	c := s.chats[id]
	if c == nil {
		c = &chat{id: id, next: s.opts.First, threads: map[int]bool{}}
		s.chats[id] = c
	}
	return c
}

func (c *chat) add(m Message) *Message {
	c.next++
	m.ID, m.Chat, m.At = c.next, c.id, time.Now()
	c.messages = append(c.messages, &m)
	return &m
}

func (c *chat) find(id int) *Message {
	for _, m := range c.messages {
		if m.ID == id {
			return m
		}
	}
	return nil
}

// Chat returns the messages of a chat, the oldest first.
func (s *Server) Chat(id int64) []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.messages(id)
}

func (s *Server) messages(id int64) []Message {
	c := s.chats[id]
	if c == nil {
		return nil
	}
	var out []Message
	for _, m := range c.messages {
		copied := *m
		copied.Edits = slices.Clone(m.Edits)
		out = append(out, copied)
	}
	return out
}

// FromBot returns those of a chat's messages that the bot sent.
func (s *Server) FromBot(id int64) []Message {
	return slices.DeleteFunc(s.Chat(id), func(m Message) bool { return !m.Bot })
}

// Typing tells how often the bot was seen typing in a chat.
func (s *Server) Typing(id int64) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.chats[id]; c != nil {
		return c.typing
	}
	return 0
}

// Chats returns all chats by their id.
func (s *Server) Chats() map[string][]Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[string][]Message{}
	for id := range s.chats {
		out[strconv.FormatInt(id, 10)] = s.messages(id)
	}
	return out
}

// Remove deletes a message, as a person may; editing it fails from then on.
func (s *Server) Remove(chat int64, message int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(chat)
	c.messages = slices.DeleteFunc(c.messages, func(m *Message) bool { return m.ID == message })
	s.Touch()
}

// CloseTopic deletes a topic: sending to it fails from then on.
func (s *Server) CloseTopic(chat int64, thread int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.chat(chat).threads, thread)
}
