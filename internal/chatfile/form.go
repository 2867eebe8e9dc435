package chatfile

import (
	"bytes"
	"mime/multipart"
)

// Form is what an upload sends.
type Form struct {
	Body []byte
	Type string // of the content
}

// NewForm makes a form of fields (name, value, name, value ...) and a file.
func NewForm(field, name string, data []byte, fields ...string) Form {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1]) // a bytes.Buffer takes everything
	}
	w, _ := form.CreateFormFile(field, name)
	_, _ = w.Write(data)
	_ = form.Close()
	return Form{b.Bytes(), form.FormDataContentType()}
}
