package telegram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad"
)

// general is the thread id of a forum's first topic, which must not be named when sending.
const general = 1

// message maps an update; why is the reason if it is no message of a person. Edits are ignored: what
// was asked has been taken as it stood. Each part of an album is a message.
func (t *Telegram) message(u *models.Update) (msg akitad.Message, why string) {
	m := u.Message
	if m == nil {
		return msg, "no new message"
	}
	if from, to := migration(m); from != 0 {
		t.move(from, to)
		return moved(u, from, to), ""
	}
	sender, name, why := author(m)
	if why != "" {
		return msg, why
	}
	words, files := read(m, t.me()), attachments(m)
	switch {
	case words.forOther:
		return msg, "a command to another bot"
	case words.text == "" && len(files) == 0:
		return msg, "neither words nor files"
	}
	return akitad.Message{
		ID: eventID(u), Text: words.text, ReplyTo: words.replyTo, At: time.Unix(int64(m.Date), 0).UTC(),
		Files: files, Album: m.MediaGroupID, Addressed: words.addressed || isPrivate(m),
		Origin: akitad.Origin{
			Channel: "telegram", Chat: strconv.FormatInt(m.Chat.ID, 10), Thread: threadOf(m), Group: !isPrivate(m),
			Sender: strconv.FormatInt(sender, 10), Name: name, Message: strconv.Itoa(m.ID), Lang: langOf(words.text, m.From),
		},
	}, ""
}

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
	case m.SenderChat != nil:
		return m.SenderChat.ID, m.SenderChat.Title, ""
	case m.From == nil:
		return 0, "", "nobody wrote it"
	case m.From.IsBot:
		return 0, "", "a bot wrote it"
	}
	return m.From.ID, strings.TrimSpace(m.From.FirstName + " " + m.From.LastName), ""
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

// move notes that a group got a new id: what is still to be sent to the old one goes there.
func (t *Telegram) move(from, to int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.moved[from] = to
}

// attachments gives the files of a message, not fetched yet: what it can be used for, the largest of a picture's
// sizes, with a name that a folder can hold.
func attachments(m *models.Message) []akitad.File {
	var out []akitad.File
	add := func(id, name, other string, size int64, kind akitad.FileKind) {
		if name = cleanName(name); name == "" {
			name = fmt.Sprintf(other, m.ID)
		}
		out = append(out, akitad.File{Remote: id, Name: name, Size: size, Kind: kind})
	}
	if m.Document != nil && m.Animation == nil {
		add(m.Document.FileID, m.Document.FileName, "document-%d", m.Document.FileSize, "")
	}
	if len(m.Photo) > 0 {
		p := slices.MaxFunc(m.Photo, func(a, b models.PhotoSize) int { return a.Width*a.Height + a.FileSize - b.Width*b.Height - b.FileSize })
		add(p.FileID, "", "photo-%d.jpg", int64(p.FileSize), akitad.FilePhoto)
	}
	if m.Voice != nil {
		add(m.Voice.FileID, "", "voice-%d.ogg", m.Voice.FileSize, akitad.FileVoice)
	}
	if m.Audio != nil {
		add(m.Audio.FileID, m.Audio.FileName, "audio-%d.mp3", m.Audio.FileSize, "")
	}
	if m.Video != nil {
		add(m.Video.FileID, m.Video.FileName, "video-%d.mp4", m.Video.FileSize, "")
	}
	if m.Animation != nil {
		add(m.Animation.FileID, m.Animation.FileName, "animation-%d.mp4", m.Animation.FileSize, "")
	}
	return out
}
