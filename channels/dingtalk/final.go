package dingtalk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime/multipart"
	"net/url"
	"path"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/pace"
)

// chunks cuts a text. There is always one.
func chunks(text string) []markdown.Titled {
	if out := markdown.DingTalk(text); len(out) > 0 {
		return out
	}
	return []markdown.Titled{{Title: "…", Text: "…"}}
}

// Final brings a text into the chat in order, then the files, each as a message of its own; then the
// placeholder is taken back. Every message of DingTalk notifies, so the notifying words are left out. A
// part that may be in the chat already is sent again, with a mark. It waits for its turn, however long;
// end ctx to give up.
func (d *DingTalk) Final(ctx context.Context, del akitad.Delivery) (messages []string, err error) {
	to := del.Reply.Origin
	parts := d.parts(del)
	for i := max(del.From, 0); i < len(parts); i++ {
		l := parts[i]
		l.repeat = del.Repeat && i == del.From
		if err := d.gate.Wait(ctx, to.Chat, l.class); err != nil {
			return messages, fail("answer", err)
		}
		if del.Before != nil {
			if err := del.Before(ctx, i); err != nil {
				return messages, fmt.Errorf("before part %d: %w", i, err)
			}
		}
		id, err := d.deliver(ctx, l)
		if err != nil {
			return messages, fail(fmt.Sprintf("part %d of %d", i, len(parts)), err)
		}
		messages = append(messages, id)
	}
	d.recall(ctx, to, del.Message)
	return messages, nil
}

// parts cuts a delivery, always in the same way.
func (d *DingTalk) parts(del akitad.Delivery) (out []letter) {
	base := letter{to: del.Reply.Origin, class: pace.ClassOf(del.Kind)}
	for _, c := range chunks(del.Reply.Text) {
		l := base
		l.title, l.text = c.Title, c.Text
		out = append(out, l)
	}
	if d.opts.Open == nil {
		if len(del.Reply.Files) > 0 {
			d.log.Warn("dingtalk answer without its files", zap.Int("files", len(del.Reply.Files)))
		}
		return out
	}
	for _, f := range del.Reply.Files {
		l := base
		l.file = &f
		out = append(out, l)
	}
	return out
}

const maxUpload = 20 << 20 // bytes that DingTalk takes

// attach uploads a file and puts it into a message.
func (d *DingTalk) attach(ctx context.Context, m *outgoing, f akitad.File) error {
	body, err := d.opts.Open(ctx, f)
	if err != nil {
		return fmt.Errorf("open %q: %w", f.Name, err)
	}
	defer body.Close()
	data, err := chatfile.ReadAll(body, maxUpload)
	if err != nil {
		return fmt.Errorf("read %q: %w", f.Name, err)
	}
	name, kind := path.Base(f.Name), "file"
	if chatfile.Picture(f) {
		kind = "image"
	}
	id, err := d.upload(ctx, kind, name, data)
	if err != nil {
		return &uploadError{err}
	}
	if kind == "image" {
		return m.fill("sampleImageMsg", map[string]string{"photoURL": id})
	}
	return m.fill("sampleFile", map[string]string{"mediaId": id, "fileName": name, "fileType": orElse(strings.TrimPrefix(path.Ext(name), "."), "txt")})
}

// uploadError: a file was not taken, and nothing came into the chat.
type uploadError struct{ err error }

func (e *uploadError) Error() string { return "upload: " + e.err.Error() }
func (e *uploadError) Unwrap() error { return e.err }

// upload puts a file into DingTalk and gives its id there, by the old API: the new one has no such call.
func (d *DingTalk) upload(ctx context.Context, kind, name string, data []byte) (string, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	part, err := form.CreateFormFile("media", name)
	if err == nil {
		_, err = part.Write(data)
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return "", err
	}
	var out struct {
		Code    int64  `json:"errcode"`
		Message string `json:"errmsg"`
		ID      string `json:"media_id"`
	}
	err = d.withToken(ctx, func(token string) error {
		q := url.Values{"access_token": {token}, "type": {kind}}
		if err := d.request(ctx, d.opts.OldURL+"/media/upload?"+q.Encode(), "", form.FormDataContentType(), body.Bytes(), &out); err != nil {
			return err
		}
		return oldError(out.Code, out.Message)
	})
	return out.ID, err
}

// oldError gives an error of the old API in the new one's terms.
func oldError(code int64, words string) error {
	switch code {
	case 0:
		return nil
	case 40014, 42001, 41001, 88:
		return &apiError{200, "InvalidAuthentication", words}
	case 90018, 90006, 90002:
		return &apiError{200, "Throttling", words}
	case -1:
		return &apiError{500, "", words}
	}
	return &apiError{200, fmt.Sprint(code), words}
}
