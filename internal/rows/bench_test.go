package rows_test

import (
	"bytes"
	"testing"

	"github.com/akitad/akitad/examples/incident/incident"
	"github.com/akitad/akitad/internal/rows"
)

// BenchmarkRead measures how fast each kind of log is read.
func BenchmarkRead(b *testing.B) {
	for _, format := range incident.Formats {
		inc, err := incident.Generate(incident.Config{Seed: 1, Format: format})
		if err != nil {
			b.Fatal(err)
		}
		text := inc.Logs[0].Bytes()
		b.Run(string(format), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := rows.Read(bytes.NewReader(text), "x.log", rows.Options{}, func(*rows.Row) error { return nil }); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
