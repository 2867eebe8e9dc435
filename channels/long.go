package channels

import (
	"cmp"
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
// files, and a summary: always the same ones for the same answer. inFile is false for a shorter answer, which
// is left as it is.
func (d *desk) shortened(ctx context.Context, r akitad.Reply) (_ akitad.Reply, inFile bool, err error) {
	limit := d.opts.LongAnswer[d.ch.Name()]
	if limit <= 0 || len(r.Text) <= limit {
		return r, false, nil
	}
	hash, err := d.bus.PutArtifact(ctx, []byte(r.Text))
	if err != nil {
		return r, false, err
	}
	taken := map[string]bool{}
	for _, f := range r.Files {
		taken[f.Name] = true
	}
	all := akitad.File{Name: unique(taken, answerFile), Artifact: hash, Size: int64(len(r.Text))}
	r.Files = slices.Concat([]akitad.File{all}, r.Files)
	r.Text = markdown.Summary(r.Text, summaryLimit) + "\n\n" + text.Lang(r.Origin.Lang).AnswerInFile(all.Name)
	return r, true, nil
}

// Packer is a channel that sends some files together.
type Packer interface {
	// FileParts says how many parts files are for Final.
	FileParts(files []akitad.File) int
}

// lacksText reports whether the file with all of an answer was among the parts that were passed over; n
// counts all parts. Some channels send the words of Notify as a part of its own, after the files.
func lacksText(ch Channel, del akitad.Delivery, passed []int, n int) bool {
	files := len(del.Reply.Files)
	if p, ok := As[Packer](ch); ok {
		files = p.FileParts(del.Reply.Files)
	}
	at := n - files
	return slices.Contains(passed, at) || del.Notify != "" && slices.Contains(passed, at-1)
}

// sendMore sends words that stand below an answer, until they arrive or are refused: all of its text if the file
// with it was refused, or that some of it is not shown.
func (d *desk) sendMore(ctx context.Context, r akitad.Reply, amended *[]akitad.Amendment) (sent []string, err error) {
	r.Files = nil
	del := akitad.Delivery{
		Kind: akitad.DeliverAnswer, Reply: r, Unshown: text.Lang(r.Origin.Lang).Unshown(string(r.Task)), Amended: d.amending(r.Task, amended),
	}
	arrived := d.insist(ctx, r.Task, func(ctx context.Context) (again error) {
		sent, err = d.ch.Final(ctx, del)
		if err == nil || undeliverable(err) {
			return nil
		}
		return err
	})
	if !arrived {
		err = cmp.Or(err, context.Cause(ctx))
	}
	return sent, err
}
