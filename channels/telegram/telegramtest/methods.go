package telegramtest

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

func (s *Server) run(r *http.Request, method string, p params) (any, *apiError) {
	if method == "getUpdates" {
		return s.getUpdates(r.Context(), p)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.Touch()
	switch method {
	case "getMe":
		all := !s.opts.Privacy
		return wireUser{ID: s.BotID, IsBot: true, First: "Akita", Username: s.opts.Username, ReadsAll: &all}, nil
	case "sendMessage":
		return s.sendMessage(p)
	case "sendMediaGroup":
		return s.sendMediaGroup(p)
	case "editMessageText":
		return s.editMessageText(p)
	case "sendChatAction":
		return s.sendChatAction(p)
	case "setMessageReaction":
		return s.setMessageReaction(p)
	case "editMessageReplyMarkup":
		return s.editMessageReplyMarkup(p)
	case "answerCallbackQuery":
		return s.answerCallbackQuery(p)
	case "getFile":
		return s.getFile(p)
	case "setWebhook":
		return s.setWebhook(p)
	case "deleteWebhook":
		return s.deleteWebhook(p)
	case "getWebhookInfo":
		return s.getWebhookInfo()
	case "setMyCommands":
		return s.setMyCommands(p)
	}
	if field, ok := fileMethods[method]; ok {
		return s.sendFile(p, field)
	}
	return nil, refuse(404, "Not Found")
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
	buttons, refused := p.buttons()
	if refused != nil {
		return nil, refused
	}
	m.Bot, m.From, m.ReplyTo, m.Buttons = true, s.BotID, reply.ID, buttons
	m.Mode, m.Silent, m.Thread = p.values["parse_mode"], p.bool("disable_notification"), int(p.int("message_thread_id"))
	return s.wire(c, c.add(m)), nil
}

const notModified = "Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"

// editable finds the bot's message that a request wants to change.
func (s *Server) editable(p params) (*chat, *Message, *apiError) {
	c, err := s.target(p)
	if err != nil {
		return nil, nil, err
	}
	m := c.find(int(p.int("message_id")))
	switch {
	case m == nil:
		return nil, nil, refuse(400, "Bad Request: message to edit not found")
	case !m.Bot:
		return nil, nil, refuse(400, "Bad Request: message can't be edited")
	}
	return c, m, nil
}

func (s *Server) editMessageText(p params) (any, *apiError) {
	c, m, err := s.editable(p)
	if err != nil {
		return nil, err
	}
	if m.File != nil {
		return nil, refuse(400, "Bad Request: there is no text in the message to edit")
	}
	text, entities, err := parse(p.values["text"], p.values["parse_mode"], 4096, "message is too long")
	if err != nil {
		return nil, err
	}
	buttons, err := p.buttons()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, refuse(400, "Bad Request: message text is empty")
	}
	if text == m.Text && sameEntities(entities, m.Entities) && sameButtons(buttons, m.Buttons) {
		return nil, refuse(400, notModified)
	}
	m.Edits = append(m.Edits, Edit{Text: m.Text, At: time.Now()})
	m.Text, m.Raw, m.Mode, m.Entities, m.Buttons = text, p.values["text"], p.values["parse_mode"], entities, buttons
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
