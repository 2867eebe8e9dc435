package dingtalk

import (
	"cmp"
	"context"
	"encoding/json"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
)

// uploads is how many times longer than another request one with a file may take.
const uploads = 10

// letter is one message on its way: a text or a file.
type letter struct {
	to     akitad.Origin
	class  pace.Class
	repeat bool   // it may be in the chat already
	title  string // of Markdown; empty: the text has no markup
	text   string // DingTalk's Markdown, or plain
	file   *akitad.File
}

// outgoing is a message in the API.
type outgoing struct {
	Robot string   `json:"robotCode"`
	Users []string `json:"userIds,omitempty"`
	Group string   `json:"openConversationId,omitempty"`
	Key   string   `json:"msgKey"`
	Param string   `json:"msgParam"` // JSON
}

// Placeholder puts a first message into the chat and gives its id. DingTalk notifies the person of it,
// and it cannot be rewritten: it is taken back when the answer is there.
func (d *DingTalk) Placeholder(ctx context.Context, to akitad.Origin, text, _ string) (message string, err error) {
	first := chunks(text)[0]
	l := letter{to: to, class: pace.Notice, title: first.Title, text: first.Text}
	if err = d.ready(ctx, l); err == nil {
		message, err = d.deliver(ctx, l, false, nil)
	}
	return message, fail("placeholder", err)
}

// Progress shows nothing: such messages cannot be edited, and one for each step would be a nuisance.
func (d *DingTalk) Progress(context.Context, akitad.Origin, string, string) error { return nil }

// ready waits for room to send a letter.
func (d *DingTalk) ready(ctx context.Context, l letter) error {
	return d.gate.Wait(ctx, l.to.Chat, l.class)
}

// deliver sends a letter until it is answered. Room for the first try was taken.
func (d *DingTalk) deliver(ctx context.Context, l letter, repeat bool, _ chatsend.Note) (string, error) {
	l.repeat = repeat
	c := chatsend.Courier{Gate: d.gate, Retry: d.opts.Retry, Pause: d.opts.Pause, Log: d.log, Kind: kindOf, Untaken: chatsend.NeverSent}
	return c.Send(ctx, l.to.Chat, l.class, func(ctx context.Context) (string, error) { return d.once(ctx, l) })
}

// once makes the request for a letter.
func (d *DingTalk) once(ctx context.Context, l letter) (string, error) {
	limit := d.opts.Timeout
	if l.file != nil {
		limit *= uploads
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	m, err := d.outgoing(ctx, l)
	if err != nil {
		return "", err
	}
	var out struct {
		Key     string   `json:"processQueryKey"`
		Invalid []string `json:"invalidStaffIdList"`
		Limited []string `json:"flowControlledStaffIdList"`
	}
	path := "/v1.0/robot/groupMessages/send"
	if !l.to.Group {
		path = "/v1.0/robot/oToMessages/batchSend"
	}
	if err := d.call(ctx, path, m, &out); err != nil {
		return "", err
	}
	switch { // a private message is answered as a success even if nobody gets it
	case len(out.Limited) > 0:
		return "", &apiError{code: "Throttling", words: "the person got too much"}
	case len(out.Invalid) > 0:
		return "", &apiError{status: 403, code: nobody, words: "the person cannot be written to"}
	}
	return cmp.Or(out.Key, "sent"), nil
}

// outgoing makes the message of a letter; a file is uploaded for it.
func (d *DingTalk) outgoing(ctx context.Context, l letter) (outgoing, error) {
	m := outgoing{Robot: d.opts.Robot}
	if l.to.Group {
		m.Group = l.to.Chat
	} else {
		m.Users = []string{l.to.Chat}
	}
	if l.file != nil {
		return m, d.attach(ctx, &m, *l.file)
	}
	if l.repeat {
		l.text = chatsend.RepeatMark + l.text
	}
	if l.title == "" {
		return m, m.fill("sampleText", map[string]string{"content": l.text})
	}
	return m, m.fill("sampleMarkdown", map[string]string{"title": l.title, "text": l.text})
}

// fill gives the message a content of one of DingTalk's kinds.
func (m *outgoing) fill(key string, param map[string]string) error {
	b, err := json.Marshal(param)
	m.Key, m.Param = key, string(b)
	return err
}

// recall takes a placeholder back. One that stays does no harm.
func (d *DingTalk) recall(ctx context.Context, to akitad.Origin, message string) {
	if message == "" || message == "sent" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, d.opts.Timeout)
	defer cancel()
	path, group := "/v1.0/robot/otoMessages/batchRecall", ""
	if to.Group {
		path, group = "/v1.0/robot/groupMessages/recall", to.Chat
	}
	var out struct{}
	err := d.call(ctx, path, struct {
		Robot string   `json:"robotCode"`
		Group string   `json:"openConversationId,omitempty"`
		Keys  []string `json:"processQueryKeys"`
	}{d.opts.Robot, group, []string{message}}, &out)
	if err != nil {
		d.log.Debug("dingtalk placeholder stays", zap.Error(err))
	}
}
