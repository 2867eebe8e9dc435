package feishu

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	sendTimeout   = 30 * time.Second
	uploadTimeout = 5 * time.Minute
	// sendTries is how often a request is made that may succeed the next time. All may be repeated
	// without harm: an edit is one, and a new message has a uuid by which the service knows it for an hour.
	sendTries = 5
)

// place is where a message goes.
type place struct {
	chat   string
	thread string
	group  bool
	answer string // the person's message, which it replies to; in a thread that keeps it there
}

func placeOf(o akitad.Origin) (place, error) {
	if o.Chat == "" {
		return place{}, refuse("the origin has no chat", "")
	}
	return place{chat: o.Chat, thread: o.Thread, group: o.Group, answer: o.Message}, nil
}

// letter is one message on its way.
type letter struct {
	to      place
	class   pace.Class
	edit    string // the message that it takes the place of; "": a message of its own
	only    bool   // never a message of its own
	uuid    string // by which the service knows a repetition of a message of its own
	card    card
	buttons []button
	form    form
	kind    string // of a file's message; then content has its key
	content string
	repeat  bool // marked if it is a message of its own
	alone   bool // not in a thread: the service does not allow it there
	note    chatsend.Note
}

// Placeholder puts a first message into the chat, as a reply to the person's, and gives its id. It waits
// for its turn; end ctx to give up. Text is Markdown, of which one message is shown.
func (f *Feishu) Placeholder(ctx context.Context, to akitad.Origin, text, key string) (message string, err error) {
	at, err := placeOf(to)
	if err != nil {
		return "", err
	}
	id, err := f.post(ctx, letter{to: at, class: pace.Notice, uuid: cmp.Or(key, rand.Text()), card: first(text)})
	return id, fail("placeholder", err)
}

// Progress rewrites a placeholder if there is room for it now; if not, or if the chat is to be left
// alone, or if the message takes no more edits, the text is dropped and the error is nil.
func (f *Feishu) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	at, err := placeOf(to)
	if err != nil {
		return err
	}
	if message == "" {
		return refuse("there is no message to rewrite", "")
	}
	if dead, _ := f.dead.get(message); dead || !f.gate.Try(at.chat, pace.Progress) {
		return nil
	}
	_, err = f.postOnce(ctx, letter{to: at, edit: message, card: first(text)})
	return fail("progress", f.dropped(at.chat, err))
}

// dropped takes note of a refusal for sending too much; what was sent is then given up without an error.
func (f *Feishu) dropped(chat string, err error) error {
	if pause, all, limited := pauseOf(err); limited {
		f.limited(chat, pause, all)
		return nil
	}
	return err
}

// Typing does nothing: the service cannot show it. The placeholder tells that the bot is at work.
func (f *Feishu) Typing(context.Context, akitad.Origin) error { return nil }

// receiptEmoji is the service's name of the reaction that says "on it".
const receiptEmoji = "OnIt"

// Receipt marks the person's message as seen. It is dropped while the chat is to be left alone.
func (f *Feishu) Receipt(ctx context.Context, to akitad.Origin) error {
	at, err := placeOf(to)
	if err != nil || at.answer == "" || f.gate.Quiet(at.chat) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	body := map[string]map[string]string{"reaction_type": {"emoji_type": receiptEmoji}}
	_, err = f.wire.Call(ctx, jsonRequest(http.MethodPost, messagePath(at.answer)+"/reactions", body))
	return fail("receipt", f.dropped(at.chat, err))
}

func messagePath(id string) string { return "/open-apis/im/v1/messages/" + url.PathEscape(id) }

// post brings a message into the chat, whatever has changed there meanwhile: a refused card becomes plain
// text, a placeholder that takes no edits is not edited, a message that is gone is not replied to. Each
// happens once at most.
func (f *Feishu) post(ctx context.Context, l letter) (id string, err error) {
	for {
		id, err = f.attempt(ctx, l)
		next, ok := l.amended(err)
		if !ok {
			return id, err
		}
		f.log.Info("feishu message changed after a refusal", zap.Error(err))
		switch {
		case l.note == nil:
		case next.form != l.form:
			l.note(akitad.AsPlain, err)
		default:
			l.note(akitad.AsApart, err)
		}
		l = next
	}
}

// amended gives the letter as it may be accepted after a refusal.
func (l letter) amended(err error) (letter, bool) {
	switch {
	case err == nil:
		return l, false
	case l.only && (l.form == formPlain || !badContent(err)):
		return l, false
	case l.kind == "" && l.form < formText && (badContent(err) || l.edit == "" && hasCode(err, typeCodes)):
		if l.form++; l.edit == "" && len(l.buttons) == 0 {
			l.form = formText
		}
		if l.form == formText {
			l.edit = ""
		}
	case l.edit != "" && editGone(err):
		l.edit = ""
	case l.edit != "":
		return l, false
	case l.to.thread != "" && !l.alone && noThread(err):
		l.alone = true
	case l.to.answer != "" && (replyGone(err) || unknownReason(err)):
		l.to.answer = ""
	default:
		return l, false
	}
	return l, true
}

// attempt makes one request until it is answered. Waiting out a refusal for sending too much does not
// count as a try.
func (f *Feishu) attempt(ctx context.Context, l letter) (string, error) {
	retry := chatsend.Retry(0)
	for try := 1; ; {
		if err := f.gate.Wait(ctx, l.to.chat, l.class); err != nil {
			return "", &akitad.Error{Kind: akitad.KindOf(ctx.Err()), Op: "feishu", Err: fmt.Errorf("wait for room to send: %w", err)}
		}
		id, err := f.postOnce(ctx, l)
		if pause, all, limited := pauseOf(err); limited {
			f.log.Warn("feishu asks to slow down", zap.String("chat", l.to.chat), zap.Duration("wait", pause), zap.Bool("all", all))
			f.limited(l.to.chat, pause, all)
			continue
		}
		if err == nil || !kindOf(err).Temporary() || try >= sendTries || ctx.Err() != nil {
			return id, err
		}
		try++
		wait := retry.NextBackOff()
		f.log.Warn("feishu request failed", zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
}

// postOnce makes the request for a letter.
func (f *Feishu) postOnce(ctx context.Context, l letter) (id string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	out, err := f.wire.Call(ctx, l.request())
	if l.edit != "" {
		if editGone(err) {
			f.dead.put(l.edit, true)
		}
		return l.edit, err
	}
	if err != nil {
		return "", err
	}
	var sent struct {
		ID string `json:"message_id"`
	}
	if err := json.Unmarshal(out.data, &sent); err != nil || sent.ID == "" {
		return "", &apiError{status: http.StatusBadGateway, msg: "no message id in the answer"}
	}
	f.own.put(sent.ID, true)
	return sent.ID, nil
}

// request gives the call that brings the letter into its chat.
func (l letter) request() request {
	c := l.card
	if l.repeat && l.edit == "" {
		c = c.marked(chatsend.RepeatMark)
	}
	kind, content := l.kind, l.content
	if kind == "" {
		kind, content = c.content(l.form, l.buttons)
	}
	body := outgoing{Kind: kind, Content: content, UUID: l.uuid}
	switch {
	case l.edit != "":
		return jsonRequest(http.MethodPatch, messagePath(l.edit), outgoing{Content: content})
	case l.to.answer != "":
		body.InThread = l.to.thread != "" && !l.alone
		return jsonRequest(http.MethodPost, messagePath(l.to.answer)+"/reply", body)
	}
	body.Chat = l.to.chat
	r := jsonRequest(http.MethodPost, "/open-apis/im/v1/messages", body)
	r.query = url.Values{"receive_id_type": {"chat_id"}}
	return r
}
