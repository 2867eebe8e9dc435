package knowledge

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/akitad/akitad/internal/sorting"
)

// correction is what words are read as in some sources, which do not hold them.
type correction struct {
	read    map[string]string
	sources []int64
}

// query asks for what the words are read as, and for nothing else: what is known was searched for before.
func (c correction) query() query { return query{words: slices.Sorted(maps.Values(c.read))} }

// maxReadings bounds the different corrections of one search.
const maxReadings = 6

// corrections gives, for the sources that lack some of the words, the nearest ones of their own vocabulary.
func (f *search) corrections(asked []string) (out []correction) {
	read := map[int64]map[string]string{}
	for _, word := range asked {
		if f.err != nil || !spellable(word) || len(read) > 10*deep {
			continue
		}
		for source, as := range f.nearest(word) {
			if read[source] == nil {
				read[source] = map[string]string{}
			}
			read[source][word] = as
		}
	}
	at := map[string]int{}
	for _, source := range ordered(read) {
		key := fmt.Sprint(read[source])
		i, ok := at[key]
		if !ok {
			i, at[key] = len(out), len(out)
			out = append(out, correction{read: read[source]})
		}
		out[i].sources = append(out[i].sources, source)
	}
	sorting.By(out, func(a, b correction) int { return len(b.read) - len(a.read) })
	return out[:min(len(out), maxReadings)]
}

func ordered(read map[int64]map[string]string) (out []int64) {
	for source := range read {
		out = append(out, source)
	}
	sorting.By(out, cmp.Compare[int64])
	return out
}

// nearest returns the word that each source without the word has in its place, if any is near enough: among those
// that begin alike, and where no source has one, among all.
func (f *search) nearest(word string) map[int64]string {
	first, _ := utf8.DecodeRuneInString(word)
	found, known := f.near(word, ` AND word >= ? AND word < ?`, string(first), string(first+1))
	if len(found) == 0 && !known {
		found, _ = f.near(word, "")
	}
	return found
}

// near looks through the words that could be meant. known says whether any source has the word itself, or a form
// of it.
func (f *search) near(word, where string, args ...any) (found map[int64]string, known bool) {
	found = map[int64]string{}
	best := map[int64]int{}
	for _, c := range f.candidates(word, where, args...) {
		for _, source := range f.holders(c.word) {
			known = known || c.slips == 0
			d, seen := best[source]
			if seen && (d < c.slips || d == c.slips && alike(word, c.word) <= alike(word, found[source])) {
				continue
			}
			best[source], found[source] = c.slips, c.word
		}
	}
	for source, slips := range best {
		if slips == 0 {
			delete(found, source)
		}
	}
	return found, known
}

// candidate is a word that another may stand for.
type candidate struct {
	word  string
	slips int // 0 for a form of the word itself
}

// maxCandidates bounds the words that are tried, the nearest first.
const maxCandidates = 50

func (f *search) candidates(word, where string, args ...any) (out []candidate) {
	n, most := utf8.RuneCountInString(word), distanceFor(word)
	rows, err := f.read.QueryContext(f.ctx, `SELECT word FROM spelling WHERE size BETWEEN ? AND ?`+where, append([]any{n - most, n + most}, args...)...)
	if err != nil {
		f.err = err
		return nil
	}
	asked := stem(word)
	for rows.Next() {
		var c candidate
		if f.err = rows.Scan(&c.word); f.err != nil {
			break
		}
		if c.slips = distance(word, c.word, most); c.slips > most {
			continue
		}
		if stem(c.word) == asked {
			c.slips = 0
		}
		out = append(out, c)
	}
	f.err = errors.Join(f.err, rows.Err(), rows.Close())
	sorting.By(out, func(a, b candidate) int { return a.slips - b.slips })
	return out[:min(len(out), maxCandidates)]
}

// holders returns the sources that hold a word, of those that are searched.
func (f *search) holders(word string) (out []int64) {
	only, args := "", []any{literally(word)}
	if f.source != "" {
		only, args = ` AND rowid = (SELECT n FROM sources WHERE id = ?)`, append(args, f.source)
	}
	rows, err := f.read.QueryContext(f.ctx, `SELECT rowid FROM holders WHERE holders MATCH ?`+only, args...)
	if err != nil {
		f.err = err
		return nil
	}
	for rows.Next() {
		var n int64
		if f.err = rows.Scan(&n); f.err != nil {
			break
		}
		out = append(out, n)
	}
	f.err = errors.Join(f.err, rows.Err(), rows.Close())
	return out
}

// distanceFor says how many slips a word may have.
func distanceFor(word string) int {
	if utf8.RuneCountInString(word) < 6 {
		return 1
	}
	return 2
}

// alike is the length of what two words begin with.
func alike(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// distance counts the slips between two words: a letter too many, missing, another, or two changed over. It gives
// most+1 where there are more.
func distance(a, b string, most int) int {
	if a == b {
		return 0
	}
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > most || len(y)-len(x) > most {
		return most + 1
	}
	var before, row, next [mostWord + 4]int
	for j := range len(y) + 1 {
		row[j] = j
	}
	for i := 1; i <= len(x); i++ {
		next[0] = i
		least := i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
			least = min(least, next[j])
		}
		if least > most {
			return most + 1
		}
		before, row = row, next
	}
	return min(row[len(y)], most+1)
}
