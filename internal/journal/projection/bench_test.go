package projection_test

import (
	"path/filepath"
	"testing"

	"github.com/akitad/akitad"
	"github.com/akitad/akitad/internal/journal/projection"
)

func filled(b *testing.B, n int) (*projection.Projection, string) {
	path := filepath.Join(b.TempDir(), "tasks.db")
	p := open(b, path)
	all := rows(n)
	for i := range all {
		if i%10 != 0 {
			all[i].State, all[i].Settled, all[i].Ended = akitad.Completed, true, new(all[i].Updated)
		}
	}
	for i := 0; i < n; i += 5000 {
		apply(b, p, uint64(i), all[i:min(i+5000, n)]...)
	}
	return p, path
}

// One transaction of 5,000 rows, over rows that are there already.
func BenchmarkApply5000(b *testing.B) {
	p := fresh(b)
	all := rows(5000)
	for b.Loop() {
		apply(b, p, 5000, all...)
	}
	b.ReportMetric(5000*float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}

func BenchmarkApplyOne(b *testing.B) {
	p, _ := filled(b, 10000)
	r := row(77)
	for b.Loop() {
		apply(b, p, 1, r)
	}
}

func BenchmarkList(b *testing.B) {
	p, _ := filled(b, 100000)
	for name, f := range map[string]projection.Filter{
		"newest": {}, "state": {State: akitad.Running}, "session": {Session: row(3).Session}, "query": {Query: "number 777"},
		"absent": {Query: "giraffe"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				list(b, p, f)
			}
		})
	}
}

func BenchmarkOpen100000(b *testing.B) {
	p, path := filled(b, 100000)
	p.Close()
	for b.Loop() {
		q, err := projection.Open(path)
		if err != nil || q.Rebuilt() != "" {
			b.Fatal(err, q.Rebuilt())
		}
		q.Close()
	}
}
