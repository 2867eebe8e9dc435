package telegram

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
	"unicode"

	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad"
)

// general is the thread id of a forum's first topic, which must not be named when sending.
const general = 1

// message maps an update; why is the reason if it is no message of a person. Each part of an album is a message.
func (t *Telegram) message(u *models.Update) (msg akitad.Message, why string) {
	if u.CallbackQuery != nil {
		return t.press(u.CallbackQuery)
	}
	m := cmp.Or(u.Message, u.EditedMessage)
	edited := u.Message == nil && m != nil
	switch {
	case m == nil || edited && (m.EditDate == 0 || m.Text+m.Caption == ""): // a place that moves is edited too
		return msg, "no new message"
	case u.ID == 0:
		return msg, "an update without an id"
	}
	if from, to := migration(m); from != 0 {
		t.move(from, to)
		return moved(u, from, to), ""
	}
	sender, name, why := author(m)
	if why != "" {
		return msg, why
	}
	words, lang := read(m, t.me()), ""
	if words.forOther {
		return msg, "a command to another bot"
	}
	lang = langOf(words.text, m.From)
	text, files := t.told(m, words.text, lang), t.allFiles(m)
	if text == "" && len(files) == 0 && !(words.addressed && m.Text != "") { // else the bot was named, and no more
		return msg, "neither words nor files"
	}
	origin := originOf(m.Chat, threadOf(m), m.ID)
	origin.Sender, origin.Name, origin.Lang = strconv.FormatInt(sender, 10), name, lang
	id := eventID(u)
	if edited {
		id = "tg:edit:" + origin.Chat + ":" + origin.Message
	}
	return akitad.Message{
		ID: id, Edited: edited, Text: text, ReplyTo: words.replyTo, At: time.Unix(int64(m.Date), 0).UTC(), Origin: origin,
		Files: files, Album: m.MediaGroupID, Addressed: words.addressed || !origin.Group,
	}, ""
}

// originOf says where something came from, but not from whom.
func originOf(chat models.Chat, thread string, message int) akitad.Origin {
	return akitad.Origin{
		Channel: "telegram", Chat: strconv.FormatInt(chat.ID, 10), Thread: thread, Message: strconv.Itoa(message),
		Group: !isPrivate(chat),
	}
}

// nameOf is what a person is called.
func nameOf(u *models.User) string { return oneLine(u.FirstName + " " + u.LastName) }

// eventID is the same each time an update is delivered.
func eventID(u *models.Update) string { return fmt.Sprintf("tg:%d", u.ID) }

// migration reads the service messages of a group that became a supergroup: one stands in each of the two.
func migration(m *models.Message) (from, to int64) {
	switch {
	case m.MigrateToChatID != 0:
		return m.Chat.ID, m.MigrateToChatID
	case m.MigrateFromChatID != 0:
		return m.MigrateFromChatID, m.Chat.ID
	}
	return 0, 0
}

func moved(u *models.Update, from, to int64) akitad.Message {
	return akitad.Message{
		ID: eventID(u), MovedFrom: strconv.FormatInt(from, 10),
		Origin: akitad.Origin{Channel: "telegram", Chat: strconv.FormatInt(to, 10), Group: true},
	}
}

// author gives who wrote, or why that is no person. An anonymous admin writes as the group, under a user
// id that all such admins share; other bots never count, for two of them would not stop.
func author(m *models.Message) (id int64, name, why string) {
	switch {
	case m.Chat.Type == models.ChatTypeChannel:
		return 0, "", "a broadcast"
	case m.IsAutomaticForward:
		return 0, "", "a channel's post, shown in its group"
	case m.SenderChat != nil:
		return m.SenderChat.ID, oneLine(m.SenderChat.Title), ""
	case m.From == nil:
		return 0, "", "nobody wrote it"
	case m.From.IsBot:
		return 0, "", "a bot wrote it"
	}
	return m.From.ID, nameOf(m.From), ""
}

func isPrivate(c models.Chat) bool {
	return c.Type == models.ChatTypePrivate || (c.Type == "" && c.ID > 0)
}

// threadOf gives the topic. A reply in a plain group has a thread id too, which is no topic.
func threadOf(m *models.Message) string {
	if !m.IsTopicMessage || m.MessageThreadID == 0 || m.MessageThreadID == general {
		return ""
	}
	return strconv.Itoa(m.MessageThreadID)
}

// langOf tells Chinese from the rest by the letters; without words, by the person's client.
func langOf(text string, from *models.User) string {
	han := false
	for _, r := range text {
		if unicode.In(r, unicode.Hiragana, unicode.Katakana) {
			return "en"
		}
		han = han || unicode.Is(unicode.Han, r)
	}
	if han || (text == "" && from != nil && len(from.LanguageCode) >= 2 && from.LanguageCode[:2] == "zh") {
		return "zh"
	}
	return "en"
}

// move notes that a group got a new id: what is still to be sent to the old one goes there.
func (t *Telegram) move(from, to int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moved[from] = to
}
