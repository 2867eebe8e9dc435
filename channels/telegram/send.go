package telegram

import (
	"cmp"
	"context"
	"fmt"
	"html"
	"strconv"
	"time"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/pace"
	"github.com/akitad/akitad/internal/sleep"
)

const (
	sendTimeout   = 30 * time.Second
	uploadTimeout = 5 * time.Minute
	// sendTries is how often a request that may be repeated without harm is made.
	sendTries = 5
)

// place is where a message goes.
type place struct {
	chat   int64
	thread int
	answer int // the person's message
}

// letter is one text on its way.
type letter struct {
	to      place
	class   pace.Class
	edit    int  // the message whose text it becomes; 0: a message of its own
	only    bool // never a message of its own
	silent  bool
	repeat  bool // marked if it is a message of its own
	chunk   markdown.Chunk
	bare    bool   // without markup
	lang    string // of the person
	note    chatsend.Note
	buttons *keyboard // nil is none, and takes away those of a message that is edited
}

// place reads an origin, following a group to its new id.
func (t *Telegram) place(o akitad.Origin) (place, error) {
	chat, err := strconv.ParseInt(o.Chat, 10, 64)
	if err != nil {
		return place{}, refuse(fmt.Sprintf("%q is no chat id", o.Chat), "")
	}
	thread, _ := strconv.Atoi(o.Thread) // none, or none that could be sent to
	answer, _ := strconv.Atoi(o.Message)
	if thread == general {
		thread = 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return place{chat: cmp.Or(t.moved[chat], chat), thread: thread, answer: answer}, nil
}

// Placeholder puts a silent message into the chat, as a reply to the person's, and gives its id. It
// waits for its turn; end ctx to give up. Text is Markdown, of which one message is shown.
func (t *Telegram) Placeholder(ctx context.Context, to akitad.Origin, text, _ string) (message string, err error) {
	at, err := t.place(to)
	if err != nil {
		return "", err
	}
	id, err := t.post(ctx, letter{to: at, class: pace.Notice, silent: true, chunk: first(text)})
	if err != nil {
		return "", fail("placeholder", err)
	}
	return strconv.Itoa(id), nil
}

// Progress rewrites a placeholder if there is room for it now; if not, or if the chat is to be left
// alone, the text is dropped and the error is nil.
func (t *Telegram) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	at, err := t.place(to)
	if err != nil {
		return err
	}
	edit, err := strconv.Atoi(message)
	if err != nil {
		return refuse(fmt.Sprintf("%q is no message id", message), "")
	}
	if !t.gate.Try(at.key(), pace.Progress) {
		return nil
	}
	_, err = t.postOnce(ctx, letter{to: at, edit: edit, chunk: first(text)})
	if pause, limited := pauseOf(err); limited {
		t.gate.Refused(at.key(), pause)
		return nil
	}
	if moved := movedTo(err); moved != 0 {
		t.move(at.chat, moved) // what comes next goes there
		return nil
	}
	return fail("progress", err)
}

// nothing stands for a text of which nothing is seen.
var nothing = markdown.Chunk{HTML: "…", Plain: "…"}

// first gives what fits one message.
func first(text string) markdown.Chunk {
	chunks := markdown.Telegram(text, 0)
	if len(chunks) == 0 {
		return nothing
	}
	return chunks[0]
}

// Typing shows for five seconds that the bot is writing. It is dropped while the chat is to be left
// alone.
func (t *Telegram) Typing(ctx context.Context, to akitad.Origin) error {
	at, err := t.place(to)
	if err != nil || t.gate.Quiet(at.key()) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	_, err = t.api.SendChatAction(ctx, &bot.SendChatActionParams{ChatID: at.chat, MessageThreadID: at.thread, Action: models.ChatActionTyping})
	if pause, limited := pauseOf(err); limited {
		t.gate.Refused(at.key(), pause)
		return nil
	}
	return fail("typing", err)
}

// Receipt marks the person's message as seen, with a pair of eyes. It too is dropped while the chat
// is to be left alone.
func (t *Telegram) Receipt(ctx context.Context, to akitad.Origin) error {
	at, err := t.place(to)
	if err != nil || at.answer == 0 || t.gate.Quiet(at.key()) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	_, err = t.api.SetMessageReaction(ctx, &bot.SetMessageReactionParams{
		ChatID: at.chat, MessageID: at.answer,
		Reaction: []models.ReactionType{{Type: models.ReactionTypeTypeEmoji, ReactionTypeEmoji: &models.ReactionTypeEmoji{Type: models.ReactionTypeTypeEmoji, Emoji: "👀"}}},
	})
	if pause, limited := pauseOf(err); limited {
		t.gate.Refused(at.key(), pause)
		return nil
	}
	return fail("receipt", err)
}

// post brings a text into the chat, whatever has changed there meanwhile: refused markup is left
// out, a placeholder that is gone is not edited, a topic that is gone is not named, a group is
// followed to its new id. Each happens once at most.
func (t *Telegram) post(ctx context.Context, l letter) (id int, err error) {
	return t.persist(ctx, l, t.postOnce)
}

// persist makes a request with a letter, and with what it is amended to.
func (t *Telegram) persist(ctx context.Context, l letter, do func(context.Context, letter) (int, error)) (id int, err error) {
	for {
		id, err = t.attempt(ctx, l.to, l.class, l.edit != 0, func(ctx context.Context) (int, error) { return do(ctx, l) })
		next, ok := l.amended(err)
		if !ok {
			next, ok = l.reduced(err)
		}
		if !ok {
			return id, err
		}
		t.log.Info("telegram message changed after a refusal", zap.Error(err))
		l.amend(next, err)
		l = next
		if moved := movedTo(err); moved != 0 {
			t.move(l.to.chat, moved)
			l.to.chat = moved
		}
	}
}

// amend records what is sent in the letter's place.
func (l letter) amend(next letter, why error) {
	switch {
	case l.note == nil || movedTo(why) != 0:
	case next.bare != l.bare:
		l.note(akitad.AsPlain, why)
	default:
		l.note(akitad.AsApart, why)
	}
}

// unbuttoned has the choices as lines.
func (l letter) unbuttoned() letter {
	for _, row := range l.buttons.Rows {
		for _, b := range row {
			l.chunk.Plain += "\n- " + b.Text
			l.chunk.HTML += "\n- " + html.EscapeString(b.Text)
		}
	}
	l.buttons = nil
	return l
}

// amended gives the letter as it may be accepted after a refusal.
func (l letter) amended(err error) (letter, bool) {
	switch {
	case err == nil:
		return l, false
	case !l.bare && badMarkup(err):
		l.bare = true
	case noText(err) && l.chunk != nothing:
		l.chunk = nothing
	case l.to.answer != 0 && (noAnswer(err) || l.edit == 0 && noMessage(err)):
		l.to.answer = 0
	case l.buttons != nil && badButtons(err):
		l = l.unbuttoned()
	case l.edit != 0 && !l.only && editGone(err):
		l.edit = 0
	case l.to.thread != 0 && noThread(err):
		l.to.thread = 0
	case movedTo(err) != 0 && movedTo(err) != l.to.chat:
	default:
		return l, false
	}
	return l, true
}

// reduced gives the letter with one thing less after a refusal for a reason that is not known: the words
// count more than where and how they stand.
func (l letter) reduced(err error) (letter, bool) {
	switch {
	case !unknownReason(err), l.chunk == markdown.Chunk{}: // a file has forms of its own
		return l, false
	case !l.bare:
		l.bare = true
	case l.edit != 0 && !l.only:
		l.edit = 0
	case l.buttons != nil:
		l = l.unbuttoned()
	case l.to.answer != 0 && l.edit == 0:
		l.to.answer = 0
	case l.to.thread != 0 && l.edit == 0:
		l.to.thread = 0
	default:
		return l, false
	}
	return l, true
}

// attempt makes one request until it is answered. Waiting out a refusal for sending too much does
// not count as a try. What may have arrived is repeated only if that does no harm.
func (t *Telegram) attempt(ctx context.Context, to place, c pace.Class, harmless bool, do func(context.Context) (int, error)) (int, error) {
	retry := chatsend.Retry(0)
	for try := 1; ; {
		if err := t.gate.Wait(ctx, to.key(), c); err != nil {
			return 0, &akitad.Error{Kind: akitad.KindOf(ctx.Err()), Op: "telegram", Err: fmt.Errorf("wait for room to send: %w", err)}
		}
		id, err := do(ctx)
		if vanished(err) {
			t.log.Info("telegram message deleted as soon as it was sent", zap.Int64("chat", to.chat), zap.Error(err))
			return 0, nil
		}
		if pause, limited := pauseOf(err); limited {
			t.log.Warn("telegram asks to slow down", zap.Int64("chat", to.chat), zap.Duration("wait", pause))
			t.gate.Refused(to.key(), pause)
			continue
		}
		again := chatsend.NeverSent(err) || (harmless && kindOf(err).Temporary())
		if err == nil || !again || try >= sendTries || ctx.Err() != nil {
			return id, err
		}
		try++
		wait := retry.NextBackOff()
		t.log.Warn("telegram request failed", zap.Error(err), zap.Duration("wait", wait))
		sleep.For(ctx, wait)
	}
}

// postOnce makes the request for a letter.
func (t *Telegram) postOnce(ctx context.Context, l letter) (id int, err error) {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	text, mode := l.text()
	off := true
	preview := &models.LinkPreviewOptions{IsDisabled: &off}
	if l.edit != 0 {
		_, err := t.api.EditMessageText(ctx, &bot.EditMessageTextParams{
			ChatID: l.to.chat, MessageID: l.edit, Text: text, ParseMode: mode, LinkPreviewOptions: preview, ReplyMarkup: l.markup(),
		})
		if notModified(err) {
			err = nil
		}
		return l.edit, err
	}
	sent, err := t.api.SendMessage(ctx, &bot.SendMessageParams{
		ChatID: l.to.chat, MessageThreadID: l.to.thread, Text: text, ParseMode: mode, LinkPreviewOptions: preview,
		DisableNotification: l.silent, ReplyParameters: l.to.reply(), ReplyMarkup: l.markup(),
	})
	if err != nil {
		return 0, err
	}
	return sent.ID, nil
}

// markup is nil, and not a nil pointer, for none: the library would send that.
func (l letter) markup() models.ReplyMarkup {
	if l.buttons == nil {
		return nil
	}
	return l.buttons
}

func (p place) reply() *models.ReplyParameters {
	if p.answer == 0 {
		return nil
	}
	return &models.ReplyParameters{MessageID: p.answer, AllowSendingWithoutReply: true}
}

func (l letter) text() (string, models.ParseMode) {
	mark := ""
	if l.repeat && l.edit == 0 {
		mark = chatsend.RepeatMark
	}
	if l.bare {
		return mark + l.chunk.Plain, ""
	}
	return mark + l.chunk.HTML, models.ParseModeHTML
}
