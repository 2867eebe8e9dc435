package dingtalktest

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
	status int // 0 is 200
	data   map[string]any
}

func failed(status int, code string) reply {
	return reply{status, map[string]any{"code": code, "message": "no: " + code, "requestid": "5E6F"}}
}

// run carries a request out.
func (s *Server) run(r *http.Request, body []byte) reply {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/v1.0/oauth2/accessToken" {
		return s.accessToken(body)
	}
	token := r.Header.Get("x-acs-dingtalk-access-token")
	if r.URL.Path == "/media/upload" {
		if r.URL.Query().Get("access_token") != s.token || s.token == "" {
			return reply{data: map[string]any{"errcode": 40014, "errmsg": "the token is not known"}}
		}
		return s.upload(r.URL.Query().Get("type"), r.Header.Get("Content-Type"), body)
	}
	if token != s.token || token == "" {
		return failed(400, "InvalidAuthentication")
	}
	switch r.URL.Path {
	case sends[0], sends[1]:
		return s.send(r.URL.Path, body)
	case "/v1.0/robot/otoMessages/batchRecall", "/v1.0/robot/groupMessages/recall":
		return s.recall(body)
	case "/v1.0/robot/messageFiles/download":
		return s.download(body)
	}
	return failed(404, "InvalidAction.NotFound")
}

func (s *Server) accessToken(body []byte) reply {
	var in struct{ AppKey, AppSecret string }
	if json.Unmarshal(body, &in) != nil || in.AppKey != s.AppID || in.AppSecret != s.Secret {
		return failed(400, "invalidClientIdOrSecret")
	}
	s.tokens++
	s.token = fmt.Sprintf("access-token-%d", s.tokens)
	return reply{data: map[string]any{"accessToken": s.token, "expireIn": 7200}}
}

// sent is what both ways of sending take.
type sent struct {
	Robot string   `json:"robotCode"`
	Users []string `json:"userIds"`
	Group string   `json:"openConversationId"`
	Key   string   `json:"msgKey"`
	Param string   `json:"msgParam"`
}

func (m sent) chat() string {
	if m.Group != "" {
		return m.Group
	}
	return strings.Join(m.Users, ",")
}

// maxParam is the longest content of a message, in bytes.
const maxParam = 20_000

func (s *Server) send(path string, body []byte) reply {
	var in sent
	if json.Unmarshal(body, &in) != nil || in.Robot != s.AppID {
		return failed(400, "resource.not.found")
	}
	if (path == sends[1]) != (in.Group != "") || in.chat() == "" || len(in.Param) > maxParam {
		return failed(400, "invalidParameter")
	}
	if in.Group == "cid-closed" {
		return failed(403, "robot.notInGroup")
	}
	if strings.HasPrefix(in.chat(), "stranger") || strings.HasPrefix(in.chat(), "$") {
		return reply{data: map[string]any{"processQueryKey": "nobody", "invalidStaffIdList": in.Users}}
	}
	m := &Message{ID: "key" + s.id()}
	if !s.fill(m, in) {
		return failed(400, "invalidParameter.msgParam.invalid")
	}
	s.chats[in.chat()] = append(s.chats[in.chat()], m)
	return reply{data: map[string]any{"processQueryKey": m.ID, "invalidStaffIdList": []string{}, "flowControlledStaffIdList": []string{}}}
}

// fill gives a message its content; false is one that cannot be.
func (s *Server) fill(m *Message, in sent) bool {
	var p struct{ Title, Text, Content, PhotoURL, MediaID, FileName, FileType string }
	if json.Unmarshal([]byte(in.Param), &p) != nil {
		return false
	}
	switch in.Key {
	case "sampleMarkdown":
		m.Title, m.Text = p.Title, p.Text
		return p.Title != "" && strings.TrimSpace(p.Text) != ""
	case "sampleText":
		m.Text = p.Content
		return strings.TrimSpace(p.Content) != ""
	case "sampleImageMsg":
		f, ok := s.media[p.PhotoURL]
		m.File = &f
		return ok
	case "sampleFile":
		f, ok := s.media[p.MediaID]
		f.Name = p.FileName
		m.File = &f
		return ok && p.FileName != "" && p.FileType != ""
	}
	return false
}

func (s *Server) recall(body []byte) reply {
	var in struct {
		Robot string   `json:"robotCode"`
		Keys  []string `json:"processQueryKeys"`
	}
	if json.Unmarshal(body, &in) != nil || in.Robot != s.AppID || len(in.Keys) != 1 {
		return failed(400, "invalidParameter")
	}
	for _, all := range s.chats {
		for _, m := range all {
			if m.ID == in.Keys[0] && m.From == "" {
				m.Gone = true
				return reply{data: map[string]any{"successResult": in.Keys, "failedResult": map[string]any{}}}
			}
		}
	}
	return reply{data: map[string]any{"successResult": []string{}, "failedResult": map[string]any{in.Keys[0]: "not there"}}}
}

func (s *Server) download(body []byte) reply {
	var in struct{ DownloadCode, RobotCode string }
	if json.Unmarshal(body, &in) != nil || in.RobotCode != s.AppID || in.DownloadCode == "" {
		return failed(400, "invalidParameter")
	}
	if strings.HasPrefix(in.DownloadCode, "expired") {
		return failed(404, "downloadCode.notExist")
	}
	return reply{data: map[string]any{"downloadUrl": s.Base + "/files/" + in.DownloadCode}}
}

func (s *Server) upload(kind, contentType string, body []byte) reply {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return reply{data: map[string]any{"errcode": 41005, "errmsg": "no form"}}
	}
	part, err := multipart.NewReader(bytes.NewReader(body), params["boundary"]).NextPart()
	if err != nil || part.FormName() != "media" || (kind != "image" && kind != "file") {
		return reply{data: map[string]any{"errcode": 41005, "errmsg": "no media"}}
	}
	data, err := io.ReadAll(part)
	if err != nil || len(data) == 0 {
		return reply{data: map[string]any{"errcode": 40009, "errmsg": "no bytes"}}
	}
	id := "@lADP" + s.id()
	s.media[id] = File{part.FileName(), data}
	return reply{data: map[string]any{"errcode": 0, "errmsg": "ok", "media_id": id, "type": kind}}
}
