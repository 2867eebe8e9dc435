package wecomtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
)

// reply is what the API answers.
type reply struct {
	code int64
	data map[string]any
	file *File
}

func failed(code int64) reply { return reply{code: code} }

// fields are the reply's JSON. A failure tells of the caller and the request, as WeCom's do.
func (r reply) fields() map[string]any {
	out := map[string]any{"errcode": r.code, "errmsg": "ok"}
	if r.code != 0 {
		out["errmsg"] = fmt.Sprintf("error %d, hint: [1718], from ip: 192.0.2.1, more info at https://open.work.weixin.qq.com/devtool/query?e=%d", r.code, r.code)
	}
	for k, v := range r.data {
		out[k] = v
	}
	return out
}

// run carries a request out.
func (s *Server) run(r *http.Request, body []byte) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	q := r.URL.Query()
	switch {
	case s.ips:
		return failed(60020)
	case r.URL.Path == "/cgi-bin/gettoken":
		return s.getToken(q.Get("corpid"), q.Get("corpsecret"))
	case q.Get("access_token") == "":
		return failed(41001)
	case s.token == "":
		return failed(42001)
	case q.Get("access_token") != s.token:
		return failed(40014)
	}
	switch r.URL.Path {
	case "/cgi-bin/message/send":
		return s.send(body)
	case "/cgi-bin/message/recall":
		return s.recall(body)
	case "/cgi-bin/message/update_template_card":
		return s.update(body)
	case "/cgi-bin/media/upload":
		return s.upload(q.Get("type"), r.Header.Get("Content-Type"), body)
	case "/cgi-bin/media/get":
		f, ok := s.media[q.Get("media_id")]
		if !ok {
			return failed(40007)
		}
		return reply{file: &f}
	}
	return failed(404)
}

func (s *Server) getToken(corp, secret string) reply {
	switch {
	case corp != s.App.CorpID:
		return failed(40013)
	case secret != s.App.Secret:
		return failed(40001)
	}
	s.tokens++
	s.token = fmt.Sprintf("access-token-%d", s.tokens)
	return reply{data: map[string]any{"access_token": s.token, "expires_in": 7200}}
}

// sent is what message/send takes, as far as an application of ours uses it.
type sent struct {
	To       string `json:"touser"`
	Agent    int64  `json:"agentid"`
	Type     string `json:"msgtype"`
	Text     struct{ Content string }
	Markdown struct{ Content string }
	Image    struct {
		ID string `json:"media_id"`
	}
	Voice struct {
		ID string `json:"media_id"`
	}
	File struct {
		ID string `json:"media_id"`
	}
	Card card `json:"template_card"`
}

type card struct {
	Type    string                       `json:"card_type"`
	TaskID  string                       `json:"task_id"`
	Title   struct{ Title string }       `json:"main_title"`
	Text    string                       `json:"sub_title_text"`
	Buttons []struct{ Text, Key string } `json:"button_list"`
	Replace string                       `json:"replace_text"`
}

const maxText = 2048

func (s *Server) id() string {
	s.next++
	return fmt.Sprintf("msg-%d", s.next)
}

func (s *Server) send(body []byte) reply {
	var in sent
	if json.Unmarshal(body, &in) != nil || fmt.Sprint(in.Agent) != s.App.AgentID {
		return failed(40056)
	}
	if in.To == "" || strings.HasPrefix(in.To, "stranger") {
		return reply{data: map[string]any{"invaliduser": in.To}}
	}
	m := &Message{ID: s.id(), Type: in.Type}
	code := s.fill(m, in)
	if code != 0 {
		return failed(code)
	}
	s.chats[in.To] = append(s.chats[in.To], m)
	return reply{data: map[string]any{"msgid": m.ID, "response_code": "unused-" + m.ID}}
}

// fill gives a message its content, or the code of what is wrong with it.
func (s *Server) fill(m *Message, in sent) int64 {
	switch in.Type {
	case "text":
		m.Text = in.Text.Content
	case "markdown":
		m.Text = in.Markdown.Content
	case "template_card":
		return s.fillCard(m, in.Card)
	case "image", "voice", "file":
		f, ok := s.media[in.Image.ID+in.Voice.ID+in.File.ID]
		if !ok {
			return 40007
		}
		m.File = &f
		return 0
	default:
		return 40008
	}
	switch {
	case strings.TrimSpace(m.Text) == "":
		return 44004
	case len(m.Text) > maxText:
		return 45002
	}
	return 0
}

func (s *Server) fillCard(m *Message, c card) int64 {
	if c.Type != "button_interaction" || len(c.Buttons) == 0 || len(c.Buttons) > 6 || c.TaskID == "" || len(c.TaskID) > 128 || c.Title.Title+c.Text == "" {
		return 42014
	}
	for _, all := range s.chats {
		for _, o := range all {
			if o.ID == c.TaskID {
				return 42016 // seen before
			}
		}
	}
	m.ID, m.Text = c.TaskID, c.Text
	for _, b := range c.Buttons {
		if b.Key == "" || len(b.Key) > 1024 || b.Text == "" {
			return 42014
		}
		m.Buttons = append(m.Buttons, Button{b.Text, b.Key})
	}
	return 0
}

func (s *Server) recall(body []byte) reply {
	var in struct {
		ID string `json:"msgid"`
	}
	_ = json.Unmarshal(body, &in)
	for _, all := range s.chats {
		for _, m := range all {
			if m.ID == in.ID && m.From == "" {
				m.Gone = true
				return reply{}
			}
		}
	}
	return failed(82001)
}

// update settles a card, once for each code.
func (s *Server) update(body []byte) reply {
	var in struct {
		Users []string `json:"userids"`
		Agent int64    `json:"agentid"`
		Code  string   `json:"response_code"`
		Card  card     `json:"template_card"`
	}
	if json.Unmarshal(body, &in) != nil || fmt.Sprint(in.Agent) != s.App.AgentID || len(in.Users) != 1 || len(in.Card.Buttons) == 0 {
		return failed(40058)
	}
	m := s.codes[in.Code]
	if m == nil {
		return failed(42017)
	}
	delete(s.codes, in.Code)
	m.Text = in.Card.Text
	if in.Card.Replace != "" {
		m.Buttons = nil
	}
	return reply{}
}

func (s *Server) upload(kind, contentType string, body []byte) reply {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return failed(41005)
	}
	part, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).NextPart()
	if err != nil || part.FormName() != "media" || part.FileName() == "" {
		return failed(41005)
	}
	data, err := io.ReadAll(part)
	limit := map[string]int{"image": 10 << 20, "voice": 2 << 20, "file": 20 << 20}[kind]
	if err != nil || len(data) < 5 || len(data) > limit {
		return failed(40009)
	}
	id := "media-" + s.id()
	s.media[id] = File{Name: part.FileName(), Bytes: data}
	return reply{data: map[string]any{"type": kind, "media_id": id, "created_at": "1380000000"}}
}
