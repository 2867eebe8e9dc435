package wecom

import (
	"cmp"
	"context"
	"fmt"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// uploads is how many times longer than another request one with a file may take.
const uploads = 10

// letter is one message on its way; exactly one of its contents is set.
type letter struct {
	to    string
	class pace.Class
	// repeat: it may be in the chat already. WeCom's own check for doubles compares texts, and would lose
	// the same words said twice on purpose.
	repeat bool

	text     string // plain
	markdown string
	card     *card
	file     *akitad.File
}

// content is a text in the API.
type content struct {
	Content string `json:"content"`
}

type media struct {
	ID string `json:"media_id"`
}

// outgoing is a message in the API.
type outgoing struct {
	To       string   `json:"touser"`
	Agent    int64    `json:"agentid"`
	Type     string   `json:"msgtype"`
	Text     *content `json:"text,omitempty"`
	Markdown *content `json:"markdown,omitempty"`
	Image    *media   `json:"image,omitempty"`
	Voice    *media   `json:"voice,omitempty"`
	File     *media   `json:"file,omitempty"`
	Card     *card    `json:"template_card,omitempty"`
}

// Placeholder puts a first message into the chat and gives its id. WeCom notifies the person of it, and
// it cannot be rewritten: it is taken back when the answer is there.
func (w *WeCom) Placeholder(ctx context.Context, to akitad.Origin, text, _ string) (message string, err error) {
	l := letter{to: to.Chat, class: pace.Notice, text: plain(text)}
	if err = w.ready(ctx, l); err == nil {
		message, err = w.deliver(ctx, l, false, nil)
	}
	return message, fail("placeholder", err)
}

// plain returns what fits one text message.
func plain(text string) string {
	if out := markdown.PlainChunks(text, markdown.WeComLimit/4); len(out) > 0 { // a character has at most 4 bytes
		return out[0]
	}
	return "…"
}

// Progress shows nothing: WeCom cannot edit, and a message for each step would be a nuisance.
func (w *WeCom) Progress(context.Context, akitad.Origin, string, string) error { return nil }

// ready waits for room to send a letter.
func (w *WeCom) ready(ctx context.Context, l letter) error { return w.gate.Wait(ctx, l.to, l.class) }

// deliver sends a letter until it is answered. Room for the first try was taken.
func (w *WeCom) deliver(ctx context.Context, l letter, repeat bool, _ chatsend.Note) (string, error) {
	l.repeat = repeat
	c := chatsend.Courier{Gate: w.gate, Retry: w.opts.Retry, Pause: w.opts.Pause, Log: w.log, Kind: kindOf, Untaken: untaken}
	return c.Send(ctx, l.to, l.class, func(ctx context.Context) (string, error) { return w.once(ctx, l) })
}

// untaken: WeCom says of its own trouble (-1) that a message was not taken.
func untaken(err error) bool { return chatsend.NeverSent(err) || codeOf(err) == -1 }

// once makes the request for a letter.
func (w *WeCom) once(ctx context.Context, l letter) (string, error) {
	limit := w.opts.Timeout
	if l.file != nil {
		limit *= uploads
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := w.outgoing(ctx, l)
	if err != nil {
		return "", err
	}
	var out struct {
		answer
		ID      string `json:"msgid"`
		Invalid string `json:"invaliduser"`
	}
	if err := w.call(ctx, "/cgi-bin/message/send", nil, m, &out); err != nil {
		return "", err
	}
	if out.Invalid != "" {
		return "", &apiError{code: 81013, words: "the person cannot be written to"}
	}
	if m.Card != nil {
		return m.Card.TaskID, nil
	}
	return cmp.Or(out.ID, "sent"), nil
}

// outgoing makes the message of a letter; a file is uploaded for it.
func (w *WeCom) outgoing(ctx context.Context, l letter) (outgoing, error) {
	m := outgoing{To: l.to, Agent: w.agent}
	mark := ""
	if l.repeat {
		mark = chatsend.RepeatMark
	}
	switch {
	case l.file != nil:
		return m, w.attach(ctx, &m, *l.file)
	case l.card != nil:
		c, err := l.card.marked(mark)
		m.Type, m.Card = "template_card", &c
		return m, err
	case l.markdown != "":
		if len(mark+l.markdown) > markdown.WeComLimit { // the mark goes before it
			if _, err := w.once(ctx, letter{to: l.to, text: mark}); err != nil {
				return m, err
			}
			mark = ""
		}
		m.Type, m.Markdown = "markdown", &content{mark + l.markdown}
	default:
		m.Type, m.Text = "text", &content{mark + l.text}
	}
	return m, nil
}

// recall takes a placeholder back, which WeCom allows for a day. One that stays does no harm.
func (w *WeCom) recall(ctx context.Context, message string) {
	if message == "" || message == "sent" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.opts.Timeout)
	defer cancel()
	var out answer
	if err := w.call(ctx, "/cgi-bin/message/recall", nil, map[string]string{"msgid": message}, &out); err != nil {
		w.log.Debug("wecom placeholder stays", zap.Error(fmt.Errorf("recall: %w", err)))
	}
}
