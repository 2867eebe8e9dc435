package telegram

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"
	"unicode"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/pace"
)

const (
	maxToast  = 200 // characters (answerCallbackQuery)
	maxLabel  = 60  // characters on a button; phones show fewer
	rowWidth  = 28  // columns that a phone shows in one row of buttons
	rowMargin = 4   // columns that each button's frame takes
	maxInRow  = 3
)

// keyboard is the buttons below a message. The library's own type always sends a copy_text, which is
// none of ours.
type keyboard struct {
	Rows [][]button `json:"inline_keyboard"`
}

type button struct {
	Text  string `json:"text"`
	Data  string `json:"callback_data"`
	Style string `json:"style,omitempty"`
}

// keyboardOf lays out choices in rows that fit a phone; nil for none. A choice whose id no button can
// carry is left out.
func (t *Telegram) keyboardOf(choices []akitad.Choice) *keyboard {
	var rows [][]button
	room := 0
	for _, c := range choices {
		if c.ID == "" || len(c.ID) > akitad.MaxChoiceID {
			t.log.Warn("telegram button left out: its id is empty or too long", zap.String("label", c.Label))
			continue
		}
		b := buttonOf(c)
		width := columns(b.Text) + rowMargin
		if len(rows) == 0 || width > room || len(rows[len(rows)-1]) == maxInRow {
			rows = append(rows, nil)
			room = rowWidth
		}
		room -= width
		rows[len(rows)-1] = append(rows[len(rows)-1], b)
	}
	if len(rows) == 0 {
		return nil
	}
	return &keyboard{rows}
}

func buttonOf(c akitad.Choice) button {
	b := button{Text: cutTo(c.Label, maxLabel), Data: c.ID}
	if b.Text == "" {
		b.Text = c.ID
	}
	if c.Style == "primary" || c.Style == "danger" {
		b.Style = c.Style
	}
	return b
}

// columns is about how wide a label is: Chinese takes two.
func columns(s string) (n int) {
	for _, r := range s {
		n++
		if r >= 0x1100 && (unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana) || r > 0xff00) {
			n++
		}
	}
	return n
}

// cutTo gives at most n characters, the last one an ellipsis if some are missing.
func cutTo(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	return string(runes[:n-1]) + "…"
}

// Pressed answers a press: words, of which 200 characters are shown, go to who pressed, and settled, if
// not empty, takes the place of the message and its buttons. A press that is too old to be answered and
// a message that cannot be edited any more are no errors.
func (t *Telegram) Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, words, settled string) error {
	var toast error
	if p.Event != "" {
		toast = t.toast(ctx, p.Event, words)
	}
	return errors.Join(toast, t.settle(ctx, to, p.Message, settled))
}

func (t *Telegram) toast(ctx context.Context, event, words string) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	_, err := t.api.AnswerCallbackQuery(ctx, &bot.AnswerCallbackQueryParams{CallbackQueryID: event, Text: cutTo(words, maxToast)})
	if pressGone(err) {
		t.log.Debug("telegram press is too old to be answered", zap.Error(err))
		return nil
	}
	return fail("answer of a press", err)
}

func (t *Telegram) settle(ctx context.Context, to akitad.Origin, message, settled string) error {
	if settled == "" {
		return nil
	}
	at, err := t.place(to)
	if err != nil {
		return err
	}
	edit, err := strconv.Atoi(message)
	if err != nil {
		return refuse(fmt.Sprintf("%q is no message id", message), "")
	}
	_, err = t.post(ctx, letter{to: at, class: pace.Notice, edit: edit, only: true, chunk: first(settled)})
	if editGone(err) {
		t.log.Debug("telegram message with buttons cannot be edited any more", zap.Error(err))
		return nil
	}
	return fail("edit after a press", err)
}

// press maps a pressed button; why is the reason if it is none of ours. What it says of the message may
// be no more than where it is: old messages are not shown to bots.
func (t *Telegram) press(q *models.CallbackQuery) (msg akitad.Message, why string) {
	var chat models.Chat
	var id int
	thread := ""
	switch m := q.Message; {
	case m.Message != nil:
		chat, id, thread = m.Message.Chat, m.Message.ID, threadOf(m.Message)
	case m.InaccessibleMessage != nil:
		chat, id = m.InaccessibleMessage.Chat, m.InaccessibleMessage.MessageID
	}
	switch {
	case q.ID == "" || q.Data == "":
		return msg, "a press without an id or without data"
	case chat.ID == 0 || id == 0:
		return msg, "a press in no chat"
	case q.From.ID == 0 || q.From.IsBot:
		return msg, "nobody pressed it"
	}
	origin := originOf(chat, thread, id)
	origin.Sender, origin.Name, origin.Lang = strconv.FormatInt(q.From.ID, 10), nameOf(&q.From), langOf("", &q.From)
	return akitad.Message{
		ID: "tg:cb:" + q.ID, Origin: origin, Addressed: true, At: time.Now().UTC(),
		Press: &akitad.Press{Event: q.ID, Message: origin.Message, Choice: q.Data},
	}, ""
}
