package wecom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// Final brings a text into the chat in order, then cards with the buttons, then the files, each as a
// message of its own; then the placeholder is taken back. Every message of WeCom notifies, so the
// notifying words are left out. A part that may be in the chat already is sent again, with a mark. It
// waits for its turn, however long; end ctx to give up.
func (w *WeCom) Final(ctx context.Context, d akitad.Delivery) (messages []string, err error) {
	out := chatsend.Outlet[letter]{Ready: w.ready, Send: w.deliver, Fail: fail, Unclear: unclear, Less: letter.less, Say: letter.say}
	messages, err = out.Final(ctx, d, w.parts(d))
	if err == nil {
		w.recall(ctx, d.Message)
	}
	return messages, err
}

// maxPlain is the longest text without markup, in bytes, with room for the mark of a repetition: WeCom cuts a
// longer one off without a word.
const maxPlain = markdown.WeComLimit - len(chatsend.RepeatMark)

// less returns a text without markup, and then its halves. Of a card it is the question with the choices as lines.
func (l letter) less() (out []letter) {
	text := l.text
	switch {
	case l.card != nil:
		text = l.card.plain()
	case l.markdown != "":
		text = markdown.Plain(l.markdown)
	}
	if text != l.text && len(text) <= maxPlain {
		plain, _ := l.say(text)
		return []letter{plain}
	}
	for _, half := range markdown.Halves(text) {
		piece, _ := l.say(half)
		out = append(out, piece)
	}
	return out
}

func (l letter) say(words string) (letter, bool) {
	l.text, l.markdown, l.card = words, "", nil
	return l, l.file == nil
}

// parts cuts a delivery, always in the same way.
func (w *WeCom) parts(d akitad.Delivery) (out []letter) {
	base := letter{to: d.Reply.Origin.Chat, class: pace.ClassOf(d.Kind)}
	texts := chunks(d.Reply.Text)
	question := "…"
	if n := len(texts) - 1; len(d.Choices) > 0 && len(markdown.Plain(texts[n])) <= cardText {
		question, texts = cmp.Or(strings.TrimSpace(markdown.Plain(texts[n])), "…"), texts[:n]
	}
	for _, text := range texts {
		l := base
		l.markdown = text
		out = append(out, l)
	}
	for _, c := range cards(question, d.Choices) {
		l := base
		l.card = &c
		out = append(out, l)
	}
	for _, f := range chatsend.Files(d, w.opts.Open, w.log) {
		l := base
		l.file = &f
		out = append(out, l)
	}
	return out
}

// chunks cuts a text. There is always one.
func chunks(text string) []string {
	if out := markdown.WeCom(text); len(out) > 0 {
		return out
	}
	return []string{"…"}
}

const (
	maxImage = 10 << 20 // bytes of a picture that WeCom shows (JPEG and PNG)
	maxVoice = 2 << 20  // bytes of a voice message (AMR)
	maxFile  = 20 << 20 // bytes of any other file
	minFile  = 5        // bytes; WeCom takes no smaller one
)

// attach uploads a file and puts it into a message. What cannot be sent as it is refused with
// invalid_request, so that what comes after it is sent.
func (w *WeCom) attach(ctx context.Context, m *outgoing, f akitad.File) error {
	data, err := chatfile.Load(ctx, f, maxFile, w.opts.Open)
	if err != nil {
		return err
	}
	if len(data) < minFile {
		data = append(data, "\n\n\n\n\n"[len(data):]...)
	}
	kind := kindOfFile(f, len(data))
	id, err := w.upload(ctx, kind, path.Base(f.Name), data)
	if err != nil {
		return &chatsend.NotSent{Err: fmt.Errorf("upload: %w", err)}
	}
	m.Type = kind
	switch kind {
	case "image":
		m.Image = &media{id}
	case "voice":
		m.Voice = &media{id}
	default:
		m.File = &media{id}
	}
	return nil
}

// kindOfFile says how a file is shown.
func kindOfFile(f akitad.File, size int) string {
	ext := strings.ToLower(path.Ext(f.Name))
	switch {
	case (ext == ".jpg" || ext == ".jpeg" || ext == ".png") && size <= maxImage:
		return "image"
	case f.Kind == akitad.FileVoice && ext == ".amr" && size <= maxVoice:
		return "voice"
	}
	return "file"
}

var errNoMedia = errors.New("the message names no file")
