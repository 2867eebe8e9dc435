package telegram

import (
	"context"
	"strconv"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// part is one message of a delivery: a text, a file, or an album of photos.
type part struct {
	letter letter
	files  []akitad.File
}

// Final brings a text into the chat: part 0 takes the placeholder's place, the others follow in order,
// with the choices as buttons below the last one, then the files (photos that stand next to each other as
// albums, stickers and spoken words as such, everything else as documents of at most 50 MB), then the
// notifying words. It waits for its turn, however long; end ctx to give up. On an error the part announced
// last may have arrived, unless the kind says that it was refused (rate_limited never comes: it is waited
// out). Deliver again with From at that part, and with Repeat.
func (t *Telegram) Final(ctx context.Context, d akitad.Delivery) (messages []string, err error) {
	to, err := t.place(d.Reply.Origin)
	if err != nil {
		return nil, err
	}
	out := chatsend.Outlet[part]{Ready: t.ready, Send: t.deliver, Fail: fail, Unclear: unclear, Less: part.less, Say: part.say}
	return out.Final(ctx, d, t.parts(to, d))
}

// less gives the halves of a text. That it was refused without markup too is known by then.
func (p part) less() (out []part) {
	halves := markdown.Halves(p.letter.chunk.Plain)
	for i, half := range halves {
		l := p.letter
		l.chunk, l.bare = markdown.Chunk{Plain: half}, true
		if i > 0 {
			l.edit, l.to.answer = 0, 0
		}
		if i < len(halves)-1 {
			l.buttons = nil
		}
		out = append(out, part{letter: l})
	}
	return out
}

func (p part) say(words string) (part, bool) {
	p.letter.chunk, p.letter.bare = markdown.Chunk{Plain: words}, true
	return p, len(p.files) == 0
}

// parts cuts a delivery, always in the same way.
func (t *Telegram) parts(to place, d akitad.Delivery) []part {
	edit, _ := strconv.Atoi(d.Message)
	c := pace.ClassOf(d.Kind)
	base := letter{to: to, class: c, silent: true, lang: d.Reply.Origin.Lang}
	base.to.answer = 0 // only what begins or notifies replies to the person
	var out []part
	for _, chunk := range chunksOf(d.Reply) {
		l := base
		l.chunk = chunk
		out = append(out, part{letter: l})
	}
	out[len(out)-1].letter.buttons = t.keyboardOf(d.Choices)
	out[0].letter.edit, out[0].letter.silent, out[0].letter.to = edit, false, to
	for _, together := range groups(chatsend.Files(d, t.opts.Open, t.log)) {
		out = append(out, part{letter: base, files: together})
	}
	if d.Notify != "" {
		out = append(out, part{letter: letter{to: to, class: c, chunk: first(d.Notify)}})
	}
	return out
}

// chunksOf cuts the text, with room for the mark of a repetition. There is always one.
func chunksOf(r akitad.Reply) []markdown.Chunk {
	chunks := markdown.Telegram(r.Text, markdown.Limit-markdown.Units(chatsend.RepeatMark))
	if len(chunks) == 0 {
		chunks = []markdown.Chunk{first(r.Text)}
	}
	return chunks
}

// ready waits for room for all photos of an album but the first: each counts, and each request waits for room
// by itself.
func (t *Telegram) ready(ctx context.Context, p part) error {
	for i := 1; i < len(p.files); i++ {
		if err := t.gate.Wait(ctx, p.letter.to.key(), p.letter.class); err != nil {
			return err
		}
	}
	return nil
}

func (t *Telegram) deliver(ctx context.Context, p part, repeat bool, note chatsend.Note) (message string, err error) {
	p.letter.repeat, p.letter.note = repeat, note
	id := 0
	switch len(p.files) {
	case 0:
		id, err = t.post(ctx, p.letter)
	case 1:
		id, err = t.sendFile(ctx, p.letter, p.files[0])
	default:
		id, err = t.sendAlbum(ctx, p.letter, p.files)
	}
	if err != nil && len(p.files) > 0 && onlyThis(err) {
		err = passedOver(err)
	}
	return strconv.Itoa(id), err
}
