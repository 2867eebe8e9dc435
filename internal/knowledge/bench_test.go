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

// prose makes text of a vocabulary whose words are used as unevenly as in a language.
func prose(r *rand.Rand, size int) string {
	zipf := rand.NewZipf(r, 1.2, 2, 30000)
	var out strings.Builder
	for out.Len() < size {
		n := zipf.Uint64()
		for i := range 2 + n%3 {
			out.WriteString([]string{"ra", "mel", "to", "kin", "dos", "va", "shu", "per", "li", "gon"}[(n/pow(i))%10])
		}
		out.WriteString([]string{" ", " ", " ", " ", " ", " ", ". "}[r.Intn(7)])
	}
	return out.String()
}

func pow(i uint64) uint64 {
	out := uint64(1)
	for range i {
		out *= 10
	}
	return out
}

// BenchmarkTenThousand indexes 100 documents of 100 sections of 1.4 KB, and searches them.
func BenchmarkTenThousand(b *testing.B) {
	r := rand.New(rand.NewSource(7))
	var docs []string
	for range 100 {
		var d strings.Builder
		for i := range 100 {
			fmt.Fprintf(&d, "# Part %d\n%s\n", i, prose(r, 1400))
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
		var took []float64
		for range 200 {
			ask := strings.Join(strings.Fields(prose(r, 40))[:3], " ")
			began := time.Now()
			if _, err := base.Search(b.Context(), knowledge.Query{Text: ask}); err != nil {
				b.Fatal(err)
			}
			took = append(took, float64(time.Since(began).Microseconds())/1000)
		}
		sort.Float64s(took)
		b.ReportMetric(took[100], "p50-ms")
		b.ReportMetric(took[190], "p95-ms")
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
