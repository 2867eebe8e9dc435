package telegramtest

import (
	"encoding/json"
	"strconv"
)

// Button is one button below a message.
type Button struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data,omitempty"`
	URL   string `json:"url,omitempty"`
	Style string `json:"style,omitempty"`
}

// Pressed is a button that somebody pressed, and what the bot did about it.
type Pressed struct {
	ID       string `json:"id"` // of the callback query
	Message  int    `json:"message"`
	Data     string `json:"data"`
	Answered bool   `json:"answered"`
	Toast    string `json:"toast,omitempty"` // what the person is shown for a moment
	Alert    bool   `json:"alert,omitempty"`
}

// maxButtonData and maxToast are the Bot API's limits (InlineKeyboardButton, answerCallbackQuery).
const (
	maxButtonData = 64  // bytes
	maxToast      = 200 // characters
)

// buttons reads reply_markup.
func (p params) buttons() ([][]Button, *apiError) {
	raw := p.values["reply_markup"]
	if raw == "" {
		return nil, nil
	}
	var markup struct {
		Keyboard [][]Button `json:"inline_keyboard"`
	}
	if err := json.Unmarshal([]byte(raw), &markup); err != nil {
		return nil, refuse(400, "Bad Request: object expected as reply markup")
	}
	for _, row := range markup.Keyboard {
		for _, b := range row {
			switch {
			case b.Text == "":
				return nil, refuse(400, "Bad Request: can't parse inline keyboard button: Field \"text\" must be non-empty")
			case b.Data == "" && b.URL == "":
				return nil, refuse(400, "Bad Request: can't parse inline keyboard button: Text buttons are unallowed in the inline keyboard")
			case len(b.Data) > maxButtonData:
				return nil, refuse(400, "Bad Request: BUTTON_DATA_INVALID")
			}
		}
	}
	return markup.Keyboard, nil
}

// Press presses the button with that data below a message and gives the id of the query; "" if there is
// no such button any more, so that nobody can press it.
func (s *Server) Press(from, chat int64, message int, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if chat == 0 {
		chat = from
	}
	c := s.chat(chat)
	m := c.find(message)
	if m == nil || !m.has(data) {
		return ""
	}
	return s.press(from, m, data, s.wire(c, m))
}

// PressOld presses a button of a message that is too old to be shown to the bot, whatever its buttons.
func (s *Server) PressOld(from, chat int64, message int, data string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.chat(chat)
	return s.press(from, &Message{ID: message, Chat: chat}, data, map[string]any{
		"message_id": message, "date": 0, "chat": wireChat{ID: chat, Type: c.kind(), Forum: c.forum},
	})
}

func (s *Server) press(from int64, m *Message, data string, wire any) string {
	p := &Pressed{ID: strconv.Itoa(9000000 + s.opts.First + len(s.presses)), Message: m.ID, Data: data}
	s.presses = append(s.presses, p)
	if !s.asked("callback_query") {
		return p.ID
	}
	s.push(0, m.Chat, map[string]any{"callback_query": map[string]any{
		"id": p.ID, "from": person(from, ""), "message": wire, "chat_instance": "1", "data": data,
	}})
	return p.ID
}

func (m *Message) has(data string) bool {
	for _, row := range m.Buttons {
		for _, b := range row {
			if b.Data == data {
				return true
			}
		}
	}
	return false
}

// Pressed returns what became of a press.
func (s *Server) Pressed(id string) Pressed {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.presses {
		if p.ID == id {
			return *p
		}
	}
	return Pressed{}
}

func (s *Server) answerCallbackQuery(p params) (any, *apiError) {
	if len([]rune(p.values["text"])) > maxToast {
		return nil, refuse(400, "Bad Request: MESSAGE_TOO_LONG")
	}
	for _, q := range s.presses {
		if q.ID == p.values["callback_query_id"] {
			q.Answered, q.Toast, q.Alert = true, p.values["text"], p.bool("show_alert")
			return true, nil
		}
	}
	return nil, refuse(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
}

func (s *Server) editMessageReplyMarkup(p params) (any, *apiError) {
	c, m, err := s.editable(p)
	if err != nil {
		return nil, err
	}
	buttons, err := p.buttons()
	if err != nil {
		return nil, err
	}
	if sameButtons(buttons, m.Buttons) {
		return nil, refuse(400, notModified)
	}
	m.Buttons = buttons
	return s.wire(c, m), nil
}

func sameButtons(a, b [][]Button) bool {
	x, _ := json.Marshal(a) // plain strings
	y, _ := json.Marshal(b)
	return string(x) == string(y) || len(a)+len(b) == 0
}
