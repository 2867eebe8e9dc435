package rows_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/akitad/akitad/internal/rows"
)

// TestTimesAreWrittenAsFormatDoes compares what is written by hand with the standard library.
func TestTimesAreWrittenAsFormatDoes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	zones := []*time.Location{time.UTC, time.FixedZone("", 8*3600), time.FixedZone("", -3*3600-1800)}
	for range 20_000 {
		ns := []int64{0, int64(r.IntN(1000)) * 1e6, int64(r.IntN(1e9))}[r.IntN(3)]
		at := time.Unix(r.Int64N(4e9), ns).In(zones[r.IntN(3)])
		frac := map[bool]string{true: ".000", false: ""}[ns > 0]
		switch {
		case ns%1e6 != 0 && ns%1e3 == 0:
			frac = ".000000"
		case ns%1e3 != 0:
			frac = ".000000000"
		}
		for _, zone := range []bool{true, false} {
			layout := "2006-01-02 15:04:05" + frac
			if zone {
				layout = "2006-01-02T15:04:05" + frac + "Z07:00"
			}
			got := rows.Time{At: at, Date: true, Year: true, Zone: zone, Precision: rows.ToSecond}.String()
			if want := at.Format(layout); got != want {
				t.Fatalf("got %s, want %s", got, want)
			}
		}
	}
}
