package knowledge

import (
	"context"
	"strings"

	"github.com/akitad/akitad/internal/knowledge/quote"
)

// Answer is what a chunk says to a question, word for word.
type Answer struct {
	Name  string // of the source
	Title string // what it stands under
	Line  int    // where it begins
	Text  string
}

// lookedAt is how many chunks are read for an answer.
const lookedAt = 24

// Answer returns the sentences of the documents that hold the answer to a question, none if none does. Of programs
// and logs nothing is quoted: what a line of them means is for who can read the others.
func (b *Base) Answer(ctx context.Context, question string) ([]Answer, error) {
	hits, err := b.Search(ctx, Query{Text: question, Limit: lookedAt})
	if err != nil {
		return nil, err
	}
	var from []Hit
	var passages []quote.Passage
	for _, h := range hits {
		if h.Kind == Code || h.Kind == Log {
			continue
		}
		from = append(from, h)
		passages = append(passages, quote.Passage{Title: strings.TrimSpace(h.Title), Text: asTable(h.Kind, h.Chunk), Line: h.Line})
	}
	var out []Answer
	for _, q := range quote.Find(question, passages) {
		h := from[q.Passage]
		out = append(out, Answer{Name: h.Name, Title: h.Title, Line: q.Line, Text: q.Text})
	}
	return out, nil
}

// asTable writes rows of values as those of Markdown, a line for each as before.
func asTable(kind Kind, text string) string {
	if kind != CSV {
		return text
	}
	head, _, _ := strings.Cut(text, "\n")
	mark := ","
	for _, m := range []string{";", "\t", "|"} {
		if strings.Count(head, m) > strings.Count(head, mark) {
			mark = m
		}
	}
	var out []string
	for line := range strings.SplitSeq(strings.TrimRight(text, "\r\n"), "\n") {
		out = append(out, "| "+strings.Join(fields(strings.TrimSpace(line), mark), " | ")+" |")
	}
	return strings.Join(out, "\n")
}

// fields splits a row at the marks that stand outside of quotation marks.
func fields(row, mark string) (out []string) {
	open, from := false, 0
	for i := range len(row) {
		switch {
		case row[i] == '"':
			open = !open
		case row[i] == mark[0] && !open:
			out = append(out, row[from:i])
			from = i + 1
		}
	}
	out = append(out, row[from:])
	for i := range out {
		out[i] = strings.ReplaceAll(strings.Trim(strings.TrimSpace(out[i]), `"`), "|", "/")
	}
	return out
}
