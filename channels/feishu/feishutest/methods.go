package feishutest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// taking returns a method that takes JSON; it is carried out under the lock.
func taking[In any](s *Server, do func(call, In) (any, *refusal)) func(call) (any, *refusal) {
	return func(c call) (any, *refusal) {
		var in In
		if err := json.Unmarshal(c.body, &in); err != nil {
			return nil, refuse(9499, "Bad Request: %v", err)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		return do(c, in)
	}
}

// about returns a method that takes JSON and is about a message.
func about[In any](s *Server, do func(c call, m *Message, in In) (any, *refusal)) func(call) (any, *refusal) {
	return taking(s, func(c call, in In) (any, *refusal) {
		m, bad := s.target(c)
		if bad != nil {
			return nil, bad
		}
		return do(c, m, in)
	})
}

// of returns a method that asks for something of a message.
func of(s *Server, do func(c call, m *Message) (any, *refusal)) func(call) (any, *refusal) {
	return func(c call) (any, *refusal) {
		s.mu.Lock()
		defer s.mu.Unlock()
		m, bad := s.target(c)
		if bad != nil {
			return nil, bad
		}
		return do(c, m)
	}
}

// credentials are those of the app.
type credentials struct {
	ID     string `json:"app_id"`
	Secret string `json:"app_secret"`
}

func (s *Server) token(_ call, in credentials) (any, *refusal) {
	switch {
	case in.ID != s.AppID:
		return nil, &refusal{status: 200, code: 10003, msg: "invalid param"}
	case in.Secret != s.Secret:
		return nil, &refusal{status: 200, code: 10014, msg: "app secret invalid"}
	}
	s.next++
	token := fmt.Sprintf("t-fake%d", s.next)
	s.tokens[token] = true
	return bare{"tenant_access_token": token, "app_access_token": token, "expire": 7200}, nil
}

func (s *Server) endpoint(c call) (any, *refusal) {
	var in struct{ AppID, AppSecret string }
	if err := json.Unmarshal(c.body, &in); err != nil {
		return nil, refuse(9499, "Bad Request: %v", err)
	}
	if in.AppID != s.AppID || in.AppSecret != s.Secret {
		return nil, &refusal{status: 200, code: 514, msg: "app_id or app_secret is wrong"}
	}
	scheme := "ws"
	if c.r.TLS != nil {
		scheme = "wss"
	}
	url := fmt.Sprintf("%s://%s/callback/ws?device_id=1&service_id=%d&fpid=493&aid=552564&access_key=%s&ticket=%s", scheme, c.host, serviceID, s.ticket(), s.ticket())
	return map[string]any{"URL": url, "ClientConfig": s.terms()}, nil
}

func (s *Server) info(call) (any, *refusal) {
	return bare{"msg": "ok", "bot": map[string]any{"activate_status": 2, "app_name": "Akita", "avatar_url": "", "ip_white_list": []string{}, "open_id": s.Bot}}, nil
}

// outgoing is what comes with a message of the bot's.
type outgoing struct {
	Chat     string `json:"receive_id"`
	Type     string `json:"msg_type"`
	Content  string `json:"content"`
	InThread bool   `json:"reply_in_thread"`
	UUID     string `json:"uuid"`
}

func (s *Server) sendMessage(c call, in outgoing) (any, *refusal) {
	to := s.chats[in.Chat]
	if c.r.URL.Query().Get("receive_id_type") != "chat_id" || to == nil {
		return nil, refuse(230001, "Your request contains an invalid request parameter, ext=invalid receive_id")
	}
	return s.write(to, nil, in, len(c.body))
}

func (s *Server) reply(c call, to *Message, in outgoing) (any, *refusal) {
	return s.write(s.chat(to.Chat), to, in, len(c.body))
}

// target finds the message of a request; the caller holds the lock.
func (s *Server) target(c call) (*Message, *refusal) {
	m := s.byID[c.r.PathValue("id")]
	switch {
	case m == nil:
		return nil, refuse(230001, "Your request contains an invalid request parameter, ext=invalid message_id")
	case m.Recalled:
		return nil, refuse(230011, "The message was withdrawn.")
	}
	return m, nil
}

// write puts a message of the bot's into a chat; the caller holds the lock.
func (s *Server) write(to *chat, parent *Message, in outgoing, size int) (any, *refusal) {
	if len(in.UUID) > 50 {
		return nil, refuse(230001, "invalid uuid")
	}
	if made, ok := s.byUUID[in.UUID]; ok && in.UUID != "" && time.Since(made.at) < time.Hour {
		return s.wire(s.byID[made.id]), nil
	}
	if bad := s.over(to.id); bad != nil {
		return nil, bad
	}
	m := Message{Bot: true, From: s.AppID, Type: in.Type, Content: in.Content, UUID: in.UUID}
	if bad := s.show(&m, size); bad != nil {
		return nil, bad
	}
	if parent != nil {
		s.answers(&m, parent, in.InThread)
	}
	sent := s.add(to, m)
	if in.UUID != "" {
		s.byUUID[in.UUID] = stampedID{sent.ID, time.Now()}
	}
	return s.wire(sent), nil
}

// over holds the rates; the caller holds the lock.
func (s *Server) over(chat string) *refusal {
	now := time.Now()
	second, all := 0, 0
	for _, st := range s.sent {
		if now.Sub(st.at) >= time.Second {
			continue
		}
		all++
		if st.chat == chat {
			second++
		}
	}
	switch {
	case s.Rates && second >= 5:
		return refuse(230020, "This operation triggers the frequency limit.")
	case s.Rates && all >= 50:
		return &refusal{http.StatusTooManyRequests, 99991400, "request trigger frequency limit", 1}
	}
	s.sent = append(s.sent, stamp{chat, now})
	return nil
}

// show fills in what is seen of a message, or refuses it.
func (s *Server) show(m *Message, size int) *refusal {
	limit := maxText
	if m.Type == "interactive" || m.Type == "post" {
		limit = maxCard
	}
	if size > limit {
		return refuse(230025, "The length of the message content reaches its limit.")
	}
	switch m.Type {
	case "text":
		var c struct {
			Text string `json:"text"`
		}
		if json.Unmarshal([]byte(m.Content), &c) != nil || strings.TrimSpace(c.Text) == "" {
			return refuse(230001, "invalid content")
		}
		m.Text = c.Text
	case "interactive":
		card := readCard(m.Content)
		if card.bad != "" {
			return refuse(230099, "Failed to create card content, ext=%s", card.bad)
		}
		m.Text, m.Buttons = strings.Join(card.text, "\n"), card.buttons
	case "post":
		text, ok := readPost(m.Content)
		if !ok {
			return refuse(230001, "invalid content")
		}
		m.Text = text
	case "image", "file", "audio", "media":
		return s.showFile(m)
	default:
		return refuse(230001, "invalid msg_type")
	}
	return nil
}

func (s *Server) patch(c call, m *Message, in outgoing) (any, *refusal) {
	switch {
	case !m.Bot:
		return nil, refuse(230027, "Lack of necessary permissions.")
	case m.Type != "interactive":
		return nil, refuse(230054, "This operation is not supported for this message type.")
	}
	return s.rewrite(m, in.Content, len(c.body))
}

func (s *Server) put(c call, m *Message, in outgoing) (any, *refusal) {
	switch {
	case !m.Bot:
		return nil, refuse(230071, "The operator is not the sender of the message.")
	case m.Type != "text" && m.Type != "post" || m.Type != in.Type:
		return nil, refuse(230054, "This operation is not supported for this message type.")
	case len(m.Edits) >= 20:
		return nil, refuse(230072, "The message has reached the number of times it can be edited.")
	}
	return s.rewrite(m, in.Content, len(c.body))
}

func (s *Server) rewrite(m *Message, content string, size int) (any, *refusal) {
	if bad := s.over(m.Chat); bad != nil {
		return nil, bad
	}
	next := *m
	next.Content = content
	if bad := s.show(&next, size); bad != nil {
		return nil, bad
	}
	m.Edits = append(m.Edits, Edit{Text: m.Text, At: time.Now()})
	m.Content, m.Text, m.Buttons = next.Content, next.Text, next.Buttons
	s.Touch()
	return s.wire(m), nil
}

// get returns a message, and a forward with all that it holds.
func (s *Server) get(_ call, m *Message) (any, *refusal) {
	items := []any{s.wire(m)}
	var inside func(upper string)
	inside = func(upper string) {
		for _, p := range s.chat("oc_forwarded").messages {
			if p.Upper == upper {
				items = append(items, s.wire(p))
				inside(p.ID)
			}
		}
	}
	inside(m.ID)
	return map[string]any{"items": items}, nil
}

// wire returns a message in the API's own form.
func (s *Server) wire(m *Message) map[string]any {
	sender := map[string]string{"id": m.From, "id_type": "open_id", "sender_type": "user", "tenant_key": "tenant"}
	if m.Bot {
		sender["id_type"], sender["sender_type"] = "app_id", "app"
	}
	out := map[string]any{
		"message_id": m.ID, "msg_type": m.Type, "create_time": fmt.Sprint(m.At.UnixMilli()), "update_time": fmt.Sprint(m.At.UnixMilli()),
		"deleted": m.Recalled, "updated": len(m.Edits) > 0, "chat_id": m.Chat, "sender": sender, "body": map[string]string{"content": m.Content},
	}
	for key, value := range map[string]string{"root_id": m.Root, "parent_id": m.Parent, "thread_id": m.Thread, "upper_message_id": m.Upper} {
		if value != "" {
			out[key] = value
		}
	}
	return out
}

// reaction is what somebody puts below a message.
type reaction struct {
	Reaction struct {
		Emoji string `json:"emoji_type"`
	} `json:"reaction_type"`
}

func (s *Server) react(_ call, m *Message, in reaction) (any, *refusal) {
	if !emojis[in.Reaction.Emoji] {
		return nil, refuse(231001, "reaction type is invalid.")
	}
	m.Reactions = append(m.Reactions, in.Reaction.Emoji)
	s.Touch()
	return map[string]any{"reaction_id": "r_1"}, nil
}

// emojis are a few of the service's names of reactions.
var emojis = map[string]bool{"OK": true, "THUMBSUP": true, "DONE": true, "Get": true, "OnIt": true, "THINKING": true}
