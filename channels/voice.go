package channels

import (
	"context"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/text"
)

// unpackFiles fetches what goes with a message and has spoken words written down; they become the
// message's words. told is what its sender has to know: what was understood, and what could not be had. A
// message of which nothing can be made comes back without words and files.
func (d *desk) unpackFiles(ctx context.Context, m akitad.Message) (_ akitad.Message, told []string, err error) {
	lang, spoken := text.Lang(m.Origin.Lang), slices.ContainsFunc(m.Files, isVoice)
	onlySpoken := spoken && strings.TrimSpace(m.Text) == "" && !slices.ContainsFunc(m.Files, func(f akitad.File) bool { return !isVoice(f) })
	if spoken && d.opts.Transcribe == nil {
		told = append(told, lang.VoiceUnreadable())
		if onlySpoken {
			m.Files = nil
			return m, told, nil
		}
	}
	files, missing, err := d.fetchAll(ctx, m)
	if err != nil {
		return m, nil, err
	}
	m.Files = files
	nothing := strings.TrimSpace(m.Text) == "" && len(missing) > 0 && len(missing) == len(files)
	told = append(told, lostWords(lang, missing, !nothing)...)
	if nothing {
		m.Files = nil // there is nothing to go on with
	}
	if d.opts.Transcribe != nil {
		m, told = d.listen(ctx, m, told)
	}
	if onlySpoken && m.Text == "" {
		m.Files = nil
	}
	return m, told, nil
}

// lostWords tells which files could not be had, and why, and whether the work goes on without them.
func lostWords(lang text.Lang, missing []lost, goOn bool) (told []string) {
	for _, l := range missing {
		words := lang.FileMissing(l.file.Name, akitad.KindOf(l.why))
		if goOn {
			words += lang.WithoutIt()
		}
		told = append(told, words)
	}
	return told
}

func isVoice(f akitad.File) bool { return f.Kind == akitad.FileVoice }

// listen has all that was said written down.
func (d *desk) listen(ctx context.Context, m akitad.Message, told []string) (akitad.Message, []string) {
	for _, f := range m.Files {
		if !isVoice(f) || f.Artifact == "" {
			continue
		}
		words, err := d.transcribe(ctx, f)
		if err != nil {
			d.log.Warn("voice not written down", zap.String("message", m.ID), zap.String("name", f.Name), zap.Error(err))
			told = append(told, text.Lang(m.Origin.Lang).VoiceFailed(akitad.KindOf(err)))
			continue
		}
		if strings.TrimSpace(m.Text) == "" {
			m.Text, m.Origin.Lang = words, string(text.Detect(words))
		} else {
			m.Text += "\n\n" + words
		}
		told = append(told, text.Lang(m.Origin.Lang).Heard(words))
	}
	return m, told
}

// transcribe gives the words of one recording. One without words is an error.
func (d *desk) transcribe(ctx context.Context, f akitad.File) (string, error) {
	audio, err := d.bus.GetArtifact(ctx, f.Artifact)
	if err != nil {
		return "", err
	}
	words, err := d.opts.Transcribe(ctx, f.Name, audio)
	if words = strings.TrimSpace(words); err == nil && words == "" {
		err = akitad.Errorf(akitad.InvalidRequest, "nothing was said")
	}
	return words, err
}
