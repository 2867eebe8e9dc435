package feishutest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"time"
)

func (s *Server) token(c call) (any, *refusal) {
	var in struct {
		ID     string `json:"app_id"`
		Secret string `json:"app_secret"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	switch {
	case in.ID != s.AppID:
		return nil, &refusal{status: 200, code: 10003, msg: "invalid param"}
	case in.Secret != s.Secret:
		return nil, &refusal{status: 200, code: 10014, msg: "app secret invalid"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	token := fmt.Sprintf("t-fake%d", s.next)
	s.tokens[token] = true
	return bare{"tenant_access_token": token, "app_access_token": token, "expire": 7200}, nil
}

func (s *Server) endpoint(c call) (any, *refusal) {
	var in struct{ AppID, AppSecret string }
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	if in.AppID != s.AppID || in.AppSecret != s.Secret {
		return nil, &refusal{status: 200, code: 514, msg: "app_id or app_secret is wrong"}
	}
	url := fmt.Sprintf("ws://%s/callback/ws?device_id=1&service_id=%d&fpid=493&aid=552564&access_key=%s&ticket=%s", c.host, serviceID, s.ticket(), s.ticket())
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

func (s *Server) sendMessage(c call) (any, *refusal) {
	var in outgoing
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to := s.chats[in.Chat]
	if c.r.URL.Query().Get("receive_id_type") != "chat_id" || to == nil {
		return nil, refuse(230001, "Your request contains an invalid request parameter, ext=invalid receive_id")
	}
	return s.write(to, nil, in, len(c.body))
}

func (s *Server) reply(c call) (any, *refusal) {
	var in outgoing
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	to, bad := s.target(c)
	if bad != nil {
		return nil, bad
	}
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

func (s *Server) showFile(m *Message) *refusal {
	var c struct {
		Image string `json:"image_key"`
		File  string `json:"file_key"`
	}
	_ = json.Unmarshal([]byte(m.Content), &c)
	f, ok := s.uploads[c.Image+c.File]
	fits := map[string]string{"image": "image", "opus": "audio", "mp4": "media"}[f.Kind]
	if fits == "" {
		fits = "file"
	}
	switch {
	case !ok:
		return refuse(230001, "invalid key")
	case fits != m.Type:
		return refuse(230055, "The type of file upload does not match the type of message being sent.")
	}
	m.File, m.Text = &f, "["+m.Type+"]"
	return nil
}

func (s *Server) patch(c call) (any, *refusal) {
	var in outgoing
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, bad := s.target(c)
	switch {
	case bad != nil:
		return nil, bad
	case !m.Bot:
		return nil, refuse(230027, "Lack of necessary permissions.")
	case m.Type != "interactive":
		return nil, refuse(230054, "This operation is not supported for this message type.")
	}
	return s.rewrite(m, in.Content, len(c.body))
}

func (s *Server) put(c call) (any, *refusal) {
	var in outgoing
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, bad := s.target(c)
	switch {
	case bad != nil:
		return nil, bad
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
	s.touch()
	return s.wire(m), nil
}

// get gives a message, and a forward with all that it holds.
func (s *Server) get(c call) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, bad := s.target(c)
	if bad != nil {
		return nil, bad
	}
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

// wire gives a message in the API's own form.
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

func (s *Server) react(c call) (any, *refusal) {
	var in struct {
		Reaction struct {
			Emoji string `json:"emoji_type"`
		} `json:"reaction_type"`
	}
	if bad := c.into(&in); bad != nil {
		return nil, bad
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	m, bad := s.target(c)
	switch {
	case bad != nil:
		return nil, bad
	case !emojis[in.Reaction.Emoji]:
		return nil, refuse(231001, "reaction type is invalid.")
	}
	m.Reactions = append(m.Reactions, in.Reaction.Emoji)
	s.touch()
	return map[string]any{"reaction_id": "r_1"}, nil
}

// emojis are a few of the service's names of reactions.
var emojis = map[string]bool{"OK": true, "THUMBSUP": true, "DONE": true, "Get": true, "OnIt": true, "THINKING": true}

func (s *Server) image(c call) (any, *refusal) {
	form, bad := c.form("image")
	switch {
	case bad != nil:
		return nil, bad
	case form.value["image_type"] != "message":
		return nil, refuse(234001, "Invalid request param.")
	case len(form.file) > 10<<20:
		return nil, refuse(234006, "The file size exceed the max value.")
	case !strings.HasPrefix(http.DetectContentType(form.file), "image/"):
		return nil, refuse(234011, "Can't recognize image format.")
	}
	return map[string]string{"image_key": s.keep("img_v3_", Upload{Kind: "image", Name: form.name, Bytes: form.file})}, nil
}

func (s *Server) file(c call) (any, *refusal) {
	form, bad := c.form("file")
	if bad != nil {
		return nil, bad
	}
	kind := form.value["file_type"]
	switch {
	case form.value["file_name"] == "" || !strings.Contains(" opus mp4 pdf doc xls ppt stream ", " "+kind+" "):
		return nil, refuse(234001, "Invalid request param.")
	case len(form.file) == 0:
		return nil, refuse(234010, "File's size can't be 0.")
	case len(form.file) > 30<<20:
		return nil, refuse(234006, "The file size exceed the max value.")
	}
	return map[string]string{"file_key": s.keep("file_v3_", Upload{Kind: kind, Name: form.value["file_name"], Bytes: form.file})}, nil
}

func (s *Server) keep(prefix string, u Upload) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	u.Key = fmt.Sprintf("%s%d", prefix, s.next)
	s.uploads[u.Key] = u
	return u.Key
}

// form is an upload.
type form struct {
	value map[string]string
	name  string
	file  []byte
}

func (c call) form(field string) (form, *refusal) {
	out := form{value: map[string]string{}}
	_, boundary, _ := strings.Cut(c.r.Header.Get("Content-Type"), "boundary=")
	parts := multipart.NewReader(bytes.NewReader(c.body), strings.Trim(boundary, `"`))
	found := false
	for {
		p, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return out, refuse(234001, "Invalid request param: %v", err)
		}
		data, err := io.ReadAll(p)
		if err != nil {
			return out, refuse(234001, "Invalid request param: %v", err)
		}
		if p.FormName() == field {
			found, out.file, out.name = true, data, path.Base(p.FileName())
		} else {
			out.value[p.FormName()] = string(data)
		}
	}
	if !found {
		return out, refuse(234001, "Invalid request param: no %s", field)
	}
	return out, nil
}

func (s *Server) resource(c call) (any, *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, bad := s.target(c)
	if bad != nil {
		return nil, bad
	}
	key, kind := c.r.PathValue("key"), c.r.URL.Query().Get("type")
	f, ok := s.uploads[key]
	switch {
	case kind != "image" && kind != "file":
		return nil, refuse(234001, "Invalid request param.")
	case !ok || !strings.Contains(m.Content, key) || (f.Kind == "image") != (kind == "image"):
		return nil, refuse(234003, "File not in message.")
	}
	return download{f}, nil
}
