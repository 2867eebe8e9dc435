package memory

import (
	"context"
	"strings"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Newest gives the entries that List gives, in the form of Recall: texts that are safe to place in a prompt
// as data. It counts nothing as used.
func (m *Memory) Newest(ctx context.Context, q Query) ([]akitad.Snippet, error) {
	if q.Limit <= 0 {
		q.Limit = DefaultRecall
	}
	entries, bad := m.List(ctx, q)
	var out []akitad.Snippet
	for _, e := range entries {
		out = append(out, akitad.Snippet{Source: "memory", ID: e.ID, Title: string(e.Type), Text: quote(e.Text)})
	}
	return out, bad
}

// List gives the entries that the person may see, the newest first, without those expired or
// superseded. With a text it gives first what Recall would find, then the entries in which the text
// occurs letter by letter. A file that cannot be read is an error of kind unavailable, beside the
// entries of the others.
func (m *Memory) List(ctx context.Context, q Query) ([]Entry, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	limit := q.Limit
	q.Limit = 0
	var out []Entry
	if q.Text != "" {
		found, err := m.find(ctx, &q)
		if err != nil {
			return nil, err
		}
		for _, c := range found {
			out = append(out, *c.entry)
		}
	}
	rest, bad := m.containing(ctx, q, out)
	out = append(out, rest...)
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	return out, bad
}

// containing gives the entries whose text has the query's in it, less those that are listed already.
func (m *Memory) containing(ctx context.Context, q Query, listed []Entry) ([]Entry, error) {
	type key struct{ file, id string }
	have := map[key]bool{}
	for _, e := range listed {
		have[key{e.File, e.ID}] = true
	}
	c, bad := m.corpus(ctx, q)
	part := strings.ToLower(q.Text)
	var out []Entry
	for i, p := range c.pages {
		for at, it := range p.doc.items {
			e := it.entry
			if c.live[i][at] && !have[key{e.File, e.ID}] && strings.Contains(strings.ToLower(e.Text), part) {
				out = append(out, e)
			}
		}
	}
	sorting.By(out, func(a, b Entry) int { return b.At.Compare(a.At) })
	return out, bad
}
