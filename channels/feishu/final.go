package feishu

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// part is one message of a delivery: a text, or a file.
type part struct {
	letter letter
	file   *akitad.File
	lang   string // of the person, for a file that cannot be sent
}

// Final brings a text into the chat: part 0 takes the placeholder's place, the others follow in order,
// then the files, then the notifying words. It waits for its turn, however long; end ctx to give up. On an
// error the part announced last may have arrived, unless the kind says that it was refused (rate_limited
// never comes: it is waited out). Deliver again with From at that part, and with Repeat: for an hour the
// service knows the part again and keeps it from being in the chat twice.
func (f *Feishu) Final(ctx context.Context, d akitad.Delivery) (messages []string, err error) {
	to, err := placeOf(d.Reply.Origin)
	if err != nil {
		return nil, err
	}
	out := chatsend.Outlet[part]{Send: f.deliver, Fail: fail, Unclear: unclear, Less: part.less, Say: part.say}
	return out.Final(ctx, d, f.parts(to, d))
}

// less gives the halves of a text. That it was refused without markup too is known by then.
func (p part) less() (out []part) {
	halves := markdown.Halves(p.letter.card.plain)
	for i, half := range halves {
		l := p.letter.bare(half, strconv.Itoa(i))
		if i > 0 {
			l.edit = ""
		}
		if i < len(halves)-1 {
			l.buttons = nil
		}
		out = append(out, part{letter: l})
	}
	return out
}

func (p part) say(words string) (part, bool) {
	return part{letter: p.letter.bare(words, "-")}, p.file == nil
}

// bare gives a letter without markup that stands for another one, by a name of its own.
func (l letter) bare(text, name string) letter {
	l.card, l.form = plainCard(text), formPlain
	l.uuid += name // it has at most 50 characters; 32 and one for each time that a text is halved
	return l
}

// parts cuts a delivery, always in the same way.
func (f *Feishu) parts(to place, d akitad.Delivery) []part {
	base := letter{to: to, class: pace.ClassOf(d.Kind)}
	var out []part
	for _, c := range cardsOf(d.Reply.Text) {
		l := base
		l.card = c
		out = append(out, part{letter: l})
	}
	out = withButtons(out, buttonsOf(d.Choices, to))
	for _, file := range chatsend.Files(d, f.opts.Open, f.log) {
		out = append(out, part{letter: base, file: &file, lang: d.Reply.Origin.Lang})
	}
	if d.Notify != "" {
		l := base
		l.card = first(d.Notify)
		out = append(out, part{letter: l})
	}
	for i := range out {
		out[i].letter.uuid = out[i].uuid(d, i)
	}
	out[0].letter.edit = d.Message
	return out
}

// cardsOf cuts the text; there is always one card.
func cardsOf(text string) []card {
	all := cards(text)
	if len(all) == 0 {
		return []card{first(text)}
	}
	return all
}

// withButtons puts buttons below the last text, or below a line of their own if it is full.
func withButtons(texts []part, buttons []button) []part {
	if len(buttons) == 0 {
		return texts
	}
	last := &texts[len(texts)-1].letter
	if !last.card.fits(buttons) {
		l := *last
		l.card = plainCard("…")
		texts = append(texts, part{letter: l})
		last = &texts[len(texts)-1].letter
	}
	last.buttons = buttons
	return texts
}

// uuid names a part to the service: the same part of the same delivery always by the same name. What it
// says is part of the name, for a task may ask several questions.
func (p part) uuid(d akitad.Delivery, index int) string {
	h := sha256.New()
	add := func(text string) { fmt.Fprintf(h, "%d:%s", len(text), text) }
	for _, text := range []string{string(d.Reply.Task), string(d.Kind), d.Message, d.Reply.Origin.Message, strconv.Itoa(index), p.letter.card.plain} {
		add(text)
	}
	for _, b := range p.letter.buttons {
		add(b.value.Choice)
	}
	if p.file != nil {
		add(p.file.Name)
		add(p.file.Artifact)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}
