package onebot

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"path"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// limit is how long one text is at most, in characters: QQ refuses texts of more than about 4,500, and
// folds long ones.
const limit = 3000

// chunks cuts a text as it is shown, without markup. There is always one.
func chunks(text string) []string {
	if out := markdown.PlainChunks(text, limit); len(out) > 0 {
		return out
	}
	return []string{"…"}
}

// Final brings a text into the chat: part 0 answers the person's message, the others follow in order,
// then the files: pictures as such, the others as files. Then the placeholder is taken back. Every
// message of QQ notifies, so the notifying words are left out. A part that may be in the chat already
// is sent again, with a mark. It waits for its turn, however long; end ctx to give up.
func (o *OneBot) Final(ctx context.Context, d akitad.Delivery) (messages []string, err error) {
	to, err := placeOf(d.Reply.Origin)
	if err != nil {
		return nil, err
	}
	out := chatsend.Outlet[letter]{Ready: o.room, Send: o.part, Fail: fail, Unclear: unclear, Less: letter.less, Say: letter.say}
	messages, err = out.Final(ctx, d, o.parts(to, d))
	if err == nil {
		o.recall(ctx, d.Message)
	}
	return messages, err
}

// less gives the halves of a text: it has no markup.
func (l letter) less() (out []letter) {
	if l.file != nil {
		return nil
	}
	for _, half := range markdown.Halves(l.body[0].Data["text"]) {
		piece, _ := l.say(half)
		out = append(out, piece)
	}
	return out
}

func (l letter) say(words string) (letter, bool) {
	l.body, l.reply = textOf(words), false
	return l, l.file == nil
}

func (o *OneBot) part(ctx context.Context, l letter, repeat bool, _ chatsend.Note) (string, error) {
	l.repeat = repeat
	file := l.file
	if file != nil {
		if err := o.load(ctx, &l); err != nil {
			return "", err
		}
	}
	id, err := o.deliver(ctx, l)
	if _, refused := errors.AsType[*refusal](err); refused && file != nil {
		err = &akitad.Error{Kind: akitad.InvalidRequest, Op: "onebot send " + file.file.Name, Err: err} // what comes after it may pass
	}
	return id, err
}

// parts cuts a delivery, always in the same way.
func (o *OneBot) parts(to place, d akitad.Delivery) []letter {
	base := letter{to: to, class: pace.ClassOf(d.Kind)}
	var out []letter
	for _, text := range chunks(d.Reply.Text) {
		l := base
		l.body = textOf(text)
		out = append(out, l)
	}
	out[0].reply = true
	for _, f := range chatsend.Files(d, o.opts.Open, o.log) {
		l := base
		l.file = &upload{file: f}
		out = append(out, l)
	}
	return out
}

// upload is a file on its way.
type upload struct {
	file akitad.File
	data []byte
}

// load reads a file that is to be sent. A picture, a sticker or a voice message becomes a message.
func (o *OneBot) load(ctx context.Context, l *letter) error {
	f := l.file.file
	data, err := chatfile.Load(ctx, f, o.opts.MaxFile, o.opts.Open)
	if err != nil {
		return err
	}
	content := "base64://" + base64.StdEncoding.EncodeToString(data)
	switch {
	case f.Kind == akitad.FileSticker:
		l.file, l.body = nil, []out{{Type: "image", Data: map[string]string{"file": content, "sub_type": "1", "summary": "[sticker]"}}}
	case f.Kind == akitad.FileVoice:
		l.file, l.body = nil, []out{{Type: "record", Data: map[string]string{"file": content}}}
	case chatfile.Picture(f):
		l.file, l.body = nil, []out{{Type: "image", Data: map[string]string{"file": content}}}
	default:
		l.file = &upload{file: f, data: data}
	}
	return nil
}

// uploads is how many times longer than another action an upload may take.
const uploads = 10

// upload sends a file as such. It has no message number.
func (o *OneBot) upload(ctx context.Context, l letter) (string, error) {
	name := path.Base(l.file.file.Name)
	if l.repeat {
		name = chatsend.RepeatMark + name
	}
	var sent struct {
		ID scalar `json:"file_id"`
	}
	err := o.callWithin(ctx, uploads*o.opts.Timeout, l.to.action("upload_group_file", "upload_private_file"), struct {
		target
		File string `json:"file"`
		Name string `json:"name"`
	}{l.to.target(), "base64://" + base64.StdEncoding.EncodeToString(l.file.data), name}, &sent)
	if err != nil {
		return "", err
	}
	return unsent + cmp.Or(string(sent.ID), name), nil
}
