package onebottest

import (
	"encoding/base64"
	"encoding/json"
	"strings"
)

// answer is what an action gives.
type answer struct {
	Status string          `json:"status"`
	Code   int             `json:"retcode"`
	Data   any             `json:"data"`
	Words  string          `json:"wording,omitempty"`
	Echo   json.RawMessage `json:"echo,omitempty"`
}

func ok(data any) answer { return answer{Status: "ok", Data: data} }

func failed(code int, words string) answer { return answer{Status: "failed", Code: code, Words: words} }

func str(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// run carries an action out.
func (p *Program) run(action string, params map[string]json.RawMessage) answer {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch action {
	case "get_login_info":
		return ok(map[string]any{"user_id": p.number(p.Self), "nickname": "akita"})
	case "send_private_msg", "send_group_msg":
		return p.send(action, params)
	case "get_msg":
		return p.getMsg(str(params["message_id"]))
	case "delete_msg":
		return p.deleteMsg(str(params["message_id"]))
	case "upload_group_file", "upload_private_file":
		return p.uploadFile(action, params)
	case "get_image", "get_record":
		return p.getFile(str(params["file"]))
	case "get_file", "get_private_file_url":
		if p.opts.Old {
			break
		}
		return p.getFile(str(params["file_id"]))
	case "get_forward_msg":
		if f, found := p.forwards[str(params["id"])]; found {
			return ok(map[string]any{"messages": f})
		}
		return failed(1200, "there are no such messages")
	case "set_input_status", "set_msg_emoji_like":
		if p.opts.Old {
			break
		}
		return ok(nil)
	case "get_group_file_url":
		return p.getFile(str(params["file_id"]))
	}
	return failed(1404, "unsupported action: "+action)
}

// chatOf returns the chat that an action is for, "" for none. Numbers must be numbers.
func chatOf(action string, params map[string]json.RawMessage) string {
	key, prefix := "group_id", ""
	if strings.Contains(action, "private") {
		key, prefix = "user_id", "user:"
	}
	id := str(params[key])
	if id == "" || id == "null" {
		return ""
	}
	return prefix + id
}

type wireSegment struct {
	Type string                     `json:"type"`
	Data map[string]json.RawMessage `json:"data"`
}

func asWire(segments []Segment) (out []wireSegment) {
	_ = json.Unmarshal(encode(segments), &out)
	return out
}

func (p *Program) send(action string, params map[string]json.RawMessage) answer {
	chat := chatOf(action, params)
	var segments []wireSegment
	if chat == "" || json.Unmarshal(params["message"], &segments) != nil || len(segments) == 0 {
		return failed(1400, "bad parameters")
	}
	m := &Message{ID: p.id(), Chat: chat, From: p.Self, Bot: true, segments: params["message"]}
	if action == "send_private_msg" {
		m.Through = str(params["group_id"])
	}
	if why := m.read(segments); why != "" {
		return failed(1200, why)
	}
	if m.ReplyTo != "" && (p.messages[m.ReplyTo] == nil || p.messages[m.ReplyTo].Gone) {
		return failed(1200, "the message that is answered is gone")
	}
	if len([]rune(m.Text)) > 4500 {
		return failed(1200, "the message is too long")
	}
	p.keep(m)
	return ok(map[string]any{"message_id": p.number(m.ID)})
}

// read fills a message from its segments, or says what is wrong with them.
func (m *Message) read(segments []wireSegment) string {
	for _, s := range segments {
		switch s.Type {
		case "text":
			m.Text += str(s.Data["text"])
		case "at":
			m.Text += "@" + str(s.Data["qq"])
		case "reply":
			m.ReplyTo = str(s.Data["id"])
		case "image", "record", "file", "video":
			data, why := content(str(s.Data["file"]))
			if why != "" && m.Bot {
				return why
			}
			m.Files = append(m.Files, File{Name: str(s.Data["name"]), Kind: s.Type, Sub: str(s.Data["sub_type"]), Bytes: data})
		}
	}
	return ""
}

// content reads the bytes of a file that a bot sends.
func content(file string) ([]byte, string) {
	encoded, found := strings.CutPrefix(file, "base64://")
	if !found {
		return nil, "there is no such file"
	}
	data, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return nil, "the content is no base64"
	}
	return data, ""
}

func (p *Program) uploadFile(action string, params map[string]json.RawMessage) answer {
	chat := chatOf(action, params)
	data, why := content(str(params["file"]))
	if chat == "" || why != "" || str(params["name"]) == "" {
		return failed(1400, "bad parameters: "+why)
	}
	id := p.id()
	p.keep(&Message{ID: id, Chat: chat, From: p.Self, Bot: true, Files: []File{{Name: str(params["name"]), Kind: "file", Bytes: data}}})
	return ok(map[string]any{"file_id": "/file-" + id})
}

func (p *Program) getMsg(id string) answer {
	m := p.messages[id]
	if m == nil || m.Gone {
		return failed(1200, "the message is not there")
	}
	return ok(map[string]any{
		"message_id": p.number(id), "time": p.clock, "message": m.segments, "message_type": "group",
		"sender": map[string]any{"user_id": p.number(m.From), "nickname": "nick" + m.From},
	})
}

func (p *Program) deleteMsg(id string) answer {
	m := p.messages[id]
	if m == nil || m.Gone || !m.Bot || p.opts.Recall {
		return failed(1200, "the message cannot be taken back")
	}
	m.Gone = true
	p.Touch()
	return ok(nil)
}

// getFile returns a file's content. It names a path too, as programs do: nobody must open that.
func (p *Program) getFile(name string) answer {
	f, found := p.files[name]
	if !found {
		return failed(1200, "the file is not there")
	}
	if p.opts.Old {
		return ok(map[string]any{"file": "/root/.config/QQ/" + name, "url": p.Files + name})
	}
	return ok(map[string]any{"file": "/root/.config/QQ/" + name, "url": "", "file_name": name, "base64": base64.StdEncoding.EncodeToString(f.Bytes)})
}
