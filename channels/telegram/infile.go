package telegram

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/go-telegram/bot/models"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
)

// allFiles gives the files of a message, and those of the message that it answers if that is not the
// bot's own: "what is this?" may answer a picture.
func (t *Telegram) allFiles(m *models.Message) []akitad.File {
	files := attachments(m)
	if r := m.ReplyToMessage; r != nil && !t.mine(r) && !silentPart(m) {
		files = append(files, attachments(r)...)
	}
	return files
}

// silentPart: a part of an album that has no words. What the album answers is told once, by the part with
// the words.
func silentPart(m *models.Message) bool { return m.MediaGroupID != "" && m.Caption == "" }

// mine reports whether the bot wrote a message.
func (t *Telegram) mine(m *models.Message) bool {
	me := t.me()
	return m.From != nil && me.id != 0 && m.From.ID == me.id
}

// attachments gives the files of a message, not fetched yet: the largest of a picture's sizes, each with
// a name that a folder can hold. A voice is named .ogg, which services that write it down know; the
// bytes are the same as those of Telegram's .oga.
func attachments(m *models.Message) []akitad.File {
	var out []akitad.File
	add := func(id, name, other string, size int64, kind akitad.FileKind) {
		if id == "" {
			return
		}
		name = chatfile.Name(name, fmt.Sprintf(other, m.ID))
		out = append(out, akitad.File{Remote: id, Name: name, Size: max(size, 0), Kind: kind})
	}
	if d := m.Document; d != nil && m.Animation == nil {
		add(d.FileID, d.FileName, "document-%d"+extensions[d.MimeType], d.FileSize, "")
	}
	if len(m.Photo) > 0 {
		p := slices.MaxFunc(m.Photo, func(a, b models.PhotoSize) int { return a.Width*a.Height + a.FileSize - b.Width*b.Height - b.FileSize })
		add(p.FileID, "", "photo-%d.jpg", int64(p.FileSize), akitad.FilePhoto)
	}
	if v := m.Voice; v != nil {
		add(v.FileID, "", "voice-%d.ogg", v.FileSize, akitad.FileVoice)
	}
	if a := m.Audio; a != nil {
		add(a.FileID, a.FileName, "audio-%d"+cmp.Or(extensions[a.MimeType], ".mp3"), a.FileSize, "")
	}
	if v := m.Video; v != nil {
		add(v.FileID, v.FileName, "video-%d.mp4", v.FileSize, "")
	}
	if v := m.VideoNote; v != nil {
		add(v.FileID, "", "video-note-%d.mp4", int64(v.FileSize), "")
	}
	if a := m.Animation; a != nil {
		add(a.FileID, a.FileName, "animation-%d.mp4", a.FileSize, "")
	}
	if s := m.Sticker; s != nil {
		add(s.FileID, stickerName(m.ID, s), "sticker-%d", int64(s.FileSize), akitad.FileSticker)
	}
	return out
}

// extensions are those of files that come without a name.
var extensions = map[string]string{
	"application/json": ".json", "application/pdf": ".pdf", "application/zip": ".zip", "audio/mp4": ".m4a", "audio/ogg": ".ogg", "audio/x-wav": ".wav",
	"image/jpeg": ".jpg", "image/png": ".png", "text/csv": ".csv", "text/html": ".html", "text/markdown": ".md", "text/plain": ".txt",
}

// stickerName says what a sticker shows, so that it is found by that.
func stickerName(id int, s *models.Sticker) string {
	return join(fmt.Sprintf("sticker-%d", id), "-", oneLine(s.Emoji)) + stickerExt(s)
}

func stickerExt(s *models.Sticker) string {
	switch {
	case s.IsVideo:
		return ".webm"
	case s.IsAnimated:
		return ".tgs"
	}
	return ".webp"
}
