package knowledge

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/sorting"
)

// Query asks for chunks.
type Query struct {
	Text   string
	Source string // id of the one source to search; empty for all
	Limit  int    // default 10, at most 100
	Around int    // bytes of a chunk that are shown; default 320
}

// Limits of an answer.
const (
	DefaultLimit = 10
	MaxLimit     = 100
	maxQuery     = 2000 // bytes of a query that are looked at
	deep         = 100  // places of a ranking that count
)

// Hit is a chunk that was found.
type Hit struct {
	akitad.Snippet                   // Text is cut around what was looked for; Title is what the chunk stands under
	Name           string            `json:"name"` // of its source
	Kind           Kind              `json:"kind"`
	Line           int               `json:"line"`           // where the chunk begins
	Read           map[string]string `json:"read,omitempty"` // words that the source does not hold, and as what they were read
	Chunk          string            `json:"-"`              // the whole text
}

// The ranks of several orders are put together by reciprocal rank fusion: the sum of weight / (60 + rank). Parts of
// words find what words do too, and much besides; what was corrected is a guess.
const (
	fusion      = 60
	weightParts = 0.5
	weightRead  = 0.4
)

// Search returns the chunks that have to do with the words, the best first: in the order of words (stemmed), of pairs
// of characters, of parts of words, and of words corrected by what each source holds, fused by ranks. A word in a
// title counts as five in the text. Words that stand nowhere find nothing. Where words and pairs fill the answer,
// only what no chunk has as a word is looked for in parts of words and corrected.
func (b *Base) Search(ctx context.Context, q Query) ([]Hit, error) {
	s, err := b.store(false)
	if s == nil || err != nil {
		return nil, err
	}
	ask := newQuery(clip(strings.ToValidUTF8(q.Text, " "), maxQuery))
	if ask.empty() {
		return nil, nil
	}
	if q.Limit <= 0 {
		q.Limit = DefaultLimit
	}
	tx, err := s.Read.BeginTx(ctx, nil) // a document that is replaced meanwhile is as it was: numbers of chunks are given again
	if err != nil {
		return nil, s.Failed("search the knowledge base", err)
	}
	defer tx.Rollback()
	f := &search{read: tx, ctx: ctx, source: q.Source, score: map[int64]float64{}, reads: map[int64]map[string]string{}}
	q.Limit = min(q.Limit, MaxLimit)
	known := f.weigh("words", ask.words, literally)
	f.rank("words", query{words: known.telling, phrase: ask.phrase}.byWords(), 1, nil)
	f.rank("pairs", either(f.weigh("pairs", ask.byPairs(), nil).telling), 1, nil)
	guess := ask
	guess.words = known.missing
	if len(f.score) < q.Limit {
		guess.words = slices.Concat(known.telling, known.missing)
	}
	f.rank("words", query{words: f.containing(guess.words)}.byWords(), weightParts, nil)
	f.rank("pairs", guess.byRuns(), weightParts, nil)
	for _, c := range f.corrections(guess.words) {
		f.rank("words", c.query().byWords(), weightRead, &c)
	}
	hits := f.hits(q.Limit)
	if f.err != nil {
		return nil, s.Failed("search the knowledge base", f.err)
	}
	for i := range hits {
		look := ask.with(hits[i].Read)
		hits[i].Text = snippet(hits[i].Chunk, look, cmp.Or(q.Around, snippetSize))
	}
	return hits, nil
}

// search is one search on its way. The first error ends it.
type search struct {
	read   *sql.Tx // one state of the base
	ctx    context.Context
	source string
	score  map[int64]float64
	best   float64 // what a chunk that is first in every order would have
	reads  map[int64]map[string]string
	err    error
}

// common is how many chunks hold a word that tells too little of them to be searched for beside rarer ones; mostCommon
// is how many such words are searched for if there is nothing else. They bound what a search costs.
const (
	common     = 2000
	mostCommon = 2
)

// weighed are the words of a query, or its pairs, by how many of the chunks hold them.
type weighed struct {
	telling []string // are searched for
	missing []string // no chunk holds them
}

// weigh counts in an index where the words stand, as far as that matters. Term gives the query for one of them; nil
// if they are queries.
func (f *search) weigh(index string, words []string, term func(string) string) (out weighed) {
	var often []string
	for _, word := range words {
		match := word
		if term != nil {
			match = term(word)
		}
		switch n := f.holding(index, match); {
		case n == 0:
			out.missing = append(out.missing, word)
		case n < common:
			out.telling = append(out.telling, word)
		default:
			often = append(often, word)
		}
	}
	if len(out.telling) == 0 {
		out.telling = often[:min(len(often), mostCommon)]
	}
	return out
}

// holding counts the chunks that match in an index, up to common.
func (f *search) holding(index, match string) (n int) {
	if f.err != nil {
		return 0
	}
	where, args := f.within(nil)
	f.err = f.read.QueryRowContext(f.ctx, `SELECT count(*) FROM (SELECT 1 FROM `+index+` WHERE `+index+` MATCH ?`+where+` LIMIT `+fmt.Sprint(common)+`)`,
		append([]any{match}, args...)...).Scan(&n)
	return n
}

// mostParts bounds the words that are searched for because a part of them is asked for.
const mostParts = 64

// containing returns the words, of the sources that are searched, in which those that are asked for stand, the
// shortest first: as many of each as there are of the others.
func (f *search) containing(asked []string) (out []string) {
	asked = slices.DeleteFunc(slices.Clone(asked), func(w string) bool { return utf8.RuneCountInString(w) < 3 })
	for _, part := range asked {
		out = append(out, f.around(part, mostParts/len(asked))...)
	}
	return out
}

func (f *search) around(part string, most int) (out []string) {
	if f.err != nil {
		return nil
	}
	only, args := "", []any{literally(part)}
	if f.source != "" {
		only = ` AND EXISTS (SELECT 1 FROM holders WHERE holders MATCH '"' || s.word || '"' AND rowid = (SELECT n FROM sources WHERE id = ?))`
		args = append(args, f.source)
	}
	rows, err := f.read.QueryContext(f.ctx, `SELECT s.word FROM parts p JOIN spelling s ON s.n = p.rowid WHERE parts MATCH ?`+only+
		` ORDER BY length(s.word), s.word LIMIT `+fmt.Sprint(most), args...)
	if err != nil {
		f.err = err
		return nil
	}
	for rows.Next() {
		var word string
		if f.err = rows.Scan(&word); f.err != nil {
			break
		}
		out = append(out, word)
	}
	f.err = errors.Join(f.err, rows.Err(), rows.Close())
	return out
}

// rank adds the places of one order. A correction holds in its sources only.
func (f *search) rank(table, match string, weight float64, c *correction) {
	if f.err != nil || match == "" {
		return
	}
	where, args := f.within(c)
	rows, err := f.read.QueryContext(f.ctx, `SELECT rowid FROM `+table+` WHERE `+table+` MATCH ?`+where+
		` ORDER BY bm25(`+table+`, 5.0, 1.0), rowid LIMIT `+fmt.Sprint(deep), append([]any{match}, args...)...)
	if err != nil {
		f.err = err
		return
	}
	f.best += weight / (fusion + 1)
	for place := 1; rows.Next(); place++ {
		var n int64
		if err := rows.Scan(&n); err != nil {
			f.err = err
			break
		}
		f.score[n] += weight / float64(fusion+place)
		if c != nil && f.reads[n] == nil {
			f.reads[n] = c.read
		}
	}
	f.err = errors.Join(f.err, rows.Err(), rows.Close())
}

// within returns the condition that a chunk is of the sources that count. The chunks of one source follow each other:
// they are written in one transaction. The plus keeps SQLite from searching the index once for each chunk of many.
func (f *search) within(c *correction) (string, []any) {
	switch {
	case c != nil:
		list := strings.Trim(fmt.Sprint(c.sources), "[]")
		return ` AND +rowid IN (SELECT n FROM chunks WHERE source IN (` + strings.ReplaceAll(list, " ", ",") + `))`, nil
	case f.source != "":
		const of = `FROM chunks WHERE source = (SELECT n FROM sources WHERE id = ?)`
		return ` AND rowid BETWEEN (SELECT min(n) ` + of + `) AND (SELECT max(n) ` + of + `)`, []any{f.source, f.source}
	}
	return "", nil
}

// hits reads the best chunks.
func (f *search) hits(limit int) (out []Hit) {
	var all []int64
	for n := range f.score {
		all = append(all, n)
	}
	sorting.By(all, func(a, b int64) int { return cmp.Or(cmp.Compare(f.score[b], f.score[a]), cmp.Compare(a, b)) })
	for _, n := range all[:min(len(all), limit)] {
		h := Hit{Snippet: akitad.Snippet{Source: "knowledge", Score: f.score[n] / f.best}, Read: f.reads[n]}
		var at int
		err := f.read.QueryRowContext(f.ctx, `SELECT s.id, s.name, s.kind, c.at, c.line, c.title, c.text FROM chunks c JOIN sources s ON s.n = c.source WHERE c.n = ?`, n).
			Scan(&h.ID, &h.Name, &h.Kind, &at, &h.Line, &h.Title, &h.Chunk)
		if errors.Is(err, sql.ErrNoRows) {
			continue // an entry of the index without its chunk
		}
		if err != nil {
			f.err = errors.Join(f.err, err)
			return nil
		}
		h.ID = fmt.Sprintf("%s/%d", h.ID, at+1)
		out = append(out, h)
	}
	return out
}
