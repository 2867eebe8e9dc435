package admin

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/akitad/akitad"
)

// chatMessage is one message of a request, its text and files taken out of the parts.
type chatMessage struct {
	Role  string
	Text  string
	Files []akitad.InputFile
}

type chatPart struct {
	Type  string    `json:"type"`
	Text  string    `json:"text"`
	Image chatImage `json:"image_url"`
	File  struct {
		Name string `json:"filename"`
		Data string `json:"file_data"`
	} `json:"file"`
}

// chatImage is where an image is: an object, or, from some clients, the URL alone.
type chatImage struct {
	URL string `json:"url"`
}

// UnmarshalJSON implements json.Unmarshaler.
func (i *chatImage) UnmarshalJSON(body []byte) error {
	if json.Unmarshal(body, &i.URL) == nil {
		return nil
	}
	type plain chatImage
	return json.Unmarshal(body, (*plain)(i))
}

// UnmarshalJSON takes content as text, as null, and as parts. Images and files must be in the request
// itself, as data URLs.
func (m *chatMessage) UnmarshalJSON(body []byte) error {
	var raw struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	}
	if err := json.Unmarshal(body, &raw); err != nil {
		return err
	}
	m.Role = raw.Role
	if len(raw.Content) == 0 || json.Unmarshal(raw.Content, &m.Text) == nil {
		return nil
	}
	var parts []chatPart
	if err := json.Unmarshal(raw.Content, &parts); err != nil {
		return akitad.Errorf(akitad.InvalidRequest, "the content of a message is neither text nor a list of parts")
	}
	var texts []string
	for _, p := range parts {
		switch p.Type {
		case "text", "input_text", "output_text":
			texts = append(texts, p.Text)
		case "image_url", "input_image", "file":
			f, err := p.file()
			if err != nil {
				return err
			}
			m.Files = append(m.Files, f)
		default:
			return akitad.Errorf(akitad.InvalidRequest, "a part of a message has the type %q", p.Type).WithHint("text, image_url and file are taken")
		}
	}
	m.Text = strings.Join(texts, "\n\n")
	return nil
}

// file reads a data URL.
func (p chatPart) file() (akitad.InputFile, error) {
	given := p.Image.URL
	if p.Type == "file" {
		given = p.File.Data
	}
	head, body, found := strings.Cut(strings.TrimPrefix(given, "data:"), ",")
	encoded := strings.HasSuffix(head, ";base64")
	data, err := base64.StdEncoding.DecodeString(body)
	if !strings.HasPrefix(given, "data:") || !found || !encoded || err != nil {
		return akitad.InputFile{}, akitad.Errorf(akitad.InvalidRequest, "a part of type %s is not a data URL in base64", p.Type).
			WithHint("send the bytes themselves, like data:image/png;base64,...; nothing is fetched from other addresses")
	}
	return akitad.InputFile{Name: p.File.Name, Content: data}, nil
}

// extension gives the end of a name by what the bytes are.
func extension(data []byte) string {
	kind, _, _ := mime.ParseMediaType(http.DetectContentType(data)) // always is one
	switch kind {
	case "image/png":
		return ".png"
	case "image/jpeg":
		return ".jpg"
	case "image/gif":
		return ".gif"
	case "image/webp":
		return ".webp"
	case "application/pdf":
		return ".pdf"
	case "text/plain":
		return ".txt"
	}
	return ".bin"
}

// conversation is a request's messages as a task starts from them.
type conversation struct {
	text  string
	files []akitad.InputFile
	chat  akitad.Chat
}

// read takes the messages apart: the person's last words are the task, what was said before are its
// earlier turns, and what the program says itself is handed on beside them.
func read(messages []chatMessage) (c conversation, err error) {
	var inputs []string
	for _, m := range messages {
		switch m.Role {
		case "system", "developer":
			inputs = append(inputs, m.Text)
		case "user":
			c.said(m)
		case "assistant":
			if words := c.answered(m.Text); words != "" {
				inputs = append(inputs, "you opened the conversation with: "+words)
			}
		case "tool", "function":
			c.answered("[result of a tool] " + m.Text)
		default:
			return c, akitad.Errorf(akitad.InvalidRequest, "a message has the role %q", m.Role).WithHint("use system, user and assistant")
		}
	}
	last := len(c.chat.Earlier) - 1
	if last < 0 || c.chat.Earlier[last].Answered != "" || strings.TrimSpace(c.chat.Earlier[last].Said) == "" {
		return c, akitad.Errorf(akitad.InvalidRequest, "the last message is not the user's, or it is empty").WithHint("end messages with what is wanted, as role user")
	}
	c.text, c.chat.Earlier = c.chat.Earlier[last].Said, c.chat.Earlier[:last]
	c.chat.Inputs = strings.TrimSpace(strings.Join(inputs, "\n\n"))
	return c, nil
}

// said adds what a person said. What comes without an answer between belongs together.
func (c *conversation) said(m chatMessage) {
	for _, f := range m.Files {
		if f.Name == "" {
			f.Name = fmt.Sprintf("attachment-%d%s", len(c.files)+1, extension(f.Content))
		}
		if slices.ContainsFunc(c.files, func(other akitad.InputFile) bool { return other.Name == f.Name }) {
			f.Name = fmt.Sprintf("%d-%s", len(c.files)+1, f.Name)
		}
		c.files = append(c.files, f)
	}
	if n := len(c.chat.Earlier); n > 0 && c.chat.Earlier[n-1].Answered == "" {
		c.chat.Earlier[n-1].Said = strings.TrimSpace(c.chat.Earlier[n-1].Said + "\n\n" + m.Text)
		return
	}
	c.chat.Earlier = append(c.chat.Earlier, akitad.Turn{Said: m.Text})
}

// answered adds to the answer of the newest turn; words that answer nothing come back.
func (c *conversation) answered(words string) string {
	n := len(c.chat.Earlier)
	if n == 0 {
		return words
	}
	t := &c.chat.Earlier[n-1]
	t.Answered = strings.TrimSpace(t.Answered + "\n\n" + words)
	return ""
}
