package knowledge

import (
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"
)

// correction is what words are read as in some sources, which do not hold them.
type correction struct {
	read    map[string]string
	sources []int64
}

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
	sort.SliceStable(out, func(i, j int) bool { return len(out[i].read) > len(out[j].read) })
	return out[:min(len(out), maxReadings)]
}

func ordered(read map[int64]map[string]string) (out []int64) {
	for source := range read {
		out = append(out, source)
	}
	slices.Sort(out)
	return out
}

// nearest gives the word that each source without the word has in its place, if any is near enough: among those
// that begin alike, and where no source has one, among all.
func (f *search) nearest(word string) map[int64]string {
	first, _ := utf8.DecodeRuneInString(word)
	found, known := f.near(word, ` AND word >= ? AND word < ?`, string(first), string(first+1))
	if len(found) == 0 && !known {
		found, _ = f.near(word, "")
	}
	return found
}

// near looks through the words of a length that could be meant. known says whether any source has the word itself.
func (f *search) near(word, where string, args ...any) (found map[int64]string, known bool) {
	n, most := utf8.RuneCountInString(word), distanceFor(word)
	only := ""
	if f.source != "" {
		only = ` AND source = (SELECT n FROM sources WHERE id = ?)`
		args = append(args, f.source)
	}
	rows, err := f.store.read.QueryContext(f.ctx, `SELECT word, source FROM vocabulary WHERE length(word) BETWEEN ? AND ?`+where+only,
		append([]any{n - most, n + most}, args...)...)
	if err != nil {
		f.err = err
		return nil, false
	}
	defer func() { _ = rows.Close() }()
	found = map[int64]string{}
	best, has := map[int64]int{}, map[int64]bool{}
	last, d := "", 0
	for rows.Next() {
		var other string
		var source int64
		if err := rows.Scan(&other, &source); err != nil {
			f.err = err
			return nil, false
		}
		if other != last { // they come in order
			if last, d = other, distance(word, other, most); d <= most && stem(word) == stem(other) {
				d = 0 // a form of the word itself
			}
		}
		if d == 0 {
			has[source], known = true, true
			continue
		}
		if b, seen := best[source]; d <= most && (!seen || d < b || d == b && alike(word, other) > alike(word, found[source])) {
			best[source], found[source] = d, other
		}
	}
	f.err = rows.Err()
	for source := range has {
		delete(found, source)
	}
	return found, known
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
