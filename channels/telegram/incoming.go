package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
)

// unit is what becomes one message: one update, or all of an album.
type unit struct {
	first, last int64 // the updates it is made of
	msg         akitad.Message
	files       []attachment
}

// general is the thread id of a forum's first topic, which must not be named when sending.
const general = 1

func albumOf(u *models.Update) string {
	if u.Message == nil {
		return ""
	}
	return u.Message.MediaGroupID
}

// units makes messages of updates, in their order. What is not for the bot has an empty message,
// so that the offset can pass it.
func (t *Telegram) units(batch []*models.Update) []unit {
	var out []unit
	albums := map[string]int{}
	for _, u := range batch {
		next := t.unit(u)
		if at, ok := albums[albumOf(u)]; ok {
			out[at].join(next)
			continue
		}
		if id := albumOf(u); id != "" {
			albums[id] = len(out)
		}
		out = append(out, next)
	}
	return out
}

func (t *Telegram) unit(u *models.Update) unit {
	msg, why := t.message(u)
	if why != "" {
		t.log.Debug("telegram update passed over", zap.Int64("update", u.ID), zap.String("why", why))
	}
	n := unit{first: u.ID, last: u.ID, msg: msg}
	if u.Message != nil {
		n.files = attachments(u.Message)
	}
	return n
}

// join adds one more part of an album. The words, and with them whom the album is for, may stand at
// any of its parts.
func (n *unit) join(part unit) {
	n.last = max(n.last, part.last)
	n.files = append(n.files, part.files...)
	switch {
	case n.msg.ID == "":
		n.msg = part.msg
	case n.msg.Text == "" && part.msg.Text != "":
		n.msg.Text, n.msg.Origin.Lang = part.msg.Text, part.msg.Origin.Lang
	}
}

// message maps an update; why is the reason if it is not for the bot. Edits are ignored: what was
// asked has been taken as it stood.
func (t *Telegram) message(u *models.Update) (msg akitad.Message, why string) {
	if u.CallbackQuery != nil {
		return t.press(u.CallbackQuery)
	}
	m := u.Message
	if m == nil {
		return msg, "no new message"
	}
	if m.MigrateToChatID != 0 {
		t.move(m.Chat.ID, m.MigrateToChatID)
		return msg, "the group got a new id"
	}
	sender, why := t.mayTalk(m)
	if why != "" {
		return msg, why
	}
	words := read(m, t.me())
	switch {
	case words.forOther:
		return msg, "a command to another bot"
	case !isPrivate(m) && !words.addressed:
		return msg, "in a group, and not to the bot"
	case words.text == "" && len(attachments(m)) == 0:
		return msg, "neither words nor files"
	}
	return akitad.Message{
		ID: eventID(u), Text: words.text, ReplyTo: words.replyTo, At: time.Unix(int64(m.Date), 0).UTC(),
		Origin: akitad.Origin{
			Channel: "telegram", Chat: strconv.FormatInt(m.Chat.ID, 10), Thread: threadOf(m),
			Sender: strconv.FormatInt(sender, 10), Message: strconv.Itoa(m.ID), Lang: langOf(words.text, m.From),
		},
	}, ""
}

// origin says where something came from, but not from whom.
func (t *Telegram) origin(chat models.Chat, thread, message string) akitad.Origin {
	return akitad.Origin{
		Channel: "telegram", Chat: strconv.FormatInt(chat.ID, 10), Thread: thread, Message: message,
		Group: chat.Type != models.ChatTypePrivate && (chat.Type != "" || chat.ID < 0),
	}
}

// nameOf is what a person is called.
func nameOf(u *models.User) string {
	return cutTo(strings.TrimSpace(u.FirstName+" "+u.LastName), maxName)
}

// eventID is the same each time an update is delivered. The parts of an album share theirs, so that
// a part that comes late starts nothing of its own.
func eventID(u *models.Update) string {
	if id := albumOf(u); id != "" {
		return "tg:album:" + id
	}
	return fmt.Sprintf("tg:%d", u.ID)
}

// mayTalk gives who wrote, or why that does not count. An anonymous admin writes as the group, under
// a user id that all such admins share; other bots never count, for two of them would not stop.
func (t *Telegram) mayTalk(m *models.Message) (sender int64, why string) {
	switch {
	case m.SenderChat != nil:
		sender = m.SenderChat.ID
	case m.From == nil:
		return 0, "nobody wrote it"
	case m.From.IsBot:
		return 0, "a bot wrote it"
	default:
		sender = m.From.ID
	}
	switch {
	case m.Chat.Type == models.ChatTypeChannel:
		return 0, "a broadcast"
	case !isPrivate(m) && !t.groupAllowed(m.Chat.ID):
		return 0, "the group is not in allow_groups"
	case !t.allow.has(sender):
		return 0, "the sender is not in allow"
	}
	return sender, ""
}

func isPrivate(m *models.Message) bool {
	return m.Chat.Type == models.ChatTypePrivate || (m.Chat.Type == "" && m.Chat.ID > 0)
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

// move notes that a group got a new id. What was allowed stays allowed, until the next start.
func (t *Telegram) move(from, to int64) {
	t.mu.Lock()
	known := t.moved[from] == to
	t.moved[from] = to
	t.mu.Unlock()
	if !known && t.groups.has(from) {
		t.log.Warn("a telegram group became a supergroup: put its new id into allow_groups", zap.Int64("old", from), zap.Int64("new", to))
	}
}

func (t *Telegram) groupAllowed(id int64) bool {
	if t.groups.has(id) {
		return true
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for from, to := range t.moved {
		if to == id && t.groups.has(from) {
			return true
		}
	}
	return false
}

// attachment is a file that a person sent, not fetched yet.
type attachment struct {
	id, name string
	size     int64
}

// attachments gives the files of a message: what it can be used for, the largest of a picture's
// sizes, with a name that a folder can hold.
func attachments(m *models.Message) []attachment {
	var out []attachment
	add := func(id, name, other string, size int64) {
		if name = cleanName(name); name == "" {
			name = fmt.Sprintf(other, m.ID)
		}
		out = append(out, attachment{id: id, name: name, size: size})
	}
	if m.Document != nil && m.Animation == nil {
		add(m.Document.FileID, m.Document.FileName, "document-%d", m.Document.FileSize)
	}
	if len(m.Photo) > 0 {
		p := slices.MaxFunc(m.Photo, func(a, b models.PhotoSize) int { return a.Width*a.Height + a.FileSize - b.Width*b.Height - b.FileSize })
		add(p.FileID, "", "photo-%d.jpg", int64(p.FileSize))
	}
	if m.Voice != nil {
		add(m.Voice.FileID, "", "voice-%d.ogg", m.Voice.FileSize)
	}
	if m.Audio != nil {
		add(m.Audio.FileID, m.Audio.FileName, "audio-%d.mp3", m.Audio.FileSize)
	}
	if m.Video != nil {
		add(m.Video.FileID, m.Video.FileName, "video-%d.mp4", m.Video.FileSize)
	}
	if m.Animation != nil {
		add(m.Animation.FileID, m.Animation.FileName, "animation-%d.mp4", m.Animation.FileSize)
	}
	return out
}
