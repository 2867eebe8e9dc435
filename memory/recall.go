package memory

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// The weights of what an entry's score consists of, once the entry has passed the gate. Their sum is 1.
const (
	weightRelevance  = 0.40
	weightRecency    = 0.20
	weightImportance = 0.20
	weightUse        = 0.20
)

// DefaultRecall is the number of entries that Recall gives if the query does not say.
const DefaultRecall = 5

// Recall gives the entries that matter to the query's text, the best first: those the person may
// see, not expired, not superseded, and relevant enough to pass the gate (see Options). They are
// ordered by relevance 0.40, recency 0.20 (half-life 30 days), importance 0.20 and use 0.20, which
// together are the snippet's score. Texts are one line each and safe to place in a prompt as data;
// they are never instructions. Files edited by hand count as they are now. A query without telling
// words finds nothing. A file that cannot be read is an error of kind unavailable, beside the
// snippets of the others.
func (m *Memory) Recall(ctx context.Context, q Query) ([]akitad.Snippet, error) {
	if q.Limit <= 0 {
		q.Limit = DefaultRecall
	}
	found, bad := m.find(ctx, &q)
	var hits []akitad.Snippet
	for _, c := range found {
		hits = append(hits, akitad.Snippet{
			Source: "memory", ID: c.entry.ID, Title: string(c.entry.Type), Text: quote(c.entry.Text), Score: c.score,
		})
		m.used(ctx, c.shelf, c.entry.ID)
	}
	return hits, bad
}

// find gives the best candidates and fills the query's defaults.
func (m *Memory) find(ctx context.Context, q *Query) ([]*candidate, error) {
	if q.Now.IsZero() {
		q.Now = time.Now()
	}
	c, bad := m.corpus(ctx, *q)
	words := append(terms(q.Text), subjectsAsked(q.Text)...)
	found := slices.DeleteFunc(c.search(words), func(c *candidate) bool { return c.relevance < m.opts.Gate })
	best := 0.0
	for _, c := range found {
		best = max(best, c.bm25)
	}
	use := map[*shelf]func(string) float64{}
	for _, c := range found {
		if use[c.shelf] == nil {
			use[c.shelf] = c.shelf.use()
		}
		c.score = weightRelevance*c.bm25/best + weightRecency*recency(c.entry.At, q.Now, m.opts.HalfLife) +
			weightImportance*c.entry.Type.importance() + weightUse*use[c.shelf](c.entry.ID)
	}
	sorting.By(found, byScore)
	if q.Limit > 0 && len(found) > q.Limit {
		found = found[:q.Limit]
	}
	return found, bad
}

// corpus collects what the query's person may look at.
func (m *Memory) corpus(ctx context.Context, q Query) (*corpus, error) {
	c := &corpus{}
	bad := m.each(ctx, &q, func(s *shelf, pages []*page) {
		hidden := hiddenBy(pages)
		for _, p := range pages {
			live := make([]bool, len(p.doc.items))
			for at := range p.doc.items {
				e := &p.doc.items[at].entry
				live[at] = current(e, hidden, q.Now) && q.sees(s.owner, e)
			}
			c.add(s, p, live)
		}
	})
	return c, bad
}

// hiddenBy gives the ids that some entry of the pages supersedes. It makes a change in two files
// hold from the moment the first is stored, and works for lines whose bytes are not ours to change.
func hiddenBy(pages []*page) map[string]bool {
	hidden := map[string]bool{}
	for _, p := range pages {
		for _, id := range p.hides {
			hidden[id] = true
		}
	}
	return hidden
}

// current reports whether an entry counts: it has not expired and is not superseded.
func current(e *Entry, hidden map[string]bool, now time.Time) bool {
	return e.SupersededBy == "" && !e.Expired(now) && (len(hidden) == 0 || !hidden[e.ID])
}

// recency halves with each half-life. An entry without a date counts as one half-life old.
func recency(at, now time.Time, halfLife time.Duration) float64 {
	if at.IsZero() {
		return 0.5
	}
	return math.Pow(0.5, max(0, float64(now.Sub(at)))/float64(halfLife))
}
