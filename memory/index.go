package memory

import (
	"cmp"
	"math"
	"slices"
)

// index finds the entries of one page by their terms.
type index struct {
	posts   map[string][]post
	lengths []int // terms of each entry
}

// post says that a term occurs n times in the entry with the index at.
type post struct{ at, n int }

// indexOf makes the index of a page's entries.
func indexOf(items []item) index {
	x := index{posts: map[string][]post{}, lengths: make([]int, len(items))}
	for at, it := range items {
		if it.entry.SupersededBy != "" {
			continue
		}
		x.lengths[at] = it.analysis.length
		for _, w := range it.analysis.words {
			x.posts[w.term] = append(x.posts[w.term], post{at, w.n})
		}
	}
	return x
}

// candidate is an entry on its way through recall.
type candidate struct {
	entry     *Entry
	shelf     *shelf
	bm25      float64
	doubt     float64 // probability that none of the shared terms means anything
	covered   float64 // summed weight of the query's terms that the entry has
	relevance float64 // 0 to 1
	score     float64 // 0 to 1
}

// The usual parameters of BM25.
const (
	k1 = 1.2
	b  = 0.75
)

// certainty is the probability that an entry matters if it shares one term with the query, the rarest there can be. It
// is above the default gate (0.75), so that one telling word is enough and one everyday word is not.
const certainty = 0.87

// corpus is the pages that one query may look at, and which entries of them.
type corpus struct {
	pages  []*page
	shelf  []*shelf // of each page
	live   [][]bool // per page and entry
	count  int
	length int // terms in all entries together
}

func (c *corpus) add(s *shelf, p *page, live []bool) {
	c.pages, c.shelf, c.live = append(c.pages, p), append(c.shelf, s), append(c.live, live)
	for at, ok := range live {
		if ok {
			c.count++
			c.length += p.index.lengths[at]
		}
	}
}

// search gives the entries that share a term with the query, each with its relevance. Only entries
// that the asker may see count, also in the statistics: what others keep changes no answer.
func (c *corpus) search(query []string) []*candidate {
	found := make([][]candidate, len(c.pages))
	for i, p := range c.pages {
		found[i] = make([]candidate, len(p.doc.items))
	}
	total, average := 0.0, c.average()
	for _, t := range unique(query) {
		df := c.frequency(t)
		tell := weight(t) * c.rarity(df)
		total += tell
		idf := math.Log(1 + (float64(c.count-df)+0.5)/(float64(df)+0.5))
		for i, p := range c.pages {
			for _, post := range p.index.posts[t] {
				if c.live[i][post.at] {
					norm := k1 * (1 - b + b*float64(p.index.lengths[post.at])/average)
					found[i][post.at].meet(idf, tell, float64(post.n), norm)
				}
			}
		}
	}
	return c.collect(found, total)
}

// collect gives the candidates that any term led to.
func (c *corpus) collect(found [][]candidate, total float64) (out []*candidate) {
	for i, page := range found {
		for at := range page {
			if cand := &page[at]; cand.covered > 0 {
				cand.entry, cand.shelf = &c.pages[i].doc.items[at].entry, c.shelf[i]
				cand.relevance = max(1-cand.doubt, cand.covered/total)
				out = append(out, cand)
			}
		}
	}
	return out
}

// meet counts a term that the query and the entry share. idf and norm are those of BM25, n is how often the entry has
// it, and tell, from 0 to 1, how much it tells: see rarity.
func (c *candidate) meet(idf, tell, n, norm float64) {
	if c.covered == 0 {
		c.doubt = 1
	}
	c.bm25 += idf * n * (k1 + 1) / (n + norm)
	c.doubt *= 1 - certainty*tell
	c.covered += tell
}

func (c *corpus) average() float64 { return max(1, float64(c.length)/float64(max(1, c.count))) }

func (c *corpus) frequency(t string) (df int) {
	for i, p := range c.pages {
		for _, post := range p.index.posts[t] {
			if c.live[i][post.at] {
				df++
			}
		}
	}
	return df
}

// rarity is 1 for a term of one entry and falls slowly as more have it. Few entries count as a
// hundred: in a small memory no word is common yet.
func (c *corpus) rarity(df int) float64 {
	n := float64(max(c.count, 100))
	return math.Pow(math.Log(1+n/float64(max(df, 1)))/math.Log(1+n), 0.2)
}

func unique(words []string) []string {
	words = slices.Clone(words)
	slices.Sort(words)
	return slices.Compact(words)
}

// byScore orders the best first, and equals so that the order is always the same.
func byScore(a, b *candidate) int {
	return cmp.Or(cmp.Compare(b.score, a.score), b.entry.At.Compare(a.entry.At), cmp.Compare(a.entry.ID, b.entry.ID))
}
