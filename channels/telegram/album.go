package telegram

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/chatfile"
	"github.com/akitad/akitad/internal/chatsend"
)

const (
	maxAlbum   = 10       // photos (Bot API, sendMediaGroup)
	albumBytes = 20 << 20 // of one album: they are in memory together
)

// groups puts photos that stand next to each other into albums, always in the same way; any other file is
// alone.
func groups(files []akitad.File) (out [][]akitad.File) {
	size := int64(0)
	for _, f := range files {
		last := len(out) - 1
		if last >= 0 && still(f) && still(out[last][0]) && len(out[last]) < maxAlbum && size+f.Size <= albumBytes {
			out[last], size = append(out[last], f), size+f.Size
			continue
		}
		out, size = append(out, []akitad.File{f}), f.Size
	}
	return out
}

// still reports whether a file is a photo that can be part of an album: a gif may move.
func still(f akitad.File) bool {
	return formOf(f) == asPhoto && !strings.EqualFold(path.Ext(f.Name), ".gif")
}

// FileParts says how many parts files are for Final: an album is one.
func (t *Telegram) FileParts(files []akitad.File) int { return len(groups(files)) }

// sendAlbum brings photos into the chat as one message that shows them together; if they are refused
// together, one by one. Once one of them is in the chat the others are tried once: to send the part again would
// show that one twice. A photo that is gone takes none of the others with it.
func (t *Telegram) sendAlbum(ctx context.Context, l letter, photos []akitad.File) (id int, err error) {
	if len(photos) == 1 {
		return t.sendFile(ctx, l, photos[0])
	}
	id, err = t.persist(ctx, l, func(ctx context.Context, l letter) (int, error) { return t.uploadAlbum(ctx, l, photos) })
	if gone, ok := errors.AsType[*goneError](err); ok {
		t.log.Warn("telegram: a photo of an album is left out", zap.String("name", photos[gone.at].Name), zap.Error(err))
		id, err = t.sendAlbum(ctx, l, slices.Delete(slices.Clone(photos), gone.at, gone.at+1))
		return id, cmp.Or(err, passedOver(gone))
	}
	if err == nil || !refusedForm(err) && !overLimit(err) {
		return id, err
	}
	t.log.Info("telegram refused an album; its photos go one by one", zap.Error(err))
	sent := false
	var left error
	for _, f := range photos {
		one, err := t.sendFile(ctx, l, f)
		switch {
		case err == nil && !sent:
			id, sent = one, true
		case err != nil && (ctx.Err() != nil || !sent && !onlyThis(err)):
			return 0, err
		case err != nil: // the others may pass
			left = passedOver(err)
			t.log.Warn("telegram: a photo of an album is left out", zap.String("name", f.Name), zap.Error(err))
		}
	}
	return id, left
}

// goneError: one photo of an album is not there any more.
type goneError struct {
	at int
	error
}

func (e *goneError) Unwrap() error { return e.error }

// uploadAlbum makes the request for an album.
func (t *Telegram) uploadAlbum(ctx context.Context, l letter, photos []akitad.File) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, uploadTimeout)
	defer cancel()
	media := make([]models.InputMedia, 0, len(photos))
	for i, f := range named(photos) {
		data, err := chatfile.Load(ctx, f, maxPhoto, t.opts.Open)
		switch as, bad := pictureForm(data); {
		case chatfile.IsTooLarge(err), err == nil && (bad != nil || as != asPhoto):
			return 0, errForm
		case akitad.KindOf(err) == akitad.InvalidRequest:
			return 0, &goneError{i, err}
		case err != nil:
			return 0, err
		}
		media = append(media, &models.InputMediaPhoto{Media: "attach://" + f.Name, MediaAttachment: bytes.NewReader(data)})
	}
	if l.repeat {
		media[0].(*models.InputMediaPhoto).Caption = chatsend.RepeatMark
	}
	sent, err := t.api.SendMediaGroup(ctx, &bot.SendMediaGroupParams{
		ChatID: l.to.chat, MessageThreadID: l.to.thread, DisableNotification: l.silent, Media: media,
	})
	if err != nil || len(sent) == 0 {
		return 0, err
	}
	return sent[0].ID, nil
}

// named gives the photos names by which the parts of one request can be told apart.
func named(photos []akitad.File) []akitad.File {
	out := slices.Clone(photos)
	for i := range out {
		out[i].Name = chatfile.Name(out[i].Name, "photo")
	}
	return chatfile.Apart(out)
}
