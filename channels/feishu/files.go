package feishu

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime/multipart"
	"net/http"
	"path"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/sleep"
)

// What the service takes (open.feishu.cn, upload images and files): not empty, and at most so many bytes.
const (
	maxFile  = 30 << 20
	maxImage = 10 << 20
)

// deliver brings one part into the chat. A file that the service cannot have is said in words.
func (f *Feishu) deliver(ctx context.Context, p part, repeat bool, note chatsend.Note) (string, error) {
	l := p.letter
	l.repeat, l.note = repeat, note
	if p.file != nil {
		kind, content, err := f.upload(ctx, *p.file, p.lang)
		if note, ok := errors.AsType[*unsendable](err); ok {
			f.log.Warn("feishu file not sent", zap.String("name", p.file.Name), zap.Error(err))
			l.card, kind = plainCard(note.words), ""
		} else if err != nil {
			return "", err
		}
		l.kind, l.content = kind, content
	}
	return f.post(ctx, l)
}

// unsendable is a file that cannot go into a chat, in words for who waits for it.
type unsendable struct{ words string }

func (u *unsendable) Error() string { return u.words }

func tooLarge(lang, name string) error {
	if lang == "zh" {
		return &unsendable{fmt.Sprintf("文件 %s 超过 30 MB，无法在这里发送。", name)}
	}
	return &unsendable{fmt.Sprintf("The file %s is over 30 MB, which is more than can be sent here.", name)}
}

func empty(lang, name string) error {
	if lang == "zh" {
		return &unsendable{fmt.Sprintf("文件 %s 是空的，无法在这里发送。", name)}
	}
	return &unsendable{fmt.Sprintf("The file %s is empty, so it cannot be sent here.", name)}
}

// upload gives a file to the service, and the message that shows it.
func (f *Feishu) upload(ctx context.Context, file akitad.File, lang string) (kind, content string, err error) {
	select {
	case f.uploads <- struct{}{}:
		defer func() { <-f.uploads }()
	case <-ctx.Done():
		return "", "", context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	name := path.Base(file.Name)
	data, err := f.readFile(ctx, file, name, lang)
	if err != nil {
		return "", "", err
	}
	if isImage(name, data) && len(data) <= maxImage {
		key, err := f.uploadForm(ctx, "/open-apis/im/v1/images", "image_key", newForm("image", name, data, "image_type", "message"))
		if err == nil {
			return "image", string(encode(map[string]string{"image_key": key})), nil
		}
		if kindOf(err) != akitad.InvalidRequest {
			return "", "", err
		}
		f.log.Info("feishu image refused; sent as a file", zap.Error(err))
	}
	fileType, kind := fileTypeOf(name)
	key, err := f.uploadForm(ctx, "/open-apis/im/v1/files", "file_key", newForm("file", name, data, "file_type", fileType, "file_name", name))
	return kind, string(encode(map[string]string{"file_key": key})), err
}

func (f *Feishu) readFile(ctx context.Context, file akitad.File, name, lang string) ([]byte, error) {
	data, err := chatfile.Load(ctx, file, maxFile, f.opts.Open)
	switch {
	case chatfile.IsTooLarge(err):
		return nil, tooLarge(lang, name)
	case err == nil && len(data) == 0:
		return nil, empty(lang, name)
	}
	return data, err
}

// isImage goes by the bytes and the ending: the service refuses what only looks like a picture.
func isImage(name string, data []byte) bool {
	switch http.DetectContentType(data) {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp":
		return true
	}
	switch strings.ToLower(path.Ext(name)) {
	case ".tif", ".tiff", ".heic":
		return true
	}
	return false
}

// fileTypeOf gives the service's type of a file by its ending, and the message that shows such a one.
func fileTypeOf(name string) (fileType, kind string) {
	switch strings.ToLower(path.Ext(name)) {
	case ".opus":
		return "opus", "audio"
	case ".mp4":
		return "mp4", "media"
	case ".pdf":
		return "pdf", "file"
	case ".doc", ".docx":
		return "doc", "file"
	case ".xls", ".xlsx":
		return "xls", "file"
	case ".ppt", ".pptx":
		return "ppt", "file"
	}
	return "stream", "file"
}

// formBody is a form with one file.
type formBody struct {
	data []byte
	kind string // content type
}

// newForm makes a form of fields (name, value, name, value ...) and a file.
func newForm(field, name string, data []byte, fields ...string) formBody {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for i := 0; i < len(fields); i += 2 {
		_ = form.WriteField(fields[i], fields[i+1]) // a bytes.Buffer takes everything
	}
	w, _ := form.CreateFormFile(field, name)
	_, _ = w.Write(data)
	_ = form.Close()
	return formBody{b.Bytes(), form.FormDataContentType()}
}

// uploadForm sends a form until it is answered and gives the key that came back. An upload that is not
// used does no harm, so it may be repeated.
func (f *Feishu) uploadForm(ctx context.Context, to, key string, form formBody) (string, error) {
	retry := chatsend.Retry(0)
	for try := 1; ; try++ {
		out, err := f.wire.Call(ctx, request{method: http.MethodPost, path: to, body: form.data, kind: form.kind})
		if err == nil {
			var answer map[string]json.RawMessage
			var value string
			if json.Unmarshal(out.data, &answer) != nil || json.Unmarshal(answer[key], &value) != nil || value == "" {
				return "", &apiError{status: http.StatusBadGateway, msg: "no key in the answer"}
			}
			return value, nil
		}
		pause, _, limited := pauseOf(err)
		if !limited {
			pause = retry.NextBackOff()
		}
		if !kindOf(err).Temporary() || try >= sendTries || !sleep.For(ctx, pause) {
			return "", err
		}
	}
}
