package wecom

import (
	"context"
	"fmt"
	"time"

	"github.com/cenkalti/backoff/v5"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/pace"
)

const (
	// sendTries is how often a message is sent that was surely not taken.
	sendTries = 3
	// repeatMark stands before a part that may be in the chat twice. WeCom's own check for doubles
	// compares texts, and would lose the same words said twice on purpose.
	repeatMark = "🔁 "
	// uploads is how many times longer than another request one with a file may take.
	uploads = 10
)

// letter is one message on its way; exactly one of its contents is set.
type letter struct {
	to     string
	class  pace.Class
	repeat bool // it may be in the chat already

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
func (w *WeCom) Placeholder(ctx context.Context, to akitad.Origin, text string) (message string, err error) {
	l := letter{to: to.Chat, class: pace.Notice, text: plain(text)}
	if err := w.gate.Wait(ctx, l.to, l.class); err != nil {
		return "", fail("placeholder", err)
	}
	id, err := w.deliver(ctx, l)
	return id, fail("placeholder", err)
}

// plain gives what fits one text message.
func plain(text string) string {
	if out := markdown.PlainChunks(text, markdown.WeComLimit/4); len(out) > 0 { // a character has at most 4 bytes
		return out[0]
	}
	return "…"
}

// Progress shows nothing: WeCom cannot edit, and a message for each step would be a nuisance.
func (w *WeCom) Progress(context.Context, akitad.Origin, string, string) error { return nil }

func (w *WeCom) newRetry() *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval = w.opts.Retry, max(w.opts.Retry, 30*time.Second)
	return b
}

// deliver sends a letter until it is answered. Limits are waited out; what was surely not taken is sent
// again some times. Room for the first try was taken.
func (w *WeCom) deliver(ctx context.Context, l letter) (id string, err error) {
	retry := w.newRetry()
	for try := 1; ; {
		id, err = w.once(ctx, l)
		var wait time.Duration
		switch kind := kindOf(err); {
		case err == nil || ctx.Err() != nil:
			return id, err
		case kind == akitad.RateLimited:
			wait = w.opts.Pause
			w.gate.Refused(l.to, wait)
		case kind.Temporary() && (neverSent(err) || codeOf(err) == -1) && try < sendTries:
			wait = retry.NextBackOff()
			try++
		default:
			return "", err
		}
		w.log.Warn("wecom message not sent, tried again", zap.Duration("after", wait), zap.Error(err))
		w.gate.Pause(l.to, wait)
		if err := w.gate.Wait(ctx, l.to, l.class); err != nil {
			return "", err
		}
	}
}

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
	return first(out.ID, "sent"), nil
}

// outgoing makes the message of a letter; a file is uploaded for it.
func (w *WeCom) outgoing(ctx context.Context, l letter) (outgoing, error) {
	m := outgoing{To: l.to, Agent: w.agent}
	mark := ""
	if l.repeat {
		mark = repeatMark
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
