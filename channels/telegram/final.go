package telegram

import (
	"context"
	"fmt"
	"strconv"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/pace"
)

// part is one message of a delivery: a text, or a file.
type part struct {
	letter letter
	file   *akitad.File
}

// Final brings a text into the chat: part 0 takes the placeholder's place, the others follow in order,
// with the choices as buttons below the last one, then the files (pictures as photos, stickers and
// spoken words as such, everything else as documents of at most 50 MB), then the notifying words. It waits for its turn, however long; end ctx to
// give up. On an error the part announced last may have arrived, unless the kind says that it was
// refused (rate_limited never comes: it is waited out). Deliver again with From at that part, and
// with Repeat.
func (t *Telegram) Final(ctx context.Context, d akitad.Delivery) (messages []string, err error) {
	to, err := t.place(d.Reply.Origin)
	if err != nil {
		return nil, err
	}
	parts := t.parts(to, d)
	for i := max(d.From, 0); i < len(parts); i++ {
		if d.Before != nil {
			if err := d.Before(ctx, i); err != nil {
				return messages, fmt.Errorf("before part %d: %w", i, err)
			}
		}
		parts[i].letter.repeat = d.Repeat && i == d.From
		id, err := t.deliver(ctx, parts[i])
		if err != nil {
			return messages, fail(fmt.Sprintf("part %d of %d", i, len(parts)), err)
		}
		messages = append(messages, strconv.Itoa(id))
	}
	return messages, nil
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
	if t.opts.Open != nil {
		for _, f := range d.Reply.Files {
			out = append(out, part{letter: base, file: &f})
		}
	} else if len(d.Reply.Files) > 0 {
		t.log.Warn("telegram answer without its files", zap.Int("files", len(d.Reply.Files)))
	}
	if d.Notify != "" {
		out = append(out, part{letter: letter{to: to, class: c, chunk: first(d.Notify)}})
	}
	return out
}

// chunksOf cuts the text, with room for the mark of a repetition. There is always one.
func chunksOf(r akitad.Reply) []markdown.Chunk {
	chunks := markdown.Telegram(r.Text, markdown.Limit-markdown.Units(repeatMark))
	if len(chunks) == 0 {
		chunks = []markdown.Chunk{first(r.Text)}
	}
	return chunks
}

func (t *Telegram) deliver(ctx context.Context, p part) (int, error) {
	if p.file == nil {
		return t.post(ctx, p.letter)
	}
	return t.sendFile(ctx, p.letter, *p.file)
}
