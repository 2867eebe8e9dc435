package channels

import (
	"context"
	"slices"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/channels/markdown"
	"github.com/akitad/akitad/internal/text"
)

const (
	answerFile = "answer.md"
	// summaryLimit is how much of a long answer stands in the chat, in UTF-16 units.
	summaryLimit = 1500
)

// shortened makes of an answer that is too long for a chat a file with all of it, first of the answer's
// files, and a summary: always the same ones for the same answer.
func (d *desk) shortened(ctx context.Context, r akitad.Reply) (akitad.Reply, error) {
	limit := d.opts.LongAnswer[d.ch.Name()]
	if limit <= 0 || len(r.Text) <= limit {
		return r, nil
	}
	hash, err := d.bus.PutArtifact(ctx, []byte(r.Text))
	if err != nil {
		return r, err
	}
	taken := map[string]bool{}
	for _, f := range r.Files {
		taken[f.Name] = true
	}
	all := akitad.File{Name: unique(taken, answerFile), Artifact: hash, Size: int64(len(r.Text))}
	r.Files = slices.Concat([]akitad.File{all}, r.Files)
	r.Text = markdown.Summary(r.Text, summaryLimit) + "\n\n" + text.Lang(r.Origin.Lang).AnswerInFile(all.Name)
	return r, nil
}
