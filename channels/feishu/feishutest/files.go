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
)

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

func (s *Server) resource(c call, m *Message) (any, *refusal) {
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
