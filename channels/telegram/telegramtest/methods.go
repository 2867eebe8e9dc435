package telegramtest

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

func (p params) int(name string) int64 {
	n, _ := strconv.ParseInt(p.values[name], 10, 64)
	return n
}

func (p params) bool(name string) bool { return p.values[name] == "true" || p.values[name] == "1" }

func (s *Server) run(r *http.Request, method string, p params) (any, *apiError) {
	if method == "getUpdates" {
		return s.getUpdates(r.Context(), p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.touch()
	switch method {
	case "getMe":
		all := !s.opts.Privacy
		return wireUser{ID: s.BotID, IsBot: true, First: "Akita", Username: s.opts.Username, ReadsAll: &all}, nil
	case "sendMessage":
		return s.sendMessage(p)
	case "sendDocument":
		return s.sendDocument(p)
	case "editMessageText":
		return s.editMessageText(p)
	case "sendChatAction":
		return s.sendChatAction(p)
	case "setMessageReaction":
		return s.setMessageReaction(p)
	case "getFile":
		return s.getFile(p)
	case "deleteWebhook", "setMyCommands":
		return true, nil
	}
	return nil, refuse(404, "Not Found")
}

// target finds the chat of a request and holds the rates.
func (s *Server) target(p params) (*chat, *apiError) {
	c := s.chats[p.int("chat_id")]
	if c == nil {
		return nil, refuse(400, "Bad Request: chat not found")
	}
	if wait := s.over(c.id, time.Now()); wait > 0 {
		return nil, &apiError{code: 429, description: "Too Many Requests: retry after " + strconv.Itoa(wait), retryAfter: wait}
	}
	s.sent = append(s.sent, stamp{c.id, time.Now()})
	return c, nil
}

// over gives the seconds to wait if one more message would break a rate; 0 is none.
func (s *Server) over(chat int64, now time.Time) int {
	second, minute, bot := 0, 0, 0
	for _, st := range s.sent {
		age := now.Sub(st.at)
		if age < time.Second {
			bot++
		}
		if st.chat == chat && age < time.Second {
			second++
		}
		if st.chat == chat && age < time.Minute {
			minute++
		}
	}
	r := s.opts.Rates
	switch {
	case r.GroupPerMinute > 0 && chat < 0 && minute >= r.GroupPerMinute:
		return 60
	case r.BotPerSecond > 0 && bot >= r.BotPerSecond, r.ChatPerSecond > 0 && second >= r.ChatPerSecond:
		return 1
	}
	return 0
}

func (c *chat) checkThread(p params) *apiError {
	thread := int(p.int("message_thread_id"))
	if thread != 0 && !(c.forum && c.threads[thread]) {
		return refuse(400, "Bad Request: message thread not found")
	}
	return nil
}

// parse reads a text in its parse mode and holds the limit, which counts what is seen.
func parse(text, mode string, limit int, tooLong string) (seen string, entities []Entity, err *apiError) {
	seen = text
	switch strings.ToLower(mode) {
	case "":
	case "html":
		var bad error
		if seen, entities, bad = ParseHTML(text); bad != nil {
			return "", nil, refuse(400, "Bad Request: can't parse entities: %s", bad)
		}
	default:
		return "", nil, refuse(400, "Bad Request: unsupported parse_mode")
	}
	if Units(seen) > limit {
		return "", nil, refuse(400, "Bad Request: %s", tooLong)
	}
	return seen, entities, nil
}

func (s *Server) sendMessage(p params) (any, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, err
	}
	if err := c.checkThread(p); err != nil {
		return nil, err
	}
	text, entities, err := parse(p.values["text"], p.values["parse_mode"], 4096, "message is too long")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, refuse(400, "Bad Request: message text is empty")
	}
	return s.put(c, p, Message{Text: text, Raw: p.values["text"], Entities: entities})
}

func (s *Server) sendDocument(p params) (any, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, err
	}
	if err := c.checkThread(p); err != nil {
		return nil, err
	}
	if p.upload == nil {
		return nil, refuse(400, "Bad Request: there is no document in the request")
	}
	text, entities, err := parse(p.values["caption"], p.values["parse_mode"], 1024, "message caption is too long")
	if err != nil {
		return nil, err
	}
	return s.put(c, p, Message{Text: text, Raw: p.values["caption"], Entities: entities, File: p.upload})
}

// put adds a message of the bot's to a chat, as a reply if it is to be one.
func (s *Server) put(c *chat, p params, m Message) (any, *apiError) {
	var reply struct {
		ID      int  `json:"message_id"`
		Without bool `json:"allow_sending_without_reply"`
	}
	if raw := p.values["reply_parameters"]; raw != "" {
		if err := json.Unmarshal([]byte(raw), &reply); err != nil {
			return nil, refuse(400, "Bad Request: can't parse reply parameters JSON object")
		}
	}
	if reply.ID != 0 && c.find(reply.ID) == nil {
		if !reply.Without {
			return nil, refuse(400, "Bad Request: message to be replied not found")
		}
		reply.ID = 0
	}
	m.Bot, m.From, m.ReplyTo = true, s.BotID, reply.ID
	m.Mode, m.Silent, m.Thread = p.values["parse_mode"], p.bool("disable_notification"), int(p.int("message_thread_id"))
	return s.wire(c, c.add(m)), nil
}

func (s *Server) editMessageText(p params) (any, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, err
	}
	m := c.find(int(p.int("message_id")))
	switch {
	case m == nil:
		return nil, refuse(400, "Bad Request: message to edit not found")
	case !m.Bot:
		return nil, refuse(400, "Bad Request: message can't be edited")
	}
	text, entities, err := parse(p.values["text"], p.values["parse_mode"], 4096, "message is too long")
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, refuse(400, "Bad Request: message text is empty")
	}
	if text == m.Text && sameEntities(entities, m.Entities) {
		return nil, refuse(400, "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	m.Edits = append(m.Edits, Edit{Text: m.Text, At: time.Now()})
	m.Text, m.Raw, m.Mode, m.Entities = text, p.values["text"], p.values["parse_mode"], entities
	return s.wire(c, m), nil
}

func sameEntities(a, b []Entity) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func (s *Server) sendChatAction(p params) (any, *apiError) {
	c := s.chats[p.int("chat_id")]
	if c == nil {
		return nil, refuse(400, "Bad Request: chat not found")
	}
	if err := c.checkThread(p); err != nil {
		return nil, err
	}
	c.typing++
	return true, nil
}

func (s *Server) setMessageReaction(p params) (any, *apiError) {
	c := s.chats[p.int("chat_id")]
	if c == nil {
		return nil, refuse(400, "Bad Request: chat not found")
	}
	m := c.find(int(p.int("message_id")))
	if m == nil {
		return nil, refuse(400, "Bad Request: message to react not found")
	}
	var reactions []struct {
		Emoji string `json:"emoji"`
	}
	if err := json.Unmarshal([]byte(p.values["reaction"]), &reactions); err != nil {
		return nil, refuse(400, "Bad Request: can't parse reaction types JSON object")
	}
	m.Reaction = ""
	if len(reactions) > 0 {
		m.Reaction = reactions[0].Emoji
	}
	return true, nil
}

// maxDownload is what a bot may fetch (Bot API, getFile).
const maxDownload = 20 << 20

func (s *Server) getFile(p params) (any, *apiError) {
	id := p.values["file_id"]
	f, ok := s.files[id]
	switch {
	case !ok:
		return nil, refuse(400, "Bad Request: wrong file_id or the file is temporarily unavailable")
	case len(f.Bytes) > maxDownload:
		return nil, refuse(400, "Bad Request: file is too big")
	}
	return wireFile{ID: id, UID: "u-" + id, Size: len(f.Bytes), Path: "documents/" + id}, nil
}
