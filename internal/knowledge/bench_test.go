package knowledge_test

import (
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/knowledge"
)

// language has words used as unevenly as in real text (Zipf's law): the commonest are those that every English text
// is full of, the others are made up of syllables.
type language struct {
	r     *rand.Rand
	zipf  *rand.Zipf
	words []string
}

const little = "the of and to a in is that for it was on are as with be at by this from or an not which you can there their all more when will has one if but other they some these do would into may such than only what how where who could about any first also its new time two use used each"

func newLanguage(seed int64) *language {
	r := rand.New(rand.NewSource(seed))
	l := &language{r: r, words: strings.Fields(little)}
	seen := map[string]bool{}
	for len(l.words) < 30000 {
		var w strings.Builder
		for range 1 + r.Intn(2) + r.Intn(3) {
			w.WriteString([]string{"", "b", "c", "d", "f", "g", "h", "l", "m", "n", "p", "r", "s", "t", "v", "w", "st", "tr", "ch", "pl"}[r.Intn(20)])
			w.WriteString([]string{"a", "e", "i", "o", "u", "ea", "ou", "io"}[r.Intn(8)])
			w.WriteString([]string{"", "", "n", "r", "l", "s", "t", "nd", "ck", "m"}[r.Intn(10)])
		}
		if s := w.String(); !seen[s] && len(s) > 2 {
			seen[s] = true
			l.words = append(l.words, s)
		}
	}
	l.zipf = rand.NewZipf(r, 1.1, 3, uint64(len(l.words)-1))
	return l
}

func (l *language) prose(size int) string {
	var out strings.Builder
	for out.Len() < size {
		out.WriteString(l.words[l.zipf.Uint64()])
		out.WriteString([]string{" ", " ", " ", " ", " ", " ", " ", ", ", ". "}[l.r.Intn(9)])
	}
	return out.String()
}

// question asks by three words that stand together somewhere in a text, as people do; one in ten has a slip.
func (l *language) question(text string) string {
	all := strings.FieldsFunc(text, func(r rune) bool { return r < 'a' || r > 'z' })
	at := l.r.Intn(len(all) - 40)
	out := []string{"what", "is", "the"}
	for _, w := range all[at:] {
		if len(out) < 6 && len(w) > 3 && !strings.Contains(" "+little+" ", " "+w+" ") {
			out = append(out, w)
		}
	}
	if l.r.Intn(10) == 0 {
		out[3] = slip(out[3])
	}
	return strings.Join(out, " ")
}

// slip changes two letters over.
func slip(w string) string { return w[:1] + w[2:3] + w[1:2] + w[3:] }

// worst asks for the words that nearly every chunk holds, for a syllable of most of them, and for one that none has.
func (l *language) worst() string {
	n := len(strings.Fields(little)) + l.r.Intn(10)
	return strings.Join(l.words[n:n+8], " ") + " ation " + slip(l.words[1000+l.r.Intn(1000)]) + " qqxzjvk"
}

// BenchmarkChunks indexes documents of 100 sections of 1.4 KB, and searches them.
func BenchmarkChunks(b *testing.B) {
	for _, docs := range []int{10, 100} {
		b.Run(fmt.Sprint(100*docs), func(b *testing.B) { benchmarkChunks(b, docs) })
	}
}

func benchmarkChunks(b *testing.B, many int) {
	l := newLanguage(7)
	var docs []string
	for range many {
		var d strings.Builder
		for i := range 100 {
			fmt.Fprintf(&d, "# Part %d %s\n%s\n", i, l.prose(20), l.prose(1400))
		}
		docs = append(docs, d.String())
	}
	for b.Loop() {
		file := filepath.Join(b.TempDir(), "k.db")
		base := knowledge.New(file, knowledge.Options{})
		began := time.Now()
		for i, d := range docs {
			if _, _, err := base.Add(b.Context(), knowledge.Document{Name: fmt.Sprintf("d%d.md", i), Data: []byte(d)}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(time.Since(began).Seconds(), "index-s")
		measure(b, base, 200, "", func() string { return l.question(docs[l.r.Intn(many)]) })
		measure(b, base, 40, "worst-", l.worst)
		if err := base.Close(); err != nil {
			b.Fatal(err)
		}
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(info.Size())/(1<<20), "file-MB")
	}
}

// measure reports how long searches take.
func measure(b *testing.B, base *knowledge.Base, times int, name string, ask func() string) {
	b.Helper()
	var took []float64
	for range times {
		text := ask()
		began := time.Now()
		if hits, err := base.Search(b.Context(), knowledge.Query{Text: text}); err != nil || len(hits) == 0 {
			b.Fatalf("%q: %d hits, %v", text, len(hits), err)
		}
		took = append(took, float64(time.Since(began).Microseconds())/1000)
	}
	sort.Float64s(took)
	b.ReportMetric(took[times/2], name+"p50-ms")
	b.ReportMetric(took[times*95/100], name+"p95-ms")
}
