package dingtalk

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"path"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
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
	out := chatsend.Outlet[letter]{Ready: d.ready, Send: d.deliver, Fail: fail, Unclear: unclear, Less: letter.less, Say: letter.say}
	messages, err = out.Final(ctx, del, d.parts(del))
	if err == nil {
		d.recall(ctx, del.Reply.Origin, del.Message)
	}
	return messages, err
}

// less returns a text without markup, and then its halves.
func (l letter) less() (out []letter) {
	if l.file != nil {
		return nil
	}
	if l.title != "" {
		plain, _ := l.say(markdown.Plain(l.text))
		return []letter{plain}
	}
	for _, half := range markdown.Halves(l.text) {
		piece, _ := l.say(half)
		out = append(out, piece)
	}
	return out
}

func (l letter) say(words string) (letter, bool) {
	l.title, l.text = "", words
	return l, l.file == nil
}

// parts cuts a delivery, always in the same way.
func (d *DingTalk) parts(del akitad.Delivery) (out []letter) {
	base := letter{to: del.Reply.Origin, class: pace.ClassOf(del.Kind)}
	for _, c := range chunks(del.Reply.Text) {
		l := base
		l.title, l.text = c.Title, c.Text
		out = append(out, l)
	}
	for _, f := range chatsend.Files(del, d.opts.Open, d.log) {
		l := base
		l.file = &f
		out = append(out, l)
	}
	return out
}

const maxUpload = 20 << 20 // bytes that DingTalk takes

// attach uploads a file and puts it into a message.
func (d *DingTalk) attach(ctx context.Context, m *outgoing, f akitad.File) error {
	data, err := chatfile.Load(ctx, f, maxUpload, d.opts.Open)
	if err != nil {
		return err
	}
	name, kind := path.Base(f.Name), "file"
	if chatfile.Picture(f) {
		kind = "image"
	}
	id, err := d.upload(ctx, kind, name, data)
	if err != nil {
		return &chatsend.NotSent{Err: fmt.Errorf("upload: %w", err)}
	}
	if kind == "image" {
		return m.fill("sampleImageMsg", map[string]string{"photoURL": id})
	}
	return m.fill("sampleFile", map[string]string{"mediaId": id, "fileName": name, "fileType": cmp.Or(strings.TrimPrefix(path.Ext(name), "."), "txt")})
}

// upload puts a file into DingTalk and gives its id there, by the old API: the new one has no such call.
func (d *DingTalk) upload(ctx context.Context, kind, name string, data []byte) (string, error) {
	form := chatfile.NewForm("media", name, data)
	var out struct {
		Code    int64  `json:"errcode"`
		Message string `json:"errmsg"`
		ID      string `json:"media_id"`
	}
	err := d.token.Do(ctx, staleToken, func(token string) error {
		q := url.Values{"access_token": {token}, "type": {kind}}
		if err := d.request(ctx, d.opts.OldURL+"/media/upload?"+q.Encode(), "", form.Type, form.Body, &out); err != nil {
			return err
		}
		return oldError(out.Code, out.Message)
	})
	return out.ID, err
}

// oldError returns an error of the old API in the new one's terms.
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
