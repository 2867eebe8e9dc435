package telegram

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/chatsend"
	"github.com/akitad/akitad/internal/text"
)

// What a bot may send (Bot API, Sending files and sendPhoto).
const (
	maxUpload = 50 << 20 // bytes
	maxPhoto  = 10 << 20 // bytes
	maxSides  = 10_000   // pixels, width and height together
	maxRatio  = 20       // of the sides
)

// form is how a file is shown.
type form int

const (
	asDocument form = iota
	asPhoto
	asAnimation
	asSticker
	asVoice
)

// formOf chooses by what the file is to be and by its name; whatever is refused can be a document.
func formOf(f akitad.File) form {
	ext := strings.ToLower(path.Ext(f.Name))
	switch {
	case f.Kind == akitad.FileSticker && (f.Remote != "" || ext == ".webp" || ext == ".tgs" || ext == ".webm"):
		return asSticker
	case f.Kind == akitad.FileVoice && (ext == ".ogg" || ext == ".oga" || ext == ".opus"):
		return asVoice
	case f.Size > maxPhoto:
		return asDocument
	case f.Kind == akitad.FilePhoto:
		return asPhoto
	}
	switch ext {
	case ".jpg", ".jpeg", ".png", ".webp", ".gif":
		return asPhoto
	}
	return asDocument
}

// sendFile brings one file into the chat: in the form that suits it, else as a document, and one that
// is too large for that is at least named.
func (t *Telegram) sendFile(ctx context.Context, l letter, f akitad.File) (int, error) {
	forms := []form{asDocument}
	if first := formOf(f); first != asDocument {
		forms = []form{first, asDocument}
	}
	if f.Size > maxUpload {
		return t.nameFile(ctx, l, f)
	}
	var err error
	for _, as := range forms {
		id := 0
		id, err = t.sendAs(ctx, l, f, as)
		switch {
		case err == nil:
			return id, nil
		case overLimit(err), as == asDocument && tooBig(err):
			return t.nameFile(ctx, l, f)
		case !refusedForm(err):
			return 0, err
		}
		t.log.Info("telegram refused a file in this form", zap.String("name", f.Name), zap.Error(err))
	}
	return 0, err
}

// nameFile says in words which file could not come.
func (t *Telegram) nameFile(ctx context.Context, l letter, f akitad.File) (int, error) {
	words := text.Lang(l.lang).FileTooLarge(path.Base(f.Name), (f.Size+1<<20-1)>>20, maxUpload>>20)
	l.chunk = markdown.Chunk{Plain: words}
	l.bare = true
	return t.post(ctx, l)
}

func (t *Telegram) sendAs(ctx context.Context, l letter, f akitad.File, as form) (int, error) {
	return t.persist(ctx, l, func(ctx context.Context, l letter) (int, error) { return t.upload(ctx, l, f, as) })
}

// errForm: the file cannot be shown in that form, as is known before it is sent.
var errForm = errors.New("it cannot be shown in this form")

// upload makes the request for one file.
func (t *Telegram) upload(ctx context.Context, l letter, f akitad.File, as form) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	if as == asSticker && f.Remote != "" && f.Artifact == "" {
		return sentID(t.send(ctx, l, as, &models.InputFileString{Data: f.Remote}))
	}
	body, err := t.opts.Open(ctx, f)
	if err != nil {
		return 0, fmt.Errorf("open %q: %w", f.Name, err)
	}
	defer body.Close()
	from := &limited{from: body, left: maxUpload}
	data := io.Reader(from)
	if as == asPhoto {
		picture, err := io.ReadAll(io.LimitReader(body, maxPhoto+1))
		if err != nil {
			return 0, fmt.Errorf("read %q: %w", f.Name, err)
		}
		if as, err = pictureForm(picture); err != nil {
			return 0, err
		}
		data = bytes.NewReader(picture)
	}
	id, err := sentID(t.send(ctx, l, as, &models.InputFileUpload{Filename: path.Base(f.Name), Data: data}))
	if from.over {
		return 0, errOver
	}
	return id, err
}

// pictureForm tells a picture that Telegram takes from one that it would refuse. A gif that moves would
// stand still as a photo.
func pictureForm(data []byte) (form, error) {
	w, h, known := sides(data)
	webp := bytes.HasPrefix(data, []byte("RIFF")) // its size is not known here
	switch {
	case len(data) > maxPhoto || !known && !webp:
		return 0, errForm
	case known && (w+h > maxSides || max(w, h) > maxRatio*min(w, h)):
		return 0, errForm
	case isGIF(data) && bytes.Contains(data, []byte("NETSCAPE2.0")):
		return asAnimation, nil
	}
	return asPhoto, nil
}

func (t *Telegram) send(ctx context.Context, l letter, as form, file models.InputFile) (*models.Message, error) {
	caption := ""
	if l.repeat {
		caption = chatsend.RepeatMark
	}
	chat, thread, silent := l.to.chat, l.to.thread, l.silent
	switch as {
	case asPhoto:
		return t.api.SendPhoto(ctx, &bot.SendPhotoParams{ChatID: chat, MessageThreadID: thread, DisableNotification: silent, Caption: caption, Photo: file})
	case asAnimation:
		return t.api.SendAnimation(ctx, &bot.SendAnimationParams{ChatID: chat, MessageThreadID: thread, DisableNotification: silent, Caption: caption, Animation: file})
	case asSticker:
		return t.api.SendSticker(ctx, &bot.SendStickerParams{ChatID: chat, MessageThreadID: thread, DisableNotification: silent, Sticker: file})
	case asVoice:
		return t.api.SendVoice(ctx, &bot.SendVoiceParams{ChatID: chat, MessageThreadID: thread, DisableNotification: silent, Caption: caption, Voice: file})
	}
	return t.api.SendDocument(ctx, &bot.SendDocumentParams{ChatID: chat, MessageThreadID: thread, DisableNotification: silent, Caption: caption, Document: file})
}

func sentID(sent *models.Message, err error) (int, error) {
	if err != nil {
		return 0, err
	}
	return cmp.Or(sent, &models.Message{}).ID, nil
}

// errOver: a file is larger than a bot may send.
var errOver = errors.New("the file is over 50 MB")

// limited is a reader that fails where a file gets larger than was said.
type limited struct {
	from io.Reader
	left int64
	over bool
}

func (l *limited) Read(p []byte) (int, error) {
	n, err := l.from.Read(p)
	if l.left -= int64(n); l.left < 0 {
		l.over = true
		return 0, errOver
	}
	return n, err
}
