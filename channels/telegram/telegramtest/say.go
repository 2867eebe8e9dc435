package telegramtest

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"
)

// Said is what goes with a person's words; the zero value is a plain message.
type Said struct {
	Thread   int      `json:"thread,omitempty"`    // topic of a forum
	ReplyTo  int      `json:"reply_to,omitempty"`  // a message of the same chat
	Lang     string   `json:"lang,omitempty"`      // of the person's client
	File     *Upload  `json:"file,omitempty"`      // a document; the words are its caption
	Photo    *Upload  `json:"photo,omitempty"`     // a picture; the words are its caption
	Album    string   `json:"album,omitempty"`     // messages of one album share it
	AsChat   int64    `json:"as_chat,omitempty"`   // written by an anonymous admin, as this chat
	IsBot    bool     `json:"is_bot,omitempty"`    // the writer is a bot
	Entities []Entity `json:"entities,omitempty"`  // default: mentions and commands are found
	UpdateID int64    `json:"update_id,omitempty"` // default: the next one
}

type update struct {
	id   int64
	body json.RawMessage
}

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
		Forum bool   `json:"is_forum,omitempty"`
	}
	wireFile struct {
		ID   string `json:"file_id"`
		UID  string `json:"file_unique_id"`
		Size int    `json:"file_size"`
		Name string `json:"file_name,omitempty"`
		Path string `json:"file_path,omitempty"`
	}
	wireMessage struct {
		ID              int          `json:"message_id"`
		Thread          int          `json:"message_thread_id,omitempty"`
		Topic           bool         `json:"is_topic_message,omitempty"`
		From            *wireUser    `json:"from,omitempty"`
		SenderChat      *wireChat    `json:"sender_chat,omitempty"`
		Date            int64        `json:"date"`
		Chat            wireChat     `json:"chat"`
		ReplyTo         *wireMessage `json:"reply_to_message,omitempty"`
		Text            string       `json:"text,omitempty"`
		Entities        []Entity     `json:"entities,omitempty"`
		Caption         string       `json:"caption,omitempty"`
		CaptionEntities []Entity     `json:"caption_entities,omitempty"`
		Album           string       `json:"media_group_id,omitempty"`
		Document        *wireFile    `json:"document,omitempty"`
		Photo           []wireFile   `json:"photo,omitempty"`
	}
)

// Say puts a person's message into a chat and gives its id. A chat with a positive id is the
// person's own; with 0 it is that of from. A private bot is not told of a group's plain messages,
// but that is the caller's to respect.
func (s *Server) Say(from, chat int64, text string, opts Said) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if chat == 0 {
		chat = from
	}
	c := s.chat(chat)
	if opts.Thread > 1 {
		c.forum = true
		c.threads[opts.Thread] = true
	}
	m := c.add(Message{From: from, Text: text, Raw: text, Thread: opts.Thread, ReplyTo: opts.ReplyTo, File: opts.File})
	wire := s.wire(c, m)
	wire.From = &wireUser{ID: from, IsBot: opts.IsBot, First: fmt.Sprintf("Person %d", from), Lang: opts.Lang}
	s.fill(wire, text, opts)
	s.push(opts.UpdateID, map[string]any{"message": wire})
	return m.ID
}

func (s *Server) fill(wire *wireMessage, text string, opts Said) {
	entities := opts.Entities
	if entities == nil {
		entities = findEntities(text)
	}
	wire.Album = opts.Album
	if opts.AsChat != 0 {
		wire.SenderChat = &wireChat{ID: opts.AsChat, Type: "supergroup"}
		wire.From = &wireUser{ID: 1087968824, IsBot: true, First: "Group", Username: "GroupAnonymousBot"}
	}
	if opts.File == nil && opts.Photo == nil {
		wire.Text, wire.Entities = text, entities
		return
	}
	wire.Caption, wire.CaptionEntities = text, entities
	if opts.File != nil {
		f := s.keep(*opts.File)
		wire.Document = &f
	}
	if opts.Photo != nil {
		small, large := s.keep(*opts.Photo), s.keep(*opts.Photo)
		small.Size, small.Name, large.Name = 1, "", ""
		wire.Photo = []wireFile{small, large}
	}
}

// keep stores a file for getFile.
func (s *Server) keep(u Upload) wireFile {
	id := fmt.Sprintf("file-%d", len(s.files)+1)
	s.files[id] = u
	return wireFile{ID: id, UID: "u-" + id, Size: len(u.Bytes), Name: u.Name}
}

var (
	mentions = regexp.MustCompile(`@[A-Za-z][A-Za-z0-9_]{3,}`)
	commands = regexp.MustCompile(`(?:^|\s)(/[A-Za-z0-9_]+(?:@[A-Za-z0-9_]+)?)`)
)

// findEntities finds commands and mentions as Telegram's servers do.
func findEntities(text string) []Entity {
	var out []Entity
	add := func(kind string, from, to int) {
		out = append(out, Entity{Type: kind, Offset: Units(text[:from]), Length: Units(text[from:to])})
	}
	for _, m := range commands.FindAllStringSubmatchIndex(text, -1) {
		add("bot_command", m[2], m[3])
	}
	for _, m := range mentions.FindAllStringIndex(text, -1) {
		if word := text[strings.LastIndexAny(text[:m[0]], " \n")+1 : m[0]]; !strings.HasPrefix(word, "/") {
			add("mention", m[0], m[1])
		}
	}
	return out
}

// Push gives the bot an update of any sort, as JSON without its update_id, and gives that id. With
// JSON that already has an update_id, that one is kept.
func (s *Server) Push(body string) (int64, error) {
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		return 0, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := fields["update_id"].(float64)
	return s.push(int64(id), fields), nil
}

func (s *Server) push(id int64, fields map[string]any) int64 {
	if id == 0 {
		id = s.nextUpdate
	}
	s.nextUpdate = max(s.nextUpdate, id+1)
	fields["update_id"] = id
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err) // only our own types and parsed JSON come here
	}
	s.updates = append(s.updates, update{id: id, body: body})
	s.touch()
	return id
}

// wire gives a message in the API's own form; the caller holds the lock.
func (s *Server) wire(c *chat, m *Message) *wireMessage {
	w := &wireMessage{
		ID: m.ID, Date: m.At.Unix(), Chat: wireChat{ID: c.id, Type: c.kind(), Forum: c.forum}, Text: m.Text, Entities: m.Entities,
		Thread: m.Thread, Topic: m.Thread > 1 && c.forum, From: &wireUser{ID: m.From, IsBot: m.Bot, First: "Akita"},
	}
	if m.ReplyTo != 0 {
		if to := c.find(m.ReplyTo); to != nil {
			w.ReplyTo = &wireMessage{
				ID: to.ID, Date: to.At.Unix(), Chat: w.Chat, Text: to.Text, From: &wireUser{ID: to.From, IsBot: to.Bot, First: "x"},
			}
		}
	}
	return w
}

// stamp remembers one message sent, for the rates.
type stamp struct {
	chat int64
	at   time.Time
}
