package app

import (
	"cmp"
	"context"
	"errors"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/redact"
)

// redacted returns a channel out of which no secret goes, with all that it can besides.
func redacted(ch channels.Channel, by *redact.Redactor) channels.Channel {
	r := quiet{ch, by}
	if asker, ok := ch.(channels.Asker); ok {
		return quietAsker{r, asker}
	}
	return r
}

// quiet redacts all that a channel is told to write.
type quiet struct {
	channels.Channel
	by *redact.Redactor
}

// Unwrap returns the channel itself, for what writes nothing.
func (q quiet) Unwrap() channels.Channel { return q.Channel }

// markdown redacts Markdown: as it is written, and as it is seen once the markup is gone, which may part a
// secret (a\_b). Then its formats go too.
func (q quiet) markdown(text string) string {
	text = q.by.String(text)
	seen := markdown.Plain(text)
	if clean := q.by.String(seen); clean != seen {
		return clean
	}
	return text
}

// Placeholder redacts and passes on.
func (q quiet) Placeholder(ctx context.Context, to akitad.Origin, text, key string) (string, error) {
	return q.Channel.Placeholder(ctx, to, q.by.String(text), key)
}

// Progress redacts and passes on.
func (q quiet) Progress(ctx context.Context, to akitad.Origin, message, text string) error {
	return q.Channel.Progress(ctx, to, message, q.by.String(text))
}

// Final redacts and passes on.
func (q quiet) Final(ctx context.Context, d akitad.Delivery) ([]string, error) {
	d.Reply.Text, d.Notify = q.markdown(d.Reply.Text), q.markdown(d.Notify)
	files := make([]akitad.File, len(d.Reply.Files))
	for i, f := range d.Reply.Files {
		f.Name = cmp.Or(q.by.String(f.Name), "file")
		files[i] = f
	}
	choices := make([]akitad.Choice, len(d.Choices))
	for i, c := range d.Choices {
		c.Label = cmp.Or(q.by.String(c.Label), "…")
		choices[i] = c
	}
	d.Reply.Files, d.Choices = files, choices
	return q.Channel.Final(ctx, d)
}

// quietAsker is quiet for a channel that has buttons.
type quietAsker struct {
	quiet
	asker channels.Asker
}

// Pressed redacts and passes on.
func (q quietAsker) Pressed(ctx context.Context, to akitad.Origin, p akitad.Press, words, settled string) error {
	return q.asker.Pressed(ctx, to, p, q.by.String(words), q.markdown(settled))
}

// channelHealth returns what is wrong with each channel, without secrets: whoever probes reads it.
func (a *App) channelHealth() map[string]error {
	out := a.Gateway.Health()
	for name, err := range out {
		if err != nil {
			out[name] = errors.New(a.Redact.String(err.Error()))
		}
	}
	return out
}
