package telegramtest

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"
)

// Said is what goes with a person's words; the zero value is a plain message. Of the files one is sent,
// with the words as its caption.
type Said struct {
	Thread    int             `json:"thread,omitempty"`   // topic of a forum
	ReplyTo   int             `json:"reply_to,omitempty"` // a message of the same chat
	Quote     string          `json:"quote,omitempty"`    // the piece of that message that is meant
	Lang      string          `json:"lang,omitempty"`     // of the person's client
	File      *Upload         `json:"file,omitempty"`     // a document
	Photo     *Upload         `json:"photo,omitempty"`
	Voice     *Upload         `json:"voice,omitempty"`
	Audio     *Upload         `json:"audio,omitempty"`
	Video     *Upload         `json:"video,omitempty"`
	VideoNote *Upload         `json:"video_note,omitempty"`
	Animation *Upload         `json:"animation,omitempty"`
	Sticker   *Upload         `json:"sticker,omitempty"`
	Emoji     string          `json:"emoji,omitempty"`     // of the sticker
	Set       string          `json:"set,omitempty"`       // of the sticker
	Album     string          `json:"album,omitempty"`     // messages of one album share it
	Forward   string          `json:"forward,omitempty"`   // name of who wrote it first
	AsChat    int64           `json:"as_chat,omitempty"`   // written by an anonymous admin, as this chat
	IsBot     bool            `json:"is_bot,omitempty"`    // the writer is a bot
	Entities  []Entity        `json:"entities,omitempty"`  // default: mentions and commands are found
	Extra     json.RawMessage `json:"extra,omitempty"`     // an object with more fields of the message
	UpdateID  int64           `json:"update_id,omitempty"` // default: the next one
}

type update struct {
	id   int64
	chat int64 // 0 if it is of none
	body json.RawMessage
}

// file returns what is sent, and what it is.
func (o Said) file() (*Upload, string) {
	for _, f := range []struct {
		file *Upload
		kind string
	}{
		{o.File, "document"},
		{o.Photo, "photo"},
		{o.Voice, "voice"},
		{o.Audio, "audio"},
		{o.Video, "video"},
		{o.VideoNote, "video_note"},
		{o.Animation, "animation"},
		{o.Sticker, "sticker"},
	} {
		if f.file != nil {
			return f.file, f.kind
		}
	}
	return nil, ""
}

// Say puts a person's message into a chat and gives its id. A chat with a positive id is the person's
// own; with 0 it is that of from. A private bot is not told of a group's plain messages.
func (s *Server) Say(from, chat int64, text string, opts Said) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(cmp.Or(chat, from))
	if opts.Thread > 1 {
		c.forum = true
		c.threads[opts.Thread] = true
	}
	file, kind := opts.file()
	m := c.add(Message{From: from, Text: text, Raw: text, Thread: opts.Thread, ReplyTo: opts.ReplyTo, File: file, Kind: kind, Album: opts.Album})
	w := s.wire(c, m)
	w.From = person(from, opts.Lang)
	w.From.IsBot = opts.IsBot
	s.fill(w, text, opts)
	if !s.opts.Privacy || c.id > 0 || s.concerns(w) {
		s.push(opts.UpdateID, c.id, map[string]any{"message": w})
	}
	return m.ID
}

// Correct has a person edit a message. The bot is told only if it asks for edits.
func (s *Server) Correct(chat int64, message int, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(chat)
	m := c.find(message)
	if m == nil {
		return
	}
	m.Edits = append(m.Edits, Edit{Text: m.Text, At: time.Now()})
	m.Text, m.Raw = text, text
	if w := s.wire(c, m); s.asked("edited_message") {
		w.EditDate = time.Now().Unix()
		s.push(0, c.id, map[string]any{"edited_message": w})
	}
	s.Touch()
}

// Migrate makes a supergroup of a group: two service messages tell of it, and what is sent to the old id
// is refused with the new one.
func (s *Server) Migrate(from, to int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before, after := s.chat(from), s.chat(to)
	s.moved[from] = to
	for _, step := range []struct {
		c    *chat
		fill func(*wireMessage)
	}{
		{before, func(w *wireMessage) { w.MigrateTo = to }},
		{after, func(w *wireMessage) { w.MigrateFrom = from }},
	} {
		w := s.wire(step.c, step.c.add(Message{From: 1087968824}))
		w.From = &wireUser{ID: 1087968824, IsBot: true, First: "Group", Username: "GroupAnonymousBot"}
		step.fill(w)
		s.push(0, step.c.id, map[string]any{"message": w})
	}
}

func (s *Server) fill(w *wireMessage, text string, opts Said) {
	entities := opts.Entities
	if entities == nil {
		entities = findEntities(text)
	}
	w.Extra = opts.Extra
	if opts.Forward != "" {
		w.Forward = map[string]any{"type": "hidden_user", "sender_user_name": opts.Forward, "date": w.Date}
	}
	if opts.Quote != "" {
		w.Quote = &wireQuote{Text: opts.Quote, Manual: true}
	}
	if opts.AsChat != 0 {
		w.SenderChat = &wireChat{ID: opts.AsChat, Type: "supergroup"}
		w.From = &wireUser{ID: 1087968824, IsBot: true, First: "Group", Username: "GroupAnonymousBot"}
	}
	file, kind := opts.file()
	if file == nil {
		w.Text, w.Entities = text, entities
		return
	}
	w.Text, w.Entities, w.Caption, w.CaptionEntities = "", nil, text, entities
	f := s.keep(*file)
	f.Emoji, f.Set = opts.Emoji, opts.Set
	w.put(kind, f)
}

// concerns reports whether a bot in privacy mode gets a group's message.
func (s *Server) concerns(w *wireMessage) bool {
	if w.ReplyTo != nil && w.ReplyTo.From.ID == s.BotID {
		return true
	}
	text := w.Text + w.Caption
	for _, e := range slices.Concat(w.Entities, w.CaptionEntities) {
		if e.Type == "bot_command" || (e.Type == "mention" && strings.Contains(strings.ToLower(text), "@"+strings.ToLower(s.opts.Username))) {
			return true
		}
	}
	return false
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

// Push gives the bot an update of any sort, whether it asks for such or not, as JSON without its
// update_id, and gives that id. With JSON that already has an update_id, that one is kept.
func (s *Server) Push(body string) (int64, error) {
	fields := map[string]any{}
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		return 0, err
	}
	var head struct {
		Message struct{ Chat struct{ ID int64 } }
	}
	_ = json.Unmarshal([]byte(body), &head) // what cannot be read is of no chat
	s.mu.Lock()
	defer s.mu.Unlock()
	id, _ := fields["update_id"].(float64)
	return s.push(int64(id), head.Message.Chat.ID, fields), nil
}

func (s *Server) push(id, chat int64, fields map[string]any) int64 {
	if id == 0 {
		id = s.nextUpdate
	}
	s.nextUpdate = max(s.nextUpdate, id+1)
	fields["update_id"] = id
	body, err := json.Marshal(fields)
	if err != nil {
		panic(err) // only our own types and parsed JSON come here
	}
	s.updates = append(s.updates, update{id: id, chat: chat, body: body})
	s.Touch()
	return id
}
